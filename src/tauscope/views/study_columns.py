"""The columns of a study that a stress can move, made once for all its views."""

from weakref import WeakKeyDictionary

from tauscope.results.base import Source
from tauscope.results.stress.columns import StressColumns

_COLUMNS: WeakKeyDictionary[Source, StressColumns] = WeakKeyDictionary()  # one study, many views


def columns_of(source: Source) -> StressColumns:
    """Return every feature of a study that can be moved.

    Raises
    ------
    InputError
        Where there is none, or the rows are not in memory.
    """
    if source not in _COLUMNS:
        _COLUMNS[source] = source.joint_stress().columns
    return _COLUMNS[source]
