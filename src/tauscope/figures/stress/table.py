"""Stress curves as a small HTML table, for pages that show neither widget nor picture."""

from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.text import extent, heads, influences, left_out, order, title
from tauscope.words import count, escape


def stress_curves_table(result: StressCurves) -> str:
    """Write the features that move the leading metric most, with its values at the ends of τ and at 0.

    The words and numbers are those of the text summary.

    Parameters
    ----------
    result : StressCurves

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    lines = influences(result)
    sentence = f"{result._leading_metric.label}, {order(result)}"
    more = len(result.features) - len(lines)
    after = [f"and {count(more, 'more feature')}"] if more > 0 else []
    after += [left_out(result)] if result.skipped else []
    return "".join(
        (
            "<table>",
            f"<caption>{escape(f'{title(result)}: {extent(result)}. {sentence}.')}</caption>",
            "<thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in heads(result)),
            "</tr></thead><tbody>",
            *(f"<tr>{_row(line.cells)}</tr>" for line in lines),
            "</tbody></table>",
            *(f"<p>{escape(words)}</p>" for words in after),
        )
    )


def _row(cells: tuple[str, ...]) -> str:
    head, *numbers = cells
    return f'<th scope="row">{escape(head)}</th>' + "".join(
        f'<td style="text-align:right">{escape(cell)}</td>' for cell in numbers
    )
