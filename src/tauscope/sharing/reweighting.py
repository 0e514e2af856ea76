"""A reweighting as files: chart, table of constraints, and numbers with every row's weight."""

from pathlib import Path
from typing import Any, Literal

from tauscope.results.stress.reweight import Reweighting
from tauscope.sharing.chart_page import chart_page
from tauscope.sharing.html import copy_note
from tauscope.sharing.save import records, write_result


def save_reweighting(result: Reweighting, path: Path, kind: Literal["balance", "histograms"]) -> None:
    """Write a reweighting; see `Reweighting.save`."""

    def chart() -> Any:
        return result.chart(kind)

    def page() -> str:
        return chart_page(chart(), title=f"Reweighting of {result.model_name}", note=copy_note(result.population))

    write_result(path, frame=lambda: result.frame, document=lambda: _document(result), chart=chart, page=page)


def _document(result: Reweighting) -> dict[str, Any]:
    """Say what was asked, how it went and what it cost; tables of constraints, metrics and balance; the weights."""
    names = ("residual", "iterations", "ess", "kl", "tv", "pareto_k", "largest_weight", "half_share")
    return {
        "schema": "tauscope.reweighting",
        "version": 1,
        "stress": repr(result.stress),
        "quantile": result.quantile,
        "confidence": result.confidence,
        "model": result.model_name,
        "n_rows": result.n_rows,
        "status": result.status,
        "message": result.message,
        "notes": list(result.notes),
        "population": result.population,
        "doubts": list(result.caveats),
        **{name: getattr(result, name) for name in names},
        "constraints": records(result.achieved.assign(multiplier=result.multipliers.to_numpy())),
        "metrics": records(result.metrics),
        "balance": records(result.balance),
        "weights": result.weights.tolist(),
    }
