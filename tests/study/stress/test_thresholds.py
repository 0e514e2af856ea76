"""The verb `threshold_curves`: as reweighting says it, by group, and how often the best is within its interval."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from chunked.mixed_rows import fitted, truth
from chunked.uneven_chunks import (
    ENDS,
    MOVED as OLDER,
    Asked,
    N as N_UNEVEN,
    both,
    both_by_dask,
    both_of_many_scores,
    cut,
    rows,
)
from tauscope.stress.sums import score_order
from tauscope.study.stress import threshold_choice as module

N = 500
COST = {"fp": 1, "fn": 3}


def population(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["x", "y"], n)})
    y = (rng.random(n) < expit(1.5 * X["a"] + X["b"])).astype(int)
    return X, y.to_numpy() if hasattr(y, "to_numpy") else y, expit(1.2 * X["a"] + 0.5 * X["b"]).to_numpy()


@pytest.fixture(scope="module")
def study():
    X, y, score = population(N, 0)
    return ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score)


MOVED = ts.Mean("a", tau=0.3)


@pytest.mark.parametrize("stress", [None, MOVED, MOVED & ts.Mean("b", shift=0.2)], ids=["none", "one", "two"])
def test_the_present_threshold_has_the_numbers_of_reweighting(study, stress):
    curves = study.threshold_curves(stress, metrics=["error_rate", "recall", "f1"])
    want = (
        study.metrics_by(np.zeros(N, bool), metrics=["error_rate", "recall", "f1"]).frame
        if stress is None
        else study.reweight(stress, metrics=["error_rate", "recall", "f1"]).metrics
    )
    got = curves.at(0.5).iloc[:3]
    assert curves.present == 0.5
    for name in ("before", "value", "lower", "upper"):
        assert got[name].tolist() == pytest.approx(want[name].tolist(), rel=1e-9)
    assert got["reliability"].tolist() == want["reliability"].tolist()


def test_a_reweighting_is_taken_as_it_is(study):
    one, other = (study.threshold_curves(each, metrics="recall").frame for each in (MOVED, study.reweight(MOVED)))
    pd.testing.assert_frame_equal(one, other)


def test_groups_have_the_numbers_of_by_and_the_gaps(study):
    curves = study.threshold_curves(MOVED, by="c", metrics=["recall"], cost=COST)
    by = study.reweight(MOVED, metrics=["recall"]).by("c")
    got = curves.at(0.5)
    assert got[got["metric"] == "recall"]["value"].tolist() == pytest.approx(by.frame["value"].tolist(), rel=1e-9)
    gaps = curves.gaps[curves.gaps["threshold"] == 0.5].set_index("metric")
    for name in ("gap", "gap_lower", "gap_upper"):
        assert gaps.loc["recall", name] == pytest.approx(by.gaps[name].item(), rel=1e-9)
    assert curves.best["group"].tolist() == ["x", "x", "y", "y"]
    assert curves.grouped_by == "c"
    assert [line.split(":")[1] for line in repr(curves).splitlines() if "now 0.5" in line] == [" x", " y"]


def test_a_group_s_best_is_that_of_its_rows_alone(study):
    curves = study.threshold_curves(by="c", cost=COST)
    alone = study.where(study.X["c"] == "x").threshold_curves(cost=COST, thresholds=curves.thresholds)
    of_x = curves.best.iloc[0]
    for name in ("threshold", "cost", "present_cost"):
        assert of_x[name] == pytest.approx(alone.best.iloc[0][name], rel=1e-12)


def test_cost_says_which_error_is_dear(study):
    both = [study.threshold_curves(cost=cost).best for cost in ({"fp": 1, "fn": 20}, {"fp": 20, "fn": 1})]
    assert both[0]["upper"].item() < both[1]["lower"].item()
    gain = study.threshold_curves(cost={"tp": -1, "fp": 1}).best
    assert gain["cost"].item() < 0
    assert (gain["cost"] <= gain["present_cost"]).all()


def test_a_cost_may_be_a_number_of_numpy(study):
    costs = study.threshold_curves(cost={"fp": np.int64(2), "fn": np.float32(0.5)}).costs
    assert (costs.fp, costs.fn) == (2.0, 0.5)


def test_by_default_the_cost_is_the_share_of_errors(study):
    frame = study.threshold_curves(metrics="error_rate").frame
    errors, cost = (frame[frame["metric"] == name]["value"].to_numpy() for name in ("error_rate", "cost"))
    np.testing.assert_allclose(cost, errors, rtol=1e-12)


def test_shares_predicted_can_be_asked_for_by_name(study):
    assert {metric.name for metric in study.threshold_curves(metrics=["portion_0", "f1"]).metrics} == {
        "portion_0",
        "f1",
        "cost",
    }


def test_thresholds_given_are_those_compared(study):
    curves = study.threshold_curves(thresholds=[0.7, 0.3, 0.3])
    assert curves.thresholds.tolist() == [0.3, 0.7]
    assert curves.present is None
    assert curves.best["present_cost"].isna().all()
    assert curves.at(0.6)["threshold"].unique().tolist() == [0.7]


def test_without_truth_there_is_no_best():
    X, _, score = population(200, 1)
    curves = ts.Study.from_predictions(X, None, (score >= 0.5).astype(int), score).threshold_curves(MOVED)
    assert curves.best.empty
    assert [metric.name for metric in curves.metrics] == ["portion_1"]
    assert curves.thresholds[-1] == score.max()
    assert "needs the truth" in " ".join(curves.notes)


def test_decision_values_have_a_threshold_of_0():
    X, y, _ = population(300, 2)
    from sklearn.svm import LinearSVC

    curves = ts.Study(LinearSVC().fit(X[["a", "b"]], y), X[["a", "b"]], y, progress=False).threshold_curves()
    assert curves.present == 0.0


def test_predictions_that_follow_no_threshold_are_said():
    X, y, score = population(200, 3)
    curves = ts.Study.from_predictions(X, y, 1 - (score >= 0.5).astype(int), score).threshold_curves()
    assert curves.present is None
    assert "follow no threshold" in curves.notes[0]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"cost": {"fx": 1}}, ts.errors.UnknownName, "'fx'"),
        ({"cost": {"fp": float("inf")}}, ts.errors.InputTypeError, "finite number"),
        ({"cost": {"fp": True}}, ts.errors.InputTypeError, "finite number"),
        ({"cost": {"fp": [1]}}, ts.errors.InputTypeError, "finite number"),
        ({"thresholds": []}, ts.errors.InputTypeError, "numbers in a list"),
        ({"thresholds": ["a"]}, ts.errors.InputTypeError, "numbers in a list"),
        ({"thresholds": [np.nan]}, ts.errors.InputError, "must be finite"),
        ({"metrics": "roc_auc"}, ts.errors.InputError, "counts no decisions"),
        ({"confidence": 1.5}, ts.errors.InputError, "confidence"),
        ({"quantile": 0.7}, ts.errors.InputError, "quantile"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(study, options, error, words):
    with pytest.raises(error, match=words):
        study.threshold_curves(**options)


def test_a_study_without_scores_is_refused():
    X, y, score = population(100, 4)
    with pytest.raises(ts.errors.InputError, match=r"score of one of two classes.*y_score="):
        ts.Study.from_predictions(X, y, score >= 0.5).threshold_curves()
    with pytest.raises(ts.errors.InputError, match="finite number; got"):
        ts.Study(LogisticRegression().fit(X[["a"]], y), X[["a"]], y).threshold_curves().at(float("nan"))


NONE = "above every score of these rows, so that none is decided positive"


def bands(n, seed, scores=(0.3, 0.5, 0.7), rate=0.376):
    """Scores of few values that rank nothing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "c": rng.choice(["x", "y"], n)})
    score = rng.choice(scores, n)
    return X, (rng.random(n) < rate).astype(int), score


