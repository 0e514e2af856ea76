"""The columns that tables of curves have in common: one row per curve, τ and index."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.curves import Curves


def curve_columns(
    curves: Curves, subject: dict[str, NDArray[Any]], index_names: Sequence[str], notes: NDArray[np.object_]
) -> dict[str, NDArray[Any]]:
    """Return the columns of a table of p curves, T values of τ and I indices, each of p·T·I entries.

    Parameters
    ----------
    curves : Curves
    subject : dict of ndarray of shape (p,)
        What each curve is of; first columns of the table.
    index_names : sequence of str, length I
    notes : ndarray of shape (p, T)

    Returns
    -------
    dict of ndarray
        The subject's columns; tau, target, index, value, lower, upper, ess, pareto_k, kl, tv, note.
    """
    p, n_indices, n_taus = curves.value.shape

    def population(values: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(values, n_indices, axis=1).ravel()

    def answers(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values.transpose(0, 2, 1).ravel()

    return {
        **{name: np.repeat(values, n_indices * n_taus) for name, values in subject.items()},
        "tau": np.tile(np.repeat(curves.taus, n_indices), p),
        "target": population(curves.target),
        "index": np.tile(np.array(index_names, dtype=object), p * n_taus),
        "value": answers(curves.value),
        "lower": answers(curves.lower),
        "upper": answers(curves.upper),
        "ess": population(curves.ess),
        "pareto_k": population(curves.pareto_k),
        "kl": population(curves.kl),
        "tv": population(curves.tv),
        "note": population(notes),
    }
