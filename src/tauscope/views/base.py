"""What the widgets have in common: a result they show, arguments and names they know, and words for other readers."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

import anywidget
import traitlets

from tauscope.errors import UnknownName
from tauscope.views.shared_stress import StressState, check_stress, unstressed

Bundle = tuple[dict[str, Any], dict[str, Any]]


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

    def __init__(self, result: Any, **state: Any) -> None:
        self.result = result
        super().__init__(**state)

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

    def open(self) -> None:
        """Open the line to a browser, unless the view is offline."""
        if not self._offline:
            super().open()

    def check_offline(self) -> None:
        """Refuse what cannot be shown without a kernel; a saved page tells nobody who can mend it."""

    def fallback(self) -> dict[str, str]:
        """Say what other readers than a browser can show, by media type: a few lines of text."""
        return {"text/plain": repr(self.result)}

    def _repr_mimebundle_(self, **kwargs: Any) -> Bundle | None:
        """Add to the widget what other readers can show."""
        bundled = cast(Bundle | None, super()._repr_mimebundle_(**kwargs))  # pyright: ignore[reportUnknownMemberType]
        if bundled is None:
            return None
        data, metadata = bundled
        return {**data, **self.fallback()}, metadata


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


def check_name(what: str, name: str, names: Sequence[str]) -> str:
    """Return a name that is there.

    Raises
    ------
    traitlets.TraitError
        Where it is not, with the nearest.
    """
    if name not in names:
        raise traitlets.TraitError(str(UnknownName.among(what, name, names)))
    return name


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
