import numpy as np
import pytest

from tauscope.stress.column.order_statistics import compute_order_statistics
from tauscope.stress.column.tau_end import window_levels
from tauscope.weights.pareto import tail_size

COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "ascending": lambda rng, n: np.sort(rng.normal(size=n)),
    "descending": lambda rng, n: -np.sort(rng.exponential(size=n)),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.exponential(size=n)),
    "a sample that misleads": lambda rng, n: rng.normal(size=n) + 100.0 * (np.arange(n) % max(1, n // 512) == 0),
    "two values": lambda rng, n: (rng.random(n) < 0.3).astype(float),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("n", [1, 2, 7, 100, 5000, 40_000])
@pytest.mark.parametrize("quantile", [0.01, 0.05, 0.4])
def test_is_what_the_sorted_column_tells(kind, n, quantile):
    values = COLUMNS[kind](np.random.default_rng(n), n)
    before, ascending = values.copy(), np.sort(values)
    result = compute_order_statistics(values, quantile)
    m = min(tail_size(n), n - 1)
    low, high = np.quantile(values, [quantile, 1 - quantile], method="inverted_cdf")
    assert tuple(end.window.value for end in result.plain) == (low, high)
    for end, sign in zip(result.plain, (-1, 1), strict=True):
        around = np.quantile(values, window_levels(end.window.level, n), method="inverted_cdf")
        np.testing.assert_array_equal([end.window.below, end.window.above], around)
        outside = values[sign * (values - end.window.value) > 0] - end.window.value
        assert end.n_beyond == len(outside)
        np.testing.assert_allclose(end.excess, outside.sum(), rtol=1e-12)
    np.testing.assert_array_equal(result.lowest, ascending[: m + 1])
    np.testing.assert_array_equal(result.highest, ascending[n - m - 1 :])
    np.testing.assert_array_equal(values, before)
