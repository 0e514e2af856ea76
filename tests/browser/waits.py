"""How long the browser tests wait for what must come: long, since a wait that succeeds ends when it does."""

import time
from collections.abc import Callable
from typing import TypeVar

SECONDS = 120
MILLISECONDS = 1000 * SECONDS

T = TypeVar("T")


def ask_until(ask: Callable[[], T], agrees: Callable[[T], bool]) -> T:
    """Ask again until the answer agrees with what is shown, and return it."""
    deadline = time.monotonic() + SECONDS
    while not agrees(told := ask()):
        if time.monotonic() > deadline:
            raise AssertionError(f"the last answer was {told}")
    return told
