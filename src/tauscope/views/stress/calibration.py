"""The widget of calibration: a reliability diagram and its measures, as tested and under a stress that views share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import traitlets

from tauscope.figures.still import html_table
from tauscope.results.base import records
from tauscope.results.stress.calibration import LABELS, Calibration, write_measure
from tauscope.views.base import check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.regrouping import RegroupingView
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.calibration_message import (
    CalibrationShownMessage,
    calibration_message,
    shown_message,
    shown_under,
)

STATE = ("group", "stress")


class CalibrationView(RegroupingView):
    """Predicted probabilities against what was true: the diagram, a histogram of the scores, every measure.

    Parameters
    ----------
    result : Calibration
        What is shown; computed anew by the groups that are picked.
    groupings : mapping of str to groups, optional
        What can be picked as `by` beside the columns of the study, by name, each as `Study.calibration` takes it.
    **traits
        First values of the traits below.

    Attributes
    ----------
    group : str
        Whose diagram is drawn in front, by name. By default the first; "" without groups.
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}. While nothing is moved, the default, the
        population of the result; under a stress set in a linked view the kernel compares anew, and the page says where
        it cannot be met.
    by : str
        What rows are told apart by: a column with levels, or what the result or `groupings` call groups; "" for all
        rows together. At first that of the result. The kernel computes others, with the options of the result; the
        page says which cannot be had.
    message, shown : dict, dict
        What is shown, as `tauscope.views.stress.calibration_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument, group or grouping (with the nearest), or a stress that is none.
    """

    _esm, _css = bundle("stress/calibration")
    _population = "shown"
    result: Calibration
    _own: CalibrationShownMessage

    group = traitlets.Unicode(help="whose diagram is in front").tag(sync=True)
    message = traitlets.Dict(help="what stays, as CalibrationMessage").tag(sync=True)
    shown = traitlets.Dict(help="the population shown, as CalibrationShownMessage").tag(sync=True)

    def __init__(
        self, result: Calibration, *, groupings: Mapping[str, Any] = MappingProxyType({}), **traits: Any
    ) -> None:
        check_arguments(traits, (*STATE, "groupings"))
        message = calibration_message(result, kernel=not self._offline)
        own = self._own = shown_message(result)
        first = {"message": message, "shown": own, "group": message["groups"][0]}
        super().__init__(result, groupings=groupings, **(first | traits))

    @traitlets.validate("group")
    def _check_group(self, proposal: dict[str, Any]) -> str:
        return check_name("group", proposal["value"], [group.label for group in self.result.groups] or [""])

    def fallback(self) -> dict[str, str]:
        """Add the measures as a table."""
        head = ("group",) if self.result.grouped_by else ()
        rows = [
            [*(str(row[name]) for name in head), LABELS[row["measure"]], row["population"], *_cells(row)]
            for row in records(self.result.summary)
        ]
        columns = [*head, "measure", "population", "value", "lower", "upper", "if calibrated", "reliability"]
        return self._with_table(html_table(self.result._caption, columns, rows, self.result.notes))

    def _regroup(self, by: Any) -> Calibration:
        there = self.result
        return there._require_source().calibration(there.reweighting, **{**there._options, "by": by})

    def _own_answer(self, result: Calibration) -> CalibrationShownMessage:
        return shown_message(result)

    def _renew(self) -> None:
        self.message = calibration_message(self.result, kernel=not self._offline)
        self.group = self.message["groups"][0]

    def _answer(self, result: Calibration, stress: StressState) -> CalibrationShownMessage:
        return shown_under(result, stress)

    def _show(self, answer: CalibrationShownMessage) -> None:
        self.shown = {**answer, **self._beside()}


def _cells(row: dict[str, Any]) -> list[str]:
    numbers = [write_measure(row["measure"], row[name]) for name in ("value", "lower", "upper", "if_calibrated")]
    return [*numbers, str(row["reliability"])]
