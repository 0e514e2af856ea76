"""What the worst reweighting of any rows takes: the weight of every value that a metric adds up.

A rate counts cells, a mean adds a value of each row: all rows with one value are weighted alike by the worst
reweighting within a distance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import SummedMetric
from tauscope.stress.sums.balance import sum_balance
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.worst.rows import Parts

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ValueMasses:
    """The weight of the rows with each value of what a metric adds up, w being shares of all weight.

    Attributes
    ----------
    values : ndarray of shape (n_values,)
        Ascending; of cells their numbers, and of the one block of rows in memory those of its rows as they come.
    masses : ndarray of shape (n_values, 2)
        Σ w and Σ w² of each.
    fourth : float
        Σ w⁴ over all rows.
    most : int or None
        How many are kept, and one more; None for rows in memory.
    """

    values: Array
    masses: Array
    fourth: float
    most: int | None

    def __add__(self, other: "ValueMasses") -> "ValueMasses":
        """Return the same of both row sets; of too many values one more than are kept."""
        assert self.most is not None
        values, place = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        masses = np.zeros((len(values), 2))
        np.add.at(masses, place.ravel(), np.concatenate([self.masses, other.masses]))
        return ValueMasses(values[: self.most + 1], masses[: self.most + 1], self.fourth + other.fourth, self.most)

    @property
    def too_many(self) -> bool:
        """Whether there are more values than are kept, so that these are no answer."""
        return self.most is not None and len(self.values) > self.most


def sum_values(metric: SummedMetric, weight: float, total: MapReduce, most: int | None) -> ValueMasses:
    """Sum the weight of every value of a ratio's cells, or of what a mean is of: one pass, which stops at none.

    Parameters
    ----------
    metric : SummedMetric
        A ratio, a mean or the root of one.
    weight : float
        Of all rows.
    total : MapReduce
    most : int or None
        Different values that are kept; None for rows in memory.
    """
    return total(_sum_values, metric, weight, most, plus=ValueMasses.__add__)


def parts_of_values(metric: SummedMetric, found: ValueMasses) -> Parts:
    """Take a metric apart by the values that its rows have."""
    if metric.form == "ratio":
        cells = found.values.astype(np.intp)
        return Parts(metric.top[cells], metric.bottom[cells])
    ones = np.ones(len(found.values))
    return Parts(found.values, ones, metric.centre, metric.unit, metric.form == "root_mean")


@dataclass(frozen=True)
class FactorTilt:
    """Weights that are the rows' own times a factor for each value.

    Attributes
    ----------
    metric : SummedMetric
    values : ValueMasses
    factor : ndarray of shape (n_values,)
    total : float
        Weight of all rows.
    """

    metric: SummedMetric
    values: ValueMasses
    factor: Array
    total: float

    def weights(self, chunk: RowChunk) -> Array:
        """Return the worst weights of some rows, in the unit of their own."""
        if self.metric.form == "ratio":
            factor = self.factor[chunk.quantities.cell]
        elif self.values.most is None:
            factor = self.factor
        else:
            factor = self.factor[np.searchsorted(self.values.values, _values(chunk, self.metric))]
        return factor if chunk.weight is None else chunk.weight * factor

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """See `tauscope.stress.sums.projection.Tilt`; one column of Φ, which is 0."""
        before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / self.total
        return np.zeros((chunk.n_rows, 1)), np.zeros(1), before, self.weights(chunk) / self.total


def _values(chunk: RowChunk, metric: SummedMetric) -> Array:
    return chunk.quantities.powers[metric.power].values(slice(None)).astype(np.float64, copy=False)


def _sum_values(chunk: RowChunk, metric: SummedMetric, weight: float, most: int | None) -> ValueMasses:
    share = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / weight
    squared = share**2
    fourth = float(squared @ squared)
    if metric.form == "ratio":
        values, place = np.arange(float(len(metric.top))), chunk.quantities.cell
    elif most is None:
        return ValueMasses(_values(chunk, metric), np.column_stack([share, squared]), fourth, most)
    else:
        values, place = np.unique(_values(chunk, metric), return_inverse=True)
    sums = [np.bincount(place.ravel(), each, len(values)) for each in (share, squared)]
    masses = np.column_stack(sums).astype(np.float64)
    kept = slice(None) if most is None else slice(most + 1)
    return ValueMasses(values[kept], masses[kept], fourth, most)


def sum_means(chunk: RowChunk, tilt: FactorTilt, features: Sequence[str], centres: Array) -> Array:
    """Sum what `tauscope.stress.sums.balance.balance_of` takes, before and under the worst weights."""
    *_, before, share = tilt.shares(chunk)
    return sum_balance(chunk, features, centres, before, share)
