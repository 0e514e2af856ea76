"""Which features a model's answer varies with most, by the variance of their partial dependence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.effects import BatchOptions, numeric_grid, partial_dependence
from tauscope.errors import InputError

if TYPE_CHECKING:
    from tauscope.prediction.batches import Progress
    from tauscope.results.effects.spec import EffectSpec
    from tauscope.study.base import StudyBase

POINTS = 18
MOST_ROWS = 500
MOST_MODEL_ROWS = 200_000
LEAST_ROWS = 20


def most_important(
    study: StudyBase, candidates: Sequence[int], n: int, spec: EffectSpec, progress: Progress | None = None
) -> tuple[tuple[int, ...], int, int]:
    """Find the columns of numbers whose partial dependence varies most, as the paper chooses what to perturb.

    Parameters
    ----------
    study : Study
    candidates : sequence of int
        Columns of numbers; where there are no more than `n`, the model is not called.
    n : int
    spec : EffectSpec
        What of the model's answers is followed; of several responses the sum of variances counts.
    progress : callable or None
        Called as progress(done, total) with rows asked about; something true stops.

    Returns
    -------
    columns : tuple of int
        The most important first.
    n_rows : int
        Rows looked at: at most 500, spread evenly over the data.
    n_model_rows : int
        Rows the model was called on.

    Raises
    ------
    InputError
        Where it was stopped or interrupted: features cannot be compared by curves of different rows.

    References
    ----------
    Greenwell, Boehmke and McCarthy, "A simple and effective model-based variable importance measure", 2018.
    """
    if len(candidates) <= n:
        return tuple(candidates), 0, 0
    rows, response = study._table_rows, study._response(spec.response_method, spec.target_class)
    n_rows = int(np.clip(MOST_MODEL_ROWS // (POINTS * len(candidates)), LEAST_ROWS, MOST_ROWS))
    index = np.unique(np.linspace(0, rows.n_rows - 1, min(n_rows, rows.n_rows)).round().astype(np.int64))
    sample_rows = rows.part(index)
    weight = study.sample_weight
    predicted = None if response.predictions is None else response.predictions[index]
    total = POINTS * len(index) * len(candidates)
    variances: list[float] = []
    n_model_rows = asked = 0
    for column in candidates:
        grid = numeric_grid(rows.column(column), POINTS, spacing="equidistant", integer=rows.columns[column].integer)
        dependence = partial_dependence(
            response.predict,
            sample_rows,
            (column,),
            (grid,),
            sample_weight=None if weight is None else weight[index],
            batches=BatchOptions(response.batch_rows, _from(progress, asked, total), predicted),
            ice_bytes=0,
        )
        if dependence.status == "stopped":
            raise InputError(
                "The attack was stopped before it began: which columns to perturb was not settled. "
                "Name them: columns=[…]."
            )
        asked += POINTS * len(index)
        variances.append(float(dependence.effect.var(axis=1, ddof=1).sum()))
        n_model_rows += dependence.n_model_rows
    order: list[int] = np.argsort(-np.array(variances), kind="stable")[:n].tolist()
    return tuple(candidates[place] for place in order), len(index), n_model_rows


def _from(progress: Progress | None, asked: int, total: int) -> Progress | None:
    """Return a hook that counts on from the rows asked about before."""
    return None if progress is None else lambda done, _: progress(min(asked + done, total), total)
