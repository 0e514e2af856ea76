"""One cell of a surface met over the rows, where bins are not accurate enough: a unit, which knows of no other cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.solver import solve
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.pair.pairs import Pairs
from tauscope.stress.pair.rows import RowSolution, is_out_of_range
from tauscope.stress.pair.sums import pair_estimates
from tauscope.stress.pair.target_error import PairTargets
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import kullback_leibler_of_shares

Array = NDArray[np.float64]
Status = Literal["solved", "limit", "infeasible", "unconverged"]

POPULATION = ("ess", "pareto_k", "kl", "tv", "n_carriers", "carried")
"""Numbers of a cell's population; none carry where there is none."""
STATUS: dict[str, Status] = {
    "solved": "solved",
    "limit": "limit",
    "outside": "infeasible",
    "unconverged": "unconverged",
}


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell and its number among all.

    Attributes
    ----------
    number : int
    target : ndarray of shape (d,)
        Means of φ.
    start : ndarray of shape (d,)
        ξ to start from.
    unstressed : bool
        Whether both τ are 0.
    """

    number: int
    target: Array
    start: Array
    unstressed: bool


@dataclass(frozen=True, eq=False)
class MetCell:
    """What one cell came to; no numbers where its target is not met.

    Attributes
    ----------
    status : {"solved", "limit", "infeasible", "unconverged"}
    xi : ndarray of shape (d,) or None
    estimates : ndarray of shape (7, k) or None
        The fields of `Estimate` of each metric asked about.
    population : tuple of float, length 6
        In the order of `POPULATION`.
    """

    status: Status
    xi: Array | None = None
    estimates: Array | None = None
    population: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class RowCells:
    """Meets the target of a cell over the rows and sums some metrics under the weights.

    Attributes
    ----------
    pairs : Pairs
    quantities : Quantities
    metrics : sequence of SummedMetric
    errors : PairTargets
    """

    pairs: Pairs
    quantities: Quantities
    metrics: Sequence[SummedMetric]
    errors: PairTargets

    def __call__(self, cell: Cell) -> MetCell:
        """Meet the target, and measure the population."""
        if self.pairs.exact:
            return self._over_pairs(cell)
        solution = RowSolution(self.pairs, cell.target, cell.start)
        status = STATUS[solution.status]
        if status not in ("solved", "limit"):
            return MetCell(status)
        return MetCell(status, solution.multipliers, self._estimates(cell, solution), solution.population())

    def _over_pairs(self, cell: Cell) -> MetCell:
        """Meet the target over the distinct pairs, each with the weight of its rows."""
        pairs = self.pairs
        mass = pairs.moments[0, 0, :, 0]
        base = mass / mass.sum()
        summary = summarise_moments(pairs.phi, base)
        if is_out_of_range(cell.target, summary):
            return MetCell("infeasible")
        solution = solve(pairs.phi, cell.target, base, summary, cell.start, 1e-10, 100)
        status = STATUS[solution.status]
        if status not in ("solved", "limit"):
            return MetCell(status)
        share = np.exp(solution.log_tilt) * base
        share /= share.sum()
        per_row = share / mass
        sums = self._estimates_of_pairs(cell, per_row)
        weights = np.repeat(per_row, np.diff(pairs.first))
        weights = weights if pairs.weight is None else weights * pairs.weight
        population = (
            float(sums[0].ess[0]),
            pareto_khat(weights, pairs.weight),
            kullback_leibler_of_shares(share, base),
            float(variation_of_bins(pairs, per_row[None])[0]),
            *few_carriers(weights, pairs.weight),
        )
        estimates = np.stack([[float(np.ravel(part)[0]) for part in one] for one in sums], axis=1)
        return MetCell(status, solution.multipliers, estimates, population)

    def _estimates_of_pairs(self, cell: Cell, per_row: Array) -> list[Estimate]:
        still, unstressed = np.zeros((1, len(cell.target))), np.array([cell.unstressed])
        covariance = self.errors.of_cells(self.pairs, np.array([cell.number]))
        return pair_estimates(self.pairs, self.metrics, cell.target[None], still, per_row[None], covariance, unstressed)

    def of_metrics(self, cell: Cell) -> Array | None:
        """Return the metrics alone, of cells met already; None where the target is not met over the rows."""
        solution = RowSolution(self.pairs, cell.target, cell.start)
        return self._estimates(cell, solution) if solution.status in ("solved", "limit") else None

    def _estimates(self, cell: Cell, solution: RowSolution) -> Array:
        covariance = self.errors.of_cells(self.pairs, np.array([cell.number]))[0]
        found = solution.estimates(self.quantities, self.metrics, covariance, unstressed=cell.unstressed)
        return np.array([[float(part) for part in estimate] for estimate in found]).T.reshape(len(Estimate._fields), -1)


def variation_of_bins(pairs: Pairs, weight: Array) -> Array:
    """Return the total variation of weights (C, n_bins) that all rows of a bin have, shape (C,)."""
    ones = pairs.moments[0, 0, :, 0]
    return np.minimum(np.maximum((weight - 1 / pairs.total) * ones, 0.0).sum(1), 1.0)
