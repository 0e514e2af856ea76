"""The state of the boundary view: traits, and what they may be."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from numbers import Real
from types import MappingProxyType
from typing import Any, TypedDict, cast

import traitlets

from tauscope.arguments import describe
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.views.base import ResultView, check_name
from tauscope.views.boundary.answer_message import BoundaryAnswerMessage
from tauscope.views.boundary.edits import Edit, checked_edits
from tauscope.views.boundary.message import BoundaryMessage

MOST = sys.float_info.max


class BoundaryProgressMessage(TypedDict):
    """What the kernel is `doing` for a row and how many rows the model was asked about, or an `error`."""

    row: int
    doing: str
    n_model_rows: int
    error: str


class BoundaryTraits(ResultView):
    """Traits of `BoundaryView`, each refused where it cannot be searched; see there."""

    _columns: Mapping[str, BoundaryColumn] = MappingProxyType({})

    row = traitlets.Int(help="position of the row inspected").tag(sync=True, echo_update=False)
    target = traitlets.Unicode(help="class to flip to").tag(sync=True, echo_update=False)
    fixed = traitlets.List(traitlets.Unicode(), help="features that stay").tag(sync=True, echo_update=False)
    bounds = traitlets.Dict(help="name to [lowest, highest]").tag(sync=True, echo_update=False)
    edits: Any = traitlets.Dict(help="name to another value than the row's").tag(sync=True, echo_update=False)
    inspect = traitlets.Int(0, help="raised by one to inspect the row as edited").tag(sync=True, echo_update=False)
    search = traitlets.Int(0, help="raised by one to search again").tag(sync=True, echo_update=False)
    stop = traitlets.Int(0, help="raised by one to stop the kernel's work").tag(sync=True, echo_update=False)
    query = traitlets.Dict(help="which rows are listed").tag(sync=True, echo_update=False)
    message = traitlets.Dict(help="what is shown, as BoundaryMessage").tag(sync=True)
    rows = traitlets.Bytes(help="float32 [predicted, truth, answer][row]").tag(sync=True)
    answer = traitlets.Dict(help="what was found, as BoundaryAnswersMessage").tag(sync=True)
    path_values = traitlets.Bytes(help="float32 [moving feature][step]").tag(sync=True)
    pictures = traitlets.Bytes(help="uint8, as BoundaryPicturesMessage").tag(sync=True)
    decision = traitlets.Dict(help="what is decided with the edits, as DecisionMessage").tag(sync=True)
    listed = traitlets.Dict(help="the rows listed, as BoundaryListedMessage").tag(sync=True)
    progress = traitlets.Dict(help="what the kernel is at, as BoundaryProgressMessage").tag(sync=True)

    @property
    def _message(self) -> BoundaryMessage:
        return cast(BoundaryMessage, self.message)

    @property
    def _answers(self) -> list[BoundaryAnswerMessage]:
        return cast(Any, self.answer)["answers"]

    @traitlets.validate("row")
    def _known_row(self, proposal: dict[str, Any]) -> int:
        row, n_rows = int(proposal["value"]), self._message["n_rows"]
        there = self._answers[0]["row"]
        if row != there and not 0 <= row < n_rows:
            last = f"lie between 0 and {n_rows - 1:,}" if n_rows else f"stay {there}, for there is no study"
            raise traitlets.TraitError(f"row must {last}; got {row}.")
        return row

    @traitlets.validate("target")
    def _known_target(self, proposal: dict[str, Any]) -> str:
        return check_name("class", proposal["value"], ["", *self._message["targets"]])

    @traitlets.validate("fixed")
    def _known_fixed(self, proposal: dict[str, Any]) -> list[str]:
        return [check_name("feature", name, sorted(self._columns)) for name in dict.fromkeys(proposal["value"])]

    @traitlets.validate("bounds")
    def _ends_in_order(self, proposal: dict[str, Any]) -> dict[str, list[float | None]]:
        given = cast(Mapping[str, Any], proposal["value"])
        return {
            check_name("feature", name, sorted(self._columns)): _checked_ends(self._columns[name], ends)
            for name, ends in given.items()
        }

    @traitlets.validate("edits")
    def _possible_edits(self, proposal: dict[str, Any]) -> dict[str, Edit]:
        return checked_edits(proposal["value"], self._columns)

    @traitlets.validate("query")
    def _known_query(self, proposal: dict[str, Any]) -> dict[str, str]:
        query = {"filter": "all", "text": ""} | dict(proposal["value"])
        check_name("filter", str(query["filter"]), ("all", "errors"))
        return {"filter": str(query["filter"]), "text": str(query["text"])}


def _checked_ends(column: BoundaryColumn, ends: Any) -> list[float | None]:
    """Return two ends, finite or None."""
    name = column.name
    if column.kind != "number" or column.held == "type":
        raise traitlets.TraitError(f"bounds here are of numbers; {name!r} has none. Add it to fixed to hold it.")
    if not isinstance(ends, list | tuple) or len(cast(Any, ends)) != 2:
        raise traitlets.TraitError(
            f"bounds of {name!r} must be two ends, [lowest, highest]; got {describe(cast(Any, ends))}."
        )
    low, high = (_checked_end(name, end) for end in cast(Any, ends))
    if low is not None and high is not None and low > high:
        raise traitlets.TraitError(f"bounds of {name!r} must be in order; got {low:g} above {high:g}.")
    return [low, high]


def _checked_end(name: str, end: Any) -> float | None:
    """Return an end that is a number, or None where it is open."""
    if end is None:
        return None
    if isinstance(end, bool) or not isinstance(end, Real) or end != end:
        raise traitlets.TraitError(f"bounds of {name!r} must be numbers, or None for an open end; got {describe(end)}.")
    return float(end) if abs(cast(float, end)) <= MOST else None
