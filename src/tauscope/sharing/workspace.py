"""A page of a study's workspace: stresses are solved in it, the other views are those that were chosen beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tauscope.data.sparse import check_dense
from tauscope.errors import InputError, UnknownName
from tauscope.results.files import replacing
from tauscope.sharing.about import about
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.reading import ROOMS, fold
from tauscope.sharing.rows import EmbeddedRows, RowChoice, choose_rows
from tauscope.sharing.without_rows import page_without_rows
from tauscope.views.workspace.workspace import Workspace
from tauscope.weights.seeds import RandomState
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study

PRECOMPUTED = {
    "effect": "the effect of {feature}",
    "boundary": "the boundary of row {row:,}",
    "pooled": "the pooled boundary of {pooled}",
    "rules": "the rules of row {row:,}",
    "table": "the rows",
    "thresholds": "decisions at every threshold",
    "calibration": "calibration",
    "worst_case": "the worst case within parts of what was allowed",
    "models": "the comparison of both models",
    "towards": "the way to the other population",
}
ROOM = {"effect": "effects", "boundary": "boundary", "pooled": "boundary", "rules": "rules"}
ON_REQUEST = ("pooled", "table", "thresholds", "calibration", "worst_case")
"""Views that a page has where they are named, for what they take of time and bytes."""


def save_workspace(
    study: Study,
    path: str | Path,
    views: Sequence[str] | None = None,
    rows: RowChoice = "all",
    random_state: RandomState = 0,
    **traits: Any,
) -> None:
    """Write a study's workspace to a page; see `Study.save`."""
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise InputError(
            f"A workspace is saved as .html; got {path.suffix or 'no ending'!r} in {path.name!r}. Tables and pictures "
            "are those of a result: study.stress_curves().save('curves.csv')."
        )
    if isinstance(rows, str) and rows not in ("all", "none"):
        raise InputError(f"rows must be 'all', 'none' or a number of rows; got {rows!r}. Try rows=5_000.")
    check_dense(study._columns, "A saved workspace takes")
    if rows == "none":
        text = page_without_rows(study, views, traits)
    else:
        text = _page(study, choose_rows(study, rows, random_state, traits), views, traits)
    with replacing(path) as beside:
        beside.write_text(text, "utf-8")


def _page(study: Study, rows: EmbeddedRows, views: Sequence[str] | None, traits: Mapping[str, Any]) -> str:
    with closing(Workspace.offline(rows.study, **rows.here(traits))) as workspace:
        left_out: list[str] = []
        for name in _chosen(workspace, views):
            try:
                workspace.open_now(name)
            except InputError as error:
                if views is not None:
                    raise
                left_out.append(str(error))
        workspace.check_offline()
        facts = {
            "Rows": _embedded(rows, traits),
            "Computed": _computed(workspace),
            "In the page": "Stresses of one feature or several are solved here, on the rows embedded.",
        }
        if left_out:
            facts["Left out"] = " ".join(left_out)
        return page(
            workspace,
            title=f"{workspace.message['title']} · {study._model_name}",
            note=copy_note(" ".join(repr(rows.study).split("\n")), date.today()),
            lead=_caution(rows),
            still=workspace.still(),
            reading=about(study, facts)
            + fold([term for room in ("stress", *_rooms(workspace)) for term in ROOMS[room]]),
        )


def _chosen(workspace: Workspace, views: Sequence[str] | None) -> tuple[str, ...]:
    """Return the views to compute; by default those that can be, but for what is had on request."""
    there = {view["name"]: view["refused"] for view in workspace.message["views"] if view["name"] in PRECOMPUTED}
    if views is None:
        return tuple(name for name, refused in there.items() if not refused and name not in ON_REQUEST)
    named = {view["label"]: view["name"] for view in workspace.message["views"] if view["name"] in there}
    wanted = [named.get(name, name) for name in ((views,) if isinstance(views, str) else views)]
    for name in wanted:
        if name not in PRECOMPUTED:
            raise UnknownName.among("view", name, [*PRECOMPUTED, *named])
    return tuple(dict.fromkeys(wanted))


def _rooms(workspace: Workspace) -> tuple[str, ...]:
    return tuple(dict.fromkeys(room for name, room in ROOM.items() if name in workspace.inside))


def _computed(workspace: Workspace) -> str:
    """Say what was computed beforehand."""
    names = ["the curves of every feature", *(PRECOMPUTED[name] for name in PRECOMPUTED if name in workspace.inside)]
    pooled = workspace.inside.get("pooled")
    rows = "" if pooled is None else pooled.result.subset
    return ", ".join(names).format(feature=workspace.column, row=workspace.row, pooled=rows)


def _caution(rows: EmbeddedRows) -> str:
    """Say above all that the numbers are of a sample."""
    if rows.positions is None:
        return ""
    return (
        f'<p class="caution">A sample: {rows.study.n_rows:,} of {count(rows.n_rows, "row")}, drawn with random_state='
        f"{rows.seed}. Every number here is of the sample, and its interval counts these rows alone.</p>"
    )


def _embedded(rows: EmbeddedRows, traits: Mapping[str, Any]) -> str:
    """Say which rows are in the page."""
    if rows.positions is None:
        return f"All {rows.n_rows:,} are embedded."
    row = traits.get("row")
    named = (
        f" Row {row:,} of the study, chosen and not drawn, is row {rows.here(traits)['row']:,} here."
        if row is not None
        else ""
    )
    return (
        f"{rows.study.n_rows:,} of {rows.n_rows:,} are embedded, drawn without replacement with random_state="
        f"{rows.seed}, and numbered anew; every number is of them.{named}"
    )
