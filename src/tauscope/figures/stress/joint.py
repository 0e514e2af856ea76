"""What a joint stress answers: every metric as it is and as moved, as a table and as a picture."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import TauscopeError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline
from tauscope.figures.still import html_table
from tauscope.results.formatting import number, share
from tauscope.results.stress.joint import JointHold, JointStress
from tauscope.results.stress.joint_answer import MetricEstimate

WIDTH, ROW = 380, 26


def draw(result: JointStress) -> ConcatChart:
    """Draw each metric as it is, with its interval, on a scale of its own."""
    return ConcatChart(
        concat=[
            _line(metric.label, metric.kind, one) for metric, one in zip(result.metrics, result.unstressed, strict=True)
        ],
        columns=1,
        title=heading(result.caption, [f"As it is, with its {100 * result.confidence:g} % interval."]),
    )


def joint_stress_table(result: JointStress, taus: Mapping[str, float] | None = None, hold: JointHold = "none") -> str:
    """Write every metric as it is and, where something is moved, as it becomes.

    Parameters
    ----------
    result : JointStress
    taus, hold
        The stress, as in `JointStress.at`; nothing moved by default.

    Returns
    -------
    str
        HTML; every word from the data is escaped. A stress that cannot be met is said in words.
    """
    interval = f"{100 * result.confidence:g} % interval"
    heads, after = ["metric", "as it is", interval], []
    rows = [
        [metric.label, *_cells(metric.kind, one)] for metric, one in zip(result.metrics, result.unstressed, strict=True)
    ]
    moved = {name: tau for name, tau in (taus or {}).items() if tau}
    if moved:
        after = [f"Moved: {', '.join(f'{name} to τ = {number(tau)}' for name, tau in moved.items())}."]
        try:
            answer = result.answer(moved, hold)
        except TauscopeError as error:
            after.append(str(error))
        else:
            heads += ["moved", interval]
            rows = [
                [*row, *_cells(metric.kind, one)]
                for row, metric, one in zip(rows, result.metrics, answer.estimates, strict=True)
            ]
            after.append(f"Effective rows {number(answer.ess)}, total variation {number(answer.tv)}: {answer.message}.")
    return html_table(result.caption, heads, rows, after)


def _cells(kind: str, one: MetricEstimate) -> list[str]:
    write = share if kind == "share" else number
    return [write(one.value), f"{write(one.lower)} – {write(one.upper)}"]


def _line(label: str, kind: str, one: MetricEstimate) -> alt.LayerChart:
    words = theme.AXIS_SHARE if kind == "share" else theme.AXIS_VALUE
    ends = [one.lower, one.upper] if np.isfinite([one.lower, one.upper]).all() else [one.value, one.value]
    dot, ink = alt.Chart(inline(_records(one.value, ends))), theme.ACCENT
    x = alt.X("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(labelExpr=words, tickCount=4))
    return alt.LayerChart(
        layer=[
            dot.mark_rule(strokeWidth=theme.LINE, color=ink, opacity=0.45).encode(x=alt.X("lower:Q"), x2="upper:Q"),
            dot.mark_point(size=60, filled=True, opacity=1, color=ink).encode(x=x),
        ],
        width=WIDTH,
        height=ROW,
        title=in_line(f"{label[:1].upper()}{label[1:]}"),
    )


def _records(value: float, ends: Sequence[float]) -> list[dict[str, Any]]:
    return [{"value": value, "lower": ends[0], "upper": ends[1]}] if np.isfinite(value) else []
