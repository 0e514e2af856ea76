"""A box grown around a row, as far as it holds no row that has to stay outside.

Sides lie on a grid, one axis a feature: the ends of the forest's projected cells. One side after the other is moved out
to just before the first row that would come in and must not; in which order decides what is reached, so that several
orders are tried and the box that holds most weight is kept.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from tauscope.weights.arrays import Bools, Floats, Ints

N_ORDERS = 24
"""Orders of the sides that are tried: all where two features have four sides, a sample where there are more."""


@dataclass(frozen=True, eq=False)
class GridBox:
    """Cells first … last on each axis of a grid, both inside.

    Attributes
    ----------
    first, last : ndarray of int, shape (k,)
    """

    first: Ints
    last: Ints

    def inside(self, cells: Ints) -> Bools:
        """Tell which rows (n, k) lie in it."""
        within: Bools = (cells >= self.first) & (cells <= self.last)
        return np.logical_and.reduce(within, axis=1)


def grow_box(
    cells: Ints,
    allowed: Bools,
    weight: Floats,
    start: GridBox,
    n_cells: Ints,
    *,
    n_orders: int = N_ORDERS,
    seed: int = 0,
) -> GridBox:
    """Grow a box to hold as much weight as it can without a row that is not allowed.

    Parameters
    ----------
    cells : ndarray of int, shape (n, k)
        Cell of each row on each axis.
    allowed : ndarray of bool, shape (n,)
    weight : ndarray of shape (n,)
        Not negative; rows without weight are as if they were not there.
    start : GridBox
        Holds no row that is not allowed, and stays inside.
    n_cells : ndarray of int, shape (k,)
        Of each axis.
    n_orders : int
        Orders of the sides that are tried, beside the greedy one.
    seed : int
        Draws the orders where not all are tried.

    Returns
    -------
    GridBox
        No side of it can be moved out alone. Of boxes that hold the same weight the one with most cells, then the
        first tried.
    """
    some = weight > 0
    growth = _Growth(cells[some & allowed], cells[some & ~allowed], weight[some & allowed], n_cells)
    candidates = [growth.greedily(start)]
    candidates += [growth.in_order(start, order) for order in _orders(2 * len(n_cells), n_orders, seed)]
    return max(candidates, key=growth.size)


def _orders(n_sides: int, n_orders: int, seed: int) -> list[tuple[int, ...]]:
    if n_sides <= 4:
        return list(permutations(range(n_sides)))[:n_orders]
    random = np.random.default_rng(seed)
    return [tuple(random.permutation(n_sides).tolist()) for _ in range(n_orders)]


@dataclass(frozen=True, eq=False)
class _Growth:
    """Rows that count, rows that must stay outside, and the grid's size.

    A side is numbered 2 · axis for the lower one and 2 · axis + 1 for the upper one.
    """

    good: Ints
    bad: Ints
    weight: Floats
    n_cells: Ints

    def in_order(self, box: GridBox, order: tuple[int, ...]) -> GridBox:
        """Move the sides out one after the other."""
        for side in order:
            box = self._moved_out(box, side)
        return box

    def greedily(self, box: GridBox) -> GridBox:
        """Move out the side that brings in most weight, again and again."""
        left = list(range(2 * len(self.n_cells)))
        while left:
            grown = [self._moved_out(box, side) for side in left]
            best = max(range(len(left)), key=lambda i: self.size(grown[i]))
            box = grown[best]
            left.pop(best)
        return box

    def size(self, box: GridBox) -> tuple[float, float]:
        """Weight of the rows it holds, and the share of the grid's cells."""
        cells = np.prod((box.last - box.first + 1) / self.n_cells)
        return round(float(self.weight[box.inside(self.good)].sum()), 9), float(cells)

    def _moved_out(self, box: GridBox, side: int) -> GridBox:
        """Move a side to just before the first row that must stay outside."""
        axis, upper = divmod(side, 2)
        across = np.delete(np.arange(len(self.n_cells)), axis)
        beside = GridBox(box.first[across], box.last[across]).inside(self.bad[:, across])
        at = self.bad[beside, axis]
        first, last = box.first.copy(), box.last.copy()
        if upper:
            last[axis] = at[at > box.last[axis]].min(initial=self.n_cells[axis]) - 1
        else:
            first[axis] = at[at < box.first[axis]].max(initial=-1) + 1
        return GridBox(first, last)
