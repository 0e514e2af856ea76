"""Columns moved until so much of the weight has changed hands, both ways, and what that changes in a metric.

The multiplier ξ is solved where ½ E|λ - 1| is the distance d, λ = e^{ξx} / Z. It is estimated from the rows, as is the
metric without a stress, so that row i moves the change by

    w_i (g_i - a_i) - v_i (g'_i - a_i - βd),   a_i = m + β (s_i - S) / 2,   β = Cov_λ(g, x) / (∂d/∂ξ),

with v and w the shares of the weight without and under the stress, g' and g the influences on the metric there, s_i the
sign of w_i - v_i, S = E s under the stress, and m the mean of g over the rows with a value. A row without a value has
w = v. The interval is Student's t about the change; of rates, (z²/2) E(λ - 1)² / n_eff² is added to the variance, as if
z²/2 more rows were counted: see `tauscope.stress.joint.paired`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from tauscope.stress.column.column import SketchedColumn
from tauscope.stress.column.tilt import Stack, divergence, side_sums, stack, tilts_of
from tauscope.stress.curves import (
    ACCURACY,
    Solved,
    direct_weight,
    in_batches,
    observed_size,
    read_tails,
    solve_columns,
    support_of_targets,
)
from tauscope.stress.estimates import Estimate, degrees_of_freedom, effective_size, estimate, linearise
from tauscope.stress.intervals import FEWEST
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.quantiles import t_quantile
from tauscope.stress.reliability import judge
from tauscope.weights.arrays import BufferPool
from tauscope.weights.measures import effective_size_of_sums

Array = NDArray[np.float64]

SIDES = np.array([-1.0, 1.0])
"""Down and up."""
REACHED = 1e-9
"""Share of a distance that rounding may leave out."""
MET = 1e-13
"""Miss of a distance at which to stop."""
MAX_STEPS = 200
STEP = 1e-4
"""Share of a multiplier over which the distance is differentiated."""


@dataclass(frozen=True)
class Shifts:
    """p columns moved down and up to one distance, arrays of shape (p, 2), and a metric there.

    Attributes
    ----------
    reached : ndarray of bool
        Whether a column moves so far within τ = ±1; where it does not, all but `distance` and `end` is NaN.
    distance : ndarray
        Total variation at the target, or the most there is.
    end : ndarray
        The τ of the most.
    target, tau : ndarray
        Mean moved to, in the column's unit, and the τ that stands for it.
    multiplier, ess, n_carriers, carried : ndarray
        As in `tauscope.stress.curves.Curves`.
    value : ndarray
        Of the metric.
    lower, upper : ndarray
        Ends of the interval of its change.
    reason : int8 ndarray
    amount : ndarray
        What decides over the reliability of the metric there.
    mean, before : ndarray of shape (p,)
        Of the column, and the metric, without a stress.
    """

    reached: NDArray[np.bool_]
    distance: Array
    end: Array
    target: Array
    tau: Array
    multiplier: Array
    ess: Array
    n_carriers: Array
    carried: Array
    value: Array
    lower: Array
    upper: Array
    reason: NDArray[np.int8]
    amount: Array
    mean: Array
    before: Array


def equal_shifts(columns: Iterable[SketchedColumn], metric: SummedMetric, distance: float, confidence: float) -> Shifts:
    """Move every column down and up by one total variation, and estimate what that changes in a metric.

    Parameters
    ----------
    columns : iterable of SketchedColumn
        Of the quantities that the metric is made of.
    metric : SummedMetric
    distance : float
        In (0, 1).
    confidence : float
        Of the intervals, in (0, 1).
    """

    def shift(batch: list[tuple[int, SketchedColumn]], pool: BufferPool) -> dict[int, Shifts]:
        places, some = zip(*batch, strict=True)
        return dict(zip(places, _shift_batch([*some], metric, distance, confidence, pool), strict=True))

    return join_shifts(in_batches(columns, len(SIDES), shift))


def join_shifts(parts: list[Shifts]) -> Shifts:
    """Put those of single columns under one another."""
    return Shifts(*(np.stack([getattr(part, field.name) for part in parts]) for field in fields(Shifts)))


def _shift_batch(
    columns: list[SketchedColumn], metric: SummedMetric, distance: float, confidence: float, pool: BufferPool
) -> list[Shifts]:
    tested = solve_columns(columns, np.zeros(1), None, pool).sums
    ends = solve_columns(columns, SIDES, None, pool)
    search = _Search(columns)
    reached = ends.tv >= distance * (1 - REACHED)
    inside = ends.tv > distance * (1 + REACHED)
    at = search.solve(distance, ends.xi, inside)
    targets = np.where(inside, at, np.where(reached, ends.requested, np.array([[c.around.mean] for c in columns])))
    moved = solve_columns(columns, SIDES, targets, pool)
    # of values next to each other no target may be at the distance
    tv = np.where(np.abs(moved.tv - distance) <= REACHED, distance, moved.tv)
    farthest: Array = np.where(reached, tv, ends.tv)
    sums, size = moved.sums, observed_size(moved.sums)
    pareto_k, n_carriers, carried = read_tails(columns, moved.xi, moved.log_norm, moved.tv, size, pool)
    support = support_of_targets(columns, SIDES, moved, True, pareto_k)
    found = estimate([metric], sums)
    before, gradient, _ = linearise(metric, tested.first[:, 0, 0, list(metric.columns)])
    variance, rows = _change(metric, moved, gradient[:, None], search, distance)
    if metric.is_rate:
        found = resting_on(found, rows)
        variance = variance + unseen_variance(
            effective_size(tested), effective_size(sums), found.denominator[0], confidence
        )
    reason, amount = judge(metric, found, support)
    half = t_quantile(degrees_of_freedom(sums), confidence) * np.sqrt(variance) * metric.unit
    half = np.where(effective_size(sums) >= FEWEST, half, np.nan)
    change = found.value[0] - before[:, None]
    numbers = {
        "target": targets,
        "tau": np.stack([_tau_of(c, row) for c, row in zip(columns, targets, strict=True)]),
        "multiplier": moved.xi / np.array([[c.scale.unit] for c in columns]),
        "ess": effective_size(sums),
        "n_carriers": n_carriers,
        "carried": carried,
        "value": found.value[0],
        "lower": change - half,
        "upper": change + half,
        "amount": amount[0],
    }
    numbers = {name: np.where(reached, each, np.nan) for name, each in numbers.items()}
    return [
        Shifts(
            reached=reached[f],
            distance=farthest[f],
            end=SIDES,
            reason=reason[0, f],
            mean=np.array(column.around.mean),
            before=before[f],
            **{name: each[f] for name, each in numbers.items()},
        )
        for f, column in enumerate(columns)
    ]


def resting_on(found: Estimate, rows: Array) -> Estimate:
    """Return a rate whose change rests on so many effective rows, those whose weight changes."""
    events, others = found.events, found.non_events
    return found._replace(
        events=np.minimum(events, rows * found.value), non_events=np.minimum(others, rows * (1 - found.value))
    )


def rows_of_difference(lost: Array, gained: Array) -> Array:
    """Return as many rows as have the variance of a difference between those that lose and those that gain."""
    return 4 * lost * gained / np.maximum(lost + gained, 1e-300)


def unseen_variance(ess_before: Array, ess: Array, denominator: Array, confidence: float) -> Array:
    """Return the variance of a rate's change as if z²/2 more rows were counted."""
    weights_vary = np.maximum(ess_before / ess - 1, 0.0)
    return float(ndtri(0.5 + confidence / 2)) ** 2 / 2 * weights_vary / np.maximum(denominator, 1.0) ** 2


