"""What is unusual about a model's answers: they change when it is asked again, or labels contradict scores."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.data.frames import Table, read_table, take_rows
from tauscope.data.sparse import SparseTable
from tauscope.model.calls import Model
from tauscope.model.output import ModelOutput
from tauscope.model.prediction import OutputSpec
from tauscope.words import count

Floats = NDArray[np.float64]

ROWS_AGAIN = 8
MOST_TEXT = 300
ROUNDING = 1e-6
"""Difference, relative to the largest answer, that batches of another size make in float32; ten times that of the range
of the answers moves no number that is shown."""


@dataclass(frozen=True, eq=False)
class SecondAnswers:
    """Answers for some rows that the model was asked about before.

    Attributes
    ----------
    rows : ndarray of int
        Positions among the first rows.
    output : ModelOutput or None
        None where the model raised.
    problem : str
        What it raised; "" for nothing.
    """

    rows: NDArray[np.intp]
    output: ModelOutput | None = None
    problem: str = ""


def ask_again(model: Model, table: Table) -> SecondAnswers:
    """Ask a model again about a few rows, in another order and, of more rows than one, in another batch."""
    n = min(ROWS_AGAIN, (table.n_rows + 1) // 2)
    rows = np.linspace(table.n_rows - 1, 0, n).astype(np.intp)
    some = table.take(rows) if isinstance(table, SparseTable) else read_table(take_rows(table.native, rows))
    try:
        return SecondAnswers(rows, model.ask(some))
    except Exception as error:  # whatever it is, the first answers are there
        return SecondAnswers(rows, problem=f"{type(error).__name__}: {str(error)[:MOST_TEXT]}")


def consistency_notes(
    spec: OutputSpec, output: ModelOutput, second: SecondAnswers | None, method: str = ""
) -> tuple[str, ...]:
    """Say what is unusual about answers.

    Parameters
    ----------
    spec : OutputSpec
    output : ModelOutput
        For all rows.
    second : SecondAnswers or None
        None where there is no model to ask.
    method : str
        What gave the scores.
    """
    notes = () if second is None else (_repeated(spec, output, second),)
    return tuple(note for note in (*notes, _contradicted(spec, output, method)) if note)


def _repeated(spec: OutputSpec, output: ModelOutput, second: SecondAnswers) -> str:
    """Say whether rows were answered otherwise the second time."""
    n = len(second.rows)
    if second.output is None:
        return f"the model cannot be asked again about {count(n, 'of its rows', 'of its rows')}: {second.problem}"
    try:
        first, again = spec(output), spec(second.output)
    except ValueError as error:
        return f"the model answers in another form when asked again about {n} of its rows: {error}"
    changed = first.predicted[second.rows] != again.predicted
    by = 0.0
    numbers = [(first.score, again.score), (first.scores, again.scores)]
    if spec.task == "regression":
        changed[:] = False
        numbers = [(first.predicted, again.predicted)]
    for before, after in numbers:
        if before is not None and after is not None:
            apart = np.abs(after - before[second.rows]).reshape(n, -1).max(1)
            by = max(by, float(apart.max()))
            changed |= apart > ROUNDING * (float(np.abs(before).max()) + 10 * float(np.ptp(before)))
    if not changed.any():
        return ""
    amount = f", by up to {by:.2g}" if by else ""
    return (
        f"the model answers differently when asked again: {int(changed.sum())} of {count(n, 'row')} changed{amount}, "
        "in another order and batch. Fix its seed, switch dropout off, or let no answer depend on other rows"
    )


def _contradicted(spec: OutputSpec, output: ModelOutput, method: str) -> str:
    """Say whether labels are not those of the scores for most rows."""
    if spec.source != "labels" or output.scores is None:
        return ""
    raw = spec.arrange(output.scores, output.names)
    predicted = spec(output).predicted.astype(np.intp)
    if raw.ndim == 2:
        scores = raw[:, list(spec.columns)]
        against = scores[np.arange(len(scores)), predicted] < scores.max(1)
    else:
        probable = method != "decision_function" and raw.min() >= 0 and raw.max() <= 1
        side = np.sign(raw - (0.5 if probable else 0))
        against = side * (1 if spec.flip else -1) * (2 * predicted - 1) > 0
    part = float(against.mean())
    if part <= 0.5:
        return ""
    return (
        f"the labels contradict the scores in {100 * part:.0f} % of rows, where another class has the higher score: "
        "check the order of the classes, and the threshold of predict"
    )
