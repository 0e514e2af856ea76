"""The tables of decisions at many thresholds: metrics and cost of each, gaps between groups, what costs least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.stress.by_group import Group, gap_table
from tauscope.results.stress.joint_answer import GroupAnswer, MetricEstimate
from tauscope.results.stress.reweight_tables import metric_table
from tauscope.stress.metric_forms import MeanRatioDefinition, RatioDefinition
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.thresholds import Costs, CostsAlong, Decisions, best_threshold

Array = NDArray[np.float64]
BEST = ("population", "threshold", "lower", "upper", "cost", "present_cost")


@dataclass(frozen=True)
class ThresholdTables:
    """The metrics of every threshold, `n_each` of them each, and the tables that are made of them.

    Attributes
    ----------
    metrics : sequence of SummedMetric
        All of the first threshold, then all of the next; the cost last of each, where the truth is known.
    n_each : int
    thresholds : ndarray of shape (n,)
    present : float or None
        Which of them made the predictions.
    """

    metrics: Sequence[SummedMetric]
    n_each: int
    thresholds: Array
    present: float | None

    @classmethod
    def of(
        cls,
        decisions: Decisions,
        chosen: Sequence[RatioDefinition | MeanRatioDefinition],
        costs: Costs,
        thresholds: Array,
        present: float | None,
    ) -> ThresholdTables:
        """Put the cost behind the metrics of every threshold, where the truth is known."""
        own, n = decisions.metrics(chosen), len(chosen)
        cost = decisions.costs(costs) if decisions.has_truth else []
        by_place = [own[place * n : (place + 1) * n] + cost[place : place + 1] for place in range(len(thresholds))]
        return cls([metric for each in by_place for metric in each], len(by_place[0]), thresholds, present)

    def rows(self, label: str, before: Sequence[float], estimates: Sequence[MetricEstimate]) -> pd.DataFrame:
        """Return every metric at every threshold; of all rows the label is ""."""
        frame = metric_table(self.metrics, before, estimates)
        frame.insert(0, "threshold", np.repeat(self.thresholds, self.n_each))
        if label:
            frame.insert(0, "group", label)
        return frame

    def gaps(self, groups: Sequence[Group], answer: GroupAnswer) -> pd.DataFrame:
        """Return how far groups that are decided at one threshold are apart, at every threshold."""
        tables: list[pd.DataFrame] = []
        for place, threshold in enumerate(self.thresholds):
            own = slice(place * self.n_each, (place + 1) * self.n_each)
            table = gap_table(groups, self.metrics[own], [each[own] for each in answer.estimates], answer.gaps[own])
            table.insert(0, "threshold", threshold)
            tables.append(table)
        return pd.concat(tables, ignore_index=True)

    def best(self, label: str, population: str, costs: CostsAlong | None, confidence: float) -> dict[str, Any]:
        """Return a row of the table of what costs least; `costs` are None where there is no weight."""
        head: dict[str, Any] = {"group": label} if label else {}
        if costs is None:
            return head | dict.fromkeys(BEST, np.nan) | {"population": population}
        best = best_threshold(costs, confidence)
        ends = self.thresholds[best.inside]
        now = np.flatnonzero(self.thresholds == self.present)
        return head | {
            "population": population,
            "threshold": float(self.thresholds[best.place]),
            "lower": float(ends[0]),
            "upper": float(ends[-1]),
            "cost": float(costs.value[best.place]),
            "present_cost": float(costs.value[now[0]]) if len(now) else np.nan,
        }
