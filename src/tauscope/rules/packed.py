"""A forest's trees and training rows, packed for projection, and the cells of questions about it.

A question is a row and a subset of the features. Those of one row about few features are walked together by a lattice,
others in runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.cells import Cells, find_cells, find_cells_near
from tauscope.rules.checks import Subsets
from tauscope.rules.layout import RowSets, Splits, TreeBlock
from tauscope.rules.min_rows import MIN_ROWS
from tauscope.rules.reading import TrainedForest
from tauscope.rules.walks import Lattice, LatticeWalk, RowWalk
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.checks import check_weights
from tauscope.words import count

LATTICE = 12
"""Most features of which all subsets are walked at once, and one in how many must be asked about."""
SHARE = 1 / 64
QUESTIONS = 512
"""Questions walked together otherwise."""
START = 0.5
"""Cells are looked for first just above the level at which this share of those before had stopped."""
BLOCK = 320_000
MOST_TREES = 32
"""Rows of trees, and trees, that are walked together: fewer calls for small forests, less memory for large ones."""
FEW = 0.3
"""Share of a lattice's subsets up to which each is looked at by itself."""
TOGETHER = 10_240
"""Questions of a lattice whose cells are looked for together, so that these stay in the processor's caches."""


@dataclass(frozen=True, eq=False)
class FoundCells:
    """Cells found together.

    Attributes
    ----------
    block : TreeBlock
    cells : Cells
    question : ndarray of shape (m,)
        For each of their questions, explained row · n_subsets + subset.
    bounds : ndarray of shape (n_bounds,)
        As in `Walk`.
    """

    block: TreeBlock
    cells: Cells
    question: Ints
    bounds: Ints

    @property
    def tree(self) -> Ints:
        """Each question's tree among all."""
        return self.block.first + self.cells.tree[self.cells.cell_of]


