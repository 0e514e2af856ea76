"""Asking the model: bounded batches, copies of a row side by side, every row counted, a way to stop."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.prediction.outputs import Predict, as_outputs
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints

Progress = Callable[[int, int], object]

BATCH_BYTES = 32 * 2**20
BATCH_ROWS = 200_000


@dataclass(frozen=True)
class BatchOptions:
    """How a model is asked.

    Attributes
    ----------
    batch_rows : int or None
        Most rows in one call of predict; None: 200,000, or fewer where 32 MiB of float64 hold fewer.
    progress : callable or None
        Called as progress(rows asked, rows to ask) after each batch. Where it returns something true the run
        stops and the result says how far it came.
    predicted : ndarray of shape (n_rows,) or (n_rows, q) or None
        The model's answers on the rows as they are; used wherever a value asked about is the row's own.
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
    """One run's conversation with the model: some columns of some rows replaced, answers back.

    Attributes
    ----------
    n_model_rows : int
        Rows the model was asked about so far.
    stopped : bool
        Whether the progress hook, or an interrupt, asked to stop.
    """

    def __init__(
        self, predict: Predict, rows: Rows, columns: tuple[int, ...], asking: BatchOptions, *, total: int
    ) -> None:
        self.n_model_rows = 0
        self.stopped = False
        self.batch_rows = asking.rows_per_batch(rows.n_columns)
        self._predict = predict
        self._rows = rows
        self._columns = columns
        self._progress = asking.progress
        self._total = total
        self._asked = 0
        self._n_outputs: int | None = None
        self._known: Floats | None = None
        if asking.predicted is not None:
            self._known = as_outputs(asking.predicted, rows.n_rows)
            self._own = np.column_stack([rows.column(column) for column in columns])

    def ask(self, index: Ints, values: Floats) -> Floats:
        """Answers for rows `index` with the columns set to `values` (m, k): shape (q, m)."""
        if self._known is None:
            return self._answers(index, values)
        own = self._own[index]
        unknown = np.flatnonzero(~np.all((own == values) | (np.isnan(own) & np.isnan(values)), axis=1))
        answers = self._known[:, index]
        if len(unknown):
            fresh = self._answers(index[unknown], values[unknown])
            if len(fresh) != len(answers):
                raise InputError(
                    f"predicted must have as many responses as predict returns, got {len(answers)} and {len(fresh)}"
                )
            answers[:, unknown] = fresh
        return answers

    def _answers(self, index: Ints, values: Floats) -> Floats:
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
        return self._asked > 0

    def report(self, n_asked: int) -> None:
        """Tell the progress hook of `n_asked` more rows, and note whether it wants to stop."""
        self._asked += n_asked
        if self._progress is not None and self._progress(self._asked, self._total):
            self.stopped = True


def evenly_spaced(n: int, n_per_part: int) -> list[Ints]:
    """Cut 0 … n-1 into parts of at most `n_per_part`, each spread evenly over the whole.

    A run stopped between parts has then seen an even sample of the rows, whatever order they came in.
    """
    n_parts = -(-n // max(1, n_per_part))
    return [np.arange(part, n, n_parts, dtype=np.int64) for part in range(n_parts)]


def predict_by_row(asker: BatchPredictor, index: Ints, points: Floats) -> Iterator[tuple[Ints, Floats]]:
    """Ask about every row at every point, copies of a row side by side.

    Parameters
    ----------
    asker : BatchPredictor
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
    for part in evenly_spaced(len(index), asker.batch_rows // m):
        try:
            answers = _ask_part(asker, index[part], points)
        except KeyboardInterrupt:
            if not asker.begun:
                raise
            asker.stopped = True
            return
        yield part, answers
        asker.report(len(part) * m)
        if asker.stopped:
            return


def _ask_part(asker: BatchPredictor, index: Ints, points: Floats) -> Floats:
    m = len(points)
    if m <= asker.batch_rows:
        answers = asker.ask(np.repeat(index, m), np.tile(points, (len(index), 1)))
        return answers.reshape(len(answers), len(index), m)
    pieces = [
        asker.ask(np.repeat(index, len(piece)), piece) for piece in np.array_split(points, -(-m // asker.batch_rows))
    ]
    return np.concatenate(pieces, axis=1)[:, None, :]


def predict_pairs(asker: BatchPredictor, index: Ints, values: Floats, unit: Ints) -> tuple[Floats, Ints]:
    """Ask about pairs (row, values), those of one unit in one batch wherever a batch holds them.

    Parameters
    ----------
    asker : BatchPredictor
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
    parts = evenly_spaced(n_units, max(1, asker.batch_rows * n_units // m))
    if len(parts) == 1:
        together = asker.ask(index, values)
        asker.report(m)
        return together, np.arange(m, dtype=np.int64)
    batch = (unit % len(parts)).astype(np.int64)
    order = np.argsort(batch, kind="stable")
    ends = np.cumsum(np.bincount(batch, minlength=len(parts)))
    answers: list[Floats] = []
    done = 0
    for end in ends:
        chosen = order[done:end]
        try:
            answers.append(asker.ask(index[chosen], values[chosen]))
        except KeyboardInterrupt:
            if not asker.begun:
                raise
            asker.stopped = True
            break
        done = int(end)
        asker.report(len(chosen))
        if asker.stopped:
            break
    reached = order[:done]
    back = np.argsort(reached, kind="stable")
    return np.concatenate(answers, axis=1)[:, back], reached[back].astype(np.int64)
