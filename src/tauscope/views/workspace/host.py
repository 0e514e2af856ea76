"""Views that live inside another widget: their traits are its traits, under a prefix or shared by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import traitlets

from tauscope.views.base import ResultView

OF_THE_HOST = frozenset(("layout", "comm", "tabbable", "tooltip"))
"""Synced traits that every widget has, which a view inside another does not need."""


def mirrored(name: str, trait: str) -> str:
    """Return the trait of a workspace that is `trait` of the view `name` in it."""
    return f"{name}__{trait}"


class Host(ResultView):
    """A widget with views inside it.

    The page draws each of them from traits of this one model, so that one script and one line to the kernel carry
    all, wherever widgets can be shown at all.
    """

    def __init__(self, result: Any, **traits: Any) -> None:
        self._inside: dict[str, ResultView] = {}
        super().__init__(result, **traits)

    @property
    def inside(self) -> Mapping[str, ResultView]:
        """The views opened so far, by name."""
        return dict(self._inside)

    def _host(self, name: str, view: ResultView, shared: Mapping[str, str]) -> None:
        """Take a view in: each of its synced traits becomes one of ours.

        Parameters
        ----------
        name : str
        view : ResultView
            Made by `hosted`.
        shared : mapping of its trait to ours
            Those that are no mirror, but the same for all views.
        """
        own = [
            trait
            for trait in cast(Any, view).traits(sync=True)
            if not (trait.startswith("_") or trait in OF_THE_HOST or trait in shared)
        ]
        # A view that a worker fills already waits with what it would set: between a copy and an observer it was lost.
        with view._in_turn, self.hold_sync():
            self.add_traits(
                **{mirrored(name, trait): traitlets.Any(getattr(view, trait)).tag(sync=True) for trait in own}
            )
            for trait in own:
                view.observe(_setter(self, mirrored(name, trait)), trait)
                self.observe(_setter(view, trait, back=(self, mirrored(name, trait))), mirrored(name, trait))
                self.set_trait(mirrored(name, trait), getattr(view, trait))
            view._outer = self
            self._inside[name] = view

    def _give_up_work(self) -> None:
        """Also of the views inside."""
        for view in self._inside.values():
            view._give_up_work()
        super()._give_up_work()

    def close(self) -> None:
        """Close the views inside, then this."""
        for view in getattr(self, "_inside", {}).values():
            view.layout.close()  # pyright: ignore[reportUnknownMemberType]
            view.close()
        super().close()


def _setter(of: ResultView, trait: str, back: tuple[ResultView, str] | None = None) -> Callable[[dict[str, Any]], None]:
    """Return what sets a trait to another's new value; what is refused goes `back` to the value there is."""

    def follow(change: dict[str, Any]) -> None:
        try:
            of.set_trait(trait, change["new"])
        except traitlets.TraitError:
            if back is None:
                raise
        if back is not None:
            back[0].set_trait(back[1], getattr(of, trait))

    return follow
