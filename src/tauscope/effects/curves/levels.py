"""Accumulated local effects of levels without an order."""

import numpy as np

from tauscope.effects.curves.accumulated import AccumulatedEffect, effect_of_bins
from tauscope.effects.curves.categories import level_positions, order_by_similarity
from tauscope.effects.curves.grids import Grid
from tauscope.effects.curves.intervals import Interval
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict
from tauscope.prediction.pairs import predict_distinct_pairs
from tauscope.prediction.rows import as_rows, check_columns
from tauscope.weights.checks import check_weights


def accumulated_levels(
    predict: Predict,
    rows: object,
    column: int,
    grid: Grid,
    *,
    categorical: frozenset[int] = frozenset(),
    ordered: bool = False,
    centre: bool = True,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
) -> AccumulatedEffect:
    """Compute the accumulated local effect of a categorical feature.

    Levels are put in order of similarity; the step between two neighbours is the mean change from the first to
    the second, over the rows of both.

    Parameters
    ----------
    predict, rows, sample_weight, interval, batches
        As in `partial_dependence`.
    column : int
    grid : Grid
        Levels, missing among them where it is one.
    categorical : frozenset of int
        Other columns whose values are codes of levels; the rest are compared as numbers.
    ordered : bool, default=False
        Keep the grid's own order of levels.
    centre : bool, default=True
        Subtract the mean over the rows.

    Returns
    -------
    AccumulatedEffect
        Its grid lists the levels in the order used; `n` counts the rows of each. `n_model_rows` is below 3n, and
        below 2n where the answers on the rows as they are were given.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    (column,) = check_columns((column,), table.n_columns)
    weights = check_weights(sample_weight, table.n_rows)
    if grid.kind != "categorical" or len(grid) < 2:
        raise InputError(f"levels need a categorical grid of at least two, got {grid.kind} of {len(grid)}")
    if not ordered:
        order = order_by_similarity(table, column, grid, categorical)
        grid = Grid(grid.values[order], grid.kind, grid.outside[order], grid.exact)
    level = level_positions(table.column(column), grid.values)
    on_grid = np.flatnonzero(level >= 0).astype(np.int64)

    # each row is predicted at its own level and at the one or two neighbours, its answers side by side
    neighbours = np.array([-1, 0, 1])
    at = level[on_grid, None] + neighbours
    exists = ((at >= 0) & (at < len(grid))).ravel()
    row, at = np.repeat(on_grid, 3)[exists], at.ravel()[exists]
    predicted = predict_distinct_pairs(
        predict, table, (column,), batches, row, at, len(grid), grid.values[at][:, None, None]
    )
    answers = predicted.answers[:, :, 0]
    row, at = row[predicted.index], at[predicted.index]
    rising = np.flatnonzero((row[1:] == row[:-1]) & (at[1:] == at[:-1] + 1))
    change = answers[:, rising + 1] - answers[:, rising]
    local = RaggedGroups(row[rising], at[rising], change, len(grid) - 1, table.n_rows)

    position = np.where(level >= 0, level.astype(np.float64), np.nan)
    n_done = len(np.unique(local.row))
    return effect_of_bins(
        local,
        grid,
        column,
        position,
        weights,
        interval,
        n=np.bincount(level[on_grid], minlength=len(grid)).astype(np.int64),
        centre=centre,
        n_model_rows=predicted.n_model_rows,
        source="differences",
        n_done=n_done,
        n_total=len(on_grid),
    )
