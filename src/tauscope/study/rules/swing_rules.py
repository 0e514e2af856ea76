"""The verb `swing_rules`: the nearest values of a row's sufficient features under which its decision changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.results.rules.columns import whole_above
from tauscope.results.rules.spec import RulesOptions, RulesSpec
from tauscope.results.rules.swing_rules import Move, SwingRule, SwingRules
from tauscope.rules.decision import SameDecision
from tauscope.rules.rule import nearest_swing
from tauscope.study.rules.explained import ExplainedRow, answer_words, explained_row
from tauscope.study.rules.forest import study_forest, training_weight
from tauscope.study.rules.making import RuleMaker
from tauscope.study.rules.options import check_counts, check_names, search_options, settle_spec
from tauscope.study.rules.proofs import ProofSearch
from tauscope.study.rules.sufficient import explain
from tauscope.study.rules.table import study_points
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.results.rules.columns import Condition
    from tauscope.study.base import StudyBase


def swing_rules(
    self: StudyBase,
    row: Any,
    *,
    max_rules: int = 5,
    prove: bool = False,
    **options: Unpack[RulesOptions],
) -> SwingRules:
    """Find the nearest values of a row's sufficient features under which its decision would be another.

    For each minimal set, the row of the forest's that is nearest in its features, is decided otherwise, and whose
    decision is as probable as asked for; around it a rule is grown, as `rules` does around the row itself.

    Parameters
    ----------
    row : int, or new values
        A position among the study's rows; or a frame of one row, a series, a dict of all columns, or an array.
    max_rules : int, default 5
        Most minimal sets that are looked at.
    prove : bool, default False
        Whether to prove the rules, as `rules` does.
    **options
        As in `rules`: proof_budget, n_drawn; and as in `sufficient`: pi, t, n_features, features, groups, min_rows,
        search, probability, explained, n_estimators, held_out, random_state.

    Returns
    -------
    SwingRules
        A sequence of `SwingRule`, the nearest first, each with `.rule`, `.moved`, `.distance` and a sentence as its
        str; empty where no set reaches π, or no row is decided otherwise as surely.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `rules`.

    Notes
    -----
    Distances are Euclidean, each number in standard deviations of the forest's rows, another level or a value missing
    on one side 1. The nearest row decides which box is grown: the box of a row farther off may reach nearer.

    Examples
    --------
    >>> len(forest_study.swing_rules(0).swings)
    1
    """
    check_names(options, "max_rules", "prove")
    spec = settle_spec(self, RulesSpec(max_rules=max_rules, **options))
    check_counts(spec)
    own = explained_row(self, study_forest(self, spec), row, spec)
    maker = RuleMaker(self, study_forest(self, spec), spec)
    result, _ = explain(self, maker.forest, own, spec)
    found = [_swing(maker, own, list(one), prove) for one in result.minimal_sets[:max_rules]]
    swings = sorted((one for one in found if one is not None), key=lambda one: one.distance)
    return SwingRules(spec, result, _once(swings), source=self._as_source())


def _once(swings: Sequence[SwingRule]) -> tuple[SwingRule, ...]:
    """Keep the first of those that ask the same: two sets can lead to one box, where the others' values are open."""
    kept: dict[object, SwingRule] = {}
    for one in swings:
        asked = [(c.column.name, c.bounds, c.missing) for c in one.rule.conditions if not c.open]
        kept.setdefault((one.rule.decided, *sorted(asked)), one)
    return tuple(kept.values())


def _swing(maker: RuleMaker, own: ExplainedRow, columns: list[int], prove: bool) -> SwingRule | None:
    forest, weight = maker.forest, maker.weight[maker.forest.training]
    decided = maker.study.predicted[forest.training].astype(np.float64)
    scale = _scale(maker, columns)
    place = nearest_swing(
        np.where(np.isnan(own.entries[columns]), np.nan, 0.0),
        _from(maker, own, columns, maker.rows),
        _sdp_of_own(maker, own, columns, decided),
        ~own.agrees(decided),
        maker.spec.pi,
        scale,
        weight,
    )
    if place < 0:
        return None
    position = int(forest.training[place])
    point = study_points(maker.study, np.array([position]))[0]
    there = _decided(replace(own, position=position, point=point, entries=maker.rows[place]), float(decided[place]))
    proofs = ProofSearch(maker.study, forest, there, maker.spec) if prove else None
    rule = maker.make(there, maker.grow(there, columns), answer_words(maker.study, there), proofs)
    ends = zip(rule.conditions, own.entries[columns].tolist(), scale.tolist(), strict=True)
    return SwingRule(rule, tuple(_move(*one) for one in ends))


def _decided(row: ExplainedRow, decided: float) -> ExplainedRow:
    """Return a row with another decision, values counting as the same within as much of it as of the row's own."""
    shift = decided - row.decided
    return replace(row, decided=decided, low=row.low + shift, high=row.high + shift)


def _sdp_of_own(maker: RuleMaker, own: ExplainedRow, columns: list[int], decided: Floats) -> Floats:
    """Return at each training row the probability of its own decision; 0 where that is the explained row's."""
    sdp, others = np.zeros(len(decided)), ~own.agrees(decided)
    if maker.study._task != "regression":
        for label in np.unique(decided[others]).tolist():
            here = others & (decided == label)
            sdp[here] = maker.sdp(_decided(own, label), columns, maker.rows[here])
        return sdp
    same = SameDecision.between(decided[others] + (own.low - own.decided), decided[others] + (own.high - own.decided))
    min_rows, weight = search_options(maker.study, maker.spec).min_rows, training_weight(maker.study, maker.forest)
    own_rows = maker.rows[others]
    sdp[others] = maker.forest.projected.sdp(own_rows, [columns], same, weight=weight, min_rows=min_rows)[:, 0]
    return sdp


def _scale(maker: RuleMaker, columns: list[int]) -> Floats:
    """Return the unit of distance of each column: its standard deviation; 1 for levels and constants."""
    spread = np.nanstd(maker.rows[:, columns], axis=0)
    levels = [maker.forest.table.columns[j].kind == "levels" for j in columns]
    return np.where(np.array(levels) | ~(spread > 0), 1.0, spread)


def _from(maker: RuleMaker, own: ExplainedRow, columns: list[int], rows: Floats) -> Floats:
    """Return rows as differences from the explained one, of levels 1 where they are others; NaN where missing."""
    entries = own.entries[columns]
    values = rows[:, columns] - np.where(np.isnan(entries), 0.0, entries)
    for k, j in enumerate(columns):
        if maker.forest.table.columns[j].kind == "levels":
            values[:, k] = np.where(np.isnan(values[:, k]), np.nan, values[:, k] != 0)
    return values


def _move(condition: Condition, entry: float, scale: float) -> Move:
    if bool(condition.holds(np.array([entry]))[0]):
        return Move(condition, entry, 0.0, 0.0)
    if condition.column.kind == "levels" or np.isnan(entry) or condition.missing_only:
        return Move(condition, entry, np.nan, 1.0)
    lower, upper = condition.lower, condition.upper
    if condition.column.integer:
        lower, upper = whole_above(lower), np.floor(upper)
    gap = float(lower - entry if entry <= condition.lower else entry - upper)
    return Move(condition, entry, gap, gap / scale)
