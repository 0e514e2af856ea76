"""The rows of a study, and its columns that a stress can move, made once for all its views."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from tauscope.results.base import Source
from tauscope.results.stress.columns import StressColumns

_COLUMNS: WeakKeyDictionary[Source, dict[tuple[str, ...] | None, StressColumns]] = (
    WeakKeyDictionary()
)  # one study, many views


def in_memory(source: Source) -> bool:
    """Whether a study has its rows in memory, to be told apart; one in chunks has none to look at."""
    return hasattr(source, "X")


def columns_of(source: Source, features: Sequence[str] | None = None) -> StressColumns:
    """Return the features named, or every feature of a study that can be moved.

    Raises
    ------
    InputError
        Where there is none, one named cannot be moved, or the rows are not in memory.
    """
    key = None if features is None else tuple(features)
    known = _COLUMNS.setdefault(source, {})
    if key not in known:
        known[key] = source.joint_stress(None if key is None else list(key)).columns
    return known[key]
