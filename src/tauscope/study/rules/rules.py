"""The verb `rules`: how far the sufficient values of a row can move before its decision is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from tauscope.errors import InputError
from tauscope.results.rules.columns import Condition
from tauscope.results.rules.rows import RuleRows
from tauscope.results.rules.rule import Rule, RuleShare
from tauscope.results.rules.rules import Rules
from tauscope.results.rules.spec import RulesSpec
from tauscope.rules.grid import Grid
from tauscope.rules.proof import BUDGET
from tauscope.rules.rule import GrownRule, count_rule, grow_rule, measure_box, precision_interval
from tauscope.study.rules.explained import ExplainedRow, explained_row
from tauscope.study.rules.forest import StudyForest, study_forest
from tauscope.study.rules.proofs import ProofOptions, ProofSearch
from tauscope.study.rules.sufficient import explain, search_options, settle_spec, training_weight
from tauscope.weights.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from tauscope.results.rules.spec import Explained
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState


def rules(
    self: StudyBase,
    row: Any,
    *,
    pi: float = 0.95,
    t: Any = "q95",
    n_features: int = 10,
    features: Sequence[str | int] | None = None,
    min_rows: int | None = None,
    search: Literal["exhaustive", "greedy"] = "exhaustive",
    explained: Explained = "predictions",
    n_estimators: int = 20,
    held_out: float = 0.25,
    max_rules: int = 5,
    proof_budget: int = BUDGET,
    n_drawn: int = 10_000,
    random_state: RandomState = 0,
) -> Rules:
    """Find how far the sufficient values of a row can move: a box around it for each minimal set.

    Parameters
    ----------
    row, pi, t, n_features, features, min_rows, search, explained, n_estimators, held_out, random_state
        As in `sufficient`.
    max_rules : int, default 5
        Most minimal sets whose rule is grown.
    proof_budget : int, default 2,000,000
        Leaves looked at, about, for the proof of each rule; 0 proves nothing.
    n_drawn : int, default 10,000
        Rows drawn inside a rule that the model is asked about where nothing is proved.

    Returns
    -------
    Rules
        A sequence of `Rule`, each with `.bounds`, `.sdp`, `.sdp_min`, `.coverage`, `.precision` and `.proof`, and a
        sentence as its str; empty where no set reaches π.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `sufficient`.

    Notes
    -----
    A rule holds at every row of the forest's inside it: the same-decision probability is at least π there. Its
    precision is counted on held-out rows, with Clopper and Pearson's interval, and on the forest's own without one.
    The proof is of the model itself, for all values of the other features within the range of the study's rows.
    """
    spec = RulesSpec(
        pi=pi,
        t=t,
        n_features=n_features,
        features=features,
        min_rows=min_rows,
        search=search,
        explained=explained,
        n_estimators=n_estimators,
        held_out=held_out,
        random_state=random_state,
        max_rules=max_rules,
        proof_budget=proof_budget,
        n_drawn=n_drawn,
    )
    return rules_from(self, row, spec)


def rules_from(self: StudyBase, row: Any, spec: RulesSpec) -> Rules:
    """Grow rules by a record of the options, such as another's changed with `dataclasses.replace`."""
    spec = settle_spec(self, spec)
    _check_counts(spec)
    forest = study_forest(self, spec)
    explained = explained_row(self, forest, row, spec)
    result, _ = explain(self, forest, explained, spec)
    seed = int(cast(int, spec.random_state))
    proofs = ProofSearch(self, forest, explained, ProofOptions(spec.proof_budget, spec.n_drawn, seed))
    maker = _Maker(self, forest, explained, spec, proofs, result.answer)
    made = [maker.rule(list(one)) for one in result.minimal_sets[: spec.max_rules]]
    found = tuple(rule for rule, _ in made)
    rows = maker.rows([rule.columns for _, rule in made], [rule.sdp for _, rule in made])
    return Rules(spec, result, found, proofs.n_model_rows, rows, source=self.as_source())


def _check_counts(spec: RulesSpec) -> None:
    limits = (("max_rules", spec.max_rules, 1), ("proof_budget", spec.proof_budget, 0), ("n_drawn", spec.n_drawn, 0))
    for name, value, least in limits:
        if value < least:
            raise InputError(f"{name} must be at least {least}; got {value!r}.")


