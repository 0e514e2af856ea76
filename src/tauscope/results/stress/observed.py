"""What the labels of another sample say of every metric, and how far that is from what was expected there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.base import records
from tauscope.results.formatting import number, points, share, signed
from tauscope.results.reliability import LEVELS, level_of
from tauscope.results.stress.joint_answer import MetricEstimate, metric_estimates, support_of
from tauscope.results.stress.reweight_tables import note_of
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import Regression
from tauscope.stress.metrics import Metric, SummedMetric
from tauscope.stress.towards.difference import Ends, Observation, correlate, subtract

Array = NDArray[np.float64]
OBSERVED = ("observed", "observed_lower", "observed_upper")
DIFFERENCE = ("difference", "difference_lower", "difference_upper")
NOTHING = dict.fromkeys((*OBSERVED, *DIFFERENCE), np.nan)
MOST = 4
"""Metrics that differ by more than chance which are written out."""


@dataclass(frozen=True, eq=False)
class Observed:
    """A metric on the rows of another sample.

    Attributes
    ----------
    estimate : MetricEstimate
    note : str
        Why it is not reliable; "" where it is.
    ends : Ends
        At the levels of `difference_levels`.
    with_margins : ndarray of shape (k,)
        Covariance with each margin of the sample.
    """

    estimate: MetricEstimate
    note: str
    ends: Ends
    with_margins: Array


def difference_levels(confidence: float, n_metrics: int) -> tuple[float, float]:
    """Return the level of one difference, and that at which all of them hold together (Šidák)."""
    return confidence, confidence ** (1 / max(n_metrics, 1))


def observed_metrics(
    metrics: Sequence[SummedMetric],
    found: Sequence[Observation],
    *,
    pareto_k: float,
    confidence: float,
    n_rows: int,
) -> dict[str, Observed]:
    """Return every metric observed, by name.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    found : sequence of Observation
    pareto_k : float
        Of the weights of the new rows.
    confidence : float
    n_rows : int
        New rows of weight above zero.
    """
    support = support_of(float("inf"), False, pareto_k)
    shown = metric_estimates(metrics, [each.estimate for each in found], support, confidence, n_rows)
    levels = difference_levels(confidence, len(metrics))
    return {
        metric.name: Observed(
            one, note_of(metric, one), Ends.of(metric, each.estimate, levels, n_rows), each.with_margins
        )
        for metric, each, one in zip(metrics, found, shown, strict=True)
    }


def difference_table(
    metrics: Sequence[SummedMetric],
    estimates: Sequence[Estimate],
    shown: Sequence[MetricEstimate],
    observed: Mapping[str, Observed],
    regression: Regression,
    follow: Array,
    *,
    confidence: float,
    n_rows: int,
) -> pd.DataFrame:
    """Return what `TargetPopulation.metrics` has of the new labels, a row for each metric.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    estimates, shown : sequence of Estimate and of MetricEstimate
        What is expected of each.
    observed : mapping of str to Observed
    regression, follow
        As in `tauscope.stress.towards.difference.correlate`.
    confidence : float
    n_rows : int
        Rows here of weight above zero.
    """
    levels = difference_levels(confidence, len(metrics))
    rows: list[dict[str, object]] = []
    for place, (metric, estimate, one) in enumerate(zip(metrics, estimates, shown, strict=True)):
        seen = observed.get(metric.name)
        if seen is None:
            rows.append({**NOTHING, "difference_reliability": level_of(one.reason), "beyond_chance": False})
            continue
        expected = Ends.of(metric, estimate, levels, n_rows)
        rho = correlate(regression, follow, place, expected, seen.ends, seen.with_margins)
        difference, lower, upper = subtract(expected, seen.ends, rho)
        level = max(level_of(one.reason), level_of(seen.estimate.reason), key=LEVELS.index)
        apart = bool(lower[1] > 0 or upper[1] < 0)
        rows.append(
            {
                **dict(zip(OBSERVED, (seen.estimate.value, seen.estimate.lower, seen.estimate.upper), strict=True)),
                **dict(zip(DIFFERENCE, (difference, float(lower[0]), float(upper[0])), strict=True)),
                "difference_reliability": level,
                "beyond_chance": apart and level != "unreliable",
            }
        )
    return pd.DataFrame(rows)


def write_difference(metric: Metric, value: float) -> str:
    """Write a difference of two values of a metric with its sign: "+2.8 pt", "−0.032"."""
    return signed(points(value) if metric.kind == "share" else number(value))


def difference_notes(metrics: Sequence[Metric], frame: pd.DataFrame, *, all_met: bool) -> tuple[str, ...]:
    """Say which metrics are observed to differ from what is expected by more than chance; `frame` has one row each."""
    if not np.isfinite(frame["difference_lower"]).any():
        return ()
    apart: list[str] = []
    for metric, row in zip(metrics, records(frame), strict=True):
        if not row["beyond_chance"]:
            continue
        write = share if metric.kind == "share" else number
        difference, *ends = (write_difference(metric, row[name]) for name in DIFFERENCE)
        apart.append(
            f"{metric.label}, expected {write(row['value'])}, observed {write(row['observed'])}, a difference of "
            f"{difference} ({ends[0]} to {ends[1]})"
        )
    if not apart:
        return ("No metric is observed to differ from what is expected by more than chance would make it.",)
    more = f"; and {len(apart) - MOST} more" if len(apart) > MOST else ""
    why = "" if all_met else ", and not all of these are met"
    return (
        f"Chance does not explain: {'; '.join(apart[:MOST])}{more}. The new rows differ in what the margins do not "
        f"tell{why}.",
    )
