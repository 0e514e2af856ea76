"""Steps of the score, laid out from the order of both classes' scores."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.score_steps import ScoreSteps

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ScoreRanks:
    """Where the scores of both classes lie.

    Attributes
    ----------
    negatives, positives : QuantileSketch
    """

    negatives: QuantileSketch
    positives: QuantileSketch

    @classmethod
    def of(cls, outcomes: Outcomes, weight: Array | None) -> "ScoreRanks | None":
        """Read the rows of weight above zero; None without scores or truth."""
        if outcomes.score is None or outcomes.truth is None:
            return None
        counted = np.ones(outcomes.n_rows, np.bool_) if weight is None else weight > 0
        negative, positive = (QuantileSketch.of(outcomes.score[counted & (outcomes.truth == code)]) for code in (0, 1))
        return cls(negative, positive)

    def __add__(self, other: "ScoreRanks") -> "ScoreRanks":
        """Return the ranks of both row sets."""
        return ScoreRanks(self.negatives + other.negatives, self.positives + other.positives)

    def lay_out(self, most: int) -> ScoreSteps:
        """Return steps of small shares of either class, smaller towards the ends, where a stress may lead.

        Scores of many rows are a step of their own; where few differ, all are.

        Parameters
        ----------
        most : int
            Steps there may be.
        """
        classes = [each for each in (self.negatives, self.positives) if each.n]
        if all(each.step == 0 for each in classes):
            distinct = np.unique(np.concatenate([np.zeros(0), *(each.low for each in classes)]))
            if 2 * len(distinct) < most:
                return ScoreSteps(_alone(distinct))
        return ScoreSteps(np.unique(np.concatenate([np.zeros(0), *(_cut(each, most // 2) for each in classes)])))


def _cut(ranks: QuantileSketch, n_parts: int) -> Array:
    """Return fewer edges than parts: between parts of the rows, and about a value that spans one of them."""
    levels = (1 - np.cos(np.pi * np.arange(1, n_parts) / n_parts)) / 2
    at, n_cuts = np.unique(np.searchsorted(np.cumsum(ranks.count), ranks.n * levels), return_counts=True)
    alone = (ranks.low[at] == ranks.high[at]) & (n_cuts > 1)
    return np.concatenate([ranks.high[at], _alone(ranks.low[at][alone])])


def _alone(values: Array) -> Array:
    return np.unique(np.concatenate([values, np.nextafter(values, -np.inf)]))
