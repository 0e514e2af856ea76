"""Many rows asked about few subsets: rows that go the same ways in every tree share one question.

Two rows in one cell of the grid of a subset's thresholds have the same projected cells, and so the same distribution of
decisions. Of a feature with few values there are few such cells, however many rows.
"""

from weakref import WeakKeyDictionary

import numpy as np

from tauscope.prediction.stopping import steps
from tauscope.rules.checks import check_some_tree
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.grid import Grid
from tauscope.rules.layout import Splits
from tauscope.rules.min_rows import MIN_ROWS, MinRows
from tauscope.rules.partition import stop_rows
from tauscope.rules.sufficient import ROUNDING, Features, SearchOptions, choose_features
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by

SPLITS: WeakKeyDictionary[ProjectedForest, list[Splits]] = WeakKeyDictionary()
"""Of each tree of a forest, as long as it is in use."""


def shared_sdp(
    forest: ProjectedForest,
    rows: Floats,
    subset: Features,
    same: SameDecision,
    *,
    weight: Floats | None = None,
    min_rows: MinRows = MIN_ROWS,
) -> Floats:
    """Return the probability of each of several decisions at each row, given one subset of the features.

    Parameters
    ----------
    forest : ProjectedForest
    rows : ndarray of shape (n, n_columns)
    subset : tuple of int
    same : SameDecision
        m decisions, of whatever rows.
    weight, min_rows
        As in `ProjectedForest`.

    Returns
    -------
    ndarray of shape (n, m)
        As of `ProjectedForest.sdp` for each row and decision.
    """
    n_least = forest.check_min_rows(min_rows)
    ends = np.column_stack([same.lower, same.upper])
    kinds, kind_of = np.unique(ends, axis=0, return_inverse=True)
    alike = (forest.y >= kinds[:, :1]) & (forest.y <= kinds[:, 1:])
    total, n_trees = np.zeros((len(kinds), len(rows))), np.zeros(len(rows))
    scale = forest.scale(weight)
    whole, columns = np.concatenate([forest.rows, rows]), columns_of(forest, subset)
    first, place = distinct_rows(Grid.of_trees(forest.trees, columns), whole[:, columns])
    own, asked = place[: forest.n_rows], place[forest.n_rows :]
    compared, chosen = forest.trees.compared(whole[first]), np.isin(np.arange(forest.n_columns), columns)
    for splits, drawn in steps(zip(splits_by_tree(forest), forest.counts, strict=True)):
        amount = drawn if scale is None else drawn * scale
        sums = np.stack([sums_by(own, one, len(first)) for one in (drawn, amount, *(amount * one for one in alike))])
        share = _sdp_of_tree(splits, compared, chosen, sums, n_least)[:, asked]
        speaks = ~np.isnan(share[0])
        n_trees += speaks
        total += np.where(speaks, share, 0.0)
    check_some_tree(n_trees)
    return np.clip(total / n_trees, 0, 1)[kind_of].T


def sufficient_singles(
    forest: ProjectedForest,
    rows: Floats,
    same: SameDecision,
    options: SearchOptions,
    *,
    weight: Floats | None = None,
) -> list[Features]:
    """Return the one feature that is enough for each row, as in `SufficientSets.minimal`; () where none is.

    Parameters
    ----------
    forest : ProjectedForest
    rows : ndarray of shape (n, n_columns)
    same : SameDecision
        One decision for each of `rows`.
    options : SearchOptions
    weight
        As in `ProjectedForest`.

    Raises
    ------
    InputError
        As `find_sufficient`.
    """
    features = choose_features(forest, options)
    values = np.empty((len(rows), len(features)))
    for k, feature in enumerate(features):
        columns = columns_of(forest, (feature,))
        cells = Grid.of_trees(forest.trees, columns).cells(rows[:, columns])
        # rows of one cell and decision share a question
        questions = np.column_stack([cells, same.lower, same.upper])
        _, first, question_of = np.unique(questions, axis=0, return_index=True, return_inverse=True)
        sdp = forest.sdp(rows[first], [(feature,)], same.some(first), weight=weight, min_rows=options.min_rows)
        values[:, k] = sdp[question_of, 0]
    best = np.round(values / ROUNDING).argmax(axis=1)
    enough = values.max(axis=1) >= options.pi - ROUNDING
    return [(features[best[i]],) if enough[i] else () for i in range(len(rows))]


def _sdp_of_tree(splits: Splits, compared: Compared, chosen: Bools, sums: Floats, min_rows: int) -> Floats:
    """Share of the weight in a tree's cells that is decided so: (n_decisions, n); NaN without weight.

    Parameters
    ----------
    splits : Splits
        Of the tree.
    compared : ndarray of shape (n, n_columns)
        Distinct rows. Those in one cell of the tree's own grid stand for one another.
    chosen : ndarray of bool, shape (n_columns,)
    sums : ndarray of shape (2 + n_decisions, n)
        Of the training rows that each stands for: the bootstrap's counts, weights, and weights decided so.
    min_rows : int
    """
    cuts = [np.unique(splits.threshold[splits.column == column]) for column in np.flatnonzero(chosen)]
    first, place = distinct_rows(Grid(tuple(one.astype(np.float64) for one in cuts)), compared[:, chosen])
    count, mass, *inside = (sums_by(place, one, len(first)) for one in sums)
    share = np.full((len(inside), len(first)), np.nan)
    for stop in stop_rows(splits, compared[first], chosen, count, min_rows):
        whole = sums_by(stop.member_group, mass[stop.members], stop.n_groups)
        for own, values in zip(inside, share, strict=True):
            part = sums_by(stop.member_group, own[stop.members], stop.n_groups)
            ratio = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
            values[stop.rows] = ratio[stop.group]
    return share[:, place]


def distinct_rows(grid: Grid, values: Compared) -> tuple[Ints, Ints]:
    """Return a row of each cell of a grid that has one, and the place of every row's (n, k) cell among these."""
    place = np.zeros(len(values), dtype=np.int64)
    for axis, cuts in enumerate(grid.thresholds):
        cells = Grid((cuts,), grid.single_precision).cells(values[:, [axis]].astype(np.float64))[:, 0]
        # numbered anew after each column, so that products stay small
        place = np.unique(place * (len(cuts) + 2) + cells, return_inverse=True)[1]
    return np.unique(place, return_index=True)[1], place


def splits_by_tree(forest: ProjectedForest) -> list[Splits]:
    """Return the splits of each tree, read once."""
    if forest not in SPLITS:
        each = range(forest.n_trees)
        SPLITS[forest] = [Splits.read(forest.trees, tree, tree + 1, forest.n_columns) for tree in each]
    return SPLITS[forest]


def columns_of(forest: ProjectedForest, subset: Features) -> Ints:
    """Return the columns of some features."""
    return np.array([column for feature in subset for column in forest.groups[feature]], dtype=np.int64)
