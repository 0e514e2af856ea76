"""A pooled boundary as the message and the buffers of its view, and the kernel's answer to one stress."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Required, TypedDict, cast

import numpy as np

from tauscope.boundary.pooled import PooledDirection
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, TauscopeError
from tauscope.results.boundary.pooling import PooledRows, misclassified, pooled_rows, weight_of_starts
from tauscope.results.boundary.text import (
    FEW_POOLED,
    MOST_WOBBLE,
    POOLED_DOUBTS,
    SHORT_UNITS,
    PooledDoubt,
    drawn_notes,
    pooled_axis,
    pooled_interval,
)
from tauscope.results.reliability import degrees_of_freedom
from tauscope.results.stress.numbers.population import changes
from tauscope.views.columns_message import BUDGET, ColumnsMessage, ColumnsWire, columns_wire
from tauscope.views.shared_stress import StressState
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import (
    VALUES,
    Block,
    CarriersMessage,
    DistanceMessage,
    Layout,
    OrNaN,
    Reasons,
    carriers_message,
    distance_message,
    finite,
    float32,
    layout_of,
    reason_messages,
)
from tauscope.weights.carriers import NO_FEW, few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.boundary.pooled import PooledBoundary
    from tauscope.results.stress.columns import StressColumns
    from tauscope.weights.arrays import Floats, Ints

NO_STUDY = "This pooled boundary has left its study, and a stress weighs the study's rows."
NO_STUDY_TO_POOL = "This pooled boundary has left its study, whose rows are pooled."
NO_KERNEL = "This page has no kernel, which pooling other rows takes."
NO_MODEL = "The model was left behind when this was pickled, and pooling other rows asks it; see with_source."
MOST_ROWS = 200
"""Rows that a view pools of those selected: each costs the model about a thousand."""
NOT_LISTED = b"", b"", b"", b"", b""
MOST_SPARSE = 50
"""Features of sparse rows that a stress can move in the page."""
NEW_ROWS = "These are new rows; a stress weighs the study's."


Given = Literal["all", "errors", "rows", "new"]
"""What was asked to be pooled: all rows, those misclassified, some others, or rows that are not the study's."""


class PooledFactsMessage(TypedDict):
    """What is told of one pooling beside its weights; `wobble` is null where the directions cancel.

    `n` counts the rows pooled and `size` the effective ones; `df` is what their weights leave to Student's t; `share`
    is theirs of the population's weight, null for rows that are not the study's.
    """

    n: int
    size: float
    df: float
    share: float | None
    agreement: float
    wobble: OrNaN


class PooledPopulationMessage(DistanceMessage):
    """How far the population of all rows was moved."""

    carriers: CarriersMessage


class PooledMessage(TypedDict):
    """What `PooledBoundaryView` carries beside columns and buffers.

    `rows` says which rows were chosen, `n_chosen` of them, and `given` which kind these were drawn from, `n_given`
    of them; `n_rows` are the study's, 0 where there is none. `n_errors` are misclassified rows to be pooled where none
    is selected, 0 where that is not offered, and `max_rows` the most that are drawn of them. `labels` are the classes,
    `distance` what distances are in, "" for the rows' own units, `listed` whether the rows pooled came along. `parted`
    are positions of the features that weigh in a row without them; elsewhere the
    part of such rows is 0. `n_present` goes by feature. `interval` says what intervals cover,
    without a stress and under one. `doubts` says
    what speaks against a pooled direction, with the thresholds beside it. `unstressable` says why no stress can be
    shown, "" where one can. `shipped` tells whether the page pools by itself, `live` whether the kernel can be asked,
    `offline` why it cannot pool other rows.
    """

    version: Literal[1]
    title: str
    model: str
    axis: str
    rows: str
    n_rows: int
    n_chosen: int
    given: Given
    n_given: int
    n_errors: int
    max_rows: int
    labels: list[str]
    distance: str
    listed: bool
    features: list[str]
    n_present: list[int]
    parted: list[int]
    confidence: float
    interval: str
    interval_stressed: str
    notes: list[str]
    doubts: dict[PooledDoubt, str]
    most_wobble: float
    few: float
    facts: PooledFactsMessage
    population: PooledPopulationMessage
    weighted: bool
    shipped: bool
    live: bool
    offline: str
    unstressable: str
    reliability: Reasons
    layout: Layout


class PooledAnswerMessage(TypedDict, total=False):
    """The kernel's answer to one stress, named by it; `error` says why there is none."""

    stress: Required[StressState]
    error: Required[str]
    words: str
    facts: PooledFactsMessage
    population: PooledPopulationMessage


