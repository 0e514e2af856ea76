"""Rows as they are and under a stress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tauscope.results.stress.joint_answer import support_of
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.chunked.groups import GroupSums, RowTilt
from tauscope.stress.chunked.projection import Weighted
from tauscope.stress.reliability import Support
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.study.stress.reweight import reweight

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase


class Population(NamedTuple):
    """Rows under some weights.

    Attributes
    ----------
    name : str
    weighted : Weighted
    n_beyond : float
        Rows at or beyond the target, ∞ without a move.
    in_doubt : bool
        Whether other rows might put the end of τ on that side elsewhere.
    """

    name: str
    weighted: Weighted
    n_beyond: float = np.inf
    in_doubt: bool = False

    def support(self, sums: GroupSums | None) -> Support | None:
        """Return where it leads the rows of a group; None for a group without weight."""
        if sums is None or not sums.share > 0:
            return None
        return support_of(self.n_beyond, self.in_doubt, sums.pareto_k)


def reweighted(self: StudyBase, rows: Rows, stress: Any, quantile: float, verb: str) -> Reweighting:
    """Return the reweighting that meets a stress on rows in memory; the one given, where it is one."""
    found = stress if isinstance(stress, Reweighting) else reweight(self, stress, quantile=quantile)
    found.check_usable(self.n_rows)
    return found


def moved_population(self: StudyBase, rows: Rows, reweighting: Reweighting, what: str) -> Population:
    """Return the rows under a reweighting; `what` needs it."""
    weights = reweighting.row_weights(what)
    moments = reweighted_moments(self, reweighting)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    tilt = RowTilt(moments.phi, moments.target, base / base.sum(), weights / weights.sum())
    weighted = Weighted(tilt, moments.unstressed, moments.target_covariance, moments.penalty)
    return Population(reweighting.population, weighted, moments.n_beyond, moments.in_doubt)
