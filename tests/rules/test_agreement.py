import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import r2_score

from tauscope.rules.agreement import class_agreement, value_agreement


def test_classes_by_the_binomial_test():
    decided, other = np.array([0.0, 1, 1, 0, 2]), np.array([0.0, 1, 0, 0, 2])
    found = class_agreement(decided, other, np.ones(5), confidence=0.9)
    interval = binomtest(4, 5).proportion_ci(0.9)
    assert found.measure == "accuracy"
    assert (found.value, found.lower, found.upper) == pytest.approx((0.8, interval.low, interval.high))
    assert class_agreement(decided, other, np.array([1.0, 1, 3, 1, 2])).value == pytest.approx(5 / 8)


def test_values_by_r_squared():
    rng = np.random.default_rng(0)
    other = rng.normal(size=60)
    decided, weight = other + 0.5 * rng.normal(size=60), rng.integers(0, 3, 60).astype(float)
    found = value_agreement(decided, other, weight)
    assert found.measure == "R²"
    assert found.value == pytest.approx(r2_score(other, decided, sample_weight=weight))
    assert found.lower < found.value < found.upper <= 1
    narrow = value_agreement(decided, other, weight, confidence=0.5)
    assert found.lower < narrow.lower < narrow.upper < found.upper


def test_nothing_is_said_of_values_that_do_not_vary():
    found = value_agreement(np.arange(4.0), np.ones(4), np.ones(4))
    assert np.isnan([found.value, found.lower, found.upper]).all()


def test_the_interval_of_r_squared_covers():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        truth = rng.normal(size=150)
        found = value_agreement(truth + rng.normal(scale=0.6, size=150), truth, np.ones(150))
        covered += found.lower <= 1 - 0.36 <= found.upper
    assert 0.90 <= covered / 400 <= 0.98
