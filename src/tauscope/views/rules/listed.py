"""The rows that come along with rules, to be listed: where they stand in the study, what is decided, their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.data.dates import to_dates
from tauscope.results.rules.columns import RuleColumn
from tauscope.views.wire import float32
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.results.rules.rows import RuleRows
    from tauscope.results.rules.rules import Rules

BUDGET = 4_000_000
"""Bytes of rows that a page takes along; of more rows it takes a sample."""


class RulesListedColumnMessage(TypedDict):
    """One feature of a rule; its values are numbers, codes of `levels`, or whole days since 1970 of dates."""

    name: str
    kind: Literal["number", "levels", "date", "duration"]
    whole: bool
    levels: list[str]


class RulesListedMessage(TypedDict):
    """How the rows listed are read; `classes` is empty for a regression, `score` "" where there is none.

    `n_study` are the rows there are, of which those in the buffers may be a sample.
    """

    columns: list[RulesListedColumnMessage]
    classes: list[str]
    score: str
    probability: bool
    n_study: int


class ListedRows(NamedTuple):
    """The traits of the list.

    Attributes
    ----------
    listed : RulesListedMessage
    places : bytes
        uint32 [row], in the order of the answer's buffers.
    decided, scores : bytes
        float32 [row]; scores empty where there are none.
    entries : bytes
        float32 [column][row].
    """

    listed: RulesListedMessage
    places: bytes
    decided: bytes
    scores: bytes
    entries: bytes


def sampled_rows(rows: RuleRows) -> Ints:
    """Draw the rows that fit the budget, in their order: those of the forest first; none where there is no rule."""
    n, n_rules = len(rows.agrees), len(rows.sdp)
    if not n_rules:
        return np.arange(0)
    n_axes = sum(values.shape[1] for values in rows.values)
    weights = 1 + (rows.weight is not None)  # those of a stress come later
    size = n * (n_axes + 1 + 4 * (weights + 3 + n_axes)) + 4 * n_rules * rows.n_training
    if size <= BUDGET:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, int(n * BUDGET / size), replace=False))


def listed_wire(result: Rules) -> ListedRows:
    """Fill the list of the rows that come along with rules.

    Parameters
    ----------
    result : Rules

    Returns
    -------
    ListedRows
    """
    rows, kept = result.rows, sampled_rows(result.rows)
    columns: dict[str, tuple[RuleColumn, Floats]] = {}
    for rule, values in zip(result, rows.values, strict=True):
        for axis, condition in enumerate(rule.conditions):
            columns.setdefault(condition.column.name, (condition.column, values[kept, axis]))
    message: RulesListedMessage = {
        "columns": [_column(column) for column, _ in columns.values()],
        "classes": list(rows.classes),
        "score": rows.score_name,
        "probability": rows.score_name.startswith("probability"),
        "n_study": len(rows.agrees),
    }
    scores = b"" if rows.score is None else float32(rows.score[kept])
    entries = b"".join(float32(_plain(column, values)) for column, values in columns.values())
    return ListedRows(
        message, rows.position[kept].astype("<u4").tobytes(), float32(rows.decided[kept]), scores, entries
    )


def _column(column: RuleColumn) -> RulesListedColumnMessage:
    return {"name": column.name, "kind": column.kind, "whole": column.integer, "levels": list(column.levels)}


def _plain(column: RuleColumn, values: Floats) -> Floats:
    """Write dates as whole days, which float32 tells apart."""
    if column.kind != "date":
        return values
    days = to_dates(values).astype("datetime64[D]")
    return np.where(np.isnat(days), np.nan, days.astype(np.int64).astype(np.float64))
