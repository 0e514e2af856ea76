"""Rows sent down traced paths, as bits, a level of many trees at a time."""

from collections.abc import Iterator

import numpy as np

from tauscope.effects.trees.paths import Paths
from tauscope.trees.bits import Words, pack
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Ints


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