def studied(X, y, score):
    return ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score)


def test_of_scores_that_rank_nothing_it_costs_least_to_decide_none_positive():
    study = studied(*bands(500, 0))
    curves = study.threshold_curves(cost={"fp": 50, "fn": 1})
    assert curves.thresholds.tolist() == [0.3, 0.5, 0.7, 0.701]
    best = curves.best.iloc[0]
    assert (best["threshold"], best["lower"], best["upper"], best["note"]) == (0.701, 0.701, 0.701, NONE)
    assert best["cost"] == pytest.approx(study._true_values.mean(), rel=1e-12)
    assert f"best at 0.701, {NONE} (0.701 to 0.701, 95 %), cost" in repr(curves)
    at = curves.at(0.701).set_index("metric")
    assert at.loc["portion_1", "value"] == 0
    assert np.isnan(at.loc["false_discovery_rate", "value"])
    assert "not defined" in at.loc["false_discovery_rate", "note"]
    decided = ts.Study.from_predictions(study.X, study._true_values, (study.score >= 0.701).astype(int), study.score)
    assert decided.threshold_curves().present == 0.701


def cheapest(score, truth, weights, cost):
    """The least cost of a row over every score and over deciding none positive, and whether that is the latter."""
    costs = [
        np.average(np.where(score >= t, cost["fp"] * (1 - truth), cost["fn"] * truth), weights=weights)
        for t in [*np.unique(score[weights > 0]), np.inf]
    ]
    return min(costs), costs[-1] < min(costs[:-1]) - 1e-12


