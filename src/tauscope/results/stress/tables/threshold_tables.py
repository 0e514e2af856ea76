"""The tables of decisions at many thresholds: metrics and cost of each, gaps between groups, what costs least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.stress.by_group import Group, gap_table
from tauscope.results.stress.numbers.joint_answer import GroupAnswer, MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import metric_table
from tauscope.stress.metric_forms import MeanRatioDefinition, RatioDefinition
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.thresholds import Best, Costs, CostsAlong, Decisions, best_thresholds

Array = NDArray[np.float64]
BEST = ("population", "threshold", "lower", "upper", "cost", "present_cost", "note")
NONE_REACHES = "above every score of these rows, so that none is decided positive"
NO_BEST = dict.fromkeys(BEST[1:-1], np.nan) | {"note": ""}


class GroupCosts(NamedTuple):
    """The cost at every threshold, of a group in a population.

    Attributes
    ----------
    label : str
        "" of all rows.
    population : str
    n_reached : int
        As `Decisions.n_reached` has it.
    costs : CostsAlong or None
        None where there is no weight.
    """

    label: str
    population: str
    n_reached: int
    costs: CostsAlong | None


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

    @property
    def costs(self) -> Sequence[SummedMetric]:
        """The cost at each threshold, where the truth is known."""
        return self.metrics[self.n_each - 1 :: self.n_each]

    def rows(self, label: str, before: Sequence[float], estimates: Sequence[MetricEstimate]) -> pd.DataFrame:
        """Return every metric at every threshold; of all rows the label is ""."""
        frame = metric_table(self.metrics, before, estimates)
        frame.insert(0, "threshold", np.repeat(self.thresholds, self.n_each))
        if label:
            frame.insert(0, "group", label)
        return frame

    def gaps(self, groups: Sequence[Group], answer: GroupAnswer) -> pd.DataFrame:
        """Return how far groups that are decided at one threshold are apart, at every threshold."""
        table = gap_table(groups, self.metrics, answer.estimates, answer.gaps)
        there = [gap.largest >= 0 for gap in answer.gaps]
        table.insert(0, "threshold", np.repeat(self.thresholds, self.n_each)[there])
        return table

    def best(self, costs: Sequence[GroupCosts], confidence: float) -> pd.DataFrame:
        """Return the table of what costs least.

        Parameters
        ----------
        costs : sequence of GroupCosts
        confidence : float
        """
        found = iter(best_thresholds([each.costs for each in costs if each.costs is not None], confidence))
        return pd.DataFrame(
            [
                ({"group": label} if label else {})
                | {"population": population}
                | (NO_BEST if each is None else self._best_told(each, n_reached, next(found)))
                for label, population, n_reached, each in costs
            ]
        )

    def _best_told(self, costs: CostsAlong, n_reached: int, best: Best) -> dict[str, float | str]:
        ends = self.thresholds[best.inside]
        now = np.flatnonzero(self.thresholds == self.present)
        return {
            "threshold": float(self.thresholds[best.place]),
            "lower": float(ends[0]),
            "upper": float(ends[-1]),
            "cost": float(costs.value[best.place]),
            "present_cost": float(costs.value[now[0]]) if len(now) else np.nan,
            "note": NONE_REACHES if best.place >= n_reached else "",
        }
