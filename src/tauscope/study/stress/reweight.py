"""The verb `reweight`: a study's rows and a stress to the projection, its weights back as a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import default_features
from tauscope.results.stress.notes import far_words, rounded_words
from tauscope.results.stress.numbers.reweight_tables import by_constraint
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.towards import TargetPopulation
from tauscope.results.stress.worst_case import WorstCase
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.joint.terms import subjects_of
from tauscope.study.base import StudyBase
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import select_own
from tauscope.study.stress.populations import measure_solved, solve_stress
from tauscope.study.stress.scenarios.scenario import read_stress

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.stress.sums.projection import SolvedStress
    from tauscope.study.verbs import Asked

Studied = TypeVar("Studied", bound="StudyBase")


def reweight(
    self: Asked,
    stress: Constraint | Stress | Scenario,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
    progress: bool = True,
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
        Names such as "error_rate", "f1", "log_loss". By default those of the task. In chunks "roc_auc" and
        "average_precision" are those of the score in steps; a note says how far they can be off.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    Reweighting
        `.weights`, what they achieve and cost, every metric before and under them, `.sample()` and `.chart()`. Targets
        in units (`target=45`) stay as they are; those of `tau`, `shift`, `odds` or `scale`, and what is held at its
        present value, are estimated from the rows, which the intervals of the metrics take into account. Of rows in
        chunks `weights` are None, and what needs one for each row says so; the numbers are the same to 1e-9.

    Raises
    ------
    InfeasibleTarget
        When no weights meet the targets; the message gives the range the other constraints leave to each.
    DependentConstraints
        When one constraint follows from, or contradicts, the others.
    UnknownName
        For a feature or level that is not there, with the nearest names.
    InputError, InputTypeError
        For anything else that cannot be constrained; in chunks also for a scenario, a moment that is no function, and a
        target at the edge of what the rows allow.

    Notes
    -----
    Newton's method on the dual: in chunks a pass for each of its three to ten steps, besides some five for ranges,
    targets and metrics, and one for the steps of the score.

    Examples
    --------
    >>> larger = study.reweight(ts.Mean("mean radius", shift=1) & ts.Variance("mean texture", scale=1))
    >>> round(larger.ess)
    258
    >>> larger.metrics.columns.tolist()[:4]
    ['metric', 'before', 'value', 'lower']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    with self._bars(progress):
        resolved = read_stress(self, stress, quantile)
        rows = self._as_rows()
        rows = rows.asking(select_own(rows.summed, metrics, "A reweighting"))
        return _reweight(self, rows, resolved, float(quantile), float(confidence))


def reweighted(
    study: Asked, rows: Rows, stress: Constraint | Stress | Scenario | Reweighting, quantile: float, verb: str
) -> Reweighting:
    """Return the reweighting that meets a stress, the one given where it is one; `verb` as in `read_stress`."""
    if not isinstance(stress, Reweighting):
        stress = _reweight(study, rows, read_stress(study, stress, quantile, verb), quantile, 0.95)
    stress._check_usable(rows.summed.n_rows)
    return stress


def _reweight(study: Asked, rows: Rows, stress: Stress, quantile: float, confidence: float) -> Reweighting:
    solved = solve_stress(study, rows, stress, quantile)
    found = solved.found
    assert found is not None
    measured = measure_solved(rows, solved, confidence)
    sums = measured.sums
    return Reweighting(
        stress=study._functions.name_functions(stress),
        weights=solved.weights,
        before=None if rows.resident is None else rows.resident.weight,
        n_rows=rows.summed.n_rows,
        features=default_features(study._columns, study.sample_weight)[0] if isinstance(study, StudyBase) else (),
        _terms=solved.terms,
        values=solved.values,
        multipliers=by_constraint(found.multipliers, [term.name for term in solved.terms]),
        residual=found.residual,
        iterations=found.iterations,
        ess=sums.rows.ess,
        degrees_of_freedom=sums.degrees_of_freedom,
        kl=found.kl,
        tv=sums.tv,
        pareto_k=measured.pareto_k,
        largest_weight=sums.largest * rows.summed.n_rows,
        carriers=sums.carriers,
        status=found.status,
        message=found.message,
        tau_notes=(*_far_notes(rows, solved), *solved.notes, *measured.bounds),
        quantile=quantile,
        confidence=confidence,
        model_name=study._model_name,
        _metrics=measured.table,
        source=study._as_source(),
    )


def _far_notes(rows: Rows, solved: SolvedStress) -> tuple[str, ...]:
    """Name values far off in the features of a stress, and such as are too large to be told apart."""
    known = rows.summed.features
    return tuple(
        f"{name}: {words}"
        for name in subjects_of(solved.terms)
        if name in known
        for words in (*far_words(solved.far.get(name, ())), *rounded_words(*known[name].ends))
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
    return self._with_weights(stressed_weights(self, stress, quantile))


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
    result._check_usable(study.n_rows)
    return result._row_weights("a study under it")