class PooledWire(NamedTuple):
    """What the view sends; the fields' names are those of its traits.

    Attributes
    ----------
    message : PooledMessage
    pooled : bytes
        Float32, as the message's `layout` says, of the study's weights; its parts are the direction, and what of it is
        of rows that have a feature and of rows that have not.
    places : bytes
        uint32 [row], which of the study's rows was pooled; this and the next four are empty where not listed.
    directions : bytes
        float32 [row][feature], each divided by its largest entry.
    presence : bytes
        uint8 [row][parted feature], 1 where the row has it.
    distances : bytes
        float32 [row], of the point found.
    decisions : bytes
        uint32 [row], place among the labels.
    given_rows : bytes
        uint32 [row], ascending, those asked to be pooled; empty for all and for new ones.
    columns_message, columns, row_weights
        See `tauscope.views.columns_message`.
    """

    message: PooledMessage
    pooled: bytes
    places: bytes
    directions: bytes
    presence: bytes
    distances: bytes
    decisions: bytes
    given_rows: bytes
    columns_message: ColumnsMessage | dict[str, object]
    columns: bytes
    row_weights: bytes


def _columns(result: PooledBoundary) -> StressColumns:
    """Return the features that a stress can move; of sparse rows those that weigh most."""
    source = result._require_source()
    if not are_sparse(source._columns):
        return columns_of(source)
    table, places = source._columns.table, source._columns.places
    weighs = result.frame["feature"][result.frame["direction"] != 0]
    moved = (name for name in weighs if table.lower[places[name]] < table.upper[places[name]])
    return columns_of(source, list(islice(moved, MOST_SPARSE)))


def unstressable(result: PooledBoundary) -> str:
    """Say why no stress can be shown; "" where one can."""
    if result.source is None:
        return NO_STUDY
    if result.n_new:
        return NEW_ROWS
    try:
        _columns(result)
    except InputError as error:  # no feature that can be moved
        return str(error)
    return ""


def pooled_wire(
    result: PooledBoundary,
    *,
    live: bool,
    budget: int = BUDGET,
    columns: ColumnsWire | None = None,
    offers_errors: bool = False,
) -> PooledWire:
    """Encode a result; its rows go along where directions and columns together fit the budget.

    Parameters
    ----------
    result : PooledBoundary
    live : bool
        Whether the page has a kernel.
    budget : int
        In bytes; directions go along alone where they fit it, and the columns do not.
    columns : ColumnsWire, optional
        Where the page has the study's columns already.
    offers_errors : bool, default False
        Whether the misclassified rows are pooled where none is selected.
    """
    rows = pooled_rows(result.boundaries)
    usable = rows.directions.usable
    parted = np.flatnonzero(rows.directions.weighs_absent())
    refused, source = unstressable(result), result.source
    extra = int(usable.sum()) * (12 + 4 * len(result.direction) + len(parted))
    listed = source is not None and not result.n_new and extra <= budget
    sent = ColumnsWire(cast(ColumnsMessage, {}), b"", b"")
    if source is not None and not refused:
        sent = columns or columns_wire(_columns(result), budget=budget, extra_bytes=extra)
    given, given_rows = _given(result)
    weight = None if source is None else source.sample_weight
    pooled = rows.pool(result.weight, result.confidence)
    message: PooledMessage = {
        "version": 1,
        "title": "Pooled boundary" + ("" if result.towards is None else f", towards {result.towards}"),
        "model": result.boundaries.model_name + (f", {count(source.n_rows, 'row')}" if source is not None else ""),
        "axis": pooled_axis(result),
        "rows": result.subset,
        "n_rows": 0 if source is None else source.n_rows,
        "n_chosen": len(result.boundaries),
        "given": given,
        "n_given": len(result._given),
        "n_errors": len(misclassified(source)) if offers_errors and source is not None else 0,
        "max_rows": MOST_ROWS,
        "labels": list(result.boundaries._numbers.classes),
        "distance": SHORT_UNITS[result.boundaries._numbers.measure],
        "listed": listed,
        "features": list(result.boundaries.feature_names),
        "n_present": result.n_present.tolist(),
        "parted": parted.tolist(),
        "confidence": result.confidence,
        "interval": pooled_interval(result.confidence, result.weighted),
        "interval_stressed": pooled_interval(result.confidence, True),
        "notes": [*result.boundaries.notes, *drawn_notes(result)],
        "doubts": dict(POOLED_DOUBTS),
        "most_wobble": MOST_WOBBLE,
        "few": FEW_POOLED,
        "facts": _facts(result, rows, result.weight, pooled, 0 if source is None else source.n_rows),
        "population": {
            "ess": float(result.n_rows if source is None else source.n_rows)
            if weight is None
            else effective_size(weight),
            "kl": 0.0,
            "tv": 0.0,
            "pareto_k": finite(0.0 if weight is None else pareto_khat(weight)),
            "carriers": carriers_message(NO_FEW if weight is None else few_carriers(weight)),
        },
        "weighted": result.weighted,
        "shipped": listed and sent.columns_message.get("shipped", False),
        "live": live,
        "offline": _offline_words(source, live),
        "unstressable": refused,
        "reliability": reason_messages(),
        "layout": layout_of([Block(VALUES, "part field feature", (3, 3, len(result.boundaries.feature_names)))]),
    }
    listing = _rows_wire(result, rows, parted) if listed else NOT_LISTED
    return PooledWire(message, pooled_bytes(pooled), *listing, given_rows, *sent)


