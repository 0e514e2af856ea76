"""The rule of one row grown without the study and its model: what other processes are handed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.grid import Grid
from tauscope.rules.rule import GrownRule, grow_rule
from tauscope.rules.shared import shared_sdp
from tauscope.rules.sufficient import Features, SearchOptions, smallest_sufficient
from tauscope.weights.arrays import Floats


@dataclass(frozen=True, eq=False)
class RuleGrower:
    """A forest and the options of its rules.

    Attributes
    ----------
    projected : ProjectedForest
    rows : ndarray of shape (n, p)
        Training rows, as the forest holds them.
    weight : ndarray of shape (n,)
        What they count.
    stressed : ndarray of shape (n,) or None
        The same for the forest; None where all count alike.
    options : SearchOptions
    seed : int
    """

    projected: ProjectedForest
    rows: Floats
    weight: Floats
    stressed: Floats | None
    options: SearchOptions
    seed: int

    def sdp(self, same: SameDecision, columns: list[int], rows: Floats) -> Floats:
        """Return how probable a decision is at some rows given these columns: shape (n_rows,)."""
        least = self.options.min_rows
        return shared_sdp(self.projected, rows, tuple(columns), same, weight=self.stressed, min_rows=least)[:, 0]

    def grow(self, own: Floats, same: SameDecision, columns: list[int]) -> GrownRule:
        """Grow the rule of a row (p,) in the columns of a sufficient set."""
        sdp, at = self.sdp(same, columns, np.concatenate([own[None], self.rows])), np.array(columns)
        grid, values = Grid.of_trees(self.projected.trees, at), self.rows[:, at]
        return grow_rule(
            at, grid, values, own[at], sdp[1:], float(sdp[0]), self.options.pi, self.weight, seed=self.seed
        )

    def smallest(self, own: Floats, same: SameDecision) -> Features:
        """Find the smallest sufficient set of a row (p,); () where none is."""
        return smallest_sufficient(self.projected, own, same, self.options, weight=self.stressed)
