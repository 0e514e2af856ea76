"""A pooled boundary as a small HTML table, for pages that show no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.results.boundary.text import pooled_axis, pooled_interval
from tauscope.results.formatting import number
from tauscope.words import count, escape

if TYPE_CHECKING:
    from tauscope.results.boundary.pooled import PooledBoundary

MOST_ROWS = 12


def pooled_table(result: PooledBoundary) -> str:
    """Write the largest pooled weights with their intervals, and their parts where features are absent.

    Parameters
    ----------
    result : PooledBoundary

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    parted = bool((result.absent != 0).any())
    heads = ["feature", pooled_axis(result), "interval"]
    if parted:
        heads += ["from rows that have it", "interval", "from rows that do not", "interval"]
    table = result.frame.head(MOST_ROWS)
    lines = [_line(row, parted) for row in cast(list[dict[str, Any]], table.to_dict("records"))]
    n_more = len(result.direction) - len(table)
    words = [
        f"{result._caption}, of {result.subset}",
        pooled_interval(result.confidence, result.weighted),
        *result.notes,
        *([f"{count(n_more, 'more feature weighs', 'more features weigh')} less"] if n_more else []),
    ]
    return "".join(
        (
            f"<table><caption>{escape('. '.join(words))}.</caption><thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in heads),
            "</tr></thead><tbody>",
            *lines,
            "</tbody></table>",
        )
    )


def _line(row: dict[str, Any], parted: bool) -> str:
    parts = [("direction", "")] + ([("present", "present_"), ("absent", "absent_")] if parted else [])
    cells: list[str] = []
    for value, ends in parts:
        lower, upper = row[f"{ends}lower"], row[f"{ends}upper"]
        cells += [number(row[value]), "no interval" if np.isnan(lower) else f"{number(lower)} to {number(upper)}"]
    written = "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in cells)
    return f'<tr><th scope="row">{escape(str(row["feature"]))}</th>{written}</tr>'
