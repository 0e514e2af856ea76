from functools import reduce
from operator import add

import numpy as np
import pytest

from stress.sketching import COLUMNS, row_chunks
from tauscope.errors import InputError
from tauscope.stress.bins.order_range import interpolate_quantile, order_intervals, order_range
from tauscope.stress.bins.quantile_sketch import CELLS, QuantileSketch, find_lattice
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.stress.column.sketch import Scale
from tauscope.stress.column.target import tau_range

N = 40_000


@pytest.fixture(params=list(COLUMNS))
def column(request):
    return COLUMNS[request.param](np.random.default_rng(0), N)


@pytest.fixture
def present(column):
    return np.sort(column[~np.isnan(column)])


@pytest.fixture
def ranks(column):
    return reduce(add, [QuantileSketch.of(column[p]) for p in row_chunks(N, 7)])


def test_few_cells_hold_every_row(ranks, present):
    assert len(ranks.low) <= CELLS
    assert ranks.n == len(present)
    assert ranks.n_missing == N - len(present)
    assert np.all(ranks.low <= ranks.high)
    assert np.all(ranks.high[:-1] < ranks.low[1:])
    inside = np.searchsorted(present, ranks.high, "right") - np.searchsorted(present, ranks.low)
    np.testing.assert_array_equal(ranks.count, inside)


def test_mean_and_scale_are_those_of_the_rows(ranks, present):
    around = tau_range(present, 0.05)
    scale = Scale.of(present, around)
    assert ranks.mean == pytest.approx(around.mean, rel=1e-14)
    assert ranks.sd == pytest.approx(scale.unit, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [0, 1, 777, N // 2, N - 1])
def test_a_rank_lies_in_its_bracket(ranks, present, rank):
    rank = min(rank, len(present) - 1)
    low, high = ranks.bracket(rank, rank)
    assert low <= present[rank] <= high


def test_chunks_in_any_order_give_the_same_cells(column):
    chunks = [QuantileSketch.of(column[p]) for p in row_chunks(N, 4)]
    a, b = reduce(add, chunks), reduce(add, chunks[::-1])
    assert a.n == b.n
    assert (a.low[0], a.high[-1]) == (b.low[0], b.high[-1])
    assert a.mean == pytest.approx(b.mean, rel=1e-13)


def test_few_values_are_kept_one_by_one():
    x = np.random.default_rng(1).integers(0, 100, 5000).astype(float)
    ranks = QuantileSketch.of(x[:2000]) + QuantileSketch.of(x[2000:])
    values, counts = np.unique(x, return_counts=True)
    assert ranks.n_distinct == 100
    assert ranks.whole
    np.testing.assert_array_equal(ranks.low, values)
    np.testing.assert_array_equal(ranks.count, counts)


def test_a_large_chunk_is_put_on_a_lattice_unsorted(column, present, monkeypatch):
    rng = np.random.default_rng(1)
    weight = rng.random(N)
    shuffled = rng.permutation(N)
    both = QuantileSketch.of(column[shuffled]), QuantileSketch.of(column[shuffled], weight[shuffled])
    monkeypatch.setattr("tauscope.stress.bins.quantile_sketch.find_lattice", lambda values: None)
    by_sorting = QuantileSketch.of(column), QuantileSketch.of(column, weight)
    for ranks, expected in zip(both, by_sorting, strict=True):
        inside = np.searchsorted(present, ranks.high, "right") - np.searchsorted(present, ranks.low)
        assert inside.sum() == len(present)
        assert np.all(ranks.low <= ranks.high)
        assert np.all(ranks.high[:-1] < ranks.low[1:])
        assert len(ranks.low) <= CELLS
        assert ranks.step <= 8 * expected.step
        assert (ranks.n_missing, ranks.whole) == (expected.n_missing, expected.whole)
        ends = np.searchsorted(expected.low, ranks.low)
        if ranks.step >= expected.step:  # each cell is some of those
            np.testing.assert_allclose(ranks.count, np.add.reduceat(expected.count, ends), rtol=1e-9)
        np.testing.assert_allclose(ranks.total, expected.total, rtol=1e-12)
        np.testing.assert_allclose([ranks.mean, ranks.sd], [expected.mean, expected.sd], rtol=1e-12)
        np.testing.assert_allclose(np.clip(ranks.means, ranks.low, ranks.high), ranks.means, rtol=1e-15)


def test_a_lattice_is_for_many_values_that_lie_together():
    random = np.random.default_rng(0)
    x = random.normal(size=N)
    step, first, n = find_lattice(x)
    assert np.log2(step) == int(np.log2(step))
    assert (first, first + n - 1) == (np.floor(x.min() / step), np.floor(x.max() / step))
    assert find_lattice(x[:1000]) is None
    assert find_lattice(random.integers(0, 5000, N).astype(float)) is None
    assert find_lattice(np.append(x, 1e6)) is None
    assert find_lattice(np.full(N, np.nan)) is None
    with_gaps = np.where(random.random(N) < 0.1, np.nan, x)
    assert find_lattice(with_gaps) is not None
    whole = QuantileSketch.of(random.integers(0, 10**6, N).astype(float))
    assert whole.step > 0
    assert whole.whole


def test_no_rows_add_nothing():
    x = QuantileSketch.of(np.array([1.0, np.nan, 3.0]))
    both = QuantileSketch.of(np.zeros(0)) + x + QuantileSketch.of(np.array([np.nan]))
    assert (both.n, both.n_missing, both.mean) == (2, 2, 2.0)


@pytest.mark.slow
@pytest.mark.parametrize("quantile", [0.05, 0.2, 0.001])
def test_windows_hold_what_tau_means(column, ranks, present, quantile):
    intervals = order_intervals(ranks, quantile, 0.005)
    windows = [
        reduce(add, [QuantileWindow.of(np.sort(column[p][~np.isnan(column[p])]), *ends) for p in row_chunks(N, 3)])
        for ends in intervals
    ]

    def at(rank):
        return value_at(windows, rank, present[0], present[-1], len(present))

    result, expected = (
        order_range(len(present), ranks.mean, present[0], present[-1], at, quantile),
        tau_range(present, quantile),
    )
    assert (result.low, result.high, result.reached) == (expected.low, expected.high, expected.reached)
    for level in (0.005, 0.995):
        assert interpolate_quantile(len(present), level, at) == np.quantile(present, level)


def test_a_window_tells_what_lies_below_in_any_order():
    x = np.round(np.random.default_rng(0).normal(size=50_000), 2)
    window = QuantileWindow.of(x, -0.5, 0.25)
    values, counts = np.unique(x[(x >= -0.5) & (x <= 0.25)], return_counts=True)
    np.testing.assert_array_equal(window.values, values)
    np.testing.assert_array_equal(window.counts, counts)
    assert window.below == np.count_nonzero(x < -0.5)
    assert window.below_excess == pytest.approx((x[x < -0.5] + 0.5).sum(), rel=1e-12)
    assert QuantileWindow.of(np.zeros(0), 0, 1).counts.sum() == 0


def test_what_no_window_holds_is_refused():
    window = QuantileWindow.of(np.arange(100.0), 10, 20)
    assert value_at([window], 15, 0, 99, 100) == 15
    with pytest.raises(InputError, match="laid out for other rows"):
        value_at([window], 50, 0, 99, 100)
