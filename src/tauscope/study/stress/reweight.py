"""The verb `reweight`: a study's rows and a stress to the projection, its weights back as a result."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import default_features
from tauscope.errors import InputError
from tauscope.results.stress.reweight import Reweighting, Sample
from tauscope.results.stress.reweighted import by_constraint, metric_table
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.stress.joint.estimates import joint_estimates, metric_values
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose
from tauscope.stress.metrics import quantities as quantities_of
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.quantities import quantities
from tauscope.study.subset import take_rows
from tauscope.weights.concentration import mass_concentration, pareto_khat
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def reweight(
    study: StudyBase, stress: Constraint | Stress, *, quantile: float = 0.05, confidence: float = 0.95
) -> Reweighting:
    """Find the weights closest to the present ones under which a stress holds.

    Parameters
    ----------
    study : Study
    stress : Constraint or Stress
        ``ts.Mean("age", tau=0.5) & ts.Covariance("age", "hours-per-week", 0.0)``. What constraints can name is in
        `tauscope.study.stress.quantities`: features, and "prediction", "score", "label", "error" of model and truth.
    quantile : float
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals of the metrics, in (0, 1).

    Returns
    -------
    Reweighting

    Raises
    ------
    InfeasibleTarget
        When no weights meet the targets; the message gives the range the other constraints leave to each.
    DependentConstraints
        When one constraint follows from, or contradicts, the others.
    UnknownName
        For a feature or level that is not there, with the nearest names.
    InputError, InputTypeError
        For anything else that cannot be constrained.
    """
    stress = as_stress(stress)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    moments = resolve(
        stress, quantities(study), study.n_rows, rows=study.X, quantile=quantile, sample_weight=study.sample_weight
    )
    found = project(moments.phi, moments.target, sample_weight=study.sample_weight, names=moments.names)
    found.weights.flags.writeable = False

    def draw(weights: NDArray[np.float64], n: int | None, random_state: Any) -> Sample:
        return _draw(study, weights, study.n_rows if n is None else n, random_state)

    return Reweighting(
        stress=stress,
        weights=found.weights,
        before=study.sample_weight,
        terms=moments.terms,
        values=moments.measured(found.achieved),
        multipliers=by_constraint(found.multipliers, moments.names),
        residual=found.residual,
        iterations=found.iterations,
        ess=found.ess,
        kl=found.kl,
        tv=found.tv,
        pareto_k=pareto_khat(found.weights),
        largest_weight=float(found.weights.max()),
        half_share=mass_concentration(found.weights),
        status=found.status,
        message=found.message,
        notes=moments.notes,
        quantile=float(quantile),
        confidence=float(confidence),
        model_name=study.model_name,
        _metrics=_metrics(study, moments, found.weights, float(confidence)),
        _features=default_features(study.columns, study.sample_weight)[0],
        _draw=draw,
    )


def stressed_weights(
    study: StudyBase, stress: Constraint | Stress | Reweighting, quantile: float
) -> NDArray[np.float64]:
    """Return the weights of a stress on a study, solved anew unless they are given.

    Raises
    ------
    InputError
        For weights of another study, or such that do not meet their constraints.
    """
    result = stress if isinstance(stress, Reweighting) else reweight(study, stress, quantile=quantile)
    if result.n_rows != study.n_rows:
        raise InputError(
            f"Weights must be of this study's rows; got {result.n_rows:,} for {study.n_rows:,}. Give the stress itself."
        )
    if result.status == "unconverged":
        raise InputError(f"These weights do not meet their constraints. {result.message}")
    return result.weights


def _metrics(study: StudyBase, moments: Moments, weights: NDArray[np.float64], confidence: float) -> pd.DataFrame:
    """Estimate every metric before and under the stress."""
    wanted, every = quantities_of(study.outcomes)
    metrics = choose(every, None)
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    found = joint_estimates(wanted, metrics, moments.phi, moments.target, weights)
    return metric_table(metrics, metric_values(wanted, metrics, base), found, confidence)


def _draw(study: StudyBase, weights: NDArray[np.float64], n: Any, random_state: Any) -> Sample:
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
        raise InputError(f"n must be a number of rows, at least 1; got {n!r}.")
    seed = seed_of(random_state)
    rows = np.random.default_rng(seed).choice(study.n_rows, size=int(n), p=weights / weights.sum())
    return Sample(rows, take_rows(study.X, rows), None if study.y is None else study.y[rows], seed)