ODD = {
    "ties": (0.3, 0.5, 0.7),
    "alike": (0.4,),
    "certain": (0.0, 1.0),
    "margins": tuple(np.linspace(-3, 2, 200)),
    "below one half": (0.1, 0.2),
}


@pytest.mark.parametrize("by", [None, "c"])
@pytest.mark.parametrize("stress", [None, ts.Mean("a", tau=0.3)], ids=["none", "moved"])
@pytest.mark.parametrize("scores", ODD)
@pytest.mark.parametrize("dear", [0.2, 1.7, 50])
def test_the_best_costs_least_of_every_score_and_of_none_decided_positive(scores, dear, stress, by):
    X, y, score = bands(400, 1, ODD[scores])
    y = np.where(X["c"] == "y", y, 0)  # in x there is none to find
    study, cost = studied(X, y, score), {"fp": dear, "fn": 1}
    best = study.threshold_curves(stress, cost=cost, by=by).best
    moved = np.ones(400) if stress is None else study.reweight(stress).weights
    for row in best.to_dict("records"):
        inside = np.ones(400, bool) if by is None else X["c"] == row["group"]
        weights = np.where(inside, 1.0 if row["population"] == "the rows as they are" else moved, 0.0)
        least, none = cheapest(score, y, weights, cost)
        assert row["cost"] == pytest.approx(least, rel=1e-9, abs=1e-12)
        assert row["note"] == (NONE if none else "")
        assert none == (not (score[inside] >= row["threshold"]).any())
        assert row["lower"] <= row["threshold"] <= row["upper"]
    if by:
        assert (best.loc[best["group"] == "x", "note"] == NONE).all()


def test_thresholds_that_cannot_be_told_from_the_best_may_reach_above_every_score():
    X, y, score = bands(60, 0, (0.5, 0.7), rate=0.5)
    best = studied(X, y, score).threshold_curves(cost={"fp": 1, "fn": 1.05}).best.iloc[0]
    assert (best["threshold"] < 0.701, best["upper"], best["note"]) == (True, 0.701, "")


def test_a_present_threshold_above_every_score_is_the_one_there():
    X, y, score = bands(300, 3, (0.1, 0.2))
    curves = studied(X, y, score).threshold_curves(cost={"fp": 50, "fn": 1})
    assert curves.thresholds.tolist() == [0.1, 0.2, 0.5]
    best = curves.best.iloc[0]
    assert (best["threshold"], best["cost"], best["note"]) == (0.5, best["present_cost"], NONE)


@pytest.mark.slow
def test_deciding_none_is_within_the_interval_where_it_truly_costs_least():
    """Of 300 samples each; a test of .05 that the coverage is .95 or more passes from 278 on."""
    for fp in (1.1, 2.0):  # half are positive: none at all is best by a little, and by much
        found = [
            studied(*bands(120, seed, rate=0.5)).threshold_curves(cost={"fp": fp, "fn": 1}, metrics="recall")
            for seed in range(300)
        ]
        assert sum(curves.best["upper"].item() == 0.701 for curves in found) >= 278


@pytest.mark.slow
@pytest.mark.parametrize("stress", [None, ts.Mean("a", target=0.4)], ids=["as tested", "under a stress"])
def test_the_best_of_the_thresholds_compared_is_within_its_interval(stress):
    """Of 100 samples each; a test of .05 that the coverage is .95 or more passes from 89 on."""
    at = np.linspace(0.05, 0.95, 19)
    X, y, score = population(1_000_000, 99)
    weights = np.ones(len(y)) if stress is None else np.exp(0.4 * X["a"].to_numpy())
    cost = [np.average(np.where(score >= t, 1 - y, 3 * y), weights=weights) for t in at]
    best, within, width = at[np.argmin(cost)], 0, []
    for seed in range(100):
        X, y, score = population(400, seed)
        sample = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score)
        found = sample.threshold_curves(stress, thresholds=at, cost=COST, metrics="error_rate").best.iloc[-1]
        within += found["lower"] <= best <= found["upper"]
        width.append(found["upper"] - found["lower"])
    assert within >= 89
    assert np.median(width) < 0.4


# the same numbers beyond memory

PRICE = {"fp": 1, "fn": 5}
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
@pytest.mark.parametrize("stress", [None, OLDER, ts.Mean("age", shift=0)], ids=["tested", "moved", "kept"])
@pytest.mark.parametrize("by", [None, "job", ["sex", "member"]], ids=str)
def test_the_numbers_are_those_of_the_rows_in_memory(stress: object, by: object) -> None:
    study, chunked = both()
    options = {"thresholds": AT, "cost": PRICE, "by": by, "confidence": 0.9}
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
        found = ts.ChunkedStudy(model, chunks, progress=False).threshold_curves(OLDER, by="sex")
        assert_same(found, study.threshold_curves(OLDER, by="sex"))
        assert found.present == 0
        assert found.best.empty == (labels is None)


