"""The workspace of a study: its population on top, every view under the same stress, each opened when first shown."""

# Decided in docs/decisions/0003-the-workspace-is-one-model.md.

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import traitlets

from tauscope.errors import InputError
from tauscope.prediction.stopping import Stopped
from tauscope.results import show
from tauscope.views.base import LinkedView, ResultView, check_arguments, check_name, check_selection
from tauscope.views.boundary.pooled_rows import NoRows, waiting_words
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import ColumnsWire
from tauscope.views.error_words import error_words
from tauscope.views.worker import Worker, every_now_and_then
from tauscope.views.workspace.host import Host
from tauscope.views.workspace.inside_rule import rows_inside
from tauscope.views.workspace.kept import read_kept
from tauscope.views.workspace.message import GIVEN, VIEWS, OpenedMessage, workspace_message
from tauscope.views.workspace.opening import (
    BY_GROUP,
    OF_GROUPS,
    OF_JOINT,
    SHARED,
    Asked,
    first_row,
    said,
    second_metric,
)
from tauscope.views.workspace.requests import Requests
from tauscope.views.workspace.selected import SelectedFollower

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.views.stress.joint import JointStressView

STATE = ("stress", "view", "feature", "row", "selection", "second_metric", "scenarios", "by")
ALWAYS = ("joint", "curves")
"""Views that are there from the start: sliders and numbers, and curves."""


