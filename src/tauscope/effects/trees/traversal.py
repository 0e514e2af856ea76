"""Exact curves of a sum of trees: each leaf's value, on the part of the grid for which each row reaches it.

Curves are gathered as changes along the grid: a leaf adds its value where its cell starts and takes it away where
the cell has ended. G points take G + 2 columns: the last but one for ends beyond the grid, the last for missing.
"""

import numpy as np

from tauscope.effects.trees.paths import Paths, trace_paths
from tauscope.effects.trees.walking import walk
from tauscope.trees.bits import Weights, count, members
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints

CHUNK = 4_096  # rows walked together
BLOCK = 2_048  # nodes walked together: the sets of a level then stay in cache


def mean_curves(
    trees: Ensemble, rows: Compared, features: Ints, grids: list[Compared], weights: Floats | None
) -> list[Floats]:
    """Compute raw partial dependence on each of some features by itself.

    A leaf counts, at a grid point of s, with the weight of the rows that reach it with s at that point. Within
    the leaf's own bounds on s this is the weight of the rows that reach it with s left open, outside them none;
    where no split on the way is on s it is the weight of those that reach it as they are.

    Parameters
    ----------
    trees : Ensemble
    rows : ndarray of shape (n_rows, n_columns)
        As compared with thresholds.
    features : ndarray of shape (F,)
    grids : list of ndarray
        Of each, as compared, ascending; a NaN last stands for missing.
    weights : ndarray of shape (n_rows,) or None
        None: equal.

    Returns
    -------
    list of ndarray of shape (q, G)
        Weighted means of offset plus leaves, before the link.
    """
    points = [grid[~np.isnan(grid)] for grid in grids]
    widths = np.array([len(grid) + 2 for grid in points])
    first_column = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    n_columns = int(first_column[-1])
    changes = np.zeros(len(trees.offset) * n_columns)
    total = np.zeros(len(trees.offset))
    # blocks of trees outside, chunks of rows inside: paths do not depend on the rows, and are traced once
    starts = range(0, len(rows), CHUNK)
    weigh = [count if weights is None else Weights(weights[start : start + CHUNK]).total for start in starts]
    for first, last in trees.blocks(BLOCK):
        paths = trace_paths(trees, first, last, features, points)
        plain, opened = np.zeros(len(paths.leaf)), np.zeros(len(paths.opened_leaf))
        for start, total_of in zip(starts, weigh, strict=True):
            for at, sets, open_at, open_sets in walk(trees, paths, rows[start : start + CHUNK]):
                plain[at] += total_of(sets)
                opened[open_at] += total_of(open_sets)
        leaf, s = paths.opened_leaf, paths.opened_feature
        runs = paths.cells.runs(_by_levels(trees, features)[s])
        missing = paths.cells.missing
        for j in range(trees.value.shape[1]):
            output, worth = trees.first_output[paths.leaf] + j, trees.value[paths.leaf, j]
            np.add.at(total, output, worth * plain)
            start, end = (output[leaf] * n_columns + first_column[s + i] for i in (0, 1))
            gained = worth[leaf] * opened
            for low, high in runs:
                np.add.at(changes, start + low, gained)
                np.subtract.at(changes, start + high, gained)
            np.add.at(changes, end - 1, np.where(missing, gained, 0.0))
            # what these leaves count in the total, every row at its own s, is taken back
            lost = worth[leaf] * plain[leaf]
            np.subtract.at(changes, start, lost)
            np.subtract.at(changes, end - 1, lost)
    mass = float(len(rows) if weights is None else weights.sum())
    curves: list[Floats] = []
    for number, grid in enumerate(grids):
        change = changes.reshape(-1, n_columns)[:, first_column[number] : first_column[number + 1]]
        curve = _values_along(change, missing=bool(np.isnan(grid).any()))
        curves.append((curve + total[:, None]) / mass + trees.offset[:, None])
    return curves


def row_curves(trees: Ensemble, rows: Compared, feature: int, grid: Compared) -> Floats:
    """Compute raw individual curves on one feature.

    Parameters
    ----------
    trees, rows, grid
        As in `mean_curves`.
    feature : int

    Returns
    -------
    ndarray of shape (q, n_rows, G)
        Offset plus leaves, before the link.
    """
    points = grid[~np.isnan(grid)]
    width = len(points) + 2
    changes = np.zeros((len(trees.offset), len(rows), width))
    flat, missing = changes.reshape(-1), len(points) < len(grid)
    for first, last in trees.blocks(BLOCK):
        paths = trace_paths(trees, first, last, np.array([feature]), [points])
        runs = paths.cells.runs(_by_levels(trees, np.array([feature]))[paths.opened_feature])
        through = np.ones(len(paths.leaf), dtype=np.bool_)
        through[paths.opened_leaf] = False  # the feature is on the way there
        for start in range(0, len(rows), CHUNK):
            leaf, row, pair, open_row = _reached(trees, paths, rows[start : start + CHUNK], through)
            node, open_node = paths.leaf[leaf], paths.leaf[paths.opened_leaf[pair]]
            for j in range(trees.value.shape[1]):
                at = ((trees.first_output[node] + j) * len(rows) + start + row) * width
                open_at = ((trees.first_output[open_node] + j) * len(rows) + start + open_row) * width
                worth, open_worth = trees.value[node, j], trees.value[open_node, j]
                np.add.at(flat, at, worth)
                for low, high in runs:
                    np.add.at(flat, open_at + low[pair], open_worth)
                    np.subtract.at(flat, open_at + high[pair], open_worth)
                if missing:
                    np.add.at(flat, at + width - 1, worth)
                    np.add.at(flat, open_at + width - 1, open_worth * paths.cells.missing[pair])
    curves = _values_along(changes, missing=missing)
    curves += trees.offset[:, None, None]
    return curves


def _reached(trees: Ensemble, paths: Paths, rows: Compared, through: Bools) -> tuple[Ints, Ints, Ints, Ints]:
    """Leaves that rows reach with no split on the feature on the way, and (leaf, feature) pairs, with the rows."""
    leaves: list[Ints] = []
    leaf_rows: list[Ints] = []
    pairs: list[Ints] = []
    pair_rows: list[Ints] = []
    for at, sets, open_at, open_sets in walk(trees, paths, rows):
        selected = np.flatnonzero(through[at])
        position, row = members(sets[selected])
        leaves.append(at.start + selected[position])
        leaf_rows.append(row)
        position, row = members(open_sets)
        pairs.append(open_at.start + position)
        pair_rows.append(row)
    return np.concatenate(leaves), np.concatenate(leaf_rows), np.concatenate(pairs), np.concatenate(pair_rows)


def _by_levels(trees: Ensemble, features: Ints) -> Bools:
    """Whether each feature is split by levels somewhere."""
    levels = trees.split_by_levels
    return np.array([int(feature) in levels for feature in features], dtype=np.bool_)


def _values_along(changes: Floats, *, missing: bool) -> Floats:
    """Turn changes (…, G + 2) into values at the grid's points (…, G), the missing one last."""
    values = np.cumsum(changes[..., :-2], axis=-1)
    return np.concatenate([values, changes[..., -1:]], axis=-1) if missing else values
