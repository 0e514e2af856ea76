"""The joint stress widget: a slider per feature, several moved at once, every metric before and after."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import traitlets
from numpy.typing import NDArray

from tauscope.errors import InputError, place_of
from tauscope.figures.stress.joint_table import joint_stress_table
from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.numbers.metrics import leading
from tauscope.views.base import LinkedView, check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import BUDGET
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.joint_message import (
    JointStressMessage,
    joint_answer,
    joint_stress_wire,
)
from tauscope.views.worker import Worker
from tauscope.words import count

STATE = ("stress", "metric")


class JointStressView(LinkedView):
    """A joint stress to move: one τ slider per feature, all at once.

    Where the rows fit the page's budget every stress is solved in the page, without the kernel, and the metrics can be
    shown by group, as by sex. Else the kernel solves, and the page greys its last answer until the one for the present
    stress is there; of groups `Reweighting.by` tells.

    Parameters
    ----------
    result : JointStress
    budget : int, optional
        Bytes that rows may take in the page; 4 MB by default.
    **traits
        First values of `stress` and `metric`.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}, the same in every view that can be
        linked; only features that are moved are in `taus`. Default unstressed. Of a stress that names a feature
        which is not here, nothing is shown but that.
    metric : str
        Name of the metric shown large. By default the first portion of a class, else the first metric.
    message, columns_message, columns, row_weights, answers
        What is shown; see `tauscope.views.stress.joint_message`. Not meant to be set.
    answer : dict
        The kernel's answer to a stress, where the page does not solve it; names the stress.
    ranges : dict
        From the kernel too: {"stress": …, "ranges": {feature: [low, high] or None}}, the τ that the others leave.

    Raises
    ------
    traitlets.TraitError
        For a metric that is not there (with the nearest), τ outside [-1, 1], or another `hold`.
    """

    _esm, _css = bundle("stress/joint")
    result: JointStress

    metric = traitlets.Unicode(help="name of the metric shown large").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as JointStressMessage").tag(sync=True)
    columns_message = traitlets.Dict(help="the features, as ColumnsMessage").tag(sync=True)
    columns = traitlets.Bytes(help="float32 [feature][row], standardised").tag(sync=True)
    row_weights = traitlets.Bytes(help="float32 [row]").tag(sync=True)
    answers = traitlets.Bytes(help="float32 [cell, power, …][row]").tag(sync=True)
    answer = traitlets.Dict(help="the kernel's answer, as JointAnswerMessage").tag(sync=True)
    ranges = traitlets.Dict(help="the τ that the others leave to each feature").tag(sync=True)

    def __init__(self, result: JointStress, *, budget: int = BUDGET, **traits: Any) -> None:
        check_arguments(traits, (*STATE, "budget"))
        wire = joint_stress_wire(result, budget=budget)
        self._worker = Worker()
        self._solved: tuple[StressState, NDArray[np.float64] | None] | None = None
        traits.setdefault("metric", leading(result.metrics).name)
        super().__init__(result, **wire._asdict(), **traits)
        if not self.solved_in_page:
            self.observe(self._on_stress, "stress")
            self._on_stress(None)

    @property
    def solved_in_page(self) -> bool:
        """Whether the page has the rows; else the kernel answers."""
        return bool(self.columns_message["shipped"])

    @property
    def solved(self) -> tuple[StressState, NDArray[np.float64] | None] | None:
        """The stress that the kernel answered last, and its weights, None where it has none; None before the first."""
        return self._solved

    @property
    def _message(self) -> JointStressMessage:
        return cast(JointStressMessage, self.message)

    @traitlets.validate("metric")
    def _check_metric(self, proposal: dict[str, Any]) -> str:
        return check_name("metric", proposal["value"], self.result.metric_names)

    def _on_stress(self, _: object) -> None:
        """Answer the present stress beside the kernel's own work; one that has been left is given up."""
        state = cast(StressState, self.stress)

        def work(stopped: Any) -> None:
            edges = self._message["edges"]
            if state["taus"]:
                answer, weights = joint_answer(self.result, state, edges)
                if stopped():
                    return
                self._solved = state, weights
                self.answer = cast(dict[str, Any], answer)
            ranges: dict[str, list[float] | None] = {}
            for name in self.result.feature_names:
                if stopped():
                    return
                ranges[name] = self._range(name, state)
            if not stopped():
                self.ranges = {"stress": state, "ranges": ranges}

        self._worker.begin(work)

    def _range(self, name: str, state: StressState) -> list[float] | None:
        others = {other: tau for other, tau in state["taus"].items() if other in self.result.feature_names}
        low, high = self.result.reach(name, others, state["hold"])
        return None if low != low else [low, high]

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has answered the present stress, or some seconds have passed."""
        self._worker.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        worker = getattr(self, "_worker", None)
        if worker is not None:
            worker.stop()
        super().close()

    def check_offline(self) -> None:
        """Refuse features that are not there, metrics that rank, and rows that are more than a page can carry."""
        for name in self.stress["taus"]:
            place_of("feature", name, self.result.feature_names)
        whole = [metric.name for metric in self.result.metrics if metric.form == "by_rows"]
        if whole:
            rest = [metric.name for metric in self.result.metrics if metric.form != "by_rows"]
            without = f"joint_stress(metrics={rest!r})" if rest else "joint_stress()"
            raise InputError(
                f"A page without a kernel sums over its rows and does not take them all at once, as {whole[0]!r} does. "
                f"Save {without}, or keep one answer: at({{feature: tau}}).metrics."
            )
        if not self.solved_in_page:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows; these are "
                f"{count(self.result.n_rows, 'row')} of {count(len(self.result.features), 'feature')}. Name fewer "
                "features, or study "
                "a subgroup: study.where(…)."
            )

    def fallback(self) -> dict[str, str]:
        """Show each metric as it is and under the present stress."""
        return self._with_table(joint_stress_table(self.result, self.stress["taus"], self.stress["hold"]))
