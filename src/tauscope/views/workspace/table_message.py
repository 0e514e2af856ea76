"""The table of rows as the message and the buffers of its view, and the kernel's answers to a stress and a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, TauscopeError
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.population import changes
from tauscope.results.workspace.row_column import Kind, Role
from tauscope.stress.outcomes import Task
from tauscope.views.shared_stress import StressState
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import Absent, AnsweredMessage, DoubtMessage, OrInfinity, distance_message, finite, float32
from tauscope.views.workspace.listing import FILTERS, Listing, Query, RowFilter, RowGroupMessage
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.workspace.row_column import RowColumn
    from tauscope.results.workspace.table import RowTable
    from tauscope.weights.arrays import Floats, Ints

NumberType = Literal["u1", "u2", "u4", "f4", "f8"]
MOST_COLUMNS = 60
"""Features that a page shows; beyond them a person names those to see."""
WINDOW = 200
"""Rows that the kernel sends at a time."""
NO_STUDY = "this table has left its study, and a stress weighs the study's rows"
NO_KERNEL = "this page has no kernel to weigh the rows under it"


class RowColumnMessage(TypedDict):
    """One column; `type` is how its values are written: codes of levels, the largest for missing, or floats."""

    name: str
    label: str
    role: Role
    kind: Kind
    levels: list[str]
    type: NumberType


class TableMessage(TypedDict):
    """What `RowTableView` carries besides its buffers.

    `weight_name` and `after_name` are what `sort` calls the weights. `filters` are those that say something of these
    rows; `near` is the distance from `threshold` within which the rows nearest to it lie. `shipped` tells whether
    the page has the rows; `ess` and `pareto_k` (null for ∞) are of the rows as tested. `offline` says why the page can
    show no other stress, "" where it can.
    """

    version: Literal[1]
    title: str
    model: str
    notes: list[str]
    n_rows: int
    columns: list[RowColumnMessage]
    weight_name: str
    after_name: str
    task: Task
    score_kind: Literal["share", "value"]
    threshold: float | None
    near: float | None
    filters: list[RowFilter]
    weighted: bool
    ess: float
    pareto_k: OrInfinity
    shipped: bool
    live: bool
    offline: str


class InsideMessage(TypedDict):
    """The rule that the filter "inside" is of, in words."""

    words: str


class WeighedMessage(AnsweredMessage, total=False):
    """The rows under one stress; `doubt` is what of the weights speaks against any number of theirs."""

    doubt: Annotated[DoubtMessage, Absent({"level": "reliable", "words": ""})]


class TableListedMessage(TypedDict):
    """The rows from `start` on of those that a query finds under a stress; `stressed` where it could be weighed."""

    search: str
    filter: RowFilter
    sort: str
    descending: bool
    start: int
    stress: StressState
    stressed: bool
    n: int
    n_sent: int
    found: RowGroupMessage
    selected: RowGroupMessage


def table_size(listing: Listing) -> int:
    """Return the bytes that the rows take in the page, the weights of a stress among them."""
    return sum(column.nbytes for column in listing.columns) + 8 * listing.table.n_rows


def filters_of(listing: Listing) -> list[RowFilter]:
    """Return the filters that say something of these rows."""
    silent: set[RowFilter] = {"inside"}  # offered while there is a rule to be inside of
    if listing.errors() is None:
        silent.add("errors")
    if listing.near is None:
        silent.add("near")
    return [each for each in FILTERS if each not in silent]


def table_message(listing: Listing, notes: tuple[str, ...], *, kernel: bool, shipped: bool) -> TableMessage:
    """Fill the message."""
    table = listing.table
    offline = NO_KERNEL if not kernel else NO_STUDY if table.source is None else ""
    return {
        "version": 1,
        "title": "Rows",
        "model": f"{table.model_name}, {count(table.n_rows, 'row')}",
        "notes": list(notes),
        "n_rows": table.n_rows,
        "columns": [_column(*each) for each in zip(table.columns, listing.columns, strict=True)],
        "weight_name": listing.weight_names[0],
        "after_name": listing.weight_names[1],
        "task": table.task,
        "score_kind": table.score_kind,
        "threshold": table.threshold,
        "near": listing.near,
        "filters": filters_of(listing),
        "weighted": table.weight is not None,
        "ess": float(table.n_rows) if table.weight is None else effective_size(table.weight),
        "pareto_k": finite(0.0 if table.weight is None else pareto_khat(table.weight)),
        "shipped": shipped,
        "live": not offline,
        "offline": offline,
    }


def _column(column: RowColumn, values: NDArray[Any]) -> RowColumnMessage:
    return {
        "name": column.name,
        "label": column.label,
        "role": column.role,
        "kind": column.kind,
        "levels": list(column.levels),
        "type": cast(NumberType, values.dtype.str[1:]),
    }


def weighed(table: RowTable, stress: StressState) -> tuple[WeighedMessage, Floats | None]:
    """Weigh the rows under a stress that moves something.

    Returns
    -------
    message : WeighedMessage
    after : ndarray of shape (n_rows,) or None
        None where there is no answer; the message says why.
    """
    try:
        if table.source is None:
            raise InputError(NO_STUDY)
        solved: Reweighting = solve_stress(table.source, columns_of(table.source), stress)
        after = solved._row_weights("a table under it")
    except TauscopeError as error:
        return {"stress": stress, "error": str(error)}, None
    judged = solved._judged
    message: WeighedMessage = {
        "stress": stress,
        "error": "",
        "words": changes(solved._terms, solved.values.tolist()),
        **distance_message(solved),
        "doubt": {"level": level_of(judged.reason), "words": judged.words},
    }
    return message, after


def listed_wire(
    listing: Listing,
    query: Query,
    start: int,
    selection: list[int],
    stress: StressState,
    after: Floats | None,
    inside: Ints | None = None,
) -> tuple[TableListedMessage, bytes]:
    """Answer a query; `inside` are the rows of the filter of that name.

    Returns
    -------
    message : TableListedMessage
    window : bytes
        Of the rows sent, one after the other: positions (uint32), weights and weights under the stress (float32, NaN
        without one), then each column as its `type` says.
    """
    found = listing.find(query, selection, after, () if inside is None else inside)
    rows = found[start : start + WINDOW]
    weight = listing.table.weight
    ones = np.ones(len(rows))
    message: TableListedMessage = {
        **query._asdict(),
        "start": start,
        "stress": stress,
        "stressed": after is not None,
        "n": len(found),
        "n_sent": len(rows),
        "found": listing.group(found, after),
        "selected": listing.group(selection, after),
    }  # pyright: ignore[reportAssignmentType]
    parts = [
        rows.astype("<u4").tobytes(),
        float32(ones if weight is None else weight[rows]),
        float32(np.nan * ones if after is None else after[rows]),
        *(column[rows].tobytes() for column in listing.columns),
    ]
    return message, b"".join(parts)
