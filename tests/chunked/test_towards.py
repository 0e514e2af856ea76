"""Rows in chunks weighted to another population: the numbers of the rows in memory, at bounds and at a price too."""

import pickle

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth

N, NEW = 1500, 400
NUMBERS = ("ess", "kl", "tv", "pareto_k")


def assert_same(got: ts.TargetPopulation, want: ts.TargetPopulation) -> None:
    for name in ("metrics", "margins", "balance", "unlike"):
        pd.testing.assert_frame_equal(getattr(got, name), getattr(want, name), rtol=1e-9, atol=1e-9)
    for name in NUMBERS:
        assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-8, abs=1e-9), name
    assert (got.status, got.price, got.population) == (want.status, want.price, want.population)
    assert got.carriers == pytest.approx(want.carriers, rel=1e-9)
    assert (got.notes, got._judged.reason) == (want.notes, want._judged.reason)


def here(task: str = "binary") -> tuple[pd.DataFrame, np.ndarray]:
    X = mixed_rows(N)
    return X, truth(X, "binary" if task == "margins" else task)


def moved(task: str = "binary") -> tuple[pd.DataFrame, np.ndarray]:
    """Draw other rows, older, more of them men, without the level d."""
    X = mixed_rows(6 * NEW, seed=5)
    chance = np.where(X["sex"] == "M", 0.8, 0.4) * (X["age"] / 90) * (X["job"] != "d")
    X = X[np.random.default_rng(0).random(len(X)) < chance].iloc[:NEW].reset_index(drop=True)
    return X, truth(X, "binary" if task == "margins" else task, seed=7)


def in_chunks(X: pd.DataFrame, y: np.ndarray, size: int = 430) -> list[tuple[pd.DataFrame, np.ndarray]]:
    return [(X[i : i + size], y[i : i + size]) for i in range(0, len(X), size)]


def both(task: str = "binary") -> tuple[ts.Study, ts.ChunkedStudy]:
    X, y = here(task)
    model = fitted(task, X, y)
    return ts.Study(model, X, y, progress=False), ts.ChunkedStudy(model, in_chunks(X, y), progress=False)


OPTIONS = {
    "all, a level that is gone": {},
    "some": {"features": ["age", "sex", "balance"]},
    "half of the way": {"features": ["age", "sex", "balance"], "amount": 0.5},
    "as it is": {"features": ["age", "sex"], "amount": 0},
    "at a price": {"price": 2.0},
    "moments": {"features": ["age", "balance", "member"], "moments": ("mean", "variance", "covariance")},
    "moments, part": {"features": ["age", "balance"], "moments": ("mean", "variance"), "amount": 0.3},
    "named": {"metrics": ["error_rate", "log_loss"], "confidence": 0.9, "features": ["age"]},
}


@pytest.mark.slow
@pytest.mark.parametrize("options", list(OPTIONS.values()), ids=list(OPTIONS))
def test_new_rows_give_what_they_give_in_memory(options: dict[str, object]) -> None:
    study, chunked = both()
    want = study.towards(*moved(), **options)
    got = chunked.towards(*moved(), **options)
    assert_same(got, want)
    assert repr(got) == repr(want)


TABLES = {
    "met": {"age": 55.0, "sex": {"M": 0.7}, "balance = missing": 0.2},
    "bounds of two": {"sex": {"F": 0}, "job": {"a": 1}, "age": 50},
    "bounds of all": {"sex": {"F": 0}, "job": {"b": 1}},
    "out of range": {"age": 150.0, "sex": {"M": 0.7}},
    "beyond all values, some missing": {"balance": 1e5},
    "against each other": {"sex": {"F": 0.4, "M": 0.4}},
    "out of a face": {"job": {"a": 0.9, "b": 0.9}, "age": 50},
}


