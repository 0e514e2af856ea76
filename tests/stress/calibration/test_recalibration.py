"""Intercept and slope on the log odds: another's fit, their influence by differences, and where there is none."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from tauscope.stress.calibration.recalibration import count_extreme, fit_intercept, fit_slope, log_odds

N = 300
RNG = np.random.default_rng(0)
ODDS = RNG.normal(0.5, 1.5, N)
TRUTH = (RNG.random(N) < expit(0.7 * ODDS - 0.4)).astype(float)
SHARE = RNG.dirichlet(np.ones(N))


def likelihood(theta):
    linear = theta[0] + theta[1] * ODDS
    return -SHARE @ (TRUTH * linear - np.logaddexp(0, linear))


def test_the_slope_is_that_of_the_largest_likelihood():
    best = minimize(likelihood, [0.0, 1.0], method="BFGS", options={"gtol": 1e-10}).x
    assert fit_slope(ODDS, TRUTH, SHARE).value == pytest.approx(best[1], abs=1e-6)


def test_the_intercept_makes_the_mean_probability_the_share_of_positives():
    value = fit_intercept(ODDS, TRUTH, SHARE).value
    assert SHARE @ expit(value + ODDS) == pytest.approx(SHARE @ TRUTH, rel=1e-12)


@pytest.mark.parametrize("fit", [fit_intercept, fit_slope])
def test_influence_is_the_change_when_a_row_weighs_more(fit):
    found, step = fit(ODDS, TRUTH, SHARE), 1e-6
    assert SHARE @ found.influence == pytest.approx(0, abs=1e-12)
    for i in range(0, N, 30):
        moved = fit(ODDS, TRUTH, (1 - step) * SHARE + step * (np.arange(N) == i)).value
        assert found.influence[i] == pytest.approx((moved - found.value) / step, rel=1e-3, abs=1e-4)


def test_rows_without_weight_do_not_count():
    some = np.where(np.arange(N) < 200, SHARE, 0)
    some = some / some.sum()
    for fit in (fit_intercept, fit_slope):
        assert fit(ODDS, TRUTH, some).value == pytest.approx(fit(ODDS[:200], TRUTH[:200], some[:200]).value, rel=1e-9)


@pytest.mark.parametrize("spread", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("centre", [-30.0, 0.0, 30.0])
def test_it_converges_far_from_where_it_starts(centre, spread):
    odds = centre + spread * (ODDS - ODDS.mean())
    intercept, slope = (fit(odds, TRUTH, SHARE) for fit in (fit_intercept, fit_slope))
    assert SHARE @ expit(intercept.value + odds) == pytest.approx(SHARE @ TRUTH, rel=1e-9)
    assert slope.value * spread == pytest.approx(fit_slope(ODDS, TRUTH, SHARE).value, rel=1e-9)
    assert np.isfinite(intercept.influence).all()


@pytest.mark.parametrize(
    ("fit", "odds", "truth"),
    [
        (fit_intercept, ODDS, np.ones(N)),
        (fit_slope, ODDS, np.zeros(N)),
        (fit_slope, np.full(N, 0.3), TRUTH),
        (fit_slope, ODDS, (ODDS > 0.2).astype(float)),
        (fit_slope, ODDS, (ODDS < 0.2).astype(float)),
        (fit_slope, np.where(ODDS > 0, 1.0, 0.0), np.where((ODDS > 0) & (TRUTH == 1), 1.0, 0.0)),
    ],
    ids=["one class", "the other", "one score", "parted", "parted the other way", "parted but for ties"],
)
def test_what_has_no_fit_has_no_value(fit, odds, truth):
    found = fit(odds, truth, SHARE)
    assert np.isnan(found.value)
    assert not found.influence.any()


def test_0_and_1_count_as_half_way_to_the_nearest_other_score():
    score = np.array([0.0, 0.02, 0.5, 0.9, 1.0])
    assert log_odds(score) == pytest.approx(
        [np.log(0.01 / 0.99), np.log(0.02 / 0.98), 0, np.log(9), np.log(0.95 / 0.05)], rel=1e-12, abs=1e-12
    )
    assert count_extreme(score) == 2
    alone = log_odds(np.array([0.0, 1.0]))
    assert alone[0] == -alone[1]
    assert np.isfinite(log_odds(np.array([0.0, 5e-324, 1 - 2.0**-53, 1.0]))).all()


@pytest.mark.parametrize("rarer", [0, 1])
@pytest.mark.parametrize("weight", [1e-12, 1e-17, 1e-30, 1e-100])
def test_an_intercept_of_a_class_with_hardly_any_weight_is_a_number_or_none(weight, rarer):
    truth = np.array([1.0, 0.0]) if rarer == 0 else np.array([0.0, 1.0])
    share = np.array([1 - weight, weight])
    value, influence = fit_intercept(np.array([0.3, -0.2]), truth, share)
    assert not np.isinf(value)
    assert influence.shape == (2,)
