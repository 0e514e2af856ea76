"""The tables of a reweighting: its metrics with their intervals, its multipliers by constraint."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.reliability import caveats
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.stress.joint.terms import Term
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import REASONS


def metric_table(
    metrics: Sequence[Metric], before: Sequence[float], estimates: Sequence[MetricEstimate]
) -> pd.DataFrame:
    """Return the numbers of `Reweighting.metrics`.

    Parameters
    ----------
    metrics : sequence of Metric
    before : sequence of float
        Their values without stress.
    estimates : sequence of MetricEstimate
        Under it.
    """
    return pd.DataFrame(
        {
            "metric": [metric.name for metric in metrics],
            "before": before,
            "value": [estimate.value for estimate in estimates],
            "lower": [estimate.lower for estimate in estimates],
            "upper": [estimate.upper for estimate in estimates],
            "reliability": [REASONS[estimate.reason].level for estimate in estimates],
            "note": [note_of(metric, estimate) for metric, estimate in zip(metrics, estimates, strict=True)],
        }
    )


def note_of(metric: Metric, estimate: MetricEstimate) -> str:
    """Return what is to be said beside a metric, "" of a reliable one."""
    return "; ".join(caveats(estimate.reason, estimate.amount, metric.events))


def given_note(terms: Sequence[Term]) -> tuple[str, ...]:
    """Say of which population the intervals are, where targets are given in units; nothing where none is."""
    given = [f"{term.quantity} is exactly {_exact(term.required)}" for term in terms if term.aim == "given"]
    return (f"Intervals are those in a population whose {', and whose '.join(given)}.",) if given else ()


def by_constraint(multipliers: NDArray[np.float64], names: Sequence[str]) -> pd.Series:
    """Return multipliers by the names of their constraints."""
    return pd.Series(multipliers, index=pd.Index(names, name="constraint"), name="multiplier")


def _exact(value: float) -> str:
    return f"{value:.12g}".replace("-", "−")
