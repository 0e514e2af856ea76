"""Many rows asked about few subsets: rows that go the same ways in every tree share one question.

Two rows in one cell of the grid of a subset's thresholds have the same projected cells, and so the same distribution of
decisions. Of a feature with few values there are few such cells, however many rows.
"""

from dataclasses import replace

import numpy as np

from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import MIN_ROWS, ProjectedForest
from tauscope.rules.grid import Grid
from tauscope.rules.sufficient import ROUNDING, Features, SearchOptions, find_sufficient, choose_features
from tauscope.weights.arrays import Floats, Ints

AT_ONCE = 2**22
"""Weights of training rows held together, in numbers."""


def shared_sdp(
    forest: ProjectedForest,
    rows: Floats,
    subset: Features,
    same: SameDecision,
    *,
    weight: Floats | None = None,
    min_rows: int = MIN_ROWS,
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
        As in `ProjectedForest.sdp`.

    Returns
    -------
    ndarray of shape (n, m)
        As of `ProjectedForest.sdp` for each row and decision.
    """
    asked, cell_of = _distinct_cells(forest, rows, subset)
    ends = np.column_stack([same.lower, same.upper])
    kinds, kind_of = np.unique(ends, axis=0, return_inverse=True)
    known = np.empty((len(asked), len(kinds)))
    if forest.classes is None:
        _by_cdf(known, forest, asked, subset, kinds, weight, min_rows)
    else:
        for k, (lower, upper) in enumerate(kinds):
            decision = SameDecision(np.full(len(asked), lower), np.full(len(asked), upper))
            known[:, k] = forest.sdp(asked, [subset], decision, weight=weight, min_rows=min_rows)[:, 0]
    return known[cell_of][:, kind_of]


def first_sufficient(
    forest: ProjectedForest,
    rows: Floats,
    same: SameDecision,
    options: SearchOptions,
    *,
    weight: Floats | None = None,
) -> list[Features]:
    """Return one smallest sufficient set of each row, that of `SufficientSets.minimal`; () where none reaches π.

    Parameters
    ----------
    forest : ProjectedForest
    rows : ndarray of shape (n, n_columns)
    same : SameDecision
        One decision for each of `rows`.
    options : SearchOptions
    weight
        As in `ProjectedForest.sdp`.

    Raises
    ------
    InputError
        As `find_sufficient`.
    """
    options = replace(options, every=False, confidence=None)
    features = choose_features(forest, options)
    singles = _sdp_of_singles(forest, rows, same, features, weight, options.min_rows)
    best = np.round(singles / ROUNDING).argmax(axis=1)
    enough = singles.max(axis=1) >= options.pi - ROUNDING
    return [
        (features[best[i]],)
        if enough[i]
        else find_sufficient(forest, rows[i], same.some(slice(i, i + 1)), options, weight=weight).minimal
        for i in range(len(rows))
    ]


def _sdp_of_singles(
    forest: ProjectedForest, rows: Floats, same: SameDecision, features: Features, weight: Floats | None, min_rows: int
) -> Floats:
    """Probability of each row's own decision given one feature: shape (n, n_features searched)."""
    values = np.empty((len(rows), len(features)))
    for k, feature in enumerate(features):
        _, cell_of = _distinct_cells(forest, rows, (feature,))
        questions = np.column_stack([cell_of, same.lower, same.upper])
        _, first, question_of = np.unique(questions, axis=0, return_index=True, return_inverse=True)
        sdp = forest.sdp(rows[first], [(feature,)], same.some(first), weight=weight, min_rows=min_rows)
        values[:, k] = sdp[question_of, 0]
    return values


def _distinct_cells(forest: ProjectedForest, rows: Floats, subset: Features) -> tuple[Floats, Ints]:
    """Return a row of each cell of the subset's grid, and the cell of each row."""
    columns = np.array([column for feature in subset for column in forest.groups[feature]], dtype=np.int64)
    if not len(columns):
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    cells = Grid.of_trees(forest.trees, columns).cells(rows[:, columns])
    _, first, cell_of = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return rows[first], cell_of


def _by_cdf(
    known: Floats,
    forest: ProjectedForest,
    asked: Floats,
    subset: Features,
    ends: Floats,
    weight: Floats | None,
    min_rows: int,
) -> None:
    """Fill in how probable intervals of y are, by differences of the distribution function."""
    order = np.argsort(forest.y, kind="stable")
    below = np.searchsorted(forest.y[order], ends[:, 0], side="left")
    up_to = np.searchsorted(forest.y[order], ends[:, 1], side="right")
    at_once = max(1, AT_ONCE // forest.n_rows)
    for begin in range(0, len(asked), at_once):
        here = slice(begin, begin + at_once)
        weights = forest.weights(asked[here], [subset], weight=weight, min_rows=min_rows)[:, 0, order]
        reached = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
        known[here] = np.clip(reached[:, up_to] - reached[:, below], 0, 1)
