"""The verb `reweight`: a study's rows and a stress to the projection, its weights back as a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import default_features
from tauscope.results.stress.joint_answer import count_rows, stressed_metrics
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.reweight_tables import by_constraint, metric_table
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose, define_quantities
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.quantities import quantities
from tauscope.weights.concentration import mass_concentration, pareto_khat

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Studied = TypeVar("Studied", bound="StudyBase")


def reweight(
    self: StudyBase, stress: Constraint | Stress, *, quantile: float = 0.05, confidence: float = 0.95
) -> Reweighting:
    """Find the weights closest to the present ones under which a stress holds.

    Parameters
    ----------
    stress : Constraint or Stress
        ``ts.Mean("age", tau=0.5) & ts.Covariance("age", "hours-per-week", 0.0)``. Constraints can name features, and
        "prediction", "score", "label", "error", "residual" and "squared_error" of model and truth; with
        ``ts.Moment`` the mean of any function of the rows.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals of the metrics, in (0, 1).

    Returns
    -------
    Reweighting
        `.weights`, what they achieve and cost, every metric before and under them, `.sample()` and `.chart()`. Targets
        in units (`target=45`) stay as they are; those of `tau` or `scale`, and what is held at its present value, are
        estimated from the rows, which the intervals of the metrics take into account.

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
    resolved = self.functions.with_functions(as_stress(stress))
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    moments = resolve(
        resolved, quantities(self), self.n_rows, rows=self.X, quantile=quantile, sample_weight=self.sample_weight
    )
    solution = project(moments.phi, moments.target, sample_weight=self.sample_weight, names=moments.names)
    solution.weights.flags.writeable = False
    pareto_k = pareto_khat(solution.weights, self.sample_weight)
    return Reweighting(
        stress=self.functions.name_functions(resolved),
        weights=solution.weights,
        before=self.sample_weight,
        n_rows=self.n_rows,
        features=default_features(self.columns, self.sample_weight)[0],
        terms=moments.terms,
        values=moments.to_quantities(solution.achieved),
        multipliers=by_constraint(solution.multipliers, moments.names),
        residual=solution.residual,
        iterations=solution.iterations,
        ess=solution.ess,
        kl=solution.kl,
        tv=solution.tv,
        pareto_k=pareto_k,
        largest_weight=float(solution.weights.max()),
        half_share=mass_concentration(solution.weights),
        status=solution.status,
        message=solution.message,
        tau_notes=moments.notes,
        quantile=float(quantile),
        confidence=float(confidence),
        model_name=self.model_name,
        _metrics=_metrics(self, moments, solution.weights, pareto_k, float(confidence)),
        source=self.as_source(),
    )


def under(self: Studied, stress: Constraint | Stress | Reweighting, *, quantile: float = 0.05) -> Studied:
    """Return the same study with its rows weighted as a stress has them; the model is not asked again.

    Stresses on the new study start from these weights.

    Parameters
    ----------
    stress : Constraint, Stress or Reweighting
        As in `reweight`; or what it gave for this study.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.

    Returns
    -------
    Study

    Raises
    ------
    InfeasibleTarget, DependentConstraints, UnknownName, InputTypeError
        As in `reweight`.
    InputError
        For weights of another study, or such that do not meet their constraints.
    """
    return self.with_weights(stressed_weights(self, stress, quantile))


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
    result.check_usable(study.n_rows)
    return result.row_weights("a study under it")


def _metrics(
    study: StudyBase, moments: Moments, weights: NDArray[np.float64], pareto_k: float, confidence: float
) -> pd.DataFrame:
    """Estimate every metric before and under the stress."""
    collected, every = define_quantities(study.outcomes)
    metrics = choose(every, None)
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    n_rows = count_rows(moments.phi, study.sample_weight)
    estimates = stressed_metrics(collected, metrics, moments, weights, pareto_k, confidence=confidence, n_rows=n_rows)
    return metric_table(metrics, metric_values(collected, metrics, base), estimates)
