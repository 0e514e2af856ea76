"""The projected cells of a tree: the rows within the bounds met down to the last level that leaves enough of them.

Many subsets share a cell, near the root most of them: a cell is narrowed and counted once for all that do.
"""

from dataclasses import dataclass

import numpy as np

from tauscope.rules.layout import RowSets, TreeLayout
from tauscope.rules.walks import Codes, Walk
from tauscope.trees.bits import Words
from tauscope.weights.arrays import Bools, Floats, Ints

MIX = np.random.default_rng(0).uniform(0.5, 1, 4096)
"""What bounds are multiplied by to find equal ones; more bounds than that are taken as different."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of some questions in one tree, each distinct one once.

    Attributes
    ----------
    sets : ndarray of uint64, shape (n_cells, n_words)
        Their rows, as bits.
    count : ndarray of shape (n_cells,)
        Rows, each as often as the tree's bootstrap drew it.
    codes : ndarray of shape (n_cells, n_bounds)
        The bounds, as in `Walk`.
    cell_of : ndarray of shape (m,)
        Cell of each question.
    level : ndarray of shape (m,)
        How many levels of splits bound the question's cell; 0: none, and it holds all rows.
    """

    sets: Words
    count: Floats
    codes: Codes
    cell_of: Ints
    level: Ints


def find_cells(tree: TreeLayout, walk: Walk, questions: Ints, min_rows: int, start: int = 0) -> Cells:
    """Find the cells of some questions of a walk.

    Parameters
    ----------
    tree : TreeLayout
    walk : Walk
    questions : ndarray of shape (m,)
        Which of the walk's questions.
    min_rows : int
        Fewest rows of a cell, each counted as often as the bootstrap drew it; at most all of them.
    start : int
        Levels to take in one step before going level by level. A guess: it changes the time, not the cells.

    Returns
    -------
    Cells
        Each as of the last level before the one at which it would hold fewer than `min_rows`.
    """
    search = _Search(tree.sets, walk, questions, min_rows)
    search.go_down(np.arange(len(questions)), 0, start)
    return search.cells()


class _Search:
    """Cells found so far, and the present one of each question."""

    def __init__(self, sets: RowSets, walk: Walk, questions: Ints, min_rows: int) -> None:
        self._sets, self._walk, self._questions, self._min_rows = sets, walk, questions, min_rows
        self._cell_of = np.zeros(len(questions), dtype=np.int64)
        self._level = np.zeros(len(questions), dtype=np.int64)
        room = max(64, 2 * len(questions))
        self._found = np.empty((room, sets.n_words), dtype=np.uint64)
        self._codes = np.empty((room, len(walk.bounds)), dtype=walk.kind)
        self._count = np.empty(room)
        self._found[0], self._codes[0], self._count[0] = sets.everyone, walk.no_bound, sets.count.sum()
        self._n_found = 1

    def cells(self) -> Cells:
        """Return the cells in use."""
        used, cell_of = np.unique(self._cell_of, return_inverse=True)
        return Cells(self._found[used], self._count[used], self._codes[used], cell_of, self._level)

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
        cell = self._cell_of[active]
        held = self._codes[cell]
        fits = np.ones(len(active), dtype=np.bool_)
        changed = np.flatnonzero((tight < held).any(axis=1))
        if not len(changed):
            return fits
        cell, codes = cell[changed], np.minimum(held[changed], tight[changed])
        first, distinct = _equal_rows(codes)
        enough, found = self._narrow(cell[first], codes[first])
        fits[changed] = enough[distinct]
        kept = enough[distinct]
        self._cell_of[active[changed[kept]]] = found[distinct[kept]]
        return fits

    def _narrow(self, cell: Ints, codes: Codes) -> tuple[Bools, Ints]:
        """Narrow cells to tighter bounds; tell which stay large enough, and where these are kept."""
        tighter = codes < self._codes[cell]
        n_bounds = tighter.sum(axis=1)
        # those with most bounds first, so that the i-th bounds of all that have one are a run
        order = np.argsort(-n_bounds, kind="stable")
        n_bounds = n_bounds[order]
        which, bound = np.nonzero(tighter[order])
        packed, slot = self._sets.within(self._walk.bounds[bound], codes[order[which], bound].astype(np.int64))
        narrowed = self._found[cell[order]]
        place = np.cumsum(n_bounds) - n_bounds
        for i in range(int(n_bounds[0])):
            run = int(np.searchsorted(-n_bounds, -i, side="left"))
            narrowed[:run] &= packed[slot[place[:run] + i]]
        count = self._sets.counts(narrowed)
        large = np.flatnonzero(count >= self._min_rows)
        enough, found = np.zeros(len(cell), dtype=np.bool_), np.zeros(len(cell), dtype=np.int64)
        enough[order[large]] = True
        found[order[large]] = self._keep(narrowed[large], codes[order[large]], count[large])
        return enough, found

    def _keep(self, sets: Words, codes: Codes, count: Floats) -> Ints:
        here = np.arange(self._n_found, self._n_found + len(sets))
        self._n_found += len(sets)
        if self._n_found > len(self._found):
            room = 2 * self._n_found
            self._found, self._codes = _grown(self._found, room), _grown(self._codes, room)
            self._count = _grown(self._count, room)
        self._found[here], self._codes[here], self._count[here] = sets, codes, count
        return here


def _grown(array: np.ndarray, room: int) -> np.ndarray:
    larger = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def _equal_rows(codes: Codes) -> tuple[Ints, Ints]:
    """Find equal rows: the first of each kind, and the kind of each row. Some equal ones may count as two kinds."""
    each = np.arange(len(codes))
    if codes.shape[1] > len(MIX):
        return each, each
    _, first, kind = np.unique(codes @ MIX[: codes.shape[1]], return_index=True, return_inverse=True)
    # the sums of different rows could be equal
    return (first, kind) if np.array_equal(codes[first[kind]], codes) else (each, each)
