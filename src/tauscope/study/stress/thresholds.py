"""The verb `threshold_curves`: what a decision costs, and whom it strikes, at other thresholds of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.jobs import one_blas_thread
from tauscope.prediction.stopping import steps
from tauscope.results.stress.numbers.joint_answer import answer_groups, metric_estimates
from tauscope.results.stress.tables.threshold_tables import BEST, GroupCosts, ThresholdTables
from tauscope.results.stress.thresholds import ThresholdCurves, ThresholdsAsked
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metric_forms import MeanRatioDefinition, RatioDefinition
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.stress.sums.groups import AllGroups
from tauscope.stress.sums.thresholds import DecidedRows, costs_of_group
from tauscope.stress.thresholds import Costs, Decisions, PresentThreshold, threshold_above
from tauscope.study.stress.asked_rows import AskedRows
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import select_own
from tauscope.study.stress.populations import Population
from tauscope.study.stress.reweight import reweighted
from tauscope.study.stress.threshold_choice import choose_thresholds, read_decided

if TYPE_CHECKING:
    from tauscope.model.calls import Model
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenario import Scenario
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]
MOST_GIVEN = 1000
WRONG = {"fp": 1.0, "fn": 1.0}
OF_CELLS = (RatioDefinition, MeanRatioDefinition)


def threshold_curves(
    self: Asked,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    thresholds: Sequence[float] | NDArray[np.float64] | None = None,
    cost: Mapping[str, float] | None = None,
    by: Any = None,
    metrics: str | Sequence[str] | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    progress: bool = True,
) -> ThresholdCurves:
    """Decide at other thresholds of the score: metrics and cost of each, and which costs least, under a stress too.

    Parameters
    ----------
    stress : Constraint, Stress, Scenario or Reweighting, optional
        As in `reweight`; a scenario where rows are in memory. By default nothing is moved.
    thresholds : sequence of float, optional
        A row is decided positive where its score is at least that. By default some 50, half of them evenly over the
        scores, half with as many rows between any two; the one that made the predictions; and, where the truth is
        known, those of least cost and one above every score, at which no row is decided positive: the highest score,
        one up in the last decimal that the widget writes (0.701 of scores from 0.5 to 0.7). Of rows in chunks with more
        than 16,384 different scores, or fewer of many groups, those of least cost are sought among as many; a note says
        what another one could cost less.
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
    progress : bool, default True
        Whether bars show after two seconds.

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
    The model is not asked again. Of rows in chunks there are three passes besides those of `reweight` and of the
    groups: where the scores lie, the cells between thresholds, and intervals; and one more to choose thresholds where
    none are given. Intervals of the metrics are those of `reweight`. With the cost c(t) of a row at threshold t, the
    interval of the best threshold is {t : max_s (c(t) - c(s)) / se(t, s) ≤ q_t}, with q_t the quantile of that maximum
    were all costs alike; it holds the best of the thresholds compared with at least the probability `confidence` [as
    Hansen, Lunde and Nason, "The model confidence set", Econometrica 79, 2011].

    Examples
    --------
    >>> curves = study.threshold_curves(ts.Mean("mean radius", shift=1), cost={"fp": 1, "fn": 5})
    >>> curves.best.columns.tolist()[:4]
    ['population', 'threshold', 'lower', 'upper']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    costs = read_costs(cost)
    given = None if thresholds is None else read_thresholds(thresholds)
    with self._bars(progress):
        rows = self._as_rows()
        outcomes = rows.summed.allowing
        check_scored(outcomes.task, scored=outcomes.score is not None)
        chosen = cell_definitions(outcomes, select_own(rows.summed, metrics, "Curves over thresholds") or None)
        moved = None if stress is None else reweighted(self, rows, stress, float(quantile), "threshold_curves")
        asked = AskedRows(self, rows, rows.groups(by), moved)
        return _decide(_Decided(asked, given, costs, chosen, float(confidence)), float(quantile))


class _Decided(NamedTuple):
    """What is asked of which rows."""

    asked: AskedRows
    thresholds: Array | None
    costs: Costs
    chosen: list[RatioDefinition | MeanRatioDefinition]
    confidence: float


class _Thresholds(NamedTuple):
    """Those compared, what one in between could cost less in words, and the one there is."""

    at: Array
    bounds: tuple[str, ...]
    present: PresentThreshold


