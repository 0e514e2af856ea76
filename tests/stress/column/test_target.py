import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.stress.column.target import tau_range


def test_tau_runs_piecewise_linearly_between_the_quantiles():
    x = np.random.default_rng(0).exponential(size=999)
    around = tau_range(x, 0.05)
    low, high = np.quantile(x, [0.05, 0.95], method="inverted_cdf")
    expected = [low, (low + x.mean()) / 2, x.mean(), (high + x.mean()) / 2, high]
    np.testing.assert_allclose(around.target(np.array([-1, -0.5, 0, 0.5, 1])), expected)
    assert around.reached == (0.05, 0.95)
    assert (around.minimum, around.maximum) == (x.min(), x.max())


def test_zero_inflated_side_is_widened_to_the_first_quantile_past_the_mean():
    x = np.concatenate([np.zeros(960), np.arange(1.0, 41.0)])
    around = tau_range(x, 0.05)
    assert np.quantile(x, 0.95) == 0 < x.mean()
    assert around.reached == (pytest.approx(0.0), pytest.approx(0.99)) or around.reached[1] == pytest.approx(0.99)
    assert around.high == np.quantile(x, 0.99, method="inverted_cdf") == 30.0
    assert around.low == 0.0 < around.mean


def test_low_side_is_widened_alike():
    x = -np.concatenate([np.zeros(960), np.arange(1.0, 41.0)])
    around = tau_range(x, 0.05)
    assert around.reached[0] == pytest.approx(0.01)
    assert around.low == -30.0


def test_rare_indicator_reaches_its_level():
    x = np.zeros(5000)
    x[:3] = 1
    around = tau_range(x, 0.05)
    assert around.high == 1.0
    assert 0.999 < around.reached[1] <= 1
    np.testing.assert_allclose(around.target(np.array([0.5])), (1 + x.mean()) / 2)


def test_one_row_in_many_is_reached_at_the_extreme():
    x = np.zeros(100_000)
    x[7] = 5.0
    around = tau_range(x, 0.4)
    assert around.high == 5.0


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(1)
    x, times = rng.exponential(size=300), rng.integers(0, 5, 300)
    weighted, repeated = tau_range(x, 0.05, times.astype(float)), tau_range(np.repeat(x, times), 0.05)
    for name in ("low", "mean", "high", "minimum", "maximum"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name))


def test_widening_counts_weights():
    x = np.array([0.0, 0.0, 1.0, 2.0])
    around = tau_range(x, 0.05, np.array([90.0, 6.0, 3.5, 0.5]))
    assert around.high == 1.0
    assert around.reached[1] == pytest.approx(0.99)


def test_known_quantiles_are_taken():
    x = np.arange(100.0)
    assert tau_range(x, 0.05, quantiles=(10.0, 80.0)).high == 80.0


@pytest.mark.parametrize("values", [np.ones(10), np.array([])])
def test_constant_column_is_refused(values):
    with pytest.raises(InputError, match="two different values"):
        tau_range(values, 0.05)


def test_column_constant_where_weights_are_positive_is_refused():
    with pytest.raises(InputError, match="two different values"):
        tau_range(np.array([1.0, 1.0, 2.0]), 0.05, np.array([1.0, 1.0, 0.0]))
