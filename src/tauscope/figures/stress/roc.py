"""True against false positive rate along τ as an Altair chart: paths that all cross where nothing is stressed."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import cut_apart, heading, inline, legible
from tauscope.figures.stress.panel import LABEL_ROOM, number_runs, runs, spread
from tauscope.figures.stress.selection import Selection, select
from tauscope.results.formatting import percentile
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.text import title
from tauscope.words import count

TRUE, FALSE = "true_positive_rate", "false_positive_rate"
SIZE = 380
LABEL_PIXELS = 14


def draw_roc(
    result: StressCurves,
    *,
    features: str | int | Sequence[str | int] | None = None,
    highlight: str | int | Sequence[str | int] | None = None,
) -> alt.LayerChart:
    """Draw one path per feature; see `StressCurves.roc_chart`."""
    if not {TRUE, FALSE} <= set(result.metric_names):
        raise InputError(
            f"Paths of the two rates need {TRUE} and {FALSE}; these curves hold {', '.join(result.metric_names)}. Ask "
            "for both in stress_curves, of two classes with y."
        )
    selection = select(result, TRUE, features, highlight)
    records = _records(result, selection)
    domains = [_domain(records, field) for field in ("false", "true")]
    x, y = (
        alt.X("false:Q", title="false positive rate", **_axis(domains[0])),
        alt.Y("true:Q", title="true positive rate", **_axis(domains[1])),
    )
    names = [legible(name) for name in selection.chosen]
    palette = [theme.PALETTE[k % len(theme.PALETTE)] for k in range(len(names))]
    color = alt.Color("feature:N", sort=None, scale=alt.Scale(domain=names, range=palette), legend=None)
    chosen, rest = (alt.Chart().transform_filter(which) for which in ("datum.chosen", "!datum.chosen"))
    path: dict[str, Any] = {"x": x, "y": y, "order": "tau:Q"}
    faded: dict[str, Any] = {"strokeDash": [1, 3], "opacity": theme.FADED_LINE, "clip": True}
    solid = chosen.transform_filter("datum.run >= 0")
    grey = rest.mark_line(color=theme.IDLE, strokeWidth=theme.LINE_REST, clip=True)
    tips = ["feature:N", *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("tau", "target", "false", "true"))]
    end = chosen.transform_filter("datum.last")
    layers: list[alt.Chart] = [
        grey.encode(**path, detail="feature:N", tooltip=["feature:N"]),
        chosen.mark_line(strokeWidth=theme.LINE, **faded).encode(**path, color=color),
        solid.mark_line(strokeWidth=theme.LINE, clip=True).encode(**path, color=color, detail="run:O"),
        chosen.transform_filter("datum.tau != 0 && (datum.first || datum.last)")
        .mark_point(size=40, filled=True, opacity=1)
        .encode(x=x, y=y, color=color, shape=alt.Shape("last:N", scale=_ends(), legend=None)),
        chosen.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
        alt.Chart().transform_filter("datum.tau == 0").transform_aggregate(true="mean(true)", false="mean(false)")
        .mark_point(size=70, filled=True, opacity=1, color=theme.INK).encode(x=x, y=y),
        end.mark_text(align="left", dx=8, fontSize=theme.FONT_SIZE - 1)
        .encode(x=x, y="label:Q", text="short:N", color=color),
    ]  # fmt: skip
    return LayerChart(
        data=inline(records),
        layer=layers,
        width=SIZE,
        height=SIZE,
        title=_title(result, selection),
    )


def _title(result: StressCurves, selection: Selection) -> alt.TitleParams:
    return heading(
        title(result),
        [
            f"{count(result.n_rows, 'row')}, {len(selection.shown)} of {count(len(result.features), 'feature')}, "
            "each moved from its "
            f"{percentile(result.quantile)} (circle)",
            f"to its {percentile(1 - result.quantile)} (triangle); all cross where none is stressed. "
            "The threshold stays.",
            "Dotted: one of the two rates is unreliable.",
        ],
        offset=14,
    )


def _records(result: StressCurves, selection: Selection) -> list[dict[str, Any]]:
    curves = result._curves
    true, false = (curves.value[:, result._metric_place(name)] for name in (TRUE, FALSE))
    records: list[dict[str, Any]] = []
    for name in selection.shown:
        row = result._feature_place(name)
        both = number_runs((runs(result, name, TRUE) >= 0) & (runs(result, name, FALSE) >= 0))
        drawn = np.flatnonzero(np.isfinite(true[row]) & np.isfinite(false[row]))
        records += [
            {
                "feature": name,
                "chosen": name in selection.chosen,
                "tau": float(curves.taus[t]),
                "target": float(curves.target[row, t]),
                "true": float(true[row, t]),
                "false": float(false[row, t]),
                "run": int(both[t]),
                "first": bool(t == drawn[0]),
                "last": bool(t == drawn[-1]),
            }
            for t in drawn.tolist()
        ]
    low, high = _domain(records, "true")
    ends = [record for record in records if record["last"] and record["chosen"]]
    short = cut_apart(selection.chosen, LABEL_ROOM)
    places = spread(np.array([end["true"] for end in ends]), (high - low) * LABEL_PIXELS / SIZE, low, high)
    for end, place in zip(ends, places.tolist(), strict=True):
        end |= {"label": place, "short": short[end["feature"]]}
    return records


def _domain(records: list[dict[str, Any]], field: str) -> tuple[float, float]:
    values = [record[field] for record in records] or [0.0, 1.0]
    margin = 0.04 * (max(values) - min(values)) or 0.05
    return max(0.0, min(values) - margin), min(1.0, max(values) + margin)


def _axis(domain: tuple[float, float]) -> dict[str, Any]:
    return {
        "scale": alt.Scale(domain=list(domain), zero=False, nice=False),
        "axis": alt.Axis(labelExpr=theme.AXIS_SHARE, tickCount=5),
    }


def _ends() -> alt.Scale:
    return alt.Scale(domain=[False, True], range=["circle", "triangle-up"])
