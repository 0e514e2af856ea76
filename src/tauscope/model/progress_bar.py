"""The one bar that long work shows, and where it is asked whether to stop."""

# tqdm ships no types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
Callback = Callable[[int, int], object]

DELAY = 2.0  # seconds of work before a bar shows

_shown: ContextVar[bool] = ContextVar("shown", default=True)


@contextmanager
def bars_shown(shown: bool) -> Generator[None]:
    """Say for the work inside whether its bars show."""
    before = _shown.set(shown)
    try:
        yield
    finally:
        _shown.reset(before)


def progress(items: Iterable[T], doing: str, total: int | None, unit: str, *, shown: bool = True) -> Iterable[T]:
    """Show a bar over items once they take two seconds; without a total it counts them."""
    return _tqdm(doing, total, unit, items) if shown and _shown.get() else items


class Bar:
    """A bar over counted work, which shows once it takes two seconds.

    Parameters
    ----------
    doing : str
    unit : str
        What is counted.
    shown : bool
        False leaves the callback alone.
    callback : callable or None
        Called as callback(done, total) after each step; something true stops the work.
    """

    def __init__(
        self,
        doing: str,
        *,
        unit: str = "row",
        shown: bool = True,
        callback: Callback | None = None,
    ) -> None:
        self._doing, self._unit, self._shown, self._callback = doing, unit, shown and _shown.get(), callback
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def update(self, done: int, total: int) -> bool:
        """Show how much of all is done; True where the callback wants to stop."""
        if self._shown:
            if self._bar is None:
                self._bar = _tqdm(self._doing, total, self._unit)
            self._bar.update(done - self._bar.n)
        return self._callback is not None and bool(self._callback(done, total))

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _tqdm(doing: str, total: int | None, unit: str, items: Any = None) -> Any:
    from tqdm.auto import tqdm

    scaled = unit == "row"
    return tqdm(items, desc=doing, total=total, unit=unit, unit_scale=scaled, delay=DELAY, leave=False)
