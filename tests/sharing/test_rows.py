"""Which rows a page carries; of a page without rows, that nothing of any row can be found in it."""

import gzip
import json
import re
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest
import traitlets
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from drawn import assert_drawn
from tauscope.sharing import rows as rows_module
from tauscope.views.columns_message import BUDGET
from tauscope.views.packing import unpack

pytestmark = pytest.mark.slow

N = 400


def made(n=N, **options):
    rng = np.random.default_rng(0)
    names = np.array([f"person-{k}" for k in range(n)], dtype=object)
    kind = np.where(rng.random(n) < 0.4, "plain", np.where(np.arange(n) < 3, "odd-one-out", "common"))
    X = pd.DataFrame({"age": rng.normal(size=n), "income": rng.lognormal(size=n), "kind": kind, "name": names})
    y = X["age"] + rng.normal(size=n) > 0
    model = LogisticRegression().fit(X[["age", "income"]].to_numpy(), y)
    weight = rng.uniform(0.5, 2, n)
    return ts.Study(
        lambda rows: model.predict_proba(rows[["age", "income"]].to_numpy())[:, 1],
        X,
        y,
        sample_weight=weight,
        progress=False,
        **options,
    )


@pytest.fixture(scope="module")
def study():
    return made()


def state_of(page):
    return json.loads(re.search(r'id="state">(.*?)</script>', page, re.S)[1])


def contents(page):
    """Return all that is in a page: its text, with pictures decoded, and the buffers but for metrics.

    Metrics are rounded, so that some are a row's number by chance; each is looked at by itself below.
    """
    state = state_of(page)
    held = {name: text for name, text in state["buffers"].items() if name != "curves"}
    buffers = [unpack(gzip.decompress(b64decode(text))) for text in held.values()]
    pictures = [b64decode(text).decode() for text in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)]
    assert pictures
    assert not re.search(r"data:image/(?!svg)", page), "a picture that cannot be searched"
    return "\n".join([page, json.dumps(state["traits"]), *pictures]), buffers