def _tau_of(column: SketchedColumn, targets: Array) -> Array:
    """Return the τ that stand for a lower target and an upper one."""
    around = column.around
    span = np.array([around.mean - around.low, around.high - around.mean])
    # of two neighbouring floats the mean is one of them
    return np.divide(targets - around.mean, span, out=SIDES.copy(), where=span > 0)


class _Search:
    """Columns whose distance is looked for by their multipliers."""

    def __init__(self, columns: list[SketchedColumn]) -> None:
        self.columns, self._pool = columns, BufferPool()
        self.stacked: Stack = stack([c.sketch for c in columns], self._pool)

    def at(self, xi: Array, wanted: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Return the total variation and the standardised mean of tilts; of those not wanted anything."""
        tilt, mean = tilts_of(self.stacked, xi, self._pool)
        with np.errstate(over="ignore", invalid="ignore"):
            _, tv, split = divergence(self.stacked, tilt, mean, self._pool)
        exact = tilt.error <= ACCURACY
        for f, t in np.argwhere(wanted & ~exact).tolist():
            rows = self.columns[f].rows
            log_norm, mean[f, t], _ = rows.tilted_moments(float(xi[f, t]))
            _, tv[f, t] = rows.divergence(rows.log_weight(float(xi[f, t]), log_norm))
        split = np.where(wanted & exact, split, -1)
        gain = [c.crossing_gain(split[f], tilt.xi[f], tilt.log_norm[f]) for f, c in enumerate(self.columns)]
        return tv + np.where(exact, gain, 0.0), mean

    def solve(self, distance: float, ends: Array, wanted: NDArray[np.bool_]) -> Array:
        """Return the targets, in the columns' units, at which a distance is met before it is at the multipliers `ends`.

        The distance grows with |ξ|, so a secant that leaves the bracket is replaced by its middle: of the logarithms,
        as a few far values may need a |ξ| that is a millionth of what the others do.
        """
        stacked = self.stacked
        mean = (stacked.mass * stacked.centroids).sum(1) / stacked.mass.sum(1)
        spread = (stacked.mass * np.abs(stacked.centroids - mean[:, None])).sum(1) / stacked.total
        low, high = np.zeros(ends.shape), np.where(wanted, np.abs(ends), 1.0)
        x = np.minimum(np.broadcast_to(2 * distance / spread[:, None], ends.shape), high)
        last, last_tv, tv, at, miss = low, low, low, np.zeros(ends.shape), np.full(ends.shape, -distance)
        open_ = wanted
        for _ in range(MAX_STEPS):
            now, mean_now = self.at(SIDES * x, open_)
            last_tv, tv, at = np.where(open_, tv, last_tv), np.where(open_, now, tv), np.where(open_, mean_now, at)
            before, miss = np.abs(miss), tv - distance
            open_ = open_ & (np.abs(miss) > MET)
            low, high = np.where(miss < 0, x, low), np.where(miss > 0, x, high)
            open_ = open_ & (np.nextafter(low, high) < high)
            if not open_.any():
                break
            step = _next(x, last, tv, last_tv, distance, low, high, slow=np.abs(miss) > before / 2)
            last, x = np.where(open_, x, last), np.where(open_, step, x)
        return np.stack([c.scale.centre + c.scale.unit * row for c, row in zip(self.columns, at, strict=True)])

    def slope(self, xi: Array, wanted: NDArray[np.bool_]) -> Array:
        """Return the derivative of the distance by the multipliers."""
        (above, _), (below, _) = (self.at(xi * (1 + side * STEP), wanted) for side in (1, -1))
        return (above - below) / (2 * STEP * np.where(xi == 0, 1.0, xi))


def _next(
    x: Array, last: Array, tv: Array, last_tv: Array, distance: float, low: Array, high: Array, slow: NDArray[np.bool_]
) -> Array:
    """Return where to look next: at the secant's root, in proportion, or in the middle of the bracket."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        secant = x - (tv - distance) * (x - last) / (tv - last_tv)
        in_proportion = x * np.clip(distance / tv, 0.1, 1e6)
        middle = np.where(low > 0, np.where(np.isfinite(high), np.sqrt(low) * np.sqrt(high), 4 * x), in_proportion)
        out = np.where((secant > low) & (secant < high) & ~(slow & (low > 0)), secant, middle)
    return np.where((out > low) & (out < high), out, low + (np.minimum(high, 4 * x) - low) / 2)


class _Change(NamedTuple):
    """How exact a change is, shape (F, 2).

    Attributes
    ----------
    variance : ndarray
        Squared standard error, in `unit`s of the metric.
    rows : ndarray
        Effective rows below the line of a rate that lose or gain weight; ∞ of other metrics.
    """

    variance: Array
    rows: Array


def _change(metric: SummedMetric, moved: Solved, tested: Array, search: _Search, distance: float) -> _Change:
    """Estimate how exact changes are, from the gradient without a stress."""
    columns, squares, sums = list(metric.columns), list(metric.squares), moved.sums
    _, gradient, unbounded = linearise(metric, sums.first[..., 0, columns])
    first, second = side_sums(search.stacked, moved.tilt)
    for f, t in np.argwhere(moved.direct).tolist():
        column = search.columns[f]
        weight = direct_weight(column, int(moved.extreme[f, t]), float(moved.xi[f, t]), float(moved.log_norm[f, t]))
        first[f, t], second[f, t] = column.rows.side_sums(weight)
    interior = np.isfinite(moved.xi) & (moved.xi != 0)
    slope = search.slope(np.where(interior, moved.xi, 1.0), interior)
    moves = interior & (np.abs(slope) > 0)
    covariance = _dot(gradient, sums.first[..., 1, columns])
    beta = np.where(moves, covariance / np.where(moves, slope, 1.0), 0.0)
    mass = first[..., 1, 0]
    observed, balance = mass.sum(-1), (mass[..., 1] - mass[..., 0]) / mass.sum(-1)
    shift = _dot(gradient, first[..., 1, columns].sum(2)) / observed

    def less(influence: Array, constant: Array) -> Array:
        return influence - constant[..., None] * metric.one

    def product(one: Array, other: Array, of: Array) -> Array:
        both = metric.square(one + other) - metric.square(one - other)
        return _dot(both, of[..., squares]) / 4

    without = less(gradient - tested, -beta * distance)
    variance = product(without, without, sums.rest[1])
    for side, sign in enumerate(SIDES.tolist()):
        a = shift + beta * (sign - balance) / 2
        under, before = less(gradient, a), less(tested, a + beta * distance)
        of_before, of_both, of_under = np.moveaxis(second[:, :, side], 2, 0)
        variance = variance + product(under, under, of_under) + product(before, before, of_before)
        variance = variance - 2 * product(under, before, of_both)
    spread = sums.first[..., 2, 0]
    lever = sums.third[..., 0, 0] + np.where(spread > 0, sums.third[..., 2, 0] / np.where(spread > 0, spread, 1.0), 0.0)
    variance = np.maximum(variance, 0.0) / (1 - np.clip(lever / sums.second[..., 0, 0], 0.0, 0.9)) ** 2

    rows = np.full(beta.shape, np.inf)
    if metric.is_rate:
        moved_weight = np.abs(first[..., 1, :] - first[..., 0, :])[..., columns]
        squared = (second[..., 2, :] - 2 * second[..., 1, :] + second[..., 0, :])[..., columns]
        lost, gained = np.moveaxis(
            effective_size_of_sums(_dot(metric.bottom, moved_weight), _dot(metric.bottom, squared)), 2, 0
        )
        rows = rows_of_difference(lost, gained)
    return _Change(np.where(unbounded, np.inf, variance), rows)


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("...q,...q->...", a, b)
