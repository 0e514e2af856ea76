"""Sums of rows in chunks over cells of the score, of each group in each population."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.calibration.isotonic import Decomposition, decompose_ties
from tauscope.stress.sums.recalibration import Newton, start_intercept, start_slope
from tauscope.stress.sums.score_order import ScoreCuts

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ScoreCells:
    """Sums over the rows of each group, to be added; w are shares of the weight of all rows.

    Attributes
    ----------
    mass, odds : ndarray of shape (n_groups, 2, n_cells)
        Σ w and Σ w logit p by true class and cell.
    ends : ndarray of shape (n_groups, 2, 2)
        Least and greatest log odds by true class, of rows that have weight: (-min, max).
    brier : ndarray of shape (n_groups,)
        Σ w (p - y)².
    bars : ndarray of shape (n_groups, n_bars)
        Weight in the bars of a histogram.
    """

    mass: Array
    odds: Array
    ends: Array
    brier: Array
    bars: Array

    @classmethod
    def of(
        cls,
        cuts: ScoreCuts,
        edges: Array,
        rows: tuple[Array, Array, Array],
        codes: NDArray[np.intp],
        n_groups: int,
        share: Array,
    ) -> "ScoreCells":
        """Sum over some rows.

        Parameters
        ----------
        cuts : ScoreCuts
        edges : ndarray
            Of the bars.
        rows : tuple of ndarray of shape (n_rows,)
            Score, log odds and truth.
        codes : ndarray of shape (n_rows,)
            Groups.
        n_groups : int
        share : ndarray of shape (n_rows,)
        """
        score, odds, truth = rows
        shape = n_groups, 2, cuts.n
        part = 2 * codes + truth.astype(np.intp)
        place = part * cuts.n + cuts(score)
        ends = np.full((2 * n_groups, 2), -np.inf)
        held = share > 0
        for side, values in enumerate((-odds, odds)):
            np.maximum.at(ends[:, side], part[held], values[held])
        bars = [np.histogram(score[codes == k], edges, weights=share[codes == k])[0] for k in range(n_groups)]
        return cls(
            _sums(place, share, shape),
            _sums(place, share * odds, shape),
            ends.reshape(n_groups, 2, 2),
            _sums(codes, share * (score - truth) ** 2, (n_groups,)),
            np.array(bars, np.float64),
        )

    def __add__(self, other: "ScoreCells") -> "ScoreCells":
        """Return the sums over both sets of rows."""
        return ScoreCells(
            self.mass + other.mass,
            self.odds + other.odds,
            np.maximum(self.ends, other.ends),
            self.brier + other.brier,
            self.bars + other.bars,
        )

    def share(self, group: int) -> float:
        """Return a group's share of all weight."""
        return float(self.mass[group].sum())

    def start(self, group: int) -> tuple[Newton | None, Newton | None]:
        """Return the ways to a group's intercept and slope; None for what there cannot be."""
        mass, sums = self.mass[group], self.odds[group]
        there = mass > 0
        share = mass[there] / float(mass.sum())
        odds = sums[there] / mass[there]
        truth = np.repeat([0.0, 1.0], there.sum(axis=1))
        (low_0, high_0), (low_1, high_1) = self.ends[group] * [-1.0, 1.0]
        overlap = bool(low_1 < high_0 and low_0 < high_1)
        return start_intercept(odds, truth, share), start_slope(odds, truth, share, overlap=overlap)

    def decompose(self, group: int) -> Decomposition:
        """Take a group's Brier score apart, the scores of a cell taken for tied."""
        total = self.share(group)
        negative, positive = self.mass[group] / total
        return decompose_ties(positive, negative, float(self.brier[group]) / total)

    def bound(self, cuts: ScoreCuts, groups: Sequence[int]) -> float:
        """Return how far miscalibration and discrimination can be off for that, of the groups together.

        A rising function of the scores varies within a cell of share m by some r. Its mean there serves as well but for
        2 cov(y, f) - var(f) ≤ r / 2 on that share, and the r add up to 1 at most: half of the largest share.
        """
        shares = [self.mass[group][:, ~cuts.alone].sum(axis=0) / self.share(group) for group in groups]
        return max((float(each.max(initial=0.0)) / 2 for each in shares), default=0.0)


def _sums(place: NDArray[np.intp], values: Array, shape: tuple[int, ...]) -> Array:
    return np.bincount(place, values, int(np.prod(shape))).astype(np.float64, copy=False).reshape(shape)
