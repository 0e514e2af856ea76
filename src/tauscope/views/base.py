"""What the widgets have in common: a result they show, arguments and names they know, and words for other readers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from threading import RLock
from typing import Any, Self, cast
from weakref import WeakMethod, proxy

import anywidget
import ipywidgets
import traitlets
from comm import DummyComm

from tauscope.errors import UnknownName
from tauscope.figures.still import stand_in, with_picture
from tauscope.model.progress_bar import bars_shown
from tauscope.results.base import Result
from tauscope.views.boxes import VIEW, Bundle, show_boxes_with_stills
from tauscope.views.packing import pack_bytes
from tauscope.views.shared_stress import StressState, check_stress, unstressed
from tauscope.views.shown import DISPLAYS
from tauscope.views.trait_errors import WrongTrait, check_kind
from tauscope.views.worker import Worker
from tauscope.words import escape


class ResultView(anywidget.AnyWidget):
    """A widget that shows a result.

    Parameters
    ----------
    result : object
        What is shown; there before any trait is set or checked.
    **state
        First values of the traits.
    """

    _offline = False
    _hosted = False
    _own_layout: ipywidgets.Layout | None = None
    _outer: ResultView | None = None

    def __init__(self, result: Any, **state: Any) -> None:
        self._in_turn = RLock()
        self.result = result
        try:
            super().__init__(**state)
        except traitlets.TraitError as error:
            raise WrongTrait(str(error)) from None
        if self._has_line:
            show_boxes_with_stills()

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a trait; one that cannot be is said in our words."""
        try:
            check_kind(self, name, value)
            super().__setattr__(name, value)
        except traitlets.TraitError as error:
            raise WrongTrait(str(error)) from None

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Return the traits as they go to the page and into a saved notebook: buffers packed."""
        state = cast(dict[str, Any], cast(Any, super()).get_state(key, drop_defaults))
        return {name: pack_bytes(value) if isinstance(value, bytes) else value for name, value in state.items()}

    @classmethod
    def offline(cls, result: Any, **state: Any) -> Self:
        """Make a view that no front end is told of: its state can be read, as for a saved page.

        A widget that comes and goes within one call is closed before a browser has made it ready; JupyterLab then
        shows anywidget's "Failed to initialize model" two seconds later.

        Parameters
        ----------
        result : object
        **state
            As the view itself takes them.

        Returns
        -------
        ResultView
            Of this class, without a comm.
        """
        view = cls.__new__(cls)
        view._offline = True
        view.__init__(result, **state)
        return view

    @classmethod
    def hosted(cls, result: Any, **state: Any) -> Self:
        """Make a view that lives inside another, which tells the front end of its traits and sets them.

        Parameters
        ----------
        result : object
        **state
            As the view itself takes them.

        Returns
        -------
        ResultView
            Of this class, without a comm, and with the kernel to ask.
        """
        view = cls.__new__(cls)
        view._hosted = True
        view.__init__(result, **state)
        return view

    @property
    def _has_line(self) -> bool:
        """Whether a front end is told of this view itself."""
        return not (self._offline or self._hosted)

    @traitlets.default("layout")
    def _share_the_row(self) -> ipywidgets.Layout:
        """Take as much of a row as the widgets beside it; a box gives one that asks for nothing 260 px."""
        self._own_layout = ipywidgets.Layout(flex="1 1 0", min_width="0")
        return self._own_layout

    def open(self) -> None:
        """Open the line to a browser, unless the view is offline or inside another."""
        if self._has_line:
            super().open()

    def _handle_msg(self, msg: dict[str, Any]) -> None:
        """Take what the page says; no bar shows in a notebook for work that the page waits for."""
        with bars_shown(False):
            super()._handle_msg(msg)

    @contextmanager
    def hold_sync(self) -> Generator[None]:
        """Send the traits set meanwhile as one message; those of a view inside another with that one's.

        Otherwise a page may draw between two of them, and find a message beside the numbers of another. What the page
        says waits meanwhile, and a worker while that is taken in: each would send what the other has begun.
        """
        with ExitStack() as held:
            if self._outer is None:
                held.enter_context(self._in_turn)
            # a host may have taken this view in while its turn was waited for
            outer = self._outer
            held.enter_context(super().hold_sync() if outer is None else outer.hold_sync())  # pyright: ignore[reportUnknownMemberType]
            yield

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take in what the page says, in turn with what workers send."""
        with self._in_turn:
            cast(Any, super()).set_state(sync_data)

    def show_with_its_object(self) -> Self:
        """Live no longer than the object that shows itself by this, where there is no page.

        ipywidgets' registry and the comm hold every widget until it is closed, and with it a study and its rows.
        """
        if type(self.comm) is DummyComm:
            self._give_up_work()
            self.release()
        return self

    def hold(self) -> None:
        """Live until closed, as ipywidgets has it."""
        self._register(self._handle_msg, self)

    def release(self) -> None:
        """Live no longer than someone else holds this."""
        self._register(_calling_weakly(self._handle_msg), proxy(self))

    def _register(self, handle: Callable[[dict[str, Any]], None], view: Any) -> None:
        if self.comm is not None:
            self.comm.on_msg(handle)
            cast(Any, ipywidgets).widgets.widget._instances[cast(Any, self).model_id] = view

    def _give_up_work(self) -> None:
        """End the work that would be shown to nobody: it holds the rows as well."""
        for worker in [value for value in vars(self).values() if isinstance(value, Worker)]:
            worker.stop()
            worker.wait()

    def close(self) -> None:
        """Close the line to the browser, and the layout unless that was given."""
        if self._own_layout is not None:
            self._own_layout.close()  # pyright: ignore[reportUnknownMemberType]
        super().close()

    def check_offline(self) -> None:
        """Refuse what cannot be shown without a kernel; a saved page tells nobody who can mend it."""

    def fallback(self) -> dict[str, str]:
        """Say what other readers than a browser can show, by media type: text, a picture and a table."""
        return stand_in(self.result) if isinstance(self.result, Result) else {"text/plain": repr(self.result)}

    def _with_table(self, table: str) -> dict[str, str]:
        """Return the same with a table of the view's own, HTML."""
        return with_picture({**stand_in(self.result, ""), "text/html": table}, self.result.title)

    def still(self) -> str:
        """Return what is shown where scripts do not run, as HTML: of `fallback`, or its text where that is all."""
        words = self.fallback()
        return words.get("text/html") or f"<pre>{escape(words['text/plain'])}</pre>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Bundle | None:
        """Add to the widget what other readers can show."""
        bundled = cast(Bundle | None, super()._repr_mimebundle_(**kwargs))  # pyright: ignore[reportUnknownMemberType]
        if bundled is None:
            return None
        if type(self.comm) is not DummyComm:
            DISPLAYS.add(self)
        data, metadata = bundled
        return {**data, VIEW: {}, **self.fallback()}, metadata


