"""Metrics of all rows under the weights of one tilt, and what these weights are like: two passes over the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import (
    JointMoments,
    Regression,
    ResidualSums,
    estimate_measured,
    residual_sums,
    with_influences,
)
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.row_metrics import Measured
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.groups import GroupSums, sum_group
from tauscope.stress.sums.heaviest import MostGained
from tauscope.stress.sums.projection import Tilt, Weighted
from tauscope.weights.carriers import Carriers, most_carriers
from tauscope.weights.measures import total_variation_of_shares
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PopulationSums:
    """Sums over all rows, w being shares of their weight.

    Attributes
    ----------
    rows : GroupSums
    tv : float
        Total variation from the weights as given.
    fourth : float
        Σ w⁴.
    gained : MostGained
    scores : tuple of float
        Smallest and largest score; (∞, -∞) for none.
    """

    rows: GroupSums
    tv: float
    fourth: float
    gained: MostGained
    scores: tuple[float, float]

    def __add__(self, other: "PopulationSums") -> "PopulationSums":
        """Return the same of both sets of rows."""
        return PopulationSums(
            self.rows + other.rows,
            self.tv + other.tv,
            self.fourth + other.fourth,
            self.gained + other.gained,
            (min(self.scores[0], other.scores[0]), max(self.scores[1], other.scores[1])),
        )

    @property
    def moments(self) -> JointMoments:
        """The sums that metrics are regressed on Φ from."""
        return self.rows.as_moments(self.rows.second)

    @property
    def degrees_of_freedom(self) -> float:
        """(Σw²)² / Σw⁴, those of Student's t."""
        return float(self.rows.squared[0]) ** 2 / self.fourth

    @property
    def largest(self) -> float:
        """Largest share of all weight that a row has."""
        return float(np.exp(self.rows.heaviest.logs[-1]))

    @property
    def carriers(self) -> Carriers:
        """The few rows that carry the weight moved."""
        return self.gained.carriers(self.tv)


class KeptRows(NamedTuple):
    """How many rows are kept of a chunk: the heaviest with outer values, and those that gained most."""

    sizes: tuple[int, int]
    gained: int


def measure_population(tilt: Tilt, n_counted: int, n_rows: int, total: MapReduce) -> PopulationSums:
    """Measure weights, and metrics before and under them: one pass over the rows.

    Parameters
    ----------
    tilt : Tilt
    n_counted, n_rows : int
        Rows of weight above zero, and in all.
    total : MapReduce
    """
    return total(sum_population, tilt, kept_rows(n_counted, n_rows), plus=PopulationSums.__add__)


def kept_rows(n_counted: int, n_rows: int) -> KeptRows:
    """Return how many rows of each chunk are kept, of so many of weight above zero, and in all."""
    return KeptRows((tail_size(n_counted) + 1, tail_size(n_rows) + 1), most_carriers(n_counted))


def regress_population(
    weighted: Weighted, sums: PopulationSums, metrics: Sequence[SummedMetric], total: MapReduce
) -> tuple[Regression, list[Estimate]]:
    """Estimate metrics under weights, as `joint_estimates` does: one more pass over the rows.

    Parameters
    ----------
    weighted : Weighted
    sums : PopulationSums
        As measured.
    metrics : sequence of SummedMetric
    total : MapReduce

    Returns
    -------
    regression : Regression
    estimates : list of Estimate
    """
    regression = weighted.regress(sums.rows.linear(metrics), sums.moments)
    measured = sums.rows.measured
    residuals = total(_sum_residuals, weighted.tilt, regression, measured, plus=ResidualSums.__add__)
    return regression, estimate_measured(regression, residuals, weighted.target_covariance, measured)


def sum_population(chunk: RowChunk, tilt: Tilt, kept: KeptRows) -> PopulationSums:
    """Sum a chunk's rows under a tilt."""
    phi, target, before, share = tilt.shares(chunk)
    return PopulationSums(
        sum_group(chunk, None, phi, target, before, share, kept.sizes, one_of_several=False),
        total_variation_of_shares(share, before),
        float(np.sum(share**4)),
        MostGained.of(share, before, kept.gained),
        chunk.scores,
    )


def _sum_residuals(
    chunk: RowChunk, tilt: Tilt, regression: Regression, measured: Mapping[str, Measured]
) -> ResidualSums:
    phi, target, _, share = tilt.shares(chunk)
    return residual_sums(with_influences(chunk.quantities, measured), phi, target, share, regression)
