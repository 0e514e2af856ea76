"""A joint stress as constraints and as moments: which are requested, which held, how far a feature can move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, Literal, cast, get_args

import numpy as np

from tauscope.data.features import Feature
from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.numbers.natural_units import with_readings
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Share, Stress
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.feasibility import compute_implied_target, feasible_range, solve_dependence
from tauscope.stress.joint.moments import feature_of, resolve
from tauscope.stress.joint.terms import Moments

JointHold = Literal["none", "means", "uncorrelated"]


def joint_constraints(
    columns: StressColumns, taus: Mapping[str, float], hold: JointHold = "none", free: str | None = None
) -> Stress | None:
    """Write a joint stress as constraints that `Study.reweight` takes.

    Parameters
    ----------
    columns : StressColumns
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
    return _with_held(columns, moved, [_mean(feature, taus[feature.name]) for feature in moved], hold, free)


def joint_stress_of(columns: StressColumns, stress: Stress, hold: JointHold) -> Stress:
    """Add to constraints on means and shares of some features what stays of the others; as `joint_constraints`.

    Raises
    ------
    UnknownName
        For a feature that is not among the columns.
    InputError, InputTypeError
        For a constraint that is on no mean or share, or another `hold`.
    """
    requested = list(stress)
    others = [each for each in requested if not isinstance(each, Mean | Share)]
    if others:
        raise InputTypeError(f"Features move by ts.Mean and ts.Share here; got {others[0]!r}. Use study.reweight(…).")
    named = [feature_of(each) for each in requested if isinstance(each, Mean | Share)]
    check_joint(dict.fromkeys(named, 0.0), hold)
    return _with_held(columns, [columns.features[columns.place(name)] for name in named], requested, hold, None)


def _with_held(
    columns: StressColumns, moved: list[Feature], requested: list[Constraint], hold: JointHold, free: str | None
) -> Stress:
    """Add what stays of the features that are not moved."""
    if hold == "none":
        return Stress(tuple(requested))
    moved_columns = {feature.column for feature in moved}
    others = [other for other in columns.features if other.name in columns.held and other.column not in moved_columns]
    fixed = [_mean(other, 0) for other in others]
    if hold == "uncorrelated":
        fixed += [Covariance(feature.name, other.name, 0.0) for feature in moved for other in others]
    open_ended = [k for k, feature in enumerate(moved) if feature.name == free]
    return _drop_redundant(columns, requested, fixed, open_ended)


def joint_moments(
    columns: StressColumns, taus: Mapping[str, float], hold: JointHold, free: str | None = None
) -> Moments:
    """Check a joint stress and return it in numbers; parameters as in `joint_constraints`.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For a feature that is not there, none at all, a τ outside [-1, 1], or another `hold`.
    """
    check_joint(taus, hold)
    stress = joint_constraints(columns, taus, hold, free)
    assert stress is not None
    return _resolve(columns, stress)


def tau_range(columns: StressColumns, feature: str, taus: Mapping[str, float], hold: JointHold) -> tuple[float, float]:
    """Return the lowest and highest τ of a feature given the other ones; see `JointStress.reach`."""
    which = columns.place(feature)
    nowhere = (float("nan"), float("nan"))
    if hold == "uncorrelated" and columns.n_missing[which] > 0 and columns.features[which].kind == "numeric":
        return nowhere  # its products with the others are then not linear in its mean
    moments = joint_moments(columns, {feature: 0.0, **taus}, hold, feature)
    row = next(j for j, term in enumerate(moments.terms) if term.kind in ("mean", "share") and term.subject == feature)
    sample_weight = columns.sample_weight
    rows = slice(None) if sample_weight is None or sample_weight.all() else sample_weight > 0
    phi = moments.phi[rows]
    weight = None if sample_weight is None else sample_weight[rows] / sample_weight.sum()
    low, high = feasible_range(phi, moments.target, row, summarise_moments(phi, weight))
    if np.isnan(low):
        return nowhere
    term = moments.terms[row]
    ends = [moments.target[row] + (end - moments.target[row]) / term.observed for end in (low, high)]
    return _tau_of(columns, which, ends[0]), _tau_of(columns, which, ends[1])


def check_joint(taus: object, hold: object) -> None:
    """Ask for τ by feature, at least one and each in [-1, 1], and a known way to hold the others."""
    if hold not in get_args(JointHold):
        raise InputError(f"hold must be one of {', '.join(get_args(JointHold))}; got {hold!r}.")
    if not isinstance(taus, Mapping):
        raise InputTypeError(f"taus must be τ by feature name; got {taus!r:.80}. Try {{'age': 0.5}}.")
    if not taus:
        raise InputError("A joint stress moves at least one feature; got none. The unstressed metrics are .unstressed.")
    for name, tau in cast(Mapping[Any, Any], taus).items():
        if isinstance(tau, bool) or not isinstance(tau, Real):
            raise InputTypeError(f"τ of {name!r} must be a number in [-1, 1]; got {tau!r}.")
        if not -1 <= float(tau) <= 1:
            raise InputError(
                f"τ of {name!r} must lie in [-1, 1]; got {float(tau):g}. For a mean in its own unit give a constraint "
                f"in place of the mapping: ts.Mean({name!r}, target={float(tau):g})."
            )


def _mean(feature: Feature, tau: float) -> Constraint:
    if feature.level is None:
        return Mean(feature.name, tau=tau)
    return Share(feature.column, feature.level, tau=tau)


def _resolve(columns: StressColumns, stress: Stress) -> Moments:
    features = {feature.name: feature for feature in columns.features}
    moments = resolve(
        stress,
        lambda name: features[name].values(),
        columns.n_rows,
        quantile=columns.quantile,
        sample_weight=columns.sample_weight,
    )
    return replace(moments, terms=with_readings(moments.terms, features))


def _drop_redundant(
    columns: StressColumns, requested: list[Constraint], fixed: list[Constraint], ignored: list[int]
) -> Stress:
    """Drop held constraints that follow, with the same value, from the constraints before them."""
    weight = columns.sample_weight
    whole = Stress((*requested, *fixed))
    moments = _resolve(columns, whole)
    counted = slice(None) if weight is None or weight.all() else weight > 0
    base = None if weight is None else weight[counted] / weight[counted].sum()
    summary = summarise_moments(moments.phi[counted], base)
    selected: list[int] = []
    for j in range(len(whole)):
        if j >= len(requested):
            flat = summary.low[j] == summary.high[j]
            if flat and moments.target[j] == summary.low[j]:
                continue
            before = [k for k in selected if k not in ignored]
            slopes = None if flat or not before else solve_dependence(summary, j, before)
            if slopes is not None and compute_implied_target(moments.target, summary, j, before, slopes)[1]:
                continue
        selected.append(j)
    return Stress(tuple(whole.constraints[j] for j in selected))


def _tau_of(columns: StressColumns, which: int, mean: float) -> float:
    """τ that a mean stands for, kept within [-1, 1]."""
    below = mean < columns.mean[which]
    end = columns.low[which] if below else columns.high[which]
    tau = min(1.0, float((mean - columns.mean[which]) / (end - columns.mean[which])))
    return -tau if below else tau
