import numpy as np
import pytest

from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.results.boundary.text import MEANINGS
from tauscope.views.boundary import answer as module
from tauscope.views.boundary.answer import answers_wire, numeric_bounds
from views.boundary.test_boundary import found
from wire import write_boundary


def first(result, target=""):
    return answers_wire(result, target).message["answers"][0]


def test_the_row_its_flip_and_the_rival():
    result = found()
    answer = first(result)
    values = {one["name"]: one for one in answer["features"]}
    for name in ("age", "slope"):
        assert values[name]["start"] == pytest.approx(result.value[name])
        assert values[name]["point"] == pytest.approx(result.point[name])
        assert values[name]["rival"] == pytest.approx(result.rival[name])
    level = values["<b>level</b>"]
    assert level["levels"][int(level["start"])] == result.value["<b>level</b>"]
    assert (values["site"]["changed"], values["site"]["held"]) == (False, "constant")
    assert answer["labels"] == {"start": "b", "point": "a", "rival": "a"}
    assert answer["rival_row"] == result.rival_row


def test_the_features_stand_in_the_order_of_the_frame():
    result = found()
    assert [one["name"] for one in first(result)["features"]] == result.frame["feature"].tolist()


def test_the_path_leads_where_the_model_was_asked():
    """The values shipped for each step, put into the row, give the answers shipped for it."""
    result = found()
    message, values, _ = answers_wire(result, "")
    answer = message["answers"][0]
    path = answer["path"]
    n = len(path["length"])
    walked = np.frombuffer(values, "<f4").reshape(len(path["moving"]), n)
    X = write_boundary.rows().iloc[[7] * n].reset_index(drop=True)
    for place, column in zip(path["moving"], walked, strict=True):
        feature = answer["features"][place]
        named = [feature["levels"][int(code)] for code in column] if feature["kind"] == "levels" else column
        X[feature["name"]] = named
    shown = write_boundary.Model(2).predict_proba(X)[:, 1]
    np.testing.assert_allclose(shown, path["answer"], atol=1e-5)
    assert [path["labels"][k] for k in path["label"]] == result.path["label"].tolist()
    assert path["flipped"] == [int(label != "b") for label in result.path["label"]]


def test_effects_end_at_the_first_crossing():
    result = found()
    answer = first(result)
    path = answer["path"]
    slope = next(one for one in answer["features"] if one["name"] == "slope")
    step = result.frame.set_index("feature").loc["slope", "step"]
    per_unit = slope["effect"] / path["crossing"]
    assert np.sign(per_unit) == np.sign(step)
    assert "flips first" in answer["effect_words"]


def test_reliability_and_figures_in_words():
    result = found()
    answer = first(result)
    assert answer["reliability"]["level"] == result.reliability
    assert answer["reliability"]["reasons"] == list(result.reasons)
    assert {one["label"] for one in answer["diagnostics"]} <= {label for label, _ in MEANINGS.values()}
    assert all(one["words"] for one in answer["diagnostics"])


def test_a_threshold_is_told_where_one_value_decides():
    assert first(found())["threshold"] == 0.5
    assert first(found(3))["threshold"] is None


def test_bounds_that_are_no_two_numbers_are_left_to_the_kernel():
    given = {"a": (0, 1), "b": [None, 2.5], "c": ["low", "high"], "d": (float("-inf"), 3), "e": [1, 2]}
    columns = {name: BoundaryColumn(name, "levels" if name in "ce" else "number") for name in given}
    assert numeric_bounds(given, columns) == {"a": (0, 1), "b": (None, 2.5), "d": (None, 3)}
    assert numeric_bounds(None, columns) == {}


def test_features_past_the_most_are_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_FEATURES", 2)
    answer = first(found())
    assert (len(answer["features"]), answer["n_more"]) == (2, 2)
    assert (answer["n_more_changed"], answer["n_more_zero"]) == (0, 0)
    monkeypatch.setattr(module, "MOST_FEATURES", 1)
    assert first(found())["n_more_changed"] == int((found().frame["change_scaled"] != 0).sum()) - 1


def test_of_a_row_that_is_mostly_zero_what_it_has_comes_first(monkeypatch):
    result = write_boundary.word_study().boundary(7, random_state=0, progress=False, metric="euclidean")
    answer = first(result)
    assert answer["mostly_zero"]
    assert not first(found())["mostly_zero"]
    zero = [not (one["start"] or one["point"] or one["rival"]) for one in answer["features"]]
    assert zero == sorted(zero)
    n_there = zero.count(False)
    monkeypatch.setattr(module, "MOST_FEATURES", n_there - 1)
    cut = first(result)
    assert (cut["n_more"], cut["n_more_zero"]) == (zero.count(True) + 1, zero.count(True))


@pytest.mark.slow
def test_several_points_are_told_apart():
    answers = answers_wire(found(n=3, n_regions=3), "").message["answers"]
    names = [answer["name"] for answer in answers]
    assert names[0] == "nearest"
    assert len(set(names)) == len(names) > 1
    assert all(answer["headline"].endswith(".") for answer in answers)
    assert all(answer["path"] is None for answer in answers[1:])


def test_a_sample_on_two_components():
    result = found(explainer="pls")
    projection = first(result)["projection"]
    points, codes = result._numbers.inspection.explanation.projection
    n = min(len(codes), module.MOST_POINTS)
    np.testing.assert_allclose(projection["first"], points[:n, 0], atol=1e-4)
    assert projection["flipped"] == (codes[:n] != result._numbers.label[0]).astype(int).tolist()
    assert f"{sum(projection['flipped']):,} of them not decided b" in projection["words"]
    assert first(found())["projection"] is None
