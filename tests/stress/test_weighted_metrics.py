import numpy as np
import pytest
from scipy.stats import norm

from stress.oracle import tilt
from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.weighted_metrics import metric_curves, tilted_weights

TAUS = np.array([-1.0, -0.4, 0.0, 0.7, 1.0])


def made(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    x = np.where(rng.random(n) < 0.1, np.nan, rng.exponential(size=n))
    f = (np.nan_to_num(x) + rng.normal(size=n) > 1).astype(np.int64)
    return x, Outcomes("binary", f, rng.integers(0, 2, n), class_names=("0", "1"))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_metric_sees_the_weights_of_the_curves(weighted):
    x, outcomes = made()
    v = np.random.default_rng(1).random(2000) if weighted else None
    curves = stress_curves([x], outcomes, taus=TAUS, sample_weight=v)
    wrong = outcomes.predicted != outcomes.truth
    both = metric_curves([x], curves, {"mine": lambda w: np.average(wrong, weights=w)}, sample_weight=v)
    assert [i.name for i in both.metrics] == [*(i.name for i in curves.metrics), "mine"]
    plain = both.only(["mine", "error_rate"])
    np.testing.assert_allclose(plain.value[0, 0], plain.value[0, 1], atol=1e-9)
    np.testing.assert_array_equal(plain.target, curves.target)


def test_jackknife_interval_is_about_the_analytic_one():
    x, outcomes = made(20_000)
    curves = stress_curves([x], outcomes, taus=np.array([-0.5, 0.0, 0.5]), metrics=["error_rate"])
    wrong = outcomes.predicted != outcomes.truth
    both = metric_curves([x], curves, {"mine": lambda w: np.average(wrong, weights=w)})
    width = both.upper[0] - both.lower[0]
    assert np.all(np.abs(np.log(width[1] / width[0])) < np.log(2.2))
    narrow = metric_curves([x], curves, {"mine": lambda w: np.average(wrong, weights=w)}, confidence=0.5)
    assert np.all(narrow.upper[0, 1] - narrow.lower[0, 1] < width[1])


def test_jackknife_along_tau_has_the_target_s_error():
    x = np.random.default_rng(1).exponential(size=5000)
    curves = stress_curves([x], Outcomes("regression", x), taus=TAUS, metrics=["mean"])

    def mean(weights):
        return float(np.average(x, weights=weights))

    along = metric_curves([x], curves, {"mine": mean}, quantile=0.05)
    assert np.all(np.abs(np.log(along.error[0, 1] / along.error[0, 0])) < np.log(2.2))
    np.testing.assert_array_equal(along.reason[0, 1], along.reason[0, 0])
    fixed = metric_curves([x], curves, {"mine": mean})
    np.testing.assert_allclose(fixed.error[0, 1], 0, atol=1e-8)


def test_jackknife_at_nothing_is_the_plain_one_whatever_the_column():
    rng = np.random.default_rng(2)
    y = rng.normal(size=800)
    columns = [rng.normal(size=800), rng.exponential(size=800), (rng.random(800) < 0.05).astype(float)]
    curves = stress_curves(columns, Outcomes("regression", y), taus=np.array([0.0]))
    both = metric_curves(columns, curves, {"mine": lambda w: np.average(y**2, weights=w)}, quantile=0.05)
    np.testing.assert_allclose(both.error[:, -1, 0], both.error[0, -1, 0], rtol=1e-7)


@pytest.mark.slow
def test_jackknife_covers():
    hits = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=1000)
        outcomes = Outcomes("binary", (x + rng.normal(size=1000) > 0).astype(np.int64), class_names=("0", "1"))
        curves = stress_curves([x], outcomes, taus=np.array([0.5]), metrics=["portion_1"])
        one = metric_curves([x], curves, {"mine": lambda w, o=outcomes: np.average(o.predicted, weights=w)})
        truth = norm.cdf(curves.target[0, 0] / np.sqrt(2))
        hits += one.lower[0, 1, 0] <= truth <= one.upper[0, 1, 0]
    assert hits >= 88


def test_undefined_metric_and_missing_replicates_are_not_numbers():
    x = np.arange(40.0)
    outcomes = Outcomes("binary", np.tile([0, 1], 20), class_names=("0", "1"))
    curves = stress_curves([x], outcomes, taus=np.array([0.0, 0.5]))
    both = metric_curves([x], curves, {"never": lambda w: np.nan})
    assert np.isnan(both.value[0, -1]).all()
    top = np.append(np.zeros(39), 1.0)
    at_top = stress_curves([top], outcomes, taus=np.array([1.0]))
    only_one = metric_curves([top], at_top, {"mean": lambda w: float(w.mean())})
    assert only_one.value[0, -1, 0] == pytest.approx(1)
    assert np.isnan(only_one.lower[0, -1, 0])


@pytest.mark.parametrize("target", [0.05, 0.8, 2.5])
def test_weights_are_the_direct_solution(target):
    x, _ = made(500)
    v = np.random.default_rng(2).random(500)
    w = tilted_weights(x, target, 0.0, v)
    np.testing.assert_allclose(w / 500, tilt(x, target, v), atol=1e-12)
    assert w.mean() == pytest.approx(1)


def test_weights_out_of_reach_are_none():
    x = np.arange(5.0)
    assert tilted_weights(x, 4.0, 0.0, np.ones(5)) is None
    assert tilted_weights(x, 4.0, np.inf, np.array([1.0, 1, 1, 1, 0])) is None
    np.testing.assert_array_equal(tilted_weights(x, 4.0, np.inf, np.ones(5)), [0, 0, 0, 0, 5])