def numbers_in(text, buffers):
    """Return every number that is written with four digits or more, and every float of a buffer."""
    words = (re.sub(r"\D", "", each).strip("0") for each in re.findall(r"\d+\.\d+", text))
    floats = [np.frombuffer(buffer[: len(buffer) // 4 * 4], "<f4") for buffer in buffers]
    return set(words), np.concatenate(floats)


def rows_found(study, page):
    """Count the row values, weights, scores and names that can be found in a page, and sequences of labels."""
    text, buffers = contents(page)
    words, floats = numbers_in(text, buffers)
    found = 0
    standard = [(study.X[c] - np.average(study.X[c], weights=study.sample_weight)) for c in ("age", "income")]
    spread = [np.sqrt(np.average(c**2, weights=study.sample_weight)) for c in standard]
    numbers = [study.X["age"], study.X["income"], study.sample_weight, study.score]
    for column in (*numbers, *(c / s for c, s in zip(standard, spread, strict=True))):
        column = np.asarray(column, dtype=np.float64)
        found += int(np.isin(column.astype("<f4"), floats).sum())
        for value in column:
            digits = {re.sub(r"\D", "", f"{abs(value):.{n}f}").strip("0") for n in (6, 8, 10)}
            digits |= {re.sub(r"\D", "", repr(abs(float(value)))).strip("0")}
            found += bool({each for each in digits if len(each) > 5} & words)
    found += sum(text.count(name) for name in study.X["name"])
    for labels in (study._true_values, study.predicted):
        for kind in ("<f4", "<i4", "u1"):
            found += sum(labels[:50].astype(kind).tobytes() in buffer for buffer in buffers)
        found += json.dumps(labels[:50].astype(int).tolist()).replace(" ", "")[1:-1] in text.replace(" ", "")
    return found


def lengths_in(value):
    """Return the length of every list."""
    if not isinstance(value, list | dict):
        return [0]
    inner = list(value.values()) if isinstance(value, dict) else value
    return [len(value) * isinstance(value, list), *(n for each in inner for n in lengths_in(each))]


def test_without_rows_there_is_nothing_of_a_row_in_the_file(study, tmp_path):
    study.save(tmp_path / "a.html", rows="none", feature="age")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert rows_found(study, page) == 0
    assert "odd-one-out" not in contents(page)[0]
    assert "kind = plain" in page
    assert "None of 400 are in this page" in page
    assert "Several features at once, groups of rows, boundaries, rules and the table are left out" in page
    assert max(lengths_in(state_of(page)["traits"])) < N / 2


def test_the_search_finds_rows_where_there_are_some(study, tmp_path):
    study.save(tmp_path / "a.html", views=("table",))
    assert rows_found(study, (tmp_path / "a.html").read_text("utf-8")) > 2 * N


def test_without_rows_curves_are_those_of_all_rows(study, tmp_path):
    study.save(tmp_path / "a.html", rows="none", feature="age", stress={"taus": {"age": 0.4}})
    state = state_of((tmp_path / "a.html").read_text("utf-8"))
    assert state["traits"]["tau"] == 0.4
    message = state["traits"]["message"]
    assert message["n_rows"] == N
    shape = (len(message["features"]), len(message["metrics"]), len(message["taus"]), 3)
    curves = np.frombuffer(unpack(gzip.decompress(b64decode(state["buffers"]["curves"]))), "<f4").reshape(shape)
    names = [each["name"] for each in message["features"]]
    every = study.stress_curves(names, metrics=[each["name"] for each in message["metrics"]]).at(shape[2])._curves
    assert_drawn(curves, np.stack([every.value, every.lower, every.upper], axis=-1))
    place = names.index("age")
    answer = study.joint_stress().at({"age": 0.4}).metrics.set_index("metric")
    for k, metric in enumerate(message["metrics"]):
        assert curves[place, k, message["taus"].index(0.4), 0] == pytest.approx(
            answer.loc[metric["name"], "value"], abs=1e-5
        )


def test_without_rows_the_effect_can_be_left_out_and_levels_have_none(study, tmp_path):
    study.save(tmp_path / "a.html", rows="none", views=())
    assert "Effect of" not in (tmp_path / "a.html").read_text("utf-8")
    study.save(tmp_path / "a.html", rows="none", feature="kind = plain")
    assert "Left out: levels and dates" in (tmp_path / "a.html").read_text("utf-8")


@pytest.mark.parametrize("odd", [{"row": 3}, {"selection": [1]}, {"view": "effect"}])
def test_without_rows_nothing_can_be_opened_on_a_row(study, tmp_path, odd):
    with pytest.raises(ts.InputError, match=f"opens on .*; got {next(iter(odd))}"):
        study.save(tmp_path / "a.html", rows="none", **odd)
    for view in ("boundary", "rules", "table"):
        with pytest.raises(ts.InputError, match="which is of rows"):
            study.save(tmp_path / "a.html", rows="none", views=[view])
    alone = ts.Study.from_predictions(study.X[["age", "income"]], study.y, study.y)
    with pytest.raises(ts.InputError, match="model"):
        alone.save(tmp_path / "a.html", rows="none", views="effect")
    assert not list(tmp_path.iterdir())
    alone.save(tmp_path / "a.html", rows="none")
    few = ts.Study.from_predictions(pd.DataFrame({"a": ["x"] * 57 + ["y"] * 3}), [0, 1] * 30, [0, 1] * 30)
    with pytest.raises(ts.InputError, match="levels of at least 10 rows"):
        few.save(tmp_path / "b.html", rows="none")


def test_a_sample_is_of_the_rows_drawn(study, tmp_path):
    selection = list(range(100, 200))
    study.save(tmp_path / "a.html", rows=150, random_state=3, row=17, selection=selection, views=())
    page = (tmp_path / "a.html").read_text("utf-8")
    drawn = rows_module.choose_rows(study, 150, 3, {"row": 17})
    assert 17 in drawn.positions
    assert len(drawn.positions) == 150
    traits = state_of(page)["traits"]
    assert drawn.positions[traits["row"]] == 17
    assert drawn.positions[traits["selection"]].tolist() == [k for k in selection if k in drawn.positions]
    assert 10 < len(traits["selection"]) < 90
    expected = study.where(np.isin(np.arange(N), drawn.positions)).joint_stress()
    assert traits["joint__columns_message"]["n_rows"] == 150
    shown = {
        metric["name"]: estimate["value"]
        for metric, estimate in zip(
            traits["joint__message"]["outcomes"]["metrics"], traits["joint__message"]["unstressed"], strict=True
        )
    }
    for name, estimate in zip(expected.metric_names, expected.unstressed, strict=True):
        assert shown[name] == pytest.approx(estimate.value)
    assert "A sample: 150 of 400 rows, drawn with random_state=3" in page
    assert "150 of 400 are embedded" in page
    assert f"Row 17 of the study, chosen and not drawn, is row {traits['row']:,} here" in page
    study.save(tmp_path / "b.html", rows=150, random_state=3, row=17, selection=selection, views=())
    assert (tmp_path / "b.html").read_text("utf-8") == page


def test_rows_are_drawn_alike(study):
    counts = sum(np.isin(np.arange(N), rows_module.choose_rows(study, 100, seed, {}).positions) for seed in range(200))
    assert abs(counts - 50).max() < 5 * np.sqrt(200 * 0.25 * 0.75)


def test_all_rows_come_along_where_they_fit_and_else_a_sample_of_as_many_as_do():
    small = made(200)
    chosen = rows_module.choose_rows(small, "all", 0, {})
    assert chosen.study is small
    assert rows_module.choose_rows(small, 10_000, 0, {}).positions is None
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(30_000, 40)), columns=[f"x{k}" for k in range(40)])
    large = ts.Study.from_predictions(X, X["x0"] > 0, X["x1"] > 0)
    chosen = rows_module.choose_rows(large, "all", 0, {})
    assert 10_000 < chosen.study.n_rows < 30_000
    view = chosen.study.joint_stress().widget()
    assert view.solved_in_page
    assert len(view.columns) + len(view.answers) <= BUDGET
    view.close()


def test_what_cannot_be_chosen_says_so(study, tmp_path):
    with pytest.raises(ts.InputError, match="'all', 'none' or a number of rows; got 'some'"):
        study.save(tmp_path / "a.html", rows="some")
    with pytest.raises(ts.InputError, match="at least 100 rows; got rows=5"):
        study.save(tmp_path / "a.html", rows=5)
    with pytest.raises(ts.InputError, match=r"between 0 and 399; got 400"):
        study.save(tmp_path / "a.html", rows=150, row=400)
    with pytest.raises(ts.InputTypeError, match="rows must be"):
        study.save(tmp_path / "a.html", rows=[1, 2])
    with pytest.raises(ts.InputTypeError, match="random_state must be"):
        study.save(tmp_path / "a.html", rows=150, random_state=-1)
    with pytest.raises(traitlets.TraitError):
        study.save(tmp_path / "a.html", rows="none", feature="agee")
    assert not list(tmp_path.iterdir())


def test_results_given_are_computed_again_on_a_sample_by_their_options(study, tmp_path):
    results = {
        "effect": study.effect("age", kind="ale", grid=7),
        "rules": study.rules(17, pi=0.8),
        "models": ts.compare(study, study, metrics="error_rate"),
        "curves": study._with_answers_of(study).stress_curves(),
        "table": study.table(),
        "towards": study.towards(study.X[:90], features=["age"], metrics="error_rate", amount=0.6),
    }
    chosen = rows_module.choose_rows(study, 150, 3, {"row": 17})
    here = chosen.here(
        {"row": 17, "view": "models", "results": results, "inside": {"effect": {"epsilon": 0.1}, "models": {}}}
    )
    assert here["view"] == "models"
    assert here["inside"] == {"effect": {"epsilon": 0.1}, "models": {}}
    assert set(here["results"]) == {"effect", "rules", "models", "curves", "towards"}
    models = here["results"]["models"]
    wrong = chosen.study.predicted != chosen.study._true_values
    error_rate = np.average(wrong, weights=chosen.study.sample_weight)
    assert models.frame["first"].tolist() == pytest.approx([error_rate])
    assert (models.n_rows, here["results"]["curves"].n_rows) == (150, 150)
    there = here["results"]["towards"]
    assert (there.n_rows, there.amount, list(there.metrics["metric"])) == (150, 0.6, ["error_rate"])
    assert there.margins.loc[0, "there"] == pytest.approx(study.X["age"][:90].mean(), rel=1e-12)
    effect, rules = here["results"]["effect"], here["results"]["rules"]
    assert (effect.kind, effect.n_rows) == ("ale", 150)
    assert (rules._spec.pi, rules.explanation.row) == (0.8, here["row"])
    study.save(
        tmp_path / "a.html",
        views=["effect", "rules", "models"],
        rows=150,
        random_state=3,
        row=17,
        results=results,
        inside={"effect": {"epsilon": 0.1}},
    )
    traits = state_of((tmp_path / "a.html").read_text("utf-8"))["traits"]
    assert traits["effect__message"]["n_rows"] == traits["models__message"]["n_rows"] == 150
    assert traits["curves__message"]["beside"] == study._model_name
    assert traits["effect__kind"] == "ale"
    assert traits["rules__pi"] == 0.8


def test_the_rows_pooled_are_those_of_a_sample(study, tmp_path):
    chosen = rows_module.choose_rows(study, 150, 3, {})
    quiet = {"random_state": 0, "n_samples": 50, "progress": False}

    def here(pooled, **traits):
        return chosen.here({"results": {"pooled": pooled}, **traits})["results"].get("pooled")

    errors = here(study.pooled_boundary(study.errors, max_rows=20, confidence=0.9, **quiet))
    assert errors._given.tolist() == chosen.study.errors.tolist()
    assert (len(errors.boundaries), errors.confidence, errors.boundaries._spec.n_samples) == (20, 0.9, 50)
    drawn, left = chosen.positions, np.setdiff1d(np.arange(N), chosen.positions)
    some = here(study.pooled_boundary([*drawn[:3], *left[:3]], **quiet))
    assert some._given.tolist() == [0, 1, 2]
    assert here(study.pooled_boundary(left[:3], **quiet)) is None
    pooled = study.pooled_boundary(drawn[:3], **quiet)
    study.save(
        tmp_path / "a.html", views=["pooled"], view="pooled", rows=150, random_state=3, results={"pooled": pooled}
    )
    text = (tmp_path / "a.html").read_text("utf-8")
    traits = state_of(text)["traits"]
    assert (traits["pooled__message"]["n_rows"], traits["pooled__message"]["n_chosen"]) == (150, 3)
    assert "the pooled boundary of 3 of 150 rows" in text


def test_without_a_sample_results_stay_as_they_are(study):
    given = {"row": 3, "results": {"models": object()}, "selection": [1]}
    assert rows_module.choose_rows(study, "all", 0, given).here(given) == given
