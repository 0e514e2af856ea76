"""Means of features before and under weights, for rows that come in chunks: the numbers of a love plot, as sums."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.sums.margins import ValuedRows

Array = NDArray[np.float64]


def sum_balance(chunk: ValuedRows, features: Sequence[str], centres: Array, before: Array, share: Array) -> Array:
    """Sum over some rows what `balance_of` takes.

    Parameters
    ----------
    chunk : ValuedRows
    features : sequence of str, length p
    centres : ndarray of shape (p,)
        About which sums are taken, near the features' means.
    before, share : ndarray of shape (n_rows,)
        Of all weight, before and under the weights.

    Returns
    -------
    ndarray of shape (p, 5)
        To be added over chunks.
    """
    sums = np.zeros((len(features), 5))
    for j, name in enumerate(features):
        away = chunk.values(name) - centres[j]
        known = ~np.isnan(away)
        away = np.where(known, away, 0.0)
        b, s = before * known, share * known
        sums[j] = b.sum(), b @ away, b @ away**2, s.sum(), s @ away
    return sums


def balance_of(sums: Array, centres: Array) -> Array:
    """Return means of features before and after from their sums.

    Returns
    -------
    ndarray of shape (p, 4)
        Mean and standard deviation before, mean under the weights, and weight before of the rows with a value.
    """
    b0, b1, b2, s0, s1 = sums.T
    weight, under = (np.where(each > 0, each, np.nan) for each in (b0, s0))
    away = b1 / weight
    deviation = np.sqrt(np.maximum(b2 / weight - away**2, 0.0))
    return np.stack([centres + away, deviation, centres + s1 / under, b0], axis=1)
