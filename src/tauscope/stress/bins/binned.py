"""A column of many different values as sums over its rows: what can be added up, chunk by chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.stress.bins.layout import Layout
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.bins.weight_powers import count_columns, layers
from tauscope.stress.column.sketch import COARSE, MomentSketch
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
        Sums of (z - c)^m g over the rows of a sub-bin; `tauscope.stress.bins.weight_powers` says how those of
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


def keep_heaviest(heaviest: HeaviestRows, layout: Layout) -> HeaviestRows:
    """Keep the rows that can be among the heaviest in a layout's range of tilts."""
    return heaviest.keep_by_tilt(layout.scale(heaviest.values), layout.tilts, layout.n_heaviest)


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
