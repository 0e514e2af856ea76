"""The forest behind a study's rules: its own model where that is one grown on these rows, else one that imitates it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.data import labels
from tauscope.errors import InputError
from tauscope.results.rules.spec import ForestInfo
from tauscope.rules.fitting import fit_forest
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.recount import FixedCells
from tauscope.study.rules.table import RuleTable, rule_table
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.seeds import seed_of
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase

FEWEST_HELD_OUT = 30
"""Rows held out at least, where any are: fewer tell next to nothing about a rule."""
OWN_FORESTS = ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor")


@dataclass(frozen=True, eq=False)
class StudyForest:
    """A projected forest and the study's rows that it was fitted on.

    Attributes
    ----------
    projected : ProjectedForest
    table : RuleTable
    decided : ndarray of shape (n_rows,)
        What is explained of each of the study's rows: codes of classes, or values.
    training, held_out : ndarray of int
        Positions of the rows it was fitted on, and of the others.
    own : bool
        Whether it is the study's model itself.
    fidelity : float
    answers : ndarray of shape (n_rows,), or None
        What it decides of each row by the trees that were not fitted on it; by all where each was, and of rows held
        out. None where it is the model itself.
    recounted : dict
        Cells of rules that were put under a stress: these do not move with weights.
    """

    projected: ProjectedForest
    table: RuleTable
    decided: Floats
    training: Ints
    held_out: Ints
    own: bool
    fidelity: float
    answers: Floats | None = None
    recounted: dict[object, FixedCells] = field(default_factory=dict[object, FixedCells])

    def info(self, study: StudyBase, spec: RulesSpec) -> ForestInfo:
        """Describe it for a result."""
        sampled = study._sampled_from > study.n_rows
        return ForestInfo(
            self.own,
            self.projected.n_trees,
            len(self.training),
            len(self.held_out),
            self.projected.check_min_rows(spec.min_rows),
            self.fidelity,
            len(self.held_out) > 0,
            study._task,
            spec.explained,
            self.projected.nbytes,
            study.n_rows if sampled else 0,
            study._sampled_from if sampled else 0,
            study.sample_weight is not None,
            self._by_class(study),
        )

    def _by_class(self, study: StudyBase) -> tuple[tuple[str, float, int], ...]:
        if self.answers is None or study._task == "regression":
            return ()
        of = [(name, self.decided == code) for code, name in enumerate(labels.names(study.classes))]
        return tuple(
            (name, float((self.answers == self.decided)[own].mean()), int(own.sum())) for name, own in of if own.any()
        )

    def answer(self, position: int, entries: Floats) -> float:
        """Return what it decides of a row (p,), of one of the study's as `answers` has it; NaN for the model itself."""
        if self.answers is None:
            return float("nan")
        return float(self.answers[position] if position >= 0 else _decide(self.projected, entries[None])[0])


def study_forest(study: StudyBase, spec: RulesSpec) -> StudyForest:
    """Find or fit the forest of a study, once for the same options.

    Raises
    ------
    InputError
        For labels to explain that are not there, or a decision that never differs.
    """
    seed = seed_of(spec.random_state)
    key = (spec.explained, spec.n_estimators, spec.held_out, seed, tuple(spec.groups.items()))
    if key not in study._forests:
        study._forests[key] = _make(study, spec, seed)
    return study._forests[key]


def training_weight(study: StudyBase, forest: StudyForest) -> Floats | None:
    """Return the study's weights of the rows the forest was fitted on; None where all count alike."""
    return None if study.sample_weight is None else study.sample_weight[forest.training]


def _make(study: StudyBase, spec: RulesSpec, seed: int) -> StudyForest:
    decided = _explained(study, spec)
    if decided.min() == decided.max():
        what = "predicts" if spec.explained == "predictions" else "has"
        raise InputError(
            f"Rules need decisions that differ; {study._model_name} {what} the same for all "
            f"{count(study.n_rows, 'row')}. Add "
            "rows that are decided otherwise."
        )
    classes = study._task != "regression"
    table = rule_table(study, _score(decided, classes), spec.groups)
    own = _own_forest(study, table, decided)
    if own is not None:
        every = np.arange(study.n_rows)
        return StudyForest(own, table, decided, every, every[:0], True, float("nan"))
    training, held_out = _split(study.n_rows, spec.held_out, seed)
    fitted = fit_forest(
        table.rows[training], decided[training], classes=classes, n_trees=spec.n_estimators, random_state=seed
    )
    fidelity = fitted.quality
    if len(held_out):
        fidelity = _fidelity(fitted.projected, table.rows[held_out], decided[held_out], classes)
    answers = _decide(fitted.projected, table.rows)
    out, voted = fitted.projected.out_of_bag()
    answers[training[out]] = _labelled(fitted.projected, voted)
    return StudyForest(fitted.projected, table, decided, training, held_out, False, fidelity, answers)


def _explained(study: StudyBase, spec: RulesSpec) -> Floats:
    if spec.explained == "predictions":
        return study.predicted.astype(np.float64)
    if study._true_values is None:
        raise InputError("explained='labels' needs true labels, and this study has none. Give y: Study(model, X, y).")
    return study._true_values.astype(np.float64)


def _score(decided: Floats, classes: bool) -> Floats:
    """Return what levels are ordered by: the value, or whether the decision is the most frequent class."""
    if not classes:
        return decided
    labels, n = np.unique(decided, return_counts=True)
    return (decided == labels[n.argmax()]).astype(np.float64)


def _own_forest(study: StudyBase, table: RuleTable, decided: Floats) -> ProjectedForest | None:
    """Return the study's model as a projected forest, where it is one that was grown on the study's own rows."""
    if not study._has_model or any(column.kind == "levels" for column in table.columns):
        return None
    model: Any = study._require_model("has rules").model
    model = getattr(model, "__self__", model)
    if type(model).__name__ not in OWN_FORESTS or not type(model).__module__.startswith("sklearn."):
        return None
    try:
        return ProjectedForest(model, table.rows, decided)
    except InputError:
        return None


def _split(n: int, share: float, seed: int) -> tuple[Ints, Ints]:
    """Part rows at random into those to fit on and those held out."""
    order = np.random.default_rng([seed, n]).permutation(n)
    n_held_out = max(round(share * n), FEWEST_HELD_OUT) if share > 0 else 0
    if n - n_held_out < 2 * FEWEST_HELD_OUT:
        n_held_out = 0
    return np.sort(order[n_held_out:]), np.sort(order[:n_held_out])


def _decide(projected: ProjectedForest, rows: Floats) -> Floats:
    """Predict values, or codes of the study's classes."""
    return _labelled(projected, projected.predict(rows))


def _labelled(projected: ProjectedForest, predicted: Floats) -> Floats:
    classes = projected.classes
    return predicted if classes is None else classes[predicted.astype(np.int64)].astype(np.float64)


def _fidelity(projected: ProjectedForest, rows: Floats, decided: Floats, classes: bool) -> float:
    predicted = _decide(projected, rows)
    if classes:
        return float((predicted == decided).mean())
    spread = float(np.square(decided - decided.mean()).sum())
    return 1 - float(np.square(decided - predicted).sum()) / spread if spread > 0 else float("nan")
