"""A forest projected on one subset of features, for all rows at once: a tree's cells as a partition refined by level.

Given one subset, the rows in a row's cell meet the same splits as it does, so that the cells at a level are a partition
of all rows, and those at the next level refine it. Rows are followed down once instead of each cell's rows being found.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.layout import Splits
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints

SEED = 0


class Stopped(NamedTuple):
    """Rows whose cells are final, and the rows of these cells.

    Attributes
    ----------
    rows : ndarray of int
        Rows that stop here.
    group : ndarray of int, same length
        Cell of each.
    members, member_group : ndarray of int
        All rows of the level's cells, and the cell of each.
    n_groups : int
    """

    rows: Ints
    group: Ints
    members: Ints
    member_group: Ints
    n_groups: int


def stop_rows(splits: Splits, rows: Compared, chosen: Bools, count: Floats, min_rows: int) -> Iterator[Stopped]:
    """Follow rows down one tree, and yield them as their cells become final.

    Parameters
    ----------
    splits : Splits
        Of one tree.
    rows : ndarray of shape (n, n_columns)
        As compared with thresholds.
    chosen : ndarray of bool, shape (n_columns,)
        Columns of the subset.
    count : ndarray of shape (n,)
        Training rows that each stands for; 0 for one that is only asked about.
    min_rows : int
        As in `ProjectedForest`.

    Yields
    ------
    Stopped
        Each row in one of them.
    """
    active, group = np.arange(len(rows)), np.zeros(len(rows), dtype=np.int64)
    met = np.ones((len(rows), int(splits.starts[1]) if splits.n_levels else 0), dtype=np.bool_)
    for level in range(splits.n_levels):
        here = slice(int(splits.starts[level]), int(splits.starts[level + 1]))
        binds = chosen[splits.column[here]]
        left = _goes_left(splits, here, rows, active, binds)
        refined = _refine(group, met, left, binds)
        stays = np.bincount(refined, count[active])[refined] >= min_rows
        if not stays.all():
            yield Stopped(active[~stays], group[~stays], active, group, int(group.max()) + 1)
            active, met, left = active[stays], met[stays], left[stays]
            if not len(active):
                return
            refined = np.unique(refined[stays], return_inverse=True)[1]
        group = refined
        if level + 1 < splits.n_levels:
            met = _descend(splits, level + 1, here.start, met, left, binds)
    yield Stopped(active, group, active, group, int(group.max()) + 1)


def _goes_left(splits: Splits, here: slice, rows: Compared, active: Ints, binds: Bools) -> Bools:
    """Whether each row goes left at a level's splits on the subset; of the others nothing is said."""
    left = np.zeros((len(active), here.stop - here.start), dtype=np.bool_)
    own = np.flatnonzero(binds)
    values = rows[np.ix_(active, splits.column[here][own])]
    left[:, own] = np.where(np.isnan(values), splits.missing_left[here][own], values <= splits.threshold[here][own])
    return left


def _refine(group: Ints, met: Bools, left: Bools, binds: Bools) -> Ints:
    """Part each cell by the splits its rows meet and their ways there."""
    own = np.flatnonzero(binds)
    if not len(own):
        return group
    # sums of random 64-bit keys: two different sets of ways have one sum with a probability of 2⁻⁶⁴
    keys: NDArray[np.uint64] = np.random.default_rng(SEED).integers(0, 2**64, (len(own) + 1, 2), dtype=np.uint64)
    own_left, own_met = left[:, own], met[:, own]
    way = np.where(own_left, keys[1:, 0], keys[1:, 1]) * own_met
    signature = np.add.reduce(way, axis=1, dtype=np.uint64) + group.astype(np.uint64) * (keys[0, 0] | np.uint64(1))
    return np.unique(signature, return_inverse=True)[1]


def _descend(splits: Splits, level: int, start: int, met: Bools, left: Bools, binds: Bools) -> Bools:
    """Which splits of the next level each row meets."""
    here = slice(int(splits.starts[level]), int(splits.starts[level + 1]))
    parent = splits.parent[here] - start
    return met[:, parent] & (~binds[parent] | (left[:, parent] == splits.is_left[here]))
