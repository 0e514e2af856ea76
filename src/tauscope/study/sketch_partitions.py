"""A sketch of a Dask DataFrame: the readings of `tauscope.study.sketching`, each a pass over the partitions."""

from dataclasses import replace
from typing import Any

from tauscope.errors import InputError
from tauscope.study.chunks import Reader
from tauscope.study.partitions import Partitions
from tauscope.study.sketch_plan import (
    Asked,
    Beginning,
    Intervals,
    Plan,
    Windows,
    add_windows,
    begin_reading,
    make_plan,
    read_windows,
    settled,
    wanted_windows,
)
from tauscope.study.sketch_sums import Sums, sum_chunk
from tauscope.study.sketching import plus
from tauscope.study.survey import Survey

Found = tuple[int, Survey]


def sketch_partitions(frame: Any, reader: Reader, asked: Asked, alpha: float) -> Sums:
    """Read a Dask DataFrame two or three times and return the sums over its rows.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    reader, asked, alpha
        As in `tauscope.study.sketching.sketch_chunks`.
    """
    parts = Partitions(frame)
    reader = replace(reader, names=reader.inputs(parts.names))
    found = parts.total(_survey, reader, plus=_join)
    if found is None:
        raise InputError("A sketch needs at least one row; the partitions have none. See what filtered them.")
    first, survey = found
    wanted, windows = wanted_windows(survey, alpha), settled(survey)
    if windows is None:
        windows = parts.total(_windows, reader, wanted, plus=add_windows)
    begun = parts.one(first, _begin, reader, survey.y, asked)
    assert windows is not None
    plan = make_plan(survey, windows, wanted, begun, asked.model_name, alpha)
    sums: Sums | None = parts.total(_sum, reader, plan, plus=plus)
    if sums is None or sums.n_rows != survey.n_rows:
        raise InputError("Partitions must give the same rows each time they are computed; use frame.persist() first.")
    return sums


def _survey(raw: Any, where: str, reader: Reader) -> Found | None:
    chunk = reader(raw, where)
    return None if chunk is None else (int(where.split()[1]), Survey.of(chunk))


def _join(a: Found, b: Found) -> Found:
    return min(a[0], b[0]), a[1] + b[1]


def _windows(raw: Any, where: str, reader: Reader, wanted: Intervals) -> Windows | None:
    chunk = reader(raw, where)
    return None if chunk is None else read_windows(chunk, wanted)


def _begin(raw: Any, where: str, reader: Reader, y: Any, asked: Asked) -> Beginning:
    chunk = reader(raw, where)
    assert chunk is not None
    return begin_reading(y, chunk, asked)


def _sum(raw: Any, where: str, reader: Reader, plan: Plan) -> Sums | None:
    chunk = reader(raw, where)
    if chunk is None:
        return None
    try:
        return sum_chunk(chunk, plan)
    except InputError as error:
        raise type(error)(f"In {where}: {error}") from error
