"""The rows listed as Python: operations of pandas on the table's frame, or the positions where these say it exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tauscope.views.workspace.table import RowTableView

FRAME = "rows = study.table().frame"
IMPORT = "import tauscope as ts\n\n"


def rows_code(view: RowTableView, weights: str) -> str:
    """Write the rows that a table lists, in its order.

    Parameters
    ----------
    view : RowTableView
    weights : str
        Code of the weights under the stress; "" without one.
    """
    listed = view.found()
    frame, lines = view.result.frame, [FRAME]
    after_name = view.weight_names[1]
    after = view.after
    if weights and after is not None:
        _, head, call = weights.rpartition(IMPORT)
        lines = [f"{head}{FRAME}", f"rows[{after_name!r}] = {call}"]
        frame[after_name] = after
    answer = ""
    if view.filter == "errors" and not view.search:
        names = [next(one.name for one in view.result.columns if one.role == role) for role in ("predicted", "truth")]
        lines.append(f"rows = rows[rows[{names[0]!r}].astype(object) != rows[{names[1]!r}].astype(object)]")
        frame = frame[frame[names[0]].astype(object) != frame[names[1]].astype(object)]
    if view.sort and view.sort in frame:
        answer = f"rows.sort_values({view.sort!r}, ascending={not view.descending}, kind='stable')"
        frame = frame.sort_values(view.sort, ascending=not view.descending, kind="stable")
    elif view.descending:
        answer, frame = "rows[::-1]", frame[::-1]
    if not np.array_equal(frame["row"].to_numpy(), listed):
        lines = [line for line in lines if not line.startswith("rows = rows[")]
        answer = f"rows.iloc[{listed.tolist()}]"
    return "\n".join([*lines, answer or "rows"])
