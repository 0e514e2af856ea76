"""One stress, one row, and one selection of rows, for several views, wherever they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import ipywidgets
import traitlets

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.views.boxes import Bundle, box_bundle

SHARED = ("stress", "row", "selection")
"""Traits that mean the same in every view that has them."""


class Link:
    """Views whose stress, row or selection are one; made by `link`. Displayed, it shows them side by side.

    Attributes
    ----------
    views : tuple of Widget
    traits : tuple of str
        What they share: "stress", "row", "selection".
    """

    def __init__(self, views: tuple[ipywidgets.Widget, ...], traits: tuple[str, ...], links: tuple[Any, ...]) -> None:
        self.views = views
        self.traits = traits
        self._links = links

    @property
    def linked(self) -> bool:
        """Whether the views still follow one another."""
        return bool(self._links)

    def unlink(self) -> None:
        """Let each view have a stress, a row and a selection of its own again; a second time does nothing."""
        for trait_link in self._links:
            trait_link.unlink()
        self._links = ()

    @cached_property
    def _row(self) -> Any:
        """The views in a row, made once."""
        return ipywidgets.HBox(self.views)

    def _repr_mimebundle_(self, **kwargs: Any) -> Bundle:
        """Show the views side by side; where the kernel is gone, what stands in for each."""
        data, metadata = box_bundle(self._row, **kwargs)
        return {**data, "text/plain": f"{self!r}\n\n{data['text/plain']}"}, metadata

    def __repr__(self) -> str:
        names = ", ".join(type(view).__name__ for view in self.views)
        return f"Link of the {' and '.join(self.traits)} of {names}{'' if self.linked else ' (unlinked)'}"


def link(first: ipywidgets.Widget, *others: ipywidgets.Widget, traits: Sequence[str] | None = None) -> Link:
    """Link the stress, the row inspected or the rows selected of several views, so that moving one moves all.

    The page does it, without asking the kernel, so that it works at once, in Voila, and in a notebook saved with its
    widgets' state. Linked through the kernel, with ``ipywidgets.link((a, "stress"), (b, "stress"))``, each move takes
    a round trip.

    Parameters
    ----------
    first : Widget
        Its stress, row and selection are those all start from; what it does not have comes from the next that does.
    *others : Widget
        Anything with a trait `stress`, `row` or `selection`: the widgets of this package, and a person's own.
    traits : sequence of {"stress", "row", "selection"}, optional
        Which to link. By default each of the three that at least two of the views have: inspectors of two models' rows
        share `row`, curves and a pooled boundary `stress`, the rules of two models' rows also their `selection`.

    Returns
    -------
    Link
        Last in a cell it shows the views side by side, so that a slider and what it moves are seen together.
        `.unlink()` ends the link.

    Raises
    ------
    InputTypeError
        For something that has no such trait.
    InputError
        For one view alone, one given twice, one that shares nothing with the others, or a stress, row or selection
        that one of them cannot show.
    UnknownName
        For another trait.

    Examples
    --------
    >>> curves, effect = study.stress_curves(taus=5).widget(), study.effect("mean radius", grid=5).widget()
    >>> together = ts.link(curves, effect)
    """
    wanted = _check_traits(traits)
    views = (first, *others)
    _check_views(views, wanted)
    shared = {name: [view for view in views if view.has_trait(name)] for name in wanted}
    shared = {name: having for name, having in shared.items() if len(having) > 1}
    for view in views:
        if not any(view in having for having in shared.values()):
            raise InputError(
                f"A link is of views that share {_any_of(wanted)}; {type(view).__name__} shares none with the "
                "others. Link it with a view of its kind."
            )
    for name, having in shared.items():
        _start_alike(name, having)
    links = [ipywidgets.jslink((lead, name), (view, name)) for name, (lead, *rest) in shared.items() for view in rest]
    return Link(views, tuple(shared), tuple(links))


def _check_traits(traits: Sequence[str] | None) -> tuple[str, ...]:
    if traits is None:
        return SHARED
    names = (traits,) if isinstance(traits, str) else tuple(traits)
    for name in names:
        if name not in SHARED:
            raise UnknownName.among("trait", name, SHARED)
    if not names:
        raise InputError("traits names what is linked: 'stress', 'row' or 'selection'; got none. Leave it out for all.")
    return tuple(dict.fromkeys(names))


def _check_views(views: tuple[ipywidgets.Widget, ...], wanted: tuple[str, ...]) -> None:
    for view in cast(tuple[Any, ...], views):
        if not isinstance(view, ipywidgets.Widget) or not any(view.has_trait(name) for name in wanted):
            raise InputTypeError(
                f"A link is of widgets that have {_any_of(wanted)}; got {type(view).__name__}. Make one with "
                ".widget(): study.stress_curves().widget()."
            )
    if len(views) < 2:
        raise InputError("A link is of two views at least; got one. Try tauscope.link(curves_view, effect_view).")
    if len({id(view) for view in views}) != len(views):
        raise InputError("A link is of different views; one was given twice.")


def _any_of(names: tuple[str, ...]) -> str:
    """Write traits as alternatives: "a stress, a row or a selection"."""
    words = [f"a {name}" for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _start_alike(name: str, views: list[ipywidgets.Widget]) -> None:
    """Give all views the first one's value."""
    lead, *rest = views
    for view in rest:
        try:
            view.set_trait(name, getattr(lead, name))
        except traitlets.TraitError as error:
            raise InputError(f"{type(view).__name__} cannot take the present {name}: {error}") from None
