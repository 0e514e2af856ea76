"""Stress curves as JSON: a table of records with what they were computed from."""

import json
from typing import Any

import numpy as np

from tauscope.results.stress_curves import StressCurves

SCHEMA = "tauscope.stress_curves"
SCHEMA_VERSION = 1


def stress_curves_json(result: StressCurves) -> str:
    """Write a result as JSON text.

    Parameters
    ----------
    result : StressCurves

    Returns
    -------
    str
        An object with `schema`, `version`, what was computed (`model`, `task`, `n_rows`, `alpha`, `confidence`,
        `computed`, `indices`, `features`, `skipped`, `notes`) and `records`, the frame row by row. Numbers that
        are not finite are null.
    """
    curves = result.curves
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "model": result.model_name,
        "task": result.task,
        "n_rows": result.n_rows,
        "alpha": result.alpha,
        "confidence": result.confidence,
        "computed": result.computed.isoformat(),
        "indices": [{"name": i.name, "label": i.label, "kind": i.kind} for i in curves.indices],
        "features": [
            {
                "name": feature.name,
                "column": feature.column,
                "level": feature.level,
                "kind": feature.kind,
                "mean": _number(curves.mean[row]),
                "n_missing": int(curves.n_missing[row]),
                "reached": [_number(level) for level in curves.reached[row]],
            }
            for row, feature in enumerate(result.features)
        ],
        "skipped": [{"name": name, "reason": reason} for name, reason in result.skipped],
        "notes": {name: list(words) for name, words in result.notes.items()},
        "records": _records(result),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _records(result: StressCurves) -> list[dict[str, Any]]:
    frame = result.frame
    columns: list[list[Any]] = []
    for name in frame.columns:
        values = frame[name]
        if values.dtype == np.float64:
            columns.append([_number(value) for value in values.to_numpy()])
        else:
            columns.append(values.to_list())
    names = list(frame.columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
