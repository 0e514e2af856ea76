"""Predictions for pairs (row, group), equal rows taken once: what windows, bins, levels and cells have in common."""

from dataclasses import dataclass

import numpy as np

from tauscope.prediction.batches import BatchOptions, BatchPredictor, predict_pairs
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows, distinct_pairs
from tauscope.weights.arrays import Floats, Ints


@dataclass(frozen=True)
class AnsweredPairs:
    """Pairs and the model's answers for them.

    Attributes
    ----------
    index : ndarray of shape (u,)
        Positions of the pairs answered, ascending: all, unless the run was stopped.
    answers : ndarray of shape (q, u, r)
    n_model_rows : int
        Rows the model was called on.
    """

    index: Ints
    answers: Floats
    n_model_rows: int


def predict_distinct_pairs(
    predict: Predict,
    table: Rows,
    columns: tuple[int, ...],
    batches: BatchOptions,
    row: Ints,
    group: Ints,
    n_groups: int,
    values: Floats,
) -> AnsweredPairs:
    """Call the model on pairs of a row and a group that decides what its columns become.

    Parameters
    ----------
    predict, table, batches
        As in `partial_dependence`.
    columns : tuple of int
        The k columns replaced.
    row, group : ndarray of shape (m,)
        The pairs, rows ascending; each occurs once.
    n_groups : int
    values : ndarray of shape (m, r, k)
        What the columns take: r answers for each pair, the same for all pairs of one group.
    """
    pairs = distinct_pairs(table, columns, row, group, n_groups)
    r, k = values.shape[1:]
    chosen = pairs.chosen
    predictor = BatchPredictor(predict, table, columns, batches, total=r * len(chosen))
    points = values[chosen].reshape(-1, k)
    flat, reached = predict_pairs(predictor, np.repeat(row[chosen], r), points, np.repeat(pairs.unit, r))
    index, place = pairs.answered(reached[::r] // r)
    answers = flat.reshape(len(flat), -1, r)
    return AnsweredPairs(index, answers[:, place], predictor.n_model_rows)