def _decide(of: _Decided, quantile: float) -> ThresholdCurves:
    """Choose thresholds, where none are given, and decide at each."""
    read = read_decided(of.asked.rows)
    present = read.decided.threshold(declared_thresholds(of.asked.study._asked_model))
    populations = of.asked.populations()
    at, bounds = of.thresholds, ()
    if at is None:
        spread, bounds = choose_thresholds(of.asked, read, of.costs, [each.weighted.tilt for each in populations])
        labelled = of.asked.rows.summed.allowing.truth is not None
        at = default_thresholds(spread, present.value, above=labelled)
    with one_blas_thread():  # products are small: to wake another core for each takes longer than they do
        return _curves(of, _Thresholds(at, bounds, present), populations, quantile)


def _curves(
    of: _Decided, thresholds: _Thresholds, populations: Sequence[Population], quantile: float
) -> ThresholdCurves:
    asked, rows, groups = of.asked, of.asked.rows, of.asked.groups
    at, present = thresholds.at, thresholds.present.value
    labelled = rows.summed.allowing.truth is not None
    decided = DecidedRows(groups, at, rows.sum)
    measured = decided.measure([each.weighted.tilt for each in populations], asked.counts)
    none = np.zeros(0)
    decisions = Decisions(none, none.astype(np.intp) if labelled else None, at)
    tables = ThresholdTables.of(decisions, of.chosen, of.costs, at, present)
    n_reached = tuple(_n_reached(decisions, measured[0], k) for k in range(asked.n_groups))
    here, sums = populations[-1], [measured[-1].groups.get(k) for k in range(asked.n_groups)]
    described = asked.describe(sums)
    estimates = decided.regress(here.weighted, measured[-1], tables.metrics, asked.n_groups)
    before = [_before(tables, measured[0], k) for k in range(asked.n_groups)]
    supports = [here.support(each) for each in sums]
    if asked.grouped:
        every = [tables.metrics] * asked.n_groups
        answer = answer_groups(every, estimates, groups.n_counted, supports, of.confidence)
        named = zip(groups.labels, before, answer.estimates, strict=True)
        frame = pd.concat([tables.rows(*each) for each in named], ignore_index=True)
        gaps = tables.gaps(described, answer)
    else:
        own, support = estimates.estimates[0], supports[0]
        assert own is not None
        assert support is not None
        found = metric_estimates(tables.metrics, own, support, of.confidence, groups.n_counted[0])
        frame, gaps = tables.rows("", before[0], found), pd.DataFrame()
    return ThresholdCurves(
        thresholds=at,
        present=present if present is not None and present in at else None,
        present_above=thresholds.present.above,
        costs=of.costs,
        metrics=tuple(metric.in_words() for metric in tables.metrics[: tables.n_each]),
        grouped_by=groups.name,
        groups=described,
        reweighting=asked.reweighting,
        population=here.name,
        ess=1 / sum(float(each.squared[0]) for each in sums if each is not None),
        confidence=of.confidence,
        n_rows=asked.study.n_rows,
        model_name=asked.study._model_name,
        _frame=frame,
        _best=_best(of, tables, decisions, populations, measured, n_reached),
        _gaps=gaps,
        _asked=ThresholdsAsked(of.thresholds, asked.codes, quantile, groups.columns),
        bounds=thresholds.bounds,
        n_reached=n_reached,
        source=asked.study._as_source(),
    )


def _before(tables: ThresholdTables, measured: AllGroups, group: int) -> list[float]:
    sums = measured.groups.get(group)
    return [float("nan")] * len(tables.metrics) if sums is None else sums.values_before(tables.metrics)


def _n_reached(decisions: Decisions, measured: AllGroups, group: int) -> int:
    sums = measured.groups.get(group)
    return 0 if sums is None else decisions.n_reached(sums.before[1 : 1 + decisions.quantities.n_cells])


def _best(
    of: _Decided,
    tables: ThresholdTables,
    decisions: Decisions,
    populations: Sequence[Population],
    measured: Sequence[AllGroups],
    n_reached: Sequence[int],
) -> pd.DataFrame:
    """Return the threshold of least cost of each group in each population."""
    if not decisions.has_truth:
        return pd.DataFrame(columns=list(BEST))
    found: list[GroupCosts] = []
    for k, (label, reached) in enumerate(steps(list(zip(of.asked.groups.labels, n_reached, strict=True)))):
        for population, each in zip(populations, measured, strict=True):
            sums, costs = each.groups.get(k), None
            if sums is not None and sums.share > 0:
                costs = costs_of_group(decisions.quantities, tables.costs, sums, each, population.weighted)
            found.append(GroupCosts(label, population.name, reached, costs))
    return tables.best(found, of.confidence)


def check_scored(task: Task, *, scored: bool) -> None:
    """Refuse what has no score of one of two classes."""
    if task != "binary" or not scored:
        raise InputError(
            "Thresholds are of the score of one of two classes, and this study has none. Give a model with "
            "predict_proba or decision_function, or Study.from_predictions(…, y_score=…)."
        )


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
