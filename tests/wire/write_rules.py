"""Write the golden messages of the view of rules, read by both languages: python tests/wire/write_rules.py"""

import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tauscope as ts
from tauscope.rules.rule import RuleCounts, count_rule
from tauscope.views.rules.rules import RulesView

FILE = Path(__file__).with_name("rules.json")
N_ROWS = 160
TRAITS = ("row", "pi", "t", "rule", "selection", "stress")
JSON = ("message", "answer", "progress", "listed", "stressed")
BUFFERS = ("cells", "sdp", "agrees", "weights", "places", "decided", "scores", "entries", "stressed_weights")
ODD = 10
"""A row whose value of one of these is rounded onto a threshold."""
STRESS = {"taus": {"slope": 0.5}, "hold": "none"}


def rows() -> pd.DataFrame:
    """Whole numbers, numbers with missing ones, levels to escape; no random numbers."""
    i = np.arange(N_ROWS)
    slope = np.sin(i) * 2
    slope[::9] = np.nan
    level = np.array(["low", "middle", "high"])[i * i % 7 % 3]
    return pd.DataFrame({"age": 20 + (7 * i) % 41, "<b>level</b>": level, "slope": slope, "other": np.cos(3 * i)})


def decide(X: pd.DataFrame) -> np.ndarray:
    """Yes to the young of two levels, and where the slope is steep or not known."""
    young = (X["age"] < 38) & (X["<b>level</b>"] != "high")
    return np.where(young | ~(X["slope"] < 0.9), "yes", "no")


@cache
def study(weighted: bool = False) -> ts.Study:
    """Return the golden study."""
    weight = 1 + np.arange(N_ROWS) % 3 if weighted else None
    return ts.Study(decide, rows(), decide(rows()), sample_weight=weight, progress=False)


def value(X: pd.DataFrame) -> np.ndarray:
    """Rise with age, by more for one level."""
    return X["age"].to_numpy() * np.where(X["<b>level</b>"] == "high", 1.5, 1.0) + X["other"].to_numpy()


@cache
def study_of_values() -> ts.Study:
    """Return the golden study of a regression."""
    return ts.Study(value, rows(), value(rows()), progress=False)


def odd_rows() -> pd.DataFrame:
    """Numbers that a forest rounds: steps of ½ where float32 has steps of 2, and tenths."""
    i = np.arange(N_ROWS)
    return pd.DataFrame({"large": 2**24 + (7 * i) % 41 / 2, "tenths": np.round((11 * i) % 60 / 10 - 3, 1)})


def decide_odd(X: pd.DataFrame) -> np.ndarray:
    """Yes in the middle of the one, and where the other is large."""
    middle = (X["large"] > 2**24 + 5) & (X["large"] < 2**24 + 15)
    return np.where(middle | (X["tenths"] > 1.5), "yes", "no")


@cache
def study_of_odd() -> ts.Study:
    """Return the golden study of numbers that a forest rounds."""
    return ts.Study(decide_odd, odd_rows(), decide_odd(odd_rows()), progress=False)


def found_odd(row: int) -> Any:
    """Return the rules of a row of these."""
    return study_of_odd().rules(row, pi=0.8, n_estimators=8, n_drawn=200, max_rules=2)


def found_value(row: int, **options: Any) -> Any:
    """Return the rules of a row of the regression."""
    options = {"pi": 0.7, "n_estimators": 8, "n_drawn": 200, "max_rules": 2} | options
    return study_of_values().rules(row, **options)


def found(row: int, *, weighted: bool = False, **options: Any) -> Any:
    """Return the rules of a row."""
    options = {"pi": 0.9, "n_estimators": 8, "n_drawn": 200, "max_rules": 2} | options
    return study(weighted).rules(row, **options)


def moved(result: Any) -> list[dict[str, Any]]:
    """Move every edge of each rule outward by some cells, and count as Python does, on the values themselves."""
    rows, made = result.rows, []
    view = RulesView.offline(result)
    for place in range(len(result)):
        sides, inside = [], np.ones(len(rows.agrees), dtype=bool)
        for message, values in zip(view.answer["rules"][place]["axes"], rows.values[place].T, strict=True):
            cells, missing = _wider(message), bool(message["can_miss"])
            sides.append({"inside": cells, "missing": missing})
            inside &= np.where(np.isnan(values), missing, _within(message, cells, values))
        n = rows.n_training
        weight = np.ones(len(inside)) if rows.weight is None else rows.weight
        parts = {"training": slice(0, n), "held_out": slice(n, None)}
        counts = {name: count_rule(inside[part], rows.agrees[part], weight[part]) for name, part in parts.items()}
        made.append(
            {
                "sides": sides,
                "sdp_min": float(rows.sdp[place][inside[:n]].min(initial=1.0)),
                **{name: _plain(one) for name, one in counts.items()},
            }
        )
    return made


def _plain(counts: RuleCounts) -> dict[str, float]:
    names = ("n_rows", "n_inside", "coverage", "precision")
    return {name: getattr(counts, name) for name in names}


def _wider(axis: dict[str, Any]) -> list[bool]:
    """Return a number's cells with two more on each side, and every other level."""
    inside = np.array(axis["inside"])
    if axis["kind"] == "levels":
        return [bool(one or code % 2) for code, one in enumerate(inside)]
    at = np.flatnonzero(inside)
    cells = np.arange(len(inside))
    return ((cells >= at[0] - 2) & (cells <= at[-1] + 2)).tolist()


def _within(axis: dict[str, Any], cells: list[bool], values: np.ndarray) -> np.ndarray:
    if axis["kind"] == "levels":
        return np.isin(values, np.flatnonzero(cells))
    at, ends = np.flatnonzero(cells), np.concatenate([[-np.inf], axis["cuts"], [np.inf]])
    return (values > ends[at[0]]) & (values <= ends[at[-1] + 1])


def case(result: Any, **traits: Any) -> dict[str, Any]:
    """Return the state of one view, and the counts of edges moved."""
    view = RulesView(result, **traits)
    view.wait(60)
    state = {
        "traits": {name: getattr(view, name) for name in TRAITS},
        "json": {name: getattr(view, name) for name in JSON},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "moved": moved(result),
    }
    view.close()
    return state


def golden() -> dict[str, Any]:
    """Rules with levels, missing, whole and rounded numbers; weighted, under a stress; of values; and none."""
    return {
        "levels": case(found(3)),
        "weighted": case(found(13, weighted=True)),
        "missing": case(found(9)),
        "none": case(found(23)),
        "value": case(found_value(3)),
        "rounded": case(found_odd(ODD)),
        "interval": case(found_value(3, t=(30.0, 70.0))),
        "stressed": case(found(3), stress=STRESS, selection=[3, 7]),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=None, allow_nan=False) + "\n", "utf-8")
