"""Write the golden message of two models side by side, read by both languages: python tests/wire/write_comparison.py"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.stress.comparison import ModelComparison
from tauscope.study.stress.compare import compare
from tauscope.study.study import Study
from tauscope.views.stress.comparison import ModelComparisonView

FILE = Path(__file__).with_name("stress_comparison.json")
N = 300
STRESS = {"taus": {"slope": 0.4}, "hold": "none"}
METRICS = ["error_rate", "recall", "false_discovery_rate", "log_loss", "portion_1"]


def golden_result() -> ModelComparison:
    """A good model and a poor one, of which the second never errs on one side; no random numbers."""
    i = np.arange(N)
    X = pd.DataFrame({"slope": np.sin(i) + i / 200, "<b>level</b>": np.array(["low", "high"])[i % 2]})
    chance = 1 / (1 + np.exp(-2 * X["slope"].to_numpy() + 0.5))
    truth = (chance + 0.2 * np.cos(3 * i) > 0.5).astype(int)
    poor = np.clip(0.5 + 0.4 * np.cos(3 * i + 1), 0.01, 0.99)
    pair = [Study.from_predictions(X, truth, (score > 0.5).astype(int), score) for score in (chance, poor)]
    return compare(*pair, metrics=METRICS, names=("<i>old</i>", "new"))


def golden() -> dict[str, Any]:
    """The view's state under a stress, and under one that cannot be met."""
    view = ModelComparisonView.offline(golden_result(), stress=STRESS)
    live = ModelComparisonView(golden_result(), stress={"taus": {"missing": 0.2}, "hold": "none"})
    live.wait()
    return {
        "message": {**view.message, "offline": ""},
        "offline": view.message["offline"],
        "traits": {"stress": view.stress},
        "compared": view.compared,
        "refused": live.compared,
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
