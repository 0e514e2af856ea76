"""The verb `threshold_curves`: what a decision costs, and whom it strikes, at other thresholds of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.data.groups import read_groups
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.jobs import one_blas_thread
from tauscope.prediction.stopping import steps
from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.joint_answer import count_rows, group_metrics, stressed_metrics
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.threshold_tables import BEST, GroupCosts, ThresholdTables
from tauscope.results.stress.thresholds import ThresholdCurves, ThresholdsAsked
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metric_forms import MeanRatioDefinition, RatioDefinition
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.stress.thresholds import (
    Costs,
    CostsAlong,
    Decisions,
    costs_along,
    least_cost,
    present_threshold,
    spread_thresholds,
    threshold_above,
)
from tauscope.study.stress.by_group import describe_group
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.study.stress.reweight import reweight
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.model.calls import Model
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
MOST = 51
MOST_GIVEN = 1000
WRONG = {"fp": 1.0, "fn": 1.0}
OF_CELLS = (RatioDefinition, MeanRatioDefinition)


def threshold_curves(
    self: StudyBase,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    thresholds: Sequence[float] | NDArray[np.float64] | None = None,
    cost: Mapping[str, float] | None = None,
    by: Any = None,
    metrics: str | Sequence[str] | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
) -> ThresholdCurves:
    """Decide at other thresholds of the score: metrics and cost of each, and which costs least, under a stress too.

    Parameters
    ----------
    stress : Constraint, Stress, Scenario or Reweighting, optional
        As in `reweight`. By default nothing is moved.
    thresholds : sequence of float, optional
        A row is decided positive where its score is at least that. By default some 50, half of them evenly over the
        scores, half with as many rows between any two; the one that made the predictions; and, where the truth is
        known, those of least cost and one above every score, at which no row is decided positive: the highest score,
        one up in the last decimal that the widget writes (0.701 of scores from 0.5 to 0.7).
    cost : mapping, optional
        What a false positive ("fp"), false negative ("fn"), true positive ("tp") and true negative ("tn") cost, 0 for
        what is not named; a gain is negative. By default {"fp": 1, "fn": 1}, the share of errors.
    by : str, sequence of str, or column of shape (n_rows,), optional
        Groups, as in `metrics_by`: every metric and a best threshold for each, and how far they are apart where all
        are decided at one threshold.
    metrics : str, or several, optional
        Those that count decisions: "recall", "false_positive_rate", "precision", … By default those of the task.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).

    Returns
    -------
    ThresholdCurves
        `.frame` with a row per threshold and metric, `.best`, `.gaps`, `.chart()`.

    Raises
    ------
    InputError, InputTypeError
        For a study without scores of a positive class, thresholds or costs that are no finite numbers, a metric that
        counts no decisions, and as `reweight`.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `reweight`.

    Notes
    -----
    The model is not asked again. Intervals of the metrics are those of `reweight`. With the cost c(t) of a row at
    threshold t, the interval of the best threshold is {t : max_s (c(t) - c(s)) / se(t, s) ≤ q_t}, with q_t the quantile
    of that maximum were all costs alike; it holds the best of the thresholds compared with at least the probability
    `confidence` [as Hansen, Lunde and Nason, "The model confidence set", Econometrica 79, 2011].

    Examples
    --------
    >>> curves = study.threshold_curves(ts.Mean("mean radius", shift=1), cost={"fp": 1, "fn": 5})
    >>> curves.best.columns.tolist()[:4]
    ['population', 'threshold', 'lower', 'upper']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    score, truth = _scores(self)
    costs = read_costs(cost)
    chosen = _definitions(self, metrics)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    counted = base > 0
    declared = declared_thresholds(self.require_model("decides") if self.has_model else None)
    present, present_above = present_threshold(score[counted], self.predicted[counted] == 1, declared)
    tested = _Population(UNMOVED, Moments.none(self.n_rows), base)
    reweighting = None if stress is None else _reweighting(self, stress, quantile)
    populations = [tested] if reweighting is None else [tested, _moved(self, reweighting)]
    groups = None if by is None else read_groups(by, self.columns, self.X, self.n_rows)
    parts = [("", None)] if groups is None else [(label, groups.codes == k) for k, label in enumerate(groups.labels)]
    if thresholds is None:
        best = [] if truth is None else _least(score, truth, costs, populations, parts)
        at = default_thresholds([*spread_thresholds(score[counted], MOST), *best], present, above=truth is not None)
    else:
        at = read_thresholds(thresholds)
    decisions = Decisions(score, truth, at)
    along = _Along(decisions, ThresholdTables.of(decisions, chosen, costs, at, present), base)
    n_reached = along.n_reached(parts)
    here = populations[-1]
    with one_blas_thread():  # products are small: to wake another core for each takes longer than they do
        made = tuple(describe_group(label, rows, here.weights, base) for label, rows in parts if rows is not None)
        frame, gaps = along.frame(here, parts, made, float(confidence), count_rows(score, self.sample_weight))
        return ThresholdCurves(
            thresholds=at,
            present=present if present is not None and present in at else None,
            present_above=present_above,
            costs=costs,
            metrics=tuple(metric.in_words() for metric in along.tables.metrics[: along.tables.n_each]),
            grouped_by="" if groups is None else groups.name,
            groups=made,
            reweighting=reweighting,
            population=here.name,
            ess=effective_size(here.weights),
            confidence=float(confidence),
            n_rows=self.n_rows,
            model_name=self.model_name,
            _frame=frame,
            _best=along.best(populations, parts, n_reached, float(confidence)),
            _gaps=gaps,
            _asked=ThresholdsAsked(
                None if thresholds is None else at,
                None if groups is None else groups.codes.astype(np.int32),
                float(quantile),
            ),
            n_reached=n_reached,
            source=self.as_source(),
        )