class _Asked(NamedTuple):
    """The columns of a rule, and the same-decision probability at the rows the forest was fitted on."""

    columns: list[int]
    sdp: Floats


@dataclass(frozen=True, eq=False)
class _Maker:
    """What all rules of a row share."""

    study: StudyBase
    forest: StudyForest
    explained: ExplainedRow
    spec: RulesSpec
    proofs: ProofSearch
    answer: str

    @property
    def seed(self) -> int:
        return int(cast(int, self.spec.random_state))

    @cached_property
    def weight(self) -> Floats:
        """Of the study's rows."""
        weight = self.study.sample_weight
        return np.ones(self.study.n_rows) if weight is None else weight

    def rows(self, columns: list[list[int]], sdp: list[Floats]) -> RuleRows:
        """Return the rows that rules are counted on, those of the forest first."""
        order = np.concatenate([self.forest.training, self.forest.held_out])
        return RuleRows(
            len(self.forest.training),
            self.explained.agrees(self.forest.decided)[order],
            None if self.study.sample_weight is None else self.weight[order],
            tuple(self.forest.table.rows[order[:, None], np.array(one)] for one in columns),
            tuple(one.astype(np.float32) for one in sdp),
        )

    def rule(self, columns: list[int]) -> tuple[Rule, _Asked]:
        """Grow, count and prove the rule of a sufficient set."""
        grown, sdp = self._grown(columns)
        values = self.forest.table.rows[:, columns]
        inside = grown.box.inside(values)
        held_out = self._counted(inside, self.forest.held_out) if len(self.forest.held_out) else None
        rule = Rule(
            self._conditions(grown, np.logical_or.reduce(np.isnan(values), axis=0)),
            self.answer,
            None if self.explained.position < 0 else self.explained.position,
            grown.sdp,
            grown.sdp_min,
            replace(self._counted(inside, self.forest.training), lower=np.nan, upper=np.nan),
            held_out,
            measure_box(grown.box, np.nanmin(values, axis=0), np.nanmax(values, axis=0)),
            self.proofs.prove(columns, grown.box, inside),
        )
        return rule, _Asked(columns, sdp)

    def _grown(self, columns: list[int]) -> tuple[GrownRule, Floats]:
        rows, entries = self.forest.table.rows[self.forest.training], self.explained.entries
        projected, weight = self.forest.projected, training_weight(self.study, self.forest)
        sdp = projected.sdp(
            np.concatenate([entries[None], rows]),
            [columns],
            self.explained.same(self.forest, 1 + len(rows)),
            weight=weight,
            min_rows=search_options(self.study, self.spec).min_rows,
        )[:, 0]
        grid, weight = Grid.of_trees(projected.trees, np.array(columns)), self.weight[self.forest.training]
        own, others = entries[columns], rows[:, columns]
        of_row, of_others = float(sdp[0]), sdp[1:]
        pi, seed = self.spec.pi, self.seed
        grown = grow_rule(np.array(columns), grid, others, own, of_others, of_row, pi, weight, seed=seed)
        return grown, of_others

    def _conditions(self, grown: GrownRule, gaps: Bools) -> tuple[Condition, ...]:
        box = grown.box
        columns: list[int] = grown.columns.tolist()
        ends = zip(columns, box.lower.tolist(), box.upper.tolist(), box.missing.tolist(), gaps.tolist(), strict=True)
        return tuple(
            Condition(
                self.forest.table.columns[j],
                lower,
                upper,
                missing and can_miss,
                can_miss,
                float(self.explained.entries[j]),
                float(np.nanmin(self.forest.table.rows[:, j])),
                float(np.nanmax(self.forest.table.rows[:, j])),
            )
            for j, lower, upper, missing, can_miss in ends
        )

    def _counted(self, inside: Bools, part: Ints) -> RuleShare:
        agrees = self.explained.agrees(self.forest.decided)
        counts = count_rule(inside[part], agrees[part], self.weight[part])
        lower, upper = precision_interval(counts)
        return RuleShare(counts.n_rows, counts.n_inside, counts.coverage, counts.precision, lower, upper)
