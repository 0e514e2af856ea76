"""The order of a feature's values in chunks, as grids take it, and a thousand values that stand for these."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.effects.curves.grids import rank_of
from tauscope.rows.schema import ColumnSchema
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Look = Callable[[list[tuple[float, float]]], list[QuantileWindow]]
"""Reads the values of a feature inside some intervals: a pass over the chunks."""

DRAWN = 1000
"""Values that stand for the rows where a feature is drawn or described."""


@dataclass(frozen=True)
class FeatureValues:
    """The values of one feature, from chunks.

    Attributes
    ----------
    ranks : QuantileSketch
        Rows by value; the grid follows from these, whatever the rows weigh.
    masses : QuantileSketch or None
        Weight by value, rows of weight zero left out; None where rows are not weighted.
    missing : float
        Weight of the rows without a value; their number where rows are not weighted.
    """

    ranks: QuantileSketch
    masses: QuantileSketch | None
    missing: float

    @classmethod
    def of(cls, values: Array, weight: Array | None) -> "FeatureValues":
        """Read some rows; NaN marks one without a value."""
        missing = np.isnan(values)
        if weight is None:
            return cls(QuantileSketch.of(values), None, float(np.count_nonzero(missing)))
        counted = weight > 0
        masses = QuantileSketch.of(values[counted], weight[counted])
        return cls(QuantileSketch.of(values), masses, float(weight[missing].sum()))

    def __add__(self, other: "FeatureValues") -> "FeatureValues":
        """Return the values of both row sets."""
        masses = None if self.masses is None or other.masses is None else self.masses + other.masses
        return FeatureValues(self.ranks + other.ranks, masses, self.missing + other.missing)

    @property
    def sample(self) -> Array:
        """A thousand values with the distribution of the rows as they are weighted; NaN for missing."""
        return sample_values(self.ranks if self.masses is None else self.masses, self.missing)

    def column(self, schema: ColumnSchema) -> Column:
        """Return a column with the distribution of all rows, a thousand of them."""
        missing = self.ranks.n_missing
        if schema.kind != "numeric":
            codes = np.where(np.isnan(self.sample), -1, self.sample).astype(np.int32)
            return Column(schema.name, schema.kind, codes=codes, levels=schema.levels, n_missing=missing)
        order = SketchedValues(self.ranks)
        return _ColumnOfAllRows(
            schema.name, "numeric", numbers=self.sample, lower=order.low, upper=order.high, n_missing=missing,
            unit=schema.unit, whole=order.whole,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _ColumnOfAllRows(Column):
    """A column that knows whether all numbers of the rows it stands for are whole."""

    whole: bool = False

    @property
    def integer(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.whole


def sample_values(cells: QuantileSketch, missing: float) -> Array:
    """Return a thousand values with the distribution of cells, each of few different ones among them.

    Parameters
    ----------
    cells : QuantileSketch
    missing : float
        What rows without a value count, in the unit of the cells' counts; they are NaN.
    """
    total = cells.total + missing
    if not len(cells.low) or total <= 0:
        return np.full(DRAWN, np.nan)
    n = max(DRAWN - int(np.ceil(DRAWN * missing / total)), 2)
    if cells.n_distinct is not None and len(cells.low) <= DRAWN // 4:
        times = np.maximum(np.round(n * cells.count / cells.total), 1).astype(np.int64)
        times[np.argmax(times)] += n - times.sum()
        present = np.repeat(cells.low, np.maximum(times, 1))[:n]
    else:
        places = np.searchsorted(np.cumsum(cells.count), np.linspace(0, cells.total, n), side="right")
        present = cells.means[places.clip(max=len(cells.low) - 1)]
        present[[0, -1]] = cells.low[0], cells.high[-1]
    return np.append(present, np.full(DRAWN - len(present), np.nan))


@dataclass(frozen=True)
class SketchedValues:
    """The order of values that are known in cells; see `tauscope.effects.curves.grids.ValueOrder`.

    Attributes
    ----------
    ranks : QuantileSketch
    look : callable, optional
        Called where single values of a cell are needed.
    """

    ranks: QuantileSketch
    look: Look | None = None

    @property
    def n(self) -> int:
        """Rows with a value."""
        return self.ranks.n

    @property
    def n_missing(self) -> int:
        """Rows without."""
        return self.ranks.n_missing

    @property
    def low(self) -> float:
        """Smallest value; NaN without any."""
        return float(self.ranks.low[0]) if self.n else np.nan

    @property
    def high(self) -> float:
        """Largest value; NaN without any."""
        return float(self.ranks.high[-1]) if self.n else np.nan

    @property
    def whole(self) -> bool:
        """Whether there are values, and all are whole numbers."""
        return bool(self.n and self.ranks.whole)

    @property
    def distinct(self) -> Array | None:
        """Values that occur; None where they are too many to be known."""
        return None if self.ranks.n_distinct is None else self.ranks.low

    @property
    def counts(self) -> Ints:
        """Rows that have each."""
        return self.ranks.count

    def frequent(self, most: float) -> tuple[Array, Ints]:
        """See `ValueOrder`; a cell of several values with more rows than that is looked into."""
        ranks = self.ranks
        cell = np.flatnonzero(ranks.count > most)
        single = cell[ranks.low[cell] == ranks.high[cell]]
        values, counts = [ranks.low[single]], [ranks.count[single]]
        mixed = cell[ranks.low[cell] < ranks.high[cell]]
        for window in self._windows([(float(ranks.low[c]), float(ranks.high[c])) for c in mixed]):
            big = window.counts > most
            values.append(window.values[big])
            counts.append(window.counts[big])
        heavy, rows = np.concatenate(values), np.concatenate(counts)
        order = np.argsort(heavy)
        return heavy[order], rows[order]

    def quantiles(self, levels: Array, without: tuple[Array, Ints]) -> Array:
        """See `ValueOrder`; the cells that hold them are looked into."""
        others = _without(self.ranks, *without)
        ranks = [rank_of(others.n, level) for level in levels]
        if others.n_distinct is not None:
            return others.low[np.searchsorted(np.cumsum(others.count), ranks, side="right")]
        found = self._windows(sorted({others.bracket(rank, rank) for rank in ranks}))
        windows = [_light(window, *without) for window in found]
        first, last = windows[0].at(0), windows[-1].at(others.n - 1)
        assert first is not None
        assert last is not None
        return np.array([value_at(windows, rank, first, last, others.n) for rank in ranks])

    def _windows(self, intervals: list[tuple[float, float]]) -> list[QuantileWindow]:
        if not intervals:
            return []
        assert self.look is not None
        return self.look(intervals)


def _without(ranks: QuantileSketch, heavy: Array, counts: Ints) -> QuantileSketch:
    """Return the order of the rows that have none of the heavy values; cells keep their ends."""
    cell = np.searchsorted(ranks.low, heavy, side="right") - 1
    count = ranks.count.copy()
    np.subtract.at(count, cell, counts)
    kept = count > 0
    sums = {name: getattr(ranks, name)[kept] for name in ("low", "high", "first", "second")}
    return replace(ranks, count=count[kept], **sums)


def _light(window: QuantileWindow, heavy: Array, counts: Ints) -> QuantileWindow:
    """Leave the heavy values out of a window."""
    below = window.below - int(counts[heavy < window.low].sum())
    light = ~np.isin(window.values, heavy)
    return QuantileWindow(window.low, window.high, below, window.values[light], window.counts[light])
