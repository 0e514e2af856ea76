"""Which columns a person means: names and positions as they are typed."""

# A feature is what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data.columns import numbered_place
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName

if TYPE_CHECKING:
    from tauscope.results.stress.numbers.natural_units import HasNames


def column_positions(study: HasNames, features: object, what: str) -> tuple[int, ...]:
    """Find several columns, each once.

    Raises
    ------
    UnknownName
        For a column that is not there, with the nearest names.
    InputError, InputTypeError
        For none, one named twice, or anything that is no name or position.
    """
    if isinstance(features, str | int | np.integer) and not isinstance(features, bool):
        return (column_position(study, features),)
    if not isinstance(features, Sequence) or isinstance(features, bytes):
        raise InputTypeError(f"{what} takes names or positions of columns; got {features!r}.")
    positions = tuple(column_position(study, name) for name in features)
    if not positions or len(set(positions)) != len(positions):
        raise InputError(f"{what} takes columns, each once and at least one; got {list(features)!r}.")
    return positions


def column_position(study: HasNames, feature: object) -> int:
    """Find one column."""
    names, columns = study.feature_names, getattr(study, "_columns", ())  # chunks have none, and are never sparse
    if isinstance(feature, str):
        places = columns.places if are_sparse(columns) else None
        if feature not in (places or names):
            raise UnknownName.among("column", feature, names)
        return places[feature] if places else names.index(feature)
    if isinstance(feature, int | np.integer) and not isinstance(feature, bool):
        return numbered_place(feature, names)
    raise InputTypeError(f"A feature is given by name or position; got {feature!r}. Try {names[0]!r}.")
