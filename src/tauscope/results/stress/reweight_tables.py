"""The tables of a reweighting: its metrics with their intervals, its multipliers by constraint."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import student_interval
from tauscope.stress.metrics import SummedMetric


def metric_table(
    metrics: Sequence[SummedMetric], before: Sequence[float], estimates: Sequence[Estimate], confidence: float
) -> pd.DataFrame:
    """Return what `Reweighting.metrics` gives.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    before : sequence of float
        Their values without stress.
    estimates : sequence of Estimate
        Under it.
    confidence : float
        Level of the analytic interval, in (0, 1).
    """
    ends = [student_interval(metric, estimate, confidence) for metric, estimate in zip(metrics, estimates, strict=True)]
    return pd.DataFrame(
        {
            "metric": [metric.name for metric in metrics],
            "before": before,
            "value": [float(estimate.value) for estimate in estimates],
            "lower": [float(low) for low, _ in ends],
            "upper": [float(high) for _, high in ends],
        }
    )


def by_constraint(multipliers: NDArray[np.float64], names: Sequence[str]) -> pd.Series:
    """Return multipliers by the names of their constraints."""
    return pd.Series(multipliers, index=pd.Index(names, name="constraint"), name="multiplier")
