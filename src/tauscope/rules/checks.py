"""What a projected forest refuses: tables, groups and targets it cannot read, weights that leave nothing."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats
from tauscope.words import count

Subsets = Sequence[Sequence[int]]


def check_rows(X: Any) -> Floats:
    """Return rows as a table of numbers."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(f"Rows must be a table, shape (n_rows, n_columns); got shape {rows.shape}.")
    return rows


def check_groups(groups: Subsets | None, n_columns: int) -> tuple[tuple[int, ...], ...]:
    """Return groups that have each column once; None: each column alone."""
    if groups is None:
        return tuple((column,) for column in range(n_columns))
    named = [int(column) for group in groups for column in group]
    if sorted(named) != list(range(n_columns)):
        raise InputError(
            f"groups must have each of the columns 0 to {n_columns - 1} once, got {[list(g) for g in groups]}. Give a "
            "column that stands alone a group of its own."
        )
    return tuple(tuple(int(column) for column in group) for group in groups)


def read_target(y: Any, n: int, *, classifies: bool) -> tuple[Any, Floats]:
    """Return classes and codes, or None and numbers."""
    target = np.asarray(y)
    if target.shape != (n,):
        raise InputError(f"y must have one value for each of the {count(n, 'row')}, got shape {target.shape}.")
    if classifies:
        classes, codes = np.unique(target, return_inverse=True)
        values = codes.astype(np.float64)
    else:
        classes, values = None, target.astype(np.float64)
        if not np.isfinite(values).all():
            raise InputError("y must be finite numbers; some are missing or infinite. Leave those rows out.")
    if len(np.unique(values)) < 2:
        raise InputError(
            f"y must take at least two values; all {count(n, 'row')} have {target[0]!r}, and every subset of "
            "features would be "
            "sufficient. Give rows in which the decision differs."
        )
    return classes, values


def check_some_tree(n_trees: Any) -> None:
    """Refuse weights under which some question has no tree with a say."""
    if (n_trees == 0).any():
        raise InputError(
            "Under these weights no tree's cell has any weight for some row and subset. Give weights above zero near "
            "the explained row, or a larger min_rows."
        )
