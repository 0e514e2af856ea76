"""Stress curves over refits as files: chart, table, and numbers with how the refits were made."""

from pathlib import Path
from typing import Any

from tauscope.results.stress.refit_curves import RefitCurves
from tauscope.sharing.chart_page import chart_page
from tauscope.sharing.html import copy_note
from tauscope.sharing.save import records, write_result


def save_refit_curves(result: RefitCurves, path: Path) -> None:
    """Write stress curves over refits; see `RefitCurves.save`."""
    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document(result),
        chart=result.chart,
        page=lambda: chart_page(result.chart(), title=result.title, note=copy_note(result.words)),
    )


def _document(result: RefitCurves) -> dict[str, Any]:
    return {
        "schema": "tauscope.refit_curves",
        "version": 1,
        "model": result.model_name,
        "band": result.words,
        "quantiles": list(result.quantiles),
        "n_splits": result.n_splits,
        "n_train": result.n_train,
        "n_test": result.n_test,
        "quantile": result.quantile,
        "random_state": result.random_state,
        "notes": list(result.notes),
        "curves": records(result.frame),
    }
