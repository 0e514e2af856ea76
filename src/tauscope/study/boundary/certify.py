"""The lower end of a distance: what is proved about the model behind a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.boundary.numbers import Certificate
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.boundary.bisection import Starts
    from tauscope.study.base import StudyBase
    from tauscope.study.boundary.space import StudySpace


def lower_distances(
    study: StudyBase, measured: StudySpace, starts: Starts, distance: Floats
) -> tuple[Floats, tuple[Certificate, ...]]:
    """Find below which distance no point is decided otherwise.

    Parameters
    ----------
    study : Study
    measured : StudySpace
    starts : Starts
    distance : ndarray of shape (n,)
        Of the points found; ∞ for none.

    Returns
    -------
    lower : ndarray of shape (n,)
        0 where nothing is known.
    certificate : tuple of str
    """
    return np.zeros(starts.n), ("none",) * starts.n
