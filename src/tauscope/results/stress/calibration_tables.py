"""The tables of a calibration: bins, measures, changes and parts of the Brier score, of each population and group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.stress.by_group import Group, gap_table
from tauscope.results.stress.calibration import FITTED, MEASURES
from tauscope.results.stress.joint_answer import MetricEstimate, group_metrics, stressed_metrics
from tauscope.results.stress.reweight_tables import note_of
from tauscope.stress.calibration import BinErrors, BinnedRows, BinSums, bin_errors, ece_interval, sum_bins
from tauscope.stress.gaps import Gaps
from tauscope.stress.isotonic import Decomposition, decompose
from tauscope.stress.joint.changes import Change, metric_changes
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.reliability import REASONS
from tauscope.weights.concentration import pareto_khat

Array = NDArray[np.float64]
SCORE_EDGES = np.linspace(0.0, 1.0, 21)
"""Of the bars of the histogram."""


class Population(NamedTuple):
    """Rows under some weights."""

    name: str
    moments: Moments
    weights: Array


class Tables(NamedTuple):
    """What is told of one population."""

    frame: pd.DataFrame
    summary: pd.DataFrame
    gaps: pd.DataFrame


Part = tuple[str, NDArray[np.bool_] | None]
"""A group's label and its rows; no label, and None, for all rows."""


@dataclass(frozen=True)
class MeasuredRows:
    """Rows in bins and the measures of all of them, to be taken of any population."""

    binned: BinnedRows
    quantities: Quantities
    metrics: Sequence[SummedMetric]
    base: Array
    parts: Sequence[Part]
    confidence: float

    def tables(self, population: Population) -> Tables:
        """Return the bins, the measures and the gaps between groups."""
        observed = self.binned.observed()
        bins, _ = self._estimates(self.binned.quantities, observed, population)
        fitted, gaps = self._estimates(self.quantities, self.metrics, population)
        frames = [self._bin_rows(part, population, observed, each) for part, each in zip(self.parts, bins, strict=True)]
        summaries = [self._measure_rows(part, population, each) for part, each in zip(self.parts, fitted, strict=True)]
        groups = [Group(label, 0, np.nan, np.nan, np.nan) for label, _ in self.parts]
        between = gap_table(groups, self.metrics, fitted, gaps) if gaps else pd.DataFrame()
        return Tables(pd.concat(frames), pd.concat(summaries), between)

    def _estimates(
        self, quantities: Quantities, metrics: Sequence[SummedMetric], population: Population
    ) -> tuple[list[tuple[MetricEstimate, ...]], list[Gaps]]:
        _, moments, weights = population
        if self.parts[0][1] is None:
            n_rows, pareto_k = int(np.count_nonzero(self.base)), pareto_khat(weights, self.base)
            found = stressed_metrics(
                quantities, metrics, moments, weights, pareto_k, confidence=self.confidence, n_rows=n_rows
            )
            return [found], []
        inside = [rows for _, rows in self.parts if rows is not None]
        answer = group_metrics(
            quantities, [metrics] * len(inside), moments, weights, self.base, inside, self.confidence
        )
        return answer.estimates, answer.gaps

    def _bin_rows(
        self,
        part: Part,
        population: Population,
        observed: Sequence[SummedMetric],
        estimates: Sequence[MetricEstimate],
    ) -> pd.DataFrame:
        weights, within = population.weights, part[1]
        binned = self.binned
        inside = weights if within is None else np.where(within, weights, 0.0)
        sums = sum_bins(binned.n, binned.bin, binned.score, binned.error, np.zeros((len(weights), 0)), inside)
        return bin_table(label_of(part), population.name, binned.edges, sums, observed, estimates)

    def _measure_rows(self, part: Part, population: Population, fitted: Sequence[MetricEstimate]) -> pd.DataFrame:
        errors = None
        if np.isfinite(fitted[0].value):
            errors = bin_errors(self.binned, population.moments, population.weights, part[1])
        return measure_table(label_of(part), population.name, self.metrics, fitted, errors, self.confidence)

    def changes(self, populations: Sequence[Population]) -> pd.DataFrame:
        """Return what the stress changes in each measure of each group."""
        if len(populations) == 1:
            return change_table([])
        moved, found = populations[1], list[tuple[str | None, list[Change]]]()
        for part in self.parts:
            if part[1] is None or moved.weights[part[1]].any():
                changes = metric_changes(
                    self.quantities, self.metrics, moved.moments, moved.weights, self.base, self.confidence, part[1]
                )
                found.append((label_of(part), changes))
        return change_table(found)

    def decomposition(self, population: Population) -> pd.DataFrame:
        """Return what the Brier score of each group is made of."""
        frames: list[pd.DataFrame] = []
        for part in self.parts:
            weights = population.weights if part[1] is None else np.where(part[1], population.weights, 0.0)
            if not weights.any():
                continue
            truth = (self.binned.score - self.binned.error).round()
            found = decompose(self.binned.score, truth, weights)
            frames.append(decomposition_table(label_of(part), population.name, found))
        return pd.concat(frames)

    def histogram(self, population: Population) -> pd.DataFrame:
        """Return the share of the weight over the score, of each group."""
        frames = list[pd.DataFrame]()
        for part in self.parts:
            weights = population.weights if part[1] is None else np.where(part[1], population.weights, 0.0)
            frames.append(histogram_table(label_of(part), population.name, count_scores(self.binned.score, weights)))
        return pd.concat(frames)


def label_of(part: Part) -> str | None:
    """Return a group's label; None of all rows."""
    return None if part[1] is None else part[0]


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


def count_scores(score: Array, weights: Array) -> Array:
    """Return the weight in each bar of the histogram."""
    return np.histogram(score, SCORE_EDGES, weights=weights)[0].astype(np.float64)


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
