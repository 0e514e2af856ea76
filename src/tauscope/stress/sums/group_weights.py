"""How evenly the weight of a group of rows in chunks lies on its rows: what its reliability is judged by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.sums.heaviest import Heaviest, MostGained
from tauscope.weights.carriers import NO_FEW, Carriers, most_carriers
from tauscope.weights.measures import total_variation_of_shares
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroupWeights:
    """Sums over rows of one group, w being their shares of its own weight, as against all of its rows alike.

    Attributes
    ----------
    n_rows : int
        Of the group, in all chunks.
    squares, fourth : float
        Σ w² and Σ w⁴.
    tv : float
        ½ Σ |w - 1/n_rows|.
    n_held : int
        Rows that keep weight.
    heaviest : Heaviest
    gained : MostGained
    most : int
        Of the heaviest rows that are kept.
    """

    n_rows: int
    squares: float
    fourth: float
    tv: float
    n_held: int
    heaviest: Heaviest
    gained: MostGained
    most: int

    @classmethod
    def of(cls, share: Array, n_rows: int, n_counted: int) -> "GroupWeights":
        """Sum some rows of a group that has `n_rows`, of which `n_counted` have a weight above zero before a stress."""
        alike, most = np.full(len(share), 1 / n_rows), tail_size(n_counted) + 1
        return cls(
            n_rows,
            float(share @ share),
            float(np.sum(share**4)),
            total_variation_of_shares(share, alike),
            int(np.count_nonzero(share)),
            Heaviest.of(share, alike, most),
            MostGained.of(share, alike, most_carriers(n_rows)),
            most,
        )

    def __add__(self, other: "GroupWeights") -> "GroupWeights":
        """Return the same of both row sets."""
        return GroupWeights(
            self.n_rows,
            self.squares + other.squares,
            self.fourth + other.fourth,
            self.tv + other.tv,
            self.n_held + other.n_held,
            self.heaviest.joined(other.heaviest, self.most),
            self.gained + other.gained,
            self.most,
        )

    @property
    def ess(self) -> float:
        """Effective sample size, rows; 0 without weight."""
        return 1 / self.squares if self.squares > 0 else 0.0

    @property
    def degrees_of_freedom(self) -> float:
        """(Σw²)² / Σw⁴, those of Student's t."""
        return self.squares**2 / self.fourth

    @property
    def pareto_k(self) -> float:
        """Pareto k̂ of the largest weights."""
        return self.heaviest.pareto_k(1.0, 1.0, self.n_held)

    @property
    def carriers(self) -> Carriers:
        """The few rows that carry the group's weight."""
        return self.gained.carriers(self.tv) if self.n_rows > 1 else NO_FEW
