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
    true, mass = truth[counted].astype(np.float64), np.bincount(place, share)
    risen = np.asarray(isotonic_regression(np.bincount(place, share * true) / mass, weights=mass).x, np.float64)
    alike = np.full(len(true), float(share @ true))
    brier, recalibrated, one = (float(share @ (each - true) ** 2) for each in (distinct[place], risen[place], alike))
    return Decomposition(brier, max(brier - recalibrated, 0.0), max(one - recalibrated, 0.0), one)
