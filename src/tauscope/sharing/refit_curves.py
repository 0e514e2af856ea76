"""Writing stress curves over refits to a file."""

from pathlib import Path
from typing import Any

from tauscope.results.refit_curves import RefitCurves
from tauscope.sharing.chart_page import chart_page
from tauscope.sharing.write import records, write_result

SCHEMA = "tauscope.refit_curves"
SCHEMA_VERSION = 1


def save_refit_curves(result: RefitCurves, path: Path) -> None:
    """Write stress curves over refits; see `RefitCurves.save`."""

    def page() -> str:
        return chart_page(result.chart(), title=result.title, note=f"{result.words}. No kernel, no network.")

    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document(result),
        chart=result.chart,
        page=page,
        page_needs_export=True,
    )


def _document(result: RefitCurves) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "model": result.model_name,
        "band": result.words,
        "quantiles": list(result.quantiles),
        "n_splits": result.n_splits,
        "n_train": result.n_train,
        "n_test": result.n_test,
        "alpha": result.alpha,
        "random_state": result.random_state,
        "notes": list(result.notes),
        "curves": records(result.frame),
    }
