"""What a reweighting says alike whether its rows are here or went by in chunks."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.reliability import caveats
from tauscope.stress.intervals import Estimate, student_interval
from tauscope.stress.joint.projection import Status
from tauscope.stress.joint.terms import Term
from tauscope.stress.metrics import SummedMetric


class Reweighted:
    """A reweighting that meets constraints, with the metrics under it."""

    terms: tuple[Term, ...]
    values: NDArray[np.float64]
    ess: float
    pareto_k: float
    status: Status
    message: str
    notes: tuple[str, ...]
    _metrics: pd.DataFrame

    @property
    def achieved(self) -> pd.DataFrame:
        """Per constraint, what was required and what the weights achieve; `constraint, required, achieved`."""
        names, required = [term.name for term in self.terms], [term.required for term in self.terms]
        return pd.DataFrame({"constraint": names, "required": required, "achieved": self.values})

    @property
    def metrics(self) -> pd.DataFrame:
        """Every metric of the task before and under the stress: `metric, before, value, lower, upper`.

        `lower` and `upper` are the ends of the analytic interval at `confidence`, the targets held fixed.
        """
        return self._metrics.copy()

    @property
    def caveats(self) -> tuple[str, ...]:
        """What speaks against numbers computed with these weights; empty when nothing does."""
        unmet = (self.message,) if self.status == "unconverged" else ()
        return (*unmet, *caveats(self.ess, self.pareto_k))

    def _with_remarks(self, lines: Sequence[str]) -> str:
        """Put a status that is no doubt, then doubts and notes, below lines of text."""
        status = () if self.status == "unconverged" else (self.message,)
        return "\n".join([*lines, *(f"  {word}" for word in (*status, *self.caveats, *self.notes))])


def metric_table(
    metrics: Sequence[SummedMetric], before: Sequence[float], found: Sequence[Estimate], confidence: float
) -> pd.DataFrame:
    """Return what `Reweighted.metrics` gives.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    before : sequence of float
        Their values without stress.
    found : sequence of Estimate
        Under it.
    confidence : float
        Level of the analytic interval, in (0, 1).
    """
    ends = [student_interval(metric, each, confidence) for metric, each in zip(metrics, found, strict=True)]
    return pd.DataFrame(
        {
            "metric": [metric.name for metric in metrics],
            "before": before,
            "value": [float(each.value) for each in found],
            "lower": [float(low) for low, _ in ends],
            "upper": [float(high) for _, high in ends],
        }
    )


def by_constraint(multipliers: NDArray[np.float64], names: Sequence[str]) -> pd.Series:
    """Return multipliers by the names of their constraints."""
    return pd.Series(multipliers, index=pd.Index(names, name="constraint"), name="multiplier")
