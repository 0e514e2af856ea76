"""The worst of the tilts of some means: within moves of the means, within a distance, or the nearest with a value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

from tauscope.stress.worst.rows import Distance
from tauscope.stress.worst.tilts import Ints, TiltFamily, TiltPoint

Array = NDArray[np.float64]
SearchStatus = Literal["found", "limit", "out of reach"]

FARTHEST = 2.0
"""KL in nats that no search goes beyond: of a normal column a tilt so far leaves 2 % of the rows effective."""
STARTS = 4
"""Searches from different directions; of more than 30 means half of them."""
MANY = 30
RANK = 1e-10
"""Share of the largest variance below which a direction is one the weights have left."""
MOST_TIMES = 1e6
"""How many times as long a direction is tried that does not lead to its distance."""
NEAR = 0.02
"""KL of the first point of a search within moves."""
HELD = 1e-7
"""Standard deviations by which a mean may miss its bound."""
TOLERANCE = 1e-9
"""Of the metric's change, and of a distance."""
ITERATIONS = 60
FEW_MOVES = 6
"""Means that may move by so much, of which all vertices of what is allowed are looked at."""
VERTEX_STEPS = 30
HALVINGS = 12
STILL = 1e-9
"""Gain of a distance, as a share of it, at which a stationary tilt has been reached."""


@dataclass(frozen=True)
class Allowed:
    """Which tilts are looked at.

    Attributes
    ----------
    low, high : ndarray of shape (k,)
        How far each mean may move, in standard deviations; both 0 for what is held, ∓∞ for what is free.
    distance : Distance
        From the rows as they are.
    """

    low: Array
    high: Array
    distance: Distance


@dataclass(frozen=True)
class Found:
    """The worst tilt.

    Attributes
    ----------
    shifts : ndarray of shape (k,)
        Of the means, in standard deviations.
    value, kl, tv : float
    status : {"found", "limit", "out of reach"}
        "limit": the distance that no search goes beyond stopped it. "out of reach": of a value to be reached, which
        no tilt allowed has; this one comes nearest.
    n_evaluations : int
    """

    shifts: Array
    value: float
    kl: float
    tv: float
    status: SearchStatus
    n_evaluations: int


def find_worst(family: TiltFamily, allowed: Allowed, sign: float, tick: Callable[[], object] = lambda: None) -> Found:
    """Find the tilt allowed whose metric is highest (sign +1) or lowest (-1); `tick` as in `find_nearest`.

    Notes
    -----
    Sequential quadratic programming over the multipliers, derivatives by Cov_λ(g, Φ) and Var_λ(Φ), from the directions
    that move the metric most at the distance allowed: neither the metric nor the set is convex in general, and where
    several searches end differently the worst is taken. Of a few moves all vertices are looked at too, and the worst of
    them is where one more search starts. Deterministic.
    """
    search = _Search(family, allowed, sign, tick)
    vertices = search.vertices()
    worst = max(vertices, key=lambda point: sign * point.value, default=None)
    point = search.best([*search.starts(), *([] if worst is None else [worst.multipliers])], vertices)
    limit = allowed.distance.limit
    size = _size(allowed.distance)(point)
    stopped = allowed.distance == Distance("kl", FARTHEST) and size >= limit * (1 - 1e-6)
    return search.describe(point, "limit" if stopped else "found")


def find_nearest(
    family: TiltFamily, allowed: Allowed, value: float, tick: Callable[[], object] = lambda: None
) -> Found:
    """Find the tilt allowed with the least KL whose metric has a value.

    Parameters
    ----------
    family : TiltFamily
    allowed : Allowed
        Its distance is the farthest looked at.
    value : float
    tick : callable
        Called before each tilt is tried; what it raises ends the search.

    Returns
    -------
    Found
        "out of reach" where the worst tilt allowed does not come so far: then that one.
    """
    before = family.at(np.zeros(family.n_free)).value
    sign = 1.0 if value > before else -1.0
    search = _Search(family, allowed, sign, tick)
    starts: list[Array] = []
    for far in search.starts():
        point = search.at(far)
        if sign * (point.value - value) >= 0 and point.kl <= FARTHEST:
            starts.append(search.brought_to(far, value))
    ends = [search.nearest(start, value) for start in starts]
    points = [point for point in ends if point is not None]
    if points:
        return search.describe(min(points, key=lambda point: point.kl), "found")
    worst = search.best(search.starts())
    if not sign * (worst.value - value) >= 0:
        return search.describe(worst, "out of reach")
    end = search.nearest(search.brought_to(worst.multipliers, value), value)
    return search.describe(worst if end is None else end, "found")


