"""Rows that come in chunks: what a chunk must provide, and how results are added over chunks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.joint.constraints import Moment
from tauscope.stress.metrics import Quantities
from tauscope.stress.outcomes import Outcomes

Array = NDArray[np.float64]
T = TypeVar("T")


class Measurable(Protocol):
    """Rows whose outcomes are known."""

    @property
    def quantities(self) -> Quantities:
        """What metrics are made of."""
        ...

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return the outermost values of every quantity whose spread is a metric, `size` on each side."""
        ...


class RowChunk(Measurable, Protocol):
    """Some of the rows."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model, NaN where there is none."""
        ...

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        ...

    @property
    def weight(self) -> Array | None:
        """Sample weights, shape (n_rows,), some above zero; None where rows are not weighted."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """What the model said of the rows, and the truth."""
        ...

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        ...

    def part(self, rows: NDArray[np.intp]) -> Measurable:
        """Return some of these rows, by their places."""
        ...


@dataclass(frozen=True)
class CountedRows:
    """The rows of a chunk that count: those of weight above zero.

    Attributes
    ----------
    rows : slice, or ndarray of bool of shape (n_rows,)
    weight : ndarray of shape (n,) or None
        Of these; None where rows are not weighted.
    total : float
        Their weight together; their number where they are not weighted.
    """

    rows: slice | NDArray[np.bool_]
    weight: Array | None
    total: float

    @classmethod
    def of(cls, chunk: RowChunk) -> "CountedRows":
        """Select the rows of weight above zero."""
        if chunk.weight is None:
            return cls(slice(None), None, float(chunk.n_rows))
        rows = chunk.weight > 0
        return cls(rows, chunk.weight[rows], float(chunk.weight.sum()))

    @property
    def base(self) -> Array | None:
        """Weights that sum to 1, shape (n,); None for equal ones."""
        return None if self.weight is None else self.weight / self.total


class MapReduce(Protocol):
    """Applies a function to every chunk and adds what it returns."""

    def __call__(self, function: Callable[..., T | None], *arguments: Any, plus: Callable[[T, T], T]) -> T:
        """Return the sum of function(chunk, *arguments) over the chunks; None adds nothing."""
        ...
