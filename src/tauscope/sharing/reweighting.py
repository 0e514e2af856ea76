"""A reweighting as JSON: its numbers, its tables and its weights."""

import json
import math
from datetime import date
from pathlib import Path
from typing import Any, Literal

from tauscope.results.reweighting import Reweighting
from tauscope.sharing.chart_page import chart_page
from tauscope.sharing.write import write_result

SCHEMA = "tauscope.reweighting"
SCHEMA_VERSION = 1


def save_reweighting(result: Reweighting, path: Path, kind: Literal["balance", "histograms"]) -> None:
    """Write a reweighting; see `Reweighting.save`."""
    if path.suffix.lower() == ".json":
        path.write_text(reweighting_json(result), "utf-8")
        return

    def chart() -> Any:
        return result.chart(kind)

    note = f"Static copy, computed {date.today().isoformat()}: {result.population}. No kernel, no network."
    write_result(
        path,
        frame=lambda: result.frame,
        document=dict,
        chart=chart,
        page=lambda: chart_page(chart(), title=f"Reweighting of {result.model_name}", note=note),
        page_needs_export=True,
    )


def reweighting_json(result: Reweighting) -> str:
    """Write a result as JSON text.

    Parameters
    ----------
    result : Reweighting

    Returns
    -------
    str
        An object with `schema`, `version`, what was asked (`stress`, `alpha`, `model`), how it went (`status`,
        `message`, `notes`, `population`, `ess`, …), `constraints`, `indices`, `balance` and `weights`, one per
        row. Numbers that are not finite are null.
    """
    achieved = result.achieved.assign(multiplier=result.multipliers.to_numpy())
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "stress": repr(result.stress),
        "alpha": result.alpha,
        "confidence": result.confidence,
        "model": result.model_name,
        "n_rows": result.n_rows,
        "status": result.status,
        "message": result.message,
        "notes": list(result.notes),
        "population": result.population,
        "doubts": list(result.doubts),
    }
    for name in ("residual", "iterations", "ess", "kl", "tv", "pareto_k", "largest_weight", "half_share"):
        document[name] = _finite(getattr(result, name))
    for name, frame in (("constraints", achieved), ("indices", result.indices), ("balance", result.balance)):
        records: list[dict[str, Any]] = frame.to_dict("records")  # pyright: ignore[reportAssignmentType]
        document[name] = [{key: _finite(value) for key, value in record.items()} for record in records]
    document["weights"] = result.weights.tolist()
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
