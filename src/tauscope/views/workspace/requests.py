"""What the page asks of the kernel once: a page to save, lines of Python, scenarios side by side, rows to select."""

# Decided in docs/decisions/0005-what-the-page-asks-once-goes-by-a-message-of-its-own.md.

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict, cast

import traitlets

from tauscope.errors import InputError, TauscopeError
from tauscope.results.base import finite_records
from tauscope.results.stress.scenario import Scenario
from tauscope.views.error_words import error_words
from tauscope.views.stress.confusion_message import rows_in_place
from tauscope.views.wire import OrNaN
from tauscope.views.worker import Worker
from tauscope.views.workspace.code import code_of

if TYPE_CHECKING:
    from tauscope.views.workspace.workspace import Workspace


REQUEST, ANSWER = "tauscope:request", "tauscope:answer"
PAGE = "audit.html"
SHOWN = ("stress", "view", "feature", "row", "selection", "second_metric")
"""Traits that a request says as the page has them."""


class ScenarioMetricMessage(TypedDict):
    """A metric under one scenario, as a row of `ScenarioComparison.frame`."""

    scenario: str
    metric: str
    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    reliability: str
    note: str
    ess: float


class RequestAnswerMessage(TypedDict, total=False):
    """What the kernel answers a request by its `id`: text, or records of a comparison; a page's bytes are a buffer.

    `words` are of an error, as a person in Python would read it.
    """

    type: Required[str]
    id: Required[str]
    state: Required[Literal["done", "failed"]]
    words: Required[str]
    text: str
    name: str
    records: list[ScenarioMetricMessage]
    notes: list[str]


class Requests:
    """Answers what the page asks by a message of its own, which no saved state of the widget keeps.

    Parameters
    ----------
    workspace : Workspace
        Whose page asks; answers go to all its pages, and the one that asked knows them by the `id`.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._workers = {"page": Worker(), "compare": Worker()}

    def receive(self, widget: object, content: Any, buffers: object = None) -> None:
        """Take a message of the page; those of others are left to them."""
        request = dict(cast(Mapping[str, Any], content)) if isinstance(content, Mapping) else {}
        if request.get("type") != REQUEST:
            return
        what = request.get("what")
        self._take_over(request.get("state"))
        if what == "code":
            self._answer(request, self._code)
        elif what == "cell":
            self._answer(request, self._cell)
        elif what == "page":
            # what is on screen now, whatever is moved while the page is made
            state = saved_state(self._workspace)
            self._workers["page"].begin(lambda stopped: self._answer(request, partial(self._page, state)))
        elif what == "compare":
            self._workers["compare"].begin(lambda stopped: self._answer(request, self._compare))

    def wait(self, seconds: float | None = None) -> None:
        """Wait until what was asked is answered, or some seconds have passed."""
        for worker in self._workers.values():
            worker.wait(seconds)

    def stop(self) -> None:
        """Begin nothing any more."""
        for worker in self._workers.values():
            worker.stop()

    def _take_over(self, state: object) -> None:
        """Set what the page shows and has not told yet: its traits come by another way, some a moment later."""
        if not isinstance(state, Mapping):
            return
        for name, value in cast(Mapping[str, Any], state).items():
            if name not in SHOWN or getattr(self._workspace, name) == value:
                continue
            try:
                self._workspace.set_trait(name, value)
            except traitlets.TraitError:
                continue  # the trait itself is refused too, when it comes

    def _answer(self, request: Mapping[str, Any], make: Callable[[Mapping[str, Any]], tuple[Any, bytes]]) -> None:
        head = {"type": ANSWER, "id": str(request.get("id", ""))}
        try:
            fields, content = make(request)
        except TauscopeError as error:
            self._send({**head, "state": "failed", "words": str(error)})
        except Exception as error:  # the person's model may raise anything; the page says it
            self._send({**head, "state": "failed", "words": error_words(error)})
        else:
            self._send({**head, "state": "done", "words": "", **fields}, content)

    def _send(self, message: Mapping[str, Any], content: bytes = b"") -> None:
        if self._workspace.comm is not None:
            self._workspace.send(message, buffers=[content] if content else None)

    def _code(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        return {"text": code_of(self._workspace)}, b""

    def _cell(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Select the rows in a place of the confusion matrix, which the page has not."""
        joint: Any = self._workspace.inside["joint"]
        self._workspace.selection = rows_in_place(joint.result, int(request["place"])).tolist()
        return {}, b""

    def _page(self, state: Mapping[str, Any], request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / PAGE
            self._workspace.study.save(path, random_state=0, **state)
            return {"name": PAGE}, path.read_bytes()

    def _compare(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        scenarios = [_read(one) for one in cast(list[Any], request.get("scenarios", []))]
        compared = self._workspace.study.compare_scenarios(scenarios)
        return {"records": finite_records(compared.frame), "notes": list(compared.notes)}, b""


def _read(given: Any) -> Scenario:
    if not isinstance(given, Mapping):
        raise InputError("A scenario has a name, taus and a hold; the page sent none. Load the page again.")
    fields = cast(Mapping[str, Any], given)
    return Scenario(fields["name"], fields["taus"], fields["hold"])


OWN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "joint": ("metric",),
        "curves": ("metric", "rank_by", "within"),
        "effect": ("epsilon", "follow", "target_class"),
        "boundary": (),
        "pooled": ("order", "n_features"),
        "rules": ("rule",),
        "table": ("search", "filter", "sort", "descending", "display", "x", "y"),
        "thresholds": ("thresholds", "metric"),
        "calibration": ("group",),
        "worst_case": ("amount",),
        "models": (),
        "towards": ("amount",),
    }
)
"""Choices of each view that a page without a kernel can open on."""


def saved_state(workspace: Workspace) -> dict[str, Any]:
    """Return what `Study.save` is to be given for a page of what is on screen."""
    with workspace.hold_sync():  # a result and the choices in it are of the same groups
        return _state(workspace)


def _state(workspace: Workspace) -> dict[str, Any]:
    inside = workspace.inside
    opened = [name for name in OWN if name in inside and name not in ("joint", "curves")]
    shared = ("stress", "view", "feature", "row", "selection", "second_metric", "scenarios")
    results = {"curves": workspace.beside, **{name: _result(workspace, name) for name in opened}}
    return {
        "views": opened,
        "results": {name: result for name, result in results.items() if result is not None},
        "inside": {name: {trait: getattr(view, trait) for trait in OWN[name]} for name, view in inside.items()},
        **{trait: getattr(workspace, trait) for trait in shared},
        **({"by": cast(Any, inside["curves"]).grouping} if workspace.by else {}),
        "view": workspace.view if workspace.view in ("curves", "metrics", *opened) else "metrics",
    }


def _result(workspace: Workspace, name: str) -> Any:
    """Return what a view shows, where it is of the row or the feature chosen; else None, and it is computed anew."""
    view: Any = workspace.inside[name]
    if name == "effect":
        return view.shown
    if name not in ("boundary", "rules"):
        return view.result
    of_row = view.result.row if name == "boundary" else view.result.explanation.row
    return view.result if of_row == workspace.row else None