class PackedForest:
    """Trees in blocks, the rows they were grown on as bits, and what is asked of them.

    Parameters
    ----------
    read : TrainedForest
    rows : ndarray of shape (n_rows, n_columns)
    groups : tuple of tuple of int
        Columns of each feature.
    max_bytes : int
        Memory for packed sets of rows: all are packed when first needed where they fit; else those that are needed, and
        when it is spent those of the trees just asked are forgotten.
    """

    def __init__(self, read: TrainedForest, rows: Floats, groups: tuple[tuple[int, ...], ...], max_bytes: int) -> None:
        self.read, self.groups = read, groups
        self.n_rows, self.n_columns = rows.shape
        feature_of = np.empty(self.n_columns, dtype=np.int64)
        for feature, columns in enumerate(groups):
            feature_of[list(columns)] = feature
        self.feature_of: Ints = feature_of
        self._gapped: Bools = np.asarray(np.isnan(rows).any(axis=0), dtype=np.bool_)
        self._max_bytes = max_bytes
        self.blocks = self._packed(rows)
        self._starts: dict[int, int] = {}

    @property
    def n_features(self) -> int:
        """Features: columns, or groups of them."""
        return len(self.groups)

    @property
    def n_trees(self) -> int:
        """Trees of the forest."""
        return self.read.trees.n_trees

    @property
    def nbytes(self) -> int:
        """Bytes of the packed sets of rows now in memory, and of where they are."""
        return sum(block.sets.nbytes for block in self.blocks)

    def scale(self, weight: Floats | None) -> Floats | None:
        """Return what multiplies the bootstrap counts, under weights of the training rows; None: nothing."""
        own = self.read.row_weight
        if weight is None:
            return None if (own == 1).all() else own
        return own * check_weights(weight, self.n_rows)

    def compared(self, rows: Floats) -> Compared:
        """Return rows as thresholds are compared with them."""
        return self.read.trees.compared(rows)

    @property
    def n_grown(self) -> int:
        """Rows that a tree was grown on, the least of all trees."""
        return int(self.read.counts.sum(axis=1).min())

    def check_min_rows(self, min_rows: int) -> None:
        """Refuse cells of no row, or of more than a tree was grown on."""
        most = self.n_grown
        if not 1 <= min_rows <= most:
            raise InputError(
                f"min_rows must be from 1 to the {count(most, 'row')} a tree was grown on, got {min_rows}. Give a "
                "smaller one, "
                f"such as {min(MIN_ROWS, most)}."
            )

    def check_subsets(self, subsets: Subsets) -> Bools:
        """Whether each subset has each feature: shape (n_subsets, n_features)."""
        p = self.n_features
        chosen = np.zeros((len(subsets), p), dtype=np.bool_)
        sizes = [len(subset) for subset in subsets]
        named = np.fromiter(chain.from_iterable(subsets), dtype=np.int64, count=sum(sizes))
        unknown = named[(named < 0) | (named >= p)]
        if len(unknown):
            raise InputError(
                f"A subset must name features from 0 to {p - 1}, got {unknown[0]}. Where columns are grouped, name the "
                "group."
            )
        chosen[np.repeat(np.arange(len(subsets)), sizes), named] = True
        return chosen

    def find(self, rows: Floats, subsets: Subsets, min_rows: int) -> Iterator[FoundCells]:
        """Find the cells of every row and subset, some trees after the other."""
        self.check_min_rows(min_rows)
        chosen = self.check_subsets(subsets)
        compared = self.compared(rows)
        used = np.flatnonzero(chosen.any(axis=0))
        if 1 <= len(used) <= LATTICE and len(chosen) > max(SHARE * 2 ** len(used), 8):
            wanted = chosen[:, used] @ (1 << np.arange(len(used)))
            for i in range(len(rows)):
                walks = LatticeWalks(self, compared[i : i + 1], used)
                for block in range(len(self.blocks)):
                    for found in walks.find(block, wanted, min_rows):
                        yield replace(found, question=found.question + i * len(chosen))
        else:
            yield from self._by_rows(compared, chosen, used, min_rows)

    def spare_memory(self, block: int) -> None:
        """Forget the packed sets of a block that was just asked, where all are more than the memory for them."""
        if sum(block.sets.packed_bytes for block in self.blocks) > self._max_bytes:
            self.blocks[block].sets.forget()

    def lattice_walk(self, block: int, row: Compared, lattice: Lattice) -> LatticeWalk:
        """Walk down a block's trees by one row."""
        return LatticeWalk(self.blocks[block].splits, row, lattice, self._gapped)

    def start(self, sizes: Sequence[int]) -> int:
        """Guess the level at which cells of subsets of some sizes may be looked for at once."""
        return min((self._starts.get(size, 0) for size in sizes), default=0)

    def learn_start(self, sizes: Ints, level: Ints) -> None:
        """Learn where the cells of subsets of some sizes stopped."""
        for size in np.unique(sizes).tolist():
            self._starts[size] = int(np.quantile(level[sizes == size], START)) - 1

    def _packed(self, rows: Floats) -> list[TreeBlock]:
        trees = self.read.trees
        by_column = np.ascontiguousarray(trees.compared(rows).T)
        together = min(max(1, BLOCK // self.n_rows), MOST_TREES)
        blocks = list[TreeBlock]()
        for first in range(0, trees.n_trees, together):
            last = min(first + together, trees.n_trees)
            splits = Splits.read(trees, first, last, self.n_columns)
            blocks.append(TreeBlock(first, splits, RowSets(splits, by_column, self.read.counts[first:last])))
        whole = sum(block.sets.most_bytes for block in blocks) <= self._max_bytes
        for block in blocks:
            block.sets.pack_whole = whole
        return blocks

    def _by_rows(self, rows: Compared, chosen: Bools, used: Ints, min_rows: int) -> Iterator[FoundCells]:
        """Questions in runs."""
        columns = np.flatnonzero(np.isin(self.feature_of, used))
        by_column = chosen.T[self.feature_of]
        n = len(rows) * len(chosen)
        for first in range(0, n, QUESTIONS):
            question = np.arange(first, min(first + QUESTIONS, n))
            row, subset = np.divmod(question, len(chosen))
            needed, row_of = np.unique(row, return_inverse=True)
            for k, block in enumerate(self.blocks):
                walk = RowWalk(block.splits, rows[needed], row_of, by_column[:, subset], columns, self._gapped)
                n_trees = block.splits.n_trees
                cells = find_cells(block, walk, np.arange(n_trees * len(row)), min_rows)
                yield FoundCells(block, cells, np.tile(question, n_trees), walk.bounds)
                self.spare_memory(k)


class LatticeWalks:
    """One row's walks down every block of trees, kept from one set of subsets to the next.

    Parameters
    ----------
    forest : PackedForest
    row : ndarray of shape (1, n_columns)
        As compared with thresholds.
    features : ndarray of shape (k,)
        Bit i of a subset stands for the i-th.
    """

    def __init__(self, forest: PackedForest, row: Compared, features: Ints) -> None:
        self._forest, self._row = forest, row
        bit_of_feature = np.full(forest.n_features, -1, dtype=np.int64)
        bit_of_feature[features] = np.arange(len(features))
        self._lattice = Lattice(bit_of_feature[forest.feature_of])
        self._walks: dict[int, LatticeWalk] = {}

    def find(self, block: int, wanted: Ints, min_rows: int, trees: range | None = None) -> Iterator[FoundCells]:
        """Find the cells of some subsets, each as bits, in a block's trees or some of them, a few trees at a time."""
        packed = self._forest.blocks[block]
        if block not in self._walks:
            self._walks[block] = self._forest.lattice_walk(block, self._row, self._lattice)
        lattice = self._walks[block]
        order = np.argsort(wanted, kind="stable")
        subsets = wanted[order]
        sizes = np.bitwise_count(subsets)
        few = len(subsets) <= FEW * lattice.n_questions
        every = np.arange(packed.splits.n_trees) if trees is None else np.array(trees)
        together = max(1, TOGETHER // len(wanted))
        for first in range(0, len(every), together):
            some = every[first : first + together]
            walk = lattice.among(subsets, some) if few else lattice
            own = np.arange(len(subsets)) if few else subsets
            start = self._forest.start(np.unique(sizes).tolist())
            cells = find_cells_near(packed, walk, (some[:, None] * walk.n_questions + own).ravel(), min_rows, start)
            self._forest.learn_start(np.tile(sizes, len(some)), cells.level)
            yield FoundCells(packed, cells, np.tile(order, len(some)), walk.bounds)
        self._forest.spare_memory(block)
