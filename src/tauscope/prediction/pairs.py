"""Asking about pairs (row, group), rows alike taken once: what windows, bins, levels and cells have in common."""

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
    kept : ndarray of shape (u,)
        Positions of the pairs answered, ascending: all, unless the run was stopped.
    answers : ndarray of shape (q, u, r)
    n_model_rows : int
        Rows the model was asked about.
    """

    kept: Ints
    answers: Floats
    n_model_rows: int


def answer_pairs(
    predict: Predict,
    table: Rows,
    columns: tuple[int, ...],
    asking: BatchOptions,
    row: Ints,
    group: Ints,
    n_groups: int,
    values: Floats,
) -> AnsweredPairs:
    """Ask the model about pairs of a row and a group that decides what its columns become.

    Parameters
    ----------
    predict, table, asking
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
    asker = BatchPredictor(predict, table, columns, asking, total=r * len(chosen))
    asked = values[chosen].reshape(-1, k)
    found, reached = predict_pairs(asker, np.repeat(row[chosen], r), asked, np.repeat(pairs.unit, r))
    kept, place = pairs.kept(reached[::r] // r)
    answers = found.reshape(len(found), -1, r)
    return AnsweredPairs(kept, answers[:, place], asker.n_model_rows)
