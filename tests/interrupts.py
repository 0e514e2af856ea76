"""A person's Ctrl-C at a chosen moment: the k-th function of the package that is entered while something runs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import pytest

import tauscope

PACKAGE = str(Path(tauscope.__file__).parent)

S = TypeVar("S")


@contextmanager
def interrupt_at(place: int) -> Iterator[list[int]]:
    """Raise KeyboardInterrupt at that function, from 1; yields a list that holds how many were entered."""
    entered = [0]

    def count(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        # a generator is also entered to be closed, where an error would be lost
        if event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_flags & CO_GENERATOR:
            entered[0] += 1
            if entered[0] == place:
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield entered
    finally:
        sys.setprofile(before)


def told(result: Any) -> str:
    """Return what a result says, as text: its table where it has one."""
    frame = getattr(result, "frame", None)
    return frame.to_csv() if isinstance(frame, pd.DataFrame) else repr(result)


def check_interrupts(new_study: Callable[[], S], ask: Callable[[S], object], moments: int = 4) -> None:
    """Interrupt a question at moments spread over its run: each ends it, and asked again the study answers it."""
    ask(new_study())  # what is made once in a process, such as caches, is made now
    study = new_study()
    with interrupt_at(0) as entered:
        result = ask(study)
    n, want = entered[0], told(result)
    for place in sorted({1 + k * (n - 1) // moments for k in range(moments)}):
        study = new_study()
        with pytest.raises(KeyboardInterrupt), interrupt_at(place):
            ask(study)
        assert told(ask(study)) == want
