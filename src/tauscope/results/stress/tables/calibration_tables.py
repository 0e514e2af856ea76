"""The tables of a calibration: bins, measures, changes and parts of the Brier score, of each population and group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.stress.calibration import FITTED, MEASURES
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.stress.calibration.calibration import BinErrors, BinSums, ece_interval
from tauscope.stress.calibration.isotonic import Decomposition
from tauscope.stress.joint.changes import Change
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.reliability import REASONS

Array = NDArray[np.float64]
SCORE_EDGES = np.linspace(0.0, 1.0, 21)
"""Of the bars of the histogram."""


def bin_table(
    label: str | None,
    population: str,
    edges: Array,
    sums: BinSums,
    observed: Sequence[SummedMetric],
    estimates: Sequence[MetricEstimate],
) -> pd.DataFrame:
    """Return the bins that have rows; `sums` on any scale of the weights."""
    mass, there = sums.mass, sums.mass > 0
    frame = pd.DataFrame(
        {
            "population": population,
            "bin": np.arange(len(mass)),
            "left": edges[:-1],
            "right": edges[1:],
            "predicted": sums.score / np.where(there, mass, 1.0),
            "observed": [each.value for each in estimates],
            "lower": [each.lower for each in estimates],
            "upper": [each.upper for each in estimates],
            "n_rows": sums.n_rows.astype(int),
            "ess": mass**2 / np.where(there, sums.squares, 1.0),
            "share": mass / max(float(mass.sum()), np.finfo(float).tiny),
            "reliability": [REASONS[each.reason].level for each in estimates],
            "note": [note_of(metric, each) for metric, each in zip(observed, estimates, strict=True)],
        }
    )
    return _of_group(frame[there], label)


def measure_table(
    label: str | None,
    population: str,
    metrics: Sequence[SummedMetric],
    fitted: Sequence[MetricEstimate],
    errors: BinErrors | None,
    confidence: float,
) -> pd.DataFrame:
    """Return the measures; `errors` are None where there is no weight."""
    in_the_large, intercept, _ = fitted
    estimates, by_chance = [*fitted, in_the_large], np.nan
    if errors is not None:
        ends = ece_interval(errors, confidence)
        # it is as sure of its rows as the intercept, which rests on both classes, and defined where one is missing
        judged = intercept if np.isfinite(intercept.value) else in_the_large
        estimates[-1] = MetricEstimate(errors.ece, *ends, judged.reason, judged.amount)
        by_chance = errors.if_calibrated
    frame = pd.DataFrame(
        {
            "population": population,
            "measure": MEASURES,
            "value": [each.value for each in estimates],
            "lower": [each.lower for each in estimates],
            "upper": [each.upper for each in estimates],
            "if_calibrated": [0.0, 0.0, 1.0, by_chance],
            "reliability": [REASONS[each.reason].level for each in estimates],
            "note": [note_of(metric, each) for metric, each in zip([*metrics, metrics[1]], estimates, strict=True)],
        }
    )
    return _of_group(frame, label)


def change_table(found: Sequence[tuple[str | None, Sequence[Change]]]) -> pd.DataFrame:
    """Return what a stress changes in each measure of groups, or of all rows; no rows without a stress."""
    if not found:
        return pd.DataFrame(columns=["measure", "change", "lower", "upper"])
    frames: list[pd.DataFrame] = []
    for label, changes in found:
        frame = pd.DataFrame(changes, columns=["change", "lower", "upper"])
        frame.insert(0, "measure", list(FITTED))
        frames.append(_of_group(frame, label))
    return pd.concat(frames, ignore_index=True)


def decomposition_table(label: str | None, population: str, found: Decomposition) -> pd.DataFrame:
    """Return what a Brier score is made of."""
    frame = pd.DataFrame([found._asdict()])
    frame.insert(0, "population", population)
    return _of_group(frame, label)


def histogram_table(label: str | None, population: str, mass: Array) -> pd.DataFrame:
    """Return the share of the weight in each bar; `mass` on any scale."""
    total = max(float(mass.sum()), np.finfo(float).tiny)
    columns = {"left": SCORE_EDGES[:-1], "right": SCORE_EDGES[1:], "share": mass / total}
    return _of_group(pd.DataFrame({"population": population, **columns}), label)


def _of_group(frame: pd.DataFrame, label: str | None) -> pd.DataFrame:
    if label is not None:
        frame.insert(0, "group", label)
    return frame


def in_order(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of several populations as one, the populations of a group one after the other."""
    whole = pd.concat(frames, ignore_index=True)
    if "group" not in whole:
        return whole
    order = whole["group"].map({label: k for k, label in enumerate(dict.fromkeys(frames[0]["group"]))})
    return whole.iloc[np.argsort(order.to_numpy(), kind="stable")].reset_index(drop=True)
