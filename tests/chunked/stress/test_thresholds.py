"""Decisions of rows in chunks at every threshold: the numbers of the rows in memory, and thresholds chosen as there."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, truth
from chunked.uneven_chunks import ENDS, MOVED, Asked, N, both, both_by_dask, both_of_many_scores, cut, rows
from tauscope.chunked.stress import thresholds as module
from tauscope.stress.chunked import score_order

COST = {"fp": 1, "fn": 5}
AT = [0.2, 0.5, 0.55, 0.9, 2.0]


def assert_same(got: ts.ThresholdCurves, want: ts.ThresholdCurves) -> None:
    """Every number to 1e-9, and every word."""
    np.testing.assert_array_equal(got.thresholds, want.thresholds)
    ties = ["largest", "smallest", "worst"]  # of groups with one value, rounding names the one or the other
    for name in ("frame", "best", "gaps"):
        frames = [getattr(each, name).drop(columns=ties, errors="ignore") for each in (got, want)]
        pd.testing.assert_frame_equal(*frames, rtol=1e-9, atol=1e-9, obj=name)
    assert (got.population, got.present, got.notes) == (want.population, want.present, want.notes)
    assert [metric.name for metric in got.metrics] == [metric.name for metric in want.metrics]
    assert got.ess == pytest.approx(want.ess, rel=1e-9)
    for one, other in zip(got.groups, want.groups, strict=True):
        assert (one.label, one.n_rows) == (other.label, other.n_rows)
        assert (one.share, one.ess) == pytest.approx((other.share, other.ess), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("stress", [None, MOVED, ts.Mean("age", shift=0)], ids=["tested", "moved", "kept"])
@pytest.mark.parametrize("by", [None, "job", ["sex", "member"]], ids=str)
def test_the_numbers_are_those_of_the_rows_in_memory(stress: object, by: object) -> None:
    study, chunked = both()
    options = {"thresholds": AT, "cost": COST, "by": by, "confidence": 0.9}
    got = chunked.threshold_curves(stress, **options)
    assert_same(got, study.threshold_curves(stress, **options))
    assert got.bounds == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"by": "sex", "cost": {"tp": -3, "fp": 1}},
        {"metrics": "recall", "quantile": 0.2},
        {"metrics": ["precision", "f1"], "by": "member"},
    ],
    ids=str,
)
def test_thresholds_are_chosen_as_in_memory_and_every_option(options: dict[str, object]) -> None:
    study, chunked = both()
    stress = ts.Mean("balance", tau=-0.5)
    found = chunked.threshold_curves(stress, **options, progress=False)
    assert len(found.thresholds) > 50
    assert_same(found, study.threshold_curves(stress, **options))


@pytest.mark.slow
def test_margins_and_rows_without_truth() -> None:
    X, y = rows()
    model = fitted("margins", X, y)
    for labels in (y, None):
        study = ts.Study(model, X, labels, progress=False)
        chunks = cut(X, y) if labels is not None else [part for part, _ in cut(X, y)]
        found = ts.ChunkedStudy(model, chunks, progress=False).threshold_curves(MOVED, by="sex")
        assert_same(found, study.threshold_curves(MOVED, by="sex"))
        assert found.present == 0
        assert found.best.empty == (labels is None)


@pytest.mark.slow
def test_weights_few_scores_and_groups_without_weight() -> None:
    X, y = rows()
    score = np.round(fitted("binary", X, y).predict_proba(X)[:, 1], 1)
    weight = np.random.default_rng(3).gamma(1, size=N) * (X["job"] != "b").to_numpy()
    weight[300:310] = 0  # a chunk without any
    guess = np.where(np.random.default_rng(4).random(N) < 0.5, "yes", "no")  # which follows no threshold
    study = ts.Study.from_predictions(X, y, guess, score, sample_weight=weight)
    frames = [X[a:b].assign(y=y[a:b], g=guess[a:b], p=score[a:b], w=weight[a:b]) for a, b in itertools.pairwise(ENDS)]
    named = {"target": "y", "prediction": "g", "score": "p", "sample_weight": "w"}
    chunked = ts.ChunkedStudy(None, iter(frames), **named, progress=False)
    for stress, by in itertools.product((None, ts.Mean("age", tau=-0.3)), (None, "job")):
        found = chunked.threshold_curves(stress, by=by, cost=COST)
        assert_same(found, study.threshold_curves(stress, by=by, cost=COST))
        assert found.present is None
    np.testing.assert_array_equal(found.thresholds, [*np.unique(score), 1.001])


@pytest.mark.slow
@pytest.mark.parametrize("by", [None, "sex"], ids=str)
@pytest.mark.parametrize("cost", [COST, {"fp": 1, "tp": 1}], ids=str)
def test_above_every_score_as_in_memory(cost: dict[str, float], by: str | None) -> None:
    X, y = rows()
    score = np.round(fitted("binary", X, y).predict_proba(X)[:, 1], 1) * np.where(X["sex"] == "f", 0.5, 1)
    guess = np.where(score >= (2 if "tp" in cost else 0.3), "yes", "no")
    study = ts.Study.from_predictions(X, y, guess, score)
    frames = [X[a:b].assign(y=y[a:b], g=guess[a:b], p=score[a:b]) for a, b in itertools.pairwise(ENDS)]
    chunked = ts.ChunkedStudy(None, frames, target="y", prediction="g", score="p", progress=False)
    for stress in (None, ts.Mean("age", tau=-0.3)):
        found, want = (each.threshold_curves(stress, by=by, cost=cost) for each in (chunked, study))
        assert_same(found, want)
        assert found.n_reached == want.n_reached
        assert (found.best["note"] != "").all() == ("tp" in cost)
        assert found.present == (pytest.approx(score.max() + 0.001) if "tp" in cost else 0.3)


@pytest.mark.slow
def test_of_many_scores_the_least_cost_is_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    study, chunked = both_of_many_scores()
    want = study.threshold_curves(cost=COST, by="c")
    for most in (score_order.MOST_CELLS, 300):
        monkeypatch.setattr(module, "most_cells", lambda n_parts, most=most: most)
        found = chunked.threshold_curves(cost=COST, by="c")
        (words,) = found.bounds
        assert found.notes[-1] == words
        bound = float(words.split("at most ")[1].removesuffix(" a row.").replace("−", "-"))
        over = found.best["cost"] - want.best["cost"]
        assert ((over >= -1e-12) & (over <= bound)).all()
        assert bound < (0.02 if most == 300 else 0.001)
        # all others are the same: quantiles, steps and the present one
        assert len(np.setdiff1d(want.thresholds, found.thresholds)) <= 2
        assert_same(
            chunked.threshold_curves(thresholds=found.thresholds, cost=COST),
            study.threshold_curves(thresholds=found.thresholds, cost=COST),
        )
    assert over.max() > 0, "300 cells had the best threshold, so that nothing was bounded"


@pytest.mark.slow
def test_the_model_is_asked_once_about_each_row() -> None:
    X, y = rows()
    asked = Asked(fitted("binary", X, y), cut(X, y))
    chunked = ts.ChunkedStudy(asked, asked.read, progress=False, classes=("no", "yes"))
    assert chunked.n_rows == N
    for options, n_passes in (({"thresholds": AT}, 3), ({}, 4)):
        times, n_rows = asked.times[0], asked.n_rows[0]
        chunked.threshold_curves(**options)
        assert (asked.n_rows[0] - n_rows, asked.times[0] - times) == (N, n_passes)


@pytest.mark.slow
def test_what_stays_of_a_result() -> None:
    study, chunked = both()
    options = {"by": ["sex", "member"], "cost": COST, "metrics": ["recall"], "confidence": 0.8}
    found = chunked.threshold_curves(**options)
    assert_same(found.under(MOVED), study.threshold_curves(**options).under(MOVED))
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    with pytest.raises(ts.InputError, match="left behind"):
        again.under(MOVED)
    assert found.widget().message["offline"].startswith("sliders weight all rows anew")


@pytest.mark.slow
def test_partitions_of_dask() -> None:
    study, by_dask = both_by_dask()
    assert_same(by_dask.threshold_curves(MOVED, by="sex"), study.threshold_curves(MOVED, by="sex"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"thresholds": []}, "thresholds are numbers in a list"),
        ({"thresholds": [np.inf]}, "thresholds must be finite"),
        ({"cost": {"fx": 1}}, "fx"),
        ({"metrics": "roc_auc"}, "counts no decisions"),
        ({"metrics": []}, "at least one"),
        ({"metrics": ["recall", "recall"]}, "each metric once"),
        ({"metrics": "recal"}, "recal"),
        ({"by": "race"}, "race"),
        ({"confidence": 1.0}, "confidence"),
        ({"quantile": 0.5}, "quantile"),
        ({"stress": ts.Scenario("older", {"age": 0.3})}, r"A scenario moves sliders.+sample\(\)\.threshold_curves"),
    ],
    ids=str,
)
def test_what_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ts.TauscopeError, match=words):
        both()[1].threshold_curves(**options)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["regression", "multiclass"])
def test_what_has_no_score_of_one_of_two_classes(task: str) -> None:
    X, _ = rows()
    y = truth(X, task)
    with pytest.raises(ts.InputError, match="Thresholds are of the score of one of two classes"):
        ts.ChunkedStudy(fitted(task, X, y), cut(X, y), progress=False).threshold_curves()
