"""Effects by group as a person meets them: against subgroups studied alone, their gaps, words, charts and files."""

import json

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects.samples import grades, line, study
from tauscope.effects import CurveOfRows, accumulated_effect, custom_grid, partial_dependence
from tauscope.results.effects.by_group import CENTRED, OF_GAPS
from tauscope.results.stress.by_group import MARGINAL
from tauscope.results.stress.curves_by_group import WITHIN
from tauscope.stress.joint.gaps import difference_ends

FARES = [2.0, 10.0, 30.0, 60.0]
DEARER = ts.Mean("fare", tau=0.3)
COLUMNS = ["value", "effect", "lower", "upper"]


def alone(asked, label, **options):
    return asked.where(asked.X["sex"] == label).effect("fare", grid=FARES, progress=False, **options).frame


def of_group(found, label):
    return found.frame[found.frame["group"] == label].reset_index(drop=True)


@pytest.mark.parametrize("options", [{}, {"kind": "cd", "window": 8.0}, {"kind": "ale"}])
def test_a_group_has_the_curve_of_its_rows_studied_alone(options):
    asked = study(progress=False)
    effect = asked.effect("fare", grid=FARES, **options)
    found = effect.by("sex")
    assert [group.label for group in found.groups] == ["female", "male"]
    for label in ("female", "male"):
        want = alone(study(), label, **options)
        pd.testing.assert_frame_equal(of_group(found, label)[[*COLUMNS, "n"]], want[[*COLUMNS, "n"]], rtol=1e-9)


def test_the_model_is_not_asked_again():
    asked = study(progress=False)
    calls = []
    model = asked._require_model("is").model

    def counting(rows):
        calls.append(len(rows))
        return model.predict_proba(rows)

    effect = ts.Study(counting, asked.X, asked.y, progress=False).effect("fare", grid=FARES)
    before = len(calls)
    effect.by("sex", DEARER)
    effect.by(["sex", "grade"], DEARER, within=True)
    assert len(calls) == before


def test_curves_of_trees_are_those_of_their_rows():
    from sklearn.ensemble import GradientBoostingRegressor

    _, X, y = line()
    asked = ts.Study(GradientBoostingRegressor(n_estimators=20, random_state=0).fit(X, y), X, y, progress=False)
    effect = asked.effect("a", grid=5)
    assert effect._computed_from == "trees"
    first = X["b"] > 0
    model = asked._require_model("is").model
    slow = [model.predict(X[first].assign(a=point)).mean() for point in effect.frame["value"]]
    assert of_group(effect.by(first), "True")["effect"].to_numpy() == pytest.approx(np.array(slow))


def test_under_a_stress_the_population_moves_as_a_whole():
    asked = study(progress=False)
    effect = asked.effect("fare", grid=FARES)
    found, solved = effect.by("sex", DEARER), asked.reweight(DEARER)
    women = (asked.X["sex"] == "female").to_numpy()
    weighted = asked._with_weights(solved.weights / solved.weights.mean())
    want = weighted.where(women).effect("fare", grid=FARES).frame
    pd.testing.assert_frame_equal(of_group(found, "female")[COLUMNS], want[COLUMNS], rtol=1e-9)
    assert found.groups[0].share == pytest.approx(solved.weights[women].sum() / solved.weights.sum())
    assert found.groups[0].share_before == pytest.approx(women.mean())
    assert found.notes[0] == MARGINAL
    assert found.population == solved.population
    for same in (effect.by("sex", solved), asked.under(DEARER).effect("fare", grid=FARES).by("sex")):
        pd.testing.assert_frame_equal(same.frame, found.frame, rtol=1e-9)
    assert effect.by("sex", DEARER, quantile=0.2).population != found.population


def test_within_groups_each_moves_by_itself():
    asked = study(progress=False)
    found = asked.effect("fare", grid=FARES).by("sex", DEARER, within=True)
    for label in ("female", "male"):
        mine = asked.where(asked.X["sex"] == label)
        want = mine.under(DEARER).effect("fare", grid=FARES).frame
        pd.testing.assert_frame_equal(of_group(found, label)[COLUMNS], want[COLUMNS], rtol=1e-9)
    assert found.notes[0] == WITHIN
    assert found.population.startswith("female: fare ")
    assert [group.share for group in found.groups] == [group.share_before for group in found.groups]


