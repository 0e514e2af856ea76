"""What the labels of another sample say of every metric, and how far that is from what was expected there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.base import records
from tauscope.results.formatting import number, points, share, signed
from tauscope.results.reliability import LEVELS, UNRELIABLE, level_of
from tauscope.results.stress.by_group import gap_note
from tauscope.results.stress.numbers.joint_answer import MetricEstimate, metric_estimates, support_of
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import Regression
from tauscope.stress.metrics import Metric, SummedMetric
from tauscope.stress.reliability import Level
from tauscope.stress.towards.difference import Ends, Observation, correlate, subtract

Array = NDArray[np.float64]
OBSERVED = ("observed", "observed_lower", "observed_upper")
DIFFERENCE = ("difference", "difference_lower", "difference_upper")
NOTHING = dict.fromkeys((*OBSERVED, *DIFFERENCE), np.nan)
NOT_OBSERVED = "not observed on the new rows"
MOST = 4
"""Metrics that are written out in one sentence."""


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
            missing = {"difference_reliability": "", "difference_note": NOT_OBSERVED, "beyond_chance": None}
            rows.append({**NOTHING, **missing})
            continue
        expected = Ends.of(metric, estimate, levels, n_rows)
        rho = correlate(regression, follow, place, expected, seen.ends, seen.with_margins)
        difference, lower, upper = subtract(expected, seen.ends, rho)
        both = [LEVELS.index(level_of(each.reason)) for each in (one, seen.estimate)]
        level = LEVELS[max(both)]
        rows.append(
            {
                **dict(zip(OBSERVED, (seen.estimate.value, seen.estimate.lower, seen.estimate.upper), strict=True)),
                **dict(zip(DIFFERENCE, (difference, float(lower[0]), float(upper[0])), strict=True)),
                "difference_reliability": level,
                "difference_note": gap_note(("expected", "observed"), both, (note_of(metric, one), seen.note)),
                "beyond_chance": _beyond_chance(float(lower[1]), float(upper[1]), level),
            }
        )
    # object, or a column of verdicts alone would have another type than one that lacks some
    return pd.DataFrame(rows).astype({"beyond_chance": object})


def _beyond_chance(lower: float, upper: float, level: Level) -> bool | None:
    """Return whether an interval excludes 0; None where the difference cannot be judged."""
    if level == LEVELS[UNRELIABLE] or not (np.isfinite(lower) and np.isfinite(upper)):
        return None
    return lower > 0 or upper < 0


def write_difference(metric: Metric, value: float) -> str:
    """Write a difference of two values of a metric with its sign: "+2.8 pt", "−0.032"."""
    return signed(points(value) if metric.kind == "share" else number(value))


def difference_notes(metrics: Sequence[Metric], frame: pd.DataFrame, *, all_met: bool) -> tuple[str, ...]:
    """Say which metrics differ by more than chance from what is expected, and which cannot be judged.

    `frame` has one row for each metric.
    """
    if not np.isfinite(frame["difference_lower"]).any():
        return ()
    apart: list[str] = []
    not_judged: list[str] = []
    for metric, row in zip(metrics, records(frame), strict=True):
        write = share if metric.kind == "share" else number
        both = f"expected {write(row['value'])}, observed {write(row['observed'])}"
        if row["beyond_chance"] is None:
            doubted = row["difference_reliability"] == LEVELS[UNRELIABLE]
            why = row["difference_note"] or LEVELS[UNRELIABLE] if doubted else "no interval"
            not_judged.append(f"{metric.label} ({why}), {both}")
        elif row["beyond_chance"]:
            difference, *ends = (write_difference(metric, row[name]) for name in DIFFERENCE)
            apart.append(f"{metric.label}, {both}, a difference of {difference} ({ends[0]} to {ends[1]})")
    said: list[str] = []
    if apart:
        why = "" if all_met else ", and not all of these are met"
        said.append(
            f"Chance does not explain: {_listed(apart)}. The new rows differ in what the margins do not tell{why}."
        )
    elif not not_judged:
        said.append("No metric is observed to differ from what is expected by more than chance would make it.")
    elif len(not_judged) < len(metrics):
        said.append("None of the metrics judged is observed to differ by more than chance from what is expected.")
    return (*said, *((f"Not judged: {_listed(not_judged)}.",) if not_judged else ()))


def _listed(metrics: Sequence[str]) -> str:
    more = f"; and {len(metrics) - MOST} more" if len(metrics) > MOST else ""
    return f"{'; '.join(metrics[:MOST])}{more}"
