"""The stress widget: a slider per feature, curves, a readout; all arithmetic already done, shown in the browser."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import traitlets

from tauscope.errors import TauscopeError
from tauscope.figures.stress.table import stress_curves_table
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.first_step import first_feature
from tauscope.stress.groups.group_curves import Shift
from tauscope.views.base import check_arguments, check_name, tau_in_range
from tauscope.views.bundle import bundle
from tauscope.views.grouped import GroupedView
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.curves_message import StressCurvesMessage, stress_curves_wire
from tauscope.views.stress.groups_message import GroupsWire, groups_wire, name_few
from tauscope.views.trait_errors import Choice

ROC = "roc"
STATE = ("tau", "feature", "metric", "rank_by", "stress", "within")


def _never() -> bool:
    """Nothing stops what is computed as the view is made; what it raises is the caller's."""
    return False


class StressCurvesView(GroupedView):
    """Stress curves to move: one τ slider per feature.

    Every trait can be observed (`view.observe(f, "tau")`), set, and linked to another view's or widget's
    (`ipywidgets.link((view, "tau"), (other, "value"))`).

    Parameters
    ----------
    result : StressCurves
        What is shown; recomputed on a finer grid of τ.
    n_taus : int, optional
        Steps of that grid, odd; by default 101, 41 or 21, as many as fit 1 MB.
    by : str, sequence of str, or column of shape (n_rows,), optional
        Groups to open on, as `StressCurves.by` takes them; a mask or labels are then offered beside the columns.
    **traits
        First values of the traits below.

    Attributes
    ----------
    tau : float
        Stress of the chosen feature, in [-1, 1]; set to the nearest value of the grid. Default 0.
    feature : str
        Name of the chosen feature. By default the one that moves the first metric most, of those that do so
        reliably by a small shift.
    metric : str
        Name of the metric shown, or "roc" (true against false positive rate) where both rates are there. By
        default the first portion of a class, else the first metric.
    rank_by : {"difference", "slope"}
        Order of the sliders: by the metric's change from τ = -1 to 1, or by its slope at 0.
    stress : dict
        The same as views share it, {"taus": {feature: tau}, "hold": …}: follows `tau` and `feature`, which follow it.
        A stress of several features, of another hold or of a feature that is not here leaves `tau` at 0, and the
        widget says so.
    by : str
        What rows are told apart by: the name of a column with levels, or of what `by` was given; "" for all rows
        together, the default. Then the chart has a line for each group under the stress of the chosen feature, up to
        12, and the page names the gap between them. The kernel follows them; a saved page has the groups it opens on.
    within : bool
        False, a marginal shift: the population moves, and the shares of groups follow. True, a shift within groups:
        each group moves by itself. Default False.
    message : dict
        What is shown, as `tauscope.views.stress.curves_message.StressCurvesMessage`; not meant to be set.
    curves, population, histograms, reasons, beside : bytes
        Its numbers; see `tauscope.views.stress.curves_message`.
    groups, group_numbers : dict, bytes
        The groups shown; see `tauscope.views.stress.groups_message`.

    Raises
    ------
    traitlets.TraitError
        For a feature, metric or grouping that is not there (with the nearest names), or τ outside [-1, 1].
    InputError
        For `by` of other than 2 to 12 groups, and all that `StressCurves.by` refuses.
    """

    _esm, _css = bundle("stress/curves")
    result: StressCurves

    tau = traitlets.Float(0.0, help="stress of the chosen feature, in [-1, 1]").tag(sync=True, echo_update=False)
    feature = traitlets.Unicode(help="name of the chosen feature").tag(sync=True)
    metric = traitlets.Unicode(help='name of the metric shown, or "roc"').tag(sync=True)
    rank_by = Choice(("difference", "slope"), "difference", help="order of the sliders").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as StressCurvesMessage").tag(sync=True)
    curves = traitlets.Bytes(help="float32 [feature][metric][tau][value, lower, upper]").tag(sync=True)
    population = traitlets.Bytes(help="float32 [feature][tau][target, ess, pareto_k, kl, tv, n_carriers, carried]").tag(
        sync=True
    )
    histograms = traitlets.Bytes(help="float32 per feature [tau][bin]").tag(sync=True)
    reasons = traitlets.Bytes(help="uint8 [feature][metric][tau][reason, amount]").tag(sync=True)

    beside = traitlets.Bytes(help="as curves, of another model; empty for none").tag(sync=True)

    within = traitlets.Bool(False, help="whether each group is moved by itself").tag(sync=True)
    groups = traitlets.Dict(help="the groups shown, as CurvesGroupsMessage").tag(sync=True)
    group_numbers = traitlets.Bytes(help="their numbers; see GroupsWire").tag(sync=True)

    def __init__(
        self,
        result: StressCurves,
        *,
        n_taus: int | None = None,
        beside: StressCurves | None = None,
        by: Any = None,
        **traits: Any,
    ) -> None:
        if "taus" in traits:
            raise traitlets.TraitError(_number_of_taus(traits["taus"]))
        check_arguments(traits, (*STATE, "n_taus", "beside", "by"))
        wire = stress_curves_wire(result, n_taus, beside)
        self.result = result
        own = self._given = {} if by is None or (isinstance(by, str) and by == "") else {name_few(result, by)[0]: by}
        offered = list(self.groupings)
        wire.message.update(by=offered, live=bool(offered) and not self._offline)
        traits.setdefault("metric", result._leading_metric.name)
        traits.setdefault("feature", first_feature(result))
        self._following = True
        super().__init__(result, **wire._asdict(), by=next(iter(own), ""), **traits)
        self._following = False
        if "stress" in traits:
            self._follow_stress()
        else:
            self._share_stress()
        self.observe(self._share_stress, ["tau", "feature"])
        self.observe(self._follow_stress, "stress")
        if own:
            self._follow_groups(_never)
        self.observe(self._ask_for_groups, ["by", "within", "feature"])

    def _offered(self) -> list[str]:
        """Return the columns that can be picked; none where these curves cannot be followed by group."""
        options = self.result._options
        return super()._offered() if options.hold is None and options.interval == "analytic" else []

    @property
    def _shift(self) -> Shift:
        return "within" if self.within else "marginal"

    def _ask_for_groups(self, change: object = None) -> None:
        """Have the groups followed that are shown, unless their numbers are there."""
        there, block = self.groups, {"feature": self.feature, "shift": self._shift}
        if self.by == "" or (there.get("by") == self.by and block in there.get("blocks", [])):
            self._worker.stop()
        elif not self._offline:
            self._worker.begin(self._follow_groups)

    def _follow_groups(self, stopped: Callable[[], bool]) -> None:
        by, shift = self.by, self._shift
        try:
            found = groups_wire(
                self._on_the_grid(),
                self.grouping,
                by,
                self.feature,
                ("marginal", "within") if self._offline else (shift,),
            )
        except TauscopeError as error:
            if stopped is _never:
                raise
            found = GroupsWire({"by": by, "error": str(error)}, b"")
        if not stopped():
            with self.hold_sync():
                self.groups, self.group_numbers = found

    def _on_the_grid(self) -> StressCurves:
        taus = self._message["taus"]
        return self.result.at(len(taus)) if self.result._refinable else self.result

    @property
    def _message(self) -> StressCurvesMessage:
        return cast(StressCurvesMessage, self.message)

    @traitlets.validate("tau")
    def _snap_tau(self, proposal: dict[str, Any]) -> float:
        tau = tau_in_range(proposal["value"])
        taus = np.array(self._message["taus"])
        return float(taus[np.abs(taus - tau).argmin()])

    def _follow_stress(self, change: object = None) -> None:
        """Move the chosen feature to the stress, as far as these curves can show it."""
        feature, tau = self._shown(cast(StressState, self.stress))
        self._following = True
        try:
            self.feature, self.tau = feature or self.feature, tau
        finally:
            self._following = False

    def _share_stress(self, change: object = None) -> None:
        """Say the chosen feature's stress to others, unless it is what they said."""
        if self._following:
            return
        feature, tau = self._shown(cast(StressState, self.stress))
        if (feature or self.feature, tau) != (self.feature, self.tau):
            moved: dict[str, float] = {self.feature: self.tau} if self.tau else {}
            self.stress = {"taus": moved, "hold": self._message["hold"] if moved else "none"}

    def _shown(self, stress: StressState) -> tuple[str | None, float]:
        """Return the feature (None: any) and the step of τ that show a stress; τ = 0 where none does."""
        taus, names = stress["taus"], [f["name"] for f in self._message["features"]]
        if len(taus) != 1 or stress["hold"] != self._message["hold"] or not set(taus) <= set(names):
            return None, 0.0
        ((feature, tau),) = taus.items()
        steps = np.array(self._message["taus"])
        return feature, float(steps[np.abs(steps - tau).argmin()])

    @traitlets.validate("feature")
    def _check_feature(self, proposal: dict[str, Any]) -> str:
        return check_name("feature", proposal["value"], [f["name"] for f in self._message["features"]])

    @traitlets.validate("metric")
    def _check_metric(self, proposal: dict[str, Any]) -> str:
        names = [i["name"] for i in self._message["metrics"]]
        if {"true_positive_rate", "false_positive_rate"} <= set(names):
            names.append(ROC)
        return check_name("metric", proposal["value"], names)

    def fallback(self) -> dict[str, str]:
        """Add a picture of the curves and a table of their numbers."""
        return self._with_table(stress_curves_table(self.result))


def _number_of_taus(taus: object) -> str:
    tried = taus if isinstance(taus, int) else 21
    return f"A widget takes the number of τ as n_taus; got taus={taus!r}. Try n_taus={tried}."
