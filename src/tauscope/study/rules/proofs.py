"""What is proved about a study's model in the box of a rule, and what rows drawn inside say where nothing is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.pipelines.unwrap import takes_levels
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.stopping import steps
from tauscope.results.rules.columns import whole_above
from tauscope.results.rules.rule import RuleProof
from tauscope.rules.grid import SideBox, simplest_between
from tauscope.rules.proofs.boxes import RowBox
from tauscope.rules.proofs.model_proof import Answer, prove_model
from tauscope.rules.proofs.proof import Block
from tauscope.rules.rule import GrownRule
from tauscope.study.rules.explained import explained_row
from tauscope.study.rules.forest import study_forest
from tauscope.study.rules.table import study_points
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rules import Rules
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.explained import ExplainedRow
    from tauscope.study.rules.forest import StudyForest

BETWEEN = (0.01, 0.5, 0.99)
"""Parts of the way from a value to the next where a side of a proved box may stand."""
MOST_VALUES = 200
"""Values of a column that its sides are moved over; quantiles of more."""
N_PROBES = 64
"""Rows on which what is read of a model is compared with its answers."""


class ProofSearch:
    """A study's model, asked and read for the boxes of its rules.

    Attributes
    ----------
    n_model_rows : int
        Rows the model was asked about.
    """

    def __init__(self, study: StudyBase, forest: StudyForest, explained: ExplainedRow, spec: RulesSpec) -> None:
        self._study, self._forest, self._row, self._spec = study, forest, explained, spec
        self.n_model_rows = 0
        self._points = study_points(study)

    def prove(self, columns: list[int], sides: SideBox, inside: Bools) -> RuleProof:
        """Prove a rule, or look for rows inside that are decided otherwise.

        Parameters
        ----------
        columns : list of int
            Of the rule.
        sides : SideBox
            In the forest's units, of these columns.
        inside : ndarray of bool, shape (n_rows,)
            The study's rows it holds for.
        """
        if not self._study._has_model:
            return RuleProof("none", reason="there is no model, only predictions")
        proof = self.settle(columns, sides)
        return proof if proof.status == "proved" else self._with_drawn(proof, columns, inside)

    def settle(self, columns: list[int], sides: SideBox) -> RuleProof:
        """Prove or refute a rule by what is read of the model, or say why neither is done."""
        unreadable = self._unreadable()
        if unreadable:
            return RuleProof("none", reason=unreadable)
        estimator, before = self._estimator, self.n_model_rows
        found = prove_model(
            estimator,
            self._box(columns, sides),
            self._answer(estimator),
            self._ask,
            self._points[:: max(1, self._study.n_rows // N_PROBES)][:N_PROBES],
            rows_of=self._rows_of,
            budget=self._spec.proof_budget,
        )
        self._count_probes(found.n_model_rows - (self.n_model_rows - before))
        return RuleProof(found.status, None if found.row is None else self._values(found.row), found.reason)

    @property
    def _estimator(self) -> Any:
        """The model itself, also where one of its methods was given."""
        model: Any = self._study._require_model("has rules").model
        return getattr(model, "__self__", model)

    @property
    def model_name(self) -> str:
        """The model's name."""
        return self._study._model_name

    def _predicted(self, points: Floats) -> NDArray[Any]:
        """Ask the model about rows, in batches, each a step at which the work can be stopped."""
        model, spec = self._study._require_model("has rules"), self._study._output_spec
        method, size = model.method("predict"), BatchOptions(model.batch_rows).rows_per_batch(points.shape[1])
        answered: list[NDArray[Any]] = []
        for start in steps(range(0, len(points), size)):
            part = points[start : start + size]
            answered.append(spec(model.answer(method, self._rows_of(part), len(part))).predicted)
            self.n_model_rows += len(part)
        return np.concatenate(answered)

    def _count_probes(self, n: int) -> None:
        """Count rows that the estimator was asked about past the study's model."""
        self.n_model_rows += n
        self._study._require_model("has rules").n_model_rows += n

    def _unreadable(self) -> str:
        """Say why a model cannot be read in the study's columns; "" where it may be."""
        estimator = self._estimator
        if not hasattr(estimator, "predict"):
            return f"{self._study._model_name} has no parameters that could be read"
        if self._study._task != "regression" and self._study._output_spec.source != "labels":
            return "its labels are read from scores"
        levels = [column.name for column in self._study._columns if column.kind == "categorical"]
        if levels and not takes_levels(estimator):
            return f"{self._study._model_name} takes the levels of {levels[0]!r} in a way that is not read"
        return ""

    def _box(self, columns: list[int], sides: SideBox) -> RowBox:
        """Return the box in the study's own columns: other features within the range of the rows."""
        table = self._forest.table
        gaps: Bools = np.logical_or.reduce(np.isnan(self._points), axis=0)
        lower, upper = np.nanmin(self._points, axis=0), np.nanmax(self._points, axis=0)
        missing = gaps.copy()
        blocks: list[Block] = []
        at = {column: place for place, column in enumerate(columns)}
        for k, (column, source) in enumerate(zip(table.columns, table.sources, strict=True)):
            place, j = at.get(k), source[0]
            if place is not None:
                missing[source] &= sides.missing[place]
            if column.kind == "levels":
                entries = np.unique(table.rows[~np.isnan(table.rows[:, k]), k])
                if place is not None:
                    entries = entries[(entries > sides.lower[place]) & (entries <= sides.upper[place])]
                values = table.values(k, entries)
                missing[source[1:]] = False  # those of a group are missing together: the first says so
                if not len(values):  # the rule is of missing values alone
                    values, missing[j] = np.full((1, len(source)), np.nan), False
                blocks.append(Block(source, values))
            elif place is not None:
                low, high = float(sides.lower[place]), float(sides.upper[place])
                above = whole_above(low) if column.integer else float(np.nextafter(low, np.inf))
                lower[j] = max(lower[j], above)
                upper[j] = min(upper[j], high)
        return RowBox(lower, upper, missing, self._with_one_hot(lower, upper, missing, blocks))

    def _with_one_hot(self, lower: Floats, upper: Floats, missing: Bools, blocks: list[Block]) -> tuple[Block, ...]:
        """Let one-hot columns that are features of their own take, together, the levels that a box leaves."""
        for group in self._study._one_hot_groups:
            columns = np.array(group.columns)
            touched = [block for block in blocks if np.isin(block.columns, columns).any()]
            if any(len(block.columns) > 1 for block in touched):
                continue  # declared
            levels = np.eye(len(columns) + group.may_be_none, len(columns))
            levels = levels[((levels >= lower[columns]) & (levels <= upper[columns])).all(axis=1)]
            for block in touched:  # bools
                levels = levels[np.isin(levels[:, columns == block.columns[0]], block.values).all(axis=1)]
            if len(levels):
                missing[columns[1:]] = False  # missing together: the first says so
                blocks = [block for block in blocks if all(block is not one for one in touched)]
                blocks.append(Block(columns, levels))
        return tuple(blocks)

    def _answer(self, estimator: Any) -> Answer:
        if self._study._task == "regression":
            return self._row.answer
        return Answer(self._own_classes(estimator).index(self._study.classes[int(self._row.decided)]))

    def _own_classes(self, estimator: Any) -> list[Any]:
        """Labels in the estimator's order; the study's where it names none."""
        own = getattr(estimator, "classes_", None)
        return list(self._study.classes) if own is None else np.asarray(own).tolist()

    def _rows_of(self, points: Floats) -> Any:
        every = tuple(range(points.shape[1]))
        return self._study._table_rows.substituted(np.zeros(len(points), dtype=np.int64), every, self._whole(points))

    def _whole(self, points: Floats) -> Floats:
        """Round columns of whole numbers, which is where their trees' ends lie between."""
        whole = [column.integer for column in self._study._columns]
        return np.where(whole, np.round(points), points)

    def _ask(self, points: Floats) -> Any:
        """Ask for the decisions of rows: the classes' positions among the estimator's, or values."""
        answered = self._predicted(points)
        if self._study._task == "regression":
            return answered
        own = self._own_classes(self._estimator)
        position = np.array([own.index(label) for label in self._study.classes])
        return position[answered.astype(np.int64)]

    def _with_drawn(self, proof: RuleProof, columns: list[int], inside: Bools) -> RuleProof:
        """Add what rows drawn inside say: the rule's values from rows it holds for, all others from any row."""
        n = self._spec.n_drawn
        if n == 0:
            return proof
        random = np.random.default_rng(seed_of(self._spec.random_state))
        drawn = self._points[random.integers(0, len(self._points), n)]
        holds = np.flatnonzero(inside)
        values = self._points[random.choice(holds, n)] if len(holds) else np.repeat(self._row.point[None], n, axis=0)
        sources = self._with_groups(self._forest.table.sources_of(columns))
        drawn[:, sources] = values[:, sources]
        answered = self._predicted(drawn)
        n_differ = int((~self._row.agrees(answered.astype(np.float64))).sum())
        return RuleProof(proof.status, proof.counterexample, proof.reason, n, n_differ)

    def _with_groups(self, sources: Ints) -> Ints:
        """Add to columns the other levels of their one-hot groups, so that no row drawn has two levels of one."""
        groups = [group.columns for group in self._study._one_hot_groups if np.isin(group.columns, sources).any()]
        return np.unique(np.concatenate([sources, *(np.array(group) for group in groups)]))

    def _values(self, point: Floats) -> dict[str, Any]:
        entries = self._forest.table.encode(self._whole(point[None]))[0]
        columns = self._forest.table.columns
        return {column.name: column.value(entry) for column, entry in zip(columns, entries, strict=True)}


