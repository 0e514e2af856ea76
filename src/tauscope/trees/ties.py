"""Values on the thresholds themselves: where a reader that took < for ≤, or one precision for another, is found out."""

import numpy as np

from tauscope.trees.ensemble import Ensemble
from tauscope.trees.tree_model import TreeModel
from tauscope.weights.arrays import Floats

MOST_VALUES = 16
"""Values tried for one column."""
MOST_ROWS = 32
"""Rows tried at once."""


def at_thresholds(trees: Ensemble, column: int, values: Floats, most: int = MOST_VALUES) -> Floats:
    """Give thresholds of a column, and the least values above them, those nearest the roots first.

    Parameters
    ----------
    trees : Ensemble
    column : int
        The trees' own.
    values : ndarray of shape (n,)
        The column's: where they are all whole numbers, or numbers of a shorter type, these are too, since the rows'
        container may hold no others.
    most : int
        Values given.
    """
    nodes = np.flatnonzero((trees.feature == column) & (trees.category < 0))
    place = nodes - trees.roots[np.searchsorted(trees.roots, nodes, side="right") - 1]
    thresholds = trees.threshold[nodes[np.argsort(place, kind="stable")][: -(-most // 2)]]
    thresholds = thresholds[np.abs(thresholds) < np.finfo(np.float32).max]
    above = trees.following(thresholds)
    return _of_the_type_of(values, np.stack([thresholds, above], axis=1).ravel()[:most])


def rows_at_thresholds(model: TreeModel, rows: Floats) -> Floats:
    """Copy rows (m, d) with one column each moved onto a threshold or just above it: at most `MOST_ROWS`."""
    trees, moved = model.trees, list[tuple[int, float]]()
    columns = [column for column in range(rows.shape[1]) if model.column_of[column] in trees.columns_used]
    most = max(2, MOST_ROWS // max(1, len(columns)))
    for column in columns[: MOST_ROWS // 2]:
        values = at_thresholds(trees, model.column_of[column], rows[:, column], most)
        moved += [(column, float(value)) for value in values]
    copies = rows[np.resize(np.arange(len(rows)), len(moved))].copy()
    for row, (column, value) in zip(copies, moved, strict=True):
        row[column] = value
    return copies


def _of_the_type_of(values: Floats, tried: Floats) -> Floats:
    present = values[~np.isnan(values)]
    if (present == np.floor(present)).all():
        return np.floor(tried)
    for kind in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            if (present.astype(kind) == present).all():
                rounded = tried.astype(kind).astype(np.float64)
                return rounded[np.isfinite(rounded)]
    return tried
