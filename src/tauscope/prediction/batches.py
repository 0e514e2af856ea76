"""A model called in batches of bounded size: copies of a row side by side, every row counted, a way to stop."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.prediction.outputs import Predict, as_outputs
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints

Progress = Callable[[int, int], object]
Over = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Applies a function to units as `map` does: columns, rows or replicates, which know nothing of one another."""

BATCH_BYTES = 32 * 2**20
BATCH_ROWS = 200_000


@dataclass(frozen=True)
class BatchOptions:
    """How a model is called.

    Attributes
    ----------
    batch_rows : int or None
        Most rows in one call of predict; None: 200,000, or fewer where 32 MiB of float64 hold fewer.
    progress : callable or None
        Called as progress(rows done, rows in all) after each batch. Where it returns something true the run
        stops and the result says how far it came.
    predicted : ndarray of shape (n_rows,) or (n_rows, q) or None
        The model's answers on the rows as they are; used wherever a value put in is the one the row has.
    """

    batch_rows: int | None = None
    progress: Progress | None = None
    predicted: Floats | None = None

    def rows_per_batch(self, n_columns: int) -> int:
        """Rows of `n_columns` columns in one call of predict."""
        if self.batch_rows is None:
            return int(np.clip(BATCH_BYTES // (8 * n_columns), 1_000, BATCH_ROWS))
        if self.batch_rows < 1:
            raise InputError(f"batch_rows must be at least 1, got {self.batch_rows}")
        return int(self.batch_rows)


class BatchPredictor:
    """The calls of one run: some columns of some rows replaced, answers back.

    Attributes
    ----------
    n_model_rows : int
        Rows in all calls so far.
    stopped : bool
        Whether the progress hook, or an interrupt, asked to stop.
    """

    def __init__(
        self, predict: Predict, rows: Rows, columns: tuple[int, ...], batches: BatchOptions, *, total: int
    ) -> None:
        self.n_model_rows = 0
        self.stopped = False
        self.batch_rows = batches.rows_per_batch(rows.n_columns)
        self._predict = predict
        self._rows = rows
        self._columns = columns
        self._progress = batches.progress
        self._total = total
        self._n_done = 0
        self._n_outputs: int | None = None
        self._predicted: Floats | None = None
        if batches.predicted is not None:
            self._predicted = as_outputs(batches.predicted, rows.n_rows)
            self._original_columns = np.column_stack([rows.column(column) for column in columns])

    def predict(self, index: Ints, values: Floats) -> Floats:
        """Return answers for rows `index` with the columns set to `values` (m, k): shape (q, m)."""
        if self._predicted is None:
            return self._call(index, values)
        original = self._original_columns[index]
        changed = np.flatnonzero(~np.all((original == values) | (np.isnan(original) & np.isnan(values)), axis=1))
        answers = self._predicted[:, index]
        if len(changed):
            answered = self._call(index[changed], values[changed])
            if len(answered) != len(answers):
                raise InputError(
                    f"predicted must have as many responses as predict returns, got {len(answers)} and {len(answered)}"
                )
            answers[:, changed] = answered
        return answers

    def _call(self, index: Ints, values: Floats) -> Floats:
        answer = self._predict(self._rows.substituted(index, self._columns, values))
        outputs = as_outputs(answer, len(index))
        if self._n_outputs not in (None, len(outputs)):
            raise InputError(
                f"predict must return as many responses each time, got {self._n_outputs} and then {len(outputs)}"
            )
        self._n_outputs = len(outputs)
        self.n_model_rows += len(index)
        return outputs

    @property
    def begun(self) -> bool:
        """Whether any batch has been answered."""
        return self._n_done > 0

    def report(self, n_rows: int) -> None:
        """Tell the progress hook of `n_rows` more rows, and note whether it wants to stop."""
        self._n_done += n_rows
        if self._progress is not None and self._progress(self._n_done, self._total):
            self.stopped = True


def split_evenly(n: int, n_per_part: int) -> list[Ints]:
    """Cut 0 … n-1 into parts of at most `n_per_part`, each spread evenly over the whole.

    A run stopped between parts has then seen an even sample of the rows, whatever order they came in.
    """
    n_parts = -(-n // max(1, n_per_part))
    return [np.arange(part, n, n_parts, dtype=np.int64) for part in range(n_parts)]


def predict_by_row(predictor: BatchPredictor, index: Ints, points: Floats) -> Iterator[tuple[Ints, Floats]]:
    """Predict every row at every point, copies of a row side by side.

    Parameters
    ----------
    predictor : BatchPredictor
    index : ndarray of shape (u,)
        Rows.
    points : ndarray of shape (m, k)
        Values the columns take in turn.

    Yields
    ------
    part : ndarray
        Positions in `index`.
    answers : ndarray of shape (q, len(part), m)
    """
    m = len(points)
    for part in split_evenly(len(index), predictor.batch_rows // m):
        try:
            answers = _predict_grid(predictor, index[part], points)
        except KeyboardInterrupt:  # keeps what is answered: a person who stops a long run wants its curve so far
            if not predictor.begun:
                raise
            predictor.stopped = True
            return
        yield part, answers
        predictor.report(len(part) * m)
        if predictor.stopped:
            return


def _predict_grid(predictor: BatchPredictor, index: Ints, points: Floats) -> Floats:
    m = len(points)
    if m <= predictor.batch_rows:
        answers = predictor.predict(np.repeat(index, m), np.tile(points, (len(index), 1)))
        return answers.reshape(len(answers), len(index), m)
    pieces = [
        predictor.predict(np.repeat(index, len(piece)), piece)
        for piece in np.array_split(points, -(-m // predictor.batch_rows))
    ]
    return np.concatenate(pieces, axis=1)[:, None, :]


def predict_pairs(predictor: BatchPredictor, index: Ints, values: Floats, unit: Ints) -> tuple[Floats, Ints]:
    """Predict pairs (row, values), those of one unit in one batch wherever a batch holds them.

    Parameters
    ----------
    predictor : BatchPredictor
    index : ndarray of shape (m,)
        Row of each pair.
    values : ndarray of shape (m, k)
        Values its columns take.
    unit : ndarray of shape (m,)
        Ascending numbers 0, 1, …; pairs of one unit are answered together or not at all.

    Returns
    -------
    answers : ndarray of shape (q, len(reached))
    reached : ndarray
        Positions of the pairs answered, ascending: all, unless the run was stopped.
    """
    m = len(index)
    if m == 0:
        return np.empty((1, 0)), np.empty(0, dtype=np.int64)
    n_units = int(unit[-1]) + 1
    parts = split_evenly(n_units, max(1, predictor.batch_rows * n_units // m))
    if len(parts) == 1:
        together = predictor.predict(index, values)
        predictor.report(m)
        return together, np.arange(m, dtype=np.int64)
    # every so-many-th unit to a batch, as in `split_evenly`: a stopped run has seen an even sample of the rows
    batch = (unit % len(parts)).astype(np.int64)
    order = np.argsort(batch, kind="stable")
    ends = np.cumsum(np.bincount(batch, minlength=len(parts)))
    answers: list[Floats] = []
    done = 0
    for end in ends:
        chosen = order[done:end]
        try:
            answers.append(predictor.predict(index[chosen], values[chosen]))
        except KeyboardInterrupt:
            if not predictor.begun:
                raise
            predictor.stopped = True
            break
        done = int(end)
        predictor.report(len(chosen))
        if predictor.stopped:
            break
    reached = order[:done]
    back = np.argsort(reached, kind="stable")
    return np.concatenate(answers, axis=1)[:, back], reached[back].astype(np.int64)
