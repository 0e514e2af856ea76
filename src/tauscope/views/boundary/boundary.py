"""The inspector of one row: what would flip its decision, how far away, a walk there, and features to lock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from tauscope.data.one_hot import switched_off
from tauscope.errors import InputError, TauscopeError
from tauscope.results.boundary.pictures import read_shape
from tauscope.results.boundary.text import edited_sentence
from tauscope.views.base import check_arguments
from tauscope.views.boundary.answer import Answers, answers_wire, numeric_bounds
from tauscope.views.boundary.columns import columns_by_name, row_values
from tauscope.views.boundary.edits import DecisionMessage, Edit, given_row, given_value
from tauscope.views.boundary.message import boundary_message, list_rows, row_table
from tauscope.views.boundary.still import boundary_pictures
from tauscope.views.boundary.table import boundary_table
from tauscope.views.boundary.texts import read_texts
from tauscope.views.boundary.traits import BoundaryTraits
from tauscope.views.bundle import bundle
from tauscope.views.error_words import plain_words
from tauscope.views.worker import Worker, every_now_and_then

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.row_decision import RowDecision
    from tauscope.results.boundary.spec import BoundarySpec

STATE = ("bounds", "edits", "fixed", "row", "target")


class BoundaryView(BoundaryTraits):
    """One row and the nearest point where the decision flips, side by side, with a way there to walk.

    Every trait can be observed, set and linked: setting `row` or `target` searches, in the kernel.

    Parameters
    ----------
    boundary : Boundary
        Shown first.
    shape : tuple of int, optional
        (height, width) or (height, width, channels), which the features are in C order: the row, its flip, the rival
        and the direction are shown as pictures too.
    text : str or sequence of str, optional
        The row's text, or one for each row of the study, where the features are words: its words are coloured by their
        weight in the direction, and those it has not are listed.
    **traits
        First values of the traits below.

    Attributes
    ----------
    row : int
        Position among the study's rows; −1 for values of their own.
    target : str
        Name of the class to flip to, where there are more than two; "" for the nearest of any.
    fixed : list of str
        Features that stay, in the next search.
    bounds : dict
        Name to [lowest, highest], either None for an open end; in the next search.
    edits : dict
        Name to a value in place of the row's own (a number, days, a level, an ISO date): the kernel answers what the
        model decides for the row as edited. Another row has none.
    inspect : int
        Raised by one to search from the row as edited, which becomes the row shown.
    search : int
        Raised by one to search again.
    stop : int
        Raised by one to stop what the kernel is at.
    query : dict
        {"filter": "all" | "errors", "text": str}: which rows the kernel lists, where they were too many to ship.
    message, rows, answer, path_values, pictures, decision, listed, progress : dict or bytes
        What is shown, as `tauscope.views.boundary.message`, `.answer_message` and `.edits` have it; not meant to
        be set.

    Raises
    ------
    InputError
        For a shape that does not account for every feature, features of levels with a shape, or a text that is none.
    traitlets.TraitError
        For a row, class or feature that is not there, bounds that are no two ends in order, or a value that the
        feature cannot have.
    """

    _esm, _css = bundle("boundary/boundary")
    result: Boundary

    def __init__(self, boundary: Boundary, *, shape: Any = None, text: Any = None, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self._worker, self._edit_worker = Worker(), Worker()
        self._model_lock = Lock()  # a model need not stand two threads
        self._table = row_table(boundary)
        self._columns = columns_by_name(boundary)
        self._shape = None if shape is None else read_shape(shape, boundary._numbers)
        self._texts = read_texts(text, boundary)
        message = boundary_message(boundary, self._table, kernel=not self._offline, shape=self._shape)
        target = self._target_name(boundary)
        answers = self._answers_wire(boundary, target)
        rows = self._table.bytes() if self._table is not None and message["rows_shipped"] else b""
        first = {
            "row": -1 if boundary.row is None else boundary.row,
            "target": target,
            "fixed": [str(name) for name in boundary._spec.fixed],
            "bounds": {name: list(ends) for name, ends in numeric_bounds(boundary._spec.bounds, self._columns).items()},
        }
        shown = {"message": message, "rows": rows, "answer": answers.message, "path_values": answers.path_values}
        super().__init__(boundary, **shown, pictures=answers.pictures, **(first | traits))
        self.observe(self._left, "row")
        self.observe(self._chosen, ["row", "target"])
        self.observe(self._edited, "edits")
        self.observe(self._inspect, "inspect")
        self.observe(self._search, "search")
        self.observe(self._stopped, "stop")
        self.observe(self._list, "query")
        self._chosen()
        if self.edits:
            self._edited()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return self._worker.busy or self._edit_worker.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has finished what this view requested, or some seconds have passed."""
        self._worker.wait(seconds)
        self._edit_worker.wait(seconds)

    @property
    def wanted(self) -> BoundarySpec:
        """The options of the search that the traits ask for."""
        return self._spec()

    @property
    def start_values(self) -> dict[str, Any]:
        """The values that are searched from, by feature."""
        return self._own_values(self.row)

    def check_offline(self) -> None:
        """Refuse a row, class, constraint or value that a saved page would have to ask a kernel about."""
        if self.edits:
            raise TauscopeError(
                "A saved page cannot ask the model about other values; got edits. Ask study.predict_row(row, values), "
                "or search from them: study.boundary(values)."
            )
        if not self._is_answered():
            raise TauscopeError(
                "A saved page shows the boundary that was searched; its traits ask for another. Search it first: "
                "study.boundary(row, fixed=…, bounds=…, target=…)."
            )

    def _is_answered(self) -> bool:
        """Whether the answer shown is of the traits."""
        answer = self._answers[0]
        wanted = (self.row, self.target, set(self.fixed), {name: tuple(ends) for name, ends in self.bounds.items()})
        return wanted == (answer["row"], answer["target"], set(answer["fixed"]), answer["bounds"])

    def _target_name(self, boundary: Boundary) -> str:
        """Name the class searched as the page does."""
        target, classes = boundary._spec.target, boundary._numbers.classes
        if target is None or len(classes) < 3:
            return ""
        if boundary.source is None:
            return str(target)
        return classes[list(boundary.source.classes).index(target)]

    def _label_of(self, target: str) -> Any:
        """Return the class as the study has it."""
        code = self.result._numbers.classes.index(target)
        return self.result._require_source().classes[code]

    def _spec(self) -> BoundarySpec:
        """Return the options of the search wanted: those of the result, with the traits' own."""
        spec = self.result._spec
        ranges = numeric_bounds(spec.bounds, self._columns)
        others = {name: ends for name, ends in (spec.bounds or {}).items() if name not in ranges}
        bounds = {**others, **{name: tuple(ends) for name, ends in self.bounds.items()}}
        target = spec.target
        if self._message["targets"]:
            target = self._label_of(self.target) if self.target else None
        return replace(spec, fixed=tuple(self.fixed), bounds=bounds or None, target=target)

    def _chosen(self, change: object = None) -> None:
        """Search what is chosen; what is shown already ends the search for another."""
        if not self._is_answered():
            self._search()
        elif self.progress:
            self._stopped()

    def _search(self, change: object = None) -> None:
        row = self.row
        self._begin(row, row if row >= 0 else self._own_values(row), edited=False)

    def _inspect(self, change: object = None) -> None:
        """Search from the row as edited."""
        edits = self.edits
        if edits:
            self._begin(-1, (self._own_values(self.row), self._given_values(edits)), edited=True)

    def _begin(self, row: int, start: Any, *, edited: bool) -> None:
        offline = self._message["offline"]
        if offline:
            self.progress = {"row": self.row, "doing": "", "n_model_rows": 0, "error": offline}
            return
        where = f"row {row:,}" if row >= 0 else "the values given"
        doing = f"Asking {self.result.model_name} about {where}"
        self._worker.stop()  # before anything is said of the new search, so that the one before adds nothing to it
        self.progress = {"row": row, "doing": doing, "n_model_rows": 0, "error": ""}
        self._worker.begin(partial(self._compute, row, start, self.target, self._spec(), edited, doing))

    def _compute(
        self,
        row: int,
        start: Any,
        target: str,
        spec: BoundarySpec,
        edited: bool,
        doing: str,
        stopped: Callable[[], bool],
    ) -> None:
        try:
            study = self.result._require_source()
            hook = self._progress_hook(row, doing, stopped)
            with self._model_lock:
                if edited:
                    own, values = start
                    off = switched_off(study._one_hot_groups, study.feature_names, own, values)
                    start = own | dict.fromkeys(off, 0) | values
                found: Boundary = study._boundary_from(start, spec, progress=False, callback=hook)
            if stopped():
                return
            answers = self._answers_wire(found, target)
            with self.hold_sync():
                self.result = found
                self.answer, self.path_values = cast(dict[str, Any], answers.message), answers.path_values
                self.pictures = answers.pictures
                if edited:
                    self.row, self.edits = row, {}
            self.progress = {}
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self.progress = {"row": row, "doing": "", "n_model_rows": 0, "error": plain_words(error)}

    def _answers_wire(self, boundary: Boundary, target: str) -> Answers:
        return answers_wire(boundary, target, shape=self._shape, text=self._texts.text_of(boundary))

    def _own_values(self, row: int) -> dict[str, Any]:
        """Return a row, or the values shown that are none, as a person would give it."""
        if row >= 0 and row != self.result.row:  # chosen, and not yet searched
            return given_row(self._columns, row_values(self.result._require_source(), row))
        numbers = self.result._numbers
        return given_row(self._columns, dict(zip(numbers.feature_names, numbers.start[0].tolist(), strict=True)))

    def _own_label(self, row: int) -> str:
        """Name what a row itself is decided as, whether or not it was searched yet."""
        if row < 0 or self._table is None:
            return self.result.predicted
        return self._message["labels"][int(self._table.predicted[row])]

    def _given_values(self, edits: Mapping[str, Edit]) -> dict[str, Any]:
        return {name: given_value(self._columns[name], value) for name, value in edits.items()}

    def _left(self, change: object = None) -> None:
        """Take back the values typed for another row."""
        self.edits = {}

    def _edited(self, change: object = None) -> None:
        """Ask the model about the row as edited."""
        row, edits = self.row, dict(self.edits)
        offline = self._message["offline"]
        if edits and not offline:
            self._edit_worker.stop()
            doing = f"Asking {self.result.model_name} about the row as edited"
            self.decision = cast(dict[str, Any], _decision(row, edits, doing=doing))
            self._edit_worker.begin(partial(self._decide, row, edits, tuple(self.fixed)))
            return
        self._edit_worker.stop()
        self.decision = cast(dict[str, Any], _decision(row, edits, error=offline)) if edits else {}

    def _decide(self, row: int, edits: dict[str, Edit], fixed: tuple[str, ...], stopped: Callable[[], bool]) -> None:
        try:
            locked = [name for name in edits if name in fixed]
            if locked:
                raise InputError(f"A locked feature keeps its value; {locked[0]!r} is locked. Unlock it first.")
            result = self.result
            study = result._require_source()
            values, start = self._given_values(edits), row if row >= 0 else self._own_values(row)
            with self._model_lock:
                if stopped():
                    return
                decided: RowDecision = study.predict_row(start, values, threshold=result._spec.threshold)
            own = self._own_label(row)
            sentence, flipped = edited_sentence(decided, len(edits), own), decided.label != own
            said = _decision(row, edits, sentence=sentence, flipped=flipped, n_model_rows=decided.n_model_rows)
            self._tell(said, stopped)
        except Exception as error:  # the user's model may raise anything; the page says it
            self._tell(_decision(row, edits, error=plain_words(error)), stopped)

    def _tell(self, decision: DecisionMessage, stopped: Callable[[], bool]) -> None:
        if not stopped():
            self.decision = cast(dict[str, Any], decision)

    def _progress_hook(self, row: int, doing: str, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
        """Make a hook that tells the page now and then how many rows the model was asked about."""

        def tell(done: int, total: int) -> None:
            self.progress = {"row": row, "doing": doing, "n_model_rows": done, "error": ""}

        return every_now_and_then(tell, stopped)

    def _stopped(self, change: object = None) -> None:
        self._worker.stop()
        self.progress = {}

    def _list(self, change: object = None) -> None:
        """Answer a query of rows that the page has not."""
        if self._table is not None and self.query:
            query = self.query
            labels = self._message["labels"]
            self.listed = cast(Any, list_rows(self._table, labels, query["filter"], query["text"]))

    def fallback(self) -> dict[str, str]:
        """Add the row, its flip and the rival as a table, and as pictures where they are images."""
        pictures = "" if self._shape is None else boundary_pictures(self.result, self._shape)
        return self._with_table(pictures + boundary_table(self.result))


def _decision(
    row: int,
    edits: dict[str, Edit],
    *,
    sentence: str = "",
    flipped: bool = False,
    n_model_rows: int = 0,
    doing: str = "",
    error: str = "",
) -> DecisionMessage:
    return {
        "row": row,
        "edits": edits,
        "sentence": sentence,
        "flipped": flipped,
        "n_model_rows": n_model_rows,
        "doing": doing,
        "error": error,
    }