def test_a_group_whose_rows_cannot_be_moved_has_no_curve_and_the_notes_say_why():
    effect = study(progress=False).effect("fare", grid=FARES)
    one_price = pd.Series(np.where(effect.source.X["fare"] < 20, "low", "high"), name="price")
    found = effect.by(one_price, ts.Mean("fare", target=25), within=True)
    assert of_group(found, "low")["effect"].isna().all()
    assert set(of_group(found, "low")["reliability"]) == {""}  # what is not there has no level
    assert set(of_group(found, "low")["note"]) == {"it is not defined on these rows"}
    assert set(found.gaps["reliability"]) == {""}
    assert any(note.startswith("low: not moved, and without a curve. ") for note in found.notes)
    assert "no curve" in repr(found)
    assert found.gaps["gap"].isna().all()
    with pytest.raises(ts.InputError, match="No group can be moved by itself"):
        effect.by(one_price, ts.Mean("fare", target=1e6), within=True)
    with pytest.raises(ts.UnknownName, match="fares"):
        effect.by("sex", ts.Mean("fares", target=25), within=True)


def test_gaps_are_the_largest_less_the_smallest_and_differences_have_a_sign():
    found = study(progress=False).effect("fare", grid=FARES).by("sex")
    women, men = of_group(found, "female"), of_group(found, "male")
    signed = found.difference("male", "female")
    assert signed["difference"].to_numpy() == pytest.approx((men["effect"] - women["effect"]).to_numpy())
    assert (found.gaps["gap"] == -signed["difference"]).all()
    assert found.gaps["gap_lower"].to_numpy() == pytest.approx(-signed["upper"].to_numpy())
    assert found.gaps["gap_upper"].to_numpy() == pytest.approx(-signed["lower"].to_numpy())
    assert set(found.gaps["largest"]) == {"female"}
    with pytest.raises(ts.UnknownName, match="'men'"):
        found.difference("men", "female")
    with pytest.raises(ts.InputError, match="got 'male' twice"):
        found.difference("male", "male")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "ale"])
def test_the_difference_of_two_groups_is_covered_as_often_as_said(kind):
    """Of a model that is held fixed, on 500 samples of 150 rows; two groups of other spread and size."""
    grid = custom_grid([-1.0, -0.3, 0.4, 1.0], np.array([-1.0, 1.0]))

    def model(X):
        return np.sin(X[:, 0]) + X[:, 0] * X[:, 1]

    def curves(n, seed):
        random = np.random.default_rng(seed)
        one, a = random.random(n) < 0.35, random.uniform(-1, 1, n)
        b = np.where(one, 0.5 + random.exponential(1.0, n), random.normal(0, 0.6, n)) + 0.3 * a
        X = np.column_stack([a, b])
        compute = partial_dependence if kind == "pd" else accumulated_effect
        effect = compute(model, X, *(((0,), (grid,)) if kind == "pd" else (0, grid)))
        found = [CurveOfRows(effect, rows).under(np.ones(rows.sum())) for rows in (one, ~one)]
        return [(each.effect, each.lower, each.upper) for each in found]

    (first, *_), (second, *_) = curves(200_000, 0)
    truth, uncorrelated = first - second, np.zeros(first.shape)
    ends = [difference_ends(*curves(150, seed), uncorrelated) for seed in range(1, 501)]
    covered = np.mean([(lower <= truth) & (truth <= upper) for lower, upper in ends], axis=0)
    assert (covered >= 0.93).all(), covered
    assert (covered <= 0.97).all(), covered


