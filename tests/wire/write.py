"""Write the golden message of the stress curves view, read by both languages: python tests/wire/write.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.study.stress.curves import stress_curves
from tauscope.study.study import Study
from tauscope.views.stress.curves import StressCurvesView

FILE = Path(__file__).with_name("stress_curves.json")
N_ROWS = 60
N_TAUS = 9
BY = "<b>level</b>"
TRAITS = ("tau", "feature", "metric", "rank_by")
BUFFERS = ("curves", "population", "histograms", "reasons")


def golden_view() -> StressCurvesView:
    """Every kind of feature, a widened side, a missing value, a name to escape; no random numbers."""
    i = np.arange(N_ROWS)
    age = 20.0 + (7 * i) % 41
    age[[3, 30]] = np.nan
    X = pd.DataFrame(
        {
            "age": age,
            "gain": np.where(i % 30 == 29, 100.0 * i, 0.0),
            "<b>level</b>": np.array(["low", "middle", "high"])[(i * i) % 3],
            "slope": np.sin(i) + i / 40,
            "same": 1.0,
        }
    )
    score = 1 / (1 + np.exp(-2 * np.sin(i) - i / 40 + 0.5))
    truth = (score + 0.4 * np.cos(3 * i) > 0.5).astype(int)
    study = Study.from_predictions(X, truth, (score > 0.5).astype(int), score)
    return StressCurvesView(stress_curves(study, taus=5), n_taus=N_TAUS, tau=0.25, feature="slope", metric="error_rate")


def carriers(result: Any, row: dict[Any, Any]) -> dict[str, float]:
    """The few rows that carry the weight moved, which the frame has in words."""
    at = result._feature_place(row["feature"]), int(result.taus.searchsorted(row["tau"]))
    return {name: float(getattr(result._curves, name)[at]) for name in ("n_carriers", "carried")}


def golden_groups() -> dict[str, Any]:
    """Groups under both kinds of shift, as a page without a kernel has them, and some of their numbers."""
    result = golden_view().result
    view = StressCurvesView.offline(result, n_taus=N_TAUS, feature="slope", by=BY)
    fine, shown = result.at(N_TAUS), ["error_rate", "portion_1"]
    cells: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    for shift in ("marginal", "within"):
        found = fine.by(BY, within=shift == "within")
        for kept, table in ((cells, found.frame), (gaps, found.gaps)):
            here = table["feature"].isin(["age", "slope"]) & table["tau"].isin([-1, 0, 0.25])
            probes: Any = table[here & table["metric"].isin(shown)]
            kept.extend({"shift": shift} | finite_record(row) for row in probes.to_dict("records"))
    return {
        "message": view.groups,
        "numbers": b64encode(view.group_numbers).decode(),
        "cells": [{name: one[name] for name in one if name != "note"} for one in cells],
        "gaps": gaps,
    }


def finite_record(row: dict[Any, Any]) -> dict[str, Any]:
    """A row without what JSON has no word for."""
    return {name: None if isinstance(one, float) and not np.isfinite(one) else one for name, one in row.items()}


def golden() -> dict[str, Any]:
    """The view's state, and some of its numbers named one by one, as a reader should find them."""
    view = golden_view()
    result = view.result.at(N_TAUS)
    frame = result.frame
    probes = frame[frame["tau"].isin([-1, 0, 0.25]) & frame["metric"].isin(["error_rate", "portion_1"])]
    numbers = ("target", "value", "lower", "upper", "ess", "pareto_k", "kl", "tv")
    expected = [
        {name: row[name] for name in ("feature", "tau", "metric", "reliability")}
        | {name: row[name] if np.isfinite(row[name]) else None for name in numbers}
        | carriers(result, row)
        for row in probes.to_dict("records")
    ]
    return {
        "message": view.message,
        "traits": {name: getattr(view, name) for name in TRAITS},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "expected": expected,
        "groups": golden_groups(),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
