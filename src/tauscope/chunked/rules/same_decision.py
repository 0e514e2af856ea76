"""How probable the decision of every row in chunks is, given some of its values: chunk by chunk, by one forest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.chunked.rules.counts import entries_of
from tauscope.errors import InputError
from tauscope.rows.reading import Chunk
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.model.prediction import OutputSpec
    from tauscope.rows.passes import Passes
    from tauscope.study.rules.same_decision import OwnDecisions


def chunked_same_decision(passes: Passes, probabilities: OwnDecisions, output_spec: OutputSpec) -> Floats:
    """Return the probability of each row's own decision, in the order of the chunks: shape (n_rows,).

    Parameters
    ----------
    passes : Passes
    probabilities : OwnDecisions
        Of the sample that the forest was fitted on; handed to each process once.
    output_spec : OutputSpec
        How the model's answers are read.

    Raises
    ------
    InputError
        For rows with a level that the sample lacks, where it is among the values given.
    """
    found: Floats | None = passes.total(_of_chunk, probabilities, output_spec, plus=_joined)
    return np.empty(0) if found is None else found


def _of_chunk(chunk: Chunk, probabilities: OwnDecisions, output_spec: OutputSpec) -> Floats:
    table, columns = probabilities.forest.table, {column.name: column for column in chunk.columns}
    entries = np.tile(table.rows[0], (chunk.n_rows, 1))  # what is not given does not count
    for k in probabilities.subset:
        entries[:, k] = entries_of(table.columns[k], columns)
        if np.isneginf(entries[:, k]).any():
            raise InputError(
                f"The sample lacks a level of {table.columns[k].name!r} that rows have. Give a larger sample, or leave "
                "it out of the subset."
            )
    return probabilities(entries, output_spec(chunk.predict()).predicted.astype(np.float64))


def _joined(a: Floats, b: Floats) -> Floats:
    return np.concatenate([a, b])
