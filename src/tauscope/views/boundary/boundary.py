"""The inspector of one row: what would flip its decision, how far away, a walk there, and features to lock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from tauscope.errors import TauscopeError
from tauscope.views.base import check_arguments
from tauscope.views.boundary.answer import answers_wire, numeric_bounds
from tauscope.views.boundary.message import boundary_message, list_rows, row_table
from tauscope.views.boundary.table import boundary_table
from tauscope.views.boundary.traits import BoundaryTraits
from tauscope.views.bundle import bundle
from tauscope.views.worker import Worker

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.spec import BoundarySpec

STATE = ("bounds", "fixed", "row", "target")
PAUSE = 0.1  # seconds between two words on progress


class BoundaryView(BoundaryTraits):
    """One row and the nearest point where the decision flips, side by side, with a way there to walk.

    Every trait can be observed, set and linked: setting `row` or `target` searches, in the kernel.

    Parameters
    ----------
    boundary : Boundary
        Shown first.
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
    search : int
        Raised by one to search again.
    stop : int
        Raised by one to stop what the kernel is at.
    query : dict
        {"filter": "all" | "errors", "text": str}: which rows the kernel lists, where they were too many to ship.
    message, rows, answer, path_values, listed, progress : dict or bytes
        What is shown, as `tauscope.views.boundary.message` and `.answer_message` have it; not meant to
        be set.

    Raises
    ------
    traitlets.TraitError
        For a row, class or feature that is not there, or bounds that are no two ends in order.
    """

    _esm, _css = bundle("boundary/boundary")
    result: Boundary

    def __init__(self, boundary: Boundary, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self._worker = Worker()
        self._table = row_table(boundary)
        self._names = frozenset(boundary.feature_names)
        message = boundary_message(boundary, self._table, kernel=not self._offline)
        target = self._target_name(boundary)
        answers = answers_wire(boundary, target)
        rows = self._table.bytes() if self._table is not None and message["rows_shipped"] else b""
        first = {
            "row": -1 if boundary.row is None else boundary.row,
            "target": target,
            "fixed": [str(name) for name in boundary.spec.fixed],
            "bounds": {name: list(ends) for name, ends in numeric_bounds(boundary.spec.bounds).items()},
        }
        shown = {"message": message, "rows": rows, "answer": answers.message, "path_values": answers.path_values}
        super().__init__(boundary, **shown, **(first | traits))
        self.observe(self._chosen, ["row", "target"])
        self.observe(self._search, "search")
        self.observe(self._stopped, "stop")
        self.observe(self._list, "query")
        self._chosen()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return self._worker.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has finished what this view requested, or some seconds have passed."""
        self._worker.wait(seconds)

    def check_offline(self) -> None:
        """Refuse a row, class or constraint that a saved page would have to search for."""
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
        target, classes = boundary.spec.target, boundary.numbers.classes
        if target is None or len(classes) < 3:
            return ""
        if boundary.source is None:
            return str(target)
        return classes[list(cast(Any, boundary.source).classes).index(target)]

    def _label_of(self, target: str) -> Any:
        """Return the class as the study has it."""
        code = self.result.numbers.classes.index(target)
        return cast(Any, self.result.require_source()).classes[code]

    def _spec(self) -> BoundarySpec:
        """Return the options of the search wanted: those of the result, with the traits' own."""
        spec = self.result.spec
        ranges = numeric_bounds(spec.bounds)
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
        offline = self._message["offline"]
        if offline:
            self.progress = {"row": self.row, "doing": "", "n_model_rows": 0, "error": offline}
            return
        self._worker.begin(partial(self._compute, self.row, self.target, self._spec()))

    def _compute(self, row: int, target: str, spec: BoundarySpec, stopped: Callable[[], bool]) -> None:
        where = f"row {row:,}" if row >= 0 else "the values given"
        doing = f"Asking {self.result.model_name} about {where}"
        try:
            study = cast(Any, self.result.require_source())
            start = row if row >= 0 else self.result.value
            hook = self._progress_hook(row, doing, stopped)
            found: Boundary = study.boundary_from(start, spec, progress=False, callback=hook)
            if stopped():
                return
            answers = answers_wire(found, target)
            with self.hold_sync():
                self.result = found
                self.answer, self.path_values = cast(dict[str, Any], answers.message), answers.path_values
            self.progress = {}
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self.progress = {"row": row, "doing": "", "n_model_rows": 0, "error": str(error)}

    def _progress_hook(self, row: int, doing: str, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
        """Make a hook that tells the page now and then how many rows the model was asked about."""
        last_sent = 0.0
        self.progress = {"row": row, "doing": doing, "n_model_rows": 0, "error": ""}

        def update(done: int, total: int) -> bool:
            nonlocal last_sent
            now = time.monotonic()
            if now - last_sent > PAUSE and not stopped():
                last_sent = now
                self.progress = {"row": row, "doing": doing, "n_model_rows": int(done), "error": ""}
            return stopped()

        return update

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
        """Add the row, its flip and the rival as a table."""
        return {**super().fallback(), "text/html": boundary_table(self.result)}
