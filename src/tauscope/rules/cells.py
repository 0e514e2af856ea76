"""The projected cells of trees: the rows within the bounds met down to the last level that leaves enough of them.

Many subsets share a cell, near the root most of them: a cell is narrowed and counted once for all that do.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.layout import RowSets, TreeBlock
from tauscope.rules.walks import Codes, ReturningWalk, Walk
from tauscope.trees.bits import Words
from tauscope.weights.arrays import Bools, Floats, Ints

KEYS = np.random.default_rng(0).uniform(0.5, 1, 4096)
"""What bounds are multiplied by to find equal ones; more bounds than that are taken as different."""
APART = 1e7
"""Added for each tree."""
HASH_BITS = 18
AT_ONCE = 512
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


def find_cells(block: TreeBlock, walk: Walk, questions: Ints, min_rows: int) -> Cells:
    """Find the cells of some questions of a walk, level by level.

    Parameters
    ----------
    block : TreeBlock
    walk : Walk
    questions : ndarray of shape (m,)
        Which of the walk's questions, ascending.
    min_rows : int
        Fewest rows of a cell, each counted as often as the bootstrap drew it; at most all of a tree's.

    Returns
    -------
    Cells
        Each as of the last level before the one at which it would hold fewer than `min_rows`.
    """
    search = _Search(block.sets, walk, questions, min_rows)
    search.go_down(walk)
    return search.cells()


def find_cells_near(block: TreeBlock, walk: ReturningWalk, questions: Ints, min_rows: int, start: int) -> Cells:
    """Find the same cells by looking for each one's last level from a guess, `start`, on.

    Rows of a cell only become fewer from level to level, so that a level is too far when any before it was.
    """
    search = _Search(block.sets, walk, questions, min_rows)
    search.bisect(walk, start)
    return search.cells()


class _Search:
    """Cells found so far, and the present one of each question."""

    def __init__(self, sets: RowSets, walk: Walk, questions: Ints, min_rows: int) -> None:
        self._sets, self._bounds, self._questions, self._min_rows = sets, walk.bounds, questions, min_rows
        self._cell_of = questions // walk.n_questions
        self._level = np.zeros(len(questions), dtype=np.int64)
        n_trees = len(sets.everyone)
        self._found, self._count = sets.everyone, sets.count.sum(axis=1).astype(np.float64)
        self._codes = np.full((n_trees, len(walk.bounds)), walk.no_bound, dtype=walk.kind)
        self._tree = np.arange(n_trees)
        self._n_found = n_trees
        self._scratch = np.empty((AT_ONCE, sets.n_words), dtype=np.uint64)

    def cells(self) -> Cells:
        """Return the cells in use."""
        used, cell_of = _used(self._cell_of, self._n_found)
        found, codes = self._found.take(used, axis=0), self._codes.take(used, axis=0)
        return Cells(found, self._count[used], codes, self._tree[used], cell_of, self._level)

    def go_down(self, walk: Walk) -> None:
        """Take all questions on level by level."""
        active = np.arange(len(self._questions))
        for level in range(1, walk.n_levels + 1):
            fits = self._step(active, walk.tightest(level, self._questions[active]))
            active = active[fits]
            self._level[active] = level
            if not len(active):
                break

    def bisect(self, walk: ReturningWalk, start: int) -> None:
        """Find each question's last level by steps that grow until one is too far, and then by halves."""
        n_levels, n = walk.n_levels, len(self._questions)
        too_far, stride = np.full(n, n_levels + 1), np.ones(n, dtype=np.int64)
        target = np.full(n, min(max(start, 1), n_levels))
        active = self._open(walk, np.arange(n))
        while len(active):
            here = target[active]
            fits = self._step(active, walk.tightest_at(here, self._questions[active]))
            further, back = active[fits], active[~fits]
            self._level[further], too_far[back] = here[fits], here[~fits]
            active = np.concatenate([self._open(walk, further), back])
            active = active[too_far[active] - self._level[active] > 1]
            low, high = self._level[active], too_far[active]
            onwards = np.minimum(low + stride[active], n_levels)
            # of two levels between which the last one lies, it is rather near the higher
            target[active] = np.where(high > n_levels, onwards, (low + 3 * high) // 4)
            stride[further] *= 2

    def _open(self, walk: ReturningWalk, active: Ints) -> Ints:
        """Questions that will meet tighter bounds; those that do not have their cell."""
        last = walk.tightest(walk.n_levels, self._questions[active])
        more = _differ(last, self._codes.take(self._cell_of[active], axis=0))
        self._level[active[~more]] = walk.n_levels
        return active[more]

    def _step(self, active: Ints, tight: Codes) -> Bools:
        """Narrow the cells that stay large enough, and tell which questions' do."""
        if self._n_found + len(active) > len(self._found):
            self._make_room(len(active))
        cell = self._cell_of[active]
        fits = np.ones(len(active), dtype=np.bool_)
        changed = np.flatnonzero(_differ(tight, self._codes.take(cell, axis=0)))
        if not len(changed):
            return fits
        cell, codes = cell[changed], tight.take(changed, axis=0)
        first, distinct = _equal_rows(codes, self._tree[cell])
        enough, found = self._narrow(cell[first], codes.take(first, axis=0))
        fits[changed] = kept = enough[distinct]
        self._cell_of[active[changed[kept]]] = found[distinct[kept]]
        return fits

    def _narrow(self, cell: Ints, codes: Codes) -> tuple[Bools, Ints]:
        """Narrow cells to tighter bounds; tell which stay large enough, and where these are kept."""
        tighter = codes < self._codes.take(cell, axis=0)
        n_bounds = tighter.sum(axis=1, dtype=np.uint16)
        # those with most bounds first, so that the i-th bounds of all that have one are a run
        order = np.argsort(n_bounds.max() - n_bounds, kind="stable")
        cell, codes, tighter = cell[order], codes.take(order, axis=0), tighter.take(order, axis=0)
        n_bounds = n_bounds[order].astype(np.int64)
        which, bound = np.divmod(np.flatnonzero(tighter), tighter.shape[1])
        tree = self._tree[cell]
        packed, slot = self._sets.within(tree[which], self._bounds[bound], codes[which, bound].astype(np.int64))
        place = np.cumsum(n_bounds) - n_bounds
        runs: Ints = np.searchsorted(-n_bounds, -np.arange(int(n_bounds[0]), dtype=np.int64), side="left")
        here = slice(self._n_found, self._n_found + len(cell))
        found, count = self._found[here], self._count[here]
        for begin in range(0, len(cell), AT_ONCE):
            sets = found[begin : begin + AT_ONCE]
            np.take(self._found, cell[begin : begin + AT_ONCE], axis=0, out=sets, mode="clip")
            for i, run in enumerate(runs):
                last = min(int(run), begin + len(sets))
                if last <= begin:
                    break
                some = self._scratch[: last - begin]
                np.take(packed, slot[place[begin:last] + i], axis=0, out=some, mode="clip")
                np.bitwise_and(sets[: last - begin], some, out=sets[: last - begin])
            count[begin : begin + AT_ONCE] = self._sets.counts(sets)
        # those too small stay where they are, and are left out when room is made
        self._n_found += len(cell)
        self._codes[here], self._tree[here] = codes, tree
        enough, place = np.empty(len(cell), dtype=np.bool_), np.empty(len(cell), dtype=np.int64)
        enough[order], place[order] = count >= self._min_rows, np.arange(here.start, here.stop)
        return enough, place

    def _make_room(self, n: int) -> None:
        """Leave out cells that no question has any more, and make room for others."""
        used, self._cell_of = _used(self._cell_of, self._n_found)
        self._n_found = len(used)
        room = max(len(self._found), len(used) + 2 * n)
        self._found, self._codes = _moved(self._found, used, room), _moved(self._codes, used, room)
        self._count, self._tree = _moved(self._count, used, room), _moved(self._tree, used, room)


def _used(cell_of: Ints, n: int) -> tuple[Ints, Ints]:
    """Cells that some question has, ascending, and the place of each question's among them."""
    flags = np.zeros(n, dtype=np.bool_)
    flags[cell_of] = True
    return np.flatnonzero(flags), (np.cumsum(flags) - 1)[cell_of]


def _moved(array: NDArray[Any], used: Ints, room: int) -> NDArray[Any]:
    larger = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    np.take(array, used, axis=0, out=larger[: len(used)], mode="clip")
    return larger


def _differ(one: Codes, other: Codes) -> Bools:
    """Whether rows differ anywhere, looked at in the widest words that a row is made of."""
    n_bytes = one.shape[1] * one.itemsize
    word = next(kind for kind in ("u8", "u4", one.dtype.str) if n_bytes % np.dtype(kind).itemsize == 0)
    differs = np.zeros(len(one), dtype=np.bool_)
    for left, right in zip(one.view(word).T, other.view(word).T, strict=True):
        differs |= left != right
    return differs


def _equal_rows(codes: Codes, tree: Ints) -> tuple[Ints, Ints]:
    """Find equal rows of a tree: one of each kind, and the kind of each row. Some equal ones may stay two."""
    each = np.arange(len(codes))
    if codes.shape[1] > len(KEYS):
        return each, each
    sums = codes @ KEYS[: codes.shape[1]] + APART * tree
    slot = (sums.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - HASH_BITS)
    last = np.empty(1 << HASH_BITS, dtype=np.int64)
    last[slot] = each
    like = last[slot]
    # rows of one slot need not be equal
    same = ~_differ(codes, codes.take(like, axis=0)) & (tree == tree[like])
    like = np.where(same, like, each)
    return _used(like, len(codes))