class _Population(NamedTuple):
    """Rows under some weights."""

    name: str
    moments: Moments
    weights: Array


def _reweighting(
    study: StudyBase, stress: Constraint | Stress | Scenario | Reweighting, quantile: float
) -> Reweighting:
    found = stress if isinstance(stress, Reweighting) else reweight(study, stress, quantile=quantile)
    found.check_usable(study.n_rows)
    return found


def _moved(study: StudyBase, found: Reweighting) -> _Population:
    weights = found.row_weights("thresholds under it")
    return _Population(found.population, reweighted_moments(study, found), weights)


Part = tuple[str, NDArray[np.bool_] | None]
"""A group's label and its rows; no label, and None, for all rows."""


def _least(
    score: Array, truth: NDArray[np.integer], costs: Costs, populations: Sequence[_Population], parts: Sequence[Part]
) -> list[float]:
    """Return the threshold of least cost of each group in each population."""
    masked = [
        each.weights if inside is None else np.where(inside, each.weights, 0.0)
        for each in populations
        for _, inside in parts
    ]
    return [least_cost(score, truth, weights, costs) for weights in masked if weights.any()]


@dataclass(frozen=True)
class _Along:
    """Rows that are decided at every threshold, and the tables of them."""

    decisions: Decisions
    tables: ThresholdTables
    base: Array

    def frame(
        self,
        population: _Population,
        parts: Sequence[Part],
        groups: Sequence[Group],
        confidence: float,
        n_rows: int,
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the frame, and the gaps between groups."""
        _, moments, weights = population
        quantities, metrics = self.decisions.quantities, self.tables.metrics
        if parts[0][1] is None:
            pareto_k = pareto_khat(weights, self.base)
            found = stressed_metrics(
                quantities, metrics, moments, weights, pareto_k, confidence=confidence, n_rows=n_rows
            )
            return self.tables.rows("", metric_values(quantities, metrics, self.base), found), pd.DataFrame()
        inside = [rows for _, rows in parts if rows is not None]
        answer = group_metrics(quantities, [metrics] * len(parts), moments, weights, self.base, inside, confidence)
        frames = [
            self.tables.rows(label, self._before(rows), each)
            for (label, _), rows, each in zip(parts, inside, answer.estimates, strict=True)
        ]
        return pd.concat(frames, ignore_index=True), self.tables.gaps(groups, answer)

    def _before(self, inside: NDArray[np.bool_]) -> list[float]:
        metrics, own = self.tables.metrics, np.where(inside, self.base, 0.0)
        return metric_values(self.decisions.quantities, metrics, own) if own.any() else [np.nan] * len(metrics)

    def n_reached(self, parts: Sequence[Part]) -> tuple[int, ...]:
        """Return how many thresholds some row of each group reaches."""
        cells = self.decisions.quantities
        own = [self.base if inside is None else np.where(inside, self.base, 0.0) for _, inside in parts]
        return tuple(self.decisions.n_reached(np.bincount(cells.cell, each, cells.n_cells)) for each in own)

    def best(
        self, populations: Sequence[_Population], parts: Sequence[Part], n_reached: Sequence[int], confidence: float
    ) -> pd.DataFrame:
        """Return the threshold of least cost of each group in each population."""
        if not self.decisions.has_truth:
            return pd.DataFrame(columns=list(BEST))
        costs = [
            GroupCosts(label, population.name, reached, self._costs_of(population, inside))
            for (label, inside), reached in steps(zip(parts, n_reached, strict=True))
            for population in populations
        ]
        return self.tables.best(costs, confidence)

    def _costs_of(self, population: _Population, inside: NDArray[np.bool_] | None) -> CostsAlong | None:
        _, moments, weights = population
        if inside is not None and not weights[inside].any():
            return None
        return costs_along(self.decisions.quantities, self.tables.costs, moments, weights, inside)


def _scores(study: StudyBase) -> tuple[Array, NDArray[np.integer] | None]:
    check_scored(study.task, scored=study.score is not None)
    assert study.score is not None
    return study.score, None if study.truth is None else study.truth.astype(np.intp)


def check_scored(task: Task, *, scored: bool) -> None:
    """Refuse what has no score of one of two classes."""
    if task != "binary" or not scored:
        raise InputError(
            "Thresholds are of the score of one of two classes, and this study has none. Give a model with "
            "predict_proba or decision_function, or Study.from_predictions(…, y_score=…)."
        )


def _definitions(study: StudyBase, metrics: str | Sequence[str] | None) -> list[RatioDefinition | MeanRatioDefinition]:
    selection = select_metrics(study, metrics)
    check_own(selection, "Curves over thresholds")
    return cell_definitions(study.outcomes, selection.builtin)


def declared_thresholds(model: Model | None) -> tuple[float, ...]:
    """Return what a classifier says its threshold is, as scikit-learn's that fix or tune one do.

    That of a score of the first class is turned round, as probabilities are.
    """
    estimator: Any = None if model is None else model.model
    while hasattr(estimator, "best_estimator_") or isinstance(getattr(estimator, "steps", None), list):
        estimator = estimator.best_estimator_ if hasattr(estimator, "best_estimator_") else estimator.steps[-1][1]
    declared = getattr(estimator, "best_threshold_", getattr(estimator, "threshold", None))
    if not isinstance(declared, Real) or not np.isfinite(float(declared)):
        return ()
    return float(declared), 1 - float(declared)


def cell_definitions(outcomes: Outcomes, names: Sequence[str] | None) -> list[RatioDefinition | MeanRatioDefinition]:
    """Return the metrics that count decisions: those named, or those of the task.

    Raises
    ------
    InputError
        For one that counts none.
    """
    of_cells = {each.name: each for each in definitions(outcomes, names or ()) if isinstance(each, OF_CELLS)}
    if names is None:
        return [each for each in of_cells.values() if each.shown]
    for name in names:
        if name not in of_cells:
            raise InputError(f"{name!r} counts no decisions, and is the same at every threshold. Leave it out.")
    return [of_cells[name] for name in names]


def default_thresholds(scores: Sequence[float] | Array, present: float | None, *, above: bool) -> Array:
    """Return the thresholds compared where none are given.

    Parameters
    ----------
    scores : sequence of float
        Some scores, the smallest and the largest among them.
    present : float or None
        The threshold that made the predictions.
    above : bool
        Whether one lies above every score.
    """
    at = np.unique([*scores, *([] if present is None else [present])])
    lowest, highest = float(np.min(scores)), float(np.max(scores))
    return np.append(at, threshold_above(lowest, highest)) if above and at[-1] == highest else at


def read_thresholds(given: Any) -> Array:
    """Read the thresholds that a person names, ascending."""
    at = np.asarray(given)
    if at.ndim != 1 or not at.size or at.dtype.kind not in "iuf":
        raise InputTypeError(f"thresholds are numbers in a list; got {describe(given)}. Try [0.3, 0.5, 0.7].")
    if not np.isfinite(at).all() or len(at) > MOST_GIVEN:
        raise InputError(f"thresholds must be finite, and at most {MOST_GIVEN:,}; got {describe(given)}.")
    return np.unique(at.astype(np.float64))


def read_costs(given: Mapping[str, float] | None) -> Costs:
    """Read what decisions cost; by default the share of errors."""
    named = WRONG if given is None else dict(given)
    known = [each.name for each in fields(Costs)]
    for name, value in named.items():
        if name not in known:
            raise UnknownName.among("cost", name, known)
        if isinstance(value, bool) or not isinstance(cast(object, value), Real) or not np.isfinite(float(value)):
            raise InputTypeError(f"A cost is a finite number; got {describe(value)} for {name!r}.")
    return Costs(**{name: float(value) for name, value in named.items()})
