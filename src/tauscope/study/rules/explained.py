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
from tauscope.study.rows import choose_row
from tauscope.study.rules.groups import spread_groups
from tauscope.study.rules.table import study_points
from tauscope.weights.arrays import Floats, Ints

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
        Code of the class predicted, or the value.
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
    chosen = choose_row(study, spread_groups(spec.groups, row))
    position = int(chosen.position[0])
    if chosen.points is None:
        point = study_points(study, np.array([position]))[0]
        decided = float(study.predicted[position])
    else:
        point = chosen.points[0]
        every = tuple(range(len(point)))
        asked = study._table_rows.substituted(np.zeros(1, dtype=np.int64), every, point[None])
        decided = float(study.predict(asked).predicted[0])
    entries = forest.table.encode(point[None])[0]
    if study._task != "regression":
        _check_no_t(spec)
        return ExplainedRow(position, point, entries, decided, decided, decided, float("nan"))
    low, high, t = _same_values(forest, spec, decided)
    return ExplainedRow(position, point, entries, decided, low, high, t)


def explained_rows(study: StudyBase, forest: StudyForest, positions: Ints, spec: RulesSpec) -> list[ExplainedRow]:
    """Read several of the study's rows; values of a regression count as the same by one squared difference."""
    points = study_points(study, positions)
    decided: list[float] = study.predicted[positions].astype(np.float64).tolist()
    t = squared_reach(study, forest, spec)
    reach = 0.0 if np.isnan(t) else float(np.sqrt(t))
    entries = forest.table.rows[positions]
    return [
        ExplainedRow(position, points[i], entries[i], decided[i], decided[i] - reach, decided[i] + reach, t)
        for i, position in enumerate(positions.tolist())
    ]


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
