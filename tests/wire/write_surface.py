"""Write the golden message of the surface view, read by both languages: python tests/wire/write_surface.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.study.stress.surface import stress_surface
from tauscope.study.study import Study
from tauscope.views.stress.surface import StressSurfaceView

FILE = Path(__file__).with_name("stress_surface.json")
TRAITS = ("stress", "metric")
BUFFERS = ("answers", "population", "reasons")


def golden_study() -> Study:
    """Names to escape, three levels of one column; no random numbers."""
    i = np.arange(60)
    score = 1 / (1 + np.exp(-2 * np.sin(i) - i / 40 + 0.5))
    truth = (score + 0.4 * np.cos(3 * i) > 0.5).astype(int)
    X = pd.DataFrame(
        {"slope": np.sin(i) + i / 40, "<b>level</b>": np.array(["low", "middle", "high"])[(i * 7) % 10 % 3]}
    )
    return Study.from_predictions(X, truth, (score > 0.5).astype(int), score)


def golden_view() -> StressSurfaceView:
    """Two levels of one column, whose shares cannot both be large: every status there is."""
    result = stress_surface(golden_study(), "<b>level</b> = low", "<b>level</b> = middle", taus=9)
    return StressSurfaceView(result, stress={"taus": {"<b>level</b> = low": 0.25}, "hold": "none"}, metric="error_rate")


def carriers(result: Any, row: dict[Any, Any]) -> dict[str, float]:
    """The few rows that carry the weight moved to a cell, which the frame has in words."""
    surface = result._surface
    at = tuple(int(surface.taus.searchsorted(row[name])) for name in ("tau_1", "tau_2"))
    return {name: float(getattr(surface, name)[at]) for name in ("n_carriers", "carried")}


def golden() -> dict[str, Any]:
    """The view's state, and some of its numbers named one by one, as a reader should find them."""
    view = golden_view()
    frame = view.result.frame
    probes = frame[
        frame["tau_1"].isin([-1, 0, 0.25, 1]) & frame["tau_2"].isin([0, 0.5]) & (frame["metric"] == "error_rate")
    ]
    numbers = ("value", "lower", "upper", "ess", "pareto_k", "kl", "tv")
    expected = [
        {name: row[name] for name in ("tau_1", "tau_2", "metric", "status", "reliability")}
        | {name: row[name] if np.isfinite(row[name]) else None for name in numbers}
        | carriers(view.result, row)
        for row in probes.to_dict("records")
    ]
    return {
        "message": view.message,
        "traits": {name: getattr(view, name) for name in TRAITS},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "expected": expected,
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
