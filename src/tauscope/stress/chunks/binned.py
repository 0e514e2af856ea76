"""A column of many different values as sums over its rows: what can be added up, chunk by chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.chunks.layout import Layout
from tauscope.stress.chunks.windows import Window
from tauscope.stress.column.sketch import CHUNK, COARSE, MomentSketch
from tauscope.stress.histogram import Bars
from tauscope.stress.indices import Quantities

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
class Binned:
    """Sums over some rows of a column, of one layout.

    Attributes
    ----------
    layout : Layout
    moments : ndarray of shape (1 + order, n_pieces, Q)
        Sums of (z - c)^m g.
    rest : ndarray of shape (Q,)
        Sums of g over rows without a value.
    slices : ndarray of shape (3, n_slices)
        Rows, and sums of the distance from the piece's centre and of its square.
    windows : tuple of Window
    lowest, highest : ndarray
        The smallest and the largest values, ascending.
    minimum, maximum : End
    bars : Bars
    """

    layout: Layout
    moments: Array
    rest: Array
    slices: Array
    windows: tuple[Window, ...]
    lowest: Array
    highest: Array
    minimum: End
    maximum: End
    bars: Bars

    @property
    def n(self) -> int:
        """Rows that have a value."""
        return int(self.moments[0, :, 0].sum())

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.rest[0])

    def __add__(self, other: "Binned") -> "Binned":
        """Return the sums over both row sets; the layouts are the same."""
        keep = self.layout.n_extreme + 1
        return Binned(
            self.layout,
            self.moments + other.moments,
            self.rest + other.rest,
            self.slices + other.slices,
            tuple(a + b for a, b in zip(self.windows, other.windows, strict=True)),
            np.sort(np.concatenate([self.lowest, other.lowest]))[:keep],
            np.sort(np.concatenate([self.highest, other.highest]))[-keep:],
            _joined(self.minimum, other.minimum, self.minimum.value < other.minimum.value),
            _joined(self.maximum, other.maximum, self.maximum.value > other.maximum.value),
            self.bars + other.bars,
        )

    def in_bins(self, quantities: Quantities) -> MomentSketch:
        """Return the sketch that the rows in memory would have given."""
        layout, bins = self.layout, self.layout.bins
        orders = 1 + bins.n_moments
        shift = layout.centres - np.repeat(bins.centres, layout.pieces)
        moments = np.zeros((1, orders, len(bins.centres), self.moments.shape[2]))
        for m in range(orders):
            sums = sum(
                (comb(m, j) * shift[:, None] ** (m - j) * self.moments[j] for j in range(m + 1)),
                np.zeros_like(self.moments[0]),
            )
            moments[0, m] = np.add.reduceat(sums, layout.first[:-1], axis=0)
        moments[:, COARSE + 1 :, :, sorted(quantities.only_squares)] = 0.0
        return MomentSketch(bins, moments, self.rest[None])


def nothing(layout: Layout, n_sums: int) -> Binned:
    """Return the sums over no rows."""
    none = np.zeros(0)
    return Binned(
        layout,
        np.zeros((1 + layout.order, len(layout.centres), n_sums)),
        np.zeros(n_sums),
        np.zeros((3, int(layout.first_slice[-1]))),
        tuple(Window(low, high, 0, none, np.zeros(0, np.int64)) for low, high in layout.windows.tolist()),
        none,
        none,
        End(np.inf, np.zeros(n_sums)),
        End(-np.inf, np.zeros(n_sums)),
        Bars.of(none, layout.edges, (layout.around.minimum, layout.around.maximum)),
    )


def collect(values: Array, quantities: Quantities, layout: Layout) -> Binned:
    """Sum over a chunk of rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        In the column's unit; NaN where a row has no value.
    quantities : Quantities
        Of the same rows.
    layout : Layout

    Raises
    ------
    InputError
        For a value outside the range that the layout knows.
    """
    start = nothing(layout, quantities.n_sums)
    ascending = np.sort(values[~np.isnan(values)])
    check_range(ascending, layout)
    rest = start.rest
    for first in range(0, len(values), CHUNK):
        rest = rest + _sum_rows(values, slice(first, first + CHUNK), quantities, layout, start.moments, start.slices)
    if not len(ascending):
        return Binned(
            layout, start.moments, rest, start.slices, start.windows,
            start.lowest, start.highest, start.minimum, start.maximum, start.bars,
        )  # fmt: skip
    keep = layout.n_extreme + 1
    low, high = float(ascending[0]), float(ascending[-1])
    return Binned(
        layout,
        start.moments,
        rest,
        start.slices,
        tuple(Window.of(ascending, *ends) for ends in layout.windows.tolist()),
        ascending[:keep].copy(),
        ascending[-keep:].copy(),
        End(low, sums_where(values == low, quantities)),
        End(high, sums_where(values == high, quantities)),
        Bars.of(ascending, layout.edges, (layout.around.minimum, layout.around.maximum)),
    )


def check_range(ascending: Array, layout: Layout) -> None:
    """Refuse values outside the range that the layout knows."""
    low, high = layout.around.minimum, layout.around.maximum
    n_out = int(np.searchsorted(ascending, low)) + len(ascending) - int(np.searchsorted(ascending, high, "right"))
    if n_out:
        raise InputError(
            f"Values must lie in the range that the sketch was laid out for, {low:g} to {high:g}; {n_out:,} do not, "
            f"down to {ascending[0]:g} and up to {ascending[-1]:g}. Make a sketch of all rows."
        )


def sums_where(rows: NDArray[np.bool_], quantities: Quantities) -> Array:
    """Return the sums of every quantity over some rows, shape (Q,)."""
    chosen = np.flatnonzero(rows)
    out = np.zeros(quantities.n_sums)
    out[0] = len(chosen)
    if not len(chosen):
        return out
    n_cells = quantities.n_cells
    out[1 : 1 + n_cells] = np.bincount(quantities.cell[chosen], minlength=n_cells)
    for first in range(int(chosen[0]) // CHUNK * CHUNK, int(chosen[-1]) + 1, CHUNK):
        here = chosen[np.searchsorted(chosen, first) : np.searchsorted(chosen, first + CHUNK)]
        if len(here):
            reals = quantities.reals(slice(first, first + CHUNK))
            out[1 + n_cells :] += [float(g[here - first].sum()) for g in reals]
    return out


def _sum_rows(
    values: Array, rows: slice, quantities: Quantities, layout: Layout, moments: Array, slices: Array
) -> Array:
    """Add a slice of the rows to moments and slices, and return the sums over those without a value."""
    x, cell, reals = values[rows], quantities.cell[rows], quantities.reals(rows)
    n_cells, n_pieces = quantities.n_cells, len(layout.centres)
    missing, rest = np.isnan(x), np.zeros(quantities.n_sums)
    if missing.any():
        rest[0] = np.count_nonzero(missing)
        rest[1 : 1 + n_cells] = np.bincount(cell[missing], minlength=n_cells)
        rest[1 + n_cells :] = [float(g[missing].sum()) for g in reals]
        x, cell, reals = x[~missing], cell[~missing], [g[~missing] for g in reals]
    z = layout.scale(x)
    piece = layout.piece_of(z)
    offset = z - layout.centres[piece]
    both = piece * n_cells + cell
    power: Array | None = None
    for m in range(1 + layout.order):
        counts = np.bincount(both, power, n_pieces * n_cells).reshape(n_pieces, n_cells)
        moments[m, :, 1 : 1 + n_cells] += counts
        moments[m, :, 0] += counts.sum(1)
        for j, g in enumerate(reals, 1 + n_cells):
            moments[m, :, j] += np.bincount(piece, g if power is None else g * power, n_pieces)
        power = offset if power is None else power * offset
    fine = layout.slice_of(piece, offset)
    for degree, weight in enumerate((None, offset, offset**2)):
        slices[degree] += np.bincount(fine, weight, slices.shape[1])
    return rest


def _joined(own: End, other: End, first: bool) -> End:
    if own.value == other.value:
        return End(own.value, own.sums + other.sums)
    return own if first else other


def same_layout(a: Layout, b: Layout) -> bool:
    """Tell whether two layouts are the same to the last digit."""
    arrays: Sequence[str] = ("pieces", "slices", "windows", "edges")
    return (
        a.around == b.around
        and a.scale == b.scale
        and (a.n_rows, a.order) == (b.n_rows, b.order)
        and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)
    )
