"""What is on screen as Python: the view chosen, with the choices made in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tauscope.errors import InputError
from tauscope.results.rules.spec import RulesSpec
from tauscope.views.workspace.rows_code import rows_code

if TYPE_CHECKING:
    from tauscope.views.workspace.workspace import Workspace


def code_of(workspace: Workspace) -> str:
    """Write what the view chosen shows, as `Study.to_code` does.

    Raises
    ------
    InputError
        For a choice that cannot be written down, and why.
    """
    write, name = workspace.study.to_code, workspace.view
    view: Any = workspace.inside.get(name)
    stress = workspace.stress
    if name == "models":
        raise InputError(
            "Code for two models needs a name for the other, which the page has not. Write ts.compare(study, other)."
        )
    if name == "curves":
        n_taus = len(view.message["taus"])
        return write(view="curves", feature=workspace.feature, taus=n_taus)
    if name == "effect":
        return _effect(workspace, view)
    if name == "boundary":
        return write(view="boundary", **_row(workspace, view), **_boundary(view))
    if name == "rules":
        return write(stress, view="rules", **_row(workspace, view), **_rules(view))
    if name == "table" and view is not None:
        moved = write(stress, view="rows")
        return rows_code(view, moved.removesuffix(".frame") + ".weights" if stress["taus"] else "")
    return write(stress, view="rows" if name == "table" else "workspace")


def _effect(workspace: Workspace, view: Any) -> str:
    if view is None:
        return workspace.study.to_code(workspace.stress, view="effect", feature=workspace.column)
    band = {} if len(view.features) == 2 or _follows(workspace, view) else {"epsilon": view.epsilon}
    return workspace.study.to_code(workspace.stress, view="effect", feature=view.features, kind=view.kind, **band)


def _follows(workspace: Workspace, view: Any) -> bool:
    """Whether the band drawn is that of the stress's own distance, which the effect under it has."""
    return bool(workspace.stress["taus"]) and view.follow


def _row(workspace: Workspace, view: Any) -> dict[str, Any]:
    if view is None or view.row >= 0:
        return {"row": workspace.row if view is None else view.row}
    return {"row": view.start_values}


def _boundary(view: Any) -> dict[str, Any]:
    """Return what a person can choose of a search, where it was chosen."""
    if view is None:
        return {}
    spec = view.wanted
    fixed, bounds = list(spec.fixed), dict(spec.bounds or {})
    chosen = {"fixed": fixed, "bounds": bounds, "target": spec.target}
    return {name: value for name, value in chosen.items() if value not in ([], {}, None)}


def _rules(view: Any) -> dict[str, Any]:
    """Return π and t where they were chosen."""
    if view is None:
        return {}
    usual = RulesSpec()
    return {
        name: getattr(view.wanted, name) for name in ("pi", "t") if getattr(view.wanted, name) != getattr(usual, name)
    }
