"""Decisions at other thresholds of a score: the metrics of each, what each costs, and which costs least."""

# Decided in docs/decisions/0010-a-threshold-is-a-set-of-cells.md.

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.prediction.stopping import steps
from tauscope.stress.joint.cells import CellSums
from tauscope.stress.joint.estimates import Regression, cell_influence
from tauscope.stress.metric_forms import MeanRatioDefinition, OutcomeCells, RatioDefinition
from tauscope.stress.metrics import Quantities, SummedMetric, cell_metric

Array = NDArray[np.float64]

COST = "cost"
DRAWS = 4000
"""Of normal numbers, for the largest of many differences: its 95 % point is off by 1 % or so."""
IN_CACHE = 1 << 14
"""Differences of draws handled at once."""
SLACK = 0.1
"""Share of a standard error, more than rounding adds to that of a difference that hardly varies."""
SAME = 1e-12
"""Share of the larger of two variances, or of the costs together, below which a difference is rounding."""


@dataclass(frozen=True)
class Costs:
    """What a decision costs, in any unit; what is negative is a gain.

    Attributes
    ----------
    fp, fn, tp, tn : float
        Of a false positive, a false negative, a true positive and a true negative.
    """

    fp: float = 0.0
    fn: float = 0.0
    tp: float = 0.0
    tn: float = 0.0

    @property
    def of_missing(self) -> Array:
        """What it costs more that a row is decided negative, by its true class."""
        return np.array([self.tn - self.fp, self.fn - self.tp])

    def of(self, cells: OutcomeCells) -> Array:
        """Return the cost of a row of each cell."""
        by_truth = np.array([[self.tn, self.fp], [self.fn, self.tp]])
        return by_truth[cells.truth, cells.predicted]


class Decisions:
    """Rows by their true class and by how many of some thresholds their score reaches.

    Parameters
    ----------
    score : ndarray of shape (n_rows,)
    truth : ndarray of shape (n_rows,) or None
        1 for the positive class, else 0; None where it is unknown.
    thresholds : ndarray of shape (n,)
        Ascending. A row is decided positive at those that its score is not below.
    """

    def __init__(self, score: Array, truth: NDArray[np.integer] | None, thresholds: Array) -> None:
        self.n_thresholds = len(thresholds)
        self.n_steps = len(thresholds) + 1
        reached = np.searchsorted(thresholds, score, side="right")
        cell = reached if truth is None else truth * self.n_steps + reached
        self.has_truth = truth is not None
        self.quantities = Quantities(cell.astype(np.int32), self.n_steps * (1 + self.has_truth), ())

    def cells(self, place: int) -> OutcomeCells:
        """Return what the cells stand for where the threshold at a place decides."""
        positive = (np.arange(self.n_steps) > place).astype(np.intp)
        if not self.has_truth:
            return OutcomeCells(positive, None)
        truth = np.repeat([0, 1], self.n_steps)
        predicted = np.tile(positive, 2)
        return OutcomeCells(predicted, predicted == truth)

    def metrics(self, definitions: Sequence[RatioDefinition | MeanRatioDefinition]) -> list[SummedMetric]:
        """Return each metric at each threshold: all of the first threshold, then all of the next."""
        columns = self._columns()
        every = [self.cells(place) for place in range(self.n_thresholds)]
        return [cell_metric(definition, cells, columns) for cells in every for definition in definitions]

    def costs(self, costs: Costs) -> list[SummedMetric]:
        """Return the mean cost of a row at each threshold."""
        columns, ones = self._columns(), np.ones(self.quantities.n_cells)
        return [
            SummedMetric(COST, "cost per row", "value", "ratio", columns, columns, "plain", costs.of(cells), ones)
            for cells in map(self.cells, range(self.n_thresholds))
        ]

    def n_reached(self, weights: Array | NDArray[np.integer]) -> int:
        """Return how many of the thresholds some row reaches: at all others every row is decided negative.

        Parameters
        ----------
        weights : ndarray of shape (n_cells,)
            Non-negative, of the rows of each cell.
        """
        return int(np.flatnonzero(weights.reshape(-1, self.n_steps).any(axis=0)).max(initial=0))

    def _columns(self) -> tuple[int, ...]:
        return tuple(range(1, 1 + self.quantities.n_cells))


