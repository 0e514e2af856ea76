"""Bins as scikit-learn's, errors of bins against sums by hand, and the interval of their mean size."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.calibration import calibration_curve

from tauscope.stress.calibration.calibration import (
    BinErrors,
    Bins,
    ece_interval,
    errors_of_sums,
    observed_shares,
    sum_bins,
)
from tauscope.stress.joint.estimates import joint_estimates, metric_values, regress_metrics
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metric_forms import Quantity
from tauscope.stress.metrics import Power, Quantities, SummedMetric

N = 400
RNG = np.random.default_rng(0)
SCORE = np.round(RNG.beta(0.7, 1.2, N), 2)
TRUTH = (RNG.random(N) < SCORE**1.3).astype(int)
WEIGHT = RNG.random(N) + 0.1
BINS = {"uniform": Bins.uniform(10), "quantile": Bins.quantile(SCORE, 10)}


class BinnedRows:
    """Rows by bin and true class."""

    def __init__(self, bins, score, truth):
        self.n, self.score, self.bin, self.error = bins.n, score, bins(score), score - truth
        self.quantities = Quantities((2 * self.bin + truth).astype(np.int32), 2 * self.n, ())


def bin_errors(rows, moments, weights, within=None):
    """The error of every bin of some rows, under weights of all."""
    regressed = regress_metrics(
        rows.quantities,
        observed_shares(rows.n)[:1],
        moments.phi,
        moments.target,
        weights,
        unstressed=moments.unstressed,
        within=within,
    )
    share, distance = regressed.share, moments.phi - moments.target
    common = (distance * share[:, None] ** 2).T @ distance + moments.target_covariance * share.sum() ** 2
    own = share if within is None else np.where(within, share, 0.0)
    sums = sum_bins(rows.n, rows.bin, rows.score, rows.error, distance, own)
    return errors_of_sums(sums, regressed.regression.whiten, common)


@pytest.mark.parametrize("strategy", list(BINS))
def test_the_curve_is_that_of_scikit_learn(strategy):
    rows = BinnedRows(BINS[strategy], SCORE, TRUTH)
    want_true, want_predicted = calibration_curve(TRUTH, SCORE, n_bins=10, strategy=strategy)
    sums = sum_bins(rows.n, rows.bin, rows.score, rows.error, np.zeros((N, 0)), np.ones(N))
    mass = sums.mass
    found = np.array(metric_values(rows.quantities, observed_shares(rows.n), np.ones(N)))
    np.testing.assert_allclose(found[mass > 0], want_true, rtol=1e-12)
    predicted = sums.score[mass > 0] / mass[mass > 0]
    np.testing.assert_allclose(predicted, want_predicted, rtol=1e-12)


@pytest.mark.parametrize("score", [np.repeat([0.0, 0.3, 0.6], [200, 150, 50]), np.repeat([0.0, 1.0], [300, 100])])
def test_scores_tied_at_the_least_have_a_bin_as_in_scikit_learn(score):
    bins = Bins.quantile(score, 10)
    want_true, want_predicted = calibration_curve(TRUTH, score, n_bins=10, strategy="quantile")
    place = bins(score)
    there = np.unique(place)
    assert [TRUTH[place == k].mean() for k in there] == pytest.approx(want_true)
    assert [score[place == k].mean() for k in there] == pytest.approx(want_predicted)
    assert (np.diff(bins.edges) >= 0).all()


def test_tied_scores_make_fewer_bins_and_one_score_one():
    assert Bins.quantile(np.repeat([0.1, 0.9], 10), 10).n < 10
    alone = Bins.quantile(np.full(5, 0.3), 10)
    assert alone.n == 1
    assert alone(np.array([0.3])).tolist() == [0]
    assert len(alone.edges) == 2


@pytest.mark.parametrize("in_group", [False, True])
def test_errors_of_bins_are_weighted_sums(in_group):
    rows = BinnedRows(BINS["uniform"], SCORE, TRUTH)
    inside = np.arange(N) % 3 == 0 if in_group else np.ones(N, bool)
    found = bin_errors(rows, Moments.none(N), WEIGHT, inside if in_group else None)
    share = WEIGHT / WEIGHT[inside].sum()
    want = [np.sum((share * (SCORE - TRUTH))[(rows.bin == k) & inside]) for k in range(10)]
    np.testing.assert_allclose(found.value, want, rtol=1e-10, atol=1e-15)
    assert found.ece == pytest.approx(np.abs(want).sum())


def of_bin(rows, k):
    """The error of a bin as a mean, that `joint_estimates` has an error of."""
    values = rows.error * (rows.bin == k)
    power = Power(Quantity("error", lambda outcomes, rows: values), (1, 2), values.__getitem__)
    metric = SummedMetric("error", "", "value", "mean", (0, 2), (0, 2, 3), "plain")
    return Quantities(np.zeros(N, np.uint8), 1, (power,)), [metric]


@pytest.mark.parametrize("in_group", [False, True])
@pytest.mark.parametrize("stressed", [False, True])
def test_variances_of_errors_are_those_of_means_under_the_stress(stressed, in_group):
    rows = BinnedRows(BINS["uniform"], SCORE, TRUTH)
    inside = np.arange(N) % 3 == 0 if in_group else None
    x = SCORE + 0.3 * RNG.normal(size=N)
    weights = np.exp(0.8 * x) if stressed else np.ones(N)
    moments = Moments.none(N)
    if stressed:
        target = np.array([np.average(x, weights=weights)])
        moments = Moments((), x[:, None], target, (), np.array([[1e-4]]), 100.0, False)
        object.__setattr__(moments, "terms", (type("Given", (), {"aim": "moved", "name": "x"})(),))
    found = bin_errors(rows, moments, weights, inside)
    want = [
        joint_estimates(
            *of_bin(rows, k),
            moments.phi,
            moments.target,
            weights,
            moments.target_covariance,
            unstressed=not stressed,
            within=inside,
        )[0]
        for k in range(10)
    ]
    there = found.value != 0
    assert found.value == pytest.approx([float(each.value) for each in want], abs=1e-14)
    errors = np.array([float(each.error) for each in want])
    np.testing.assert_allclose(np.sqrt(np.diag(found.covariance))[there], errors[there], rtol=0.05)
    assert np.linalg.eigvalsh(found.covariance)[0] >= -1e-15


def test_what_chance_makes_of_a_calibrated_model_is_the_mean_of_draws():
    score = np.concatenate([RNG.beta(0.5, 4, N), np.full(40, 0.004)])
    weights = RNG.random(len(score)) + 0.5
    rows = BinnedRows(Bins.quantile(score, 8), score, np.zeros(len(score), int))
    found = bin_errors(rows, Moments.none(len(score)), weights).if_calibrated
    share, drawn = weights / weights.sum(), []
    for _ in range(2000):
        error = share * (score - (RNG.random(len(score)) < score))
        drawn.append(np.abs(np.bincount(rows.bin, error)).sum())
    assert found == pytest.approx(np.mean(drawn), rel=0.03)


def test_mean_size_of_few_rows_is_that_of_a_binomial():
    for n, p in ((1, 0.3), (7, 0.02), (50, 0.5)):
        rows = BinnedRows(Bins.uniform(1), np.full(n, p), np.zeros(n, int))
        found = bin_errors(rows, Moments.none(n), np.ones(n)).if_calibrated
        count = np.arange(n + 1)
        assert found == pytest.approx(binom.pmf(count, n, p) @ np.abs(count / n - p), rel=1e-9)


def errors_of(value, deviation, chance=0.0):
    value = np.array(value)
    return BinErrors(value, np.diag(np.full(len(value), deviation**2)), np.full(len(value), chance), 0.0, 1e9)


def test_an_error_of_certain_bins_has_the_interval_of_a_mean():
    lower, upper = ece_interval(errors_of([0.1, -0.1, 0.1, 0.1], 0.01), 0.95)
    assert lower == pytest.approx(0.4 - 1.96 * 0.02, abs=0.002)
    assert upper == pytest.approx(0.4 + 1.96 * 0.02, abs=1e-4)


def test_what_chance_explains_reaches_down_to_0():
    assert ece_interval(errors_of([0.01, -0.01, 0.012, 0.0], 0.01), 0.95)[0] == 0
    # no row of the bin was positive: nothing varies, and yet nothing is certain
    assert ece_interval(errors_of([0.01], 1e-9, chance=0.02**2), 0.95)[0] == 0
    assert ece_interval(errors_of([0.01], 1e-9), 0.95)[0] > 0


def test_bins_that_vary_together_are_taken_at_their_worst():
    both = BinErrors(np.array([0.001, -0.001]), np.array([[1.0, 0.9], [0.9, 1.0]]) * 1e-4, np.zeros(2), 0.0, 1e9)
    upper = ece_interval(both, 0.95)[1]
    assert upper == pytest.approx(0.002 + 1.96 * 0.01 * np.sqrt(3.8), rel=1e-3)
