"""The table of rows: the study's rows in their own units, to search, sort, filter and choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import traitlets

from tauscope.errors import InputError
from tauscope.figures.still import html_table
from tauscope.results.formatting import number
from tauscope.results.workspace.table import RowTable
from tauscope.views.base import LinkedView, check_arguments, check_name, check_selection
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import BUDGET
from tauscope.views.shared_stress import StressState
from tauscope.views.wire import float32
from tauscope.views.worker import Worker
from tauscope.views.workspace.listing import Query, RowFilter, listing_of
from tauscope.views.workspace.sampled import SampledWire, sampled_wire
from tauscope.views.workspace.table_message import (
    MOST_COLUMNS,
    TableListedMessage,
    TableMessage,
    WeighedMessage,
    filters_of,
    listed_wire,
    table_message,
    table_size,
    weighed,
)
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import MISSING, count, quoted_level

STATE = ("descending", "display", "feature", "filter", "row", "search", "selection", "sort", "stress", "x", "y")
ASKED = ("descending", "display", "filter", "inside_rows", "search", "selection", "sort", "start", "stress")
DISPLAYS = ("table", "scatter")
MOST_ROWS, MOST_CELLS = 12, 12


class RowTableView(LinkedView):
    """The rows in their own units, of which only those in sight are in the page; a row to look at, and rows selected.

    Where the rows fit the page's budget the page searches, sorts and filters them by itself. Else the kernel does, and
    sends a window of rows at a time. The weights under the stress that linked views share come from the kernel.

    Parameters
    ----------
    table : RowTable
    budget : int, optional
        Bytes that the rows may take in the page; 4 MB by default.
    **traits
        First values of the traits below.

    Attributes
    ----------
    row : int
        Position of the row looked at, shared with other views; −1 for none.
    selection : list of int
        Positions of the rows selected, ascending; shared with other views.
    stress : dict
        {"taus": {feature: τ}, "hold": "none" | "means" | "uncorrelated"}, shared with other views by `tauscope.link`.
    search : str
        Rows that hold it: in a level's or a class's name, as the beginning of a date, as a number or as the row's own;
        "#17" is row 17 alone.
    filter : {"all", "errors", "near", "selected", "inside"}
        All rows, those misclassified, the 5 % whose score lies nearest to the threshold, those selected, or, in a
        workspace whose rules are open, those inside the rule shown there.
    sort : str
        Name of a column, "weight" or "weight under the stress"; "" for the study's order. Missing values come last.
    descending : bool
        Whether the largest come first.
    display : {"table", "scatter"}
        Whether the rows listed stand in a table or as points. The scatter draws at most 5,000 of them, a sample; a
        rectangle selects among all. Of rows that the kernel lists it draws 2,000, and selects among these alone.
    x, y : str
        What the scatter has across and up, named as in `sort`; "" for `feature`, and for the score or, of a
        regression, the error.
    feature : str
        Name of the column that is across where `x` names none; "" for the first feature. A workspace sets its own.
    message, entries, row_weights, inside, inside_rows, weighed, weighed_weights, start, choose, listed, window, \
    sampled, sample, sample_weights
        What is shown and asked; see `tauscope.views.workspace.table_message` and `.sampled`. Not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For a row, a column or a filter that is not there.
    """

    _esm, _css = bundle("workspace/table")
    result: RowTable

    row = traitlets.Int(-1, help="position of the row looked at").tag(sync=True, echo_update=False)
    selection = traitlets.List(traitlets.Int(), help="positions of the rows selected").tag(sync=True, echo_update=False)
    search = traitlets.Unicode("", help="what rows must hold").tag(sync=True, echo_update=False)
    filter = traitlets.Unicode("all", help="which rows are listed").tag(sync=True, echo_update=False)
    sort = traitlets.Unicode("", help="what they are sorted by").tag(sync=True, echo_update=False)
    descending = traitlets.Bool(False, help="whether the largest come first").tag(sync=True, echo_update=False)
    start = traitlets.Int(0, help="first row of the window that the kernel sends").tag(sync=True, echo_update=False)
    display = traitlets.Unicode("table", help="whether a table or a scatter is shown").tag(sync=True, echo_update=False)
    x = traitlets.Unicode("", help="what the scatter has across").tag(sync=True, echo_update=False)
    y = traitlets.Unicode("", help="what the scatter has up").tag(sync=True, echo_update=False)
    feature = traitlets.Unicode("", help="the column across where none was chosen").tag(sync=True)
    choose = traitlets.Int(0, help="raised by one to select all rows found, in the kernel").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as TableMessage").tag(sync=True)
    entries = traitlets.Bytes(help="the columns, each as its type says").tag(sync=True)
    row_weights = traitlets.Bytes(help="float32 [row]; empty where all count alike").tag(sync=True)
    inside = traitlets.Dict(help="the rule that rows can be inside of, as InsideMessage").tag(sync=True)
    inside_rows = traitlets.Bytes(help="uint32 [row], positions of the rows inside it").tag(sync=True)
    weighed = traitlets.Dict(help="the population under the stress, as WeighedMessage").tag(sync=True)
    weighed_weights = traitlets.Bytes(help="float32 [row], under the stress").tag(sync=True)
    listed = traitlets.Dict(help="the kernel's answer to a query, as TableListedMessage").tag(sync=True)
    window = traitlets.Bytes(help="the rows of the answer").tag(sync=True)
    sampled = traitlets.Dict(help="which rows the scatter draws, as SampledMessage").tag(sync=True)
    sample = traitlets.Bytes(help="these rows").tag(sync=True)
    sample_weights = traitlets.Bytes(help="float32 [row], of these under the stress").tag(sync=True)

    def __init__(self, table: RowTable, *, budget: int = BUDGET, **traits: Any) -> None:
        check_arguments(traits, (*STATE, "budget"))
        shown, notes = _first_columns(table)
        self._listing = listing_of(shown)
        self._worker = Worker()
        self._solved: tuple[WeighedMessage, Floats | None] | None = None
        shipped = table_size(self._listing) <= budget
        message = table_message(self._listing, notes, kernel=not self._offline, shipped=shipped)
        wire: dict[str, Any] = {"message": message}
        if shipped:
            wire["entries"] = b"".join(column.tobytes() for column in self._listing.columns)
            wire["row_weights"] = b"" if table.weight is None else float32(table.weight)
        super().__init__(table, **wire, **traits)
        self.observe(self._ask, ["stress"] if shipped else list(ASKED))
        self.observe(self._choose, "choose")
        self._ask()

    @property
    def shipped(self) -> bool:
        """Whether the page has the rows; else the kernel lists them."""
        return cast(TableMessage, self.message)["shipped"]

    @traitlets.validate("row")
    def _known_row(self, proposal: dict[str, Any]) -> int:
        row, n_rows = int(proposal["value"]), self.result.n_rows
        if not -1 <= row < n_rows:
            raise traitlets.TraitError(f"row must lie between 0 and {n_rows - 1:,}, or be -1 for none; got {row}.")
        return row

    @traitlets.validate("selection")
    def _known_selection(self, proposal: dict[str, Any]) -> list[int]:
        return check_selection(proposal["value"], self.result.n_rows)

    @traitlets.validate("filter")
    def _known_filter(self, proposal: dict[str, Any]) -> str:
        return check_name(
            "filter", proposal["value"], [*filters_of(self._listing), *(["inside"] if self.inside else [])]
        )

    def follow_rule(self, words: str, rows: Ints) -> None:
        """Offer the rows inside a rule as a filter; "" offers none any more."""
        with self.hold_sync():
            if not words and self.filter == "inside":
                self.filter = "all"
            self.inside = {"words": words} if words else {}
            self.inside_rows = rows.astype("<u4").tobytes()

    @property
    def _rows_inside(self) -> Ints:
        return np.frombuffer(self.inside_rows, "<u4").astype(np.intp)

    @traitlets.validate("display")
    def _known_display(self, proposal: dict[str, Any]) -> str:
        return check_name("display", proposal["value"], DISPLAYS)

    @traitlets.validate("feature")
    def _known_feature(self, proposal: dict[str, Any]) -> str:
        names = [column.name for column in self._listing.table.columns if column.role == "feature"]
        return check_name("feature", proposal["value"], ["", *names])

    @traitlets.validate("sort", "x", "y")
    def _known_column(self, proposal: dict[str, Any]) -> str:
        names = [column.name for column in self._listing.table.columns]
        return check_name(proposal["trait"].name, proposal["value"], ["", *names, *self._listing.weight_names])

    @traitlets.validate("start")
    def _known_start(self, proposal: dict[str, Any]) -> int:
        return max(0, int(proposal["value"]))

    @property
    def _query(self) -> Query:
        return Query(self.search, cast(RowFilter, self.filter), self.sort, self.descending)

    def _ask(self, change: object = None) -> None:
        """Weigh the rows under the present stress, and list them where the page cannot."""
        self._worker.stop()
        state = cast(StressState, self.stress)
        if self.shipped and not state["taus"]:
            return
        work = partial(self._answer, state, self._query, self.start, self.display, list(self.selection))
        if self._offline:
            work(lambda: False)
        else:
            self._worker.begin(work)

    def _answer(
        self,
        state: StressState,
        query: Query,
        start: int,
        display: str,
        selection: list[int],
        stopped: Callable[[], bool],
    ) -> None:
        known, after = self._weigh(state)
        if stopped():
            return
        listed = None if self.shipped else self._list(query, start, selection, state, after)
        drawn = None if self.shipped or display != "scatter" else self._draw(query, selection, state, after)
        if stopped():
            return
        with self.hold_sync():
            if known is not None:
                self.weighed_weights = b"" if after is None or not self.shipped else float32(after)
                self.weighed = known
            if listed is not None:
                self.window, self.listed = listed[1], cast(dict[str, Any], listed[0])
            if drawn is not None:
                self.sample, self.sample_weights = drawn.sample, drawn.sample_weights
                self.sampled = cast(dict[str, Any], drawn.sampled)

    def _list(
        self, query: Query, start: int, selection: list[int], state: StressState, after: Floats | None
    ) -> tuple[TableListedMessage, bytes]:
        return listed_wire(self._listing, query, start, selection, state, after, self._rows_inside)

    def _draw(self, query: Query, selection: list[int], state: StressState, after: Floats | None) -> SampledWire:
        return sampled_wire(self._listing, query, selection, state, after, self._rows_inside)

    def _weigh(self, state: StressState) -> tuple[dict[str, Any] | None, Floats | None]:
        """Return what a stress makes of the population, and its weights; those of the last one are kept."""
        if not state["taus"]:
            return None, None
        if self._solved is None or self._solved[0].get("stress") != state:
            self._solved = weighed(self.result, state)
        return cast(dict[str, Any], self._solved[0]), self._solved[1]

    @property
    def weight_names(self) -> tuple[str, str]:
        """What `sort` calls the weights as tested, and under the stress."""
        return self._listing.weight_names

    @property
    def after(self) -> Floats | None:
        """Weights under the present stress; None without one, or where it has none."""
        return self._weigh(cast(StressState, self.stress))[1]

    def found(self) -> Ints:
        """Return positions of the rows listed, in their order."""
        return self._listing.find(self._query, list(self.selection), self.after, self._rows_inside)

    def _choose(self, change: object = None) -> None:
        """Select all rows that are found, in the place of the page, which has not all of them."""
        solved = self._solved
        after = solved[1] if solved is not None and solved[0].get("stress") == self.stress else None
        self.selection = self._listing.find(self._query, list(self.selection), after, self._rows_inside).tolist()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has answered, or some seconds have passed."""
        self._worker.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        worker = getattr(self, "_worker", None)
        if worker is not None:
            worker.stop()
        super().close()

    def check_offline(self) -> None:
        """Refuse rows that a page cannot carry, and a stress it could not show."""
        if not self.shipped:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows, and these take "
                f"{table_size(self._listing) / 1e6:.1f} MB. Name fewer columns, study.table(features=[…]), or list a "
                "subgroup: study.where(…).table()."
            )
        error = self.weighed.get("error")
        if error:
            raise InputError(f"A saved page cannot open on this stress: {error}")

    def fallback(self) -> dict[str, str]:
        """Return the first rows as a table, and as text."""
        return {"text/plain": repr(self.result), "text/html": _first_rows(self.result)}


def _first_columns(table: RowTable) -> tuple[RowTable, tuple[str, ...]]:
    """Return the table with as many features as a page shows, and what is to be said of the others."""
    said = [column for column in table.columns if column.role != "feature"]
    features = [column for column in table.columns if column.role == "feature"]
    if len(features) <= MOST_COLUMNS:
        return table, table.notes
    note = f"The first {MOST_COLUMNS} of {count(len(features), 'feature')}; name others: study.table([…])."
    return replace(table, columns=(*said, *features[:MOST_COLUMNS])), (note,)


def _first_rows(table: RowTable) -> str:
    frame = table._some(slice(MOST_ROWS)).iloc[:, :MOST_CELLS]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    more = [f"and {count(table.n_rows - MOST_ROWS, 'more row')}, in .frame"] if table.n_rows > MOST_ROWS else []
    more += ["more columns, in .frame"] if len(table.columns) + 2 > MOST_CELLS else []
    return html_table(table._caption, [str(name) for name in frame.columns], rows, [*more, *table.notes])


def _cell(value: Any) -> str:
    return (
        number(float(value))
        if isinstance(value, int | float)
        else MISSING
        if value is None
        else quoted_level(str(value))
    )