class CostsAlong(NamedTuple):
    """The mean cost at each threshold, and how these vary together.

    Attributes
    ----------
    value : ndarray of shape (n,)
    covariance : ndarray of shape (n, n)
    """

    value: Array
    covariance: Array


def costs_of_sums(
    quantities: Quantities, regression: Regression, sums: CellSums, target_covariance: Array
) -> CostsAlong:
    """Estimate the cost at every threshold from sums over the rows.

    Parameters
    ----------
    quantities : Quantities
        Of any rows.
    regression : Regression
        Of the costs.
    sums : CellSums
        Of squared shares.
    target_covariance : ndarray of shape (k, k)
        On the scale of the shares.
    """
    slopes = regression.slopes
    of_rows = sums.products(cell_influence(quantities, regression), slopes)
    return CostsAlong(regression.values, of_rows + slopes.T @ target_covariance @ slopes)


class Best(NamedTuple):
    """The threshold of least cost.

    Attributes
    ----------
    place : int
        Of the least estimated cost, the first of several.
    inside : ndarray of bool of shape (n,)
        Thresholds that cannot be told from the best.
    """

    place: int
    inside: NDArray[np.bool_]


def best_thresholds(costs: Sequence[CostsAlong], confidence: float) -> list[Best]:
    """Find the threshold of least cost, and those that could be it, of each group of rows.

    Parameters
    ----------
    costs : sequence of CostsAlong
        Finite, at the same thresholds.
    confidence : float
        At least the probability with which the threshold that truly costs least is among `inside`.

    Notes
    -----
    A threshold stays unless some other one costs less by more than chance makes of it: unless
    max_s (c_t - c_s) / se_ts is beyond its quantile for normal errors of that covariance, were all costs alike. The
    best one stays with at least that probability, for its c_t - c_s are then 0 or less [a set of the best as in
    Hansen, Lunde and Nason 2011, each threshold tested against all]. The quantile is of 4,000 fixed draws.
    """
    if not costs:
        return []
    normal = np.random.default_rng(0).standard_normal((DRAWS, len(costs[0].value)))
    # in standard errors no difference is longer than the draw that it is made of
    most = (1 + SLACK) * float(np.quantile(np.linalg.norm(normal, axis=1), confidence))
    return [_best(each, normal @ _root(each.covariance).T, confidence, most) for each in steps(costs)]


def _best(costs: CostsAlong, draws: Array, confidence: float, most: float) -> Best:
    """Find the best threshold; `draws`, of shape (n_draws, n), are of normal errors of the costs.

    A threshold that costs more than another by `most` standard errors is beyond the quantile for sure.
    """
    value, covariance = costs
    own = np.diag(covariance)
    spread = own[:, None] + own - 2 * covariance
    spread = np.where(spread > SAME * np.maximum(own[:, None], own), spread, 0.0)
    scale = np.where(spread > 0, 1 / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0)
    found = np.max((value[:, None] - value) * scale, axis=1)
    inside = found <= most
    near = np.flatnonzero(inside)
    inside[near] = found[near] <= np.quantile(_largest_differences(draws, scale, near), confidence, axis=1)
    # alike in every row, and so in cost, or dearer for certain
    certain = (spread == 0) & (value[:, None] - value > SAME * np.abs(value).max())
    least = value <= float(value.min()) + SAME * float(np.abs(value).max())
    return Best(int(np.flatnonzero(least)[0]), inside & ~certain.any(axis=1))


