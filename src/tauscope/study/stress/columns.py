"""Features to be moved together, and what each τ means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.stress.columns import StressColumns
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
    ends = stress_curves(study, features, taus=3, quantile=quantile)
    curves, weight = ends.curves, study.sample_weight
    sd: list[float] = []
    for feature, mean in zip(ends.features, curves.mean.tolist(), strict=True):
        values = feature.values()
        seen = ~np.isnan(values)
        square = np.average((values[seen] - mean) ** 2, weights=None if weight is None else weight[seen])
        sd.append(float(np.sqrt(square)))
    return StressColumns(
        features=ends.features,
        low=curves.target[:, 0],
        mean=curves.mean,
        high=curves.target[:, 2],
        sd=np.array(sd),
        n_missing=curves.n_missing,
        held=frozenset(feature.name for feature in default_held_features(study)) & set(ends.feature_names),
        notes=ends.tau_notes,
        skipped=ends.skipped,
        quantile=ends.quantile,
        n_rows=study.n_rows,
        sample_weight=weight,
    )
