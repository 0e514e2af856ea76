"""Stress curves as files: page, picture, table, and numbers with what they were computed from."""

from pathlib import Path
from typing import Any

from tauscope.figures.stress.picture import stress_curves_picture
from tauscope.figures.stress.table import stress_curves_table, with_picture
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.text import extent, title
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.save import records, write_result
from tauscope.views.detached import Detached
from tauscope.views.stress.curves import StressCurvesView


class DetachedStressCurvesView(Detached, StressCurvesView):
    """The stress widget without its line to a browser."""


def save_stress_curves(result: StressCurves, path: Path) -> None:
    """Write stress curves; see `StressCurves.save`."""
    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document(result),
        chart=result.chart,
        page=lambda: _page(result),
    )


def _page(result: StressCurves) -> str:
    """Return the page that works without a kernel."""
    name = title(result)
    still = with_picture(stress_curves_table(result), stress_curves_picture(result), name)
    note = copy_note(f"{name}, {extent(result)}", result.computed)
    with closing(DetachedStressCurvesView(result)) as view:
        return page(view, title=name, note=note, still=still)


def _document(result: StressCurves) -> dict[str, Any]:
    curves = result.curves
    return {
        "schema": "tauscope.stress_curves",
        "version": 1,
        "model": result.model_name,
        "task": result.task,
        "n_rows": result.n_rows,
        "quantile": result.quantile,
        "confidence": result.confidence,
        "computed": result.computed.isoformat(),
        "metrics": [{"name": i.name, "label": i.label, "kind": i.kind} for i in curves.metrics],
        "features": [
            {
                "name": feature.name,
                "column": feature.column,
                "level": feature.level,
                "kind": feature.kind,
                "mean": float(curves.mean[row]),
                "n_missing": int(curves.n_missing[row]),
                "reached": curves.reached[row].tolist(),
            }
            for row, feature in enumerate(result.features)
        ],
        "skipped": [{"name": name, "reason": reason} for name, reason in result.skipped],
        "notes": {name: list(words) for name, words in result.notes.items()},
        "records": records(result.frame),
    }
