"""A stress surface as files: page, picture, table, and numbers with what they were computed from."""

from html import escape
from pathlib import Path
from typing import Any

from tauscope.results.stress.surface import StressSurface
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.save import records, write_result
from tauscope.views.detached import Detached
from tauscope.views.stress.surface import StressSurfaceView


class DetachedStressSurfaceView(Detached, StressSurfaceView):
    """The surface widget without its line to a browser."""


def save_stress_surface(result: StressSurface, path: Path) -> None:
    """Write a surface; see `StressSurface.save`."""
    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document(result),
        chart=result.chart,
        page=lambda: _page(result),
    )


def _page(result: StressSurface) -> str:
    """Return the page that works without a kernel."""
    n = len(result.taus)
    note = copy_note(f"{result.title}, {result.n_rows:,} rows, {n} × {n} τ", result.computed)
    with closing(DetachedStressSurfaceView(result)) as view:
        return page(view, title=result.title, note=note, still=f"<pre>{escape(repr(result))}</pre>")


def _document(result: StressSurface) -> dict[str, Any]:
    return {
        "schema": "tauscope.stress_surface",
        "version": 1,
        "model": result.model_name,
        "task": result.task,
        "n_rows": result.n_rows,
        "features": list(result.feature_names),
        "quantile": result.quantile,
        "confidence": result.confidence,
        "computed": result.computed.isoformat(),
        "exact": result.surface.exact,
        "notes": list(result.notes),
        "records": records(result.frame),
    }
