"""Views of a workspace, opened as a page opens them."""

from __future__ import annotations

from typing import Any

MOVED = {"taus": {"a": 0.3}, "hold": "none"}


def opened(workspace: Any, name: str) -> Any:
    """Show a view of a workspace, and return it once what it shows is there."""
    workspace.view = name
    workspace.wait(60)
    view = workspace.inside[name]
    view.wait(60)
    return view


def pick(workspace: Any, by: str) -> None:
    """Pick groups as the page does, and wait for what is shown of them."""
    workspace.set_state({"by": by})
    for view in workspace.inside.values():
        if hasattr(view, "wait"):
            view.wait(60)
