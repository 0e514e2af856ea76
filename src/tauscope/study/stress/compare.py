"""The function `compare`: two studies of the same rows to their paired metrics under one stress."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import checks_call, describe
from tauscope.data.columns import Column
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.comparison import UNDER, ModelComparison, comparison_rows, metrics_of_one, paired_metrics
from tauscope.results.stress.joint_answer import count_rows
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.scenarios import AS_TESTED, scenario_population
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.joint.paired import Side
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Metric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.study.base import StudyBase
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.study.stress.reweight import reweighted
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size


class ComparedInChunks(Protocol):
    """A study of rows in chunks, which compares itself with another one."""

    def compare_chunks(
        self,
        second: Any,
        stress: Constraint | Stress | Scenario | Reweighting | None,
        *,
        quantile: float,
        confidence: float,
        metrics: str | Sequence[str] | None,
        names: tuple[str, str] | None,
    ) -> ModelComparison:
        """See `compare`."""
        ...


@checks_call
def compare(
    first: StudyBase | ComparedInChunks,
    second: StudyBase | ComparedInChunks,
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
    chunked = [hasattr(study, "compare_chunks") for study in (first, second)]
    for study, in_chunks in zip((first, second), chunked, strict=True):
        if not in_chunks and not isinstance(cast(object, study), StudyBase):
            raise InputTypeError(f"Studies are compared; got {describe(study)}. Make one: ts.Study(model, X, y).")
    if any(chunked):
        if not all(chunked):
            raise InputTypeError(
                "Two models are compared on the same rows; of one study they are in memory, of the other in chunks. "
                "Make both of the same kind."
            )
        of_chunks = cast(ComparedInChunks, first)
        return of_chunks.compare_chunks(
            second, stress, quantile=quantile, confidence=confidence, metrics=metrics, names=names
        )
    first, second = cast(StudyBase, first), cast(StudyBase, second)
    _check_same_rows(first, second)
    # classes of one name, or a metric of True would not be that of 1
    outcomes = first.outcomes, replace(second.outcomes, class_names=first.outcomes.class_names)
    called = name_models((first.model_name, second.model_name), names)
    return compare_outcomes(first, outcomes, called, stress, quantile=quantile, confidence=confidence, metrics=metrics)


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
    selection = select_metrics(self, metrics)
    check_own(selection, "A comparison")
    sides, chosen, left_out = _sides(outcomes, selection.builtin, names)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    if tested is None:
        tested = _rows(AS_TESTED, names, sides, chosen, Moments.none(self.n_rows), base, base, confidence)
    parts = [tested]
    moved = None
    if stress is not None:
        moved = reweighted(self, self._as_rows(), stress, float(quantile), "compare")
        weights = moved.row_weights("a comparison under it")
        parts.append(_rows(UNDER, names, sides, chosen, reweighted_moments(self, moved), weights, base, confidence))
    return ModelComparison(
        names=names,
        population=None if moved is None else scenario_population(moved),
        metrics=chosen,
        quantile=float(quantile),
        confidence=float(confidence),
        n_rows=self.n_rows,
        outcomes=outcomes,
        _frame=pd.concat(parts, ignore_index=True),
        left_out=left_out,
        source=self.as_source(),
    )


def _rows(
    population: str,
    names: tuple[str, str],
    sides: tuple[Side, Side],
    metrics: tuple[Metric, ...],
    moments: Moments,
    weights: NDArray[np.float64],
    base: NDArray[np.float64],
    confidence: float,
) -> pd.DataFrame:
    found = paired_metrics(
        *sides,
        moments,
        weights,
        pareto_khat(weights, base),
        confidence=float(confidence),
        n_rows=count_rows(moments.phi, base),
    )
    return comparison_rows(population, names, metrics, found, float(effective_size(weights)))


def _sides(
    outcomes: tuple[Outcomes, Outcomes], names: Sequence[str] | None, models: tuple[str, str]
) -> tuple[tuple[Side, Side], tuple[Metric, ...], tuple[tuple[str, str], ...]]:
    """Return what each model's metrics are sums of, of the metrics that both have, and which only one has."""
    defined = [define_quantities(each, names=names or ()) for each in outcomes]
    per_study = [{metric.name: metric for metric in choose(every, names)} for _, every in defined]
    common = [name for name in per_study[0] if name in per_study[1]]
    sides = tuple(
        Side(collected, [known[name] for name in common])
        for (collected, _), known in zip(defined, per_study, strict=True)
    )
    shown = tuple(metric.in_words() for metric in sides[0].metrics)
    return (sides[0], sides[1]), shown, metrics_of_one(models, per_study)


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
    check_alike((first.n_rows, first.task, first.classes), (second.n_rows, second.task, second.classes), advice)
    if not (same_values(first.truth, second.truth) and same_values(first.sample_weight, second.sample_weight)):
        raise InputError(
            f"Two models are compared on the same rows; y or the weights of these studies differ. {advice}"
        )
    if are_sparse(first.columns) or are_sparse(second.columns):
        return
    check_columns(first.columns, second.columns, advice)


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
