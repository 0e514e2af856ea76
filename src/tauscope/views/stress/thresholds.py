"""The widget of thresholds: a slider, and what metrics, gaps and cost are at it, under the stress."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import traitlets

from tauscope.figures.still import html_table, written
from tauscope.results.base import records
from tauscope.results.stress.thresholds import ThresholdCurves
from tauscope.stress.thresholds import COST
from tauscope.views.base import check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.regrouping import RegroupingView
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.thresholds_message import Decided, decide_under, decisions_message, thresholds_message

STATE = ("thresholds", "metric", "stress")


class ThresholdCurvesView(RegroupingView):
    """A slider of the threshold: every metric at it, the curve of one, the cost and where it is least, gaps of groups.

    All thresholds are computed beforehand, so that the page moves without a kernel.

    Parameters
    ----------
    result : ThresholdCurves
        What is shown; computed anew by the groups that are picked.
    groupings : mapping of str to groups, optional
        What can be picked as `by` beside the columns of the study, by name, each as `Study.threshold_curves` takes it.
    **traits
        First values of the traits below.

    Attributes
    ----------
    thresholds : list of float
        The threshold chosen for all rows, or, of groups, one for each in their order; what is shown is the nearest
        that was compared. By default the one that made the predictions, else that of least cost, else the middle one.
    metric : str
        Whose curve is drawn. By default the cost, where the truth is known.
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}. While nothing is moved, the default, the
        population of the result; a stress set in a linked view is counted anew by the kernel, and the page says where
        it cannot be met.
    by : str
        What rows are told apart by: a column with levels, or what the result or `groupings` call groups; "" for all
        rows together. At first that of the result. The kernel computes others, with the options of the result, and
        one threshold for each group is then one for all again; the page says which groups cannot be had.
    message, decisions, numbers : dict, dict, bytes
        What is shown, as `tauscope.views.stress.thresholds_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument, metric or grouping (with the nearest), a number of thresholds other than one or that of
        the groups, or a stress that is none.
    """

    _esm, _css = bundle("stress/thresholds")
    _population = "decisions"
    result: ThresholdCurves
    _own: Decided

    thresholds = traitlets.List(traitlets.Float(), help="one for all rows, or one for each group").tag(sync=True)
    metric = traitlets.Unicode(help="whose curve is drawn").tag(sync=True)
    message = traitlets.Dict(help="what stays, as ThresholdsMessage").tag(sync=True)
    decisions = traitlets.Dict(help="the population shown, as DecisionsMessage").tag(sync=True)
    numbers = traitlets.Bytes(help="its numbers; see Decided").tag(sync=True)

    def __init__(
        self, result: ThresholdCurves, *, groupings: Mapping[str, Any] = MappingProxyType({}), **traits: Any
    ) -> None:
        check_arguments(traits, (*STATE, "groupings"))
        message = thresholds_message(result, kernel=not self._offline)
        own = self._own = decisions_message(result)
        names = [metric.name for metric in result.metrics]
        first = {"thresholds": [_first(result)], "metric": COST if COST in names else names[0]}
        shown = {"message": message, "decisions": own.words, "numbers": own.numbers}
        super().__init__(result, groupings=groupings, **(shown | first | traits))

    @traitlets.validate("thresholds")
    def _check_thresholds(self, proposal: dict[str, Any]) -> list[float]:
        chosen, n = proposal["value"], max(1, len(self.result.groups))
        if len(chosen) not in (1, n) or not np.isfinite(chosen).all():
            each = f", or {n}, one for each group" if n > 1 else ""
            raise traitlets.TraitError(f"thresholds must be one finite number for all rows{each}; got {chosen!r:.80}.")
        return chosen

    @traitlets.validate("metric")
    def _check_metric(self, proposal: dict[str, Any]) -> str:
        return check_name("metric", proposal["value"], [metric.name for metric in self.result.metrics])

    def fallback(self) -> dict[str, str]:
        """Add the thresholds of least cost as a table."""
        best = self.result.best
        if not len(best):
            return super().fallback()
        rows = [[written(cell) for cell in row.values()] for row in records(best)]
        return self._with_table(html_table(self.result._caption, list(best.columns), rows, self.result.notes))

    def _regroup(self, by: Any) -> ThresholdCurves:
        there = self.result
        return there._require_source().threshold_curves(there.reweighting, **{**there._options, "by": by})

    def _own_answer(self, result: ThresholdCurves) -> Decided:
        return decisions_message(result)

    def _renew(self) -> None:
        self.message = thresholds_message(self.result, kernel=not self._offline)
        if len(self.thresholds) > 1:
            self.thresholds = [_first(self.result)]

    def _answer(self, result: ThresholdCurves, stress: StressState) -> Decided:
        return decide_under(result, stress)

    def _show(self, answer: Decided) -> None:
        with self.hold_sync():
            self.decisions, self.numbers = {**answer.words, **self._beside()}, answer.numbers


def _first(result: ThresholdCurves) -> float:
    """Return the threshold to open at."""
    if result.present is not None:
        return result.present
    best = result.best["threshold"]
    return float(best.iloc[-1]) if len(best) else float(result.thresholds[len(result.thresholds) // 2])