class Workspace(Host, LinkedView):
    """Every view of a study under one stress: sliders and curves, and beside them the view chosen.

    The other views are opened, and what they show computed, when they are first shown.

    Parameters
    ----------
    study : Study
    results : mapping of str to result, optional
        What a view shows when it is first opened, instead of what is computed for it:
        {"effect": study.effect("age", kind="ale")}; for "curves" those of another model, to be drawn in the same
        axes. The views "models" and "towards" are there only with their results, as
        `Study.workspace(beside=…, towards=…)` gives them.
    inside : mapping of str to mapping, optional
        First values of a view's own traits: {"effect": {"epsilon": 0.2}}.
    **traits
        First values of the traits below.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}, of all views. Default unstressed.
    view : {"curves", "metrics", "effect", "boundary", "pooled", "rules", "table", "thresholds", "calibration",
        "worst_case", "models", "towards"}
        What stands beside sliders and curves; where there is no room for both, what is shown. Default "metrics".
    feature : str
        The feature whose effect is shown, and whose curve unless the stress moves another one alone. By default the
        one that moves the first metric most.
    row : int
        Position of the row whose boundary and rules are shown. By default the first that is misclassified.
    selection : list of int
        Positions of the rows selected, ascending. Their flips are pooled, at most 200 of them drawn; where none is
        selected those of the rows misclassified.
    second_metric : str
        The metric of the second curve; the first curve has that of the curves inside.
    by : str
        What rows are told apart by, in the curves, effect, thresholds and calibration: a column's name, or when the
        workspace is made anything that `StressCurves.by` takes; "" for all rows together, the default. A result given
        for thresholds or calibration has its own groups until others are picked. Whether the population moves or each
        group by itself is `within` of `curves`; over the effect the population moves.
    stop : int
        Raised by one to cancel the view that is being computed.
    compute : int
        Raised by one to compute the view chosen once more, after it was cancelled or failed.
    scenarios : list
        The stresses kept, as {"name": …, "taus": {…}, "hold": …}; set to such or to `tauscope.Scenario`, each of a name
        of its own. `ts.Scenario(**workspace.scenarios[0])` is the first of them.
    message, opened, selected : dict
        What is shown, as `tauscope.views.workspace.message` and `.selected` have it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For a view, feature or row that is not there, or a stress that is none.

    Notes
    -----
    Each view inside is that of its own result, and has its traits here as `<view>__<trait>`: `joint`, `curves`,
    `effect`, `boundary`, `pooled`, `rules`, `table`, `thresholds`, `calibration`, `worst_case`, `models`, `towards`.
    Whether the rows stand in a table or a scatter, and of which columns, is `display`, `x` and `y` of `table`; a saved
    page opens on it.
    """

    _esm, _css = bundle("workspace/workspace")

    view = traitlets.Unicode("metrics", help="what stands beside sliders and curves").tag(sync=True)
    feature = traitlets.Unicode(help="the feature whose curve and effect are shown").tag(sync=True)
    row = traitlets.Int(help="position of the row explained").tag(sync=True)
    selection = traitlets.List(traitlets.Int(), help="positions of the rows selected").tag(sync=True, echo_update=False)
    second_metric = traitlets.Unicode(help="metric of the second curve").tag(sync=True)
    by = traitlets.Unicode(help="what rows are told apart by; empty for all together").tag(sync=True)
    stop = traitlets.Int(0, help="raised by one to cancel the view that is being computed").tag(sync=True)
    compute = traitlets.Int(0, help="raised by one to compute the view chosen once more").tag(sync=True)
    scenarios = traitlets.List(traitlets.Any(), help="the stresses kept, by name").tag(sync=True, echo_update=False)
    message = traitlets.Dict(help="what is studied, as WorkspaceMessage").tag(sync=True)
    opened = traitlets.Dict(help="how far each view is, as OpenedMessage by name").tag(sync=True)
    selected = traitlets.Dict(help="what the rows selected weigh, as SelectedMessage").tag(sync=True)

    def __init__(
        self,
        study: Study,
        *,
        results: Mapping[str, Any] | None = None,
        inside: Mapping[str, Mapping[str, Any]] | None = None,
        **traits: Any,
    ) -> None:
        check_arguments(traits, (*STATE, "results", "inside"))
        self._results, self._first_inside = dict(results or {}), dict(inside or {})
        for name in (*self._results, *self._first_inside):
            check_name("view", name, tuple(SHARED))
        self._worker, self._requests = Worker(), Requests(self)
        self._saying = RLock()  # the worker says how far it is, and the page may cancel meanwhile
        self._asked: Asked | None = None
        self._told_column = ""
        self._picked_when_given: dict[str, str] = {}
        self._study = study
        stress = {"stress": traits["stress"]} if "stress" in traits else {}
        beside = self.beside = self._results.get("curves")
        options = {"beside": beside, "by": traits.pop("by", None)}
        given = {name: value for name, value in options.items() if value is not None}
        curves = self._make("curves", study.stress_curves(), **stress, **given)
        self._columns = {one["name"]: one["column"] for one in cast(Any, curves).message["features"]}
        self._groupings = cast(Any, curves).message["by"]
        first = {
            "row": first_row(study),
            "feature": cast(Any, curves).feature,
            "by": cast(Any, curves).by,
            "second_metric": second_metric(curves),
        }
        message = workspace_message(study, kernel=not self._offline, given=self._results)
        super().__init__(study, message=message, **(first | traits))
        self._take_in("curves", curves)
        joint = self._make("joint", study.joint_stress(), **stress)
        self._take_in("joint", joint)
        if not cast("JointStressView", joint).solved_in_page:
            SelectedFollower(self, cast("JointStressView", joint))
        self.on_msg(self._requests.receive)
        self.observe(self._shown, ["view", "stress", "feature", "row", "selection", "by"])
        self.observe(self._cancelled, "stop")
        self.observe(self._again, "compute")
        self._shown()

    @traitlets.validate("view")
    def _check_view(self, proposal: dict[str, Any]) -> str:
        return check_name("view", proposal["value"], tuple(name for name in VIEWS if self._is_there(name)))

    @traitlets.validate("feature")
    def _check_feature(self, proposal: dict[str, Any]) -> str:
        return check_name("feature", proposal["value"], tuple(self._columns))

    @traitlets.validate("by")
    def _check_by(self, proposal: dict[str, Any]) -> str:
        return check_name("grouping", proposal["value"], ["", *self._groupings])

    @traitlets.validate("row")
    def _check_row(self, proposal: dict[str, Any]) -> int:
        row, n_rows = proposal["value"], self._study.n_rows
        if not 0 <= row < n_rows:
            raise traitlets.TraitError(f"row must be a position between 0 and {n_rows - 1:,}; got {row}.")
        return row

    @traitlets.validate("selection")
    def _check_selection(self, proposal: dict[str, Any]) -> list[int]:
        return check_selection(proposal["value"], self._study.n_rows)

    @traitlets.validate("scenarios")
    def _check_scenarios(self, proposal: dict[str, Any]) -> list[dict[str, Any]]:
        return read_kept(proposal["value"], self._study._columns)

    def _is_there(self, name: str) -> bool:
        return name not in GIVEN or name in self._results

    @property
    def study(self) -> Any:
        """The study whose workspace this is."""
        return self._study

    @property
    def given(self) -> Mapping[str, Any]:
        """Results that views show first, by name of the view; others are computed."""
        return dict(self._results)

    @property
    def column(self) -> str:
        """The column of the feature chosen, whose effect is shown."""
        return self._columns[self.feature]

    def open_now(self, name: str) -> None:
        """Open a view here and now, as for a page that has no kernel to open it later.

        Raises
        ------
        InputError
            Where there is no such view of this study, and why.
        """
        check_name("view", name, tuple(SHARED))
        refused = self._refused(name)
        if refused:
            raise InputError(f"{name} cannot be shown. {refused}")
        result = self._compute_result(self._asking(name), lambda done, total: False)
        self._take_in(name, self._make(name, result))
        self._tell(name)

    def check_offline(self) -> None:
        """Refuse what a page without a kernel could not show of any view, and leave out views that it has not."""
        for view in self._inside.values():
            view.check_offline()
        there = [one for one in self.message["views"] if one["name"] in ("metrics", *self._inside)]
        check_name("view", self.view, [one["name"] for one in there])
        self.message = {**self.message, "views": there}

    def wait(self, seconds: float | None = None) -> None:
        """Wait until what is being opened is there, or some seconds have passed."""
        self._worker.wait(seconds)
        self._requests.wait(seconds)

    def close(self) -> None:
        """Stop what is under way, and close this with all views in it."""
        requests = getattr(self, "_requests", None)
        if requests is not None:
            requests.stop()
        worker = getattr(self, "_worker", None)
        if worker is not None:
            worker.stop()
        super().close()

    def fallback(self) -> dict[str, str]:
        """Show the curves, and say what is studied."""
        return {**self._inside["curves"].fallback(), "text/plain": repr(self._study)}

    def _make(self, name: str, result: Any, **traits: Any) -> ResultView:
        kind = show.view_class(result)
        if name == "pooled":
            joint = self._inside["joint"]
            traits["columns"] = ColumnsWire(*(getattr(joint, trait) for trait in ColumnsWire._fields))
        if name in OF_GROUPS:
            traits["groupings"] = cast(Any, self._inside["curves"]).groupings
        return (kind.offline if self._offline else kind.hosted)(result, **self._first_inside.get(name, {}), **traits)

    def _take_in(self, name: str, view: ResultView) -> None:
        if name in BY_GROUP and name in self._results:
            self._picked_when_given[name] = self.by
        self._host(name, view, SHARED[name] | (OF_JOINT if name == "pooled" else {}))
        for theirs, ours in SHARED[name].items():
            view.observe(partial(self._heard, ours), theirs)
        if name == "rules":
            view.observe(self._follow_rule, ["answer", "rule"])
        if name in ("rules", "table"):
            self._follow_rule()
        self._say(name, said("open"))

    def _follow_rule(self, change: object = None) -> None:
        """Let the table list the rows inside the rule shown, as it was found."""
        rules, table = cast(Any, self._inside.get("rules")), cast(Any, self._inside.get("table"))
        if rules is not None and table is not None:
            table.follow_rule(*rows_inside(rules.result, rules.rule))

    def _heard(self, trait: str, change: dict[str, Any]) -> None:
        """Take over what a view inside has set itself, such as the curves' feature after a stress."""
        try:
            self.set_trait(trait, change["new"])
        except traitlets.TraitError:
            return  # such as the row −1 of values that are no row's

    def _shown(self, change: object = None) -> None:
        """Open the view chosen, or tell it what has changed; the others hear of it when they are shown."""
        for name in (*ALWAYS, self.view):
            if name in self._inside:
                self._tell(name)
        if self.opened.get(self.view, {}).get("state") == "waiting":
            self._wait_for_rows(self.view)
        if self.view in SHARED and not self._offline and self._is_wanted(self.view):
            self._open(self.view)

    def _is_wanted(self, name: str) -> bool:
        """Whether a view is yet to be computed, or was begun, or failed, for another feature or row."""
        opened, asked = self.opened.get(name), self._asked
        if opened is None:
            return True
        unfinished = opened["state"] == "working" or (opened["state"] == "failed" and opened["again"])
        return unfinished and asked is not None and asked.name == name and not asked.same(self._asking(name))

    def _cancelled(self, change: object = None) -> None:
        """Stop what is being computed, and say so where it was to be shown."""
        self._worker.stop()
        for name, opened in list(self.opened.items()):
            if opened["state"] == "working":
                self._say(name, said("cancelled", f"Cancelled: {opened['words']}.", again=True))

    def _again(self, change: object = None) -> None:
        opened = self.opened.get(self.view)
        if opened is not None and opened["again"]:
            self._open(self.view)

    def _tell(self, name: str) -> None:
        view: Any = self._inside[name]
        for theirs, ours in SHARED[name].items():
            if (name, theirs) == ("curves", "feature") and len(self.stress["taus"]) == 1:
                continue  # the curve of the feature moved is shown; another one chosen would be moved in its place
            if theirs == "by" and self._keeps_groups(name):
                continue
            _set_if_known(view, theirs, getattr(self, ours))
        if name == "table":
            _set_if_known(view, "feature", self.column)
        if name == "effect" and len(view.features) == 1 and self.column != self._told_column:
            self._tell_column(view)

    def _keeps_groups(self, name: str) -> bool:
        """Whether a view has a result that was given, and no other groups were picked since it was opened."""
        if self._picked_when_given.get(name) == self.by:
            return True
        self._picked_when_given.pop(name, None)
        return False

    def _tell_column(self, effect: Any) -> None:
        """Show the effect of the feature chosen; one given, or picked in the effect, stays until another is chosen."""
        first, self._told_column = self._told_column == "", self.column
        if not (first and "effect" in self._results):
            effect.features = [self.column]

    def _open(self, name: str) -> None:
        refused = self._refused(name)
        if refused:
            self._say(name, said("failed", refused))
            return
        asked = self._asking(name)
        try:
            words = asked.words(self._study)
        except NoRows:
            if name not in self._results:
                self._wait_for_rows(name)
                return
            words = ""
        self._worker.stop()
        # what was under way for another view is given up, to be computed when that is shown again
        self.opened = {other: one for other, one in self.opened.items() if one["state"] != "working"}
        self._asked = asked
        self._say(name, said("working", words))
        self._worker.begin(partial(self._compute, asked, words))

    def _wait_for_rows(self, name: str) -> None:
        self._say(name, said("waiting", waiting_words(self._study, self.selection), again=True))

    def _refused(self, name: str) -> str:
        return next((one["refused"] for one in self.message["views"] if one["name"] == name), "")

    def _asking(self, name: str) -> Asked:
        curves = cast(Any, self._inside["curves"])
        return Asked(name, self.column, self.row, tuple(self.selection), self.by, curves.grouping, curves.result)

    def _compute_result(self, asked: Asked, callback: Callable[[int, int], bool]) -> Any:
        """Return what a view shows first: what was given, or else computed."""
        given = self._results.get(asked.name)
        return asked.compute(self._study, callback) if given is None else given

    def _compute(self, asked: Asked, words: str, stopped: Callable[[], bool]) -> None:
        name = asked.name

        def tell(done: int, total: int) -> None:
            self._say(name, said("working", words, done=done, total=total, unit=asked.unit), stopped)

        try:
            view = self._make(name, self._compute_result(asked, every_now_and_then(tell, stopped)))
        except Stopped:
            return
        except Exception as error:  # the person's model may raise anything; the page says it
            self._say(name, said("failed", error_words(error), again=True), stopped)
            return
        if stopped():
            return
        self._take_in(name, view)
        self._tell(name)

    def _say(self, name: str, opened: OpenedMessage, stopped: Callable[[], bool] = lambda: False) -> None:
        """Say how far a view is, unless its computation was given up."""
        with self._saying:
            if not stopped():
                self.opened = {**self.opened, name: opened}


def _set_if_known(view: Any, trait: str, value: object) -> None:
    """Set what a view can show; what it cannot, it says in the page."""
    with suppress(traitlets.TraitError):
        view.set_trait(trait, value)
