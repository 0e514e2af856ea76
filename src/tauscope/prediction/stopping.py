"""Long work asks at each of its steps whether it should stop, without being handed what would tell it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """Work was told to stop, between two of its steps."""


_stop: ContextVar[Callable[[], bool] | None] = ContextVar("stop", default=None)


@contextmanager
def stoppable(stopped: Callable[[], bool]) -> Generator[None]:
    """Have the work inside end at its next step once `stopped` says so, with `Stopped`."""
    token = _stop.set(stopped)
    try:
        yield
    finally:
        _stop.reset(token)


def step() -> None:
    """End the work under way here, if it was told to stop.

    Raises
    ------
    Stopped
    """
    stopped = _stop.get()
    if stopped is not None and stopped():
        raise Stopped


def steps(items: Iterable[T]) -> Iterator[T]:
    """Go through items, each a step at which the work can be stopped."""
    for item in items:
        step()
        yield item
