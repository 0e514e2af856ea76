"""What becomes of rules under a stress: their boxes counted anew, with rows weighted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.errors import InputError
from tauscope.results.rules.rules_under import RulesUnder
from tauscope.rules.recount import FixedCells
from tauscope.study.rules.explained import ExplainedRow, explained_row
from tauscope.study.rules.forest import study_forest, training_weight
from tauscope.study.rules.making import RuleMaker
from tauscope.study.rules.options import search_options
from tauscope.study.rules.sufficient import check_projected
from tauscope.study.stress.reweight import stressed_weights
from tauscope.weights.arrays import Bools, Ints

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rules import Rules
    from tauscope.study.base import StudyBase

MOST_BYTES = 2**28
"""Memory for the cells of rules put under a stress, of one forest; the least recently used go first."""


def rules_under(self: StudyBase, rules: Rules, stress: Any, *, quantile: float = 0.05) -> RulesUnder:
    """Return what becomes of a row's rules under a stress; see `Rules.under`.

    Parameters
    ----------
    rules : Rules
        Of one of the study's rows.
    stress, quantile
        As in `under`.

    Raises
    ------
    InputError
        For rules of new values; else as `under`.
    """
    row = rules.explanation.row
    if row is None:
        raise InputError(
            "The rules of new values cannot be put under a stress later. Use study.under(stress).rules(values), or the "
            "rules of one of the study's rows."
        )
    check_projected(rules.explanation)
    moved = self._with_weights(stressed_weights(self, stress, quantile))
    forest = study_forest(moved, rules._spec)
    explained = explained_row(moved, forest, row, rules._spec)
    maker = RuleMaker(moved, forest, rules._spec)
    after = tuple(_recount(maker, explained, rule) for rule in rules)
    return RulesUnder(rules, after, maker.weight, source=self._as_source())


def _recount(maker: RuleMaker, explained: ExplainedRow, rule: Rule) -> Rule:
    forest = maker.forest
    names = [column.name for column in forest.table.columns]
    columns = [names.index(name) for name in rule.features]
    holds = [one.holds(forest.table.rows[:, j]) for one, j in zip(rule.conditions, columns, strict=True)]
    inside: Bools = np.logical_and.reduce(holds)
    own = forest.training[inside[forest.training]]
    cells = _fixed_cells(maker, explained, columns, own)
    counts = np.append(True, maker.weight[own] > 0)
    sdp = cells.sdp(forest.projected, explained.same(forest), counts, training_weight(maker.study, forest))
    return replace(
        rule,
        sdp=float(sdp[0]),
        sdp_min=float(sdp[1:].min(initial=float(sdp[0]))),
        training=replace(maker.count(explained, inside, forest.training), lower=np.nan, upper=np.nan),
        held_out=maker.count(explained, inside, forest.held_out) if len(forest.held_out) else None,
    )


def _fixed_cells(maker: RuleMaker, explained: ExplainedRow, columns: list[int], inside: Ints) -> FixedCells:
    """Return the cells of a row and of the forest's rows inside its rule: found once, and kept with the forest."""
    forest, min_rows = maker.forest, search_options(maker.study, maker.spec).min_rows
    key = (explained.entries.tobytes(), tuple(columns), inside.tobytes(), min_rows)
    cells = forest.recounted.pop(key, None)
    if cells is None:
        rows = np.concatenate([explained.entries[None], forest.table.rows[inside]])
        cells = FixedCells.find(forest.projected, rows, tuple(columns), min_rows)
    forest.recounted[key] = cells  # the last used last
    while len(forest.recounted) > 1 and sum(one.nbytes for one in tuple(forest.recounted.values())) > MOST_BYTES:
        forest.recounted.pop(next(iter(forest.recounted)), None)
    return cells