@pytest.mark.slow
def test_every_class_has_its_curves():
    model, X, y = grades()
    found = ts.Study(model, X, y, progress=False).effect("a", grid=4).by(X["b"] > 0)
    assert found.frame.columns.tolist() == [
        "group", "class", "value", "effect", "lower", "upper", "n", "ess", "reliability", "note"
    ]  # fmt: skip
    assert len(found.frame) == 2 * 3 * 4
    assert found.gaps["class"].tolist() == ["x"] * 4 + ["y"] * 4 + ["z"] * 4
    assert len(found.chart("y")["concat"]) == 2
    with pytest.raises(ts.InputError, match="One class is needed"):
        found.chart()
    assert repr(found).count("farthest apart") == 3


def test_it_says_what_it_found():
    found = study(progress=False).effect("fare", grid=FARES).by("sex")
    first, *_, last = repr(found).splitlines()
    assert first.startswith("Partial dependence of probability of yes on fare, by sex: ")
    assert "farthest apart at fare 2: female − male " in repr(found)
    assert last.strip() == OF_GAPS
    centred = study(progress=False).effect("fare", kind="ale", grid=FARES).by("sex")
    assert CENTRED in centred.notes
    assert study(progress=False).effect("fare", grid=FARES).by(np.ones(240)).notes == ()


def test_points_that_few_rows_make_up_are_told_apart():
    found = study(progress=False).effect("fare", kind="cd", grid=[10.0, 240.0], window=8.0).by("sex").frame
    known = found[found["effect"].notna()]
    assert known.groupby("value")["reliability"].unique().map(list).to_dict() == {
        10.0: ["reliable"],
        240.0: ["unreliable"],
    }
    assert set(found.loc[found["effect"].isna(), "reliability"]) == {""}


@pytest.mark.slow
def test_two_groups_share_a_panel_and_more_have_one_each():
    effect = study(progress=False).effect("fare", grid=FARES)
    two, more = effect.by("sex").chart().to_dict(), effect.by(["sex", "grade"], DEARER).chart().to_dict()
    assert len(two["concat"]) == 2
    assert two["concat"][1]["title"].startswith("female − male")
    assert len(more["concat"]) == 7
    assert any(MARGINAL.startswith(line) for line in more["title"]["subtitle"][-2:])
    levels = study(progress=False).effect("port").by("sex").chart().to_dict()
    assert levels["concat"][0]["layer"][-1]["encoding"]["yOffset"]["field"] == "group"
    many = effect.by(np.array([f"g{i % 15:02}" for i in range(240)])).chart().to_dict()
    assert len(many["concat"]) == 13
    assert "3 groups more are grey" in " ".join(many["title"]["subtitle"])


@pytest.mark.slow
def test_it_is_saved_with_groups_and_gaps(tmp_path):
    found = study(progress=False).effect("fare", grid=FARES).by("sex", DEARER)
    for ending in ("json", "csv", "html"):
        found.save(tmp_path / f"found.{ending}")
    document = json.loads((tmp_path / "found.json").read_text())["summary"]
    assert document["by"] == "sex"
    assert document["shift"] == "marginal"
    assert document["groups"][1]["label"] == "male"
    assert len(document["records"]) == 2 * len(document["gaps"]) == 8


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda asked: asked.effect("fare", kind="cd", n_neighbors=20).by("sex"), "n_neighbors has no curve by group"),
        (lambda asked: asked.effect(["fare", "age"], grid=3).by("sex"), "of one feature"),
        (lambda asked: asked.effect("fare", grid=3, ice_bytes=0).by("sex"), "were not kept"),
        (lambda asked: asked.effect("fare", grid=3).by("sex", within=True), "got none"),
        (
            lambda asked: asked.effect("fare", grid=3).by("sex", asked.reweight(DEARER), within=True),
            "got weights of all rows",
        ),
        (lambda asked: asked.effect("fare", grid=3).under(DEARER).after.by("sex"), "refers to no study"),
        (lambda asked: asked.effect("fare", grid=3).by("fare"), "at most 10 values"),
    ],
)
def test_what_has_no_curves_by_group_is_refused(ask, words):
    with pytest.raises((ts.InputError, ts.InputTypeError), match=words):
        ask(study(progress=False))
