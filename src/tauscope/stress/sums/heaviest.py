"""The rows of chunks that weigh most, and those that gained most: what k̂ and carriers are found from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.carriers import Carriers, carriers_of_gains, most_gained
from tauscope.weights.pareto import TIED, pareto_k, tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Heaviest:
    """The heaviest rows: logs of their weights, ascending, and what they weighed before."""

    logs: Array
    before: Array

    @classmethod
    def of(cls, weights: Array, before: Array, most: int) -> "Heaviest":
        """Find the heaviest of some rows, at most so many, of weight above zero."""
        held = np.flatnonzero(weights > 0)
        if len(held) > most:  # which of equal ones are left out is no matter: k̂ counts what lies above the last
            held = held[np.argpartition(weights[held], -most)[-most:]]
        logs = np.log(weights[held])
        order = np.argsort(logs, kind="stable")
        return cls(logs[order], before[held[order]])

    def joined(self, other: "Heaviest", most: int) -> "Heaviest":
        """Return the heaviest of both row sets."""
        logs, before = (np.concatenate(both) for both in ((self.logs, other.logs), (self.before, other.before)))
        order = np.argsort(logs, kind="stable")[-most:]
        return Heaviest(logs[order], before[order])

    def pareto_k(self, weight: float, before: float, n_held: int) -> float:
        """Return Pareto k̂ as `pareto_khat` does, of `n_held` rows; `weight` and `before` are of all rows together."""
        m = min(tail_size(n_held), n_held - 1)
        if m < 1:
            return 0.0
        logs, had = self.logs[-(m + 1) :], self.before[-(m + 1) :]
        excess = logs - logs[0]
        above = np.exp(excess) > 1 + TIED
        of_one = float(had[above].mean() / before) if above.any() else 0.0
        return float(pareto_k(excess[1:], float(np.exp(logs[0])) / weight, before=of_one))


@dataclass(frozen=True)
class MostGained:
    """The rows that gained most, by falling gain: what each gained and what it has, of the weight of all rows.

    Attributes
    ----------
    gain, share : ndarray
    most : int
        As many as can be carriers; one more is kept.
    """

    gain: Array
    share: Array
    most: int

    @classmethod
    def of(cls, share: Array, before: Array, most: int) -> "MostGained":
        """Find them among some rows."""
        gain = share - before
        order = most_gained(gain, most)
        return cls(gain[order], share[order], most)

    def __add__(self, other: "MostGained") -> "MostGained":
        """Return those of both row sets."""
        gain, share = (np.concatenate(both) for both in ((self.gain, other.gain), (self.share, other.share)))
        order = most_gained(gain, self.most)
        return MostGained(gain[order], share[order], self.most)

    def carriers(self, moved: float) -> Carriers:
        """Return the few rows that carry the weight moved, which is the total variation from the weights before."""
        return carriers_of_gains(self.gain, self.share, moved)
