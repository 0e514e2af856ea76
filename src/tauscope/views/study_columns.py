"""The rows of a study, and its columns that a stress can move, made once for all its views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from tauscope.results.stress.columns import StressColumns

if TYPE_CHECKING:
    from tauscope.results.base import Study

_COLUMNS: WeakKeyDictionary[Study, dict[tuple[str, ...] | None, StressColumns]] = (
    WeakKeyDictionary()
)  # one study, many views


def in_memory(source: Study) -> bool:
    """Whether a study has its rows in memory, to be told apart; one in chunks has none to look at."""
    return hasattr(source, "X")


def columns_of(source: Study, features: Sequence[str] | None = None) -> StressColumns:
    """Return the features named, or every feature of a study that can be moved.

    Raises
    ------
    InputError
        Where there is none, one named cannot be moved, or the rows are not in memory.
    """
    key = None if features is None else tuple(features)
    known = _COLUMNS.setdefault(source, {})
    if key not in known:
        known[key] = source.joint_stress(None if key is None else list(key))._columns
    return known[key]
