"""Exact curves of a sum of trees: each leaf's value, on the part of the grid for which each row reaches it.

Curves are gathered as changes along the grid: a leaf adds its value where its cell starts and takes it away where
the cell has ended. G points take G + 2 columns: the last but one for ends beyond the grid, the last for missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tauscope.effects.trees.cells import Cells
from tauscope.effects.trees.paths import Paths, trace_paths, trace_together
from tauscope.trees.bits import Weights, Words, count, members, pack
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
        runs = paths.cells.runs(_by_levels(trees, first, last, features)[s])
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


def row_curves(trees: Ensemble, rows: Compared, features: Ints, grids: list[Compared]) -> Floats:
    """Compute raw individual curves on one feature, or surfaces over two that are set together.

    Parameters
    ----------
    trees, rows, features, grids
        As in `mean_curves`; one feature or two.

    Returns
    -------
    ndarray of shape (q, n_rows, G) or (q, n_rows, G1, G2)
        Offset plus leaves, before the link.
    """
    points = [grid[~np.isnan(grid)] for grid in grids]
    missing = [len(present) < len(grid) for present, grid in zip(points, grids, strict=True)]
    widths = [len(grid) + 1 for grid in grids]
    changes = np.zeros((len(trees.offset), len(rows), *widths))
    flat, n_cells = changes.reshape(-1), int(np.prod(widths))
    for first, last in trees.blocks(BLOCK):
        paths, cells = trace_together(trees, first, last, features, points, missing)
        edges = _edges(cells, _by_levels(trees, first, last, features), widths)
        for start in range(0, len(rows), CHUNK):
            for at, sets, _, _ in walk(trees, paths, rows[start : start + CHUNK]):
                leaf, row = members(sets)
                leaf += at.start
                node = paths.leaf[leaf]
                for j in range(trees.value.shape[1]):
                    place = ((trees.first_output[node] + j) * len(rows) + start + row) * n_cells
                    worth = trees.value[node, j]
                    for sign, there, offset in edges:
                        reached = there[leaf]
                        np.add.at(flat, place[reached] + offset[leaf[reached]], sign * worth[reached])
    for axis in range(2, changes.ndim):
        np.cumsum(changes, axis=axis, out=changes)
    curves = changes[(slice(None), slice(None), *(slice(len(grid)) for grid in grids))]
    return curves + trees.offset.reshape(-1, *[1] * (curves.ndim - 1))


def _edges(cells: list[Cells], by_levels: Bools, widths: list[int]) -> list[tuple[float, Bools, Ints]]:
    """List where the parts of the grid for which leaves are reached begin and end.

    Parameters
    ----------
    cells : list of Cells
        Of each feature: its part for each of L leaves.
    by_levels : ndarray of bool
    widths : list of int
        One more than the points of each grid, the missing one among them and last.

    Returns
    -------
    list of (sign, there, offset)
        Arrays (L,): a leaf that is `there` adds its value, times the sign, at `offset` in an array of the shape
        `widths`. Summed along every axis its entries are the values at the points.
    """
    nothing = np.zeros(len(cells[0].low), dtype=np.int64)
    edges: list[tuple[float, Bools, Ints]] = [(1.0, nothing == 0, nothing)]
    for cell, levels, width in zip(cells, by_levels, widths, strict=True):
        own: list[tuple[float, Bools, Ints]] = []
        for low, high in _runs(cell, levels, width):
            own += [(sign, (low < high) & (end < width - 1), end) for sign, end in ((1.0, low), (-1.0, high))]
        edges = [
            (sign * other, there & other_there, offset * width + other_offset)
            for sign, there, offset in edges
            for other, other_there, other_offset in own
        ]
    return [edge for edge in edges if edge[1].any()]


def _runs(cell: Cells, levels: bool, width: int) -> list[tuple[Ints, Ints]]:
    """List the stretches of each cell, with the missing point where it is taken: the last of the grid's points."""
    alone, runs = cell.missing.copy(), list[tuple[Ints, Ints]]()
    at = width - 2
    for low, high in cell.runs(np.full(len(cell.low), levels)):
        joined = alone & (low < high) & (high == at)
        alone &= ~joined
        runs.append((low, high + joined))
    return [*runs, (np.where(alone, at, 0), np.where(alone, at + 1, 0))]


def _by_levels(trees: Ensemble, first: int, last: int, features: Ints) -> Bools:
    """Whether each feature is split by levels in some trees."""
    nodes = slice(int(trees.roots[first]), int(trees.roots[last]))
    return np.isin(features, trees.feature[nodes][trees.category[nodes] >= 0])


def _values_along(changes: Floats, *, missing: bool) -> Floats:
    """Turn changes (…, G + 2) into values at the grid's points (…, G), the missing one last."""
    values = np.cumsum(changes[..., :-2], axis=-1)
    return np.concatenate([values, changes[..., -1:]], axis=-1) if missing else values


def walk(trees: Ensemble, paths: Paths, rows: Compared) -> Iterator[tuple[slice, Words, slice, Words]]:
    """Find the rows of every pair at a leaf.

    Parameters
    ----------
    trees : Ensemble
    paths : Paths
    rows : ndarray of shape (n, n_columns)
        As compared with thresholds.

    Yields
    ------
    plain : slice
        Positions among `paths.leaf`.
    sets : ndarray of shape (len(plain), n_words)
        Rows that reach each as they are.
    opened : slice
        Positions among `paths.opened_leaf`.
    sets : ndarray of shape (len(opened), n_words)
        Rows that reach each with its feature left open.
    """
    all_rows = pack(np.ones(len(rows), dtype=np.bool_))
    left = _evaluate_conditions(trees, paths.conditions, rows)
    table = np.concatenate([left, ~left])
    sets = np.repeat(all_rows[None], paths.n_trees, axis=0)
    plain = opened = 0
    for level in paths.levels:
        if len(level.source):
            sets = sets[level.source]
            sets[: len(level.condition)] &= table[level.condition]
        yield (
            slice(plain, plain := plain + len(level.plain)),
            sets[level.plain],
            slice(opened, opened := opened + len(level.opened)),
            sets[level.opened],
        )


def _evaluate_conditions(trees: Ensemble, nodes: Ints, rows: Compared) -> Words:
    """Rows that go left at each node, one feature's nodes after another's: shape (C, n_words)."""
    words = [np.empty((0, -(-len(rows) // 64)), dtype=np.uint64)]
    feature = trees.feature[nodes]
    for column in np.unique(feature):
        values, splits = np.ascontiguousarray(rows[:, column]), nodes[feature == column]
        flags = values <= trees.threshold[splits, None].astype(values.dtype)
        levels = trees.category[splits] >= 0
        missing = np.isnan(values)
        if levels.any():
            codes = np.where(missing, 0, values).astype(np.int64)
            flags[levels] = trees.left_levels[trees.category[splits[levels]]][:, codes]
        if missing.any():
            flags[:, missing] = trees.missing_left[splits, None]
        words.append(pack(flags))
    return np.concatenate(words)
