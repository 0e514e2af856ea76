"""Write the golden message of thresholds, read by both languages: python tests/wire/write_decisions.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.base import finite_records
from tauscope.results.stress.thresholds import ThresholdCurves
from tauscope.stress.joint.constraints import Mean
from tauscope.study.study import Study
from tauscope.views.stress.thresholds import ThresholdCurvesView

FILE = Path(__file__).with_name("stress_thresholds.json")
N = 300
STRESS = {"taus": {"slope": 0.4}, "hold": "none"}
COST = {"fp": 1, "fn": 5}
METRICS = ["error_rate", "recall", "false_discovery_rate"]


def golden_study() -> Study:
    """Scores that rank well, groups of unlike rates; no random numbers."""
    i = np.arange(N)
    X = pd.DataFrame({"slope": np.sin(i) + i / 200, "<b>level</b>": np.array(["low", "high", "high"])[i % 3]})
    score = 1 / (1 + np.exp(-2 * X["slope"].to_numpy() + 0.5))
    truth = (score + 0.5 * np.cos(3 * i) + 0.1 * (i % 3 == 0) > 0.5).astype(int)
    return Study.from_predictions(X, truth, (score >= 0.5).astype(int), score)


def golden_state(result: ThresholdCurves, **traits: Any) -> dict[str, Any]:
    view = ThresholdCurvesView.offline(result, **traits)
    names = ("thresholds", "metric", "stress", "message", "decisions")
    return {
        "traits": {name: getattr(view, name) for name in names},
        "buffers": {"numbers": b64encode(view.numbers).decode("ascii")},
    }


def golden() -> dict[str, Any]:
    """The rows as tested, groups of a population of its own, a stress that views share, and one that cannot be met."""
    study = golden_study()
    plain = study.threshold_curves(cost=COST, metrics=METRICS)
    groups = study.threshold_curves(Mean("slope", tau=0.3), cost=COST, metrics=METRICS, by="<b>level</b>")
    live = ThresholdCurvesView(plain, stress={"taus": {"missing": 0.2}, "hold": "none"})
    live.wait()
    at = [float(plain.thresholds[k]) for k in (0, 20, 40)]
    return {
        "tested": golden_state(plain),
        "groups": golden_state(groups),
        "stressed": golden_state(plain, stress=STRESS),
        "refused": live.decisions,
        "expected": {
            "tested": [finite_records(plain.at(one)) for one in at],
            "groups": [finite_records(groups.at(one)) for one in at],
            "gaps": finite_records(groups.gaps[groups.gaps["threshold"] == groups.at(at[1])["threshold"].iloc[0]]),
            "best": finite_records(groups.best),
        },
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
