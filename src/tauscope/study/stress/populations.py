"""Rows as they are and under a stress."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.results.stress.joint_answer import support_of
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.chunked.groups import GroupSums, RowTilt
from tauscope.stress.chunked.projection import Tilt
from tauscope.stress.reliability import Support
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.study.stress.reweight import reweight

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]


class SolvedMoments(Protocol):
    """A stress in numbers, as far as estimates under it take them."""

    @property
    def unstressed(self) -> bool: ...
    @property
    def target_covariance(self) -> Array: ...
    @property
    def n_beyond(self) -> float: ...
    @property
    def in_doubt(self) -> bool: ...


class Population(NamedTuple):
    """Rows under some weights.

    Attributes
    ----------
    name : str
    tilt : Tilt
    moments : SolvedMoments or None
        None for the rows as they are.
    penalty : ndarray of shape (k,) or None
        As in `tauscope.stress.joint.estimates.joint_estimates`.
    """

    name: str
    tilt: Tilt
    moments: SolvedMoments | None = None
    penalty: Array | None = None

    @property
    def unstressed(self) -> bool:
        """Whether every mean is the one the rows have anyway."""
        return self.moments is None or self.moments.unstressed

    @property
    def target_covariance(self) -> Array:
        """What rows add to the targets, see `tauscope.stress.joint.estimates.joint_estimates`."""
        return np.zeros((1, 1)) if self.moments is None else self.moments.target_covariance

    def support(self, sums: GroupSums | None) -> Support | None:
        """Return where it leads the rows of a group; None for a group without weight."""
        if sums is None or not sums.share > 0:
            return None
        moments = self.moments
        n_beyond, in_doubt = (np.inf, False) if moments is None else (moments.n_beyond, moments.in_doubt)
        return support_of(n_beyond, in_doubt, sums.pareto_k)


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
    return Population(reweighting.population, tilt, moments, moments.penalty)
