"""Features to be moved together, and what each τ means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data.sparse import are_sparse
from tauscope.results.stress.columns import StressColumns
from tauscope.stress.column.target import tau_range
from tauscope.stress.column.tau_end import TauEnd
from tauscope.study.stress.adjusted import default_held_features
from tauscope.study.stress.curves import Features, stress_curves

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def stress_columns(study: StudyBase, features: Features | None = None, *, quantile: float = 0.05) -> StressColumns:
    """Choose features and find what τ = -1, 0 and 1 stand for, as `Study.stress_curves` does.

    Parameters
    ----------
    study : Study
    features : name, position, or several of them, optional
        By default every feature that can be moved.
    quantile : float
        Probability in (0, 0.5).

    Returns
    -------
    StressColumns

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.stress_curves`.
    """
    moved = stress_curves(study, features, taus=3, quantile=quantile)
    curves, weight = moved._curves, study.sample_weight
    sd: list[float] = []
    ends: list[tuple[TauEnd, TauEnd]] = []
    for feature, mean in zip(moved.features, curves.mean.tolist(), strict=True):
        values = feature.values()
        seen = ~np.isnan(values)
        weight_seen = None if weight is None else weight[seen]
        sd.append(float(np.sqrt(np.average((values[seen] - mean) ** 2, weights=weight_seen))))
        ends.append(tau_range(values[seen], moved.quantile, weight_seen).ends)
    return StressColumns(
        features=moved.features,
        low=curves.target[:, 0],
        mean=curves.mean,
        high=curves.target[:, 2],
        ends=tuple(ends),
        sd=np.array(sd),
        n_missing=curves.n_missing,
        held=_held(study, moved.feature_names),
        notes=moved.tau_notes,
        skipped=moved.skipped,
        quantile=moved.quantile,
        n_rows=study.n_rows,
        sample_weight=weight,
    )


def _held(study: StudyBase, names: Sequence[str]) -> frozenset[str]:
    """Of the features, those that are held by default: of sparse columns, which are numbers, all."""
    if are_sparse(study._columns):
        return frozenset(names)
    return frozenset(feature.name for feature in default_held_features(study)) & set(names)
