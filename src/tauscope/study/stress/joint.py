"""The verb `joint_stress`: what it takes to answer any stress of several features at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.joint import JointAnswer, JointStress, MetricEstimate
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.intervals import student_interval
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.feasibility import feasible_range
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose
from tauscope.stress.metrics import quantities as quantities_of
from tauscope.study.stress.columns import JointHold, joint_constraints, stress_columns
from tauscope.study.stress.curves import Features, check_fraction
from tauscope.study.stress.metrics import select_metrics
from tauscope.study.stress.quantities import quantities
from tauscope.study.stress.reweight import reweight
from tauscope.weights.concentration import pareto_khat

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]


def joint_stress(
    study: StudyBase,
    features: Features | None = None,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
) -> JointStress:
    """Make several features movable at once.

    Parameters
    ----------
    study : Study
    features : name, position, or several of them, optional
        By default every feature that can be moved.
    quantile : float
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals, in (0, 1).
    metrics : str, or several, optional
        Names of the task's metrics; by default all of them.

    Returns
    -------
    JointStress

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names or what is missing for it.
    InputError
        For a feature that no stress can move, a metric that is not the task's own, or a number out of its range.
    """
    check_fraction("confidence", confidence, 1.0)
    columns = stress_columns(study, features, quantile=quantile)
    wanted = select_metrics(study, metrics)
    if wanted.weighted:
        raise InputError(
            f"A joint stress follows the task's own metrics; {wanted.weighted[0].name!r} is none of them. For it use "
            "the weights of .at(…) as sample_weight."
        )
    sums, every = quantities_of(study.outcomes)
    chosen = choose(every, wanted.own)
    weight = study.sample_weight

    def estimates(phi: Array, target: Array, weights: Array) -> tuple[MetricEstimate, ...]:
        found = joint_estimates(sums, chosen, phi, target, weights)
        ends = [student_interval(metric, one, confidence) for metric, one in zip(chosen, found, strict=True)]
        return tuple(
            MetricEstimate(float(one.value), float(low), float(high))
            for one, (low, high) in zip(found, ends, strict=True)
        )

    def reweighting(taus: Mapping[str, float], hold: JointHold) -> Reweighting:
        return reweight(
            study, _constraints(study, columns, taus, hold), quantile=columns.quantile, confidence=confidence
        )

    def answer(taus: Mapping[str, float], hold: JointHold) -> JointAnswer:
        moments = _moments(study, columns, taus, hold)
        found = project(moments.phi, moments.target, sample_weight=weight, names=moments.names)
        return JointAnswer(
            weights=found.weights,
            status=found.status,
            message=found.message,
            ess=found.ess,
            kl=found.kl,
            tv=found.tv,
            pareto_k=pareto_khat(found.weights),
            estimates=estimates(moments.phi, moments.target, found.weights),
        )

    def reach(feature: str, taus: Mapping[str, float], hold: JointHold) -> tuple[float, float]:
        return _reach(study, columns, feature, taus, hold)

    nothing = np.zeros((study.n_rows, 1))  # without variance: no column that the metrics could be regressed on
    base = np.ones(study.n_rows) if weight is None else weight
    return JointStress(
        columns=columns,
        metrics=chosen,
        unstressed=estimates(nothing, np.zeros(1), base),
        outcomes=study.outcomes,
        confidence=float(confidence),
        study=study,
        _reweight=reweighting,
        _answer=answer,
        _reach=reach,
    )


def _constraints(
    study: StudyBase, columns: StressColumns, taus: Mapping[str, float], hold: JointHold, free: str | None = None
) -> Stress:
    check_joint(taus, hold)
    stress = joint_constraints(study, columns, taus, hold, free)
    assert stress is not None
    return stress


def _moments(
    study: StudyBase, columns: StressColumns, taus: Mapping[str, float], hold: JointHold, free: str | None = None
) -> Moments:
    stress = _constraints(study, columns, taus, hold, free)
    return resolve(
        stress, quantities(study), study.n_rows, quantile=columns.quantile, sample_weight=study.sample_weight
    )


def _reach(
    study: StudyBase, columns: StressColumns, feature: str, taus: Mapping[str, float], hold: JointHold
) -> tuple[float, float]:
    """Return the lowest and highest τ of a feature given the other ones."""
    which = columns.place(feature)
    nowhere = (float("nan"), float("nan"))
    if hold == "uncorrelated" and columns.n_missing[which] > 0 and columns.features[which].kind == "numeric":
        return nowhere  # its products with the others are then not linear in its mean
    moments = _moments(study, columns, {feature: 0.0, **taus}, hold, feature)
    row = next(j for j, term in enumerate(moments.terms) if term.kind in ("mean", "share") and term.subject == feature)
    rows = slice(None) if study.sample_weight is None or study.sample_weight.all() else study.sample_weight > 0
    phi = moments.phi[rows]
    weight = None if study.sample_weight is None else study.sample_weight[rows] / study.sample_weight.sum()
    low, high = feasible_range(phi, moments.target, row, summarise_moments(phi, weight))
    if np.isnan(low):
        return nowhere
    term = moments.terms[row]
    ends = [moments.target[row] + (end - moments.target[row]) / term.observed for end in (low, high)]
    return _tau_of(columns, which, ends[0]), _tau_of(columns, which, ends[1])


def _tau_of(columns: StressColumns, which: int, mean: float) -> float:
    """τ that a mean stands for, kept within [-1, 1]."""
    below = mean < columns.mean[which]
    end = columns.low[which] if below else columns.high[which]
    tau = min(1.0, float((mean - columns.mean[which]) / (end - columns.mean[which])))
    return -tau if below else tau


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
            raise InputError(f"τ of {name!r} must lie in [-1, 1]; got {float(tau):g}.")
