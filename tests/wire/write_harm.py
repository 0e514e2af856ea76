"""Write the golden message of the view of shifts, read by both languages: python tests/wire/write_harm.py"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.study.study import Study
from tauscope.views.stress.harm import StressHarmView

FILE = Path(__file__).with_name("stress_harm.json")
N = 300


def golden_study() -> Study:
    """Names to escape and to cut, dates, a level of few rows; no random numbers."""
    i = np.arange(N)
    score = 1 / (1 + np.exp(-2 * np.sin(i) - i / 200 + 0.5))
    truth = (score + 0.4 * np.cos(3 * i) > 0.5).astype(int)
    X = pd.DataFrame(
        {
            "slope": np.sin(i) + i / 200,
            "<b>level</b>": np.array(["low", "middle", "high"])[(i * 7) % 10 % 3],
            "signed": pd.Timestamp("2020-01-01") + pd.to_timedelta((i * 37) % 400, unit="D"),
            "a column with a name that is long": np.where(i < 7, "rare", np.where(i < 19, "few", "most")),
        }
    )
    return Study.from_predictions(X, truth, (score > 0.5).astype(int), score)


def golden_view() -> StressHarmView:
    """Shifts of every standing, the first one chosen."""
    result = golden_study().stress_curves(quantile=0.01).harm("error_rate", 0.08)
    first = result.shifts[0]
    return StressHarmView(result, stress={"taus": {first.feature: first.tau}, "hold": "none"})


def golden() -> dict[str, Any]:
    """The view's state, and the rows of the table as a reader should find them."""
    view = golden_view()
    names = ("feature", "direction", "change", "lower", "upper", "before", "value", "mean", "target", "tau", "ess")
    records = view.result.frame[[*names, "reliability", "note"]].to_dict("records")
    expected = [
        {name: None if isinstance(each, float) and not np.isfinite(each) else each for name, each in record.items()}
        for record in records
    ]
    return {"message": view.message, "traits": {"stress": view.stress}, "expected": expected}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
