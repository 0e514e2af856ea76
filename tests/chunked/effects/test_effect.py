import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth

N = 4000


@pytest.fixture(scope="module")
def X():
    return mixed_rows(N)


@pytest.fixture(scope="module")
def model(X):
    return fitted("binary", X, truth(X, "binary"))


@pytest.fixture(scope="module")
def study(X, model):
    return ts.Study(model, X)


def chunks(X, rows=900):
    return [X.iloc[i : i + rows] for i in range(0, len(X), rows)]


def assert_same(got, want):
    assert isinstance(got, ts.FeatureEffect)
    assert (got.title, got.feature_names, got.kind, got._weighted) == (
        want.title, want.feature_names, want.kind, want._weighted,
    )  # fmt: skip
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-10, check_dtype=False)
    assert (got.response, got._classes, got.notes, got.n_rows) == (
        want.response,
        want._classes,
        want.notes,
        want.n_rows,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("feature", ["age", "income", "gain", "balance"])
def test_numbers(X, model, study, kind, feature):
    got = ts.ChunkedStudy(model, chunks(X)).effect(feature, kind=kind, grid=12)
    assert_same(got, study.effect(feature, kind=kind, grid=12, method="brute"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd"])
@pytest.mark.parametrize("feature", ["sex", "job", "member"])
def test_levels_that_not_every_chunk_has(X, model, study, kind, feature):
    got = ts.ChunkedStudy(model, lambda: chunks(X, 700)).effect(feature, kind=kind)
    assert_same(got, study.effect(feature, kind=kind, method="brute"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"feature": "age", "grid": [20, 40, 95]},
        {"feature": "job", "grid": ["a", "d"]},
        {"feature": "balance", "grid": [None, 0.5], "confidence": 0.8},
        {"feature": "income", "grid": 9, "spacing": "equidistant"},
        {"feature": "job", "grid": 2},
        {"feature": ["age", "sex"], "grid": 5},
        {"feature": ("age", 3), "grid": [[20, 30], 4]},
        {"feature": "age", "kind": "cd", "window": 3.0, "grid": 7},
        {"feature": ["age", "income"], "kind": "cd", "grid": 4},
        {"feature": "age", "target_class": "no", "grid": 4},
        {"feature": "age", "response_method": "predict", "grid": 4},
        {"feature": "age", "response_method": "decision_function", "grid": 4},
    ],
)
def test_what_is_asked_for(X, model, study, asked):
    asked = dict(asked)
    feature = asked.pop("feature")
    got = ts.ChunkedStudy(model, chunks(X)).effect(feature, progress=False, **asked)
    assert_same(got, study.effect(feature, method="brute", **asked))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_every_task(X, task):
    y = truth(X, task)
    model = fitted(task, X, y)
    got = ts.ChunkedStudy(model, [(part, y[part.index]) for part in chunks(X)]).effect("age", grid=5)
    assert_same(got, ts.Study(model, X, y).effect("age", grid=5, method="brute"))


def test_rows_that_are_alike_are_asked_about_once(X, model):
    few = X[["age", "sex"]].assign(age=X["age"] // 10)

    def rule(rows):
        return np.where(rows["age"] > 5, 0.7, 0.2)

    got = ts.ChunkedStudy(rule, chunks(few), task="binary").effect("age")
    assert_same(got, ts.Study(rule, few, task="binary").effect("age"))
    assert got.n_model_rows < 200
    assert repr(got).startswith("Partial dependence of probability of 1 on age: rule, 4,000 rows in chunks")


def test_arrays_and_polars(X):
    numbers = X[["age", "income"]].to_numpy(float)

    def rule(rows):
        return np.asarray(rows)[:, 0].astype(float) / 50 + 1

    arrays = [numbers[i : i + 900] for i in range(0, N, 900)]
    got = ts.ChunkedStudy(rule, arrays, task="regression").effect("x1", grid=6)
    assert_same(got, ts.Study(rule, numbers, task="regression").effect("x1", grid=6))
    frame = pl.DataFrame({"a": numbers[:, 0], "b": X["sex"].to_list()})

    def by_level(rows):
        return np.where(rows["b"].to_numpy() == "F", 1.5, 2.5)

    got = ts.ChunkedStudy(by_level, list(frame.iter_slices(777)), task="regression").effect("b")
    assert_same(got, ts.Study(by_level, frame, task="regression").effect("b"))


@pytest.mark.slow
@pytest.mark.parametrize(("feature", "kind"), [("income", "pd"), ("job", "pd"), ("age", "cd"), ("balance", "ale")])
def test_partitions_give_what_the_rows_give(X, model, study, feature, kind):
    frame = dd.from_pandas(X, npartitions=3).clear_divisions()
    got = ts.ChunkedStudy.from_dask(model, frame).effect(feature, kind=kind, grid=8)
    assert_same(got, study.effect(feature, kind=kind, grid=8, method="brute"))


@pytest.mark.slow
def test_a_failing_partition_is_named(X, model):
    def fails_late(part):
        if len(part) and part.index[0] >= N / 2:
            raise OSError("the disk is gone")
        return part

    frame = dd.from_pandas(X, npartitions=4)
    with pytest.raises(ts.FailedPartition, match="Partition 3 of 4 failed: OSError"):
        ts.ChunkedStudy.from_dask(model, frame.map_partitions(fails_late, meta=frame._meta)).effect("age")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"feature": "agee"}, "age"),
        ({"feature": "sex", "kind": "ale"}, "needs the rows"),
        ({"feature": ["age", "income"], "kind": "ale"}, "needs the rows"),
        ({"feature": "age", "kind": "ice"}, "kind must be"),
        ({"feature": "age", "kind": "dale"}, "kind='dale' needs the rows in memory: derivatives are taken at each"),
        ({"feature": "age", "kind": "cd", "n_neighbors": 9}, "n_neighbors=9 needs the rows in memory"),
        ({"feature": "age", "interval": "bootstrap"}, "replicates are drawn from them"),
        ({"feature": "age", "spacing": "wide"}, "spacing must be"),
        ({"feature": "age", "grid": 1}, "two points"),
        ({"feature": "age", "grid": "age"}, "number of points"),
        ({"feature": "age", "window": 2.0}, "of kind='cd'"),
        ({"feature": "job", "grid": ["z"]}, "level of job"),
        ({"feature": "age", "grid": [20.5]}, "must fit its type"),
        ({"feature": ["age", "sex"], "grid": [[20]]}, "one grid for each"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_asked(X, model, asked, message):
    asked = dict(asked)
    with pytest.raises((ts.InputError, ts.InputTypeError), match=message):
        ts.ChunkedStudy(model, chunks(X)).effect(asked.pop("feature"), **asked)


def test_rows_and_models_that_cannot_be_used(X, model):
    with pytest.raises(ts.InputError, match="got an iterator"):
        ts.ChunkedStudy(model, iter(chunks(X))).effect("age")
    with pytest.raises(ts.InputError, match="asks a model"):
        ts.ChunkedStudy(None, chunks(X)).effect("age")
    with pytest.raises(ts.InputError, match="every observed value is 3"):
        ts.ChunkedStudy(model, [X.assign(gain=3.0)]).effect("gain")
    with pytest.raises(ts.InputError, match="there are none"):
        ts.ChunkedStudy(model, [X[:0]]).effect("gain")


@pytest.mark.parametrize("kind", ["pd", "cd"])
@pytest.mark.slow
def test_fewer_than_two_effective_rows_have_no_interval(kind):
    rows = mixed_rows(60).assign(weight=np.where(np.arange(60) == 7, 1.0, 1e-6))
    parts = chunks(rows, 25)
    weight = {"sample_weight": "weight"}
    got = ts.ChunkedStudy(lambda X: X["age"].to_numpy(), parts, **weight).effect("age", kind=kind, grid=4)
    assert any("fewer than two effective rows: there is no interval" in note for note in got.notes)
    assert not (got.frame[["lower", "upper"]].abs() > 1e3).any(axis=None)
