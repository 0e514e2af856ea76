"""A page of a study's workspace: stresses are solved in it, the other views are those that were chosen beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tauscope.errors import InputError
from tauscope.results.files import replacing
from tauscope.results.versions import package_versions
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.reading import ROOMS, fold
from tauscope.views.workspace.workspace import Workspace

PRECOMPUTED = {
    "effect": "the effect of {feature}",
    "boundary": "the boundary of row {row:,}",
    "rules": "the rules of row {row:,}",
    "table": "the rows",
}
ROOM = {"effect": "effects", "boundary": "boundary", "rules": "rules"}


def save_workspace(study: Any, path: str | Path, views: Sequence[str] | None = None, **traits: Any) -> None:
    """Write a study's workspace to a page; see `Study.save`."""
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise InputError(
            f"A workspace is saved as .html; got {path.suffix or 'no ending'!r} in {path.name!r}. Tables and pictures "
            "are those of a result: study.stress_curves().save('curves.csv')."
        )
    with closing(Workspace.offline(study, **traits)) as workspace:
        for name in _chosen(workspace, views):
            workspace.open_now(name)
        workspace.check_offline()
        text = page(
            workspace,
            title=f"{workspace.message['title']} · {study.model_name}",
            note=copy_note(_words(study, workspace), date.today()),
            still=workspace.still(),
            reading=fold([term for room in ("stress", *_rooms(workspace)) for term in ROOMS[room]]),
        )
    with replacing(path) as beside:
        beside.write_text(text, "utf-8")


def _chosen(workspace: Workspace, views: Sequence[str] | None) -> tuple[str, ...]:
    """Return the views to compute; by default those that can be, but for the table of the rows."""
    there = {view["name"]: view["refused"] for view in workspace.message["views"] if view["name"] in PRECOMPUTED}
    if views is None:
        return tuple(name for name, refused in there.items() if not refused and name != "table")
    return tuple(dict.fromkeys((views,) if isinstance(views, str) else views))


def _rooms(workspace: Workspace) -> tuple[str, ...]:
    return tuple(room for name, room in ROOM.items() if name in workspace.inside)


def _words(study: Any, workspace: Workspace) -> str:
    """Say what was computed for the page, of which data, and with what."""
    names = [PRECOMPUTED[name] for name in PRECOMPUTED if name in workspace.inside]
    said = ", ".join(names).format(feature=workspace.column, row=workspace.row)
    about = " ".join(repr(study).split("\n"))
    computed = f"; stresses are solved here on {study.n_rows:,} rows, and {said} computed beforehand" if said else ""
    packages = ", ".join(f"{name} {version}" for name, version in package_versions().items())
    return f"{about}{computed}. Data {study.data_hash[:16]}, {packages}"
