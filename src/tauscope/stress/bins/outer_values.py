"""The smallest and largest values of a quantity, kept while chunks pass: the tail of its squares is fitted to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metric_forms import PowerDefinition, Unit
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import squares
from tauscope.weights.concentration import khat_of_largest
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class OuterValues:
    """What is kept of one quantity.

    Attributes
    ----------
    lowest, highest : ndarray
        Ascending, at most `size` of each.
    n, n_zero : int
        Rows, and those of them whose value is 0.
    size : int
    """

    lowest: Array
    highest: Array
    n: int
    n_zero: int
    size: int

    @classmethod
    def of(cls, values: Array, size: int) -> "OuterValues":
        """Keep the outermost values of a chunk."""
        n, n_zero = len(values), int(np.count_nonzero(values == 0))
        if n <= 2 * size:
            ascending = np.sort(values)
            return cls(ascending[:size], ascending[-size:], n, n_zero, size)
        apart = np.partition(values, [size - 1, n - size])
        return cls(np.sort(apart[:size]), np.sort(apart[n - size :]), n, n_zero, size)

    def __add__(self, other: "OuterValues") -> "OuterValues":
        """Return the outermost values of both row sets."""
        lowest = np.sort(np.concatenate([self.lowest, other.lowest]))[: self.size]
        highest = np.sort(np.concatenate([self.highest, other.highest]))[-self.size :]
        return OuterValues(lowest, highest, self.n + other.n, self.n_zero + other.n_zero, self.size)

    def tail(self, spread: PowerDefinition, old: Unit, new: Unit) -> float:
        """Return Pareto k̂ of a spread's squares over all rows.

        Parameters
        ----------
        spread : PowerDefinition
        old : Unit
            Of the values.
        new : Unit
            That of the rows themselves, whose squares have mean 1.
        """
        if spread.quantity.squared:
            n = self.n - self.n_zero
            largest = self.highest * (old.scale / new.scale) ** 2
        else:
            n = self.n
            both = np.concatenate([self.lowest, self.highest]) if self.n > 2 * self.size else self._every()
            largest = (old.centre - new.centre) / new.scale + both * (old.scale / new.scale)
        largest = np.sort(squares(spread, largest))
        m = min(tail_size(n), n - 1, len(largest) - 1)
        if m < 1 or not largest[-m - 1] > 0:
            return 0.0
        return khat_of_largest(largest[-m - 1 :], float(self.n), 1 / self.n)

    def _every(self) -> Array:
        """Return all values of at most twice `size` rows, each once."""
        return np.concatenate([self.lowest, self.highest[max(0, len(self.highest) - (self.n - len(self.lowest))) :]])


def keep_outer(
    spreads: Iterable[PowerDefinition], outcomes: Outcomes, units: Mapping[str, Unit], size: int
) -> dict[str, OuterValues]:
    """Keep the outermost values of every quantity whose spread is a metric, by its name."""
    by_name = {each.quantity.name: each.quantity for each in spreads}
    every = slice(None)
    return {
        name: OuterValues.of(quantity.standardise(outcomes, units[name], every), size)
        for name, quantity in by_name.items()
    }