def proved_rule(self: StudyBase, rules: Rules) -> Rule:
    """Grow the box around a row in which the model is proved never to answer otherwise; see `Rules.proved`."""
    from tauscope.study.rules.making import RuleMaker  # which has a rule proved by what is here

    spec, explanation = rules._spec, rules.explanation
    forest = study_forest(self, spec)
    row = explanation.values.to_dict() if explanation.row is None else explanation.row
    explained = explained_row(self, forest, row, spec)
    search, maker = ProofSearch(self, forest, explained, spec), RuleMaker(self, forest, spec)
    grown = _ProvedBox(search, explained.entries, maker.rows).grow(forest.projected.order().tolist())
    columns = grown.open_columns()
    box = grown.sides(columns)
    rule = GrownRule(
        np.array(columns, dtype=np.int64),
        box,
        box.inside(maker.rows[:, columns]),
        1.0,
        1.0,
        explained.agrees(forest.decided[forest.training]).astype(np.float64),
    )
    return maker.make(explained, rule, explanation._answer, search)


class _ProvedBox:
    """A box that holds a row, in all features, widened while it is proved."""

    def __init__(self, search: ProofSearch, row: Floats, rows: Floats) -> None:
        self._search, self._row, self._rows = search, row, rows
        gap = np.isnan(row)
        self._lower = np.where(gap, np.inf, np.nextafter(row, -np.inf))
        self._upper = np.where(gap, -np.inf, row)
        self._missing: Bools = gap

    def sides(self, columns: list[int]) -> SideBox:
        """Return the ends of some columns."""
        return SideBox(self._lower[columns], self._upper[columns], self._missing[columns])

    def open_columns(self) -> list[int]:
        """Return the columns that the box cuts."""
        whole = np.isneginf(self._lower) & np.isposinf(self._upper) & self._missing
        return np.flatnonzero(~whole).tolist()

    def grow(self, order: list[int]) -> _ProvedBox:
        """Open features wholly, the least used first, then move the sides of the others out, each as far as it goes.

        What holds in a box holds in every part of it, so that no side can be moved further in the end: farther cuts
        are among the study's values.
        """
        start = self._settle()
        if start.status != "proved":
            known = start.reason or "not even the row's own values are settled within proof_budget"
            raise InputError(f"No rule is proved of {self._search.model_name}: {known}. Use the rules as they are.")
        for column in steps(order[::-1]):
            self._try(column, -np.inf, np.inf, missing=True)
        for column in steps(order):
            if column in self.open_columns() and not np.isnan(self._row[column]):
                self._widen(column)
        return self

    def _settle(self) -> RuleProof:
        columns = self.open_columns()
        return self._search.settle(columns, self.sides(columns))

    def _try(self, column: int, lower: float, upper: float, *, missing: bool) -> bool:
        before = self._lower[column], self._upper[column], self._missing[column]
        self._lower[column], self._upper[column], self._missing[column] = lower, upper, missing
        if self._settle().status == "proved":
            return True
        self._lower[column], self._upper[column], self._missing[column] = before
        return False

    def _widen(self, column: int) -> None:
        own, known = float(self._row[column]), self._rows[~np.isnan(self._rows[:, column]), column]
        values = np.unique(known)
        if len(values) > MOST_VALUES:
            values = np.unique(np.quantile(known, np.linspace(0, 1, MOST_VALUES), method="inverted_cdf"))
        values = np.unique(np.append(values, own))
        # a threshold lies somewhere between two values: ends beside each, and half way
        ends = np.unique(np.append(values[:-1, None] + np.diff(values)[:, None] * BETWEEN, values))
        cuts = np.unique([simplest_between(*pair) for pair in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)])
        below, above = cuts[cuts < own][::-1], cuts[cuts >= own]
        self._farthest(np.append(below, -np.inf), lambda end: self._try_sides(column, end, self._upper[column]))
        self._farthest(np.append(above, np.inf), lambda end: self._try_sides(column, self._lower[column], end))

    def _try_sides(self, column: int, lower: float, upper: float) -> bool:
        return self._try(column, lower, upper, missing=bool(self._missing[column]))

    def _farthest(self, ends: Floats, proved: Callable[[float], bool]) -> None:
        """Move a side to the farthest of some ends, near to far: each that is proved stands."""
        near, far = -1, len(ends)
        while far - near > 1:
            middle = (near + far) // 2
            near, far = (middle, far) if proved(float(ends[middle])) else (near, middle)
