"""The verb `reweight`: a study's rows and a stress to the projection, its weights back as a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import default_features, features_by_name
from tauscope.results.reliability import degrees_of_freedom
from tauscope.results.stress.joint_answer import count_rows, stressed_metrics
from tauscope.results.stress.notes import far_notes
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.reweight_tables import by_constraint, metric_table
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.towards import TargetPopulation
from tauscope.results.stress.worst_case import WorstCase
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.joint.projection import project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose, define_quantities
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.quantities import read_moments
from tauscope.study.stress.scenario import read_stress
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import mass_concentration, pareto_khat

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Studied = TypeVar("Studied", bound="StudyBase")


def reweight(
    self: StudyBase,
    stress: Constraint | Stress | Scenario,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
) -> Reweighting:
    """Find the weights closest to the present ones under which a stress holds.

    Parameters
    ----------
    stress : Constraint, Stress or Scenario
        ``ts.Mean("age", tau=0.5) & ts.Covariance("age", "hours-per-week", 0.0)``; a mean also in its unit,
        ``ts.Mean("age", target=45)``, ``ts.Mean("age", shift=5)``. Constraints can name features, and
        "prediction", "score", "label", "error", "residual" and "squared_error" of model and truth; with
        ``ts.Moment`` the mean of any function of the rows. Or a scenario, ``ts.Scenario("older", {"age": 0.5})``.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals of the metrics, in (0, 1).
    metrics : str, or several, optional
        Names such as "error_rate", "f1", "log_loss". By default those of the task.

    Returns
    -------
    Reweighting
        `.weights`, what they achieve and cost, every metric before and under them, `.sample()` and `.chart()`. Targets
        in units (`target=45`) stay as they are; those of `tau`, `shift`, `odds` or `scale`, and what is held at its
        present value, are estimated from the rows, which the intervals of the metrics take into account.

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

    Examples
    --------
    >>> larger = study.reweight(ts.Mean("mean radius", shift=1) & ts.Variance("mean texture", scale=1))
    >>> round(larger.ess)
    258
    >>> larger.metrics.columns.tolist()[:4]
    ['metric', 'before', 'value', 'lower']
    """
    check_fraction("quantile", quantile, 0.5)
    resolved = self.functions.with_functions(read_stress(self, stress, quantile))
    check_fraction("confidence", confidence, 1.0)
    selection = select_metrics(self, metrics)
    check_own(selection, "A reweighting")
    moments = read_moments(self, resolved, quantile)
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
        degrees_of_freedom=degrees_of_freedom(solution.weights),
        kl=solution.kl,
        tv=solution.tv,
        pareto_k=pareto_k,
        largest_weight=float(solution.weights.max()),
        carriers=few_carriers(solution.weights, self.sample_weight),
        half_share=mass_concentration(solution.weights),
        status=solution.status,
        message=solution.message,
        tau_notes=(*_far_notes(self, moments), *moments.notes),
        quantile=float(quantile),
        confidence=float(confidence),
        model_name=self.model_name,
        _metrics=_metrics(self, moments, solution.weights, pareto_k, float(confidence), selection.builtin),
        source=self.as_source(),
    )


def _far_notes(study: StudyBase, moments: Moments) -> tuple[str, ...]:
    """Name values far off in the features of a stress."""
    known = features_by_name(study.columns)
    named = dict.fromkeys(feature for term in moments.terms for feature in term.subject.split(" and "))
    return tuple(
        f"{name}: {words}" for name in named if name in known for words in far_notes(known[name], study.sample_weight)
    )


def under(
    self: Studied,
    stress: Constraint | Stress | Scenario | Reweighting | TargetPopulation | WorstCase,
    *,
    quantile: float = 0.05,
) -> Studied:
    """Return the same study with its rows weighted as a stress has them; the model is not asked again.

    Stresses on the new study start from these weights.

    Parameters
    ----------
    stress : Constraint, Stress, Scenario, Reweighting, TargetPopulation or WorstCase
        As in `reweight`; or what that, `towards` or `worst_case` gave for this study.
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

    Examples
    --------
    >>> study.under(ts.Mean("mean radius", tau=0.3)).effect("mean texture", grid=5).frame.shape
    (5, 5)
    """
    return self.with_weights(stressed_weights(self, stress, quantile))


def stressed_weights(
    study: StudyBase,
    stress: Constraint | Stress | Scenario | Reweighting | TargetPopulation | WorstCase,
    quantile: float,
) -> NDArray[np.float64]:
    """Return the weights of a stress on a study, solved anew unless they are given.

    Raises
    ------
    InputError
        For weights of another study, or such that do not meet their constraints.
    """
    solved = isinstance(stress, Reweighting | TargetPopulation | WorstCase)
    result = stress if solved else reweight(study, stress, quantile=quantile)
    result.check_usable(study.n_rows)
    return result.row_weights("a study under it")


def _metrics(
    study: StudyBase,
    moments: Moments,
    weights: NDArray[np.float64],
    pareto_k: float,
    confidence: float,
    names: Sequence[str] | None,
) -> pd.DataFrame:
    """Estimate every metric before and under the stress."""
    collected, every = define_quantities(study.outcomes, names=names or ())
    metrics = choose(every, names)
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    n_rows = count_rows(moments.phi, study.sample_weight)
    estimates = stressed_metrics(collected, metrics, moments, weights, pareto_k, confidence=confidence, n_rows=n_rows)
    return metric_table(metrics, metric_values(collected, metrics, base), estimates)
