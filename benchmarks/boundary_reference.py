"""What the nearest point beyond a boundary is compared with: closed forms, enumeration, and a long search."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import nnls

Flips = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Positions of starts (m,) and points (m, p) to whether each is decided otherwise than its start, (m,)."""


def logistic_distances(model: Any, X: np.ndarray) -> np.ndarray:
    """Distance of each row to the plane of a logistic regression: |w·x + b| / ‖w‖."""
    return np.abs(model.decision_function(X)) / np.linalg.norm(model.coef_)


def network_distances(model: Any, X: np.ndarray) -> np.ndarray:
    """Distance of each row of class 1 to class 0 of a network with one small hidden layer of rectifiers.

    Within a pattern of active units the logit is linear, so the distance is the least over all patterns of a
    projection onto a polyhedron: least distance programming, Lawson and Hanson 1974, chapter 23.
    """
    (first, last), (shift, offset) = model.coefs_, model.intercepts_
    patterns = [np.array(pattern) for pattern in product((0.0, 1.0), repeat=first.shape[1])]
    return np.array([min(_in_pattern(row, first, last[:, 0], shift, offset[0], on) for on in patterns) for row in X])


def _in_pattern(
    row: np.ndarray, first: np.ndarray, last: np.ndarray, shift: np.ndarray, offset: float, on: np.ndarray
) -> float:
    sign = 2 * on - 1
    weights, constant = first @ (on * last), (on * last) @ shift + offset
    # in u = x − row: every unit on its side, and the logit not above 0
    G = np.vstack([(first * sign).T, -weights])
    h = np.append(-sign * (row @ first + shift), row @ weights + constant)
    E, f = np.vstack([G.T, h]), np.append(np.zeros(len(row)), 1.0)
    residual = E @ nnls(E, f)[0] - f
    if np.linalg.norm(residual) < 1e-9:
        return np.inf
    return float(np.linalg.norm(residual[:-1] / residual[-1]))


@dataclass
class Search:
    """A long search for the nearest flip of many starts at once, from points that are decided otherwise.

    Attributes
    ----------
    flips : callable
    starts : ndarray of shape (n, p)
    best : ndarray of shape (n, p)
        The nearest point found so far for each.
    random : Generator
    """

    flips: Flips
    starts: np.ndarray
    best: np.ndarray
    random: np.random.Generator

    @property
    def distances(self) -> np.ndarray:
        """Of the best points from the starts, shape (n,)."""
        return np.linalg.norm(self.best - self.starts, axis=1)

    def run(self, iterations: int = 30, directions: int = 100, sweeps: int = 2) -> np.ndarray:
        """Search as HopSkipJump does, then by columns; return the distances.

        Each iteration estimates the normal at the best point from random directions at one of three radii, jumps
        along it as far as the decision stays flipped, and bisects back to the start (Chen, Jordan, Wainwright 2020).
        """
        self.consider(self.best)
        p = self.starts.shape[1]
        for iteration in range(1, iterations + 1):
            radius = p ** -(1, 0.5, 0)[iteration % 3]
            self._jump(radius, int(directions * np.sqrt(iteration)), iteration)
        for _ in range(sweeps):
            self._restore_columns()
        return self.distances

    def consider(self, points: np.ndarray) -> None:
        """Bisect flipped points towards the starts, and keep those that are nearer than the best."""
        all_starts = np.arange(len(self.starts))
        low, high = np.zeros(len(points)), np.ones(len(points))
        difference = points - self.starts
        for _ in range(25):
            middle = (low + high) / 2
            beyond = self.flips(all_starts, self.starts + middle[:, None] * difference)
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        collapsed = np.where(high[:, None] == 1, points, self.starts + high[:, None] * difference)
        nearer = np.linalg.norm(collapsed - self.starts, axis=1) < self.distances
        self.best = np.where(nearer[:, None], collapsed, self.best)

    def _jump(self, radius: float, n: int, iteration: int) -> None:
        units = self.random.standard_normal((len(self.starts), n, self.starts.shape[1]))
        units *= (radius * self.distances / np.linalg.norm(units, axis=2).T).T[..., None]
        points = (self.best[:, None] + units).reshape(-1, self.starts.shape[1])
        sides = self.flips(np.repeat(np.arange(len(self.starts)), n), points).reshape(len(self.starts), n) * 1.0
        normal = ((sides - sides.mean(axis=1, keepdims=True))[..., None] * units).mean(axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
        step, points = self.distances / np.sqrt(iteration), self.best.copy()
        waiting = np.arange(len(self.starts))
        for _ in range(12):
            if len(waiting) == 0:
                break
            jumped = self.best[waiting] + step[waiting, None] * normal[waiting]
            beyond = self.flips(waiting, jumped)
            points[waiting[beyond]] = jumped[beyond]
            waiting = waiting[~beyond]
            step[waiting] /= 2
        self.consider(points)

    def _restore_columns(self) -> None:
        """Bring each column back to the start's as far as the decision stays flipped, the smallest change first."""
        all_starts = np.arange(len(self.starts))
        order = np.abs(self.best - self.starts).argsort(axis=1)
        for column in order.T:
            home = self.starts[all_starts, column]
            low, high = home.copy(), self.best[all_starts, column]
            for step in range(12):
                points = self.best.copy()
                tried = low if step == 0 else (low + high) / 2
                points[all_starts, column] = tried
                beyond = self.flips(all_starts, points)
                high, low = np.where(beyond, tried, high), np.where(beyond, low, tried)
            self.best[all_starts, column] = high
        self.consider(self.best)