@pytest.mark.slow
def test_weights_few_scores_and_groups_without_weight() -> None:
    X, y = rows()
    score = np.round(fitted("binary", X, y).predict_proba(X)[:, 1], 1)
    weight = np.random.default_rng(3).gamma(1, size=N_UNEVEN) * (X["job"] != "b").to_numpy()
    weight[300:310] = 0  # a chunk without any
    guess = np.where(np.random.default_rng(4).random(N_UNEVEN) < 0.5, "yes", "no")  # which follows no threshold
    study = ts.Study.from_predictions(X, y, guess, score, sample_weight=weight)
    frames = [X[a:b].assign(y=y[a:b], g=guess[a:b], p=score[a:b], w=weight[a:b]) for a, b in itertools.pairwise(ENDS)]
    named = {"target": "y", "prediction": "g", "score": "p", "sample_weight": "w"}
    chunked = ts.ChunkedStudy(None, iter(frames), **named, progress=False)
    for stress, by in itertools.product((None, ts.Mean("age", tau=-0.3)), (None, "job")):
        found = chunked.threshold_curves(stress, by=by, cost=PRICE)
        assert_same(found, study.threshold_curves(stress, by=by, cost=PRICE))
        assert found.present is None
    np.testing.assert_array_equal(found.thresholds, [*np.unique(score), 1.001])


@pytest.mark.slow
@pytest.mark.parametrize("by", [None, "sex"], ids=str)
@pytest.mark.parametrize("cost", [PRICE, {"fp": 1, "tp": 1}], ids=str)
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
    want = study.threshold_curves(cost=PRICE, by="c")
    for most in (score_order.MOST_CELLS, 300):
        monkeypatch.setattr(module, "most_cells", lambda n_parts, most=most: most)
        found = chunked.threshold_curves(cost=PRICE, by="c")
        (words,) = found.bounds
        assert found.notes[-1] == words
        bound = float(words.split("at most ")[1].removesuffix(" a row.").replace("−", "-"))
        over = found.best["cost"] - want.best["cost"]
        assert ((over >= -1e-12) & (over <= bound)).all()
        assert bound < (0.02 if most == 300 else 0.001)
        # all others are the same: quantiles, steps and the present one
        assert len(np.setdiff1d(want.thresholds, found.thresholds)) <= 2
        assert_same(
            chunked.threshold_curves(thresholds=found.thresholds, cost=PRICE),
            study.threshold_curves(thresholds=found.thresholds, cost=PRICE),
        )
    assert over.max() > 0, "300 cells had the best threshold, so that nothing was bounded"


@pytest.mark.slow
def test_the_model_is_asked_once_about_each_row() -> None:
    X, y = rows()
    asked = Asked(fitted("binary", X, y), cut(X, y))
    chunked = ts.ChunkedStudy(asked, asked.read, progress=False, classes=("no", "yes"))
    assert chunked.n_rows == N_UNEVEN
    for options, n_passes in (({"thresholds": AT}, 3), ({}, 4)):
        times = asked.times[0]
        chunked.threshold_curves(**options)
        # of the first seven rows four are asked again
        assert (asked.n_rows[0], asked.times[0] - times) == (N_UNEVEN + 4, n_passes)


@pytest.mark.slow
def test_what_stays_of_a_result() -> None:
    study, chunked = both()
    options = {"by": ["sex", "member"], "cost": PRICE, "metrics": ["recall"], "confidence": 0.8}
    found = chunked.threshold_curves(**options)
    assert_same(found.under(OLDER), study.threshold_curves(**options).under(OLDER))
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    with pytest.raises(ts.InputError, match="left behind"):
        again.under(OLDER)
    assert found.widget().message["offline"].startswith("sliders weight all rows anew")


@pytest.mark.slow
def test_partitions_of_dask() -> None:
    study, by_dask = both_by_dask()
    assert_same(by_dask.threshold_curves(OLDER, by="sex"), study.threshold_curves(OLDER, by="sex"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"thresholds": []}, "thresholds are numbers in a list"),
        ({"thresholds": [np.inf]}, "thresholds must be finite"),
        ({"cost": {"fx": 1}}, "fx"),
        ({"metrics": "roc_auc"}, "counts no decisions"),
        ({"metrics": []}, "At least one metric"),
        ({"metrics": ["recall", "recall"]}, "a name of its own"),
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
