"""The worst reweighting of rows in chunks: that of the rows in memory, for rates and for losses of few values."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth

N = 900
ENDS = [0, 11, 500, N]
NUMBERS = ("ess", "kl", "tv", "pareto_k", "value", "lower", "upper", "before")


def cut(X: pd.DataFrame, y: np.ndarray) -> list[tuple[pd.DataFrame, np.ndarray]]:
    return [(X[a:b], y[a:b]) for a, b in itertools.pairwise(ENDS)]


def both(task: str = "binary") -> tuple[ts.Study, ts.ChunkedStudy]:
    X = mixed_rows(N)
    y = truth(X, task)
    model = fitted(task, X, y)
    return ts.Study(model, X, y, progress=False), ts.ChunkedStudy(model, cut(X, y), progress=False)


def assert_same(got: ts.WorstCase, want: ts.WorstCase) -> None:
    for name in NUMBERS:
        assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-9, abs=1e-9), name
    here, there = (one.frame.sort_values("feature", ignore_index=True) for one in (got, want))
    pd.testing.assert_frame_equal(here, there, rtol=1e-9, atol=1e-9)
    assert (got.worse, got.over, got._caption, got.leans_on) == (want.worse, want.over, want._caption, want.leans_on)
    assert (got.estimate.reason, got._judged.reason) == (want.estimate.reason, want._judged.reason)
    assert got.carriers == pytest.approx(want.carriers, rel=1e-9)


WITHIN = [{"tv": 0.1}, {"kl": 0.05}, {"tv": 0.9}, {"kl": 3.0}]


@pytest.mark.slow
@pytest.mark.parametrize("within", WITHIN, ids=str)
@pytest.mark.parametrize("metric", ["error_rate", "precision"])
def test_rates_are_those_of_the_rows_in_memory(metric: str, within: dict[str, float]) -> None:
    study, chunked = both()
    assert_same(chunked.worst_case(metric, within=within), study.worst_case(metric, within=within))


@pytest.mark.slow
@pytest.mark.parametrize("within", WITHIN[:2], ids=str)
@pytest.mark.parametrize("n_wrong", [0, 5, N - 90])
def test_rates_at_an_edge(within: dict[str, float], n_wrong: int) -> None:
    X = mixed_rows(N)
    y = np.arange(N) % 2
    predicted = np.where(np.arange(N) < n_wrong, 1 - y, y)
    study = ts.Study.from_predictions(X, y, predicted)
    frames = [X[a:b].assign(y=y[a:b], p=predicted[a:b]) for a, b in itertools.pairwise(ENDS)]
    chunked = ts.ChunkedStudy(None, iter(frames), target="y", prediction="p", progress=False)
    assert_same(chunked.worst_case("error_rate", within=within), study.worst_case("error_rate", within=within))


@pytest.mark.slow
@pytest.mark.parametrize("within", WITHIN[:2], ids=str)
@pytest.mark.parametrize("metric", ["log_loss", "mean_score"])
def test_means_of_what_rows_add(metric: str, within: dict[str, float]) -> None:
    study, chunked = both()
    options = {"within": within, "worse": "lower", "confidence": 0.9}
    assert_same(chunked.worst_case(metric, **options), study.worst_case(metric, **options))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["rmse", "mean_absolute_error"])
def test_a_regression_of_weighted_rows(metric: str) -> None:
    X = mixed_rows(N)
    y = truth(X, "regression").round()
    weight = np.random.default_rng(3).gamma(1, size=N) * (np.arange(N) % 11 > 0)
    predicted = np.round(y + np.sin(np.arange(N)) * 3)
    study = ts.Study.from_predictions(X, y, predicted, task="regression", sample_weight=weight)
    frames = [X[a:b].assign(y=y[a:b], p=predicted[a:b], w=weight[a:b]) for a, b in itertools.pairwise(ENDS)]
    chunked = ts.ChunkedStudy(
        None, iter(frames), target="y", prediction="p", sample_weight="w", task="regression", progress=False
    )
    for within in WITHIN[:2]:
        assert_same(chunked.worst_case(metric, within=within), study.worst_case(metric, within=within))


@pytest.mark.slow
def test_what_can_be_done_with_it() -> None:
    study, chunked = both()
    worst, want = (
        chunked.worst_case("error_rate", within={"tv": 0.1}),
        study.worst_case("error_rate", within={"tv": 0.1}),
    )
    path, wanted = worst.path(3), want.path(3)
    pd.testing.assert_frame_equal(path, wanted, rtol=1e-9, atol=1e-9)
    assert [part["mark"] for part in worst.chart().to_dict()["layer"]]
    assert str(worst).split("leans on")[0] == str(want).split("leans on")[0]
    again = pickle.loads(pickle.dumps(worst))
    pd.testing.assert_frame_equal(again.frame, worst.frame)
    with pytest.raises(ts.InputError, match="these rows came in chunks"):
        worst._row_weights("a sample")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "options", "words"),
    [
        ("error_rate", {}, "A worst case is one within limits"),
        ("error_rate", {"within": {"tv": 2}}, "tv is a share of the weight"),
        ("error_rate", {"within": {"tv": 0.1, "kl": 0.1}}, "got both"),
        ("error_rate", {"within": {"tv": 0.1}, "held_out": 1.0}, "held_out must be a share"),
        ("portion_yes", {"within": {"tv": 0.1}}, "no worse when higher or lower"),
        ("error_rate", {"within": {"agee": 2}}, "agee"),
        ("roc_auc", {"within": {"tv": 0.1}}, "no mean or ratio of such"),
        ("eror_rate", {"within": {"tv": 0.1}}, "eror_rate"),
        (3, {"within": {"tv": 0.1}}, "given by its name"),
    ],
)
def test_errors_are_those_of_rows_in_memory(metric: str, options: dict[str, object], words: str) -> None:
    for one in both():
        with pytest.raises((ts.InputError, ts.InputTypeError, ts.UnknownName), match=words):
            one.worst_case(metric, **options)


@pytest.mark.slow
def test_what_needs_the_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _, chunked = both()
    for options in ({"within": {"age": 2}}, {"reach": 0.4}, {"within": {"kl": 0.1}, "features": ["age"]}):
        with pytest.raises(ts.InputError, match=r"hundreds of stresses.+sample\(\)\.worst_case"):
            chunked.worst_case("error_rate", **options)
    monkeypatch.setattr("tauscope.study.stress.worst_case.MOST_VALUES", 700)
    with pytest.raises(ts.InputError, match=r"log loss adds more than 700\. Use a sample"):
        chunked.worst_case("log_loss", within={"kl": 0.1})
    assert chunked.worst_case("error_rate", within={"kl": 0.1}).value > 0
