"""What a joint stress answers: every metric as it is and as moved, as a table and as a picture."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline
from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.numbers.joint_answer import MetricEstimate

WIDTH, ROW = 380, 26


def draw(result: JointStress) -> ConcatChart:
    """Draw each metric as it is, with its interval, on a scale of its own."""
    return ConcatChart(
        concat=[
            _line(metric.label, metric.kind, one) for metric, one in zip(result.metrics, result.unstressed, strict=True)
        ],
        columns=1,
        title=heading(result._caption, [f"As it is, with its {100 * result.confidence:g} % interval."]),
    )


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
