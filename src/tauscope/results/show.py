"""The one arrow that points up: a result's figures, its view and its files, found by the path of its class.

A class of `tauscope.results.<room>.<file>` has its figures in `tauscope.figures.<room>.<file>`, as `draw` and
`draw_<name>`, and its view in `tauscope.views.<room>.<file>`, as `<class name>View`. Nothing is imported before it is
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tauscope.views.boundary.boundary import BoundaryView as BoundaryView
    from tauscope.views.boundary.pooled import PooledBoundaryView as PooledBoundaryView
    from tauscope.views.effects.effect import FeatureEffectView as FeatureEffectView
    from tauscope.views.rules.rules import RulesView as RulesView
    from tauscope.views.stress.calibration import CalibrationView as CalibrationView
    from tauscope.views.stress.comparison import ModelComparisonView as ModelComparisonView
    from tauscope.views.stress.curves import StressCurvesView as StressCurvesView
    from tauscope.views.stress.harm import StressHarmView as StressHarmView
    from tauscope.views.stress.image import StressImageView as StressImageView
    from tauscope.views.stress.joint import JointStressView as JointStressView
    from tauscope.views.stress.surface import StressSurfaceView as StressSurfaceView
    from tauscope.views.stress.thresholds import ThresholdCurvesView as ThresholdCurvesView
    from tauscope.views.stress.towards import TargetPopulationView as TargetPopulationView
    from tauscope.views.stress.worst_case import WorstCaseView as WorstCaseView
    from tauscope.views.workspace.table import RowTableView as RowTableView
    from tauscope.views.workspace.workspace import Workspace as Workspace

HOME = "tauscope.results."


def draw(result: object, *args: Any, name: str = "draw", **options: Any) -> Any:
    """Make the Altair chart of a result, by the function `name` of its figures."""
    kind = _kind(result)
    return getattr(_mirrored_module(kind, "figures"), name)(result, *args, **options)


def plot(result: Any, ax: Any, **options: Any) -> Any:
    """Draw the chart of a result with matplotlib."""
    return import_module("tauscope.figures.axes").draw_on_axes(result.chart(**options).to_dict(validate=False), ax)


def view(result: object, **traits: Any) -> Any:
    """Make the widget of a result."""
    return view_class(result)(result, **traits)


def view_class(result: object) -> Any:
    """Return the class of a result's widget."""
    kind = _kind(result)
    return getattr(_mirrored_module(kind, "views"), f"{kind.__name__}View")


def workspace(study: object, **traits: Any) -> Any:
    """Make the workspace of a study."""
    return import_module("tauscope.views.workspace.workspace").Workspace(study, **traits)


def save_workspace(study: object, path: Any, **options: Any) -> None:
    """Write the workspace of a study to a page."""
    import_module("tauscope.sharing.workspace").save_workspace(study, path, **options)


def save_report(study: object, path: Any, **options: Any) -> None:
    """Write the report of a study."""
    module = import_module("tauscope.sharing.report.report")
    module.save_report(study, path, module.ReportOptions(**options))


def stand_in(result: object) -> dict[str, str]:
    """Return what shows a result where no script runs, by media type: text, HTML with a table, a picture."""
    return import_module("tauscope.figures.still").stand_in(result)


def save(result: object, path: Any, **options: Any) -> None:
    """Write a result to a file, by its ending."""
    import_module("tauscope.sharing.save").save(result, path, **options)


def _kind(result: object) -> type:
    return next(kind for kind in type(result).__mro__ if kind.__module__.startswith(HOME))


def _mirrored_module(kind: type, floor: str) -> Any:
    return import_module(f"tauscope.{floor}.{kind.__module__.removeprefix(HOME)}")
