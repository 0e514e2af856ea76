"""Steps of the score for metrics of ranks: read in a pass of their own, as many as their sums may take memory."""

from collections.abc import Sequence

import numpy as np

from tauscope.errors import InputError
from tauscope.model.prediction import OutputSpec
from tauscope.rows.first_pass import ColumnSummary
from tauscope.rows.outputs import read_outcomes
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Chunk
from tauscope.stress.bins.layout import Layout
from tauscope.stress.bins.score_ranks import ScoreRanks
from tauscope.stress.bins.weight_powers import count_columns
from tauscope.stress.score_steps import ScoreSteps

MOST, FEWEST = 256, 32
"""Steps."""
MOST_BYTES = 2**28
"""That the cells of all columns in bins may take, where that leaves the fewest steps."""


def most_steps(columns: Sequence[ColumnSummary], layouts: Sequence[Layout | None], *, weighted: bool) -> int:
    """Return how many steps the sums of these columns may tell apart."""
    sums = 0
    for column, layout in zip(columns, layouts, strict=True):
        n_values = max(len(column.levels), column.ranks.n_distinct or 1)
        sums += n_values if layout is None else (1 + layout.order) * len(layout.centres)
    per_step = 8 * 4 * sums * count_columns(1, weighted)
    return int(np.clip(MOST_BYTES // per_step, FEWEST, MOST))


def read_steps(passes: Passes, spec: OutputSpec, model_name: str, most: int = MOST) -> ScoreSteps:
    """Read all scores, calling the model, and lay out their steps.

    Raises
    ------
    InputError
        For rows without scores.
    """
    found: ScoreRanks | None = passes.total(_rank_chunk, spec, model_name, plus=ScoreRanks.__add__)
    if found is None:
        raise InputError("Ranks take a score and y in every row of weight above zero; got none.")
    return found.lay_out(most)


def _rank_chunk(chunk: Chunk, spec: OutputSpec, model_name: str) -> ScoreRanks | None:
    return ScoreRanks.of(read_outcomes(spec, chunk.y, chunk.predict(), model_name), chunk.weight)
