"""Accumulated local effects from derivatives: the model's own gradient, or differences over a small step."""

from dataclasses import replace

import numpy as np

from tauscope.effects.curves.accumulated import (
    AccumulatedEffect,
    ChangeSource,
    effect_of_bins,
    rows_in_bins,
)
from tauscope.effects.curves.grids import Grid
from tauscope.effects.curves.intervals import Interval
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, BatchPredictor, predict_pairs
from tauscope.prediction.outputs import Predict, as_outputs
from tauscope.prediction.rows import Rows, as_rows, check_columns
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_weights

STEP = 1e-4  # of the range: wide enough for answers in single precision
PROBED = 500


def derivative_effect(
    rows: object,
    column: int,
    grid: Grid,
    *,
    gradient: Floats | None = None,
    predict: Predict | None = None,
    step: float | None = None,
    require_smooth: bool = True,
    centre: bool = True,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
) -> AccumulatedEffect:
    """Accumulate the mean derivative of each bin (DALE).

    Parameters
    ----------
    rows, sample_weight, interval, batches
        As in `partial_dependence`.
    column : int
    grid : Grid
        Its points are the bins' edges; any other bins cost the model nothing more.
    gradient : ndarray of shape (n_rows,) or (n_rows, q), optional
        Derivative of each response along the feature, at the rows as they are.
    predict : callable, optional
        Where there is no gradient: the model is called at x ± step, on 2n rows.
    step : float, optional
        In the feature's unit; None: 1e-4 of its range.
    require_smooth : bool, default=True
        Refuse a model that is flat between jumps, as trees are. False for a model known to be smooth that may be
        flat in most places, as a network is whose units noise has saturated.
    centre : bool, default=True
        Subtract the mean over the rows.

    Returns
    -------
    AccumulatedEffect

    Raises
    ------
    InputError
        Where neither a gradient nor a model is given, or under `require_smooth` the model is flat between jumps.

    References
    ----------
    Gkolemis, Dalamagas and Diou, "DALE: Differential accumulated local effects for efficient and accurate
    global explanations", 2022, eq 9.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    (column,) = check_columns((column,), table.n_columns)
    weights = check_weights(sample_weight, table.n_rows)
    edges, position, inside, bins = rows_in_bins(table.column(column), grid)

    source: ChangeSource = "gradient"
    n_total, n_model_rows = len(inside), 0
    if gradient is not None:
        slopes = as_outputs(gradient, table.n_rows)[:, inside]
    elif predict is not None:
        source = "finite differences"
        slopes, reached, n_model_rows = finite_differences(
            predict, table, column, inside, step, batches, require_smooth=require_smooth
        )
        inside, bins = inside[reached], bins[reached]
    else:
        raise InputError("Derivatives need a gradient, or predict to take differences of; got neither. Give one.")
    local = RaggedGroups(inside, bins, slopes * np.diff(edges.values)[bins], len(edges) - 1, table.n_rows)
    effect = effect_of_bins(
        local,
        edges,
        column,
        position,
        weights,
        interval,
        n=np.append(0, local.counts()),
        centre=centre,
        n_model_rows=n_model_rows,
        source=source,
        n_done=len(inside),
        n_total=n_total,
    )
    span = float(np.nanmax(table.column(column)) - np.nanmin(table.column(column)))
    if source == "gradient" or step is None or step <= span:
        return effect
    note = f"the step, {step:g}, is longer than the feature's range, {span:g}: the slopes are those of where no row is"
    return replace(effect, notes=(*effect.notes, note))


def finite_differences(
    predict: Predict,
    rows: Rows,
    column: int,
    index: Ints,
    step: float | None,
    batches: BatchOptions,
    *,
    require_smooth: bool = True,
) -> tuple[Floats, Ints, int]:
    """Take central differences of the answer along one feature.

    Returns
    -------
    slopes : ndarray of shape (q, len(reached))
    reached : ndarray
        Positions in `index` that were reached.
    n_model_rows : int

    Raises
    ------
    InputError
        Under `require_smooth`, where the answer does not move over the step though it does over the feature's range.
    """
    values = rows.column(column)
    span = float(np.nanmax(values) - np.nanmin(values))
    width = STEP * span if step is None else float(step)
    if not 0 < width < np.inf:
        raise InputError(f"step must be positive and finite, got {width}")
    x = values[index]
    batches = BatchOptions(batches.batch_rows, batches.progress)
    predictor = BatchPredictor(predict, rows, (column,), batches, total=2 * len(index))
    ends = np.stack([x - width, x + width], axis=1).reshape(-1, 1)
    if (ends[::2] == ends[1::2]).any():
        raise InputError(
            f"a step of {width:g} is lost in the rounding of values as large as {np.abs(x).max():g}: give a longer "
            "step, or subtract what they have in common"
        )
    unit = np.repeat(np.arange(len(index), dtype=np.int64), 2)
    answers, answered = predict_pairs(predictor, np.repeat(index, 2), ends, unit)
    reached = answered[::2] // 2
    change = np.diff(answers.reshape(len(answers), -1, 2), axis=2)[:, :, 0]
    n_model_rows = predictor.n_model_rows
    if require_smooth:
        n_model_rows += _check_smooth(predict, rows, column, index[reached], change, batches)
    return change / (ends[1::2, 0] - ends[::2, 0])[reached], reached, n_model_rows


def _check_smooth(predict: Predict, rows: Rows, column: int, index: Ints, change: Floats, batches: BatchOptions) -> int:
    """Refuse a model that is flat between jumps; return the rows the model was called on for it."""
    if np.count_nonzero(change) > 0.2 * change.size:
        return 0
    probed = index[:: max(1, len(index) // PROBED)]
    values = rows.column(column)
    ends = np.array([np.nanmin(values), np.nanmax(values)])[:, None]
    predictor = BatchPredictor(predict, rows, (column,), BatchOptions(batches.batch_rows), total=2 * len(probed))
    unit = np.repeat(np.arange(len(probed), dtype=np.int64), 2)
    answers, _ = predict_pairs(predictor, np.repeat(probed, 2), np.tile(ends, (len(probed), 1)), unit)
    overall = np.diff(answers.reshape(len(answers), -1, 2), axis=2)
    if np.count_nonzero(overall) > 0.2 * overall.size:
        raise InputError(
            f"Derivatives need a smooth model; over a small step the answer moves in {np.count_nonzero(change)} "
            f"of {change.size} cases, over the whole range in {np.count_nonzero(overall)} of {overall.size}. "
            "Use kind='ale', which takes differences across bins."
        )
    return predictor.n_model_rows
