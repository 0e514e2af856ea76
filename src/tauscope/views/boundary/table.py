"""A boundary as a small HTML table, for pages that show no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.boundary.tables import scaled_changes
from tauscope.words import count, escape

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary

MOST_ROWS = 12


def boundary_table(result: Boundary) -> str:
    """Write the features that change, those that matter first, at the row, its flip and the rival.

    Parameters
    ----------
    result : Boundary

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    numbers = result._numbers
    scaled = np.abs(scaled_changes(numbers)[0])
    order = [int(j) for j in np.argsort(-scaled, kind="stable") if scaled[j] > 0][:MOST_ROWS]
    heads = ["feature", "this row", "nearest flip", "rival"]
    start, *others = (numbers.start[0], numbers.inspection.point[0], numbers.rival[0])
    columns = numbers.columns
    lines = [
        _row(
            columns[j].name, [columns[j].label(start[j]), *(columns[j].label_from(start[j], one[j]) for one in others)]
        )
        for j in order
    ]
    n_more = len(columns) - len(order)
    more = (
        f" {count(n_more, 'more feature stays or changes', 'more features stay or change')} less."
        if lines and n_more
        else ""
    )
    words = f"{result._caption}. {result.sentence}.{more}"
    if not lines:
        return f"<p>{escape(words)}</p>"
    return "".join(
        (
            f"<table><caption>{escape(words)}</caption><thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in heads),
            "</tr></thead><tbody>",
            *lines,
            "</tbody></table>",
        )
    )


def _row(name: str, cells: list[str]) -> str:
    numbers = "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{numbers}</tr>'
