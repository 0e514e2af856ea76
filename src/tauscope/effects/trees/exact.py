"""Partial dependence of a tree ensemble by traversal, without calling the model: the same numbers."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from tauscope.effects.curves.dependence import PartialDependence, check_grids, partial_dependence
from tauscope.effects.curves.grids import Grid, custom_grid, grid_notes
from tauscope.effects.curves.intervals import Interval
from tauscope.effects.trees.traversal import CHUNK, mean_curves, row_curves
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, split_evenly
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows, as_rows, check_columns
from tauscope.trees.adapters import read_trees
from tauscope.trees.checked import CHECKED_ROWS, CheckedTrees
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_weights

CURVE_BYTES = 2**26  # of individual curves computed at once, besides those returned


def exact_dependence(
    estimator: Any,
    predict: Predict,
    rows: object,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    *,
    response: str,
    outputs: tuple[int, ...] | None = None,
    batches: BatchOptions | None = None,
    **options: Any,
) -> PartialDependence:
    """Compute partial dependence and individual curves of a tree ensemble by traversal.

    Exact for every response, as curves are followed row by row and a link (a probability from a boosted margin)
    is applied to each before they are averaged. Where the estimator cannot be read, or its answers on some rows
    are not those of the trees read, the model is called instead, and `unread` says why.

    Parameters
    ----------
    estimator : fitted scikit-learn estimator
    predict : callable
        The responses, as in `partial_dependence`: the trees are checked against it, and it is
        called where they cannot be read.
    rows : 2-D array or Rows
        Of numeric columns in the order the estimator was fitted on.
    columns : tuple of int
        One feature, or two.
    grids : tuple of Grid
        One for each.
    response : {"predict", "predict_proba", "decision_function"}
        The estimator's method that `predict` stands for.
    outputs : tuple of int, optional
        Which of its responses `predict` returns, in order; None: all.
    batches, **options
        As in `partial_dependence`.

    Returns
    -------
    PartialDependence
        `n_model_rows` counts the rows the model was called on as a check.
    """
    table, batches = as_rows(rows), batches or BatchOptions()
    columns = check_columns(columns, table.n_columns)
    check_grids(columns, grids)
    answers, unread = None, ""
    try:
        answers = read_answers(read_trees(estimator, response, outputs), predict, table, columns, grids, batches)
    except UnreadableModel as reason:
        unread = str(reason)
    found = partial_dependence(predict, table, columns, grids, batches=batches, answers=answers, **options)
    return replace(found, unread=unread) if unread else found


class TreeAnswers:
    """Answers read from trees; see `tauscope.effects.curves.dependence.GridAnswers`."""

    def __init__(
        self, checked: CheckedTrees, columns: tuple[int, ...], grids: tuple[Grid, ...], batches: BatchOptions
    ) -> None:
        self._checked, self._rows, self._progress = checked, checked.rows, batches.progress
        self._columns = np.array([checked.column_of(column) for column in columns], dtype=np.int64)
        pairs = zip(columns, grids, strict=True)
        self._points, self._places = zip(*(checked.points(column, grid.values) for column, grid in pairs), strict=True)
        self.n_model_rows, self.n_trees = checked.n_model_rows, checked.trees.n_trees

    def __call__(self, index: Ints) -> Iterator[tuple[Ints, Floats]]:
        """Follow the rows along the grid, some at a time."""
        trees, places, n_done = self._checked.trees, self._places, 0
        n_points = int(np.prod([len(place) for place in places]))
        n_outputs = len(trees.answers(trees.offset[:, None]))
        for batch in split_evenly(len(index), max(CHUNK, CURVE_BYTES // (8 * n_outputs * n_points))):
            raw = row_curves(trees, self._rows[index[batch]], self._columns, list(self._points))
            answers = trees.answers(raw)[(slice(None), slice(None), *np.ix_(*places))]
            yield batch, answers.reshape(*answers.shape[:2], -1)
            n_done += len(batch)
            if self._progress is not None and self._progress(n_done * n_points, len(index) * n_points):
                return

    def part(self, inside: Ints) -> "TreeAnswers":
        """Return the answers for some of the rows; the rows asked about as a check count for the first such part."""
        part = copy(self)
        part._rows, self.n_model_rows = self._rows[inside], 0
        return part


def read_answers(
    model: TreeModel,
    predict: Predict,
    rows: Rows,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    batches: BatchOptions,
    most_checked: int = CHECKED_ROWS,
) -> TreeAnswers:
    """Check trees on some rows, and return what gives their answers at every point.

    Raises
    ------
    UnreadableModel
        Where the model's answers are others.
    """
    points = {column: grid.values for column, grid in zip(columns, grids, strict=True)}
    checked = CheckedTrees(model, predict, rows, points, batch_rows=batches.batch_rows, most_checked=most_checked)
    return TreeAnswers(checked, columns, grids, batches)


def exact_dependences(
    estimator: Any,
    predict: Predict,
    rows: object,
    columns: Sequence[int],
    grids: Sequence[Grid],
    *,
    response: str,
    outputs: tuple[int, ...] | None = None,
    sample_weight: object = None,
    batches: BatchOptions | None = None,
) -> tuple[PartialDependence, ...]:
    """Compute partial dependence on many features at once, without individual curves and intervals.

    Sums of leaves are exact where the response is the trees' sum: a regression value, a forest's probability, a
    boosted margin. The probability of a boosted classifier is not: its features are followed row by row, one
    after another, as in `exact_dependence`.

    Parameters
    ----------
    estimator, predict, rows, response, outputs, sample_weight, batches
        As in `exact_dependence`.
    columns : sequence of int
    grids : sequence of Grid
        One for each; `threshold_grid` gives one with a point in every cell.

    Returns
    -------
    tuple of PartialDependence
        Without `ice`; `lower` and `upper` are NaN where no row was followed by itself.
    """
    table = as_rows(rows)
    batches = batches or BatchOptions()
    columns = check_columns(tuple(columns), table.n_columns)
    weights = check_weights(sample_weight, table.n_rows)
    by_column = dict(zip(columns, grids, strict=True))
    try:
        model, points = read_trees(estimator, response, outputs), {c: grid.values for c, grid in by_column.items()}
        checked = CheckedTrees(model, predict, table, points, batch_rows=batches.batch_rows)
    except UnreadableModel as reason:
        return tuple(
            replace(
                partial_dependence(predict, table, (c,), (g,), sample_weight=weights, batches=batches, ice_bytes=0),
                unread=str(reason),
            )
            for c, g in by_column.items()
        )
    if checked.trees.link != "identity":
        return tuple(
            partial_dependence(
                predict,
                table,
                (c,),
                (g,),
                sample_weight=weights,
                ice_bytes=0,
                answers=TreeAnswers(checked, (c,), (g,), batches),
            )
            for c, g in by_column.items()
        )
    tree_columns = np.array([checked.column_of(column) for column in columns], dtype=np.int64)
    places = [checked.points(column, grid.values) for column, grid in by_column.items()]
    plain = None if sample_weight is None else weights
    curves = mean_curves(checked.trees, checked.rows, tree_columns, [values for values, _ in places], plain)
    results: list[PartialDependence] = []
    for (column, grid), curve, (_, place) in zip(by_column.items(), curves, places, strict=True):
        unknown = np.full((len(curve), len(grid)), np.nan)
        results.append(
            PartialDependence(
                columns=(column,),
                grids=(grid,),
                effect=curve[:, place],
                lower=unknown,
                upper=unknown.copy(),
                interval=Interval(),
                seed=None,
                n=np.full(len(grid), table.n_rows, dtype=np.int64),
                mass=np.full(len(grid), weights.sum()),
                sample_weight=weights,
                n_model_rows=checked.n_model_rows // len(columns),
                n_done=table.n_rows,
                n_total=table.n_rows,
                notes=(*grid_notes((grid,)), "no interval and no bounds: rows were not followed one by one"),
                ice=None,
                ice_rows=np.arange(table.n_rows, dtype=np.int64),
                n_trees=checked.trees.n_trees,
            )
        )
    return tuple(results)


def sums_leaves(estimator: Any, response: str, outputs: tuple[int, ...] | None = None) -> bool:
    """Tell whether a response is the sum of an ensemble's leaves, so that `exact_dependences` adds them up at once.

    A regression's value, a forest's probability and a boosted margin are; a boosted probability is not, nor is
    anything of an estimator that cannot be read.
    """
    try:
        return read_trees(estimator, response, outputs).trees.link == "identity"
    except UnreadableModel:
        return False


def threshold_grid(estimator: Any, column: int, values: Floats) -> Grid:
    """Make a grid with one point in every cell that the trees cut a numeric feature into.

    Parameters
    ----------
    estimator : fitted scikit-learn tree ensemble
    column : int
    values : ndarray of shape (n_rows,)
        The feature.

    Returns
    -------
    Grid
        Every threshold, each the last value of its cell, and a point above the highest; missing where a value is.
        Between two points partial dependence jumps once and is flat otherwise.

    Raises
    ------
    InputError
        Where the estimator cannot be read, or does not split this column by thresholds.
    """
    response = "predict_proba" if classifies(estimator) else "predict"
    try:
        model = read_trees(estimator, response)
    except UnreadableModel as reason:
        raise InputError(f"thresholds can be read from tree ensembles only: {reason}") from reason
    trees = model.trees
    if not 0 <= column < len(model.column_of):
        raise InputError(f"column must be one of 0 … {len(model.column_of) - 1}, got {column}")
    here = trees.feature == model.column_of[column]
    if np.any(trees.category[here] >= 0) or not here.any():
        raise InputError(f"column {column} is not split by thresholds: use the values that occur")
    thresholds = np.unique(trees.threshold[here])
    above = max(float(np.nanmax(values)), float(trees.compared(thresholds[-1:] + abs(thresholds[-1]) * 1e-6 + 1e-6)[0]))
    points = np.append(thresholds, above)
    return custom_grid(np.append(points, np.nan) if np.isnan(values).any() else points, values)
