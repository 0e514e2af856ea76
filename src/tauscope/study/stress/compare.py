"""The function `compare`: two studies of the same rows to their paired metrics under one stress."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import checks_call, describe
from tauscope.data.columns import Column
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.by_group import UNMOVED
from tauscope.results.stress.comparison import UNDER, ModelComparison, PairedMetrics, comparison_rows, metrics_of_one
from tauscope.results.stress.numbers.joint_answer import metric_estimates
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.scenarios import AS_TESTED, scenario_population
from tauscope.rows.resident import Resident
from tauscope.rows.rows import Pair, Rows
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.metric_definitions import ranks
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.groups import NoTilt
from tauscope.stress.sums.paired import PairedPopulation, compare_pairs, measure_pairs
from tauscope.stress.sums.population import PopulationSums
from tauscope.stress.sums.projection import Weighted
from tauscope.study.base import StudyBase
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import define_metrics, select_own
from tauscope.study.stress.populations import Population, moved_population
from tauscope.study.stress.reweight import reweighted
from tauscope.study.stress.scenarios.scenario import refuse_scenario

if TYPE_CHECKING:
    from tauscope.stress.sums.chunk import RowChunk
    from tauscope.stress.sums.paired import SecondReader
    from tauscope.study.verbs import Asked

WHAT = "A comparison"
SAMPLES = "ts.compare(first.sample(), second.sample(), …)"


@checks_call
def compare(
    first: Asked,
    second: Asked,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
) -> ModelComparison:
    """Compare two models on the same rows, as tested and under one stress.

    Parameters
    ----------
    first, second : Study, or both ChunkedStudy
        Of the same rows in the same order, with the same truth and weights. Their columns may differ, as where one
        model takes more of them; those that both have must be equal. In chunks, these must be the same of both.
    stress : Constraint, Stress, Scenario or Reweighting, optional
        On the columns of `first`, as in `Study.reweight`. "prediction", "score", "error" and the like are those of
        `first`. By default nothing is moved.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    metrics : str, or several, optional
        Names such as "error_rate", "f1". By default those of the task.
    names : (str, str), optional
        What to call the models; by default their classes.

    Returns
    -------
    ModelComparison
        In `.frame` each model's metrics, and second minus first with an interval of the difference itself.

    Raises
    ------
    InputError, InputTypeError
        For studies of other rows, another task or other classes, and for what is no study or stress. In chunks also
        for metrics of ranks, a scenario, and Dask's partitions.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `Study.reweight`.

    Notes
    -----
    A row on which both models err alike adds nothing to the difference, nor to its interval (Student's t, residuals
    taken larger by their leverage as in `Study.reweight`). The variance of a difference of rates is taken
    (z²/2) / n_eff² larger, as if a few more rows were told apart [Bonett & Price 2012, eq. 2, for weighted rows].

    Chunks of both are read side by side, three times besides the passes of `ChunkedStudy.reweight`, and each model is
    asked once about each row; the numbers are those of the rows in memory to 1e-9.

    Examples
    --------
    >>> other = ts.Study(forest, X_test, y_test)
    >>> compared = ts.compare(study, other, ts.Mean("mean radius", shift=1), metrics="error_rate")
    >>> compared.frame.loc[1, ["first", "second", "difference"]].round(3).tolist()
    [0.072, 0.087, 0.015]
    """
    in_memory: list[bool] = []
    for study in cast(Sequence[object], (first, second)):
        if not hasattr(study, "_pair_with"):
            raise InputTypeError(f"Studies are compared; got {describe(study)}. Make one: ts.Study(model, X, y).")
        in_memory.append(isinstance(study, StudyBase))
    if in_memory[0] != in_memory[1]:
        raise InputTypeError(
            "Two models are compared on the same rows; of one study they are in memory, of the other in chunks. "
            "Make both of the same kind."
        )
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    if not in_memory[0]:
        refuse_scenario(stress, SAMPLES)
    with first._bars(True):
        pair = first._pair_with(second)
        called = name_models((first._model_name, second._model_name), names)
        return _compare(first, pair, called, stress, float(quantile), float(confidence), metrics)


def compare_outcomes(
    self: StudyBase,
    outcomes: tuple[Outcomes, Outcomes],
    names: tuple[str, str],
    stress: Constraint | Stress | Scenario | Reweighting | None,
    *,
    quantile: float,
    confidence: float,
    metrics: str | Sequence[str] | None,
    tested: pd.DataFrame | None = None,
) -> ModelComparison:
    """Compare what two models answered for the rows of a study; see `tauscope.compare`.

    `tested` are the rows of `ModelComparison.frame` as tested, where they are known already.
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    pair = _pair_of(self, outcomes)
    return _compare(self, pair, names, stress, float(quantile), float(confidence), metrics, tested)


class _SecondBlock(NamedTuple):
    """Gives the second model's block of all rows; see `tauscope.stress.sums.paired.SecondReader`."""

    block: RowChunk

    def __call__(self, chunk: RowChunk) -> RowChunk:
        """Return it."""
        return self.block


def pair_with(self: StudyBase, second: StudyBase) -> Pair:
    """Return the models of two studies of the same rows in memory.

    Raises
    ------
    InputError
        For studies of other rows, as far as that can be seen.
    """
    _check_same_rows(self, second)
    # classes of one name, or a metric of True would not be that of 1
    return _pair_of(self, (self._outcomes, replace(second._outcomes, class_names=self._outcomes.class_names)))


def _pair_of(study: StudyBase, outcomes: tuple[Outcomes, Outcomes]) -> Pair:
    one, other = (Resident(study, answers=each) for each in outcomes)

    def read(rows: Rows) -> SecondReader:
        assert rows.resident is not None
        return _SecondBlock(rows.resident)

    return Pair(one, other, read, outcomes)


