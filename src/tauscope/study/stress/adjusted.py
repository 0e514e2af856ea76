"""Stress curves with the other features held: a study's columns to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import Feature, check_named, default_features, select_features
from tauscope.prediction.batches import Over
from tauscope.stress.equal_distance import Shifts
from tauscope.stress.joint import adjusted as engine, adjusted_shifts as engine_of_shifts
from tauscope.stress.joint.adjusted import AdjustedCurves, Hold

COMMON = 0.05
"""Least share of the rows that must have a level, and lack it, for it to be held unasked."""

if TYPE_CHECKING:
    from tauscope.results.stress.curves import StressCurves
    from tauscope.study.base import StudyBase


def adjusted_curves(
    study: StudyBase,
    features: Sequence[Feature],
    hold: Hold,
    adjusted_for: Sequence[Feature] | None = None,
    *,
    taus: NDArray[np.float64],
    quantile: float,
    confidence: float,
    metrics: Sequence[str] | None,
    over: Over = map,
) -> AdjustedCurves:
    """Move each feature while all features of other columns are held.

    Parameters
    ----------
    study : Study
    features : sequence of Feature
        What is moved, one after another; each must be able to.
    hold : {"means", "uncorrelated"}
        "means" holds the means and shares of the other features; "uncorrelated" also makes their covariance with
        the moved feature zero.
    adjusted_for : sequence of Feature, optional
        What is held. By default every feature that can be moved itself, but of levels only those that at least
        5 % of the rows have and at least 5 % lack, and fewer where their column's other levels together would be
        rarer: few weights could uncorrelate a handful of rows from anything. A feature of the moved one's own
        column never is held.
    taus, quantile, confidence, metrics, over
        As in `tauscope.stress.joint.adjusted.adjusted_curves`.

    Returns
    -------
    AdjustedCurves
        `tied` counts among the features that are moved, then the other ones that are held.
    """
    return engine.adjusted_curves(
        **_columns(study, features, hold, adjusted_for),
        taus=taus,
        quantile=quantile,
        confidence=confidence,
        metrics=metrics,
        over=over,
    )


def adjusted_shifts(
    study: StudyBase,
    curves: StressCurves,
    features: Sequence[Feature],
    metric: str,
    distance: float,
    over: Over = map,
) -> Shifts:
    """Move each feature of some curves to one total variation while the others are held, as they are there.

    Parameters
    ----------
    study : Study
    curves : StressCurves
        With `hold`.
    features : sequence of Feature
        Theirs.
    metric, distance, over
        As in `tauscope.stress.joint.adjusted_shifts.adjusted_shifts`.
    """
    options = curves._options
    assert options.hold is not None
    held = None if options.hold_features is None else select_features(study._columns, options.hold_features)
    return engine_of_shifts.adjusted_shifts(
        **_columns(study, features, options.hold, held),
        metric=metric,
        distance=distance,
        quantile=options.quantile,
        confidence=options.confidence,
        over=over,
    )


def _columns(
    study: StudyBase, features: Sequence[Feature], hold: Hold, adjusted_for: Sequence[Feature] | None
) -> dict[str, Any]:
    """Return what the engine takes of a study: its columns, which of them move, and which are held."""
    adjusted_for = default_held_features(study) if adjusted_for is None else adjusted_for
    together = list({feature.name: feature for feature in (*features, *adjusted_for)}.values())
    held_names = {feature.name for feature in adjusted_for}
    return {
        "columns": [feature.values() for feature in together],
        "outcomes": study._outcomes,
        "hold": hold,
        "moved": range(len(features)),
        "adjusted_for": [j for j, feature in enumerate(together) if feature.name in held_names],
        "groups": [feature.column for feature in together],
        "sample_weight": study.sample_weight,
    }


def default_held_features(study: StudyBase) -> list[Feature]:
    """Return the features that are held by default; see `adjusted_curves`."""
    check_named(study._columns, "hold_features")
    chosen, _ = default_features(study._columns, study.sample_weight)
    shares = {
        feature.name: float(np.average(feature.values(), weights=study.sample_weight))
        for feature in chosen
        if feature.kind == "share"
    }
    free: set[str] = set()
    for column in study._columns:
        levels = sorted(
            (f.name for f in chosen if f.column == column.name and f.name in shares), key=shares.__getitem__
        )
        rest = 1 - sum(shares[name] for name in levels)
        for name in levels:
            # the shares that are held leave the rest no freedom as a whole: it must be common too
            if shares[name] < COMMON or 1e-9 < rest < COMMON or shares[name] > 1 - COMMON:
                free.add(name)
                rest += shares[name]
    return [feature for feature in chosen if feature.name not in free]
