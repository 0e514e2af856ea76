"""Sums of a chunk by definition, row after row, whichever way the rows are put in order."""

import numpy as np
import pytest

from stress.bins.test_columns import binary
from stress.sketching import COLUMNS, lay_out_column
from tauscope.stress.bins import binned_rows
from tauscope.stress.bins.binned_rows import sum_rows, sums_where
from tauscope.stress.bins.layout import lay_out
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.weight_powers import weight_powers
from tauscope.stress.histogram import Bars
from tauscope.stress.metrics import define_quantities

N = 70_000  # more than one block


def rows_of(kind):
    x = COLUMNS[kind](np.random.default_rng(3), N)
    return x, define_quantities(binary(N))[0], lay_out_column(x)


def obvious(quantities, weight, rows, shifted=1.0, moved=False):
    """Sum every quantity of some rows, for each power of the weight; numbers of rows are not kept for what is moved."""
    each = [np.ones(N), *(quantities.cell == c for c in range(quantities.n_cells)), *quantities.reals(slice(0, N))]
    sums = np.array(
        [((1.0 if v is None else v) * shifted * g)[rows].sum() for v in weight_powers(weight) for g in each]
    )
    if weight is not None and moved:
        sums[: len(each)] = 0.0
    return sums


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["normal", "lognormal", "missing"])
def test_sums_are_those_of_the_rows(kind, weighted):
    x, quantities, layout = rows_of(kind)
    weight = np.random.default_rng(1).integers(0, 3, N).astype(float) if weighted else None
    if weighted:
        layout = lay_out(
            QuantileSketch.of(x[weight > 0], weight[weight > 0]), layout.around, layout.scale,
            layout.windows.tolist(), layout.edges, n_rows=N, n_heaviest=100,
        )  # fmt: skip
    sums = sum_rows(x, quantities, layout, weight)
    z = layout.scale(x)
    seen = ~np.isnan(x)
    sub_bin = np.full(N, -1)
    sub_bin[seen] = layout.find_sub_bins(z[seen])
    offset = np.where(seen, z - layout.centres[sub_bin], 0.0)
    for b in (0, 5, len(layout.centres) // 3, len(layout.centres) // 2, len(layout.centres) - 1):
        in_bin = sub_bin == b
        for m in range(1 + layout.order):
            expected = obvious(quantities, weight, in_bin, offset**m, moved=m > 0)
            np.testing.assert_allclose(sums.moments[m, b], expected, rtol=1e-11, atol=1e-14)
        at = slice(*layout.first_slice[b : b + 2])
        v = np.ones(N) if weight is None else weight
        for degree in range(3):
            expected = (v * offset**degree)[in_bin].sum()
            assert sums.slices[degree, at].sum() == pytest.approx(expected, rel=1e-11, abs=1e-14)
    np.testing.assert_allclose(sums.rest, obvious(quantities, weight, ~seen), rtol=1e-11, atol=1e-12)
    counted = seen if weight is None else seen & (weight > 0)
    assert (sums.minimum.value, sums.maximum.value) == (x[counted].min(), x[counted].max())
    lowest = obvious(quantities, weight, x == sums.minimum.value)
    np.testing.assert_allclose(sums.minimum.sums, lowest, rtol=1e-12)
    ends = sums.minimum.value, sums.maximum.value
    bars = Bars.of(x[counted], layout.edges, ends, None if weight is None else weight[counted])
    np.testing.assert_allclose(sums.bars.mass, bars.mass, rtol=1e-12)
    np.testing.assert_allclose(sums.bars.first, bars.first, rtol=1e-9, atol=1e-9)
    if weight is None:
        ascending, n = np.sort(x[seen]), layout.n_extreme + 1
        np.testing.assert_array_equal(sums.lowest, ascending[:n])
        np.testing.assert_array_equal(sums.highest, ascending[-n:])


@pytest.mark.slow
def test_more_sub_bins_than_can_be_sorted_are_counted(monkeypatch):
    x, quantities, layout = rows_of("missing")
    sorted_rows = sum_rows(x, quantities, layout)
    monkeypatch.setattr(binned_rows, "MOST_SORTED", 10)
    counted = sum_rows(x, quantities, layout)
    for name in ("moments", "slices", "rest"):
        np.testing.assert_allclose(getattr(counted, name), getattr(sorted_rows, name), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(counted.bars.mass, sorted_rows.bars.mass)


def test_outermost_values_are_found_where_a_sample_misleads():
    x = np.arange(20_000.0)
    for values in (x, x[::-1].copy(), np.where(np.arange(20_000) % 16 == 0, 0.0, x), np.zeros(20_000), x[:10]):
        ascending = np.sort(values)
        low, high = binned_rows._outermost(values, 300)
        np.testing.assert_array_equal(low, ascending[:300])
        np.testing.assert_array_equal(high, ascending[-300:])


def test_sums_of_no_rows_are_zero():
    quantities = define_quantities(binary(N))[0]
    assert not sums_where(np.zeros(N, bool), quantities).any()
