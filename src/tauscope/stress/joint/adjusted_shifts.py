"""Columns moved to one distance while others are held, and what that changes in a metric.

The mean of the moved column is solved where D = ½ Σ |w - v| is the distance d, v and w being the shares of the weight
without and under the stress. With h = sign(w - v) / 2, D = Σ w h - Σ v h: it is itself what the stress changes in the
mean of h. A row therefore moves the change of a metric as it moves that of the metric less κ h, κ such that the mean of
the moved column drops out:

    w_i r_i - v_i (g_i - κ (h_i - Σ v h)) + v_i ⟨b, ψ_i⟩,

g being its influence on the metric without a stress, r what the regression on Φ leaves of that under the stress, less
κ h, b the slopes of the regression, and ψ what the row adds to the means that are held. Its square is summed, so that
what cancels does; see `tauscope.stress.equal_distance`, which does the same for one column alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from tauscope.prediction.batches import Over
from tauscope.stress.equal_distance import (
    REACHED,
    SIDES,
    Shifts,
    join_shifts,
    resting_on,
    rows_of_difference,
    unseen_variance,
)
from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import FEWEST
from tauscope.stress.joint.adjusted import AdjustedMoments, Hold, read_rows, tau_range_of
from tauscope.stress.joint.estimates import (
    Regressed,
    Regression,
    joint_moments,
    linearise_rows,
    regressed_estimates,
    residual_sums,
    row_residuals,
)
from tauscope.stress.joint.influence import count_beyond
from tauscope.stress.joint.solver import shares, solve
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.quantiles import t_quantile
from tauscope.stress.reliability import CODES, Support, judge
from tauscope.stress.row_metrics import Measured
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import (
    divergence_ratio,
    effective_size_of_shares,
    effective_size_of_sums,
    kullback_leibler_of_shares,
    total_variation_of_shares,
)

Array = NDArray[np.float64]

FIRST = 0.25
"""τ to look at first; the next are twice as far."""
MET = 1e-12
"""Miss of a distance at which to stop."""
NARROW = 1e-9
"""Share of the way to τ = ±1 within which the last mean that the rows allow is known."""
MAX_STEPS = 200
TOLERANCE, MAX_PASSES = 1e-10, 100
"""Of the solver."""
MOST_LEVER = 0.9
SIGN = SummedMetric("moved weight", "moved weight", "value", "by_rows", (), (), "plain")
"""The mean of h."""


def adjusted_shifts(
    columns: Sequence[Array],
    outcomes: Outcomes,
    metric: str,
    distance: float,
    *,
    hold: Hold,
    moved: Sequence[int],
    adjusted_for: Sequence[int],
    groups: Sequence[object],
    quantile: float = 0.05,
    confidence: float = 0.95,
    sample_weight: Array | None = None,
    over: Over = map,
) -> Shifts:
    """Move one column's mean at a time to one total variation while the others' means stay.

    Parameters
    ----------
    columns, outcomes, hold, moved, adjusted_for, groups, quantile, sample_weight, over
        As in `tauscope.stress.joint.adjusted.adjusted_curves`.
    metric : str
    distance : float
        Total variation from the rows as they are, in (0, 1).
    confidence : float
        Of the intervals of the change, in (0, 1).

    Returns
    -------
    Shifts
        Not reached, with τ = 0 for an end, where holding the others takes more than the distance by itself.
    """
    columns, outcomes, base = read_rows(columns, outcomes, sample_weight)
    quantities, available = define_quantities(outcomes, names=[metric])
    (chosen,) = choose(available, [metric])
    asked = _Asked(columns, base, quantities, chosen, distance, hold, quantile, confidence)
    units = [(j, [i for i in adjusted_for if i != j and groups[i] != groups[j]]) for j in moved]
    return join_shifts(list(over(partial(_shift_one_column, asked), units)))


@dataclass(frozen=True)
class _Asked:
    columns: Sequence[Array]
    base: Array | None
    quantities: Quantities
    metric: SummedMetric
    distance: float
    hold: Hold
    quantile: float
    confidence: float

    @property
    def plain(self) -> Array:
        """The shares v of the weight without a stress."""
        n = len(self.columns[0])
        return np.full(n, 1 / n) if self.base is None else self.base

    def regress(self, phi: Array, target: Array, share: Array, h: Array, *, unstressed: bool = False) -> Regressed:
        """Regress the metric, and the mean of h, on Φ under some weights."""
        measured = {name: measure(share) for name, measure in self.quantities.by_rows.items()}
        mean, everywhere = float(share @ h), np.inf
        measured[SIGN.name] = Measured(mean, h - mean, everywhere, everywhere, everywhere)
        quantities, linear = linearise_rows(self.quantities, [self.metric, SIGN], measured)
        regression = Regression.of(linear, joint_moments(quantities, phi, target, share), unstressed=unstressed)
        return Regressed(quantities, regression, share, measured)


def _shift_one_column(asked: _Asked, unit: tuple[int, Sequence[int]]) -> Shifts:
    """Return the shifts of one moved column, arrays of shape (2,)."""
    j, others = unit
    x = asked.columns[j]
    around = tau_range_of(x, asked.quantile, asked.base)
    moments = AdjustedMoments(x, [asked.columns[i] for i in others], asked.hold, asked.base, around)
    out: dict[str, NDArray[Any]] = {
        name: np.full(len(SIDES), np.nan)
        for name in ("target", "tau", "multiplier", "ess", "n_carriers", "carried", "value", "lower", "upper")
    }
    out |= {name: np.zeros(len(SIDES)) for name in ("distance", "end", "amount")}
    out |= {"reached": np.zeros(len(SIDES), np.bool_), "reason": np.full(len(SIDES), CODES["undefined"], np.int8)}
    tested = asked.regress(*_nothing(len(x)), asked.plain, np.zeros(len(x)), unstressed=True)
    before = float(tested.regression.values[0])
    for side, end in enumerate((around.low, around.high)):
        point, out["reached"][side] = _Way(moments, asked.plain, around.mean, end).meet(asked.distance)
        if point is None:
            continue
        # of two neighbouring floats the mean is one of them
        way = end - around.mean
        tau = SIDES[side] * ((point.mean - around.mean) / way if way else 1.0)
        out["distance"][side], out["end"][side] = point.tv, tau
        if not out["reached"][side]:
            continue
        # of two values next to each other no target may be at the distance
        exact = abs(point.tv - asked.distance) <= REACHED
        solved = _solve(moments, point.mean, [point.multipliers])
        assert solved is not None
        share = solved[1]
        n_beyond = count_beyond(x, around.mean, point.mean, asked.base)
        kl = kullback_leibler_of_shares(share, asked.plain)
        ratio = divergence_ratio(kl, point.tv, moments.observed)
        support = Support(np.array(n_beyond), np.array(False), np.array(pareto_khat(share, asked.base)), ratio)
        estimate, half = _change(asked, moments, point.mean, share)
        reason, amount = judge(asked.metric, estimate, support)
        n_carriers, carried = few_carriers(share, asked.base)
        change = float(estimate.value) - before
        numbers = {
            "distance": asked.distance if exact else point.tv,
            "target": point.mean,
            "tau": tau,
            "multiplier": point.multipliers[0],
            "ess": effective_size_of_shares(share),
            "n_carriers": n_carriers,
            "carried": carried,
            "value": estimate.value,
            "lower": change - half,
            "upper": change + half,
            "reason": reason,
            "amount": amount,
        }
        for name, number in numbers.items():
            out[name][side] = number
    return Shifts(**out, mean=np.array(around.mean), before=np.array(before))


class _Point(NamedTuple):
    """A mean of the moved column, the distance there, and the multipliers ξ."""

    mean: float
    tv: float
    multipliers: Array


@dataclass(frozen=True)
class _Way:
    """The means of one column from its own to that of τ = -1 or +1.

    Attributes
    ----------
    moments : AdjustedMoments
    plain : ndarray of shape (n_rows,)
        v.
    mean, end : float
    """

    moments: AdjustedMoments
    plain: Array
    mean: float
    end: float

    def meet(self, distance: float) -> tuple[_Point | None, bool]:
        """Return where the distance is met first, or where the way ends before, and whether it is met.

        None where the column follows from others, or no weights hold these even at its own mean.
        """
        low = None if self.moments.tied else self.at(self.mean, [])
        if low is None or low.tv > distance * (1 + REACHED):
            return low, False
        beyond, way = None, self.end - self.mean
        mean = self.mean + FIRST * way
        for _ in range(MAX_STEPS):
            point = self.at(mean, [low])
            if point is None:
                beyond = mean
            elif point.tv < distance * (1 - REACHED):
                low = point
            elif point.tv <= distance * (1 + REACHED):
                return point, True
            else:
                return self._between(distance, low, point)
            if low.mean == self.end:
                break
            if beyond is None:
                mean = low.mean + (low.mean - self.mean)
                mean = mean if abs(mean - self.mean) < abs(way) else self.end
            elif abs(beyond - low.mean) <= NARROW * abs(way):
                break
            else:
                mean = low.mean + (beyond - low.mean) / 2
        return low, False

    def at(self, mean: float, near: Sequence[_Point]) -> _Point | None:
        """Solve for a mean, from the multipliers of points near it; None where no weights meet it."""
        solved = _solve(self.moments, mean, [one.multipliers for one in near])
        if solved is None:
            return None
        multipliers, share = solved
        return _Point(mean, total_variation_of_shares(share, self.plain), multipliers)

    def _between(self, distance: float, low: _Point, high: _Point) -> tuple[_Point, bool]:
        """Return the point at a distance that lies between those of two; as `meet`."""
        points = {low.mean: low, high.mean: high}

        def miss(mean: float) -> float:
            near = sorted(points.values(), key=lambda one: abs(one.mean - mean))[:2]
            point = points.get(mean) or self.at(mean, near)
            if point is None:
                raise _UnsolvedError
            points[mean] = point
            return 0.0 if abs(point.tv - distance) <= MET else point.tv - distance

        fine = np.finfo(np.float64)
        try:
            brentq(miss, low.mean, high.mean, xtol=fine.tiny, rtol=4 * fine.eps, maxiter=MAX_STEPS, disp=False)
        except _UnsolvedError:
            return max((one for one in points.values() if one.tv <= distance), key=lambda one: one.tv), False
        return min(points.values(), key=lambda one: abs(one.tv - distance)), True


class _UnsolvedError(Exception):
    """Weights that exist, between those of two means, are not found."""


def _solve(moments: AdjustedMoments, mean: float, starts: Sequence[Array]) -> tuple[Array, Array] | None:
    """Return the multipliers and shares of the weight at a mean, from the first start that leads there."""
    phi, target, summary = moments.at_mean(mean)
    if (target < summary.low).any() or (target > summary.high).any():
        return None
    for start in (*starts, np.zeros(len(target))):
        if not np.isfinite(start).all():
            continue
        solution = solve(phi, target, moments.base, summary, start, TOLERANCE, MAX_PASSES)
        if solution.status in ("solved", "limit"):
            return solution.multipliers, shares(solution.log_tilt, moments.base)
        if solution.status == "outside":
            break
    return None


def _change(asked: _Asked, moments: AdjustedMoments, mean: float, share: Array) -> tuple[Estimate, float]:
    """Estimate the metric at a mean, and half the width of the interval of its change."""
    metric, plain = asked.metric, asked.plain
    phi, target, _ = moments.at_mean(mean)
    h = np.sign(share - plain) / 2
    moved = asked.regress(phi, target, share, h)
    tested = asked.regress(*_nothing(len(h)), plain, h, unstressed=True)
    estimate = regressed_estimates(moved, phi, target)[0]
    left = row_residuals(moved.quantities, phi, target, moved.regression)
    own = row_residuals(tested.quantities, *_nothing(len(h)), tested.regression)
    slopes = moved.regression.slopes
    along = moments.slope(share) @ slopes
    mix = np.array([1.0, -along[0] / along[1] if along[1] else 0.0])
    of_rows = share * (left @ mix) - plain * (own @ mix) + plain * moments.of_held(mean, slopes @ mix)
    residuals = residual_sums(moved.quantities, phi, target, share, moved.regression)
    lever = residuals.levered[0] / residuals.plain[0] if residuals.plain[0] > 0 else 0.0
    variance = float(of_rows @ of_rows) / (1 - min(lever, MOST_LEVER)) ** 2
    ess, ess_before = effective_size_of_shares(share), effective_size_of_shares(plain)
    if metric.is_rate:
        variance += float(
            unseen_variance(np.asarray(ess_before), np.asarray(ess), estimate.denominator, asked.confidence)
        )
        below = (share - plain) * metric.bottom[asked.quantities.cell]
        sides = (_effective(np.maximum(side * below, 0.0)) for side in SIDES)
        estimate = resting_on(estimate, rows_of_difference(*sides))
    half = float(t_quantile(estimate.df, asked.confidence)) * np.sqrt(variance) * metric.unit
    return estimate, half if ess >= FEWEST and not moved.regression.unbounded[0] else np.nan


def _effective(weight: Array) -> Array:
    return np.asarray(effective_size_of_sums(weight.sum(), weight @ weight))


def _nothing(n_rows: int) -> tuple[Array, Array]:
    """Return Φ and targets of no stress."""
    nothing = Moments.none(n_rows)
    return nothing.phi, nothing.target