@pytest.mark.slow
@pytest.mark.parametrize("table", list(TABLES.values()), ids=list(TABLES))
def test_tables_give_what_they_give_in_memory(table: dict[str, object]) -> None:
    study, chunked = both()
    want = study.towards(table)
    assert_same(chunked.towards(table), want)
    assert want.status == {"met": "reached", "bounds of two": "limit", "bounds of all": "limit"}.get(
        next(name for name, one in TABLES.items() if one is table), "nearest"
    )


@pytest.mark.slow
def test_rows_without_a_value_alone_meet_no_mean() -> None:
    X, y = here()
    model = fitted("binary", X, y)
    X["balance"] = X["balance"].where(X["job"] != "b")
    study, chunked = (ts.Study(model, X, y, progress=False), ts.ChunkedStudy(model, in_chunks(X, y), progress=False))
    want = study.towards(table := {"job": {"b": 1}, "balance": float(X["balance"].mean())})
    assert want.status == "nearest"
    assert_same(chunked.towards(table), want)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression", "margins"])
def test_every_task(task: str) -> None:
    study, chunked = both(task)
    options = {"features": ["age", "sex", "gain"], "price": 5.0}
    assert_same(chunked.towards(*moved(task), **options), study.towards(*moved(task), **options))


@pytest.mark.slow
def test_weighted_rows_and_iterators() -> None:
    X, y = here()
    model = fitted("binary", X, y)
    weight = np.random.default_rng(3).gamma(1, size=N) * (np.arange(N) % 11 > 0)
    study = ts.Study(model, X, y, sample_weight=weight, progress=False)
    frames = [rows.assign(y=truths, w=weight[rows.index]) for rows, truths in in_chunks(X, y)]
    chunked = ts.ChunkedStudy(model, iter(frames), target="y", sample_weight="w", progress=False)
    new, labels = moved()
    own = np.random.default_rng(4).gamma(1, size=len(new))
    for options in ({"amount": 0.6}, {"features": ["age", "sex"]}):
        want = study.towards(new, labels, sample_weight=own, **options)
        assert_same(chunked.towards(new, labels, sample_weight=own, **options), want)


@pytest.mark.slow
def test_partitions() -> None:
    X, y = here()
    study, _ = both()
    frame = dd.from_pandas(X.assign(y=y), npartitions=3).clear_divisions()
    chunked = ts.ChunkedStudy.from_dask(fitted("binary", X, y), frame, target="y", progress=False)
    assert_same(chunked.towards(*moved()), study.towards(*moved()))


@pytest.mark.slow
def test_ranks_are_of_steps_of_the_score_and_a_note_says_how_far_off() -> None:
    study, chunked = both()
    names = ["roc_auc", "error_rate"]
    got, want = (one.towards(*moved(), features=["age"], metrics=names) for one in (chunked, study))
    assert got.metrics.loc[0, "value"] == pytest.approx(want.metrics.loc[0, "value"], abs=1e-3)
    assert got.metrics.loc[0, "observed"] == want.metrics.loc[0, "observed"]
    (said,) = got.bounds
    assert said in got.notes
    assert said.startswith("ROC AUC: scores in ")


@pytest.mark.slow
def test_many_rows_are_sampled_to_find_what_is_unlike() -> None:
    X, new = mixed_rows(9000, seed=2)[["age", "income", "job"]], mixed_rows(300, seed=3)[["age", "income", "job"]]
    new.loc[:29, "income"] = 5e6
    y = (X["age"] > 40).to_numpy()
    chunked = ts.ChunkedStudy(lambda rows: np.asarray(rows["age"] > 50), in_chunks(X, y, 2000), progress=False)
    novelty = chunked.towards(new, features=["age"]).target.novelty
    assert novelty is not None
    assert set(range(30)) <= set(novelty.rows.tolist())
    assert novelty.share == pytest.approx(0.11, abs=0.03)


