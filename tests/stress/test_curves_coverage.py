"""Intervals along τ contain the population's number about as often as they say, and are not wider for it."""

import numpy as np
import pytest
from scipy.stats import norm

from tauscope.stress.curves import stress_curves
from tauscope.stress.joint.adjusted import adjusted_curves
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import LEVEL_OF, LEVELS

N_POPULATION = 200_000
TAUS = np.array([-1.0, -0.5, 0.5, 1.0])


def draw(seed):
    """Three columns of other shapes, which the model follows closely, by a step and by a bend."""
    rng = np.random.default_rng(seed)
    first = rng.triangular(0, 3, 8, N_POPULATION)
    second = rng.weibull(1.8, N_POPULATION) * 4 + first / 4
    third = np.round(rng.normal(35, 9, N_POPULATION))
    log_odds = 0.9 * (first - 3.5) + 0.5 * np.minimum(second - 4, 1) + 0.08 * (third - 35)
    score = 1 / (1 + np.exp(-log_odds))
    truth = (rng.random(N_POPULATION) < score).astype(np.int64)
    outcomes = Outcomes("binary", (score > 0.5).astype(np.int64), truth, score, ("0", "1"))
    return np.stack([first, second, third]), outcomes, rng


def measure(answer, columns, outcomes, n, n_samples, rng):
    """Return coverage and relative width of every cell that nearly every sample calls reliable."""
    truth = answer(columns, outcomes).value
    samples = []
    for _ in range(n_samples):
        rows = rng.integers(0, columns.shape[1], n)
        curves = answer(columns[:, rows], outcomes.take(rows))
        samples.append((curves.value, curves.lower, curves.upper, LEVEL_OF[curves.reason] == LEVELS.index("reliable")))
    value, lower, upper, reliable = map(np.array, zip(*samples, strict=True))
    regular = reliable.mean(0) > 0.8
    coverage = ((lower <= truth) & (truth <= upper)).mean(0)[regular]
    width = (upper - lower).mean(0)[regular] / 2 / norm.ppf(0.975) / value.std(0)[regular]
    return coverage, width


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 4000])
def test_curves_of_metrics_that_follow_the_column(n):
    columns, outcomes, rng = draw(1)

    def answer(columns, outcomes):
        return stress_curves(list(columns), outcomes, taus=TAUS, metrics=["portion_1", "mean_score", "error_rate"])

    coverage, width = measure(answer, columns, outcomes, n, 150, rng)
    assert len(coverage) >= 18
    assert 0.94 < coverage.mean() < 0.975, coverage
    assert 0.95 < width.mean() < 1.2, width


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 4000])
def test_curves_with_another_column_held(n):
    columns, outcomes, rng = draw(2)

    def answer(columns, outcomes):
        return adjusted_curves(
            columns[:2], outcomes, hold="uncorrelated", taus=TAUS, moved=[1], metrics=["portion_1", "mean_score"]
        ).curves

    coverage, width = measure(answer, columns, outcomes, n, 80, rng)
    assert len(coverage) >= 4
    assert 0.92 < coverage.mean() < 0.985, coverage
    assert 0.9 < width.mean() < 1.25, width
