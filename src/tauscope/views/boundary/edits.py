"""Values that a person types in place of the row's own: what they may be, and the model's answer to them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

import pandas as pd
import traitlets

from tauscope.arguments import describe
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.views.base import check_name

Edit = float | str
"""A number, in days for a duration; a level by name; an ISO date."""

MOST = {"number": sys.float_info.max, "duration": float(pd.Timedelta.max.days)}


class DecisionMessage(TypedDict):
    """What the model decides for `row` with the values `edits`: in a sentence, and whether it is another decision.

    `doing` says what the kernel is at, with the sentence of the answer before; `error` why there is no answer.
    """

    row: int
    edits: dict[str, Edit]
    sentence: str
    flipped: bool
    n_model_rows: int
    doing: str
    error: str


def checked_edits(given: Mapping[str, Any], columns: Mapping[str, BoundaryColumn]) -> dict[str, Edit]:
    """Return edits that their columns can hold; None takes one back.

    Raises
    ------
    traitlets.TraitError
        For a feature or level that is not there, no number, or no date.
    """
    checked: dict[str, Edit] = {}
    for name, value in given.items():
        check_name("feature", name, sorted(columns))
        if value is not None:
            checked[name] = _checked(columns[name], value)
    return checked


def _checked(column: BoundaryColumn, value: Any) -> Edit:
    if column.kind == "levels":
        return check_name(f"level of {column.name!r}", str(value), column.levels)
    if column.kind == "date":
        try:
            return datetime.fromisoformat(str(value)).isoformat()[:10]
        except ValueError:
            raise traitlets.TraitError(f"{column.name!r} holds dates, as '2024-12-31'; got {value!r}.") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST[column.kind]:
        raise traitlets.TraitError(f"{column.name!r} holds numbers; got {describe(value)}. Give a finite number.")
    return value


def given_value(column: BoundaryColumn, value: Edit) -> Any:
    """Return a checked edit as a person would give it to the study."""
    match column.kind:
        case "levels":
            return value == "True" if column.boolean else value
        case "date":
            return pd.Timestamp(value)
        case "duration":
            return pd.Timedelta(days=float(value))
        case "number":
            return int(value) if column.integer and float(value).is_integer() else float(value)


def given_row(columns: Mapping[str, BoundaryColumn], start: Mapping[str, float]) -> dict[str, Any]:
    """Return a point by feature as a person would give it to the study."""
    return {name: _own_value(columns[name], entry) for name, entry in start.items()}


def _own_value(column: BoundaryColumn, entry: float) -> Any:
    value = column.value(entry)
    return pd.Timedelta(days=value) if column.kind == "duration" and value is not None else value
