"""The readings that make a sketch: ranges and levels, then quantiles where those leave them open, then sums."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, TypeVar

from tauscope.errors import InputError
from tauscope.study.chunks import Chunk
from tauscope.study.sketch_plan import (
    Asked,
    add_windows,
    begin_reading,
    make_plan,
    read_windows,
    settled,
    wanted_windows,
)
from tauscope.study.sketch_sums import Sums, sum_chunk
from tauscope.study.survey import Survey

T = TypeVar("T")


def sketch_chunks(chunks: Iterable[Chunk], asked: Asked, alpha: float, *, shown: bool) -> Sums:
    """Read chunks two or three times and return their sums.

    Parameters
    ----------
    chunks : iterable of Chunk
        Gives the same rows each time. The model is asked at the last reading, and once before about the first chunk.
    asked : Asked
    alpha : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 will stand for.
    shown : bool
        Whether bars show.

    Raises
    ------
    InputError
        For no rows, or chunks that do not go together.
    """
    surveys = (Survey.of(chunk) for chunk in _bar(chunks, "Reading ranges", shown))
    survey = _total(surveys, "A sketch needs at least one row; the chunks have none. See what filtered them.")
    wanted, windows = wanted_windows(survey, alpha), settled(survey)
    if windows is None:
        parts = (read_windows(chunk, wanted) for chunk in _bar(chunks, "Reading quantiles", shown))
        windows = reduce(add_windows, parts)
    begun = begin_reading(survey.y, next(iter(chunks)), asked)
    plan = make_plan(survey, windows, wanted, begun, asked.model_name, alpha)
    sums = (sum_chunk(chunk, plan) for chunk in _bar(chunks, "Summing", shown))
    found = _total(sums, CHANGED)
    if found.n_rows != survey.n_rows:
        raise InputError(CHANGED)
    return found


CHANGED = "Chunks must be the same at every reading; these were others the last time. Give a function that starts anew."


def plus(a: Any, b: Any) -> Any:
    """Return a + b."""
    return a + b


def _total(parts: Iterable[T], nothing: str) -> T:
    """Add parts up; refuse none."""
    found: T | None = None
    for part in parts:
        found = part if found is None else plus(found, part)
    if found is None:
        raise InputError(nothing)
    return found


def _bar(items: Iterable[T], doing: str, shown: bool) -> Iterable[T]:
    """Count chunks once they take two seconds; nobody knows how many there are."""
    if not shown:
        return items
    from tqdm.auto import tqdm

    return tqdm(items, desc=doing, unit="chunk", delay=2.0, leave=False)
