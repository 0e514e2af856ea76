"""Stress curves as a small HTML table, for pages that show neither widget nor picture."""

from base64 import b64encode
from html import escape

from tauscope.results.numbers import number
from tauscope.results.stress_curves import StressCurves
from tauscope.results.summary import extent, influences, left_out, title


def stress_curves_table(result: StressCurves) -> str:
    """Write the features that move the leading index most, with its values at the ends of τ and at 0.

    Parameters
    ----------
    result : StressCurves

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    lines = influences(result)
    low, high = (number(float(result.taus[t])) for t in (0, -1))
    heads = ("feature", f"τ = {low}", "unstressed", f"τ = {high}", "change")
    rows = [(line.feature, line.low, line.unstressed, line.high, line.change) for line in lines]
    more = len(result.features) - len(lines)
    after = [f"and {more:,} more features"] if more > 0 else []
    after += [left_out(result)] if result.skipped else []
    return "".join(
        (
            "<table>",
            f"<caption>{escape(f'{title(result)}: {result.leading_index.label} ({extent(result)})')}</caption>",
            "<thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in heads),
            "</tr></thead><tbody>",
            *(f"<tr>{_row(row)}</tr>" for row in rows),
            "</tbody></table>",
            *(f"<p>{escape(words)}</p>" for words in after),
        )
    )


def with_picture(table: str, picture: str, spoken: str) -> str:
    """Put a picture before a table, inside the HTML itself.

    Viewers that prefer HTML to SVG (nbconvert, JupyterLab without the widget's extension) would drop the
    picture otherwise.
    """
    encoded = b64encode(picture.encode()).decode("ascii")
    image = f'<img alt="{escape(spoken, quote=True)}" src="data:image/svg+xml;base64,{encoded}">'
    return f"<div>{image}</div>{table}"


def _row(cells: tuple[str, ...]) -> str:
    head, *numbers = cells
    return f'<th scope="row">{escape(head)}</th>' + "".join(
        f'<td style="text-align:right">{escape(cell)}</td>' for cell in numbers
    )
