"""What stands in for a result where no script runs: a picture and a table, in HTML and as a picture of its own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.figures.labels import legible
from tauscope.figures.svg import draw_svg
from tauscope.results.base import Result
from tauscope.results.display import TEXT
from tauscope.results.formatting import number
from tauscope.words import count, escape

HTML, SVG = "text/html", "image/svg+xml"
MOST_ROWS, MOST_COLUMNS = 12, 12
LONGEST = 120


def stand_in(result: Result, table: str | None = None) -> dict[str, str]:
    """Return a result by media type, for readers that show no widget.

    Parameters
    ----------
    result : Result
    table : str, optional
        HTML; by default the first rows of its frame.

    Returns
    -------
    dict
        Text; HTML of the picture and the table; and the picture. A result that has none has its words instead.
    """
    drawn = _picture(result)
    words = "" if drawn else f"<pre>{escape(legible_lines(repr(result)))}</pre>"
    bundle = {TEXT: repr(result), HTML: words + (table if table is not None else _table(result)), **drawn}
    return with_picture(bundle, result.title)


def with_picture(bundle: Mapping[str, str], spoken: str) -> dict[str, str]:
    """Put the picture of a bundle before its table: viewers that prefer HTML would drop it otherwise."""
    if SVG not in bundle:
        return dict(bundle)
    return {**bundle, HTML: f"<div>{image_of(bundle[SVG], spoken)}</div>{bundle[HTML]}"}


def image_of(svg: str, spoken: str) -> str:
    """Write a picture into a page."""
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escape(legible(spoken))}" src="data:{SVG};base64,{data}" />'


def legible_lines(text: str) -> str:
    """Return lines as they can be shown, long ones shortened."""
    return "\n".join(legible(line) for line in text.splitlines())


def html_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], after: Sequence[str] = ()) -> str:
    """Write a table, the first cell of each row its head; every word is escaped."""
    head = "".join(f'<th scope="col">{escape(legible(one))}</th>' for one in heads)
    return "".join(
        (
            f"<table><caption>{escape(legible(caption))}</caption><thead><tr>{head}</tr></thead><tbody>",
            *(f"<tr>{_cells(row)}</tr>" for row in rows),
            "</tbody></table>",
            *(f"<p>{escape(legible(words))}</p>" for words in after),
        )
    )


def _picture(result: Any) -> dict[str, str]:
    """Draw a result, by its chart or what its figures draw of it; nothing where none can be drawn."""
    if not result._has_picture:
        return {}
    figures = import_module(type(result).__module__.replace(".results.", ".figures."))
    try:
        if hasattr(figures, "picture"):  # without Altair, whose import is most of the time to a first widget
            spec = figures.picture(result)
        else:
            chart = result.chart() if hasattr(result, "chart") else figures.draw(result)
            spec = chart.to_dict(validate=False)
    except InputError:  # such as of rows that were not kept
        return {}
    return {SVG: draw_svg(spec, result.title)}


def _table(result: Any) -> str:
    frame = _frame(result)
    if frame is None:
        return ""
    shown = frame.iloc[:MOST_ROWS, :MOST_COLUMNS]
    columns = [shown[name].tolist() for name in shown.columns]
    rows = [[written(cell) for cell in row] for row in zip(*columns, strict=True)]
    more = [f"and {count(len(frame) - MOST_ROWS, 'more row')}, in .frame"] if len(frame) > MOST_ROWS else []
    more += ["more columns, in .frame"] if frame.shape[1] > MOST_COLUMNS else []
    return html_table(result._caption, [str(name) for name in shown.columns], rows, [*more, *result.notes])


def _frame(result: Any) -> pd.DataFrame | None:
    """Return the table of a result: of weights the metrics under them, since a weight a row tells a reader little."""
    try:
        metrics = getattr(result, "metrics", None)
        return metrics if isinstance(metrics, pd.DataFrame) else result.frame
    except InputError:
        return None


def written(cell: object) -> str:
    """Write a cell of a table."""
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return number(float(cell))
    text = ", ".join(map(str, cast(Sequence[object], cell))) if isinstance(cell, tuple | list) else str(cell)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


def _cells(row: Sequence[str]) -> str:
    first, *others = (escape(legible(cell)) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f'<td style="text-align:right">{cell}</td>' for cell in others)
