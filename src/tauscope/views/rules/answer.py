"""The rules of a row as the page reads them: words and numbers, and the rows to count moved edges on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tauscope.results.rules.columns import Condition, RuleColumn, whole_above
from tauscope.results.rules.text import condition_words, few_words, proof_sentence, share_sentence
from tauscope.views.rules.answer_message import (
    ImportanceMessage,
    RuleAxisMessage,
    RuleMessage,
    RulesAnswerMessage,
    RuleShareMessage,
)
from tauscope.views.rules.cells import Cells, find_cells, toggled
from tauscope.views.rules.distribution_message import distribution_wire, same_wire
from tauscope.views.rules.listed import sampled_rows
from tauscope.views.rules.subsets_message import subsets_wire
from tauscope.views.wire import finite, float32
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
