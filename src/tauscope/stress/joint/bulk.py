"""Columns in which a few values dwarf the others: a measure of spread that these do not decide.

A code for missing values such as 2⁶³ - 1 is nearly all of a column's standard deviation. In such units every other row
lies at one point: residuals are 0, every target is at the edge, two columns with codes in one row are the same.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.far_values import SAMPLE, typical_distance
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.feasibility import select_independent

Array = NDArray[np.float64]

DWARFED = 300.0
"""Standard deviation, in typical distances from the median, above which a few values are most of it."""
FAR = 30.0
"""Distance from the median, in typical ones, up to which rows are of the bulk."""


def summarise_bulk(phi: Array, target: Array, base: Array | None, summary: MomentSummary) -> MomentSummary:
    """Return a summary in whose units the rows about the target lie apart; the same one for ordinary columns.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    base : ndarray of shape (n_rows,) or None
    summary : MomentSummary
        Of `phi` under `base`.

    Returns
    -------
    MomentSummary
        Where some column is dwarfed, mean, covariance and standard deviations of the rows that no column has far off,
        the deviations about the target where it lies farther from them; the range is that of all rows.
    """
    if summary.of_bulk:
        return summary
    bulk = find_bulk(phi[:: max(1, len(phi) // SAMPLE)], summary)
    if bulk is None:
        return summary
    inside = bulk.holds(phi)
    if not inside.any() or (base is not None and not base[inside].any()):
        return summary
    near = summarise_moments(phi[inside], None if base is None else base[inside] / base[inside].sum())
    return bulk.summarise(near, target, summary)


@dataclass(frozen=True)
class Bulk:
    """Where most rows of columns lie that a few values dwarf.

    Attributes
    ----------
    middle, typical : ndarray of shape (k,)
        Median of each column, and of the distances from it.
    dwarfed : bool ndarray of shape (k,)
    """

    middle: Array
    typical: Array
    dwarfed: NDArray[np.bool_]

    def holds(self, phi: Array) -> NDArray[np.bool_]:
        """Tell of each row of Φ whether no dwarfed column has it far off."""
        inside = np.ones(len(phi), bool)
        for j in np.flatnonzero(self.dwarfed).tolist():
            inside &= np.abs(phi[:, j] - self.middle[j]) <= FAR * self.typical[j]
        return inside

    def summarise(self, near: MomentSummary, target: Array, summary: MomentSummary) -> MomentSummary:
        """Return the summary of all rows in the units of those held, `near`; see `summarise_bulk`."""
        apart = np.flatnonzero(near.low < near.high).tolist()
        if len(select_independent(near, apart)[0]) < len(select_independent(summary, apart)[0]):
            return summary  # only the rows far off tell one column from another
        sd = np.where(near.sd > 0, near.sd, summary.sd)
        away = np.abs(target - near.mean) / np.where(self.dwarfed, sd, 1.0)
        wider = np.where(self.dwarfed, np.maximum(1.0, away), 1.0)
        covariance = np.where(np.outer(near.sd > 0, near.sd > 0), near.covariance, summary.covariance)
        covariance = covariance * np.outer(wider, wider)
        return replace(summary, mean=near.mean, sd=sd * wider, covariance=covariance, of_bulk=True, spread=sd)


def find_bulk(sample: Array, summary: MomentSummary) -> Bulk | None:
    """Find where most rows lie, from some of them of shape (n, k); None where no column is dwarfed."""
    middle, typical = np.array([typical_distance(column) for column in sample.T]).T
    dwarfed = summary.sd > DWARFED * typical
    return Bulk(middle, typical, dwarfed) if dwarfed.any() else None
