"""Rows of a column of many different values summed over the sub-bins of a layout, in blocks that stay in the cache."""

# Decided in docs/decisions/0017-no-pass-over-chunks-sorts-a-column.md.

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.bins.binned import BinnedSums, End, empty_sums, keep_heaviest
from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.stress.bins.layout import Layout
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.bins.weight_powers import count_columns, weight_powers
from tauscope.stress.column.grouped import RowsByBin, count_rows, sort_rows, spread_over
from tauscope.stress.column.sketch import CHUNK
from tauscope.stress.histogram import Bars
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]
Rows = NDArray[np.bool_]

MOST_SORTED = 1 << 16
"""Sub-bins whose numbers are sorted digit by digit; rows of more are counted as they come."""
SAMPLED = 16
"""One value in so many tells about where the outermost begin."""


@dataclass(frozen=True)
class _Block:
    """Rows with a value, in the order of their sub-bins.

    Attributes
    ----------
    x, offset : ndarray of shape (n_rows,)
        In the column's unit, and standardised from the sub-bin's centre.
    weight : ndarray of shape (n_rows,) or None
    groups : RowsByBin
        By sub-bin and cell.
    reals : list of ndarray
        Values of the quantities' powers.
    """

    x: Array
    offset: Array
    weight: Array | None
    groups: RowsByBin
    reals: list[Array]

    def spread(self, of_sub_bins: NDArray[Any]) -> NDArray[Any]:
        """Give each row what an array has for its sub-bin."""
        return spread_over(self.groups.bins, of_sub_bins)


def sum_rows(
    values: Array, quantities: Quantities, layout: Layout, weight: Array | None = None, *, windows: bool = True
) -> BinnedSums:
    """Sum over a chunk of rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        In the column's unit; NaN where a row has no value.
    quantities : Quantities
        Of the same rows.
    layout : Layout
    weight : ndarray of shape (n_rows,), optional
        Of the same rows, non-negative.
    windows : bool
        Whether to keep the values in the layout's windows too; False leaves these empty.

    Raises
    ------
    InputError
        For a value outside the layout's range, in a row of weight above zero.
    """
    start = empty_sums(layout, quantities.n_sums)
    missing = np.isnan(values)
    rest = sums_where(missing, quantities, weight)
    counted = ~missing if weight is None else ~missing & (weight > 0)
    seen = values if counted.all() else values[counted]
    check_range(seen, layout)
    heaviest = None if weight is None else keep_heaviest(HeaviestRows.of(values, weight), layout)
    bars = start.bars
    for block in _blocks(values, missing, weight, quantities, layout):
        _add_moments(block, quantities, start.moments)
        _add_slices(block, layout, start.slices)
        bars = bars + _bars(block, layout)
    _total_cells(start.moments, quantities)
    if not len(seen):
        return replace(start, rest=rest, heaviest=heaviest)
    low, high = float(seen.min()), float(seen.max())
    return BinnedSums(
        layout,
        start.moments,
        rest,
        start.slices,
        _windows(seen, None if weight is None else weight[counted], layout) if windows else start.windows,
        *(_outermost(seen, layout.n_extreme + 1) if weight is None else (start.lowest, start.highest)),
        End(low, sums_where(counted & (values == low), quantities, weight)),
        End(high, sums_where(counted & (values == high), quantities, weight)),
        bars,
        heaviest,
    )


def check_range(values: Array, layout: Layout) -> None:
    """Refuse values outside the layout's range."""
    low, high = layout.around.minimum, layout.around.maximum
    first, last = float(values.min(initial=low)), float(values.max(initial=high))
    if first < low or last > high:
        n_out = np.count_nonzero(values < low) + np.count_nonzero(values > high)
        raise InputError(
            f"Values must lie in the range that the sketch was laid out for, {low:g} to {high:g}; {n_out:,} do not, "
            f"down to {values.min():g} and up to {values.max():g}. Make a sketch of all rows."
        )


