"""The rules of a row as the page reads them: words and numbers, and the rows to count moved edges on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.rules.columns import Condition, RuleColumn, whole_above
from tauscope.results.rules.text import condition_words, few_words, proof_sentence, share_sentence
from tauscope.rules.grid import simplest_between
from tauscope.views.rules.answer_message import (
    ImportanceMessage,
    RuleAxisMessage,
    RuleMessage,
    RulesAnswerMessage,
    RuleShareMessage,
)
from tauscope.views.rules.distribution_message import distribution_wire, same_wire
from tauscope.views.rules.listed import sampled_rows
from tauscope.views.rules.subsets_message import subsets_wire
from tauscope.views.wire import finite, float32
from tauscope.weights.arrays import Floats
from tauscope.words import count, quoted_level

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule, RuleShare
    from tauscope.results.rules.rules import Rules


MOST_FEATURES = 12
"""Features whose importance is listed."""
VALUE_DIGITS, RANGE_DIGITS, ALL_DIGITS = 6, 4, 17
"""Significant digits of the row's own number, of the ends of a range, and of any number in full."""


class Answer(NamedTuple):
    """A message and its buffers.

    Attributes
    ----------
    message : RulesAnswerMessage
    cells : bytes
        uint8 [rule][axis][row].
    sdp : bytes
        float32 [rule][row of the forest].
    agrees : bytes
        uint8 [row].
    weights : bytes
        float32 [row]; empty where all count alike.
    """

    message: RulesAnswerMessage
    cells: bytes
    sdp: bytes
    agrees: bytes
    weights: bytes


def answer_wire(result: Rules) -> Answer:
    """Fill the message of rules.

    Parameters
    ----------
    result : Rules

    Returns
    -------
    Answer
    """
    explanation, rows = result.explanation, result.rows
    axes = [
        [find_cells(condition, values[:, axis]) for axis, condition in enumerate(rule.conditions)]
        for rule, values in zip(result, rows.values, strict=True)
    ]
    kept = sampled_rows(rows)
    n_training = int((kept < rows.n_training).sum())
    n = len(rows.agrees)
    message: RulesAnswerMessage = {
        "row": -1 if explanation.row is None else explanation.row,
        "pi": result._spec.pi,
        "answer": explanation._answer,
        "reached": explanation.status == "sufficient",
        "status": explanation.message,
        "rules": [_rule(rule, cells) for rule, cells in zip(result, axes, strict=True)],
        "more": _more_words(len(explanation.minimal) - len(result)) if len(result) else "",
        "importance": _importance(result),
        "subsets": subsets_wire(result),
        "same": same_wire(result),
        "distributions": [distribution_wire(one) for one in result.distributions],
        "notes": list(result.notes),
        "n_rows": len(kept),
        "n_training": n_training,
        "weighted": rows.weight is not None,
        "sampled": "" if len(kept) == n else f"Moved edges are counted on {count(len(kept), 'row')} drawn from {n:,}.",
    }
    cells = b"".join(one.of_rows[kept].tobytes() for rule in axes for one in rule)
    sdp = b"".join(float32(one[kept[:n_training]].astype(np.float64)) for one in rows.sdp)
    weights = b"" if rows.weight is None else float32(rows.weight[kept])
    return Answer(message, cells, sdp, rows.agrees[kept].astype(np.uint8).tobytes(), weights)


def _more_words(left: int) -> str:
    """Say that some sets have no rule here."""
    if not left:
        return ""
    return (
        f"{count(left, 'more minimal set suffices', 'more minimal sets suffice')}; max_rules says how many are shown."
    )


def _rule(rule: Rule, cells: list[Cells]) -> RuleMessage:
    return {
        "name": " + ".join(rule.features),
        "condition": condition_words(rule),
        "axes": [_axis(condition, one) for condition, one in zip(rule.conditions, cells, strict=True)],
        "sdp": rule.sdp,
        "sdp_min": rule.sdp_min,
        "training": share_message(rule.training),
        "held_out": None if rule.held_out is None else share_message(rule.held_out),
        "sentence": share_sentence(rule),
        "proof": proof_sentence(rule.proof) + few_words(rule),
        "proved": rule.proof.status,
    }


def _axis(condition: Condition, cells: Cells) -> RuleAxisMessage:
    column = condition.column
    levels = column.kind == "levels"
    whole = column.integer and column.kind == "number"
    low, high = condition.lowest, condition.highest
    return {
        "name": column.name,
        "kind": "levels" if levels else "number",
        "whole": whole,
        "movable": not levels or toggled(condition),
        "words": str(condition),
        "cuts": cells.cuts,
        "over": [column.label(whole_above(cut) if whole else cut) for cut in cells.cuts],
        "up_to": [column.label(np.floor(cut) if whole else cut) for cut in cells.cuts],
        "levels": [*map(quoted_level, column.levels)] if toggled(condition) else [],
        "inside": cells.inside,
        "missing": condition.missing,
        "can_miss": condition.can_miss,
        "value": finite(condition.entry),
        "value_words": _value_words(condition),
        "lowest": low,
        "highest": high,
        "lowest_words": "" if levels else _short(column, low, RANGE_DIGITS),
        "highest_words": "" if levels else _short(column, high, RANGE_DIGITS),
    }


