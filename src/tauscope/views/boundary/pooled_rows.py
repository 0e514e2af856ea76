"""Which rows a view pools: those selected, or where none is those misclassified."""

# Decided in docs/decisions/0004-selected-rows-are-pooled-when-a-person-asks.md.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.errors import InputError
from tauscope.results.boundary.pooling import misclassified
from tauscope.views.boundary.pooled_message import MOST_ROWS
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.weights.arrays import Ints

SELECT = "Select rows, in the table or the confusion matrix, to pool what flips their decisions"


class NoRows(InputError):
    """There is nothing to pool, before rows are selected."""


def rows_to_pool(source: Study, selection: Sequence[int]) -> Ints:
    """Return the rows selected, or where there is none those that the model misclassifies.

    Raises
    ------
    NoRows
        Where there are none of these either, or it cannot be told.
    """
    if selection:
        return np.asarray(selection, dtype=np.int64)
    errors = misclassified(source)
    if not len(errors):
        raise NoRows(waiting_words(source, selection))
    return errors


def waiting_words(source: Study, selection: Sequence[int]) -> str:
    """Say which rows are selected, or why some have to be."""
    if selection:
        return f"{count(len(selection), 'row is', 'rows are')} selected."
    if source._outcomes.truth is None:
        return f"{SELECT}. Without true labels nobody knows which rows are misclassified."
    return f"{SELECT}. None of the {count(source.n_rows, 'row')} is misclassified."


def pooling_words(model: str, n: int) -> str:
    """Say what is being computed: "Asking forest about 200 of 812 rows"."""
    rows = count(n, "row")
    return f"Asking {model} about {rows if n <= MOST_ROWS else f'{MOST_ROWS:,} of {rows}'}"
