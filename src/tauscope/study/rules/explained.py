"""The row whose decision is explained, what is decided there, and which other decisions count as the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.data import labels
from tauscope.errors import InputError, InputTypeError
from tauscope.results.rules.columns import exact
from tauscope.rules.decision import SameDecision
from tauscope.rules.proofs.model_proof import Answer
from tauscope.rules.tolerance import squared_tolerance
from tauscope.study.rows import ChosenRows, choose_row
from tauscope.study.rules.groups import spread_groups
from tauscope.study.rules.table import study_points
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.forest import StudyForest


@dataclass(frozen=True, eq=False)
class ExplainedRow:
    """A row and its decision.

    Attributes
    ----------
    position : int
        Among the study's rows; −1 for new values.
    point : ndarray of shape (p,)
        Numbers, and the study's codes of levels.
    entries : ndarray of shape (p,)
        The same for the forest.
    decided : float
        Code of the class predicted, or the value; NaN where some columns were not given.
    low, high : float
        Of a regression, the values that count as the same; else both the code.
    t : float
        Of a regression, the squared difference that does; NaN where an interval was given, and for classes.
    """

    position: int
    point: Floats
    entries: Floats
    decided: float
    low: float
    high: float
    t: float

    def same(self, study_forest: StudyForest, n: int = 1) -> SameDecision:
        """Return the same decision n times, as the forest codes it."""
        classes = study_forest.projected.classes
        if classes is None:
            return SameDecision.between(np.full(n, self.low), np.full(n, self.high))
        code = np.flatnonzero(classes == self.decided)
        return SameDecision.of_class(np.full(n, float(code[0]) if len(code) else -1.0))

    def agrees(self, decided: Floats) -> Any:
        """Tell which decisions are the same: shape (n,)."""
        return (decided >= self.low) & (decided <= self.high)

    @property
    def answer(self) -> Answer:
        """Return what a proof has to show."""
        return Answer(low=self.low, high=self.high)


def explained_row(study: StudyBase, forest: StudyForest, row: Any, spec: RulesSpec) -> ExplainedRow:
    """Read a row and ask what is decided there: known for the study's own, else one call of the model."""
    return explained_rows(study, forest, choose_row(study, spread_groups(spec.groups, row)), spec)[0]


def explained_rows(study: StudyBase, forest: StudyForest, chosen: ChosenRows, spec: RulesSpec) -> list[ExplainedRow]:
    """Read several rows by one call of the model at most; values that count as the same are as far for each.

    Raises
    ------
    InputError
        For an interval t, which is around one row's prediction, and several rows.
    """
    positions: list[int] = chosen.position.tolist()
    if chosen.points is None:
        points, decided = study_points(study, chosen.position), study.predicted[chosen.position].astype(np.float64)
    else:
        points = chosen.points
        decided = _decided(study, points) if chosen.complete else np.full(chosen.n, np.nan)
    entries = forest.table.encode(points)
    spans = _spans(study, forest, decided, spec)
    return [ExplainedRow(*row) for row in zip(positions, points, entries, decided.tolist(), *spans, strict=True)]


def _decided(study: StudyBase, points: Floats) -> Floats:
    every = tuple(range(points.shape[1]))
    asked = study._table_rows.substituted(np.zeros(len(points), dtype=np.int64), every, points)
    return study.predict(asked).predicted.astype(np.float64)


def _spans(
    study: StudyBase, forest: StudyForest, decided: Floats, spec: RulesSpec
) -> tuple[list[float], list[float], list[float]]:
    """Return low, high and t of each row."""
    if len(decided) == 1 and study._task == "regression" and not np.isnan(decided[0]):
        low, high, t = _same_values(forest, spec, float(decided[0]))
        return [low], [high], [t]
    t = squared_reach(study, forest, spec)
    reach = 0.0 if np.isnan(t) else float(np.sqrt(t))
    return (decided - reach).tolist(), (decided + reach).tolist(), [t] * len(decided)


def squared_reach(study: StudyBase, forest: StudyForest, spec: RulesSpec) -> float:
    """Return the squared difference up to which values count as the same, for any row; NaN for classes.

    Raises
    ------
    InputError
        For an interval, which is around one row's prediction.
    """
    given = spec.t
    if study._task != "regression":
        _check_no_t(spec)
        return float("nan")
    if not isinstance(given, str | int | float):
        raise InputError(
            f't must be a quantile such as "q95" or a number above 0 where several rows are explained: an interval is '
            f"around one row's prediction. Got {given!r}."
        )
    return _same_values(forest, spec, 0.0)[2]


def answer_words(study: StudyBase, row: ExplainedRow) -> str:
    """Write what is decided: "predicted >50K", "predicted between 12.1 and 14.5"."""
    if study._task == "regression":
        digits = 1 + max(0, int(np.ceil(-np.log10(max(row.high - row.low, 1e-300)))) + 1)
        low, high = round(row.low, digits), round(row.high, digits)
        return f"predicted between {exact(low)} and {exact(high)}"
    return f"predicted {labels.names(study.classes)[int(row.decided)]}"


def _same_values(forest: StudyForest, spec: RulesSpec, centre: float) -> tuple[float, float, float]:
    t = spec.t
    if isinstance(t, tuple | list | np.ndarray):
        ends = np.asarray(t, dtype=np.float64).ravel()
        if len(ends) != 2 or not ends[0] <= centre <= ends[1]:
            raise InputError(
                f"An interval t holds the row's own prediction, {centre:g}; got {t!r}. Give (low, high) around it."
            )
        return float(ends[0]), float(ends[1]), float("nan")
    if isinstance(t, bool) or not isinstance(t, str | int | float):
        raise InputTypeError(f't must be a quantile such as "q95", a number above 0, or (low, high); got {t!r}.')
    held_out = None
    if len(forest.held_out):
        held_out = forest.table.rows[forest.held_out], forest.decided[forest.held_out]
    squared = squared_tolerance(forest.projected, t if isinstance(t, str) else float(t), held_out=held_out)
    return centre - float(np.sqrt(squared)), centre + float(np.sqrt(squared)), squared


def _check_no_t(spec: RulesSpec) -> None:
    if not isinstance(spec.t, str) or spec.t != "q95":
        raise InputError(
            f"t says which values of a regression count as the same; of classes the same class does. Got t={spec.t!r}: "
            "leave it out."
        )