def _value_words(condition: Condition) -> str:
    """Write the row's own entry in few digits, in more where those would put it outside of the rule."""
    column, entry = condition.column, condition.entry
    if column.kind == "levels" or np.isnan(entry):
        return column.label(entry)
    digits = (n for n in range(VALUE_DIGITS, ALL_DIGITS) if condition.holds(np.array([_rounded(entry, n)]))[0])
    return _short(column, entry, next(digits, ALL_DIGITS))


def _rounded(entry: float, digits: int) -> float:
    """Round to significant digits."""
    return float(f"{entry:.{digits}g}")


def _short(column: RuleColumn, entry: float, digits: int) -> str:
    """Write an entry, a number of many digits in a few."""
    exact = column.integer or column.kind in ("levels", "date") or np.isnan(entry)
    return column.label(entry if exact else _rounded(entry, digits))


def share_message(counted: RuleShare) -> RuleShareMessage:
    """Fill the message of rows counted."""
    return {
        "n_rows": counted.n_rows,
        "n_inside": counted.n_inside,
        "coverage": counted.coverage,
        "precision": finite(counted.precision),
        "lower": finite(counted.lower),
        "upper": finite(counted.upper),
    }


def _importance(result: Rules) -> list[ImportanceMessage]:
    shares = result.explanation.importance.dropna()
    named = zip(shares.index.tolist(), shares.tolist(), strict=True)
    listed: list[ImportanceMessage] = [{"name": str(name), "share": float(share)} for name, share in named if share > 0]
    return listed[:MOST_FEATURES]


MOST_CUTS = 200
"""Places on an axis, beside the rule's own two."""
MOST_LEVELS = 40
"""Levels that are toggled one by one; of more, cell 0 holds those of the rule and cell 1 the others."""
MISSING = 255


class Cells(NamedTuple):
    """An axis in cells.

    Attributes
    ----------
    cuts : list of float
        Ascending; cell c reaches from above cut c − 1 up to cut c. Empty for levels.
    inside : list of bool
        Of each cell, whether it is in the rule.
    of_rows : ndarray of uint8, shape (n,)
        `MISSING` where a row has no value.
    """

    cuts: list[float]
    inside: list[bool]
    of_rows: NDArray[np.uint8]


def find_cells(condition: Condition, values: Floats) -> Cells:
    """Cut the axis of a condition.

    Parameters
    ----------
    condition : Condition
    values : ndarray of shape (n,)
        Of the rows; codes of levels.

    Returns
    -------
    Cells
    """
    return _level_cells(condition, values) if condition.column.kind == "levels" else _number_cells(condition, values)


def toggled(condition: Condition) -> bool:
    """Tell whether there are few enough levels to be toggled one by one."""
    return len(condition.column.levels) <= MOST_LEVELS


def _level_cells(condition: Condition, values: Floats) -> Cells:
    codes = np.arange(len(condition.column.levels))
    within = (codes > condition.lower) & (codes <= condition.upper)
    missing = np.isnan(values)
    known = np.where(missing, 0, values).astype(np.int64)
    cells = known if toggled(condition) else np.where(within[known], 0, 1)
    inside: list[bool] = within.tolist() if toggled(condition) else [True, False]
    return Cells([], inside, np.where(missing, MISSING, cells).astype(np.uint8))


def _number_cells(condition: Condition, values: Floats) -> Cells:
    cuts = _cuts(condition, values)
    cells = np.where(np.isnan(values), MISSING, np.searchsorted(cuts, values, side="left"))
    ends = np.concatenate([cuts, [np.inf]])
    inside = (ends > condition.lower) & (ends <= condition.upper)
    return Cells(cuts, inside.tolist(), cells.astype(np.uint8))


def _cuts(condition: Condition, values: Floats) -> list[float]:
    """Return the rule's own ends, and short numbers between the values of rows that these leave together."""
    seen = np.unique(values[~np.isnan(values)])
    own = [end for end in (condition.lower, condition.upper) if math.isfinite(end)]
    taken = set(np.searchsorted(seen, own, side="right").tolist())
    places: list[int] = np.unique(np.linspace(0, max(len(seen) - 2, 0), MOST_CUTS).round().astype(np.int64)).tolist()
    between = [
        simplest_between(float(seen[place]), float(seen[place + 1]))
        for place in places
        if place + 1 < len(seen) and place + 1 not in taken
    ]
    return sorted({*own, *between})
