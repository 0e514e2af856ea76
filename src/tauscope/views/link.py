"""One stress for several views, wherever they stand."""

from __future__ import annotations

from typing import Any, cast

import ipywidgets
import traitlets

from tauscope.errors import InputError, InputTypeError


class Link:
    """Views whose stress is one; made by `link`.

    Attributes
    ----------
    views : tuple of Widget
    """

    def __init__(self, views: tuple[ipywidgets.Widget, ...], links: tuple[Any, ...]) -> None:
        self.views = views
        self._links = links

    @property
    def linked(self) -> bool:
        """Whether the views still follow one another."""
        return bool(self._links)

    def unlink(self) -> None:
        """Let each view have a stress of its own again; a second time does nothing."""
        for trait_link in self._links:
            trait_link.unlink()
        self._links = ()

    def __repr__(self) -> str:
        names = ", ".join(type(view).__name__ for view in self.views)
        return f"Link of the stress of {names}{'' if self.linked else ' (unlinked)'}"


def link(first: ipywidgets.Widget, *others: ipywidgets.Widget) -> Link:
    """Link the stress of several views in the page, so that moving one moves all.

    The page does it without asking the kernel, so that it works at once, in Voila, and in a notebook saved with its
    widgets' state. Linked through the kernel, with ``ipywidgets.link((a, "stress"), (b, "stress"))``, each move takes
    a round trip.

    Parameters
    ----------
    first : Widget
        Its stress is the one they all start from.
    *others : Widget
        Anything with a trait `stress`: the widgets of this package, and a person's own.

    Returns
    -------
    Link
        `.unlink()` ends it.

    Raises
    ------
    InputTypeError
        For something without such a trait.
    InputError
        For one view alone, or one given twice.
    """
    views = (first, *others)
    for view in cast(tuple[Any, ...], views):
        if not isinstance(view, ipywidgets.Widget) or not view.has_trait("stress"):
            raise InputTypeError(
                f"A link is of widgets that have a stress; got {type(view).__name__}. Make one with .widget(): "
                "study.stress_curves().widget()."
            )
    if len(views) < 2:
        raise InputError("A link is of two views at least; got one. Try tauscope.link(curves_view, effect_view).")
    if len({id(view) for view in views}) != len(views):
        raise InputError("A link is of different views; one was given twice.")
    for view in others:
        try:
            view.set_trait("stress", cast(Any, first).stress)
        except traitlets.TraitError as error:
            raise InputError(f"{type(view).__name__} cannot take the present stress: {error}") from None
    jslink = cast(Any, ipywidgets).jslink
    links = tuple(jslink((first, "stress"), (view, "stress")) for view in others)
    return Link(views, links)
