"""Write the golden message of a way to another population, read by both languages: tests/wire/write_towards.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.base import finite_records
from tauscope.results.stress.towards import TargetPopulation
from tauscope.study.study import Study
from tauscope.views.stress.towards import TargetPopulationView

FILE = Path(__file__).with_name("stress_towards.json")
N, NEW = 300, 77


def golden_study() -> Study:
    """Numbers, dates, levels to escape, a gap; no random numbers."""
    i = np.arange(N)
    score = 1 / (1 + np.exp(-2 * np.sin(i) - i / 200 + 0.5))
    truth = (score + 0.4 * np.cos(3 * i) > 0.5).astype(int)
    return Study.from_predictions(frame(i), truth, (score > 0.5).astype(int), score)


def frame(i: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "slope": np.where(i % 29 == 4, np.nan, np.sin(i) + i / 200),
            "<b>level</b>": np.array(["low", "middle", "high"])[(i * 7) % 10 % 3],
            "signed": pd.Timestamp("2020-01-01") + pd.to_timedelta((i * 37) % 400, unit="D"),
            "wave": np.cos(5 * i),
        }
    )


def golden_result() -> TargetPopulation:
    """All of the way, which sliders can say."""
    i = np.arange(N, N + 3 * NEW, 3)
    return golden_study().towards(frame(i), metrics=["error_rate", "false_discovery_rate", "log_loss"])


def golden_missed() -> TargetPopulation:
    """A table of margins that exclude each other."""
    return golden_study().towards({"slope": 2.2, "wave": 5.0, "<b>level</b> = low": 0.9})


def golden_labelled() -> TargetPopulation:
    """New rows with labels: of one class fewer than expected, of the other a few."""

    def score(rows: pd.DataFrame) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-2 * rows["slope"].fillna(0.2) + 0.5)))

    here, new = frame(np.arange(N)), frame(np.arange(N, N + 2 * NEW, 2))
    truths = [
        (score(rows) + 0.3 * np.cos(turn * np.arange(len(rows))) > 0.5).astype(int)
        for rows, turn in ((here, 3), (new, 1))
    ]
    truths[1][::3] = 0
    study = Study(score, here, truths[0], progress=False)
    return study.towards(
        new, truths[1], features=["slope", "wave"], metrics=["error_rate", "portion_1", "recall", "log_loss"]
    )


def golden_state(result: TargetPopulation) -> dict[str, Any]:
    view = TargetPopulationView.offline(result)
    names = ("amount", "stress", "message", "path")
    return {
        "traits": {name: getattr(view, name) for name in names},
        "buffers": {"numbers": b64encode(view.numbers).decode("ascii")},
    }


def golden() -> dict[str, Any]:
    """Every way as the page gets them, and the tables at half of the first and of the labels, as a reader has them."""
    result, labelled = golden_result(), golden_labelled()
    half = result.at(0.5)
    return {
        "way": golden_state(result),
        "missed": golden_state(golden_missed()),
        "labelled": golden_state(labelled),
        "labels": finite_records(labelled.metrics),
        "half": {
            "metrics": finite_records(half.metrics),
            "balance": finite_records(half.balance),
            "ess": half.ess,
            "kl": half.kl,
            "tv": half.tv,
            "pareto_k": half.pareto_k,
            "stress": result.stress_at(0.5),
        },
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
