"""The one bar that long work shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from tauscope.prediction.stopping import steps

T = TypeVar("T")
Callback = Callable[[int, int], object]

DELAY = 2.0  # seconds of work before a bar shows


class Scope(NamedTuple):
    """Whether the bars of some work show, and those drawn, which end with it however it ends."""

    shown: bool
    bars: list[Bar]


_scope: ContextVar[Scope | None] = ContextVar("scope", default=None)


@contextmanager
def bars_shown(shown: bool) -> Generator[None]:
    """Say for the work inside whether its bars show; hushed work hushes all inside it."""
    before = _scope.get()
    scope = Scope(shown and (before is None or before.shown), [])
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)
        for bar in scope.bars:
            bar.close()


def progress(
    items: Iterable[T], doing: str, total: int | None, unit: str, *, shown: bool = True, at_once: bool = False
) -> Iterable[T]:
    """Show a bar over items, at once or as soon as they take two seconds; without a total it counts them."""
    items = steps(items)
    return _count(items, doing, total, unit, at_once) if shown and _are_shown() else items


def _count(items: Iterable[T], doing: str, total: int | None, unit: str, at_once: bool) -> Generator[T]:
    with Bar(doing, unit=unit, at_once=at_once) as bar:
        bar.update(0, total)
        for done, item in enumerate(items, 1):
            yield item
            bar.update(done, total)


def _are_shown() -> bool:
    scope = _scope.get()
    return scope is None or scope.shown


class Bar:
    """A bar over counted work, which is made once that has taken two seconds, and gone when it ends.

    Parameters
    ----------
    doing : str
    unit : str
        What is counted.
    shown : bool
        False leaves the callback alone.
    callback : callable or None
        Called as callback(done, total) after each step; something true stops the work.
    at_once : bool
        Whether it is made before the work has taken any time, as where it says what the work will take.
    """

    def __init__(
        self,
        doing: str,
        *,
        unit: str = "row",
        shown: bool = True,
        callback: Callback | None = None,
        at_once: bool = False,
    ) -> None:
        self._delay = 0.0 if at_once else DELAY
        self._doing, self._unit, self._shown, self._callback = doing, unit, shown and _are_shown(), callback
        self._begun = time.monotonic()
        self._drawn: Any = None

    def __enter__(self) -> Bar:
        self._begun = time.monotonic()
        return self

    def update(self, done: int, total: int | None) -> bool:
        """Show how much of all is done; True where the callback wants to stop."""
        if self._shown:
            self._draw(done, total)
        return self._callback is not None and total is not None and bool(self._callback(done, total))

    def _draw(self, done: int, total: int | None) -> None:
        seconds = time.monotonic() - self._begun
        if self._drawn is None:
            if seconds < self._delay:
                return
            from tauscope.model.drawn_bar import draw_bar

            self._drawn = draw_bar(self._doing, total, self._unit, seconds)
            scope = _scope.get()
            if scope is not None:
                scope.bars.append(self)
        self._drawn.update(done - self._drawn.n)

    def close(self) -> None:
        """Take the bar away; a second time does nothing."""
        if self._drawn is not None:
            self._drawn.close()
            self._drawn = None
        self._shown = False

    def __exit__(self, *error: object) -> None:
        self.close()
