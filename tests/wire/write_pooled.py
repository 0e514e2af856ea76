"""Write the golden messages of the pooled view, read by both languages: python tests/wire/write_pooled.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tauscope as ts
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.views.boundary.pooled import PooledBoundaryView
from tauscope.views.boundary.pooled_message import pooled_answer
from tauscope.views.shared_stress import StressState

FILE = Path(__file__).with_name("pooled.json")
N_ROWS = 60
JSON = ("message", "columns_message")
BUFFERS = (
    "pooled", "places", "directions", "presence", "distances", "decisions", "given_rows", "columns", "row_weights",
)  # fmt: skip
STRESSES: tuple[StressState, ...] = (
    {"taus": {"age": 0.5}, "hold": "none"},
    {"taus": {"word": -0.4, "age": 0.3}, "hold": "means"},
    {"taus": {"slope": 0.95}, "hold": "none"},
)


def rows() -> pd.DataFrame:
    """Numbers, counts that are often 0, levels to escape; no random numbers."""
    i = np.arange(N_ROWS)
    level = np.array(["low", "middle", "high"])[i * i % 7 % 3]
    return pd.DataFrame(
        {
            "age": 20.0 + (7 * i) % 41,
            "<b>level</b>": level,
            "slope": np.sin(i) + i / 40,
            "word": i % 3 % 2 * (1 + i % 4),
        }
    )


class Model:
    """A classifier of two classes, curved."""

    classes_ = np.array(["a", "b"])

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the answers of both classes."""
        age, slope, word = (X[name].to_numpy(dtype=float) for name in ("age", "slope", "word"))
        high = (X["<b>level</b>"] == "high").to_numpy()
        score = np.cos(age / 13) + slope * (1 + high) - 0.7 * word + 0.2 * high
        one = 1 / (1 + np.exp(-2 * score))
        return np.stack([1 - one, one], axis=1)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the likelier class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def pooled(*, weighted: bool) -> PooledBoundary:
    """Return the golden result: every other row pooled."""
    i = np.arange(N_ROWS)
    weight = 1.0 + i % 5 if weighted else None
    study = ts.Study(Model(), rows(), np.resize(["a", "b"], N_ROWS), sample_weight=weight, progress=False)
    return study.pooled_boundary(i[::2], random_state=0, n_samples=120, progress=False)


def case(*, weighted: bool) -> dict[str, Any]:
    """Return the state of one view, and what Python answers to some stresses."""
    result = pooled(weighted=weighted)
    view = PooledBoundaryView(result)
    state = {
        "json": {name: getattr(view, name) for name in JSON},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "answers": [],
    }
    for stress in STRESSES:
        message, numbers = pooled_answer(result, stress)
        state["answers"].append({"message": message, "pooled": b64encode(numbers).decode()})
    view.close()
    return state


def golden() -> dict[str, Any]:
    """Rows that count alike, and rows with weights."""
    return {"plain": case(weighted=False), "weighted": case(weighted=True)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=None, allow_nan=False) + "\n", "utf-8")
