"""Metrics that no fixed sums tell, from all rows at once: ranks of the score, R², and fits to its log odds.

Each gives its value under some weights and the influence of every row on it, which averages to 0 under them. Scores are
ranked once; a value is then one pass over the ranks.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.calibration.recalibration import fit_intercept, fit_slope, log_odds
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.score_steps import misordered
from tauscope.weights.measures import effective_size_of_sums

Array = NDArray[np.float64]
ROUNDING = 1e-13
"""Standard deviation of a truth, relative to its size, that is none but rounding."""
LEAST_EXPLAINED = 1e-70
"""Variance of a truth, relative to the squared error, below which R² and its own variance leave the range of floats."""
RowMeasure = Literal["roc_auc", "average_precision", "r2", "calibration_intercept", "calibration_slope"]
FITS = {"calibration_intercept": fit_intercept, "calibration_slope": fit_slope}


NO_WEIGHT = 1e-150
"""Share of a class that counts as none: the squares of what one row adds then are no floats."""


class Measured(NamedTuple):
    """A metric under some weights.

    Attributes
    ----------
    value : float
        NaN where it is not defined: no weight on one of the two classes, or a truth that does not vary.
    influence : ndarray of shape (n_rows,)
        0 where the value is not defined.
    denominator, events, non_events : float
        As in `tauscope.stress.estimates.Estimate`: the effective rows of the rarer class; of ranks misordered rows, and
        again the rarer class, or rows in order; of fits effective positives and negatives; of R² the effective number
        of rows that its squared errors come from.
    """

    value: float
    influence: Array
    denominator: float
    events: float
    non_events: float


@dataclass(frozen=True)
class RowMetric:
    """One metric of given rows.

    Attributes
    ----------
    measure : {"roc_auc", "average_precision", "r2", "calibration_intercept", "calibration_slope"}
    first : ndarray of shape (n_rows,)
        Dense ranks of the score, from 0, its log odds, or predicted values.
    second : ndarray of shape (n_rows,)
        Whether a row is positive, or the truth.
    """

    measure: RowMeasure
    first: NDArray[np.integer] | Array
    second: NDArray[np.bool_] | Array

    @classmethod
    def of(cls, measure: RowMeasure, outcomes: Outcomes) -> "RowMetric":
        """Read what the metric takes; ranks are sorted here, once."""
        assert outcomes.truth is not None
        if measure == "r2":
            return cls(measure, outcomes.predicted.astype(np.float64), outcomes.truth.astype(np.float64))
        assert outcomes.score is not None
        if measure in FITS:
            return cls(measure, log_odds(outcomes.score), outcomes.truth == 1)
        ranks = np.unique(outcomes.score, return_inverse=True)[1].ravel()
        return cls(measure, ranks, outcomes.truth == 1)

    def take(self, rows: NDArray[np.integer]) -> "RowMetric":
        """Return the same metric of some rows, or of these in another order."""
        return replace(self, first=self.first[rows], second=self.second[rows])

    def __call__(self, share: Array) -> Measured:
        """Measure under weights of shape (n_rows,) that sum to 1."""
        if self.measure == "r2":
            return _r_squared(self.first.astype(np.float64, copy=False), self.second.astype(np.float64), share)
        positive = self.second.astype(np.bool_, copy=False)
        w_positive, w_negative = share * positive, share * ~positive
        totals = float(w_positive.sum()), float(w_negative.sum())
        sizes = [_effective(weights) for weights in (w_positive, w_negative)]
        if min(totals) < NO_WEIGHT:
            return _undefined(len(share))
        if self.measure in FITS:
            odds = self.first.astype(np.float64, copy=False)
            value, influence = FITS[self.measure](odds, positive.astype(np.float64), share)
            return Measured(value, influence, min(sizes), *sizes)
        rank = self.first.astype(np.intp, copy=False)
        n_ranks = int(rank.max()) + 1
        of_positives, of_negatives = (
            np.bincount(rank, weights, n_ranks).astype(np.float64, copy=False) for weights in (w_positive, w_negative)
        )
        of_measure = _roc_auc if self.measure == "roc_auc" else _average_precision
        value, of_positive, of_negative = of_measure(of_positives, of_negatives, *totals)
        influence = np.where(positive, of_positive[rank], of_negative[rank])
        wrong, right = misordered(of_positives, of_negatives), misordered(of_negatives, of_positives)[::-1]
        out_of_order, in_order = (
            min(_effective(w_positive * beside[0][rank]), _effective(w_negative * beside[1][rank]))
            for beside in (wrong, right)
        )
        return Measured(value, influence, min(sizes), out_of_order, min(*sizes, in_order))


def _effective(parts: Array) -> float:
    """Return the effective number of rows that a sum comes from."""
    return float(effective_size_of_sums(np.array(float(parts.sum())), np.array(float(parts @ parts))))


def _undefined(n_rows: int) -> Measured:
    return Measured(np.nan, np.zeros(n_rows), 0.0, 0.0, 0.0)


def _roc_auc(
    of_positives: Array, of_negatives: Array, positives: float, negatives: float
) -> tuple[float, Array, Array]:
    """Return the AUC, and the influence of a positive and of a negative of each rank; ties count half."""
    beaten = (np.cumsum(of_negatives) - 0.5 * of_negatives) / negatives
    beating = (positives - np.cumsum(of_positives) + 0.5 * of_positives) / positives
    value = float(of_positives @ beaten) / positives
    return value, (beaten - value) / positives, (beating - value) / negatives


def _average_precision(
    of_positives: Array, of_negatives: Array, positives: float, negatives: float
) -> tuple[float, Array, Array]:
    """Return Σ (R_k - R_k+1) P_k over the ranks, and the influence of a positive and of a negative of each."""
    true, false = np.cumsum(of_positives[::-1])[::-1], np.cumsum(of_negatives[::-1])[::-1]
    above = true + false
    safe = np.where(above > 0, above, 1.0)
    precision = true / safe
    value = float(of_positives @ precision) / positives
    # a row of some rank counts in the precision of every rank at or below it
    gained = np.cumsum(of_positives * false / safe**2) / positives
    lost = np.cumsum(of_positives * true / safe**2) / positives
    return value, (precision - value) / positives + gained, -lost


def _r_squared(predicted: Array, truth: Array, share: Array) -> Measured:
    off, residual = truth - float(share @ truth), truth - predicted
    largest = max(float(np.max(np.abs(off))), float(np.max(np.abs(residual))))
    # by a power of two, so that no square or square of a square leaves the floats
    scaled_off, scaled_residual, scaled_truth = (
        np.ldexp(values, -int(np.frexp(largest)[1])) for values in (off, residual, truth)
    )
    distance, error = scaled_off**2, scaled_residual**2
    around, left = float(share @ distance), float(share @ error)
    if not around > max((ROUNDING * float(np.max(np.abs(scaled_truth)))) ** 2, LEAST_EXPLAINED * left):
        return _undefined(len(truth))
    ratio = left / around
    of_error = share * error
    rows = _effective(of_error) if left > 0 else 0.0
    return Measured(1 - ratio, (ratio * distance - error) / around, rows, rows, rows)
