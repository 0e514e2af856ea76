"""The heaviest rows kept against all rows."""

import numpy as np
import pytest

from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.weights.pareto import tail_size

STRETCHES = (-3.0, -1.5, -0.5, 0.0, 0.5, 1.5, 3.0)


def largest(z, logs, xi, m):
    return np.sort(logs + xi * z)[-m:]


@pytest.mark.parametrize("seed", range(5))
def test_the_heaviest_rows_of_every_tilt_are_kept_through_any_sum(seed):
    rng = np.random.default_rng(seed)
    n, keep = 6000, 300
    z = rng.standard_t(4, n) if seed % 2 else np.round(rng.exponential(size=n), 1)
    weight = np.where(rng.random(n) < 0.1, 0.0, rng.pareto(2.5, n) + 0.01)
    total = None
    for start in range(0, n, 700):
        part = HeaviestRows.of(z[start : start + 700], weight[start : start + 700])
        total = part if total is None else total + part
        total = total.keep_by_tilt(total.values, STRETCHES, keep)
    assert total.n == np.count_nonzero(weight)
    assert len(total.values) < n / 2
    counted = weight > 0
    for xi in rng.uniform(-3, 3, 50):
        want = largest(z[counted], np.log(weight[counted]), xi, keep)
        np.testing.assert_array_equal(largest(total.values, total.logs, xi, keep), want)


def test_each_value_keeps_its_heaviest_rows_and_so_do_those_without():
    rng = np.random.default_rng(0)
    values = np.where(rng.random(4000) < 0.2, np.nan, rng.integers(0, 4, 4000))
    weight = rng.lognormal(size=4000)
    kept = HeaviestRows.of(values[:1500], weight[:1500]).keep_by_value(50) + HeaviestRows.of(
        values[1500:], weight[1500:]
    ).keep_by_value(50)
    kept = kept.keep_by_value(50)
    for value in range(4):
        want = np.sort(np.log(weight[values == value]))[-50:]
        np.testing.assert_array_equal(np.sort(kept.logs[kept.values == value]), want)
    np.testing.assert_array_equal(np.sort(kept.missing), np.sort(np.log(weight[np.isnan(values)]))[-50:])
    assert (kept.n, kept.n_missing) == (np.count_nonzero(~np.isnan(values)), np.count_nonzero(np.isnan(values)))


def test_tails_are_those_of_all_rows():
    rng = np.random.default_rng(1)
    z, weight = rng.normal(size=2000), rng.lognormal(size=2000)
    tops = HeaviestRows.of(z, weight).keep_by_tilt(z, STRETCHES, tail_size(2000) + 1)
    for xi in (-2.0, 0.0, 0.7):
        every = np.sort(np.log(weight) + xi * z)
        log_weight = float(np.log(np.sum(weight * np.exp(xi * z))))
        (excess,), (cut,) = tops.tail(tops.values, np.array([xi]), [log_weight])
        m = tail_size(2000)
        np.testing.assert_allclose(excess, every[-m:] - every[-m - 1])
        assert cut == pytest.approx(np.exp(every[-m - 1] - log_weight))


def test_an_indicator_counts_every_row():
    values, weight = np.array([0.0, 1.0, 1.0, np.nan]), np.array([1.0, 2.0, 0.0, 4.0])
    tops = HeaviestRows.of(values, weight)
    ones = tops.of_indicator(tops.values == 1.0)
    assert sorted(zip(ones.values.tolist(), np.exp(ones.logs).round(9).tolist(), strict=True)) == [
        (0.0, 1.0),
        (0.0, 4.0),
        (1.0, 2.0),
    ]
    assert (ones.n, ones.n_missing) == (3, 0)
    missing = tops.of_indicator(None)
    assert missing.values.tolist() == [0.0, 0.0, 1.0]
