"""A column of many different values as sums over its rows: what can be added up, chunk by chunk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.chunked.heaviest_rows import HeaviestRows
from tauscope.stress.chunked.layout import Layout
from tauscope.stress.chunked.quantile_windows import QuantileWindow
from tauscope.stress.chunked.weight_powers import count_columns, layers, weight_powers
from tauscope.stress.column.sketch import CHUNK, COARSE, MomentSketch
from tauscope.stress.histogram import Bars
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class End:
    """The smallest or largest value and the sums over the rows that have it.

    Attributes
    ----------
    value : float
        ±∞ where there are no rows.
    sums : ndarray of shape (Q,)
    """

    value: float
    sums: Array


@dataclass(frozen=True)
class BinnedSums:
    """Sums over some rows of a column, of one layout.

    Attributes
    ----------
    layout : Layout
    moments : ndarray of shape (1 + order, n_sub_bins, Q), or 5Q where rows are weighted
        Sums of (z - c)^m g over the rows of a sub-bin; `tauscope.stress.chunked.weight_powers` says how those of
        weighted rows lie.
    rest : ndarray of shape (Q,) or (5Q,)
        Sums of g over rows without a value.
    slices : ndarray of shape (3, n_slices)
        Rows, and sums of the distance from the sub-bin's centre and of its square; weighted as the rows are.
    windows : tuple of QuantileWindow
        Of weight where rows are weighted.
    lowest, highest : ndarray
        The smallest and the largest values, ascending; none where rows are weighted.
    minimum, maximum : End
    bars : Bars
    heaviest : HeaviestRows or None
        None where rows are not weighted.
    """

    layout: Layout
    moments: Array
    rest: Array
    slices: Array
    windows: tuple[QuantileWindow, ...]
    lowest: Array
    highest: Array
    minimum: End
    maximum: End
    bars: Bars
    heaviest: HeaviestRows | None = None

    @property
    def weighted(self) -> bool:
        """Whether rows are weighted."""
        return self.heaviest is not None

    @property
    def n(self) -> int:
        """Rows that have a value."""
        return int(self.moments[0, :, 0].sum())

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.rest[0])

    def __add__(self, other: "BinnedSums") -> "BinnedSums":
        """Return the sums over both row sets; the layouts are the same."""
        n_ends = self.layout.n_extreme + 1
        return BinnedSums(
            self.layout,
            self.moments + other.moments,
            self.rest + other.rest,
            self.slices + other.slices,
            tuple(a + b for a, b in zip(self.windows, other.windows, strict=True)),
            np.sort(np.concatenate([self.lowest, other.lowest]))[:n_ends],
            np.sort(np.concatenate([self.highest, other.highest]))[-n_ends:],
            _join_ends(self.minimum, other.minimum, self.minimum.value < other.minimum.value),
            _join_ends(self.maximum, other.maximum, self.maximum.value > other.maximum.value),
            self.bars + other.bars,
            None
            if self.heaviest is None or other.heaviest is None
            else keep_heaviest(self.heaviest + other.heaviest, self.layout),
        )

    def to_sketch(self, quantities: Quantities) -> MomentSketch:
        """Return the sketch that the rows in memory would have given."""
        layout, bins = self.layout, self.layout.bins
        orders = 1 + bins.n_moments
        shift = layout.centres - np.repeat(bins.centres, layout.n_sub_bins)
        by_power = layers(self.moments, self.weighted)
        moments = np.zeros((len(by_power), orders, len(bins.centres), by_power.shape[3]))
        for m in range(orders):
            sums = sum(
                (comb(m, j) * shift[:, None] ** (m - j) * by_power[:, j] for j in range(m + 1)),
                np.zeros_like(by_power[:, 0]),
            )
            moments[:, m] = np.add.reduceat(sums, layout.first_sub_bin[:-1], axis=1)
        # what the rows in memory would not have summed, so that both give the same intervals
        moments[:, COARSE + 1 :, :, sorted(quantities.only_squares)] = 0.0
        return MomentSketch(bins, moments, layers(self.rest, self.weighted))


def empty_sums(layout: Layout, n_sums: int) -> BinnedSums:
    """Return the sums over no rows."""
    no_values = np.zeros(0)
    n_sums = count_columns(n_sums, layout.weighted)
    counts, squared = (no_values, no_values) if layout.weighted else (np.zeros(0, np.int64), None)
    return BinnedSums(
        layout,
        np.zeros((1 + layout.order, len(layout.centres), n_sums)),
        np.zeros(n_sums),
        np.zeros((3, int(layout.first_slice[-1]))),
        tuple(QuantileWindow(low, high, 0, no_values, counts, 0.0, squared) for low, high in layout.windows.tolist()),
        no_values,
        no_values,
        End(np.inf, np.zeros(n_sums)),
        End(-np.inf, np.zeros(n_sums)),
        Bars.of(no_values, layout.edges, (layout.around.minimum, layout.around.maximum)),
        HeaviestRows.of(no_values, no_values) if layout.weighted else None,
    )


def sum_rows(values: Array, quantities: Quantities, layout: Layout, weight: Array | None = None) -> BinnedSums:
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

    Raises
    ------
    InputError
        For a value outside the layout's range, in a row of weight above zero.
    """
    start = empty_sums(layout, quantities.n_sums)
    counted = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)
    ascending = np.sort(values[counted])
    check_range(ascending, layout)
    rest = start.rest
    for first in range(0, len(values), CHUNK):
        rows = slice(first, first + CHUNK)
        rest = rest + _add_rows(values, weight, rows, quantities, layout, start.moments, start.slices)
    heaviest = None if weight is None else keep_heaviest(HeaviestRows.of(values, weight), layout)
    if not len(ascending):
        return replace(start, rest=rest, heaviest=heaviest)
    n_ends = layout.n_extreme + 1
    low, high = float(ascending[0]), float(ascending[-1])
    windows = [QuantileWindow.of(ascending, *ends) for ends in layout.windows.tolist()] if weight is None else [
        QuantileWindow.of_weight(values[counted], weight[counted], *ends) for ends in layout.windows.tolist()
    ]  # fmt: skip
    return BinnedSums(
        layout,
        start.moments,
        rest,
        start.slices,
        tuple(windows),
        ascending[:n_ends].copy() if weight is None else start.lowest,
        ascending[-n_ends:].copy() if weight is None else start.highest,
        End(low, sums_where(counted & (values == low), quantities, weight)),
        End(high, sums_where(counted & (values == high), quantities, weight)),
        Bars.of(
            values[counted],
            layout.edges,
            (layout.around.minimum, layout.around.maximum),
            None if weight is None else weight[counted],
        ),
        heaviest,
    )


