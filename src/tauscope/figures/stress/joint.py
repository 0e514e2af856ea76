"""A joint stress as a small HTML table, for pages that cannot show the widget."""

from html import escape

from tauscope.results.formatting import number, share
from tauscope.results.stress.joint import JointStress

HEADS = ("feature", "τ = −1", "unstressed", "τ = 1")


def joint_stress_table(result: JointStress) -> str:
    """Write what each feature can be moved to, and every metric as it is.

    Parameters
    ----------
    result : JointStress

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    columns = result.columns
    caption = f"Joint stress of {result.model_name}: {len(result.features):,} features, {result.n_rows:,} rows."
    rows: list[str] = []
    for k, feature in enumerate(columns.features):
        write = share if feature.kind == "share" else number
        rows.append(_row(feature.name, *(write(float(ends[k])) for ends in (columns.low, columns.mean, columns.high))))
    metrics: list[str] = []
    for metric, estimate in zip(result.metrics, result.unstressed, strict=True):
        write = share if metric.kind == "share" else number
        metrics.append(_row(metric.label, write(estimate.value), f"{write(estimate.lower)} – {write(estimate.upper)}"))
    return "".join(
        (
            f"<table><caption>{escape(caption)}</caption>",
            "<thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in HEADS),
            "</tr></thead><tbody>",
            *rows,
            "</tbody></table><table><caption>Unstressed, with ",
            escape(f"{100 * result.confidence:g} % interval"),
            "</caption><tbody>",
            *metrics,
            "</tbody></table>",
        )
    )


def _row(head: str, *cells: str) -> str:
    numbers = "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in cells)
    return f'<tr><th scope="row">{escape(head)}</th>{numbers}</tr>'