def _largest_differences(draws: Array, scale: Array, places: NDArray[np.intp]) -> Array:
    """Return max_s (x_t - x_s) scale_ts of every draw x, for some t, shape (n_places, n_draws)."""
    out = np.empty((len(places), len(draws)))
    size = max(1, IN_CACHE // len(scale))
    for start in range(0, len(draws), size):
        part = np.ascontiguousarray(draws[start : start + size].T)
        room = np.empty(part.shape)
        for i, t in enumerate(places):
            np.subtract(part[t], part, out=room)
            np.multiply(room, scale[t, :, None], out=room)
            np.max(room, axis=0, out=out[i, start : start + size])
    return out


def _root(covariance: Array) -> Array:
    """Return R with R Rᵀ a covariance."""
    variances, vectors = np.linalg.eigh(covariance)
    return vectors * np.sqrt(np.maximum(variances, 0.0))


def spread_thresholds(score: Array, most: int) -> Array:
    """Return thresholds: half of them evenly over the scores, half with as many rows between any two.

    Parameters
    ----------
    score : ndarray of shape (n_rows,)
    most : int
        Every score where there are no more.
    """
    distinct = np.unique(score)
    if len(distinct) <= most:
        return distinct
    quantiles = np.quantile(score, spread_levels(most), method="higher")
    return np.union1d(even_thresholds(float(distinct[0]), float(distinct[-1]), most), quantiles)


def spread_levels(most: int) -> Array:
    """Return the levels of the quantiles that are half of so many thresholds."""
    return np.linspace(0, 1, most - most // 2 + 2)[1:-1]


def even_thresholds(low: float, high: float, most: int) -> Array:
    """Return the other half of so many thresholds, evenly over scores from `low` to `high`."""
    return np.linspace(low, high, most // 2)


def threshold_above(low: float, high: float) -> float:
    """Return the threshold that stands for all above scores from `low` to `high`: every row is decided negative.

    It is the highest score, one up in the last decimal that resolves these scores into hundreds of steps, as the widget
    writes them: it reads as another number than that score, and lies hardly farther along an axis.
    """
    span = high - low
    n_decimals = 2 if span == 0 else max(0, 2 - math.floor(math.log10(min(span, 100.0))))
    above = round(round(high, n_decimals) + 10.0**-n_decimals, n_decimals)
    return above if above > high else math.nextafter(high, math.inf)


def least_cost(score: Array, truth: NDArray[np.integer], weights: Array, costs: Costs) -> float:
    """Return the score at which to decide so that weighted rows cost least, the lowest of several.

    Parameters
    ----------
    score : ndarray of shape (n_rows,)
    truth : ndarray of shape (n_rows,)
        0 or 1.
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale.
    costs : Costs
    """
    distinct, place = np.unique(score, return_inverse=True)
    more = weights * costs.of_missing[truth]
    below = np.concatenate([[0.0], np.cumsum(np.bincount(place, more, len(distinct)))[:-1]])
    return float(distinct[np.flatnonzero(below <= below.min() + SAME * np.abs(more).sum())[0]])


class PresentThreshold(NamedTuple):
    """The threshold that made the decisions.

    Attributes
    ----------
    value : float or None
        None where no threshold makes them.
    above : float or None
        The largest score decided negative, where all that is known is that the threshold lies above it and is no
        larger than `value`, the smallest decided positive; else None.
    """

    value: float | None
    above: float | None = None


class DecidedScores(NamedTuple):
    """Between which scores a threshold that made the decisions lies.

    Attributes
    ----------
    largest, smallest : float
        The largest score decided negative and the smallest decided positive; ∓∞ for none.
    low, high : float
        Smallest and largest score.
    """

    largest: float
    smallest: float
    low: float
    high: float

    @classmethod
    def of(cls, score: Array, positive: NDArray[np.bool_]) -> "DecidedScores":
        """Read some rows."""
        return cls(
            float(np.max(score[~positive], initial=-np.inf)),
            float(np.min(score[positive], initial=np.inf)),
            float(np.min(score, initial=np.inf)),
            float(np.max(score, initial=-np.inf)),
        )

    def joined(self, other: "DecidedScores") -> "DecidedScores":
        """Return those of both row sets."""
        return DecidedScores(
            max(self.largest, other.largest),
            min(self.smallest, other.smallest),
            min(self.low, other.low),
            max(self.high, other.high),
        )

    def threshold(self, declared: Sequence[float] = ()) -> PresentThreshold:
        """Return the threshold that made the decisions: that declared, 0.5, or 0, where it can be one of these.

        Of rows that are all decided negative, it is otherwise that of `threshold_above`.
        """
        if self.largest >= self.smallest:
            return PresentThreshold(None)
        usual = (0.5, 0.0) if self.low >= 0 and self.high <= 1 else (0.0, 0.5)
        here = next((each for each in (*declared, *usual) if self.largest < each <= self.smallest), None)
        if here is not None:
            return PresentThreshold(here)
        if not np.isfinite(self.smallest):
            return PresentThreshold(threshold_above(self.low, self.high))
        return PresentThreshold(self.smallest, self.largest if np.isfinite(self.largest) else None)
