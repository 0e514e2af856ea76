"""What the Brier score is made of, the share of positives being taken as a rising function of the score.

S = MCB - DSC + UNC: miscalibration, what recalibrating the scores would gain; discrimination, what they then have over
one score for all; and uncertainty, the score of that one. No bins are chosen.

References
----------
Dimitriadis, Gneiting, Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS 118, 2021.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

Array = NDArray[np.float64]


class Decomposition(NamedTuple):
    """What the Brier score is made of, in its own unit.

    Attributes
    ----------
    brier_score : float
        miscalibration - discrimination + uncertainty.
    miscalibration, discrimination, uncertainty : float
        Not negative.
    """

    brier_score: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def decompose(score: Array, truth: Array, weights: Array) -> Decomposition:
    """Take the Brier score apart by isotonic regression, tied scores as one.

    Parameters
    ----------
    score, truth, weights : ndarray of shape (n_rows,)
        Some weight above 0; rows of weight 0 do not count.
    """
    counted = weights > 0
    share = weights[counted] / weights[counted].sum()
    distinct, place = np.unique(score[counted], return_inverse=True)
    true = truth[counted].astype(np.float64)
    positive, negative = (np.bincount(place, each).astype(np.float64) for each in (share * true, share * (1 - true)))
    return decompose_ties(positive, negative, float(share @ (distinct[place] - true) ** 2))


def decompose_ties(positive: Array, negative: Array, brier_score: float) -> Decomposition:
    """Take the Brier score apart by the weight of both classes among scores that are taken for tied.

    Parameters
    ----------
    positive, negative : ndarray of shape (n_ties,)
        In the order of the scores, of sum 1 together; some have neither.
    brier_score : float
    """
    mass = positive + negative
    there = mass > 0
    positive, negative, mass = positive[there], negative[there], mass[there]
    risen = np.asarray(isotonic_regression(positive / mass, weights=mass).x, np.float64)
    recalibrated = float(positive @ (1 - risen) ** 2 + negative @ risen**2)
    share = float(positive.sum())
    one = share * float(negative.sum()) / float(mass.sum())
    return Decomposition(brier_score, max(brier_score - recalibrated, 0.0), max(one - recalibrated, 0.0), one)
