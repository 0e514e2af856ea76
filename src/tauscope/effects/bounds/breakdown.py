"""The smallest reweighting that flips a claim: which of two grid values has the higher effect."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.effects.bounds.balls import TotalVariation
from tauscope.effects.bounds.bands import check_accumulated, group_members, window_range
from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid
from tauscope.effects.curves.sorted_means import SortedMeans
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats, Ints

HALVINGS = 60
SMALL = 1e-12  # weight change, of a mean of 1, that is rounding

BreakdownStatus = Literal["equal", "never", "bounded", "attained"]
"""No sign to flip; no reweighting flips it; none below `epsilon` does; one at `epsilon` does, and is given."""
Reweighted = Literal["rows", "bins", "steps", "windows"]
"""Whose weight is moved: all rows', that inside each bin or step between levels, or all rows' as windows feel it."""


@dataclass(frozen=True)
class Breakdown:
    """How much of the rows' weight must move before the sign of a difference flips.

    Attributes
    ----------
    epsilon : float
        Total variation: of all rows' weights, or (accumulated effect) of the weights inside each bin between
        the two values. Infinite where no reweighting flips it.
    low, high : int
        The two grid points.
    difference : float
        Effect at `high` minus effect at `low`, under the weights the effect has.
    weights : ndarray of shape (n_rows,) or None
        Mean 1: the reweighting that brings the difference to zero. None where there is none, or it is not known.
    lost : ndarray of shape (k,)
        Rows that lose weight in it, most first: what the claim leans on.
    gained : ndarray of shape (m,)
        Rows that gain weight, most first.
    exact : bool
        Whether `weights` attains it; if not, no reweighting below `epsilon` flips the sign and one at it may not
        either.
    status : {"equal", "never", "bounded", "attained"}
        "equal": the two effects are. "never": no reweighting flips the sign. "bounded": none below `epsilon` does.
        "attained": nor does any, and `weights` brings the difference to zero.
    of : {"rows", "bins", "steps", "windows"}
        Whose weight `epsilon` is a share of: the rows', that inside each bin or step, or the rows' as it is felt in
        windows.
    """

    epsilon: float
    low: int
    high: int
    difference: float
    weights: Floats | None
    lost: Ints
    gained: Ints
    exact: bool
    status: BreakdownStatus
    of: Reweighted


def quantile_points(grid: Grid, values: Floats, shares: tuple[float, float] = (0.2, 0.8)) -> tuple[int, int]:
    """Find the grid points nearest to two quantiles of a numeric feature.

    Parameters
    ----------
    grid : Grid
    values : ndarray of shape (n_rows,)
        The feature; missing ones are left out.
    shares : (float, float), default=(0.2, 0.8)

    Raises
    ------
    InputError
        For levels, or where both quantiles are nearest to one point.
    """
    if grid.kind == "categorical":
        raise InputError("levels have no quantiles: name the two grid points to compare")
    targets = np.quantile(values[~np.isnan(values)], shares, method="inverted_cdf")
    points = np.where(np.isnan(grid.values), np.inf, grid.values)
    low, high = (int(np.argmin(np.abs(points - target))) for target in targets)
    if low == high:
        raise InputError(
            f"the quantiles {shares} are both nearest to {grid.values[low]:g}: name the two grid points to compare"
        )
    return low, high


def breakdown(effect: Effect, between: tuple[int, int], *, output: int = 0) -> Breakdown:
    """Find the smallest total variation at which the effect at one grid point no longer exceeds another's.

    Parameters
    ----------
    effect : PartialDependence, ConditionalDependence or AccumulatedEffect
        Of one feature.
    between : (int, int)
        Grid points, such as those of `quantile_points`.
    output : int, default=0
        Response.

    Returns
    -------
    Breakdown
        Exact, with the reweighting, for partial dependence and accumulated effects; for conditional dependence
        the distance below which nothing flips the sign.

    Notes
    -----
    With d_i the row's own difference and mean(d) > 0, mass taken from the largest d and put on the smallest
    lowers the mean fastest, so the answer is the root of a piecewise linear function, found by one sort.
    """
    low, high = _check(effect, between, output)
    if isinstance(effect, PartialDependence):
        return _solve_on_rows(effect, low, high, output)
    if isinstance(effect, ConditionalDependence):
        return _solve_on_windows(effect, low, high, output)
    return _solve_on_bins(check_accumulated(effect), low, high, output)


def _check(effect: Effect, between: tuple[int, int], output: int) -> tuple[int, int]:
    if len(effect.grids) != 1:
        raise InputError("a breakdown compares two points of one feature, got an effect of two")
    low, high = (int(point) for point in between)
    n = len(effect.grid)
    if not (0 <= low < n and 0 <= high < n and low != high):
        raise InputError(f"between must be two different grid points of 0 … {n - 1}, got {between}")
    if not 0 <= output < effect.n_outputs:
        raise InputError(f"output must be one of 0 … {effect.n_outputs - 1}, got {output}")
    return low, high


def root_share(means: SortedMeans) -> float:
    """Smallest mass that, moved, brings a positive mean of one quantity to zero; infinite where none does."""
    if means.lowest[0] >= 0:
        return float("inf")
    stops = np.unique(np.clip(1 - means.mass[0], 0.0, 1.0))
    lower = means.tv_range(stops)[0][:, 0]  # falls from the mean to the lowest value, linear between stops
    after = int(np.argmax(lower <= 0))
    if after == 0:
        return 0.0
    a, b, fa, fb = (float(x) for x in (stops[after - 1], stops[after], lower[after - 1], lower[after]))
    return a + (b - a) * fa / (fa - fb)


def _solve_on_rows(effect: PartialDependence, low: int, high: int, output: int) -> Breakdown:
    curves, rows = effect.curves()[output], effect.ice_rows
    values, base = curves[:, high] - curves[:, low], effect.sample_weight[rows]
    difference = float(np.average(values, weights=base))
    if difference == 0:
        return _build_without_weights(low, high, 0.0, 0.0, "equal", "rows")
    signed = values if difference > 0 else -values
    epsilon = root_share(SortedMeans(signed[:, None], base))
    if np.isinf(epsilon):
        return _build_without_weights(low, high, epsilon, difference, "never", "rows")
    weights = np.zeros(effect.n_rows)
    weights[rows] = TotalVariation(epsilon).weights(signed, base, "lower") * (effect.n_rows / len(rows))
    return _build_attained(effect, epsilon, low, high, difference, weights, "rows")


def _solve_on_bins(effect: AccumulatedEffect, low: int, high: int, output: int) -> Breakdown:
    first, last = min(low, high), max(low, high)
    curve, local, base = effect.accumulated[output], effect.local, effect.sample_weight
    difference = float(curve[high] - curve[low])
    if difference == 0:
        return _build_without_weights(low, high, 0.0, 0.0, "equal", "bins")
    sign = 1.0 if curve[last] > curve[first] else -1.0
    bins = [members for group, members in group_members(local) if first <= group < last]
    bins = [members for members in bins if base[local.row[members]].sum() > 0]
    steps = [SortedMeans(sign * local.values[output, m][:, None], base[local.row[m]]) for m in bins]

    def climb(share: float) -> float:
        return sum(float(step.tv_range(np.array([share]))[0][0, 0]) for step in steps)

    if climb(1.0) >= 0:
        return _build_without_weights(low, high, float("inf"), difference, "never", "bins")
    epsilon = _root(climb)
    if effect.grid.kind == "categorical" and len(bins) > 1:
        # neighbouring steps share a level's rows, which cannot take two weights at once
        return _build_without_weights(low, high, epsilon, difference, "bounded", "steps")
    weights = base.copy()
    for members in bins:
        rows = local.row[members]
        inside = TotalVariation(epsilon).weights(sign * local.values[output, members], base[rows], "lower")
        weights[rows] = inside * base[rows].mean()
    return _build_attained(effect, epsilon, low, high, difference, weights, "bins")


def _solve_on_windows(effect: ConditionalDependence, low: int, high: int, output: int) -> Breakdown:
    curve, local = effect.effect[output], effect.local
    difference = float(curve[high] - curve[low])
    if np.isnan(difference):
        raise InputError("a breakdown needs rows near both grid points, and one has none: compare another")
    if difference == 0:
        return _build_without_weights(low, high, 0.0, 0.0, "equal", "windows")
    mass = effect.sample_weight / effect.sample_weight.sum()
    top, bottom = (high, low) if difference > 0 else (low, high)
    windows = [
        (local.values[output, members], mass[local.row[members]])
        for members in (local.group == top, local.group == bottom)
    ]

    def gap(share: float) -> float:
        return window_range(*windows[0], share)[0] - window_range(*windows[1], share)[1]

    if gap(1.0) >= 0:
        return _build_without_weights(low, high, float("inf"), difference, "never", "windows")
    epsilon = _root(gap)
    return _build_without_weights(low, high, epsilon, difference, "bounded", "windows")


def _root(falling: Callable[[float], float]) -> float:
    """Root of a continuous function that falls from a positive value at 0 to a negative one at 1."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high


def _build_without_weights(
    low: int, high: int, epsilon: float, difference: float, status: BreakdownStatus, of: Reweighted
) -> Breakdown:
    no_rows = np.empty(0, dtype=np.int64)
    return Breakdown(epsilon, low, high, difference, None, no_rows, no_rows, False, status, of)


def _build_attained(
    effect: Effect, epsilon: float, low: int, high: int, difference: float, weights: Floats, of: Reweighted
) -> Breakdown:
    change = weights - effect.sample_weight
    order = np.argsort(change, kind="stable").astype(np.int64)
    lost = order[change[order] < -SMALL]
    gained = order[::-1][change[order[::-1]] > SMALL]
    return Breakdown(epsilon, low, high, difference, weights, lost, gained, True, "attained", of)