class _Search:
    """One family, what is allowed of it, and which way is worse."""

    def __init__(self, family: TiltFamily, allowed: Allowed, sign: float, tick: Callable[[], object]) -> None:
        self.family, self.allowed, self.sign, self._tick = family, allowed, sign, tick
        self.n_evaluations = 0
        self.held = np.flatnonzero((allowed.low == 0) & (allowed.high == 0))
        self.bounded = np.flatnonzero(
            np.isfinite(allowed.low) & np.isfinite(allowed.high) & (allowed.high > allowed.low)
        )
        self.is_large = family.n_free > MANY and not self.held.size and not self.bounded.size
        self.n_starts = STARTS if family.n_free <= MANY else STARTS // 2

    def at(self, multipliers: Array) -> TiltPoint:
        self._tick()
        self.n_evaluations += 1
        return self.family.at(multipliers)

    def within(self, direction: Array) -> Array:
        """Scale a direction to about the distance allowed, or to a small one where moves are what is bounded."""
        limit = self.allowed.distance.limit
        # of normal columns KL is half the squared length, and total variation the length over √(2π)
        of_distance = np.sqrt(2 * limit) if self.allowed.distance.kind == "kl" else np.sqrt(2 * np.pi) * limit
        return direction * (np.sqrt(2 * NEAR) if self.bounded.size else of_distance)

    def directions(self) -> list[Array]:
        """Return unit directions: the steepest, and each mean up and down, that which harms most first."""
        here = self.at(np.zeros(self.family.n_free))
        steepest = self.sign * here.slope
        means = [loading / np.linalg.norm(loading) for loading in self.family.loadings.T]
        candidates = [side * mean for mean in means for side in (1.0, -1.0)]
        candidates = [self._without_held(each) for each in candidates]
        steepest = self._without_held(steepest)
        size = float(np.linalg.norm(steepest))
        first = [steepest / size] if size > 0 else []
        harms = [self._harm(each) for each in candidates]
        worst_first = sorted(range(len(candidates)), key=lambda place: -harms[place])
        return [*first, *(candidates[place] for place in worst_first if np.isfinite(harms[place]))]

    def _harm(self, direction: Array) -> float:
        """Return what a direction does to the metric; -∞ of one that is none, or leaves it undefined."""
        value = self.at(self.within(direction)).value if direction.any() else np.nan
        return self.sign * value if np.isfinite(value) else -np.inf

    def _without_held(self, direction: Array) -> Array:
        """Leave out of a direction what moves the means held, to first order."""
        if not self.held.size:
            return direction
        basis = np.linalg.qr(self.family.loadings[:, self.held])[0]
        rest = direction - basis @ (basis.T @ direction)
        size = float(np.linalg.norm(rest))
        return rest if size > 1e-6 * max(float(np.linalg.norm(direction)), 1e-300) else np.zeros_like(direction)

    def starts(self) -> list[Array]:
        return [self.within(each) for each in self.directions()[: self.n_starts]]

    def vertices(self) -> list[TiltPoint]:
        """Return the tilts that move all means as far as they may; none where these are many, or others free."""
        places = np.concatenate([self.bounded, self.held])
        if not 0 < len(self.bounded) <= FEW_MOVES or len(places) < self.family.loadings.shape[1]:
            return []
        sides = product(*((self.allowed.low[j], self.allowed.high[j]) for j in self.bounded))
        points = [self._at_shifts(places, np.array([*side, *np.zeros(len(self.held))])) for side in sides]
        return [point for point in points if np.isfinite(point.value) and self._allows(point)]

    def _at_shifts(self, places: Ints, shifts: Array) -> TiltPoint:
        """Return the tilt with some shifts of means, as near as Newton's method comes."""
        point = self.at(np.zeros(self.family.n_free))
        missed = shifts - self.family.shifts(point, places)
        for _ in range(VERTEX_STEPS):
            step = np.linalg.lstsq(self.family.shift_slopes(point, places), missed)[0]
            for halving in range(HALVINGS):
                there = self.at(point.multipliers + 0.5**halving * step)
                left = shifts - self.family.shifts(there, places)
                if np.linalg.norm(left) < np.linalg.norm(missed):
                    break
            else:
                break
            point, missed = there, left
        return point

    def best(self, starts: Sequence[Array], known: Sequence[TiltPoint] = ()) -> TiltPoint:
        """Return the worst of known ends and those of searches; the rows as they are where none is worse."""
        ends = [self.at(np.zeros(self.family.n_free)), *known]
        for start in starts:
            end = self._climb(start)
            if end is not None:
                ends.append(end)
        return max(ends, key=lambda point: self.sign * point.value)

    def brought_to(self, multipliers: Array, value: float) -> Array:
        """Return the part of a tilt at which the metric has a value between that of the rows and that of the tilt."""
        part = brentq(lambda a: self.at(a * multipliers).value - value, 0.0, 1.0, xtol=1e-10)
        return float(part) * multipliers

    def _stationary(self, start: Array, scaled: Callable[[Array], Array | None]) -> TiltPoint | None:
        """Return a tilt whose multipliers are in proportion to the regression of the metric on the means under it.

        That is where the metric is extreme at a KL, and KL least at a value of the metric. SLSQP takes time with the
        cube of the number of means.

        Parameters
        ----------
        start : ndarray of shape (r,)
        scaled : callable
            A direction to the multipliers along it that are allowed and wanted; None where there are none.
        """
        x = scaled(start)
        if x is None:
            return None
        point = self.at(x)
        for _ in range(ITERATIONS):
            covariance = self.family.covariance(point)
            along = self.sign * np.linalg.lstsq(covariance, point.slope, rcond=RANK)[0]
            size = float(np.linalg.norm(along))
            if not size > 0:
                break
            along *= float(np.linalg.norm(x)) / size
            for halving in range(HALVINGS):
                part = 0.5**halving
                step = scaled((1 - part) * x + part * along)
                there = None if step is None else self.at(step)
                if there is not None and self._improves(there, point):
                    break
            else:
                break
            x, point = there.multipliers, there
        return point

    def _improves(self, there: TiltPoint, here: TiltPoint) -> bool:
        """Tell whether a tilt of the same value is nearer, or one at the same distance worse."""
        nearer = here.kl - there.kl > STILL * here.kl
        worse = self.sign * (there.value - here.value) > STILL * abs(here.value)
        return bool(np.isfinite(there.value) and (nearer or worse))

    def _climb(self, start: Array) -> TiltPoint | None:
        if self.is_large and self.allowed.distance.kind == "kl":
            return self._stationary(start, self._at_limit)
        scale = max(abs(self.sign * self.at(start).value - self.sign * self.at(np.zeros_like(start)).value), 1e-6)

        def objective(x: Array) -> float:
            value = self.at(x).value
            return -self.sign * value / scale if np.isfinite(value) else 1e6

        def slope(x: Array) -> Array:
            return -self.sign * self.at(x).slope / scale

        return self._minimize(objective, slope, start, [*self._limits(), *self._bounds()])

    def _at_limit(self, direction: Array) -> Array | None:
        """Return the multipliers along a direction whose KL is the limit."""
        far = 1.0
        while self.at(far * direction).kl < self.allowed.distance.limit:
            far *= 2
            if far > MOST_TIMES:
                return None
        limit = self.allowed.distance.limit
        return float(brentq(lambda a: self.at(a * direction).kl - limit, 0.0, far, xtol=1e-12)) * direction

    def _at_value(self, direction: Array, value: float) -> Array | None:
        """Return the multipliers along a direction at which the metric first has a value."""
        far = 1.0
        while not self.sign * (self.at(far * direction).value - value) >= 0:
            far *= 2
            if far > MOST_TIMES or not self.at(far * direction).kl <= FARTHEST:
                return None
        return self.brought_to(far * direction, value)

    def nearest(self, start: Array, value: float) -> TiltPoint | None:
        """Return the least KL with a value, from one start; None where the search ends elsewhere."""
        if self.is_large:
            return self._stationary(start, lambda direction: self._at_value(direction, value))
        here = self.at(start)
        scale = max(abs(value - self.at(np.zeros_like(start)).value), 1e-9)

        def missed(x: Array) -> float:
            return (self.at(x).value - value) / scale

        def slope(x: Array) -> Array:
            return self.at(x).slope / scale

        size = max(here.kl, 1e-9)

        def kl(x: Array) -> float:
            return self.at(x).kl / size

        def kl_slope(x: Array) -> Array:
            return self.at(x).kl_slope / size

        end = self._minimize(kl, kl_slope, start, [_constraint("eq", missed, slope), *self._bounds()])
        if end is None or abs(end.value - value) > 1e-4 * scale:
            return None
        # the last digits of the value, along the tilt
        for _ in range(5):
            rate = float(end.slope @ end.multipliers)
            if abs(end.value - value) <= 1e-12 * scale or rate == 0:
                break
            end = self.at(end.multipliers * (1 + (value - end.value) / rate))
        return end if abs(end.value - value) <= 1e-9 * scale else None

    def _minimize(
        self,
        objective: Callable[[Array], float],
        slope: Callable[[Array], Array],
        start: Array,
        constraints: Any,
    ) -> TiltPoint | None:
        solved = minimize(
            objective,
            start,
            jac=slope,
            method="SLSQP",
            constraints=constraints,
            options={"maxiter": ITERATIONS, "ftol": TOLERANCE},
        )
        x = np.asarray(solved.x, np.float64)
        if not np.isfinite(x).all():
            return None
        point = self.at(x)
        return point if np.isfinite(point.value) and self._allows(point) else None

    def _limits(self) -> list[dict[str, Any]]:
        kind, limit = self.allowed.distance.kind, self.allowed.distance.limit

        def room(x: Array) -> float:
            point = self.at(x)
            return 1 - (point.kl if kind == "kl" else point.tv) / limit

        def room_slope(x: Array) -> Array:
            point = self.at(x)
            return -(point.kl_slope if kind == "kl" else point.tv_slope) / limit

        return [_constraint("ineq", room, room_slope)]

    def _bounds(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        if self.held.size:

            def moved(x: Array) -> Array:
                return self.family.shifts(self.at(x), self.held)

            def moved_slope(x: Array) -> Array:
                return self.family.shift_slopes(self.at(x), self.held)

            out.append(_constraint("eq", moved, moved_slope))
        if self.bounded.size:
            low, high = self.allowed.low[self.bounded], self.allowed.high[self.bounded]

            def room(x: Array) -> Array:
                shifts = self.family.shifts(self.at(x), self.bounded)
                return np.concatenate([high - shifts, shifts - low])

            def room_slope(x: Array) -> Array:
                slopes = self.family.shift_slopes(self.at(x), self.bounded)
                return np.concatenate([-slopes, slopes])

            out.append(_constraint("ineq", room, room_slope))
        return out

    def _allows(self, point: TiltPoint) -> bool:
        shifts = self.family.shifts(point)
        size = _size(self.allowed.distance)(point)
        inside = (shifts >= self.allowed.low - HELD) & (shifts <= self.allowed.high + HELD)
        return bool(inside.all()) and size <= self.allowed.distance.limit * (1 + 1e-6)

    def describe(self, point: TiltPoint, status: SearchStatus) -> Found:
        shifts = np.clip(self.family.shifts(point), self.allowed.low, self.allowed.high)
        return Found(shifts, point.value, point.kl, point.tv, status, self.n_evaluations)


def _size(distance: Distance) -> Callable[[TiltPoint], float]:
    return (lambda point: point.kl) if distance.kind == "kl" else (lambda point: point.tv)


def _constraint(
    kind: Literal["eq", "ineq"], function: Callable[[Array], Any], slope: Callable[[Array], Array]
) -> dict[str, Any]:
    return {"type": kind, "fun": function, "jac": slope}
