"""Which columns an effect is of: names and positions as a person types them."""

# A feature is what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.errors import InputError, InputTypeError
from tauscope.study.columns import column_position

if TYPE_CHECKING:
    from tauscope.results.stress.natural_units import HasNames


def effect_positions(study: HasNames, feature: object) -> tuple[int, ...]:
    """Find the columns of one effect: one, or two that differ.

    Raises
    ------
    UnknownName
        For a column that is not there, with the nearest names.
    InputError, InputTypeError
        For anything else.
    """
    if isinstance(feature, str | int | np.integer) and not isinstance(feature, bool):
        return (column_position(study, feature),)
    if not isinstance(feature, Sequence) or isinstance(feature, bytes):
        raise InputTypeError(f"An effect is of one feature, by name or position, or of two; got {feature!r}.")
    positions = tuple(column_position(study, name) for name in feature)
    if len(positions) not in (1, 2) or len(set(positions)) != len(positions):
        raise InputError(f"An effect is of one feature or of two different ones; got {list(feature)!r}.")
    return positions