def _compare(
    study: Asked,
    pair: Pair,
    names: tuple[str, str],
    stress: Constraint | Stress | Scenario | Reweighting | None,
    quantile: float,
    confidence: float,
    metrics: str | Sequence[str] | None,
    tested: pd.DataFrame | None = None,
) -> ModelComparison:
    rows, second = (each.asking(select_own(each.summed, metrics, WHAT)) for each in (pair.rows, pair.second))
    if rows.resident is None and ranks(rows.summed.allowing, rows.summed.asked):
        raise InputError(
            "A difference of metrics of ranks needs the scores of all rows in order, and these came in chunks. Leave "
            f"them out, or compare samples: {SAMPLES}."
        )
    moved = None if stress is None else reweighted(study, rows, stress, quantile, "compare")
    populations: dict[str, Population] = {}
    if tested is None or moved is None:
        populations[AS_TESTED] = Population(UNMOVED, Weighted(NoTilt(sum(rows.groups(None).weight))))
    if moved is not None:
        populations[UNDER] = moved_population(study, rows, moved)
    reader, n_counted = pair.read(second), rows.summed.n_counted
    tilts = [each.weighted.tilt for each in populations.values()]
    measured = measure_pairs(tilts, reader, n_counted, rows.summed.n_rows, rows.sum)
    defined = [[_define(one, each) for one, each in zip((rows, second), both, strict=True)] for both in measured]
    shared = [name for name in defined[0][0] if name in defined[0][1]]
    paired = [
        PairedPopulation(each.weighted, both, ([one[name] for name in shared], [other[name] for name in shared]))
        for each, both, (one, other) in zip(populations.values(), measured, defined, strict=True)
    ]
    answers = compare_pairs(paired, reader, rows.sum, confidence)
    shown = tuple(defined[0][0][name].in_words() for name in shared)
    parts = [] if tested is None or moved is None else [tested]
    for (name, population), both, answer in zip(populations.items(), paired, answers, strict=True):
        sums = both.measured[0].rows
        support = population.support(sums)
        assert support is not None
        of_first, of_second = (
            metric_estimates(own, estimates, support, confidence, n_counted)
            for own, estimates in zip(both.metrics, answer[:2], strict=True)
        )
        found = PairedMetrics(of_first, of_second, answer.differences)
        parts.append(comparison_rows(name, names, shown, found, sums.ess))
    return ModelComparison(
        names=names,
        population=None if moved is None else scenario_population(moved),
        metrics=shown,
        quantile=quantile,
        confidence=confidence,
        n_rows=rows.summed.n_rows,
        _outcomes=pair.outcomes,
        _frame=pd.concat(parts, ignore_index=True),
        left_out=metrics_of_one(names, defined[0]),
        source=study._as_source(),
    )


def _define(rows: Rows, sums: PopulationSums) -> dict[str, SummedMetric]:
    return {metric.name: metric for metric in define_metrics(rows.summed, rows.summed.asked, sums.scores, sums.rows)}


def name_models(models: tuple[str, str], names: tuple[str, str] | None) -> tuple[str, str]:
    """Return what two models are called: as a person says, or by their classes."""
    if names is None:
        one, other = models
        return (one, other) if one != other else (f"first {one}", f"second {other}")
    given = cast(Sequence[object], names)
    texts = [name for name in given if isinstance(name, str) and name]
    if isinstance(given, str) or len(given) != 2 or len(set(texts)) != 2:
        raise InputError(f"names are two different texts, of the first model and the second; got {names!r}.")
    return names[0], names[1]


def _check_same_rows(first: StudyBase, second: StudyBase) -> None:
    """Refuse studies whose rows are not the same, as far as that can be seen."""
    advice = "Make both studies of the same rows: ts.Study(other_model, X, y)."
    check_alike((first.n_rows, first._task, first.classes), (second.n_rows, second._task, second.classes), advice)
    if not (
        same_values(first._true_values, second._true_values) and same_values(first.sample_weight, second.sample_weight)
    ):
        raise InputError(
            f"Two models are compared on the same rows; y or the weights of these studies differ. {advice}"
        )
    if are_sparse(first._columns) or are_sparse(second._columns):
        return
    check_columns(first._columns, second._columns, advice)


def check_alike(
    first: tuple[int, str, Sequence[Hashable]], second: tuple[int, str, Sequence[Hashable]], advice: str
) -> None:
    """Refuse studies of other numbers of rows, tasks or classes."""
    for what, one, other in zip(("rows", "task", "classes"), first, second, strict=True):
        if one != other:
            said = (f"{each:,}" if isinstance(each, int) else f"{each}" for each in (one, other))
            raise InputError(
                f"Two models are compared on the same rows; their {what} are {' and '.join(said)}. {advice}"
            )


def check_columns(first: Sequence[Column], second: Sequence[Column], advice: str) -> None:
    """Refuse a column that both have and that differs."""
    mine = {column.name: column for column in first}
    for column in second:
        if column.name in mine and not _same_column(mine[column.name], column):
            raise InputError(
                f"Two models are compared on the same rows; {column.name!r} differs between these studies. {advice}"
            )


def same_values(one: NDArray[np.generic] | None, other: NDArray[np.generic] | None) -> bool:
    """Tell whether two columns are equal, or both are not there."""
    return one is other if one is None or other is None else np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _same_column(one: Column, other: Column) -> bool:
    """Compare numbers, or levels by name whatever their codes."""
    if one.codes is None or other.codes is None:
        return one.codes is other.codes and same_values(one.numbers, other.numbers)
    names = [np.array([*column.levels, ""], object)[column.codes] for column in (one, other)]
    return bool((names[0] == names[1]).all())
