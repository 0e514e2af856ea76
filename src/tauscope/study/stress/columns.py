"""Features to be moved together: what each τ means, and a joint stress as constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from tauscope.data.features import Feature
from tauscope.results.stress.columns import StressColumns
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Share, Stress
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.feasibility import dependence, implied_target
from tauscope.stress.joint.moments import resolve
from tauscope.study.stress.adjusted import commonly_held
from tauscope.study.stress.curves import Features, stress_curves
from tauscope.study.stress.quantities import quantities

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

JointHold = Literal["none", "means", "uncorrelated"]


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
        held=frozenset(feature.name for feature in commonly_held(study)) & set(ends.feature_names),
        notes=ends.tau_notes,
        skipped=ends.skipped,
        quantile=ends.quantile,
        n_rows=study.n_rows,
        sample_weight=weight,
    )


def joint_constraints(
    study: StudyBase,
    columns: StressColumns,
    taus: Mapping[str, float],
    hold: JointHold = "none",
    free: str | None = None,
) -> Stress | None:
    """Write a joint stress as constraints that `Study.reweight` takes.

    Parameters
    ----------
    study : Study
    columns : StressColumns
        Of the study.
    taus : mapping of str to float
        τ in [-1, 1] by feature name; τ = 0 holds a mean.
    hold : {"none", "means", "uncorrelated"}
        "means": the means of all other features that can be held stay, those of a moved feature's own column
        excepted; "uncorrelated": they stay, and their covariances with every moved feature become 0.
    free : str, optional
        A moved feature whose target is not meant yet: nothing is left out for following from it.

    Returns
    -------
    Stress or None
        None where nothing is moved. What is held is left out where it already follows from the rest; where it
        contradicts the rest it stays, for `Study.reweight` to say so.

    Raises
    ------
    UnknownName
        For a feature that is not among the columns.
    """
    places = sorted(columns.place(name) for name in taus)
    if not places:
        return None
    moved = [columns.features[k] for k in places]
    asked = [_mean(feature, taus[feature.name]) for feature in moved]
    if hold == "none":
        return Stress(tuple(asked))
    own = {feature.column for feature in moved}
    held = [one for one in columns.features if one.name in columns.held and one.column not in own]
    beside = [_mean(one, 0) for one in held]
    if hold == "uncorrelated":
        beside += [Covariance(feature.name, one.name, 0.0) for feature in moved for one in held]
    open_ended = [k for k, feature in enumerate(moved) if feature.name == free]
    return _without_repetitions(study, columns, asked, beside, open_ended)


def _mean(feature: Feature, tau: float) -> Constraint:
    if feature.level is None:
        return Mean(feature.name, tau=tau)
    return Share(feature.column, feature.level, tau=tau)


def _without_repetitions(
    study: StudyBase, columns: StressColumns, asked: list[Constraint], beside: list[Constraint], ignored: list[int]
) -> Stress:
    """Leave out what is held and follows from what stands before it, with the value it is held at."""
    weight = columns.sample_weight
    whole = Stress((*asked, *beside))
    moments = resolve(whole, quantities(study), study.n_rows, quantile=columns.quantile, sample_weight=weight)
    counted = slice(None) if weight is None or weight.all() else weight > 0
    base = None if weight is None else weight[counted] / weight[counted].sum()
    found = summarise_moments(moments.phi[counted], base)
    kept: list[int] = []
    for j in range(len(whole)):
        if j >= len(asked):
            flat = found.low[j] == found.high[j]
            if flat and moments.target[j] == found.low[j]:
                continue
            before = [k for k in kept if k not in ignored]
            slopes = None if flat or not before else dependence(found, j, before)
            if slopes is not None and implied_target(moments.target, found, j, before, slopes)[1]:
                continue
        kept.append(j)
    return Stress(tuple(whole.constraints[j] for j in kept))
