"""The convex hull of the rows of Φ: where a target lies in it and how far it reaches, by linear programs.

The programs have k unknowns and one inequality per row. They are solved on a pool of rows that grows by those
that the last solution violates most, until it violates none; a few hundred rows out of millions are enough.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from tauscope.stress.joint.dual import MomentSummary, blocks, exponents

Array = NDArray[np.float64]

SURFACE = 1e-9  # margin below which a target counts as on the surface, whitened standard deviations
MAX_ROUNDS = 200
FARTHEST = 1e6  # whitened standard deviations beyond which a row counts as a direction
STEEPEST = 1e6  # bound on slopes while the pool does not bound them yet


@dataclass(frozen=True)
class Position:
    """Where a target lies relative to the convex hull of the rows.

    Attributes
    ----------
    place : {"inside", "surface", "outside", "undecided"}
        "undecided" only when a linear program could not be finished.
    direction : ndarray of shape (k,)
        For "surface" and "outside": d with ⟨d, Φ_i - t⟩ ≤ 0 for every row (to rounding); for "surface" with
        equality on the face that holds the target. Else 0.
    """

    place: Literal["inside", "surface", "outside", "undecided"]
    direction: Array


class Hull:
    """The hull of some columns of Φ, seen from a target in whitened coordinates ψ = W(Φ - t).

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    summary : MomentSummary
        Of `phi`.
    columns : sequence of int, optional
        The columns to look at; all by default.
    """

    def __init__(self, phi: Array, target: Array, summary: MomentSummary, columns: list[int] | None = None) -> None:
        k = phi.shape[1]
        columns = list(range(k)) if columns is None else columns
        scale = np.where(summary.sd > 0, summary.sd, 1.0)[columns]
        values, vectors = np.linalg.eigh(summary.covariance[np.ix_(columns, columns)] / np.outer(scale, scale))
        values = np.maximum(values, 1e-14 * max(float(values[-1]), 1e-300))
        self.phi, self.target = phi, target
        self.white: Array = np.zeros((len(columns), k))
        self.white[:, columns] = (vectors / np.sqrt(values)).T / scale
        self.mean: Array = self.white @ (summary.mean - target)
        self.shrink = self._shrink_far_rows(summary)
        raw_axes = np.linalg.inv(self.white[:, columns])
        random_axes = np.random.default_rng(0).normal(size=(16, len(columns)))
        self.pool = np.zeros(0, dtype=np.int64)
        self.points = np.zeros((0, len(columns)))
        self._add_to_pool(self._extreme_rows(np.vstack([np.eye(len(columns)), raw_axes, random_axes])))

    def locate(self) -> Position:
        """Tell whether the target lies inside the hull, on its surface or outside."""
        k = len(self.white)
        for _ in range(MAX_ROUNDS):
            # widest gap s with ⟨d, ψ_i⟩ + s ≤ 0, |d_j| ≤ 1
            rows = np.hstack([self.points, np.ones((len(self.points), 1))])
            solution = _minimise(np.append(np.zeros(k), -1.0), rows, np.zeros(len(rows)), _box(k, 1.0, 1))
            if solution is None:
                break
            direction, gap = solution[:k], solution[k]
            if gap <= SURFACE:
                return self._check_surface()
            heights = self.heights_along(direction)
            if heights.max() < -SURFACE:
                return Position("outside", direction @ self.white)
            if not self._add_violating(heights, -gap):
                return self._check_surface()
        return Position("undecided", np.zeros(len(self.target)))

    def _check_surface(self) -> Position:
        """Look for a half-space that holds every row with the target on its border."""
        k = len(self.white)
        for _ in range(MAX_ROUNDS):
            direction = _minimise(self.mean, self.points, np.zeros(len(self.points)), _box(k, 1.0))
            if direction is None:
                break
            # only 0 is feasible for an interior target: what tolerances let through does not reach the bounds
            if np.abs(direction).max() < 0.5 or -(self.mean @ direction) < 1e-6:
                return Position("inside", np.zeros(len(self.target)))
            heights = self.heights_along(direction)
            if heights.max() <= SURFACE or not self._add_violating(heights, SURFACE):
                return Position("surface", direction @ self.white)
        return Position("undecided", np.zeros(len(self.target)))

    def mean_range(self, values: Array) -> tuple[float, float]:
        """Range of the mean of further values over all weights that meet the target.

        Parameters
        ----------
        values : ndarray of shape (n_rows,)
            On a scale of about 1.

        Returns
        -------
        tuple of float
            Smallest and largest mean; NaN where no weights meet the target.
        """
        if self.locate().place == "outside":
            return float("nan"), float("nan")
        return -self._largest_mean(-values), self._largest_mean(values)

    def _largest_mean(self, values: Array) -> float:
        k = len(self.white)
        self._add_to_pool(np.array([values.argmax()]))
        upper = float("inf")
        for _ in range(MAX_ROUNDS):
            # smallest s with v_i + ⟨c, ψ_i⟩ ≤ s: the plane over the target that lies above every row
            size = np.ones(len(self.pool)) if self.shrink is None else self.shrink[self.pool]
            rows = np.hstack([self.points, -size[:, None]])
            solution = _minimise(np.append(np.zeros(k), 1.0), rows, -values[self.pool] * size, _box(k, STEEPEST, 1))
            if solution is None:
                break
            heights = values + exponents(self.phi, self.target, solution[:k] @ self.white)
            upper = min(upper, float(heights.max()))
            if upper - solution[k] <= 1e-9 * (1 + abs(upper)) or not self._add_violating(heights, solution[k]):
                break
        return upper

    def heights_along(self, direction: Array) -> Array:
        """Return ⟨d, ψ_i⟩ of every row, d in whitened coordinates; of rows far off that of the direction to them."""
        heights = exponents(self.phi, self.target, direction @ self.white)
        return heights if self.shrink is None else heights * self.shrink

    def _shrink_far_rows(self, summary: MomentSummary) -> Array | None:
        """Return what brings rows that dwarf the others within reach of a linear program; None where there are none.

        Which half-spaces hold a row is a matter of its direction alone.
        """
        sd = np.where(summary.sd > 0, summary.sd, 1.0)
        if (summary.high - summary.low <= FARTHEST * sd).all():
            return None
        distance = np.zeros(len(self.phi))
        for axis in self.white:
            np.maximum(distance, np.abs(exponents(self.phi, self.target, axis)), out=distance)
        return 1 / np.maximum(1.0, distance / FARTHEST)

    def _add_violating(self, heights: Array, above: float) -> bool:
        """Take the highest row of each of 64 stretches into the pool; return whether any was new and above."""
        # one row of each stretch: the highest rows of all are often neighbours, which cut off the same corner
        edges = np.linspace(0, len(heights), min(len(heights), 64) + 1).astype(np.int64)
        tops = np.array([a + int(heights[a:b].argmax()) for a, b in pairwise(edges)])
        return self._add_to_pool(tops[heights[tops] > above])

    def _add_to_pool(self, rows: NDArray[np.int64]) -> bool:
        new = np.setdiff1d(rows, self.pool)
        self.pool = np.concatenate([self.pool, new])
        points = (self.phi[new] - self.target) @ self.white.T
        self.points = np.vstack([self.points, points if self.shrink is None else points * self.shrink[new, None]])
        return new.size > 0

    def _extreme_rows(self, directions: NDArray[np.floating]) -> NDArray[np.int64]:
        """Rows that lie farthest along some directions and against them."""
        raw = np.vstack([directions, -directions]) @ self.white
        highest, row_of = np.full(len(raw), -np.inf), np.zeros(len(raw), dtype=np.int64)
        for rows in blocks(len(self.phi), len(raw)):
            heights = raw @ (self.phi[rows] - self.target).T
            top = heights.argmax(axis=1)
            height = heights[np.arange(len(raw)), top]
            higher = height > highest
            highest[higher], row_of[higher] = height[higher], rows.start + top[higher]
        return np.unique(row_of)


def _box(n_bounded: int, bound: float, n_free: int = 0) -> list[tuple[float, float]]:
    ends = np.append(np.full(n_bounded, bound), np.full(n_free, np.inf))
    return [(-end, end) for end in ends.tolist()]


def _minimise(cost: Array, rows: Array, limits: Array, bounds: list[tuple[float, float]]) -> Array | None:
    """Solve min cost·v subject to rows·v ≤ limits; None where HiGHS does not finish."""
    for tolerance in (1e-10, 1e-8):
        result = linprog(
            cost,
            A_ub=rows,
            b_ub=limits,
            bounds=bounds,
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if result.status == 0:
            return np.asarray(result.x, dtype=np.float64)
    return None
