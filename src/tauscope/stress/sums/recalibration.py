"""Logistic recalibration of rows in chunks: Newton's method whose gradients and Hessians are summed over the chunks.

It starts from the fit to the mean log odds of cells of scores, which is off by the square of a cell's width, so that
two passes over the rows bring it to rounding, and one where every score has a cell.
"""

# Decided in docs/decisions/0036-a-fit-of-chunks-is-newtons-steps-over-the-chunks.md.

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tauscope.stress.calibration.recalibration import FLAT, fit_intercept, fit_logistic

Array = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)

MOST_PASSES = 50
SETTLED = 1e-11
"""Size of a Newton step below which the next one is nothing but rounding."""
ROUNDING = 1e-13
"""Share of a log likelihood that is rounding of its sum over the chunks."""


class LogisticPoint(NamedTuple):
    """A logistic curve: y ~ alpha + beta z, z = (odds - centre) / spread.

    Attributes
    ----------
    centre, spread, alpha, beta : float
    """

    centre: float
    spread: float
    alpha: float
    beta: float

    def design(self, odds: Array) -> Array:
        """Return 1 and z of each row, shape (n_rows, 2)."""
        return np.column_stack([np.ones(len(odds)), (odds - self.centre) / self.spread])

    def moved(self, theta: Array) -> "LogisticPoint":
        """Return the curve with other coefficients."""
        return self._replace(alpha=float(theta[0]), beta=float(theta[1]))


@dataclass(frozen=True)
class LogisticSums:
    """A log likelihood over some rows, to be added: its value, its gradient, and minus its Hessian."""

    value: float
    gradient: Array
    information: Array

    @classmethod
    def of(cls, odds: Array, truth: Array, share: Array, point: LogisticPoint) -> "LogisticSums":
        """Sum over rows of some log odds, truth (0 or 1) and weight."""
        design = point.design(odds)
        linear = design @ np.array([point.alpha, point.beta])
        fitted = expit(linear)
        return cls(
            float(share @ (truth * linear - np.logaddexp(0.0, linear))),
            design.T @ (share * (truth - fitted)),
            (design * (share * fitted * (1 - fitted))[:, None]).T @ design,
        )

    def __add__(self, other: "LogisticSums") -> "LogisticSums":
        """Return the sums over both sets of rows."""
        return LogisticSums(
            self.value + other.value, self.gradient + other.gradient, self.information + other.information
        )


class Coefficient(NamedTuple):
    """A fitted intercept or slope.

    Attributes
    ----------
    value : float
        NaN where there is none.
    point : LogisticPoint
        The curve that fits best.
    constant, linear : float
        A row's influence on the value is (constant + linear z)(y - fitted); 0 where there is no value.
    """

    value: float
    point: LogisticPoint
    constant: float
    linear: float


NOTHING = Coefficient(float("nan"), LogisticPoint(0.0, 1.0, 0.0, 0.0), 0.0, 0.0)


def influence(coefficients: Array, odds: Array, truth: Array) -> Array:
    """Return the influence of rows on a coefficient each; `coefficients` of shape (n_rows, 6), see `as_numbers`."""
    centre, spread, alpha, beta, constant, linear = (coefficients[:, j] for j in range(6))
    z = (odds - centre) / spread
    fitted: Array = expit(alpha + beta * z)
    return (constant + linear * z) * (truth - fitted)


def as_numbers(coefficient: Coefficient) -> Array:
    """Return the curve and what influences are made of, shape (6,)."""
    return np.array([*coefficient.point, coefficient.constant, coefficient.linear])


class Newton:
    """The way to one coefficient.

    Parameters
    ----------
    start : LogisticPoint
    with_slope : bool
        Whether the slope is fitted, or an intercept alone.
    """

    def __init__(self, start: LogisticPoint, *, with_slope: bool) -> None:
        self.point, self._with_slope = start, with_slope
        self.settled = False
        self._base, self._step = np.array([start.alpha, start.beta]), np.zeros(2)
        self._best = -np.inf
        self._information = np.zeros((2, 2))

    def follow(self, sums: LogisticSums) -> None:
        """Take what the rows say at the present point, and go to the next one."""
        if sums.value < self._best - ROUNDING * abs(self._best):
            self._step = self._step / 2
        else:
            self._base, self._best = np.array([self.point.alpha, self.point.beta]), sums.value
            self._information = sums.information
            free = 2 if self._with_slope else 1
            self._step = np.zeros(2)
            self._step[:free] = np.linalg.lstsq(sums.information[:free, :free], sums.gradient[:free])[0]
            self.settled = bool(np.abs(self._step).max() <= SETTLED * max(1.0, float(np.abs(self._base).max())))
        self.point = self.point.moved(self._base + self._step)

    def coefficient(self) -> Coefficient:
        """Return what was found."""
        centre, spread, alpha, beta = self.point
        if not self._with_slope:
            slope = float(self._information[0, 0])
            return Coefficient(alpha - centre, self.point, 1 / slope, 0.0) if slope > 0 else NOTHING
        if not np.linalg.cond(self._information) < 1 / np.finfo(np.float64).eps:
            return NOTHING
        constant, linear = (np.linalg.inv(self._information)[:, 1] / spread).tolist()
        return Coefficient(beta / spread, self.point, constant, linear)


def fit_all(ways: Mapping[Key, Newton], ask: Callable[[dict[Key, LogisticPoint]], Mapping[Key, LogisticSums]]) -> int:
    """Follow every way to its end, all that are not there in one pass; return how many that took.

    Parameters
    ----------
    ways : mapping of Newton
    ask : callable
        Points, by the keys of their ways, to sums over all rows: a pass.
    """
    for n_passes in range(MOST_PASSES):
        open_ways = {key: way for key, way in ways.items() if not way.settled}
        if not open_ways:
            return n_passes
        for key, sums in ask({key: way.point for key, way in open_ways.items()}).items():
            ways[key].follow(sums)
    return MOST_PASSES


def start_intercept(odds: Array, truth: Array, share: Array) -> Newton | None:
    """Return the way to the intercept from a fit to few rows that stand for all; None where one class is missing.

    Parameters
    ----------
    odds, truth, share : ndarray of shape (n,)
        Weights of sum 1.
    """
    value = fit_intercept(odds, truth, share).value
    if not np.isfinite(value):
        return None
    centre = float(share @ odds)
    return Newton(LogisticPoint(centre, 1.0, value + centre, 1.0), with_slope=False)


def start_slope(odds: Array, truth: Array, share: Array, *, overlap: bool) -> Newton | None:
    """Return the way to the slope, likewise; `overlap` tells whether no threshold parts the classes of all rows."""
    centre = float(share @ odds)
    spread = float(np.sqrt(share @ (odds - centre) ** 2))
    if not overlap or not spread > FLAT * float(np.abs(odds[share > 0]).max(initial=0.0)):
        return None
    point = LogisticPoint(centre, spread, 0.0, 0.0)
    of_positives, of_negatives = (odds[(truth == each) & (share > 0)] for each in (1, 0))
    if of_positives.min() < of_negatives.max() and of_negatives.min() < of_positives.max():
        point = point.moved(fit_logistic(point.design(odds), truth, share))
    return Newton(point, with_slope=True)
