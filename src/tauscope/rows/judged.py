"""What a model said of some rows, as metrics of it are summed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.bins.outer_values import OuterValues, keep_outer
from tauscope.stress.functions import ask_function
from tauscope.stress.joint.constraints import Moment
from tauscope.stress.metric_definitions import check_allowed, definitions
from tauscope.stress.metrics import Quantities, Units, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import spreads_of


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Some rows' outcomes, the units that sums of them are taken in, and the metrics that are asked for."""

    outcomes: Outcomes
    units: Units
    asked: tuple[str, ...]

    @property
    def quantities(self) -> Quantities:
        """What metrics are made of."""
        return self._quantities

    @cached_property
    def _quantities(self) -> Quantities:
        check_allowed(self.outcomes, self.asked)
        return define_quantities(self.outcomes, self.units, True, names=self.asked)[0]

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return the outermost values of every quantity whose spread is a metric."""
        spreads = spreads_of(definitions(self.outcomes, self.asked))
        return keep_outer(spreads, self.outcomes, self.units, size)

    def take(self, rows: NDArray[np.intp]) -> JudgedRows:
        """Return some of these rows, by their places."""
        return JudgedRows(self.outcomes.take(rows), self.units, self.asked)


def ask_moment(constraint: Moment, rows: Any, n_rows: int) -> NDArray[np.float64]:
    """Return what a moment's function gives for some rows, shape (n_rows, q)."""
    assert callable(constraint.function)
    columns = ask_function(constraint.function, rows, constraint.quantity)
    columns = columns[:, None] if columns.ndim == 1 else columns
    if columns.shape != (n_rows, len(constraint.targets)):
        raise InputError(
            f"The {constraint.quantity} needs one number per row and target, shape ({n_rows}, "
            f"{len(constraint.targets)}); got shape {columns.shape}."
        )
    return columns


def score_range(outcomes: Outcomes) -> tuple[float, float]:
    """Return the smallest and largest score; (∞, -∞) without."""
    score = outcomes.score if outcomes.scores is None else outcomes.scores
    return (np.inf, -np.inf) if score is None else (float(score.min()), float(score.max()))
