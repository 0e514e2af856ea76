"""The widget of calibration: a reliability diagram and its measures, as tested and under a stress that views share."""

from __future__ import annotations

from typing import Any

import traitlets

from tauscope.figures.still import html_table
from tauscope.results.base import records
from tauscope.results.stress.calibration import LABELS, Calibration, write_measure
from tauscope.views.base import check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.following import FollowingView
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.calibration_message import ShownMessage, calibration_message, shown_message, shown_under

STATE = ("group", "stress")


class CalibrationView(FollowingView):
    """Predicted probabilities against what was true: the diagram, a histogram of the scores, every measure.

    Parameters
    ----------
    result : Calibration
        What is shown.
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
    message, shown : dict, dict
        What is shown, as `tauscope.views.stress.calibration_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument or group (with the nearest), or a stress that is none.
    """

    _esm, _css = bundle("stress/calibration")
    result: Calibration

    group = traitlets.Unicode(help="whose diagram is in front").tag(sync=True)
    message = traitlets.Dict(help="what stays, as CalibrationMessage").tag(sync=True)
    shown = traitlets.Dict(help="the population shown, as ShownMessage").tag(sync=True)

    def __init__(self, result: Calibration, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self.result = result
        message = calibration_message(result, kernel=not self._offline)
        own = self._own = shown_message(result)
        super().__init__(result, message=message, shown=own, **({"group": message["groups"][0]} | traits))

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
        return self._with_table(html_table(self.result.caption, columns, rows, self.result.notes))

    def _answer(self, stress: StressState) -> ShownMessage:
        return shown_under(self.result, stress)

    def _rest(self) -> None:
        self._show(self._own)

    def _show(self, answer: Any) -> None:
        self.shown = answer

    def _problem(self) -> str:
        return self.shown.get("error", "")


def _cells(row: dict[str, Any]) -> list[str]:
    numbers = [write_measure(row["measure"], row[name]) for name in ("value", "lower", "upper", "if_calibrated")]
    return [*numbers, str(row["reliability"])]