def keep_heaviest(heaviest: HeaviestRows, layout: Layout) -> HeaviestRows:
    """Keep the rows that can be among the heaviest in a layout's range of tilts."""
    return heaviest.keep_by_tilt(layout.scale(heaviest.values), layout.tilts, layout.n_heaviest)


def check_range(ascending: Array, layout: Layout) -> None:
    """Refuse values outside the layout's range."""
    low, high = layout.around.minimum, layout.around.maximum
    n_out = int(np.searchsorted(ascending, low)) + len(ascending) - int(np.searchsorted(ascending, high, "right"))
    if n_out:
        raise InputError(
            f"Values must lie in the range that the sketch was laid out for, {low:g} to {high:g}; {n_out:,} do not, "
            f"down to {ascending[0]:g} and up to {ascending[-1]:g}. Make a sketch of all rows."
        )


def sums_where(rows: NDArray[np.bool_], quantities: Quantities, weight: Array | None = None) -> Array:
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
            reals = quantities.reals(slice(first, first + CHUNK))
            for block, power in enumerate(weight_powers(None if weight is None else weight[in_chunk])):
                out[block * n_sums + 1 + n_cells : (block + 1) * n_sums] += [
                    float((g[in_chunk - first] if power is None else power * g[in_chunk - first]).sum()) for g in reals
                ]
    return out


def _add_rows(
    values: Array,
    weight: Array | None,
    rows: slice,
    quantities: Quantities,
    layout: Layout,
    moments: Array,
    slices: Array,
) -> Array:
    """Add a slice of the rows to moments and slices, and return the sums over those without a value."""
    x, cell, reals = values[rows], quantities.cell[rows], quantities.reals(rows)
    v = None if weight is None else weight[rows]
    n_cells, n_sub_bins, n_sums = quantities.n_cells, len(layout.centres), quantities.n_sums
    missing, rest = np.isnan(x), np.zeros(moments.shape[2])
    if missing.any():
        for block, power in enumerate(weight_powers(None if v is None else v[missing])):
            sums = rest[block * n_sums : (block + 1) * n_sums]
            sums[0] = np.count_nonzero(missing) if power is None else power.sum()
            sums[1 : 1 + n_cells] = np.bincount(cell[missing], power, n_cells)
            sums[1 + n_cells :] = [float((g[missing] if power is None else power * g[missing]).sum()) for g in reals]
        x, cell, reals = x[~missing], cell[~missing], [g[~missing] for g in reals]
        v = None if v is None else v[~missing]
    z = layout.scale(x)
    sub_bin = layout.find_sub_bins(z)
    offset = z - layout.centres[sub_bin]
    bin_and_cell = sub_bin * n_cells + cell
    for block, of_weight in enumerate(weight_powers(v)):
        sums = moments[:, :, block * n_sums : (block + 1) * n_sums]
        power = of_weight
        for m in range(1 if v is not None and block == 0 else 1 + layout.order):  # unweighted: numbers of rows alone
            counts = np.bincount(bin_and_cell, power, n_sub_bins * n_cells).reshape(n_sub_bins, n_cells)
            sums[m, :, 1 : 1 + n_cells] += counts
            sums[m, :, 0] += counts.sum(1)
            for j, g in enumerate(reals, 1 + n_cells):
                sums[m, :, j] += np.bincount(sub_bin, g if power is None else g * power, n_sub_bins)
            power = offset if power is None else power * offset
    fine = layout.find_slices(sub_bin, offset)
    for degree, of_offset in enumerate((np.ones(len(offset)), offset, offset**2)):
        slices[degree] += np.bincount(fine, of_offset if v is None else v * of_offset, slices.shape[1])
    return rest


def _join_ends(end: End, other_end: End, first: bool) -> End:
    if end.value == other_end.value:
        return End(end.value, end.sums + other_end.sums)
    return end if first else other_end


def same_layout(a: Layout, b: Layout) -> bool:
    """Tell whether two layouts are the same to the last digit."""
    arrays: Sequence[str] = ("n_sub_bins", "n_slices", "windows", "edges")
    return (
        a.around == b.around
        and a.scale == b.scale
        and (a.n_rows, a.order, a.tilts, a.n_heaviest) == (b.n_rows, b.order, b.tilts, b.n_heaviest)
        and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)
    )
