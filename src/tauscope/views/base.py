"""What the widgets have in common: a result they show, arguments and names they know, and words for other readers."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import anywidget
import traitlets

from tauscope.results.names import unknown

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

    def __init__(self, result: Any, **state: Any) -> None:
        self.result = result
        super().__init__(**state)

    def _still(self) -> dict[str, str]:
        """Say what other readers than a browser can show, by media type: a few lines of text."""
        return {"text/plain": repr(self.result)}

    def _repr_mimebundle_(self, **kwargs: Any) -> Bundle | None:
        """Add to the widget what other readers can show."""
        bundled = cast(Bundle | None, super()._repr_mimebundle_(**kwargs))  # pyright: ignore[reportUnknownMemberType]
        if bundled is None:
            return None
        data, metadata = bundled
        return {**data, **self._still()}, metadata


def check_arguments(given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse an argument that a view does not know, and name the nearest; `layout` is known to all.

    Raises
    ------
    traitlets.TraitError
    """
    for name in given:
        if name != "layout":
            known_name("argument", name, known)


def known_name(what: str, name: str, names: Sequence[str]) -> str:
    """Return a name that is there.

    Raises
    ------
    traitlets.TraitError
        Where it is not, with the nearest.
    """
    if name not in names:
        raise traitlets.TraitError(unknown(what, name, names))
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
