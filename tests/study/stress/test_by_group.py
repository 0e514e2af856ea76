"""Metrics by group: a groupby by hand, one group that is all rows, and how often the intervals hold."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import tauscope as ts


def drawn(random, n):
    sex = random.choice(["F", "M"], n, p=[0.4, 0.6])
    age = random.normal(40, 10, n) + 3 * (sex == "M")
    X = pd.DataFrame({"age": age, "sex": sex, "job": random.choice(["a", "b", None], n)})
    score = 1 / (1 + np.exp(-(age - 45) / 8))
    chance = 1 / (1 + np.exp(-(age - 45) / 8 + 0.7 * (sex == "F")))
    return ts.Study.from_predictions(X, (random.random(n) < chance) * 1, (score > 0.5) * 1, y_score=score)


@cache
def study():
    return drawn(np.random.default_rng(1), 1200)


NOTHING = ts.Mean("age", shift=0)
METRICS = ["error_rate", "portion_1", "mean_score", "f1", "log_loss", "roc_auc"]


def by_hand(name, truth, predicted, score, w):
    return {
        "error_rate": lambda: np.average(truth != predicted, weights=w),
        "portion_1": lambda: np.average(predicted, weights=w),
        "mean_score": lambda: np.average(score, weights=w),
        "f1": lambda: 2 * w @ (truth * predicted) / (w @ truth + w @ predicted),
        "log_loss": lambda: -np.average(np.log(np.where(truth == 1, score, 1 - score)), weights=w),
        "roc_auc": lambda: roc_auc_score(truth, score, sample_weight=w),
    }[name]()


@pytest.mark.parametrize("stress", [NOTHING, ts.Mean("age", shift=5), ts.Share("sex", "F", 0.7)])
@pytest.mark.slow
def test_values_are_those_of_a_groupby(stress):
    moved = study().reweight(stress)
    found = moved.by("job", metrics=METRICS).frame.set_index(["group", "metric"])
    groups = study().X["job"].astype(object).where(lambda job: job.notna(), "missing").to_numpy()
    assert set(found.index.get_level_values(0)) == {"a", "b", "missing"}
    for group in set(groups):
        rows = groups == group
        for name in METRICS:
            row = found.loc[(group, name)]
            of_rows = study().truth[rows], study().predicted[rows], study().score[rows]
            assert row["before"] == pytest.approx(by_hand(name, *of_rows, np.ones(rows.sum())), abs=1e-12)
            assert row["value"] == pytest.approx(by_hand(name, *of_rows, moved.weights[rows]), abs=1e-12)
            assert row["lower"] < row["value"] < row["upper"]
        weights = moved.weights[rows]
        assert row["n_rows"] == rows.sum()
        assert row["share_before"] == pytest.approx(rows.mean())
        assert row["share"] == pytest.approx(weights.sum() / moved.weights.sum())
        assert row["ess"] == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    if stress is NOTHING:
        np.testing.assert_allclose(found["value"], found["before"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("stress", [NOTHING, ts.Mean("age", shift=5), ts.Mean("age", tau=0.3)])
def test_one_group_of_all_rows_has_the_metrics_of_the_reweighting(stress):
    moved = study().reweight(stress, metrics=METRICS)
    one = moved.by(np.ones(study().n_rows))
    columns = ["metric", "before", "value", "lower", "upper", "reliability", "note"]
    pd.testing.assert_frame_equal(one.frame[columns], moved.metrics[columns], rtol=1e-9)
    assert one.gaps.empty


def test_the_error_of_the_target_is_in_the_intervals():
    by_tau = study().reweight(ts.Mean("age", tau=0.5))
    given = study().reweight(ts.Mean("age", target=by_tau.values[0]))
    wider, narrower = (one.by("sex", metrics="portion_1").frame for one in (by_tau, given))
    np.testing.assert_allclose(wider["value"], narrower["value"], rtol=1e-9)
    assert ((wider["upper"] - wider["lower"]) > 1.02 * (narrower["upper"] - narrower["lower"])).all()


def test_default_metrics_are_those_of_the_reweighting():
    moved = study().reweight(NOTHING, metrics=["f1", "error_rate"])
    assert moved.by("sex").frame["metric"].tolist() == ["f1", "error_rate"] * 2


def test_a_group_that_keeps_no_weight_has_no_number():
    moved = study().reweight(ts.Mean("age", target=float(study().X["age"].max())))
    found = moved.by(study().X["age"] > study().X["age"].median(), metrics="error_rate").frame
    assert found["reliability"].tolist() == ["unreliable", "unreliable"]
    assert found["value"].isna().tolist() == [True, False]
    assert found["note"][0] != ""
    assert moved.by("sex", metrics="error_rate").gaps.empty


def test_weights_of_the_rows_are_kept():
    w = np.random.default_rng(0).integers(0, 3, study().n_rows).astype(float)
    s = ts.Study.from_predictions(study().X, study().truth, study().predicted, sample_weight=w)
    found = s.reweight(NOTHING).by("sex", metrics="error_rate").frame
    expected = [
        np.average((s.truth != s.predicted)[rows], weights=w[rows])
        for rows in (s.X["sex"].to_numpy() == sex for sex in "FM")
    ]
    np.testing.assert_allclose(found["before"], expected, atol=1e-12)
    np.testing.assert_allclose(found["value"], expected, atol=1e-12)


def test_what_cannot_be_taken_by_group_is_refused():
    moved = study().reweight(NOTHING)
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        moved.by("sex", metrics="eror_rate")
    with pytest.raises(ts.InputError, match="A reweighting by group follows the task's own metrics"):
        moved.by("sex", metrics="matthews_corrcoef")
    with pytest.raises(ts.InputError, match="Weights must be of this study's rows"):
        drawn(np.random.default_rng(0), 50).metrics_by_group(moved, "sex")
    halves = ts.ChunkedStudy(None, [(study().X[["age"]], study().truth, study().predicted)])
    with pytest.raises(ts.InputError, match="For metrics by group a weight for each row is needed"):
        halves.reweight(ts.Mean("age", shift=1)).by("age")


@cache
def truths():
    large = drawn(np.random.default_rng(99), 400_000)
    found = large.reweight(ts.Mean("age", target=47)).by("sex", metrics=["error_rate", "portion_1", "mean_score"])
    return found.frame, found.gaps


@pytest.mark.slow
def test_intervals_of_groups_and_gaps_hold_as_often_as_said():
    frame, gaps = truths()
    inside, gap_inside = [], []
    for seed in range(240):
        found = drawn(np.random.default_rng(seed), 500).reweight(ts.Mean("age", target=47))
        found = found.by("sex", metrics=["error_rate", "portion_1", "mean_score"])
        mine, apart = found.frame, found.gaps
        inside.append((mine["lower"] <= frame["value"]) & (frame["value"] <= mine["upper"]))
        gap_inside.append(
            [
                (apart[f"{name}_lower"] <= gaps[name]) & (gaps[name] <= apart[f"{name}_upper"])
                for name in ("gap", "ratio")
            ]
        )
    covered, of_gaps = np.mean(inside, axis=0), np.mean(gap_inside, axis=0)
    # 240 draws: a standard error of .014
    assert (covered > 0.91).all(), covered
    assert (of_gaps > 0.95).all(), of_gaps
