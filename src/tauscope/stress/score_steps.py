"""Scores in steps, for rows that cannot be ranked together: ROC AUC and average precision from masses of cells.

A cell is a step of the score, a true class and a predicted one, in this order. Within a step rows count
as tied for ROC AUC, and for average precision as mixed evenly; how far another order could lead is the metric's bound.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_HALF, WEIGHTS = (0.5 * each for each in np.polynomial.legendre.leggauss(4))
PLACES = 0.5 + _HALF
"""Places within a step at which precision is taken, and how much each counts."""


def misordered(positive: Array, negative: Array) -> tuple[Array, Array]:
    """Return the mass of negatives above a positive of each rank, and of positives below a negative of each.

    Ties count half. Both are 0 where the score parts the classes.

    Parameters
    ----------
    positive, negative : ndarray of shape (..., n_ranks)
        Masses of either class by rank, ascending.
    """
    return (
        np.cumsum(negative[..., ::-1], -1)[..., ::-1] - 0.5 * negative,
        np.cumsum(positive, -1) - 0.5 * positive,
    )


@dataclass(frozen=True)
class ScoreSteps:
    """Steps of a score, ascending.

    Attributes
    ----------
    edges : ndarray of shape (n - 1,)
        Largest score of every step but the last.
    """

    edges: Array

    @property
    def n(self) -> int:
        """Number of steps."""
        return len(self.edges) + 1

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Which steps have room for one score alone, shape (n,)."""
        inner = self.edges[:-1] == np.nextafter(self.edges[1:], -np.inf)
        return np.concatenate([[False], inner, [False]])[: self.n]

    def __call__(self, score: Array) -> NDArray[np.integer]:
        """Return the step of each score."""
        return np.searchsorted(self.edges, score)


@dataclass(frozen=True)
class Ranking:
    """A metric of ranks as a function of the weight in each cell.

    Attributes
    ----------
    measure : {"roc_auc", "average_precision"}
    tied : ndarray of bool of shape (n_steps,)
        Steps of one score.
    is_bound : bool
        Whether what is asked for is how far the metric of the rows themselves can lie from that of the steps.
    """

    measure: Literal["roc_auc", "average_precision"]
    tied: NDArray[np.bool_] = field(compare=False)
    is_bound: bool = False

    @property
    def n_steps(self) -> int:
        """Number of steps."""
        return len(self.tied)

    def evaluate(self, sums: Array) -> tuple[Array, Array]:
        """Return the value and its gradient from the cells' weight, shape (..., 4 n_steps).

        The value, of shape (...,), is NaN where a class has no weight. The gradient of a bound is 0.
        """
        total = np.sum(sums, -1, keepdims=True)
        share = sums / np.where(total > 0, total, 1.0)
        by_class = share.reshape(*sums.shape[:-1], len(self.tied), 2, 2).sum(-1)
        negative, positive = by_class[..., 0], by_class[..., 1]
        defined = (negative.sum(-1) > 0) & (positive.sum(-1) > 0)
        measure = _RocAuc if self.measure == "roc_auc" else _AveragePrecision
        steps = measure(negative, positive, self.tied, np.where(defined, negative.sum(-1), 1.0)[..., None],
                        np.where(defined, positive.sum(-1), 1.0)[..., None])  # fmt: skip
        if self.is_bound:
            return np.where(defined, steps.bound(), np.nan), np.zeros_like(sums)
        value, of_negative, of_positive = steps.value()
        gradient = np.repeat(np.stack([of_negative, of_positive], -1), 2, axis=-1).reshape(sums.shape)
        return np.where(defined, value, np.nan), gradient / np.where(total > 0, total, 1.0)


@dataclass(frozen=True)
class _RocAuc:
    """Masses of both classes by step, shape (..., n_steps), and altogether, shape (..., 1)."""

    negative: Array
    positive: Array
    tied: NDArray[np.bool_]
    negatives: Array
    positives: Array

    def value(self) -> tuple[Array, Array, Array]:
        """Return the value, and its gradient on either mass."""
        beaten = (np.cumsum(self.negative, -1) - 0.5 * self.negative) / self.negatives
        beating = (self.positives - np.cumsum(self.positive, -1) + 0.5 * self.positive) / self.positives
        value = np.sum(self.positive / self.positives * beaten, -1, keepdims=True)
        return value[..., 0], (beating - value) / self.negatives, (beaten - value) / self.positives

    def bound(self) -> Array:
        """Return the weight of pairs within a step that may be in any order, halved."""
        pairs = (self.positive / self.positives) * (self.negative / self.negatives)
        return 0.5 * np.sum(np.where(self.tied, 0.0, pairs), -1)


@dataclass(frozen=True)
class _AveragePrecision(_RocAuc):
    """The same masses; precision is taken along each step, of one score at its end."""

    def value(self) -> tuple[Array, Array, Array]:
        """Return the value, and its gradient on either mass."""
        a, b = self.positive[..., None], self.negative[..., None]
        true, false = self._above(self.positive)[..., None], self._above(self.negative)[..., None]
        place = np.where(self.tied[:, None], 1.0, PLACES)
        true, false = true + place * a, false + place * b
        above = np.where(true + false > 0, true + false, 1.0)
        share = WEIGHTS * a / above
        precision = np.sum(WEIGHTS * true / above, -1)
        value = np.sum(self.positive * precision, -1, keepdims=True) / self.positives
        gained, lost = share * false / above, share * true / above
        of_positive = (precision - value + self._below(gained, place)) / self.positives
        return value[..., 0], -self._below(lost, place) / self.positives, of_positive

    def bound(self) -> Array:
        """Return how far the value is at most from that of the steps' best or worst order."""
        a, b = self.positive, self.negative
        true, false = self._above(a), self._above(b)
        above = true + false

        def per(part: Array, whole: Array) -> Array:
            return part / np.where(whole > 0, whole, 1.0)

        best = a * per(true + a, above + a)
        before = above + b
        worst = a - (false + b) * np.log1p(per(a, before))
        mixed = per(true[..., None] + PLACES * a[..., None], above[..., None] + PLACES * (a + b)[..., None])
        here = a * np.sum(WEIGHTS * mixed, -1)
        sides = [np.sum(np.where(self.tied, 0.0, side), -1) for side in (best - here, here - worst)]
        return np.maximum(*sides) / self.positives[..., 0]

    @staticmethod
    def _above(masses: Array) -> Array:
        """Return what lies in higher steps."""
        return np.cumsum(masses[..., ::-1], -1)[..., ::-1] - masses

    @staticmethod
    def _below(parts: Array, place: Array) -> Array:
        """Add up over lower steps, and over as much of the step itself as a row of it counts at each place."""
        whole = np.sum(parts, -1)
        return np.cumsum(whole, -1) - whole + np.sum(parts * place, -1)
