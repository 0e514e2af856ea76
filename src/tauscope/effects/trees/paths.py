"""Which leaves a row can reach when one feature is left open: the trees' paths, level by level.

With feature s left open, both branches are taken at every split on s and the row's own at every other. A pair
(node, s) stands for the rows that reach the node that way, (node, none) for those that reach it as they are. The
rows of a child's pair follow from a pair of its parent by one intersection at most:

- (child, none): the parent's own rows that meet the split's condition;
- (child, s), the split not on s: the parent's (·, s) rows that meet the condition;
- (child, s), the split on s: all of the parent's (·, s) rows, or all its own where s was not met before.

Nothing here depends on the rows: paths are traced once and serve any number of them.
"""

from dataclasses import dataclass

import numpy as np

from tauscope.effects.trees.cells import Cells, Cuts, find_cuts
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Ints

NONE = -1


@dataclass(frozen=True)
class Level:
    """Pairs at one depth.

    Attributes
    ----------
    source : ndarray of shape (P,)
        Pair of the level above whose rows each one takes; empty at the roots.
    condition : ndarray of shape (m,)
        The first m pairs keep those that meet a condition: number c of `Paths.conditions` for going left, c + C
        (C conditions) for going right.
    plain : ndarray
        Positions of (leaf, none).
    opened : ndarray
        Positions of (leaf, s).
    """

    source: Ints
    condition: Ints
    plain: Ints
    opened: Ints


@dataclass(frozen=True)
class Paths:
    """Paths of some trees, each of some features left open in turn.

    Attributes
    ----------
    n_trees : int
    levels : tuple of Level
        The first one's pairs are the roots.
    conditions : ndarray of shape (C,)
        A node for each distinct condition.
    leaf : ndarray of shape (L,)
        Node of each (leaf, none), in the order the levels list them.
    opened_leaf : ndarray of shape (M,)
        For each (leaf, s), which of the L is the same leaf.
    opened_feature : ndarray of shape (M,)
        Its s, as a position among the features left open.
    cells : Cells
        Part of the grid of s for which it is reached, for each of the M.
    """

    n_trees: int
    levels: tuple[Level, ...]
    conditions: Ints
    leaf: Ints
    opened_leaf: Ints
    opened_feature: Ints
    cells: Cells


@dataclass(frozen=True)
class _Frontier:
    """Nodes at one depth and their pairs."""

    node: Ints
    pair_node: Ints  # position among the nodes
    pair_open: Ints  # position among the features left open, or NONE
    cells: Cells


def trace_paths(trees: Ensemble, first: int, last: int, features: Ints, points: list[Compared]) -> Paths:
    """Trace the paths of trees `first` … `last` − 1.

    Parameters
    ----------
    trees : Ensemble
    first, last : int
    features : ndarray of shape (F,)
        Columns left open in turn, distinct.
    points : list of ndarray
        Grid of each, ascending, without a missing point, as compared with thresholds.
    """
    nodes = slice(int(trees.roots[first]), int(trees.roots[last]))
    n_columns = int(max(trees.feature.max(initial=0), features.max())) + 1
    position = np.full(n_columns, NONE, dtype=np.int64)
    position[features] = np.arange(len(features))
    cuts = find_cuts(trees, nodes, position, points)
    conditions, condition_of = _distinct_conditions(trees, nodes)
    sizes = np.array([len(grid) for grid in points], dtype=np.int64)

    roots = trees.roots[first:last]
    none = np.full(len(roots), NONE, dtype=np.int64)
    start = Cells.whole(np.zeros(len(roots), dtype=np.int64), cuts.levels_left.shape[1])
    frontier = _Frontier(roots, np.arange(len(roots), dtype=np.int64), none, start)
    nothing = np.empty(0, dtype=np.int64)
    source, condition = nothing, nothing
    levels: list[Level] = []
    leaf: list[Ints] = []
    opened_leaf: list[Ints] = []
    opened_feature: list[Ints] = []
    cells: list[Cells] = []
    n_leaves = 0
    while len(frontier.node):
        at_leaf = (trees.feature[frontier.node] < 0)[frontier.pair_node]
        is_plain = frontier.pair_open == NONE
        plain = np.flatnonzero(at_leaf & is_plain).astype(np.int64)
        opened = np.flatnonzero(at_leaf & ~is_plain).astype(np.int64)
        levels.append(Level(source, condition, plain, opened))
        number = np.full(len(frontier.node), NONE, dtype=np.int64)
        number[frontier.pair_node[plain]] = n_leaves + np.arange(len(plain))
        n_leaves += len(plain)
        leaf.append(frontier.node[frontier.pair_node[plain]])
        opened_leaf.append(number[frontier.pair_node[opened]])
        opened_feature.append(frontier.pair_open[opened])
        cells.append(frontier.cells.take(opened))
        frontier, source, condition = _descend(trees, frontier, nodes.start, position, cuts, condition_of, sizes)
        condition = condition[0] + len(conditions) * condition[1]
    return Paths(
        last - first,
        tuple(levels),
        conditions,
        np.concatenate(leaf),
        np.concatenate(opened_leaf),
        np.concatenate(opened_feature),
        Cells.concatenate(cells),
    )


