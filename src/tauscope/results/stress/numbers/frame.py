"""The columns that tables of curves have in common: one row per curve, τ and metric."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.results.reliability import level_names, sentences
from tauscope.stress.curves import Curves


def curve_columns(
    curves: Curves, subject: dict[str, NDArray[Any]], metric_names: Sequence[str], notes: NDArray[np.object_]
) -> dict[str, NDArray[Any]]:
    """Return the columns of a table of p curves, T values of τ and I metrics, each of p·T·I entries.

    Parameters
    ----------
    curves : Curves
    subject : dict of ndarray of shape (p,)
        What each curve is of; first columns of the table.
    metric_names : sequence of str, length I
    notes : ndarray of shape (p, T)
        Of str, whatever the metric; each metric's own caveat is added.

    Returns
    -------
    dict of ndarray
        The subject's columns; tau, target, metric, value, lower, upper, reliability, ess, pareto_k, kl,
        tv, note.
    """
    p, n_metrics, n_taus = curves.value.shape

    def population(values: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(values, n_metrics, axis=1).ravel()

    def answers(values: NDArray[Any]) -> NDArray[Any]:
        return values.transpose(0, 2, 1).ravel()

    return {
        **{name: np.repeat(values, n_metrics * n_taus) for name, values in subject.items()},
        "tau": np.tile(np.repeat(curves.taus, n_metrics), p),
        "target": population(curves.target),
        "metric": np.tile(np.array(metric_names, dtype=object), p * n_taus),
        "value": answers(curves.value),
        "lower": answers(curves.lower),
        "upper": answers(curves.upper),
        "reliability": answers(level_names(curves.reason)),
        "ess": population(curves.ess),
        "pareto_k": population(curves.pareto_k),
        "kl": population(curves.kl),
        "tv": population(curves.tv),
        "note": join_notes(population(notes), answers(cell_caveats(curves))),
    }


def cell_caveats(curves: Curves) -> NDArray[np.object_]:
    """Return each metric's caveat, of shape (p, I, T); "" where it is reliable, or there are no weights."""
    reason = np.where(np.isnan(curves.ess)[:, None, :], np.int8(0), curves.reason)
    return sentences(reason, curves.amount, curves.metrics, axis=1)


def join_notes(*parts: NDArray[np.object_]) -> NDArray[np.object_]:
    """Join notes entry by entry with "; ", empty ones left out."""
    return np.array(["; ".join(filter(None, words)) for words in zip(*parts, strict=True)], dtype=object)