def sums_where(rows: Rows, quantities: Quantities, weight: Array | None = None) -> Array:
    """Return the sums of every quantity over some rows, shape (Q,), or (5Q,) where rows are weighted."""
    selected = np.flatnonzero(rows)
    n_cells, n_sums = quantities.n_cells, quantities.n_sums
    out = np.zeros(count_columns(n_sums, weight is not None))
    for block, power in enumerate(weight_powers(None if weight is None else weight[selected])):
        sums = out[block * n_sums : (block + 1) * n_sums]
        sums[0] = len(selected) if power is None else power.sum()
        sums[1 : 1 + n_cells] = np.bincount(quantities.cell[selected], power, n_cells)
    for first in range(int(selected[0]) // CHUNK * CHUNK, int(selected[-1]) + 1, CHUNK) if len(selected) else ():
        slice_ = slice(np.searchsorted(selected, first), np.searchsorted(selected, first + CHUNK))
        in_chunk = selected[slice_]
        if len(in_chunk):
            reals = quantities.reals(slice(first, first + CHUNK), in_chunk - first)
            for block, power in enumerate(weight_powers(None if weight is None else weight[in_chunk])):
                out[block * n_sums + 1 + n_cells : (block + 1) * n_sums] += [
                    float((g if power is None else power * g).sum()) for g in reals
                ]
    return out


def _blocks(
    values: Array, missing: Rows, weight: Array | None, quantities: Quantities, layout: Layout
) -> Iterator[_Block]:
    n_sub_bins, n_cells = len(layout.centres), quantities.n_cells
    group = sort_rows if n_sub_bins <= MOST_SORTED else count_rows
    for first in range(0, len(values), CHUNK):
        rows = slice(first, first + CHUNK)
        x, cell, v = values[rows], quantities.cell[rows], None if weight is None else weight[rows]
        present = None
        if missing[rows].any():
            present = np.flatnonzero(~missing[rows])
            x, cell = x[present], cell[present]
        if not len(x):
            continue
        z = layout.scale(x)
        groups = group(layout.find_sub_bins(z), cell, n_sub_bins, n_cells)
        in_bins = groups.order
        order = in_bins if present is None else present[in_bins]
        offset = z[in_bins] - spread_over(groups.bins, layout.centres)
        v = None if v is None else v[order]
        yield _Block(x[in_bins], offset, v, groups, quantities.reals(rows, order))


def _add_moments(block: _Block, quantities: Quantities, moments: Array) -> None:
    groups, v = block.groups, block.weight
    n_cells, n_sums, (orders, n_sub_bins, _) = quantities.n_cells, quantities.n_sums, moments.shape
    for layer, power in enumerate(weight_powers(v)):
        sums = moments[:, :, layer * n_sums : (layer + 1) * n_sums]
        for m in range(1 if v is not None and layer == 0 else orders):  # unweighted: numbers of rows alone
            sums[m, :, 1 : 1 + n_cells] += groups.cells.sum(power).reshape(n_sub_bins, n_cells)
            for j, g in enumerate(block.reals, 1 + n_cells):
                sums[m, :, j] += groups.bins.sum(g if power is None else g * power)
            if m < orders - 1:
                power = block.offset if power is None else power * block.offset


def _total_cells(moments: Array, quantities: Quantities) -> None:
    """Put the sums over all rows before those over the cells."""
    blocks = moments.reshape(*moments.shape[:2], -1, quantities.n_sums)
    blocks[..., 0] = blocks[..., 1 : 1 + quantities.n_cells].sum(-1)


def _add_slices(block: _Block, layout: Layout, slices: Array) -> None:
    fine, power = layout.find_slices(block.offset, block.spread), block.weight
    for degree in range(3):
        slices[degree] += np.bincount(fine, power, slices.shape[1])
        power = block.offset if power is None else power * block.offset


def _bars(block: _Block, layout: Layout) -> Bars:
    x, v = block.x, block.weight
    if v is not None:
        x, v = x[v > 0], v[v > 0]
    return Bars.of(x, layout.edges, (layout.around.minimum, layout.around.maximum), v)


def _windows(values: Array, weight: Array | None, layout: Layout) -> tuple[QuantileWindow, ...]:
    intervals: list[tuple[float, float]] = layout.windows.tolist()
    if weight is None:
        return tuple(QuantileWindow.of(values, low, high) for low, high in intervals)
    return tuple(QuantileWindow.of_weight(values, weight, low, high) for low, high in intervals)


def _outermost(values: Array, n: int) -> tuple[Array, Array]:
    """Return the `n` smallest and the `n` largest values, both ascending."""
    sample = np.sort(values[::SAMPLED])
    rank = (5 * n) // (4 * SAMPLED) + SAMPLED
    if rank < len(sample) // 4:
        lowest, highest = values[values <= sample[rank]], values[values >= sample[-1 - rank]]
        if len(lowest) >= n and len(highest) >= n:
            return np.sort(lowest)[:n].copy(), np.sort(highest)[-n:].copy()
    ascending = np.sort(values)
    return ascending[:n].copy(), ascending[-n:].copy()
