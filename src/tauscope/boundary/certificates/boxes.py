"""The boxes of leaves a ball around a point meets: columns' ends, and how far away each lies."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from tauscope.boundary.certificates.moves import Moves, UncertifiedModel
from tauscope.pipelines.affine import AffineMap
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints

ROUNDING = 8 * float(np.finfo(np.float64).eps)
SLACK = 1e-9  # of a radius: a box that far beyond it is kept


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes in the columns that may move, those of one group one after the other.

    Attributes
    ----------
    group : ndarray of shape (m,)
        From 0 up, none left out.
    value : ndarray of shape (m,)
        What each adds to the margin.
    lower, upper : ndarray of shape (m, k)
    cost : ndarray of shape (m, k)
        Distance from the point along each column, squared for norm 2: a box is as far as their sum says.
    """

    group: Ints
    value: Floats
    lower: Floats
    upper: Floats
    cost: Floats

    def take(self, index: Ints | Bools) -> "Boxes":
        """Take some of them, in order."""
        return Boxes(self.group[index], self.value[index], self.lower[index], self.upper[index], self.cost[index])

    def numbered(self, group: int) -> "Boxes":
        """All of them as one group."""
        return replace(self, group=np.full(len(self.group), group, dtype=np.int64))

    @classmethod
    def joined(cls, parts: "list[Boxes]") -> "Boxes":
        """Several after one another."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    @cached_property
    def first(self) -> Ints:
        """Where each group begins."""
        return np.flatnonzero(np.diff(self.group, prepend=-1))

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.first)

    @cached_property
    def total(self) -> Floats:
        """Cost over all columns, shape (m,)."""
        return self.cost.sum(axis=1)


@dataclass(frozen=True, eq=False)
class Start:
    """One point, in the columns that may move.

    Attributes
    ----------
    point, unit, lower, upper : ndarray of shape (k,)
    whole : ndarray of bool, shape (k,)
        Columns in which the point is, and stays, a whole number.
    place : ndarray of shape (p,)
        Which of the k a column is; −1 for one that stays.
    norm : {1, 2}
    seen : ndarray of shape (d,)
        The point as compared with thresholds.
    """

    point: Floats
    unit: Floats
    lower: Floats
    upper: Floats
    whole: Bools
    place: Ints
    norm: int
    seen: Compared

    @classmethod
    def of(cls, moves: Moves, row: int, seen: Compared) -> "Start":
        """Take a row's."""
        free = np.flatnonzero(moves.unit[row] > 0)
        place = np.full(moves.points.shape[1], -1, dtype=np.int64)
        place[free] = np.arange(len(free))
        point = moves.points[row, free]
        whole = np.logical_and(moves.whole[free], point == np.floor(point))
        return cls(
            point, moves.unit[row, free], moves.lower[row, free], moves.upper[row, free], whole, place, moves.norm, seen
        )

    def costs(self, column: Ints, lower: Floats, upper: Floats) -> Floats:
        """Cost of reaching [lower, upper] in columns, ∞ where no value of the column lies in it."""
        whole = self.whole[column]
        lower = np.maximum(np.where(whole, np.ceil(lower), lower), self.lower[column])
        upper = np.minimum(np.where(whole, np.floor(upper), upper), self.upper[column])
        point = self.point[column]
        length = np.maximum(np.maximum(lower - point, point - upper), 0.0) / self.unit[column]
        return np.where(lower > upper, np.inf, length * length if self.norm == 2 else length)


