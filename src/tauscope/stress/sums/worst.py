"""The worst reweighting of any rows, of rows that come in chunks: where a metric adds to few different values.

A rate counts cells, and a loss of few values is known by the weight of each: all rows with one value are weighted alike
by the worst reweighting within a distance, so that the values and their weights are all that it takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import SummedMetric
from tauscope.stress.sums.balance import sum_balance
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.population import PopulationSums, measure_population
from tauscope.stress.worst.rows import Parts

Array = NDArray[np.float64]

MOST_VALUES = 100_000
"""Different values that are kept."""


@dataclass(frozen=True)
class ValueMasses:
    """The weight of the rows with each value of what a metric adds up, w being shares of all weight.

    Attributes
    ----------
    values : ndarray of shape (n_values,)
        Ascending; of cells their numbers.
    masses : ndarray of shape (n_values, 2)
        Σ w and Σ w² of each.
    fourth : float
        Σ w⁴ over all rows.
    """

    values: Array
    masses: Array
    fourth: float

    def __add__(self, other: "ValueMasses") -> "ValueMasses":
        """Return the same of both row sets; of too many values one more than are kept."""
        values, place = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        masses = np.zeros((len(values), 2))
        np.add.at(masses, place.ravel(), np.concatenate([self.masses, other.masses]))
        return ValueMasses(values[: MOST_VALUES + 1], masses[: MOST_VALUES + 1], self.fourth + other.fourth)

    @property
    def too_many(self) -> bool:
        """Whether there are more values than are kept, so that these are no answer."""
        return len(self.values) > MOST_VALUES


def sum_values(metric: SummedMetric, weight: float, total: MapReduce) -> ValueMasses:
    """Sum the weight of every value of a ratio's cells, or of what a mean is of: one pass, which stops at none.

    Parameters
    ----------
    metric : SummedMetric
        A ratio, a mean or the root of one.
    weight : float
        Of all rows.
    total : MapReduce
    """
    return total(_sum_values, metric, weight, plus=ValueMasses.__add__)


def parts_of_values(metric: SummedMetric, found: ValueMasses) -> Parts:
    """Take a metric apart by the values that its rows have."""
    if metric.form == "ratio":
        cells = found.values.astype(np.intp)
        return Parts(metric.top[cells], metric.bottom[cells], None)
    ones = np.ones(len(found.values))
    return Parts(found.values, ones, None, metric.centre, metric.unit, metric.form == "root_mean")


@dataclass(frozen=True)
class FactorTilt:
    """Weights that are the rows' own times a factor for each value.

    Attributes
    ----------
    metric : SummedMetric
    values, factor : ndarray of shape (n_values,)
    total : float
        Weight of all rows.
    """

    metric: SummedMetric
    values: Array
    factor: Array
    total: float

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """See `tauscope.stress.sums.projection.Tilt`; one column of Φ, which is 0."""
        before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / self.total
        place = np.searchsorted(self.values, _values(chunk, self.metric))
        return np.zeros((chunk.n_rows, 1)), np.zeros(1), before, before * self.factor[place]


def measure_worst(
    tilt: FactorTilt, features: Sequence[str], centres: Array, total: MapReduce, *, n_counted: int, n_rows: int
) -> tuple[PopulationSums, Array]:
    """Measure the worst weights, and how they move the means of features: two passes.

    Returns
    -------
    weights : PopulationSums
    sums : ndarray of shape (p, 5)
        As `tauscope.stress.sums.balance.balance_of` takes them.
    """
    weights = measure_population(tilt, n_counted, n_rows, total)
    return weights, total(_sum_means, tilt, tuple(features), centres, plus=np.add)


def _values(chunk: RowChunk, metric: SummedMetric) -> Array:
    quantities = chunk.quantities
    if metric.form == "ratio":
        return quantities.cell.astype(np.float64)
    return quantities.powers[metric.power].values(slice(None)).astype(np.float64, copy=False)


def _sum_values(chunk: RowChunk, metric: SummedMetric, weight: float) -> ValueMasses:
    share = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / weight
    values, place = np.unique(_values(chunk, metric), return_inverse=True)
    sums = [np.bincount(place.ravel(), each, len(values)) for each in (share, share**2)]
    masses = np.column_stack(sums).astype(np.float64)
    return ValueMasses(values[: MOST_VALUES + 1], masses[: MOST_VALUES + 1], float(np.sum(share**4)))


def _sum_means(chunk: RowChunk, tilt: FactorTilt, features: Sequence[str], centres: Array) -> Array:
    *_, before, share = tilt.shares(chunk)
    return sum_balance(chunk, features, centres, before, share)
