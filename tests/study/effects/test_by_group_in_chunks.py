"""Effects by group of rows in chunks: the numbers of the rows in memory, and how often the model is asked."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted
from chunked.uneven_chunks import ENDS, MOVED, Asked, both, both_by_dask, both_of, cut, rows
from tauscope.results.stress.by_group import UNMOVED

OLDER = ts.Mean("age", tau=0.4)


def assert_same(got: ts.EffectByGroup, want: ts.EffectByGroup) -> None:
    close = {"rtol": 1e-9, "atol": 1e-9}
    pd.testing.assert_frame_equal(got.frame, want.frame, **close)
    ties = ["largest", "smallest"]  # of groups with one value, rounding names the one or the other
    pd.testing.assert_frame_equal(got.gaps.drop(columns=ties), want.gaps.drop(columns=ties), **close)
    assert [(one.label, one.n_rows) for one in got.groups] == [(one.label, one.n_rows) for one in want.groups]
    numbers = [[(one.share_before, one.share, one.ess) for one in found.groups] for found in (got, want)]
    np.testing.assert_allclose(*numbers, rtol=1e-9)
    assert [one.reason for one in got._judged] == [one.reason for one in want._judged]
    np.testing.assert_allclose(
        [(one.amount, one.share) for one in got._judged], [(one.amount, one.share) for one in want._judged], rtol=1e-9
    )
    assert (got.title, got.population, got.notes) == (want.title, want.population, want.notes)
    labels = [group.label for group in want.groups]
    for other in labels[1:]:
        pd.testing.assert_frame_equal(got.difference(labels[0], other), want.difference(labels[0], other), **close)


def effects(feature: str, task: str = "binary", **options: object) -> tuple[ts.FeatureEffect, ts.FeatureEffect]:
    study, chunked = both(task)
    return study.effect(feature, method="brute", **options), chunked.effect(feature, **options)


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_two_groups_are_those_of_the_rows_in_memory(kind):
    want, got = effects("age", kind=kind, grid=6)
    assert_same(got.by("sex"), want.by("sex"))
    assert got.by("sex").population == UNMOVED
    assert_same(got.by("sex", MOVED), want.by("sex", MOVED))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("by", ["job", ["sex", "job"], ["member", "sex"]], ids=str)
def test_more_groups_and_rows_without_a_value(kind, by):
    want, got = effects("balance", kind=kind, grid=5)
    for stress in (None, OLDER):
        assert_same(got.by(by, stress), want.by(by, stress))
    labels = [group.label for group in got.by("job").groups]
    assert labels == ["a", "b", "c", "missing"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd"])
@pytest.mark.parametrize("feature", ["job", "member", "gain"])
def test_features_of_levels_and_of_one_frequent_value(kind, feature):
    want, got = effects(feature, kind=kind)
    assert_same(got.by("sex", OLDER), want.by("sex", OLDER))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression"])
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_every_task(task, kind):
    want, got = effects("age", task, kind=kind, grid=4, confidence=0.8)
    assert_same(got.by("job", OLDER), want.by("job", OLDER))


@pytest.mark.parametrize(
    "stress",
    [
        ts.Mean("balance", tau=-0.5),
        ts.Share("sex", "M", 0.5),
        ts.Mean("age", target=80),
        ts.Variance("age", scale=0.7) & ts.Mean("age", shift=0),
        ts.Mean("age", tau=0.2) & ts.Moment(lambda part: part["age"] * part["member"], 12.0, name="age of members"),
    ],
    ids=["along tau, gaps", "the groups' own share", "far away", "a variance", "a function"],
)
@pytest.mark.slow
def test_every_stress(stress):
    want, got = effects("income", grid=4)
    assert_same(got.by("sex", stress), want.by("sex", stress))


def test_weights_solved_before():
    study, chunked = both()
    want, got = study.effect("age", grid=4), chunked.effect("age", grid=4)
    moved, alike = chunked.reweight(MOVED, quantile=0.1), study.reweight(MOVED, quantile=0.1)
    assert_same(got.by("sex", moved), want.by("sex", alike))
    assert_same(got.by("sex", MOVED, quantile=0.1), want.by("sex", alike))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_weights_of_rows_and_groups_without_any(kind):
    X, y = rows()
    model = fitted("binary", X, y)
    weight = np.random.default_rng(3).gamma(1, size=len(X)) * (X["job"] != "b").to_numpy()
    weight[:7] = 0  # a chunk without weight
    weight[X["income"] < X["income"].quantile(0.3)] = 0
    study = ts.Study(model, X, y, sample_weight=weight, progress=False)
    frames = [part.assign(y=truths, w=weight[part.index]) for part, truths in cut(X, y)]
    chunked = ts.ChunkedStudy(model, frames, target="y", sample_weight="w", progress=False)
    options = {"kind": kind, "grid": [0.0, 10_000.0, 20_000.0, 90_000.0]}
    want, got = study.effect("income", method="brute", **options), chunked.effect("income", **options)
    for by in ("job", ["sex", "job"]):
        assert_same(got.by(by), want.by(by))
        assert_same(got.by(by, OLDER), want.by(by, OLDER))
    none = got.by("job").frame
    assert none[none["group"] == "b"]["effect"].isna().all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_groups_of_few_rows(kind):
    X, y = rows()
    X = X[:120].copy()
    X["job"] = np.where(np.arange(120) == 50, "d", np.where(np.arange(120) < 3, "c", "a"))
    study, chunked = both_of("binary", X, y[:120], [0, 3, 50, 51, 90, 120])
    want, got = study.effect("age", kind=kind, grid=4), chunked.effect("age", kind=kind, grid=4)
    for stress in (None, OLDER):
        assert_same(got.by("job", stress), want.by("job", stress))


def test_the_model_is_asked_once_more_at_the_points():
    X, y = rows()
    asked = Asked(fitted("binary", X, y), cut(X, y))
    study = ts.ChunkedStudy(asked, asked.read, task="binary", progress=False)
    effect = study.effect("age", grid=5)
    asked.times[0] = asked.n_rows[0] = 0
    found = effect.by("sex")
    assert found.n_model_rows == effect.n_model_rows == 5 * len(X)
    probed = asked.n_rows[0] - found.n_model_rows
    assert 0 <= probed <= 256 * len(ENDS)  # a few rows of each chunk tell what is followed
    assert asked.times[0] == 3  # which groups, values to put in, answers
    asked.times[0] = 0
    effect.by("sex", OLDER)
    solving = asked.times[0]
    asked.times[0] = 0
    effect.by("sex", OLDER)  # solved already
    assert asked.times[0] == 4 < solving
    assert found._document()["n_model_rows_of_groups"] == found.n_model_rows


@pytest.mark.slow
def test_rows_alike_are_asked_about_once():
    X, y = rows()
    few = X[["age", "sex"]].assign(age=X["age"] // 10)

    def rule(part):
        return np.where(part["age"] > 5, 0.7, 0.2)

    study = ts.ChunkedStudy(rule, cut(few, y), task="binary", progress=False)
    effect = study.effect("age")
    assert effect.by("sex").n_model_rows == effect.n_model_rows < 200


@pytest.mark.slow
def test_arrays_polars_and_a_stress_on_the_answers():
    random = np.random.default_rng(0)
    A = np.column_stack([random.normal(size=900), random.integers(0, 3, 900), random.normal(size=900)])
    parts = [A[i : i + 331] for i in range(0, 900, 331)]

    def product(rows):
        return rows[:, 0] * rows[:, 1] + rows[:, 2]

    stress = ts.Mean("prediction", tau=0.3)
    options = {"task": "regression", "progress": False}
    want = ts.Study(product, A, **options).effect("x0", grid=5).by("x1", stress)
    assert_same(ts.ChunkedStudy(product, parts, **options).effect("x0", grid=5).by("x1", stress), want)
    frame = pl.DataFrame({"a": A[:, 0], "level": np.array(list("pqr"))[A[:, 1].astype(int)]})

    def of_frame(rows):
        return rows["a"].to_numpy() * (rows["level"] == "p").to_numpy()

    want = ts.Study(of_frame, frame, **options).effect("level").by("level")  # the feature itself
    chunked = ts.ChunkedStudy(of_frame, list(frame.iter_slices(331)), **options)
    assert_same(chunked.effect("level").by("level"), want)


@pytest.mark.slow
def test_partitions_and_pickles():
    study, by_dask = both_by_dask()
    assert_same(by_dask.effect("age", grid=4).by("sex", OLDER), study.effect("age", grid=4).by("sex", OLDER))
    _, chunked = both()
    effect = chunked.effect("age", grid=4)
    found = effect.by("sex", OLDER)
    again = pickle.loads(pickle.dumps(found))
    pd.testing.assert_frame_equal(again.frame, found.frame)
    pd.testing.assert_frame_equal(again.difference("F", "M"), found.difference("F", "M"))
    with pytest.raises(ts.InputError, match="left behind when a result was pickled"):
        again.effect.by("sex")
    pd.testing.assert_frame_equal(again.effect.with_source(chunked).by("sex", OLDER).frame, found.frame)


def test_words_and_charts():
    _, chunked = both()
    found = chunked.effect("age", grid=4).by("sex", OLDER)
    assert str(found).startswith("Partial dependence of probability of yes on age, by sex: ")
    assert "900 rows in chunks" in str(found)
    assert "F" in str(found.chart().to_dict())


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda effect: effect.by(np.zeros(900, bool)), r"told apart by their columns.+Name a column"),
        (lambda effect: effect.by("income"), "at most 10 values; got"),
        (lambda effect: effect.by("sexx"), "sex"),
        (lambda effect: effect.by("sex", OLDER, within=True), r"sample\(\)\.effect\(…\)\.by\(…, within=True\)"),
        (lambda effect: effect.by("sex", ts.Scenario("older", {"age": 0.3})), r"ask a sample: sample\(\)\.effect"),
        (lambda effect: effect.by("sex", OLDER, quantile=0.7), "quantile"),
        (lambda effect: effect.by("sex", ts.Mean("age", target=200)), "age"),
    ],
)
def test_what_has_no_curves_by_group_is_refused(ask, words):
    _, chunked = both()
    with pytest.raises((ts.InputError, ts.UnknownName), match=words):
        ask(chunked.effect("age", grid=3))


def test_two_features_are_refused():
    _, chunked = both()
    with pytest.raises(ts.InputError, match=r"got an effect of age and sex\. Ask for one: effect\('age'\)\.by"):
        chunked.effect(["age", "sex"], grid=3).by("job")
