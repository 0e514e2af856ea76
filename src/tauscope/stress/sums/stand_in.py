"""A chunk in whose place another stands, with quantities of its own: what is summed of it is what these say."""

# Decided in docs/decisions/0037-a-stand-in-says-what-is-summed-of-a-block.md.

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.joint.constraints import Moment
from tauscope.stress.metrics import Quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.chunk import Measurable, RowChunk
from tauscope.stress.sums.groups import GroupReader

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StandInRows:
    """Some rows of a chunk."""

    quantities: Quantities

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return none, as no metric of these is a spread."""
        return {}


class StandIn(ABC):
    """A chunk whose rows, weights and features are those of another one.

    Parameters
    ----------
    chunk : RowChunk
    """

    def __init__(self, chunk: RowChunk) -> None:
        self.chunk = chunk
        self.n_rows = chunk.n_rows

    @abstractmethod
    def quantities_of(self, rows: NDArray[np.intp] | slice) -> Quantities:
        """Return what some rows are summed of."""

    @property
    def quantities(self) -> Quantities:
        """What all rows are summed of."""
        return self.quantities_of(slice(None))

    def part(self, rows: NDArray[np.intp]) -> Measurable:
        """Return some of the rows, by their places."""
        return StandInRows(self.quantities_of(rows))

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return none, as no metric of these is a spread."""
        return {}

    @property
    def weight(self) -> Array | None:
        """As of the chunk itself."""
        return self.chunk.weight

    @property
    def outcomes(self) -> Outcomes:
        """As of the chunk itself."""
        return self.chunk.outcomes

    @property
    def scores(self) -> tuple[float, float]:
        """As of the chunk itself."""
        return self.chunk.scores

    def values(self, name: str) -> Array:
        """As of the chunk itself."""
        return self.chunk.values(name)

    def moment(self, constraint: Moment) -> Array:
        """As of the chunk itself."""
        return self.chunk.moment(constraint)


@dataclass(frozen=True)
class InnerGroups:
    """Groups of the chunks that others stand for."""

    groups: GroupReader

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """Return the position of each row's group."""
        return self.groups.codes(cast(StandIn, chunk).chunk)
