"""Metrics of all rows at once: their influence by differences, and how often intervals hold the population's number."""

import numpy as np
import pytest

from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import LEVEL_OF, LEVELS
from tauscope.stress.row_metrics import RowMetric
from tauscope.study.study import Study

N = 200
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, N)
SCORE = np.round(0.4 * TRUTH + RNG.normal(size=N), 1)
BINARY = Outcomes("binary", (SCORE > 0).astype(int), TRUTH, SCORE, ("no", "yes"))
ODDS = Outcomes("binary", BINARY.predicted, TRUTH, 1 / (1 + np.exp(-SCORE)), ("no", "yes"))
VALUES = Outcomes("regression", SCORE + 3, SCORE + 3 + RNG.normal(size=N))
METRICS = ("roc_auc", "average_precision", "balanced_accuracy", "f1", "precision", "log_loss", "brier_score_loss")
TAUS = [-0.5, 0.0, 0.5]


@pytest.mark.parametrize(
    "measure", ["roc_auc", "average_precision", "r2", "calibration_intercept", "calibration_slope"]
)
def test_influence_is_the_change_when_a_row_weighs_more(measure):
    metric = RowMetric.of(measure, VALUES if measure == "r2" else ODDS)
    share, step = RNG.dirichlet(np.ones(N)), 1e-6
    found = metric(share)
    assert share @ found.influence == pytest.approx(0, abs=1e-12)
    for i in range(0, N, 10):
        change = (metric((1 - step) * share + step * (np.arange(N) == i)).value - found.value) / step
        assert found.influence[i] == pytest.approx(change, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "calibration_intercept", "calibration_slope"])
@pytest.mark.parametrize("share", [0.0, 5e-324, 1e-308, 1e-200])
def test_without_weight_on_a_class_there_is_no_value(measure, share):
    found = RowMetric.of(measure, ODDS)(np.where(TRUTH == 1, 1 / TRUTH.sum(), share / N))
    assert np.isnan(found.value)
    assert not found.influence.any()


def test_a_truth_that_does_not_vary_has_no_r_squared():
    metric = RowMetric.of("r2", Outcomes("regression", SCORE, np.ones(N)))
    assert np.isnan(metric(np.full(N, 1 / N)).value)


@pytest.mark.parametrize("unit", [2.0**-1030, 2.0**-600, 2.0**-300, 2.0**280, 2.0**495])
def test_r_squared_has_no_unit(unit):
    share = RNG.dirichlet(np.ones(N))
    want = RowMetric.of("r2", VALUES)(share)
    found = RowMetric.of("r2", Outcomes("regression", VALUES.predicted * unit, VALUES.truth * unit))(share)
    assert found.value == pytest.approx(want.value, rel=1e-12)
    assert found.denominator == pytest.approx(want.denominator, rel=1e-12)
    np.testing.assert_allclose(found.influence, want.influence, rtol=1e-9, atol=1e-12)


def test_a_truth_that_varies_by_next_to_nothing_beside_its_error_has_no_r_squared():
    truth = RNG.normal(size=N)
    for unit, known in ((1e-30, True), (1e-60, False), (1e-300, False)):
        found = RowMetric.of("r2", Outcomes("regression", np.ones(N), truth * unit))(np.full(N, 1 / N))
        assert np.isfinite(found.value) == known
        assert np.isfinite(found.influence).all()


def curves_of(rng, n):
    a, b = rng.normal(size=(2, n))
    score = 1 / (1 + np.exp(-(1.5 * a + b - 0.5)))
    truth = rng.random(n) < 1 / (1 + np.exp(-(1.2 * a + 0.7 * b - 0.3)))
    study = Study.from_predictions(np.column_stack([a, b]), truth.astype(int), (score > 0.5).astype(int), score)
    return study.stress_curves(0, metrics=METRICS, taus=TAUS)._curves


VALUE_METRICS = ("r2", "mean_absolute_error", "bias")
NOISE = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.gamma(9, 1 / 3, size=n) - 3,
    "long tails": lambda rng, n: rng.standard_t(6, size=n),
}


def value_curves_of(rng, n, noise):
    a, b = rng.normal(size=(2, n))
    y, predicted = 2 * a + b + NOISE[noise](rng, n), 1.7 * a + 0.8 * b + 0.1
    study = Study.from_predictions(np.column_stack([a, b]), y, predicted, task="regression")
    return study.stress_curves(metrics=VALUE_METRICS, taus=TAUS, progress=False)._curves


@pytest.mark.slow
@pytest.mark.parametrize("noise", list(NOISE))
def test_reliable_intervals_of_errors_hold_the_number_of_the_population(noise):
    true = value_curves_of(np.random.default_rng(99), 200_000, noise).value
    samples = [value_curves_of(np.random.default_rng(seed), 300, noise) for seed in range(150)]
    held = np.array([(one.lower <= true) & (true <= one.upper) for one in samples])
    reliable = np.array([LEVEL_OF[one.reason] == LEVELS.index("reliable") for one in samples])
    n = reliable.sum(0)
    assert (n.sum((0, 2)) >= 50).all()
    covered = (held & reliable).sum(0)
    assert (covered.sum((0, 2)) / n.sum((0, 2)) >= 0.92).all()
    assert (covered[n >= 50] / n[n >= 50]).min() >= 0.88


@pytest.mark.slow
def test_intervals_of_samples_hold_the_number_of_the_population():
    true = curves_of(np.random.default_rng(99), 200_000).value[0]
    samples = [curves_of(np.random.default_rng(seed), 300) for seed in range(120)]
    held = np.mean([(one.lower[0] <= true) & (true <= one.upper[0]) for one in samples], axis=0)
    assert held.mean() >= 0.93
    assert held.min() >= 0.88
