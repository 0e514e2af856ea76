"""Effects of rows in every store: the numbers of the rows in memory, and what is said before it takes long."""

from types import SimpleNamespace

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth
from stores import study_in
from tauscope.model import progress_bar
from tauscope.study.effects import compute

N = 4000


@pytest.fixture(scope="module")
def X():
    return mixed_rows(N)


@pytest.fixture(scope="module")
def y(X):
    return truth(X, "binary")


@pytest.fixture(scope="module")
def model(X, y):
    return fitted("binary", X, y)


@pytest.fixture(scope="module")
def study(X, y, model):
    return ts.Study(model, X, y)


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


OF_NUMBERS = [
    {"feature": feature, "kind": kind, "grid": 12}
    for feature in ("age", "income", "gain", "balance")
    for kind in ("pd", "cd", "ale")
]
OF_LEVELS = [{"feature": feature, "kind": kind} for feature in ("sex", "job", "member") for kind in ("pd", "cd")]
OPTIONS = [
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
]
BY_DASK = [
    {"feature": feature, "kind": kind, "grid": 8}
    for feature, kind in (("income", "pd"), ("job", "pd"), ("age", "cd"), ("balance", "ale"))
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("store", "options"),
    [*(("chunks", each) for each in (*OF_NUMBERS, *OF_LEVELS, *OPTIONS)), *(("dask", each) for each in BY_DASK)],
    ids=str,
)
def test_every_store_has_the_numbers_of_the_rows_in_memory(X, y, model, study, store, options):
    got = study_in(store, model, X, y, ends=(0.175, 0.4, 0.7)).effect(**options)
    assert_same(got, study.effect(method="brute", **options))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_every_task(X, task):
    y = truth(X, task)
    got, want = (study_in(store, fitted(task, X, y), X, y).effect("age", grid=5) for store in ("chunks", "memory"))
    assert_same(got, want)


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
def test_a_failing_partition_is_named(X, model):
    def fails_late(part):
        if len(part) and part.index[0] >= N / 2:
            raise OSError("the disk is gone")
        return part

    frame = dd.from_pandas(X, npartitions=4)
    with pytest.raises(ts.FailedPartition, match="Partition 3 of 4 failed: OSError"):
        ts.ChunkedStudy.from_dask(model, frame.map_partitions(fails_late, meta=frame._meta)).effect("age")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"feature": "sex", "kind": "ale"}, r"needs the rows\. Use kind='pd', or a sample: sample\(\)"),
        ({"feature": ["age", "income"], "kind": "ale"}, "needs the rows"),
        ({"kind": "dale"}, "kind='dale' needs the rows in memory: derivatives are taken at each"),
        ({"kind": "cd", "n_neighbors": 9}, "n_neighbors=9 needs the rows in memory"),
        ({"interval": "bootstrap"}, r"replicates are drawn from them\. Leave it out, or use Study\.effect on a sample"),
        ({"callback": print}, "a pass over chunks is not stopped half-way"),
        ({"gradient": lambda rows: 1.0}, "derivatives are given one for each"),
    ],
    ids=lambda each: each if isinstance(each, str) else ", ".join(each),
)
def test_what_needs_the_rows_in_memory_is_refused_with_a_way_out(X, model, options, words):
    with pytest.raises(ts.InputError, match=words):
        ts.ChunkedStudy(model, chunks(X)).effect(**{"feature": "age"} | options)


def test_rows_and_models_that_cannot_be_used(X, model):
    with pytest.raises(ts.InputError, match="got an iterator"):
        ts.ChunkedStudy(model, iter(chunks(X))).effect("age")
    with pytest.raises(ts.InputError, match="asks a model"):
        ts.ChunkedStudy(None, chunks(X)).effect("age")
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


def told(monkeypatch, study, *arguments, **options):
    """The effect, and what its bars say at their making: what is done, of how many."""
    bars = []

    def drawn(doing, total, unit, seconds):
        bars.append((doing, total, unit))
        return SimpleNamespace(n=0, update=lambda n: None, close=lambda: None)

    monkeypatch.setattr("tauscope.model.drawn_bar.draw_bar", drawn)
    return study.effect(*arguments, **options), bars


@pytest.mark.parametrize("store", ["chunks", "dask"])
def test_many_model_rows_are_said_beforehand_and_what_a_sample_takes(X, y, model, monkeypatch, store):
    study = study_in(store, model, X, y, ends=(0.25, 0.5, 0.75))
    study.n_rows  # noqa: B018
    study._shows_progress = True
    monkeypatch.setattr(compute, "SAMPLE_ROWS", 1000)
    assert told(monkeypatch, study, "age", grid=5)[1] == []  # it takes no two seconds
    monkeypatch.setattr(compute, "MANY_MODEL_ROWS", 12_000)
    effect, ((words, total, unit),) = told(monkeypatch, study, "age", grid=5)
    assert words.removesuffix(", pass 2 of 2") == (
        f"Asking {effect.model_name} about 20,000 rows; sample().effect(…) asks about 5,000, for intervals 2 times as "
        "wide"
    )
    assert (total, unit) == ((4, "chunk") if store == "chunks" else (3, "partition"))
    assert told(monkeypatch, study, "age", kind="ale", grid=5)[1] == []
    assert "about up to 20,000 rows" in told(monkeypatch, study, "age", kind="cd", grid=5)[1][0][0]


def test_bars_say_which_pass_of_how_many(X, y, model, monkeypatch):
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    trees = HistGradientBoostingClassifier(max_iter=3).fit(X[["age", "income"]], y)
    study = study_in("chunks", trees, X[["age", "income"]], y)
    study._shows_progress = True
    bars = told(monkeypatch, study, "income", grid=5)[1]
    assert bars == [
        ("Reading chunks, pass 1", 2, "chunk"),
        ("Reading chunks, pass 2 of 3", 2, "chunk"),
        ("Following 4,000 rows through 3 trees, pass 3 of 3", 2, "chunk"),
    ]
