"""Many rows asked about few subsets: rows that go the same ways in every tree share one question.

Two rows in one cell of the grid of a subset's thresholds have the same projected cells, and so the same distribution of
decisions. Of a feature with few values there are few such cells, however many rows.
"""

import numpy as np

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
    columns = _columns(forest, subset)
    compared = forest.trees.compared(np.concatenate([forest.rows, rows]))
    for tree, drawn in enumerate(forest.counts):
        amount = drawn if scale is None else drawn * scale
        share = _sdp_of_tree(forest, tree, compared, columns, drawn, amount, alike, n_least)
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
        columns = _columns(forest, (feature,))
        cells = Grid.of_trees(forest.trees, columns).cells(rows[:, columns])
        # rows of one cell and decision share a question
        questions = np.column_stack([cells, same.lower, same.upper])
        _, first, question_of = np.unique(questions, axis=0, return_index=True, return_inverse=True)
        sdp = forest.sdp(rows[first], [(feature,)], same.some(first), weight=weight, min_rows=options.min_rows)
        values[:, k] = sdp[question_of, 0]
    best = np.round(values / ROUNDING).argmax(axis=1)
    enough = values.max(axis=1) >= options.pi - ROUNDING
    return [(features[best[i]],) if enough[i] else () for i in range(len(rows))]


def _sdp_of_tree(
    forest: ProjectedForest,
    tree: int,
    compared: Compared,
    columns: Ints,
    drawn: Floats,
    amount: Floats,
    alike: Bools,
    min_rows: int,
) -> Floats:
    """Share of the weight in the tree's cells that is decided so: (n_decisions, n_asked); NaN without weight.

    `compared` has the training rows first, then those asked about. Those in one cell of the tree's own grid stand for
    one another.
    """
    splits = Splits.read(forest.trees, tree, tree + 1, forest.n_columns)
    chosen = np.isin(np.arange(forest.n_columns), columns)
    place = np.zeros(len(compared), dtype=np.int64)
    for column in columns.tolist():
        cuts = np.unique(splits.threshold[splits.column == column])
        cell = np.where(np.isnan(compared[:, column]), len(cuts) + 1, np.searchsorted(cuts, compared[:, column]))
        # numbered anew after each column, so that products stay small
        place = np.unique(place * (len(cuts) + 2) + cell, return_inverse=True)[1]
    _, first = np.unique(place, return_index=True)
    n, n_cells = forest.n_rows, len(first)
    count, mass = sums_by(place[:n], drawn, n_cells), sums_by(place[:n], amount, n_cells)
    inside = np.stack([sums_by(place[:n], amount * one, n_cells) for one in alike])
    share = np.full(inside.shape, np.nan)
    for stop in stop_rows(splits, compared[first], chosen, count, min_rows):
        whole = sums_by(stop.member_group, mass[stop.members], stop.n_groups)
        for own, values in zip(inside, share, strict=True):
            part = sums_by(stop.member_group, own[stop.members], stop.n_groups)
            ratio = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
            values[stop.rows] = ratio[stop.group]
    return share[:, place[n:]]


def _columns(forest: ProjectedForest, subset: Features) -> Ints:
    return np.array([column for feature in subset for column in forest.groups[feature]], dtype=np.int64)
