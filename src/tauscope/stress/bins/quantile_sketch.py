"""Where the values of a column lie, from chunks: their order in cells, without the rows.

The first pass of a sketch of rows beyond memory. Cells are single values while these are few,
else pieces of a lattice whose step is a power of two: lattices of two steps nest, so that summaries of any chunks
add, whatever range each of them saw.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CELLS = 16384
SPREAD = 1024.0
"""How many times as far as the middle cells the first and last count for the step of the lattice."""
PIECES, COARSER = 1 << 17, 8.0
"""Most pieces of a lattice on which a chunk is put unsorted, and how much coarser than the cells it may be."""
BLOCK = 1 << 16


@dataclass(frozen=True)
class QuantileSketch:
    """Cells of a column's values in ascending order; every value of one lies below every value of the next.

    Attributes
    ----------
    step : float
        Of the lattice, a power of two; 0 while each cell is one value.
    low, high : ndarray of shape (n_cells,)
        Smallest and largest value in each cell.
    count : ndarray of shape (n_cells,)
        Rows, or their weight.
    first, second : ndarray of shape (n_cells,)
        Sums of (x - low) and (x - low)² over the cell's rows, weighted as they are counted.
    n_missing : int
        Rows without a value.
    whole : bool
        Whether every value is a whole number.
    """

    step: float
    low: Array
    high: Array
    count: NDArray[Any]
    first: Array
    second: Array
    n_missing: int
    whole: bool

    @classmethod
    def of(cls, values: Array, weight: Array | None = None) -> "QuantileSketch":
        """Summarise a chunk of shape (n_rows,); NaN marks a row without a value. Rows count by their weights."""
        lattice = find_lattice(values)
        if lattice is not None:
            return cls._of_lattice(values, weight, *lattice)._limit_cells()
        order = None if weight is None else np.argsort(values)
        x = np.sort(values) if order is None else values[order]
        n = len(x) - int(np.count_nonzero(np.isnan(values)))
        x = x[:n]
        start = np.flatnonzero(np.append(True, x[1:] != x[:-1])) if n else np.zeros(0, np.intp)
        low, zeros = x[start], np.zeros(len(start))
        count = np.diff(np.append(start, n)).astype(np.int64)
        if weight is not None and order is not None and n:
            count = np.add.reduceat(weight[order][:n], start)
        whole = bool(np.all(low == np.floor(low)))
        return cls(0.0, low, low, count, zeros, zeros, len(values) - n, whole)._limit_cells()

    @classmethod
    def _of_lattice(cls, values: Array, weight: Array | None, step: float, first: float, n: int) -> "QuantileSketch":
        """Summarise a chunk piece by piece of a lattice, unsorted: `n` pieces from the one of number `first`."""
        low, high = np.full(n, np.inf), np.full(n, -np.inf)
        sums = np.zeros((3, n))
        n_missing, whole, per_unit = 0, True, 1 / step  # a power of two too: products are exact, and quicker
        for start in range(0, len(values), BLOCK):
            x, v = values[start : start + BLOCK], None if weight is None else weight[start : start + BLOCK]
            present = ~np.isnan(x)
            if not present.all():
                n_missing += int(np.count_nonzero(~present))
                x, v = x[present], None if v is None else v[present]
            number = np.floor(x * per_unit)
            offset = x - number * step
            piece = (number - first).astype(np.intp)
            np.minimum.at(low, piece, x)
            np.maximum.at(high, piece, x)
            for degree, of_offset in enumerate((None, offset, offset * offset)):
                by_weight = of_offset if v is None else v if of_offset is None else v * of_offset
                sums[degree] += np.bincount(piece, by_weight, n)
            whole = whole and bool(np.all(x == np.floor(x)))
        filled = np.flatnonzero(low < np.inf)
        low, high, (count, linear, square) = low[filled], high[filled], sums[:, filled]
        # from the start of each piece to its smallest value
        shift = low - (first + filled) * step
        square = np.maximum(square - 2 * shift * linear + count * shift**2, 0.0)
        linear = np.clip(linear - count * shift, 0.0, count * (high - low))
        count = count if weight is not None else count.astype(np.int64)
        return cls(step, low, high, count, linear, np.where(high > low, square, 0.0), n_missing, whole)

    @property
    def n(self) -> int:
        """Rows that have a value."""
        return int(self.count.sum())

    @property
    def total(self) -> float:
        """Rows that have a value, or their weight."""
        return float(self.count.sum())

    @property
    def n_distinct(self) -> int | None:
        """Number of different values; None where it is too large to have been followed."""
        return len(self.low) if self.step == 0 else None

    @property
    def means(self) -> Array:
        """Mean of each cell's rows."""
        return self.low + self.first / self.count

    @property
    def mean(self) -> float:
        """Mean of the values, strictly between the smallest and the largest where these differ."""
        low, high = float(self.low[0]), float(self.high[-1])
        mean = low + float(np.sum(self.count * (self.low - low) + self.first)) / self.total
        return min(max(mean, float(np.nextafter(low, high))), float(np.nextafter(high, low)))

    @property
    def sd(self) -> float:
        """Standard deviation of the values."""
        mean = self.mean
        half_range = max(float(self.high[-1]) - mean, mean - float(self.low[0]))
        offset, first = (self.low - mean) / half_range, self.first / half_range
        square = float(np.sum(self.second / half_range**2 + 2 * offset * first + self.count * offset**2))
        return half_range * float(np.sqrt(square / self.total))

    def bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return an interval that holds the values of ranks first … last, counted from 0."""
        ends = np.cumsum(self.count)
        cell = np.searchsorted(ends, [max(first, 0), min(last, self.n - 1)], side="right")
        return float(self.low[cell[0]]), float(self.high[cell[1]])

    def bracket_share(self, first: float, last: float) -> tuple[float, float]:
        """Return an interval that holds the values from one share of the weight to another, with a cell to spare."""
        ends: Array = np.cumsum(self.count, dtype=np.float64)
        total = float(ends[-1])
        before, after = (int(np.searchsorted(ends, share * total)) for share in (first, last))
        return float(self.low[max(before - 1, 0)]), float(self.high[min(after + 1, len(ends) - 1)])

    def __add__(self, other: "QuantileSketch") -> "QuantileSketch":
        """Return the summary of both row sets."""
        step = max(self.step, other.step)
        sketches = [sketch._merge_cells(step) if sketch.step < step else sketch for sketch in (self, other)]
        low, high, count, first, second = (
            np.concatenate([getattr(sketch, name) for sketch in sketches])
            for name in ("low", "high", "count", "first", "second")
        )
        order = np.argsort(low, kind="stable")
        n_missing = self.n_missing + other.n_missing
        whole = self.whole and other.whole
        merged = QuantileSketch(
            step, low[order], high[order], count[order], first[order], second[order], n_missing, whole
        )
        return merged._merge_cells(step)._limit_cells()

    def _limit_cells(self) -> "QuantileSketch":
        """Coarsen the lattice until there are no more than 16,384 cells."""
        if len(self.low) <= CELLS:
            return self
        step = 2 * self.step or 2.0 ** float(np.floor(np.log2(self._span() / CELLS)) - 10)
        while np.count_nonzero(np.diff(np.floor(self.low / step))) >= CELLS:
            step *= 2
        return self._merge_cells(step)

    def _span(self) -> float:
        """Return over how much the cells spread, without those far off: a few would leave the others no lattice."""
        outer = len(self.low) // 10
        middle = float(self.high[-1 - outer]) - float(self.low[outer])
        return min(float(self.high[-1]) - float(self.low[0]), SPREAD * middle)

    def _merge_cells(self, step: float) -> "QuantileSketch":
        """Put together cells of one piece of the lattice; of one value for step 0."""
        if not len(self.low):
            return self
        piece = np.floor(self.low / step) if step else self.low
        start = np.flatnonzero(np.append(True, piece[1:] != piece[:-1]))
        size = np.diff(np.append(start, len(piece)))
        low = self.low[start]
        offset = self.low - np.repeat(low, size)
        return QuantileSketch(
            step,
            low,
            np.maximum.reduceat(self.high, start),
            np.add.reduceat(self.count, start),
            np.add.reduceat(self.first + self.count * offset, start),
            np.add.reduceat(self.second + 2 * offset * self.first + self.count * offset**2, start),
            self.n_missing,
            self.whole,
        )


def find_lattice(values: Array) -> tuple[float, float, int] | None:
    """Find a lattice on which a chunk can be summarised unsorted.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value.

    Returns
    -------
    step, first : float
        A power of two, and the number of the piece that holds the smallest value.
    n : int
        Pieces up to the one of the largest value.

    None for few rows or few different values, and for a lattice that is too coarse where most rows lie, because others
    lie far off.
    """
    if len(values) < 2 * CELLS:
        return None
    sample = np.sort(values[:: len(values) // (2 * CELLS)])
    sample = sample[: len(sample) - int(np.count_nonzero(np.isnan(sample)))]
    if np.count_nonzero(np.diff(sample)) < CELLS:
        return None
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    span = float(sample[-1 - len(sample) // 10] - sample[len(sample) // 10])
    step = 2.0 ** float(np.ceil(np.log2((high - low) / (PIECES - 2))))
    if step > COARSER * span / CELLS:
        return None
    first = float(np.floor(low / step))
    return step, first, int(np.floor(high / step) - first) + 1