def small() -> ts.ChunkedStudy:
    X = pd.DataFrame({"a": np.linspace(-1, 1, 60), "c": np.array(["x", "y", "z"])[np.arange(60) % 3]})
    return ts.ChunkedStudy(
        lambda rows: np.asarray(rows["a"] > 0.1), in_chunks(X, (X["a"] > 0).to_numpy(), 25), progress=False
    )


def test_what_needs_a_weight_for_each_row_says_so() -> None:
    there = small().towards({"a": 0.2})
    assert (there.weights, there.before) == (None, None)
    assert there.carriers == there.at(1.0).carriers
    for ask in (lambda: there.frame, lambda: there._row_weights("a test")):
        with pytest.raises(ts.InputError, match="rows came in chunks"):
            ask()
    with pytest.raises(ts.InputError, match="these came in chunks"):
        there.stress_at(0.5)
    assert there._document()["weights"] is None


@pytest.mark.slow
def test_the_way_and_the_widget() -> None:
    there = small().towards(pd.DataFrame({"a": [0.1, 0.4, 0.5, 0.1], "c": list("xxyz")}), [False, True, True, True])
    path = there.path([0.0, 0.5, 1.0])
    assert path["ess"].is_monotonic_decreasing
    view = there.widget()
    view.wait(60)
    assert len(view.path["steps"]) == 11
    assert view.message["unsaid"] == "sliders weight all rows anew at each move, and these came in chunks"
    assert [one["name"] for one in view.message["features"]] == there.balance["feature"].tolist()
    view.close()
    chart = there.chart().to_dict()
    assert "datasets" in chart


def test_it_pickles_and_reads_the_same() -> None:
    X = pd.DataFrame({"a": np.linspace(-1, 1, 60)})
    chunked = ts.ChunkedStudy(None, [(X, X["a"] > 0, X["a"] > 0.1)], progress=False)
    there = chunked.towards({"a": 0.2})
    again = pickle.loads(pickle.dumps(there))
    assert repr(again) == repr(there)
    pd.testing.assert_frame_equal(again.balance, there.balance)
    with pytest.raises(ts.InputError, match="left behind"):
        again.at(0.5)


def test_slips_are_told() -> None:
    chunked = small()
    rows = pd.DataFrame({"a": [0.1, 0.2], "c": ["x", "y"]})
    for given, words in (
        (([rows],), "got a list, which would be chunks"),
        ((lambda: iter([rows]),), "got a function, which would be chunks"),
        (({"b": 1.0},), "b"),
        ((rows[["a"]], [True, True]), r"they lack \['c'\]"),
        (({"a": 0.1}, [True]), "A table of margins has no y"),
    ):
        with pytest.raises((ts.InputError, ts.UnknownName), match=words):
            chunked.towards(*given)
    for options, words in (({"amount": 2.0}, "between 0 and 1"), ({"price": -1.0}, "positive")):
        with pytest.raises(ts.InputError, match=words):
            chunked.towards({"a": 0.1}, **options)
        with pytest.raises(ts.InputError, match=words):
            chunked.towards({"a": 0.1}).at(options.get("amount", 1.0), options.get("price"))
    with pytest.raises(ts.InputError, match="needs the rows in memory"):
        chunked.towards({"a": 0.1}, metrics="cohen_kappa_score")


def test_an_edge_that_only_rows_tell_is_refused_and_a_price_comes_near() -> None:
    """Of a triangle's rows the two sums lie at most at 1: a target on that side, at no column's own bound."""
    a, b = np.array([0.0, 1.0, 0.0, 0.3, 0.2, 0.5]), np.array([0.0, 0.0, 1.0, 0.3, 0.4, 0.5])
    X = pd.DataFrame({"a": a, "b": b})
    chunked = ts.ChunkedStudy(None, [(X, a > 0.2, a > 0.3)], progress=False)
    with pytest.raises(ts.InputError, match=r"at the edge of what these rows allow.*price=10"):
        chunked.towards({"a": 0.4, "b": 0.6})
    assert chunked.towards({"a": 0.4, "b": 0.6}, price=10).status == "nearest"
