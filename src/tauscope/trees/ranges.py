"""The least and the largest that a tree ensemble adds up to over boxes of rows, tree by tree."""

from dataclasses import dataclass

import numpy as np

from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class ValueBoxes:
    """Boxes of rows as the trees compare them, ends included.

    Attributes
    ----------
    lower, upper : ndarray of shape (m, d)
        −∞ and ∞ where a side is open; of a column of levels, whole numbers from 0. lower > upper where only missing
        values are left.
    missing : ndarray of bool, shape (m, d)
        Whether a value may be missing.
    """

    lower: Floats
    upper: Floats
    missing: Bools

    @property
    def n(self) -> int:
        """Number of boxes."""
        return len(self.lower)

    def take(self, index: Ints | Bools) -> "ValueBoxes":
        """Take some of them, in order."""
        return ValueBoxes(self.lower[index], self.upper[index], self.missing[index])

    def joined(self, other: "ValueBoxes") -> "ValueBoxes":
        """Put others after these."""
        return ValueBoxes(
            np.concatenate([self.lower, other.lower]),
            np.concatenate([self.upper, other.upper]),
            np.concatenate([self.missing, other.missing]),
        )


@dataclass(frozen=True, eq=False)
class SumRanges:
    """What a sum of leaves is enclosed by over each of m boxes.

    Attributes
    ----------
    low, high : ndarray of shape (m,)
        Sum over trees of the least and the largest value of the leaves that rows of the box reach.
    column : ndarray of shape (m,)
        Where the box is best parted; −1 where it lies in one leaf of every tree, so that `low` is `high`.
    cut : ndarray of shape (m,)
        At which value.
    n_leaves : int
        Leaves looked at.
    """

    low: Floats
    high: Floats
    column: Ints
    cut: Floats
    n_leaves: int


def enclose_sums(trees: Ensemble, values: Floats, boxes: ValueBoxes) -> SumRanges:
    """Enclose a sum of leaves over boxes.

    Parameters
    ----------
    trees : Ensemble
    values : ndarray of shape (n_nodes,)
        What a leaf adds.
    boxes : ValueBoxes

    Returns
    -------
    SumRanges
        Parted best at the split, the first in its tree to do so, whose two sides differ most in their least value.
    """
    box = np.repeat(np.arange(boxes.n), trees.n_trees)
    node = np.tile(trees.roots[:-1], boxes.n)
    generations: list[tuple[Ints, Bools]] = []
    while len(node):
        node = _descend(trees, boxes, box, node)
        parted = trees.feature[node] >= 0
        generations.append((node, parted))
        at, box = node[parted], np.tile(box[parted], 2)
        node = np.concatenate([trees.left[at], trees.right[at]])
    low = high = gap = np.empty(0)
    for node, parted in reversed(generations):
        gap = np.abs(np.subtract(*np.split(low, 2)))
        lows, highs = np.minimum(*np.split(low, 2)), np.maximum(*np.split(high, 2))
        low, high = values[node], values[node]
        low[parted], high[parted] = lows, highs
    node, parted = generations[0]
    gaps = np.full(len(node), -1.0)
    gaps[parted] = gap
    best = gaps.reshape(boxes.n, -1).argmax(axis=1) + np.arange(boxes.n) * trees.n_trees
    n_leaves = sum(int((~parted).sum()) for _, parted in generations)
    column, cut = _cuts(trees, boxes, node[best])
    shape = (boxes.n, trees.n_trees)
    return SumRanges(low.reshape(shape).sum(axis=1), high.reshape(shape).sum(axis=1), column, cut, n_leaves)


def part(trees: Ensemble, boxes: ValueBoxes, column: Ints, cut: Floats) -> ValueBoxes:
    """Part each box in two at a cut of a column; missing values, where there may be any, from all others first."""
    at = np.arange(boxes.n), column
    some = boxes.lower[at] <= boxes.upper[at]
    gapped = boxes.missing[at] & some
    first = ValueBoxes(boxes.lower.copy(), boxes.upper.copy(), boxes.missing.copy())
    second = ValueBoxes(boxes.lower.copy(), boxes.upper.copy(), boxes.missing.copy())
    first.upper[at] = np.where(gapped, boxes.upper[at], np.minimum(boxes.upper[at], cut))
    beyond = np.where(np.isin(column, list(trees.split_by_levels)), np.floor(cut) + 1, trees.following(cut))
    second.lower[at] = np.where(gapped, np.inf, np.maximum(boxes.lower[at], beyond))
    second.upper[at] = np.where(gapped, -np.inf, boxes.upper[at])
    first.missing[at] = False
    second.missing[at] = gapped
    return first.joined(second)


def _descend(trees: Ensemble, boxes: ValueBoxes, box: Ints, node: Ints) -> Ints:
    """Go down from each node to the first that parts its box, or to a leaf."""
    node = node.copy()
    moving = np.flatnonzero(trees.feature[node] >= 0)
    while len(moving):
        at = node[moving]
        left, right = _sides(trees, boxes, box[moving], at)
        one = left != right
        moving = moving[one]
        node[moving] = np.where(left[one], trees.left[at[one]], trees.right[at[one]])
        moving = moving[trees.feature[node[moving]] >= 0]
    return node


def _sides(trees: Ensemble, boxes: ValueBoxes, box: Ints, node: Ints) -> tuple[Bools, Bools]:
    """Tell whether a row of the box can go left at the node, and right."""
    at = box, trees.feature[node]
    lower, upper, missing = boxes.lower[at], boxes.upper[at], boxes.missing[at]
    some = lower <= upper
    left = some & (lower <= trees.threshold[node])
    right = some & (upper > trees.threshold[node])
    for i in np.flatnonzero(trees.category[node] >= 0):
        goes_left = trees.left_levels[trees.category[node[i]]]
        codes = np.arange(len(goes_left))
        inside = (codes >= lower[i]) & (codes <= upper[i])
        left[i], right[i] = (goes_left & inside).any(), (~goes_left & inside).any()
    return left | (missing & trees.missing_left[node]), right | (missing & ~trees.missing_left[node])


def _cuts(trees: Ensemble, boxes: ValueBoxes, node: Ints) -> tuple[Ints, Floats]:
    """Say where nodes part boxes: at the threshold; halfway through the codes of a column of levels."""
    column, cut = trees.feature[node], trees.threshold[node].copy()
    by_levels = np.flatnonzero(trees.category[node] >= 0)
    last = trees.left_levels.shape[1] - 1
    ends = (one[by_levels, column[by_levels]] for one in (boxes.lower, boxes.upper))
    lower, upper = (np.clip(end, 0, last) for end in ends)
    cut[by_levels] = np.floor((np.ceil(lower) + np.floor(upper)) / 2)
    return column, cut
