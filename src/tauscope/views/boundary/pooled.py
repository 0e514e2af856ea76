"""The pooled boundary widget: which features carry many decisions, before and after the stress shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, cast

import traitlets

from tauscope.arguments import describe
from tauscope.errors import InputError, place_of
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.views.base import LinkedView, check_arguments, check_name, check_selection
from tauscope.views.boundary.pooled_message import MOST_ROWS, PooledMessage, pooled_answer, pooled_wire
from tauscope.views.boundary.pooled_rows import NoRows, pooling_words, rows_to_pool
from tauscope.views.boundary.pooled_table import pooled_table
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import BUDGET, ColumnsWire
from tauscope.views.error_words import plain_words
from tauscope.views.shared_stress import StressState
from tauscope.views.trait_errors import WrongTrait
from tauscope.views.worker import Worker, every_now_and_then

if TYPE_CHECKING:
    from tauscope.weights.arrays import Ints

STATE = ("n_features", "order", "row", "selection", "stress")
ORDERS = ("before", "now", "change")


class PooledProgressMessage(TypedDict):
    """What the kernel is `doing` and how many rows the model was asked about, or an `error`."""

    doing: str
    n_model_rows: int
    error: str


class PooledBoundaryView(LinkedView):
    """Pooled weights as bars before and after a stress, rows that have a feature and rows that do not apart.

    Where directions and rows fit the page's budget the page weighs and pools them by itself, without the kernel. Else
    the kernel does, and the page greys its last answer until the one for the present stress is there. Of sparse rows
    the 50 features that weigh most can be stressed.

    Parameters
    ----------
    result : PooledBoundary
    budget : int, optional
        Bytes that rows and directions may take in the page; 4 MB by default.
    columns : ColumnsWire, optional
        The study's columns, where the page has them already.
    **traits
        First values of `stress`, `order`, `n_features`, `row` and `selection`.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}, shared with other views by
        `tauscope.link`. Default unstressed.
    order : {"before", "now", "change"}
        What the bars are sorted by, the largest first: the weight before the stress, under it, or the change.
    n_features : int
        Most features shown. Default 20.
    row : int
        Position of the row chosen among those pooled, for views linked to this one; −1 for none. By default the first.
    selection : list of int
        Positions of the rows selected, ascending: followed, never set by this view. Where others are pooled the page
        says so, and offers to pool these.
    compute : int
        Raised by one to pool the rows selected; in a workspace, where none is, those misclassified. Of more than 200,
        200 are drawn.
    stop : int
        Raised by one to give that up.
    message, pooled, places, directions, presence, distances, decisions, given_rows, columns_message, columns, \
    row_weights, progress
        What is shown; see `tauscope.views.boundary.pooled_message`. Not meant to be set.
    answer, answer_pooled
        The kernel's answer to a stress, where the page does not pool itself.

    Raises
    ------
    traitlets.TraitError
        For an order that is none, fewer than one feature, a row that is not there, or a stress of another form.
    """

    _esm, _css = bundle("boundary/pooled")
    result: PooledBoundary

    order = traitlets.Unicode("before", help="what the bars are sorted by").tag(sync=True)
    n_features = traitlets.Int(20, help="most features shown").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as PooledMessage").tag(sync=True)
    pooled = traitlets.Bytes(help="float32 [part][value, lower, upper][feature]").tag(sync=True)
    places = traitlets.Bytes(help="uint32 [row]").tag(sync=True)
    directions = traitlets.Bytes(help="float32 [row][feature]").tag(sync=True)
    presence = traitlets.Bytes(help="uint8 [row][parted feature]").tag(sync=True)
    distances = traitlets.Bytes(help="float32 [row]").tag(sync=True)
    decisions = traitlets.Bytes(help="uint32 [row], places among the labels").tag(sync=True)
    given_rows = traitlets.Bytes(help="uint32 [row], those asked to be pooled").tag(sync=True)
    columns_message = traitlets.Dict(help="the features, as ColumnsMessage").tag(sync=True)
    columns = traitlets.Bytes(help="float32 [feature][row], standardised").tag(sync=True)
    row_weights = traitlets.Bytes(help="float32 [row]").tag(sync=True)
    row = traitlets.Int(-1, help="position of the row chosen").tag(sync=True, echo_update=False)
    selection = traitlets.List(traitlets.Int(), help="positions of the rows selected").tag(sync=True, echo_update=False)
    compute = traitlets.Int(0, help="raised by one to pool the rows selected").tag(sync=True, echo_update=False)
    stop = traitlets.Int(0, help="raised by one to give that up").tag(sync=True, echo_update=False)
    progress = traitlets.Dict(help="what the kernel is at, as PooledProgressMessage").tag(sync=True)
    answer = traitlets.Dict(help="the kernel's answer, as PooledAnswerMessage").tag(sync=True)
    answer_pooled = traitlets.Bytes(help="as pooled, of the answer").tag(sync=True)

    def __init__(
        self, result: PooledBoundary, *, budget: int = BUDGET, columns: ColumnsWire | None = None, **traits: Any
    ) -> None:
        check_arguments(traits, (*STATE, "budget", "columns"))
        if not isinstance(columns, ColumnsWire | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WrongTrait(f"columns must be those that a view of the study has, or None; got {describe(columns)}.")
        self._worker, self._pool_worker = Worker(), Worker()
        self._encoded = partial(
            pooled_wire, live=not self._offline, budget=budget, columns=columns, offers_errors=self._hosted
        )
        wire = self._encoded(result)
        first = int(result.boundaries._numbers.row[0]) if wire.message["n_rows"] else -1
        super().__init__(result, **wire._asdict(), **({"row": first} | traits))
        self.observe(self._on_stress, "stress")
        self.observe(self._pool, "compute")
        self.observe(self._stopped, "stop")
        self._on_stress()

    @property
    def pooled_in_page(self) -> bool:
        """Whether the page has the rows; else the kernel answers."""
        return self._message["shipped"]

    @traitlets.validate("order")
    def _known_order(self, proposal: dict[str, Any]) -> str:
        return check_name("order", proposal["value"], ORDERS)

    @traitlets.validate("n_features")
    def _some_features(self, proposal: dict[str, Any]) -> int:
        if proposal["value"] < 1:
            raise traitlets.TraitError(f"n_features must be a number of bars, at least 1; got {proposal['value']}.")
        return proposal["value"]

    @traitlets.validate("row")
    def _known_row(self, proposal: dict[str, Any]) -> int:
        row, n_rows = proposal["value"], self._message["n_rows"]
        if not -1 <= row < n_rows:
            raise traitlets.TraitError(f"row must lie between 0 and {n_rows - 1:,}, or be -1 for none; got {row}.")
        return row

    @traitlets.validate("selection")
    def _known_selection(self, proposal: dict[str, Any]) -> list[int]:
        return check_selection(proposal["value"], self._message["n_rows"])

    @property
    def _message(self) -> PooledMessage:
        return cast(PooledMessage, self.message)

    def _say(self, doing: str = "", n_model_rows: int = 0, error: str = "") -> None:
        said: PooledProgressMessage = {"doing": doing, "n_model_rows": n_model_rows, "error": error}
        self.progress = cast(dict[str, Any], said)

    def _stopped(self, change: object = None) -> None:
        self._pool_worker.stop()
        self.progress = {}

    def _pool(self, change: object = None) -> None:
        """Pool the rows selected, or where there is none those misclassified, beside the kernel's own work."""
        offline = self._message["offline"]
        if offline:
            self._say(error=offline)
            return
        self._pool_worker.stop()
        try:
            rows = rows_to_pool(self.result._require_source(), self.selection)
        except NoRows as error:
            self._say(error=plain_words(error))
            return
        doing = pooling_words(self.result.boundaries.model_name, len(rows))
        self._say(doing)
        self._pool_worker.begin(partial(self._compute, rows, doing))

    def _compute(self, rows: Ints, doing: str, stopped: Callable[[], bool]) -> None:
        try:
            result = self.result
            found: PooledBoundary = result._require_source()._pooled_boundary_from(
                rows,
                result.boundaries._spec,
                max_rows=MOST_ROWS,
                confidence=result.confidence,
                progress=False,
                callback=every_now_and_then(lambda done, total: self._say(doing, done), stopped),
            )
            if stopped():
                return
            wire = self._encoded(found)
            with self.hold_sync():
                self.result, self.answer, self.answer_pooled = found, {}, b""
                for name, value in wire._asdict().items():
                    setattr(self, name, value)
                self.progress = {}
            self._on_stress()
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self._say(error=plain_words(error))

    def _on_stress(self, change: object = None) -> None:
        """Answer the present stress where the page cannot; one that has been left is given up."""
        if self.pooled_in_page or self._message["unstressable"]:
            return
        state, result = cast(StressState, self.stress), self.result

        def work(stopped: Callable[[], bool]) -> None:
            message, pooled = pooled_answer(result, state)
            if not stopped() and result is self.result:
                with self.hold_sync():
                    self.answer, self.answer_pooled = cast(dict[str, Any], message), pooled

        if state["taus"]:
            self._worker.begin(work)
        else:
            self._worker.stop()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has finished what this view requested, or some seconds have passed."""
        self._pool_worker.wait(seconds)
        self._worker.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        for worker in (getattr(self, "_worker", None), getattr(self, "_pool_worker", None)):
            if worker is not None:
                worker.stop()
        super().close()

    def check_offline(self) -> None:
        """Refuse a stress that the page could not show."""
        taus: dict[str, float] = cast(StressState, self.stress)["taus"]
        if not taus:
            return
        if self._message["unstressable"]:
            raise InputError(f"A saved page cannot open on this stress: {self._message['unstressable']}")
        names = [feature["name"] for feature in cast(Any, self.columns_message)["features"]]
        for name in taus:
            place_of("feature", name, names)
        if not self.pooled_in_page:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows, and these take more: no stress "
                "can be shown in it. Pool the rows of a subgroup: study.where(…).pooled_boundary(…)."
            )

    def fallback(self) -> dict[str, str]:
        """Add the largest weights as a table."""
        return self._with_table(pooled_table(self.result))