def _calling_weakly(method: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """Return what calls a method as long as its object lives."""
    held = WeakMethod(method)

    def call(message: dict[str, Any]) -> None:
        if (there := held()) is not None:
            there(message)

    return call


class LinkedView(ResultView):
    """A view of a result under the stress that linked views share.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ}, "hold": "none" | "means" | "uncorrelated"}; unstressed at first. Its form is checked,
        not its features: a linked view of another study may have others, and the page says what it cannot show.
    """

    stress = traitlets.Dict(help="which features are moved, how far, and what stays").tag(sync=True, echo_update=False)

    @traitlets.default("stress")
    def _unstressed(self) -> StressState:
        return unstressed()

    @traitlets.validate("stress")
    def _check_stress(self, proposal: dict[str, Any]) -> StressState:
        return check_stress(proposal["value"])


def check_arguments(arguments: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse an argument that a view does not know, and name the nearest; `layout` is known to all.

    Raises
    ------
    traitlets.TraitError
    """
    for name in arguments:
        if name != "layout":
            check_name("argument", name, names)


def check_name(what: str, name: object, names: Sequence[str]) -> str:
    """Return a name that is there.

    Raises
    ------
    traitlets.TraitError
        Where it is not, with the nearest.
    """
    if not isinstance(name, str) or name not in names:  # a trait takes anything
        raise traitlets.TraitError(str(UnknownName.among(what, name, names)))
    return name


def check_selection(rows: Sequence[int], n_rows: int) -> list[int]:
    """Return positions that are there, ascending, each once.

    Raises
    ------
    traitlets.TraitError
        For another.
    """
    places = sorted(set(rows))
    if places and not 0 <= places[0] <= places[-1] < n_rows:
        wrong = places[0] if places[0] < 0 else places[-1]
        raise traitlets.TraitError(f"selection must be positions between 0 and {n_rows - 1:,}; got {wrong}.")
    return places


def tau_in_range(tau: float) -> float:
    """Return a τ in [-1, 1].

    Raises
    ------
    traitlets.TraitError
        For another.
    """
    if not -1 <= tau <= 1:
        raise traitlets.TraitError(f"tau must lie in [-1, 1]; got {tau:g}.")
    return tau