class TreeBoxes:
    """Splits of an ensemble as ends of boxes in the columns of the points.

    Parameters
    ----------
    trees : Ensemble
    column_of : ndarray of shape (d,)
        Column that each of the trees' is read from, −1 where it depends on none.
    slope, offset : ndarray of shape (d,)
        The trees see slope · x + offset, slope above 0.
    exact : bool
        Whether that is x itself, without rounding.
    """

    def __init__(self, trees: Ensemble, column_of: Ints, slope: Floats, offset: Floats, exact: bool) -> None:
        self.trees = trees
        feature = np.maximum(trees.feature, 0)
        self.column = np.where(trees.feature < 0, -1, column_of[feature])
        if trees.single_precision:
            # x is rounded to the nearest float32: it goes left up to half way to the next one
            single = trees.threshold.astype(np.float32)
            following = np.nextafter(single, np.float32(np.inf)).astype(np.float64)
            left = right = (trees.threshold + following) / 2
        else:
            left, right = trees.threshold, np.nextafter(trees.threshold, np.inf)
        if not exact:
            a, b = np.where(slope > 0, slope, 1.0)[feature], offset[feature]
            left, right = (left - b) / a, (right - b) / a
            rounding = ROUNDING * (np.abs(left) + np.abs(b / a))
            left, right = left + rounding, right - rounding
        self.left_upper, self.right_lower = left, right

    @classmethod
    def behind(cls, trees: Ensemble, steps: AffineMap) -> "TreeBoxes":
        """Read an ensemble behind affine steps, each of whose columns is made of one."""
        n_sources = np.count_nonzero(steps.matrix, axis=1)
        column_of = np.where(n_sources > 0, np.argmax(steps.matrix != 0, axis=1), -1)
        slope = steps.matrix[np.arange(len(column_of)), np.maximum(column_of, 0)]
        if (n_sources > 1).any() or (slope < 0).any():
            raise UncertifiedModel("a step before the trees mixes columns, so that no leaf is a box")
        return cls(trees, column_of, slope, steps.offset, steps.is_identity)

    def within(self, start: Start, values: Floats, radius: float) -> Boxes:
        """Find the leaves whose box meets the ball: by descent, dropping what lies outside.

        Parameters
        ----------
        start : Start
        values : ndarray of shape (n_nodes,)
            What each leaf adds to the margin.
        radius : float
        """
        trees, k = self.trees, len(start.point)
        largest = power(radius, start.norm) * (1 + SLACK)
        node, tree = trees.roots[:-1].copy(), np.arange(trees.n_trees)
        boxes = Boxes(tree, np.zeros(len(node)), *(np.full((len(node), k), end) for end in (-np.inf, np.inf, 0.0)))
        found: list[Boxes] = []
        while len(node):
            leaf = trees.feature[node] < 0
            ended = boxes.take(leaf)
            found.append(Boxes(ended.group, values[node[leaf]], ended.lower, ended.upper, ended.cost))
            inner = ~leaf
            node, boxes = node[inner], boxes.take(inner)
            node, boxes = self._children(start, node, boxes, largest)
        everything = Boxes.joined(found)
        return everything.take(np.argsort(everything.group, kind="stable"))

    def _children(self, start: Start, node: Ints, boxes: Boxes, largest: float) -> tuple[Ints, Boxes]:
        column = self.column[node]
        place = np.where(column < 0, -1, start.place[column])
        here_left = self.trees.goes_left(node, start.seen[self.trees.feature[node]])
        by_level = self.trees.category[node] >= 0
        sides: list[tuple[Ints, Boxes]] = []
        for left in (True, False):
            child = self.trees.left[node] if left else self.trees.right[node]
            # a column that stays goes its way; levels may change, to which and at what cost is left open
            open_ = np.flatnonzero((place >= 0) | (here_left == left))
            moved = boxes.take(open_)
            split = np.flatnonzero((place[open_] >= 0) & ~by_level[open_])
            at = place[open_[split]]
            if left:
                moved.upper[split, at] = np.minimum(moved.upper[split, at], self.left_upper[node[open_[split]]])
            else:
                moved.lower[split, at] = np.maximum(moved.lower[split, at], self.right_lower[node[open_[split]]])
            moved.cost[split, at] = start.costs(at, moved.lower[split, at], moved.upper[split, at])
            near = moved.total <= largest
            sides.append((child[open_][near], moved.take(near)))
        return np.concatenate([nodes for nodes, _ in sides]), Boxes.joined([moved for _, moved in sides])


def power(radius: float, norm: int) -> float:
    """Cost of a distance."""
    return radius * radius if norm == 2 else radius