def _rows_wire(result: PooledBoundary, rows: PooledRows, parted: Ints) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Encode the rows pooled: places, directions, presence, distances, decisions."""
    usable, numbers, table = rows.directions.usable, result.boundaries._numbers, rows.directions.table()
    return (
        numbers.row[usable].astype("<u4").tobytes(),
        float32(table.value[usable]),
        table.is_present[usable][:, parted].astype(np.uint8).tobytes(),
        float32(np.asarray(numbers.inspection.distance)[usable]),
        numbers.label[usable].astype("<u4").tobytes(),
    )


def _given(result: PooledBoundary) -> tuple[Given, bytes]:
    """Say what was asked to be pooled, and where these rows are."""
    rows, source = np.unique(result._given), result.source
    if result.n_new or source is None:
        return "new", b""
    if len(rows) == source.n_rows:
        return "all", b""
    return "errors" if np.array_equal(rows, misclassified(source)) else "rows", rows.astype("<u4").tobytes()


def _offline_words(source: Study | None, live: bool) -> str:
    """Say why no other rows can be pooled; "" where they can."""
    if source is None:
        return NO_STUDY_TO_POOL
    if not source._has_model:
        return NO_MODEL
    return "" if live else NO_KERNEL


def _facts(
    result: PooledBoundary, rows: PooledRows, weight: Floats, pooled: PooledDirection, n_rows: int
) -> PooledFactsMessage:
    used = np.where(rows.directions.usable, weight, 0.0)
    return {
        "n": pooled.n,
        "size": pooled.size,
        "df": degrees_of_freedom(used),
        "share": float(used.sum() / n_rows) if n_rows and not result.n_new else None,
        "agreement": pooled.agreement,
        "wobble": finite(pooled.wobble),
    }


def pooled_bytes(pooled: PooledDirection) -> bytes:
    """Write weights and the ends of their intervals, [direction, present, absent][value, lower, upper][feature]."""
    parts = (
        (pooled.direction, pooled.direction_ends),
        (pooled.present, pooled.present_ends),
        (pooled.absent, pooled.absent_ends),
    )
    return float32(np.concatenate([np.vstack([value, ends]) for value, ends in parts]))


def pooled_answer(result: PooledBoundary, stress: StressState) -> tuple[PooledAnswerMessage, bytes]:
    """Pool under a stress that moves something, in the kernel.

    Parameters
    ----------
    result : PooledBoundary
    stress : StressState

    Returns
    -------
    message : PooledAnswerMessage
    pooled : bytes
        As `PooledWire.pooled`; empty where there is no answer.
    """
    try:
        columns = _columns(result)
        solved = solve_stress(result._require_source(), columns, stress)
        weight = weight_of_starts(result.boundaries, solved._row_weights("a pooled boundary under it"))
        rows = pooled_rows(result.boundaries)
        pooled = rows.pool(weight, result.confidence)
    except TauscopeError as error:
        return {"stress": stress, "error": str(error)}, b""
    message: PooledAnswerMessage = {
        "stress": stress,
        "error": "",
        "words": changes(solved._terms, solved.values.tolist()),
        "facts": _facts(result, rows, weight, pooled, columns.n_rows),
        "population": {
            **distance_message(solved),
            "carriers": carriers_message(solved.carriers),
        },
    }
    return message, pooled_bytes(pooled)
