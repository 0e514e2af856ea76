"""The rows that rules are counted on: what a page needs to count a rule whose edges were moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class RuleRows:
    """Rows of the forest, then the others.

    Attributes
    ----------
    n_training : int
        The first rows: those the forest was fitted on.
    agrees : ndarray of bool, shape (n,)
        Whether each is decided as the row explained.
    weight : ndarray of shape (n,), or None
        None where all count alike.
    values : tuple of ndarray of shape (n, k)
        Of each rule, the values in its columns; levels as codes.
    sdp : tuple of ndarray of float32, shape (n_training,)
        Of each rule, the same-decision probability at the rows of the forest.
    position : ndarray of int, shape (n,)
        Among the study's rows.
    decided : ndarray of shape (n,)
        What is decided of each: codes of classes, or values.
    classes : tuple of str
        Names in the order of their codes; empty for a regression.
    score : ndarray of shape (n,), or None
        Of the positive class of two, of several that of the row explained; None where there is none.
    score_name : str
        "probability of yes", "score of yes"; "" where there is none.
    """

    n_training: int
    agrees: Bools
    weight: Floats | None
    values: tuple[Floats, ...]
    sdp: tuple[NDArray[np.float32], ...]
    position: Ints
    decided: Floats
    classes: tuple[str, ...]
    score: Floats | None
    score_name: str
