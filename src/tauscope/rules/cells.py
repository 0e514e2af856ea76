"""The projected cells of trees: the rows within the bounds met down to the last level that leaves enough of them.

Many subsets share a cell, near the root most of them: a cell is narrowed and counted once for all that do.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.layout import RowSets, TreeBlock
from tauscope.rules.walks import Codes, Walk
from tauscope.trees.bits import Words
from tauscope.weights.arrays import Bools, Floats, Ints

MIX = np.random.default_rng(0).uniform(0.5, 1, 4096)
"""What bounds are multiplied by to find equal ones; more bounds than that are taken as different."""
APART = 1e7
"""Added for each tree."""
AT_ONCE = 1024
"""Cells narrowed together, as many as fit the processor's caches."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of some questions, each distinct one once.

    Attributes
    ----------
    sets : ndarray of uint64, shape (n_cells, n_words)
        Their rows, as bits.
    count : ndarray of shape (n_cells,)
        Rows, each as often as the tree's bootstrap drew it.
    codes : ndarray of shape (n_cells, n_bounds)
        The bounds, as in `Walk`.
    tree : ndarray of shape (n_cells,)
    cell_of : ndarray of shape (m,)
        Cell of each question.
    level : ndarray of shape (m,)
        How many levels of splits bound the question's cell; 0: none, and it holds all rows.
    """

    sets: Words
    count: Floats
    codes: Codes
    tree: Ints
    cell_of: Ints
    level: Ints


def find_cells(block: TreeBlock, walk: Walk, questions: Ints, min_rows: int, start: int = 0) -> Cells:
    """Find the cells of some questions of a walk.

    Parameters
    ----------
    block : TreeBlock
    walk : Walk
    questions : ndarray of shape (m,)
        Which of the walk's questions, ascending.
    min_rows : int
        Fewest rows of a cell, each counted as often as the bootstrap drew it; at most all of a tree's.
    start : int
        Levels to take in one step before going level by level, of a walk that can go back. A guess: it changes the
        time, not the cells.

    Returns
    -------
    Cells
        Each as of the last level before the one at which it would hold fewer than `min_rows`.
    """
    search = _Search(block.sets, walk, questions, min_rows)
    search.go_down(np.arange(len(questions)), 0, start)
    return search.cells()


class _Search:
    """Cells found so far, and the present one of each question."""

    def __init__(self, sets: RowSets, walk: Walk, questions: Ints, min_rows: int) -> None:
        self._sets, self._walk, self._questions, self._min_rows = sets, walk, questions, min_rows
        self._cell_of = questions // walk.n_questions
        self._level = np.zeros(len(questions), dtype=np.int64)
        n_trees = len(sets.everyone)
        self._found, self._count = sets.everyone, sets.count.sum(axis=1).astype(np.float64)
        self._codes = np.full((n_trees, len(walk.bounds)), walk.no_bound, dtype=walk.kind)
        self._tree = np.arange(n_trees)
        self._n_found = n_trees

    def cells(self) -> Cells:
        """Return the cells in use."""
        used, cell_of = np.unique(self._cell_of, return_inverse=True)
        found, count, codes, tree = self._found[used], self._count[used], self._codes[used], self._tree[used]
        return Cells(found, count, codes, tree, cell_of, self._level)

    def go_down(self, active: Ints, level: int, target: int) -> None:
        """Take questions at one level on, to a target in one step and then level by level."""
        n_levels = self._walk.n_levels
        target = min(max(target, level + 1), n_levels)
        while len(active) and level < n_levels:
            fits = self._step(active, self._walk.tightest(level, target, self._questions[active]))
            if target > level + 1:  # too far for some: they begin again half-way
                self.go_down(active[~fits], level, level + (target - level) // 2)
            active = active[fits]
            self._level[active] = target
            level, target = target, target + 1

    def _step(self, active: Ints, tight: Codes) -> Bools:
        """Narrow the cells that stay large enough, and tell which questions' do."""
        if self._n_found + len(active) > len(self._found):
            self._make_room(len(active))
        cell = self._cell_of[active]
        held = self._codes[cell]
        fits = np.ones(len(active), dtype=np.bool_)
        changed = np.flatnonzero((tight < held).any(axis=1))
        if not len(changed):
            return fits
        cell, codes = cell[changed], np.minimum(held[changed], tight[changed])
        first, distinct = _equal_rows(codes, self._tree[cell])
        enough, found = self._narrow(cell[first], codes[first])
        kept = fits[changed] = enough[distinct]
        self._cell_of[active[changed[kept]]] = found[distinct[kept]]
        return fits

    def _narrow(self, cell: Ints, codes: Codes) -> tuple[Bools, Ints]:
        """Narrow cells to tighter bounds; tell which stay large enough, and where these are kept."""
        tighter = codes < self._codes[cell]
        n_bounds = tighter.sum(axis=1)
        # those with most bounds first, so that the i-th bounds of all that have one are a run
        order = np.argsort(-n_bounds, kind="stable")
        cell, codes, tighter, n_bounds = cell[order], codes[order], tighter[order], n_bounds[order]
        which, bound = np.nonzero(tighter)
        tree = self._tree[cell]
        bounds, code = self._walk.bounds[bound], codes[which, bound].astype(np.int64)
        packed, slot = self._sets.within(tree[which], bounds, code)
        place = np.cumsum(n_bounds) - n_bounds
        runs: Ints = np.searchsorted(-n_bounds, -np.arange(int(n_bounds[0]), dtype=np.int64), side="left")
        here = np.arange(self._n_found, self._n_found + len(cell))
        count = np.empty(len(cell))
        for begin in range(0, len(cell), AT_ONCE):
            sets = self._found[here[0] + begin : here[0] + min(begin + AT_ONCE, len(cell))]
            np.take(self._found, cell[begin : begin + AT_ONCE], axis=0, out=sets, mode="clip")
            for i, run in enumerate(runs):
                last = min(int(run), begin + len(sets))
                if last <= begin:
                    break
                sets[: last - begin] &= packed[slot[place[begin:last] + i]]
            count[begin : begin + AT_ONCE] = self._sets.counts(sets)
        # those too small stay where they are, and are left out when room is made
        self._n_found += len(cell)
        self._codes[here], self._count[here], self._tree[here] = codes, count, tree
        enough, found = np.empty(len(cell), dtype=np.bool_), np.empty(len(cell), dtype=np.int64)
        enough[order], found[order] = count >= self._min_rows, here
        return enough, found

    def _make_room(self, n: int) -> None:
        """Leave out cells that no question has any more, and make room for others."""
        used, self._cell_of = np.unique(self._cell_of, return_inverse=True)
        self._n_found = len(used)
        room = max(len(self._found), 2 * (len(used) + n))
        self._found, self._codes = _grown(self._found[used], room), _grown(self._codes[used], room)
        self._count, self._tree = _grown(self._count[used], room), _grown(self._tree[used], room)


def _grown(array: NDArray[Any], room: int) -> NDArray[Any]:
    larger = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def _equal_rows(codes: Codes, tree: Ints) -> tuple[Ints, Ints]:
    """Find equal rows of a tree: the first of each kind, and the kind of each row. Some equal ones may stay two."""
    each = np.arange(len(codes))
    if codes.shape[1] > len(MIX):
        return each, each
    sums = codes @ MIX[: codes.shape[1]] + APART * tree
    _, first, kind = np.unique(sums, return_index=True, return_inverse=True)
    # the sums of different rows could be equal
    same = np.array_equal(codes[first[kind]], codes) and np.array_equal(tree[first[kind]], tree)
    return (first, kind) if same else (each, each)
