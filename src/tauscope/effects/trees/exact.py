"""Partial dependence of a tree ensemble by traversal, without calling the model: the same numbers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tauscope.effects.curves.dependence import ICE_BYTES, PartialDependence, partial_dependence
from tauscope.effects.curves.grids import Grid, custom_grid, grid_notes
from tauscope.effects.curves.intervals import Interval
from tauscope.effects.curves.means import StreamingMeans
from tauscope.effects.trees.traversal import CHUNK, mean_curves, row_curves
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, split_evenly
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import as_rows, check_columns
from tauscope.trees.adapters import read_trees
from tauscope.trees.checked import CheckedTrees
from tauscope.trees.tree_model import UnreadableModel, classifies
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_weights

CURVE_BYTES = 2**26  # of individual curves computed at once, besides those returned


def exact_dependence(
    estimator: Any,
    predict: Predict,
    rows: object,
    column: int,
    grid: Grid,
    *,
    response: str,
    outputs: tuple[int, ...] | None = None,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
    ice_bytes: int = ICE_BYTES,
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
    column : int
    grid : Grid
    response : {"predict", "predict_proba", "decision_function"}
        The estimator's method that `predict` stands for.
    outputs : tuple of int, optional
        Which of its responses `predict` returns, in order; None: all.
    sample_weight, interval, batches, ice_bytes
        As in `partial_dependence`.

    Returns
    -------
    PartialDependence
        `n_model_rows` counts the rows the model was called on as a check.
    """
    table = as_rows(rows)
    batches = batches or BatchOptions()
    (column,) = check_columns((column,), table.n_columns)
    try:
        checked = CheckedTrees(
            estimator,
            predict,
            table,
            {column: grid.values},
            response=response,
            outputs=outputs,
            batch_rows=batches.batch_rows,
        )
    except UnreadableModel as reason:
        dependence = partial_dependence(
            predict,
            table,
            (column,),
            (grid,),
            sample_weight=sample_weight,
            interval=interval,
            batches=batches,
            ice_bytes=ice_bytes,
        )
        return replace(dependence, unread=str(reason))
    weights = check_weights(sample_weight, table.n_rows)
    return _by_rows(checked, column, grid, weights, interval or Interval(), batches, ice_bytes)


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
        checked = CheckedTrees(
            estimator,
            predict,
            table,
            {column: grid.values for column, grid in by_column.items()},
            response=response,
            outputs=outputs,
            batch_rows=batches.batch_rows,
        )
    except UnreadableModel as reason:
        return tuple(
            replace(
                partial_dependence(predict, table, (c,), (g,), sample_weight=weights, batches=batches, ice_bytes=0),
                unread=str(reason),
            )
            for c, g in by_column.items()
        )
    if checked.trees.link != "identity":
        return tuple(_by_rows(checked, c, g, weights, Interval(), batches, 0) for c, g in by_column.items())
    tree_columns = np.array([checked.column_of(column) for column in columns], dtype=np.int64)
    points = [checked.points(column, grid.values) for column, grid in by_column.items()]
    plain = None if sample_weight is None else weights
    curves = mean_curves(checked.trees, checked.rows, tree_columns, [values for values, _ in points], plain)
    results: list[PartialDependence] = []
    for (column, grid), curve, (_, place) in zip(by_column.items(), curves, points, strict=True):
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


def _by_rows(
    checked: CheckedTrees,
    column: int,
    grid: Grid,
    weights: Floats,
    interval: Interval,
    batches: BatchOptions,
    ice_bytes: int,
) -> PartialDependence:
    """Follow every row along the grid, some rows at a time."""
    n, n_points = len(weights), len(grid)
    values, place = checked.points(column, grid.values)
    tree_column = checked.column_of(column)
    q = len(checked.trees.answers(checked.trees.offset[:, None]))
    keep = q * n * n_points * 8 <= ice_bytes
    ice = np.full((q, n, n_points), np.nan) if keep else None
    means = StreamingMeans(interval, n, seed := interval.seed())
    reached = np.zeros(n, dtype=np.bool_)
    for batch in split_evenly(n, max(CHUNK, CURVE_BYTES // (8 * q * n_points))):
        answers = checked.trees.answers(row_curves(checked.trees, checked.rows[batch], tree_column, values))[
            :, :, place
        ]
        means.add(answers, weights[batch])
        if ice is not None:
            ice[:, batch] = answers
        reached[batch] = True
        n_done = int(np.count_nonzero(reached))
        if batches.progress is not None and batches.progress(n_done * n_points, n * n_points):
            break
    rows = np.flatnonzero(reached).astype(np.int64)
    effect, lower, upper = means.result()
    return PartialDependence(
        columns=(column,),
        grids=(grid,),
        effect=effect,
        lower=lower,
        upper=upper,
        interval=interval,
        seed=seed,
        n=np.full(n_points, len(rows), dtype=np.int64),
        mass=np.full(n_points, means.weight),
        sample_weight=weights,
        n_model_rows=checked.n_model_rows,
        n_done=len(rows),
        n_total=n,
        notes=grid_notes((grid,)),
        ice=ice if ice is None or len(rows) == n else ice[:, rows],
        ice_rows=rows,
        n_trees=checked.trees.n_trees,
    )