def trace_together(
    trees: Ensemble, first: int, last: int, features: Ints, points: list[Compared], missing: list[bool]
) -> tuple[Paths, list[Cells]]:
    """Trace the paths of trees `first` … `last` − 1 with several features left open at once.

    Parameters
    ----------
    trees, first, last, features, points
        As in `trace_paths`.
    missing : list of bool
        Whether each grid has a missing point.

    Returns
    -------
    paths : Paths
        To the leaves that some point of the grids leads to, without any (leaf, s).
    cells : list of Cells
        Of each feature: the part of its grid for which each leaf is reached.
    """
    nodes = slice(int(trees.roots[first]), int(trees.roots[last]))
    position = np.full(int(max(trees.feature.max(initial=0), features.max())) + 1, NONE, dtype=np.int64)
    position[features] = np.arange(len(features))
    cuts = find_cuts(trees, nodes, position, points)
    conditions, condition_of = _distinct_conditions(trees, nodes)
    nothing = np.empty(0, dtype=np.int64)
    node, n_levels = trees.roots[first:last], cuts.levels_left.shape[1]
    open_cells: list[Cells] = [Cells.whole(np.full(len(node), len(grid), dtype=np.int64), n_levels) for grid in points]
    for cell, has_missing in zip(open_cells, missing, strict=True):
        cell.missing[:] = has_missing
    source, condition = nothing, nothing
    levels, leaf, ends = list[Level](), list[Ints](), list[list[Cells]]()
    while len(node):
        inner = np.flatnonzero(trees.feature[node] >= 0)
        plain = np.flatnonzero(trees.feature[node] < 0).astype(np.int64)
        levels.append(Level(source, condition, plain, nothing))
        leaf.append(node[plain])
        ends.append([cell.take(plain) for cell in open_cells])
        split = position[trees.feature[node[inner]]]
        parents = [np.tile(inner[split == NONE], 2), np.tile(inner[split != NONE], 2)]
        parent = np.concatenate(parents).astype(np.int64)
        right = np.concatenate([np.arange(len(one)) >= len(one) // 2 for one in parents])
        at, open_at = node[parent], position[trees.feature[node[parent]]]
        below: list[Cells] = [cell.take(parent) for cell in open_cells]
        for number, cell in enumerate(below):
            here = np.flatnonzero(open_at == number).astype(np.int64)
            cell.put(here, cuts.apply(cell.take(here), at[here] - nodes.start, right[here]))
        led_to = np.all([cell.any(len(grid)) for cell, grid in zip(below, points, strict=True)], axis=0)
        condition = (condition_of[at - nodes.start] + len(conditions) * right)[led_to & (open_at == NONE)]
        open_cells = [cell.take(np.flatnonzero(led_to).astype(np.int64)) for cell in below]
        source, node = parent[led_to], np.where(right, trees.right[at], trees.left[at])[led_to]
    cells = [Cells.concatenate(list(one)) for one in zip(*ends, strict=True)]
    none = cells[0].take(nothing)
    return Paths(last - first, tuple(levels), conditions, np.concatenate(leaf), nothing, nothing, none), cells


def _descend(
    trees: Ensemble,
    frontier: _Frontier,
    offset: int,
    position: Ints,
    cuts: Cuts,
    condition_of: Ints,
    sizes: Ints,
) -> tuple[_Frontier, Ints, Ints]:
    """Children of every inner node: the next frontier, the pairs it comes from, and (condition, right) of each."""
    node, pair_node, pair_open = frontier.node, frontier.pair_node, frontier.pair_open
    inner = np.flatnonzero(trees.feature[node] >= 0)
    split = np.full(len(node), NONE, dtype=np.int64)
    split[inner] = position[trees.feature[node[inner]]]
    child = np.full(len(node), NONE, dtype=np.int64)
    child[inner] = np.arange(len(inner))

    pairs = np.flatnonzero(child[pair_node] != NONE)
    node_split = split[pair_node[pairs]]
    is_none = pair_open[pairs] == NONE
    on_split = ~is_none & (pair_open[pairs] == node_split)
    split_before = np.zeros(len(node), dtype=np.bool_)
    split_before[pair_node[pairs[on_split]]] = True
    # a feature met before has its own pairs already: opening it again would count its rows twice
    opens = is_none & (node_split != NONE) & ~split_before[pair_node[pairs]]
    meeting, splitting, opening = pairs[~on_split], pairs[on_split], pairs[opens]

    def both(index: Ints) -> tuple[Ints, Bools]:
        return np.concatenate([index, index]), np.repeat(np.array([False, True]), len(index))

    same, same_right = both(meeting)
    cut, cut_right = both(np.concatenate([splitting, opening]))
    n_split = len(splitting)
    fresh = np.concatenate([np.arange(len(cut) // 2) >= n_split] * 2)
    cut_node = node[pair_node[cut]] - offset
    cut_open = split[pair_node[cut]]
    before = frontier.cells.take(cut)
    whole = Cells.whole(sizes[cut_open], before.levels.shape[1])
    before = Cells(
        np.where(fresh, whole.low, before.low),
        np.where(fresh, whole.high, before.high),
        before.missing | fresh,
        before.levels | fresh[:, None],
    )
    parent = np.concatenate([same, cut]).astype(np.int64)
    right = np.concatenate([same_right, cut_right])
    tested = condition_of[node[pair_node[same]] - offset]
    below = _Frontier(
        np.concatenate([trees.left[node[inner]], trees.right[node[inner]]]),
        child[pair_node[parent]] + len(inner) * right,
        np.concatenate([pair_open[same], cut_open]),
        Cells.concatenate([frontier.cells.take(same), cuts.apply(before, cut_node, cut_right)]),
    )
    return below, parent, np.stack([tested, same_right.astype(np.int64)])


def _distinct_conditions(trees: Ensemble, nodes: slice) -> tuple[Ints, Ints]:
    """Find a node for each distinct condition among some nodes, and each node's condition (−1 at leaves)."""
    inner = np.flatnonzero(trees.feature[nodes] >= 0)
    table = np.stack(
        [
            trees.feature[nodes][inner].astype(np.float64),
            trees.threshold[nodes][inner],
            trees.missing_left[nodes][inner].astype(np.float64),
            trees.category[nodes][inner].astype(np.float64),
        ]
    )
    order = np.lexsort(table[::-1])
    ordered = table[:, order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any(ordered[:, 1:] != ordered[:, :-1], axis=0)
    condition_of = np.full(nodes.stop - nodes.start, NONE, dtype=np.int64)
    condition_of[inner[order]] = np.cumsum(new) - 1
    return (nodes.start + inner[order[new]]).astype(np.int64), condition_of
