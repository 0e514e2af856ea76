"""What was found for rows of a sparse matrix: each in the few columns it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
from scipy import sparse

from tauscope.boundary.space import Limits, Space
from tauscope.results.boundary.numbers import BoundaryNumbers
from tauscope.weights.arrays import Floats, Ints

OF_FEATURES = ("start", "rival", "point", "direction")
"""Fields of the records whose second axis, where they have one, is the features."""
Record = TypeVar("Record")


def take_columns(numbers: BoundaryNumbers, keep: Ints) -> BoundaryNumbers:
    """Take some of the columns, ascending, groups that change together as a whole."""
    place = {int(j): k for k, j in enumerate(keep)}
    kept = [(number, block) for number, block in enumerate(numbers.space.blocks) if block[0] in place]
    number_of = {number: k for k, (number, _) in enumerate(kept)}
    space = Space(
        numbers.space.metric,
        numbers.space.scale[keep],
        tuple(tuple(place[j] for j in block) for _, block in kept),
        numbers.space.integer[keep],
        fractional=tuple(place[j] for j in numbers.space.fractional if j in place),
    )
    columns = [numbers.columns[int(j)] for j in keep]
    limits = Limits(numbers.limits.lower[:, keep], numbers.limits.upper[:, keep], {})
    return replace(
        _of_columns(numbers, keep),
        columns=tuple(replace(column, block=number_of.get(column.block, -1)) for column in columns),
        space=space,
        limits=limits,
    )


def _of_columns(record: Record, keep: Ints) -> Record:
    if not is_dataclass(record) or isinstance(record, type):
        return record
    changes: dict[str, Any] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        if item.name in OF_FEATURES and value.ndim == 2:
            changes[item.name] = value[:, keep]
        elif is_dataclass(value) and item.name not in ("space", "limits", "options"):
            changes[item.name] = _of_columns(value, keep)
    return replace(record, **changes)


@dataclass(frozen=True, eq=False, kw_only=True)
class SparseNumbers(BoundaryNumbers):
    """What one run found for several rows of a sparse matrix.

    `columns` are those that any of the rows is about, in the matrix' order. Arrays of a row's features are in `parts`
    alone, each in columns of its own: `start`, `rival`, and the points and directions of `inspection` have none here.

    Attributes
    ----------
    parts : tuple of BoundaryNumbers
        Of one start each.
    places : tuple of ndarray
        Where among `columns` those of each part stand.
    """

    parts: tuple[BoundaryNumbers, ...]
    places: tuple[Ints, ...]

    def take(self, i: int) -> BoundaryNumbers:
        """Take one start as a record of its own, in its own columns."""
        return self.parts[i]

    def n_changed(self) -> Ints:
        """Count what differs between each start and its point."""
        return np.concatenate([part.n_changed() for part in self.parts])

    @cached_property
    def directions(self) -> pd.DataFrame:
        """The directions as sparse columns, a line a row; missing where nothing was found."""
        return self._frame([part.inspection.explanation.direction[0] for part in self.parts])

    @cached_property
    def points(self) -> pd.DataFrame:
        """The points as sparse columns, a line a row; missing where none was found."""
        return self._frame([part.inspection.point[0] for part in self.parts])

    def _frame(self, values: Sequence[Floats]) -> pd.DataFrame:
        everywhere = np.arange(len(self.columns))
        missing = [bool(np.isnan(one).any()) for one in values]
        places = [everywhere if lost else place for lost, place in zip(missing, self.places, strict=True)]
        stored = [np.full(len(everywhere), np.nan) if lost else one for lost, one in zip(missing, values, strict=True)]
        ends = np.concatenate([[0], np.cumsum([len(place) for place in places])])
        matrix = sparse.csr_array(
            (np.concatenate(stored), np.concatenate(places), ends), shape=(len(values), len(everywhere))
        )
        index = pd.Index(self.row, name="row")
        return pd.DataFrame.sparse.from_spmatrix(matrix, index=index, columns=list(self.feature_names))


def joined_parts(parts: Sequence[BoundaryNumbers], columns: Sequence[Ints], n_model_rows: int) -> SparseNumbers:
    """Put what was found for each row beside one another.

    Parameters
    ----------
    parts : sequence of BoundaryNumbers
        Of one start each.
    columns : sequence of ndarray
        Positions in the matrix of the columns of each.
    n_model_rows : int
    """
    every = np.unique(np.concatenate(columns))
    places = tuple(np.searchsorted(every, own) for own in columns)
    named = {
        int(j): column
        for part, own in zip(parts, columns, strict=True)
        for j, column in zip(own, part.columns, strict=True)
    }
    first = parts[0]
    inspection = replace(
        _stacked([part.inspection for part in parts]),
        n_model_rows=sum(part.inspection.n_model_rows for part in parts),
        spent=any(part.inspection.spent for part in parts),
    )
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "label", "lower")}
    none = np.empty((len(parts), 0))
    return SparseNumbers(
        columns=tuple(replace(named[int(j)], block=-1) for j in every),
        classes=first.classes,
        answer=first.answer,
        space=Space(first.space.metric, np.empty(0), (), np.empty(0, dtype=np.bool_)),
        limits=Limits(none, none, {}),
        start=none,
        rival=none,
        inspection=inspection,
        certificate=tuple(part.certificate[0] for part in parts),
        n_model_rows=n_model_rows,
        constrained=first.constrained,
        own_units=first.own_units,
        parts=tuple(parts),
        places=places,
        **arrays,
    )


def _stacked(records: Sequence[Record]) -> Record:
    """Join records of the engine along their first axis, without what is of features; the rest as in the first."""
    first = records[0]
    changes: dict[str, Any] = {}
    for item in fields(cast(Any, first)):
        values = [getattr(record, item.name) for record in records]
        if item.name in OF_FEATURES and values[0].ndim == 2:
            changes[item.name] = np.empty((len(records), 0))
        elif isinstance(values[0], np.ndarray):
            changes[item.name] = np.concatenate(values)
        elif is_dataclass(values[0]) and item.name != "options":
            changes[item.name] = _stacked(values)
        elif item.name == "projection":
            changes[item.name] = None
    return replace(cast(Any, first), **changes)
