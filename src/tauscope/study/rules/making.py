"""Rules grown, counted and written for a study: what all of them share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data import labels
from tauscope.model.response import SUBJECTS
from tauscope.results.rules.columns import Condition
from tauscope.results.rules.rows import RuleRows
from tauscope.results.rules.rule import Rule, RuleProof, RuleShare
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.grid import Grid, SideBox
from tauscope.rules.rule import GrownRule, count_rule, grow_rule, measure_box, precision_interval
from tauscope.rules.shared import shared_sdp
from tauscope.rules.sufficient import Features, SearchOptions, smallest_sufficient
from tauscope.study.rules.forest import training_weight
from tauscope.study.rules.options import search_options
from tauscope.study.rules.substituted import grow_by_model
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.explained import ExplainedRow
    from tauscope.study.rules.forest import StudyForest
    from tauscope.study.rules.proofs import ProofSearch
    from tauscope.study.rules.substituted import ModelProbability


NOT_ASKED = RuleProof("none", reason="it was not asked for")


@dataclass(frozen=True, eq=False)
class RuleMaker:
    """A study, its forest and the options of its rules; whom to ask where they are the model's own."""

    study: StudyBase
    forest: StudyForest
    spec: RulesSpec
    asked: ModelProbability | None = None

    @property
    def rows(self) -> Floats:
        """Training rows, as the forest holds them."""
        return self.forest.table.rows[self.forest.training]

    @cached_property
    def weight(self) -> Floats:
        """Of the study's rows."""
        weight = self.study.sample_weight
        return np.ones(self.study.n_rows) if weight is None else weight

    @property
    def grower(self) -> RuleGrower:
        """What grows the rules."""
        return RuleGrower(
            self.forest.projected,
            self.rows,
            self.weight[self.forest.training],
            training_weight(self.study, self.forest),
            replace(search_options(self.study, self.spec), every=False, confidence=None),
            seed_of(self.spec.random_state),
        )

    def sdp(self, explained: ExplainedRow, columns: list[int], rows: Floats) -> Floats:
        """Return how probable a row's decision is at other rows: shape (n_rows,)."""
        return self.grower.sdp(explained.same(self.forest), columns, rows)

    def grow(self, explained: ExplainedRow, columns: list[int]) -> GrownRule:
        """Grow the rule of a row in the columns of a sufficient set."""
        if self.asked is not None:
            training = self.forest.training
            return grow_by_model(self.asked, tuple(columns), training, self.weight[training], pi=self.spec.pi)
        return self.grower.grow(explained.entries, explained.same(self.forest), columns)

    def counted_rows(self, explained: ExplainedRow, grown: list[GrownRule]) -> RuleRows:
        """Return the rows that rules are counted on, those of the forest first."""
        order = np.concatenate([self.forest.training, self.forest.held_out])
        score, score_name = _score(self.study, explained)
        return RuleRows(
            len(self.forest.training),
            explained.agrees(self.forest.decided)[order],
            None if self.study.sample_weight is None else self.weight[order],
            tuple(self.forest.table.rows[order[:, None], one.columns] for one in grown),
            tuple(one.row_sdp.astype(np.float32) for one in grown),
            order,
            np.asarray(self.forest.decided, dtype=np.float64)[order],
            labels.names(self.study.classes),
            None if score is None else score[order],
            score_name,
        )

    def make(self, explained: ExplainedRow, grown: GrownRule, answer: str, proofs: ProofSearch | None) -> Rule:
        """Count a grown rule, prove it where that is asked for, and write it."""
        columns: list[int] = grown.columns.tolist()
        values = self.forest.table.rows[:, columns]
        inside = grown.box.inside(values)
        held_out = self.count(explained, inside, self.forest.held_out) if len(self.forest.held_out) else None
        return Rule(
            self._conditions(explained, grown, np.logical_or.reduce(np.isnan(values), axis=0)),
            answer,
            None if explained.position < 0 else explained.position,
            grown.sdp,
            grown.sdp_min,
            replace(self.count(explained, inside, self.forest.training), lower=np.nan, upper=np.nan),
            held_out,
            measure_box(grown.box, np.nanmin(values, axis=0), np.nanmax(values, axis=0)),
            NOT_ASKED if proofs is None else proofs.prove(columns, grown.box, inside),
            (explained.low, explained.high),
        )

    def count(self, explained: ExplainedRow, inside: Bools, part: Ints) -> RuleShare:
        """Count a rule on some of the study's rows."""
        agrees = explained.agrees(self.forest.decided)
        counts = count_rule(inside[part], agrees[part], self.weight[part])
        lower, upper = precision_interval(counts)
        return RuleShare(counts.n_rows, counts.n_inside, counts.coverage, counts.precision, lower, upper)

    def _conditions(self, explained: ExplainedRow, grown: GrownRule, gaps: Bools) -> tuple[Condition, ...]:
        box: SideBox = grown.box
        columns: list[int] = grown.columns.tolist()
        ends = zip(columns, box.lower.tolist(), box.upper.tolist(), box.missing.tolist(), gaps.tolist(), strict=True)
        return tuple(
            Condition(
                self.forest.table.columns[j],
                lower,
                upper,
                missing and can_miss,
                can_miss,
                float(explained.entries[j]),
                float(np.nanmin(self.forest.table.rows[:, j])),
                float(np.nanmax(self.forest.table.rows[:, j])),
            )
            for j, lower, upper, missing, can_miss in ends
        )


def _score(study: StudyBase, explained: ExplainedRow) -> tuple[Floats | None, str]:
    """Return the model's scores of the positive class of two, or of the class explained, and their name."""
    score, code = study._score, 1
    if study._scores is not None:
        code = int(explained.decided)
        score = study._scores[:, code]
    if score is None:
        return None, ""
    probable = bool(score.min() >= 0 and score.max() <= 1)
    return score, SUBJECTS["probability" if probable else "score"].format(labels.names(study.classes)[code])


@dataclass(frozen=True, eq=False)
class RuleGrower:
    """A forest and the options of its rules.

    Attributes
    ----------
    projected : ProjectedForest
    rows : ndarray of shape (n, p)
        Training rows, as the forest holds them.
    weight : ndarray of shape (n,)
        What they count.
    stressed : ndarray of shape (n,) or None
        The same for the forest; None where all count alike.
    options : SearchOptions
    seed : int
    """

    projected: ProjectedForest
    rows: Floats
    weight: Floats
    stressed: Floats | None
    options: SearchOptions
    seed: int

    def sdp(self, same: SameDecision, columns: list[int], rows: Floats) -> Floats:
        """Return how probable a decision is at some rows given these columns: shape (n_rows,)."""
        least = self.options.min_rows
        return shared_sdp(self.projected, rows, tuple(columns), same, weight=self.stressed, min_rows=least)[:, 0]

    def grow(self, own: Floats, same: SameDecision, columns: list[int]) -> GrownRule:
        """Grow the rule of a row (p,) in the columns of a sufficient set."""
        sdp, at = self.sdp(same, columns, np.concatenate([own[None], self.rows])), np.array(columns)
        grid, values = Grid.of_trees(self.projected.trees, at), self.rows[:, at]
        return grow_rule(
            at, grid, values, own[at], sdp[1:], float(sdp[0]), self.options.pi, self.weight, seed=self.seed
        )

    def smallest(self, own: Floats, same: SameDecision) -> Features:
        """Find the smallest sufficient set of a row (p,); () where none is."""
        return smallest_sufficient(self.projected, own, same, self.options, weight=self.stressed)
