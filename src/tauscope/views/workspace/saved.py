"""What is on screen as the arguments of `Study.save`: the same population, views, results and choices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tauscope.views.workspace.workspace import Workspace

OWN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "joint": ("metric",),
        "curves": ("metric", "rank_by", "within"),
        "effect": ("epsilon", "follow", "target_class"),
        "boundary": (),
        "pooled": ("order", "n_features"),
        "rules": ("rule",),
        "table": ("search", "filter", "sort", "descending", "display", "x", "y"),
        "thresholds": ("thresholds", "metric"),
        "calibration": ("group",),
        "worst_case": ("amount",),
        "models": (),
        "towards": ("amount",),
    }
)
"""Choices of each view that a page without a kernel can open on."""


def saved_state(workspace: Workspace) -> dict[str, Any]:
    """Return what `Study.save` is to be given for a page of what is on screen."""
    with workspace.hold_sync():  # a result and the choices in it are of the same groups
        return _state(workspace)


def _state(workspace: Workspace) -> dict[str, Any]:
    inside = workspace.inside
    opened = [name for name in OWN if name in inside and name not in ("joint", "curves")]
    shared = ("stress", "view", "feature", "row", "selection", "second_metric", "scenarios")
    results = {"curves": workspace.beside, **{name: _result(workspace, name) for name in opened}}
    return {
        "views": opened,
        "results": {name: result for name, result in results.items() if result is not None},
        "inside": {name: {trait: getattr(view, trait) for trait in OWN[name]} for name, view in inside.items()},
        **{trait: getattr(workspace, trait) for trait in shared},
        **({"by": cast(Any, inside["curves"]).grouping} if workspace.by else {}),
        "view": workspace.view if workspace.view in ("curves", "metrics", *opened) else "metrics",
    }


def _result(workspace: Workspace, name: str) -> Any:
    """Return what a view shows, where it is of the row or the feature chosen; else None, and it is computed anew."""
    view: Any = workspace.inside[name]
    if name == "effect":
        return view.shown
    if name not in ("boundary", "rules"):
        return view.result
    of_row = view.result.row if name == "boundary" else view.result.explanation.row
    return view.result if of_row == workspace.row else None
