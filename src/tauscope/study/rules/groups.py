"""One-hot columns that count as one feature of rules: which they are, and the levels they stand for."""

# Groups come as a person has them.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from tauscope.data.one_hot import BETWEEN, NO_LEVEL, level_names, one_hot_codes
from tauscope.errors import InputError, InputTypeError
from tauscope.study.columns import column_positions
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.results.rules.spec import Groups
    from tauscope.study.base import StudyBase


def read_groups(study: StudyBase, groups: Any) -> Groups:
    """Read groups of one-hot columns, by name.

    Parameters
    ----------
    study : Study
    groups : mapping of names to columns, sequence of sequences of columns, or None
        A group without a name is called after what its columns' names begin with.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For columns that are not there or in two groups, that are not one-hot, or names that are taken.
    """
    if groups is None:
        return {}
    if isinstance(groups, str) or not isinstance(groups, Mapping | Sequence):
        raise InputTypeError(f"groups takes a dict from a name to its columns, or lists of columns; got {groups!r}.")
    named = groups.items() if isinstance(groups, Mapping) else ((None, one) for one in cast(Sequence[Any], groups))
    found: dict[str, tuple[str, ...]] = {}
    for name, given in named:
        columns = tuple(study.feature_names[j] for j in column_positions(study, given, "groups"))
        own = _common_name(columns) if name is None else str(name)
        if len(columns) < 2 or own in found:
            raise InputError(f"A group of columns has two at least and a name of its own; got {own!r}: {columns}.")
        one_hot_codes(own, _values(study, columns))
        found[own] = columns
    _check_names(study, found)
    return found


def spread_groups(groups: Groups, row: Any) -> Any:
    """Return a row with the columns of each group whose level it names; any other as it is."""
    if not isinstance(row, Mapping | pd.Series) or not any(name in row for name in groups):
        return row
    values = dict(cast(Mapping[Any, Any], row))
    for name, columns in groups.items():
        if name not in values or any(column in values for column in columns):
            continue
        level, levels = values.pop(name), level_names(name, columns)
        if level is not None and level not in (*levels, NO_LEVEL):
            raise InputError(f"The group {name!r} has the levels {list(levels)}; got {level!r}. Give one of them.")
        values |= {
            column: None if level is None else int(level == own) for column, own in zip(columns, levels, strict=True)
        }
    return values


def _values(study: StudyBase, columns: tuple[str, ...]) -> Floats:
    return np.column_stack([study._table_rows.column(study.feature_names.index(name)) for name in columns])


def _common_name(columns: tuple[str, ...]) -> str:
    n = next((i for i, letters in enumerate(zip(*columns, strict=False)) if len(set(letters)) > 1), 0)
    end = max(columns[0].rfind(sign, 0, n) for sign in BETWEEN)
    name = columns[0][: max(end, 0)].rstrip(BETWEEN)
    if not name:
        raise InputError(f"The columns {list(columns)} have no beginning in common. Give groups={{name: [columns]}}.")
    return name


def _check_names(study: StudyBase, groups: Groups) -> None:
    grouped = [column for columns in groups.values() for column in columns]
    twice = sorted({column for column in grouped if grouped.count(column) > 1})
    if twice:
        raise InputError(f"A column belongs to one group at most; {twice[:5]} are in several. Name each once.")
    taken = [name for name in groups if name in study.feature_names and name not in groups[name]]
    if taken:
        raise InputError(f"A group needs a name that no other column has; got {taken[0]!r}. Call it otherwise.")
