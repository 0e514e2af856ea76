"""The boxes of projected cells, in the columns of the forest."""

from dataclasses import dataclass

import numpy as np

from tauscope.rules.checks import Subsets
from tauscope.rules.layout import ABOVE, BELOW, GIVEN, N_SIDES
from tauscope.rules.packed import PackedForest
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class ProjectedBoxes:
    """The boxes of projected cells, x in one when lower < x ≤ upper in every column.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_rows, n_subsets, n_trees, n_columns)
        Infinite where nothing bounds the box.
    takes_missing : ndarray of bool, same shape
        Whether rows with a missing value there are inside.
    count : ndarray of shape (n_rows, n_subsets, n_trees)
        Training rows inside, each as often as the tree's bootstrap drew it.
    level : ndarray of int, same shape as count
        Levels of splits that bound the box; all of the tree's block where no further one does.
    """

    lower: Floats
    upper: Floats
    takes_missing: Bools
    count: Floats
    level: Ints


def find_boxes(forest: PackedForest, rows: Floats, subsets: Subsets, min_rows: int) -> ProjectedBoxes:
    """Give the boxes of the cells; parameters as in `ProjectedForest`."""
    n = len(rows) * len(subsets)
    lower = np.full((n, forest.n_trees, forest.n_columns), -np.inf)
    upper, takes = np.full(lower.shape, np.inf), np.ones(lower.shape, dtype=np.bool_)
    count, level = np.empty((n, forest.n_trees)), np.empty((n, forest.n_trees), dtype=np.int64)
    for found in forest.find(rows, subsets, min_rows):
        cells, tree, question = found.cells, found.tree, found.question
        count[question, tree], level[question, tree] = cells.count[cells.cell_of], cells.level
        codes = cells.codes[cells.cell_of]
        which, bound = np.nonzero(codes < np.iinfo(codes.dtype).max)
        code, bound = codes[which, bound].astype(np.int64), found.bounds[bound]
        column, side = np.divmod(bound, N_SIDES)
        limit = found.block.splits.thresholds_of(tree[which] - found.block.first, column, side, code)
        for one, array in ((ABOVE, upper), (BELOW, lower)):
            own = side == one
            array[question[which[own]], tree[which[own]], column[own]] = limit[own]
        own = which[side == GIVEN]
        takes[question[own], tree[own], column[side == GIVEN]] = False
    shape = len(rows), len(subsets), forest.n_trees
    by_column = *shape, forest.n_columns
    return ProjectedBoxes(
        lower.reshape(by_column), upper.reshape(by_column), takes.reshape(by_column),
        count.reshape(shape), level.reshape(shape),
    )  # fmt: skip
