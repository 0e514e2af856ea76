"""Write the golden messages of the effect view, read by both languages: python tests/wire/write_effect.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import tauscope as ts
from tauscope.results.stress.numbers.joint_moments import joint_constraints
from tauscope.views.effects.effect import FeatureEffectView

FILE = Path(__file__).with_name("effect.json")
ALONE_FILE = Path(__file__).with_name("effect_alone.json")
N_ROWS = 60
TRAITS = ("features", "kind", "compared", "target_class", "epsilon", "follow", "stress")
JSON = ("message", "columns_message", "more", "answer", "progress")
BUFFERS = ("floats", "integers", "columns", "row_weights", "more_floats", "more_integers", "answer_floats")
SITES = np.where(np.arange(N_ROWS) % 3 == 0, "east", "<i>west</i>")
EPSILONS = (0.05, 0.35, 1.0)
STRESSES = (
    {"taus": {"age": 0.5}, "hold": "none"},
    {"taus": {"slope": -0.75, "<b>level</b> = high": 0.4}, "hold": "none"},
)


def rows() -> pd.DataFrame:
    """Numbers with and without missing ones, levels to escape; no random numbers."""
    i = np.arange(N_ROWS)
    age = 20.0 + (7 * i) % 41
    age[[3, 30]] = np.nan
    level = np.array(["low", "middle", "high"])[i * i % 7 % 3]
    return pd.DataFrame({"age": age, "<b>level</b>": level, "slope": np.sin(i) + i / 40})


def answers(X: pd.DataFrame) -> np.ndarray:
    """Probabilities of three classes, curved and with an interaction."""
    age = X["age"].fillna(33).to_numpy() / 40
    high = (X["<b>level</b>"] == "high").to_numpy()
    slope = X["slope"].to_numpy()
    scores = np.stack([np.cos(3 * age), age * slope + high, 0.3 - slope * high], axis=1)
    scores = np.exp(scores)
    return scores / scores.sum(axis=1, keepdims=True)


class Model:
    """A classifier of three classes."""

    classes_ = np.array(["a", "b", "c"])

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return `answers`."""
        return answers(X)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the likeliest class."""
        return self.classes_[answers(X).argmax(axis=1)]


def study(weighted: bool) -> ts.Study:
    """The golden study; rows weigh 1 to 2 where weighted, so that no quantile falls between two."""
    X = rows()
    weight = 1 + 0.31 * (np.arange(N_ROWS) % 4) if weighted else None
    return ts.Study(Model(), X, np.resize(["a", "b", "c"], N_ROWS), sample_weight=weight)


def plain(values: Any) -> list[float | None]:
    """Numbers as JSON has them."""
    return [float(value) if np.isfinite(value) else None for value in np.ravel(values)]


def band(band: Any, output: int, shift: float = 0.0) -> dict[str, list[float | None]] | None:
    """One class of a band."""
    if band is None:
        return None
    return {"lower": plain(band.lower[output] + shift), "upper": plain(band.upper[output] + shift)}


def bounds_of(effect: Any, kind: str) -> list[dict[str, Any]]:
    """Bounds of an effect for each class and distance."""
    bounds = []
    for output, name in enumerate(effect._classes):
        for epsilon in EPSILONS:
            found = effect.bounds(epsilon).bounds
            numbers = {"certified": band(found.certified, output), "paper": band(found.paper, output)}
            bounds.append({"kind": kind, "class": name, "epsilon": epsilon, **numbers})
    return bounds


def state_of(view: FeatureEffectView) -> dict[str, Any]:
    """What a page is sent."""
    return {
        "traits": {name: getattr(view, name) for name in TRAITS},
        "json": {name: getattr(view, name) for name in JSON},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
    }


def alone(features: str | list[str], kind: str = "pd") -> dict[str, Any]:
    """The state of a saved page that the rows do not fit into."""
    effect = study(weighted=False).effect(features, kind=kind, grid=7)
    with patch("tauscope.views.effects.effect.BUDGET", 0):
        view = FeatureEffectView.offline(effect, target_class="b")
    state = {**state_of(view), "bounds": bounds_of(effect, kind) if isinstance(features, str) else []}
    view.close()
    return state


def groups_of(view: FeatureEffectView, effect: Any) -> list[dict[str, Any]]:
    """Groups of the rows as a page is sent them, and their curves and gaps, as tested and under a stress."""
    view.by = "site"
    found = []
    for stress in ({"taus": {}, "hold": "none"}, STRESSES[0]):
        view.stress = stress
        solved = view._answers.solve(stress)
        by = effect.by(SITES, solved)
        numbers = b64encode(view.group_numbers).decode()
        gaps = {name: plain(by.gaps[name]) for name in ("gap", "gap_lower", "gap_upper")}
        curves = {name: plain(by.frame[name]) for name in ("effect", "lower", "upper")}
        found.append({"json": view.groups, "group_numbers": numbers, "curves": curves, "gaps": gaps})
    return found


def case(feature: str, weighted: bool) -> dict[str, Any]:
    """The state of one view, and what Python computes from the same rows."""
    made = study(weighted)
    first = made.effect(feature, grid=7)
    traits = {"compared": ["cd"], "target_class": "b", "groupings": {"site": SITES}}
    view = FeatureEffectView.offline(first, compare=("cd", "ale"), live=False, **traits)
    effects = {kind: view._answers.find((feature,), kind) for kind in ("pd", "cd", "ale")}
    bounds, moved = [], []
    for kind, effect in effects.items():
        bounds += bounds_of(effect, kind)
        for output, name in enumerate(effect._classes):
            for stress in STRESSES:
                solved = made.reweight(joint_constraints(view._answers.columns, stress["taus"], stress["hold"]))
                under = effect.under(solved)
                after, observed = under.after._computed, under.observed
                # an accumulated effect's band stands on its first point: in the page, on the moved curve's
                shift = float(after.effect[output, 0] - effect._computed.effect[output, 0]) if kind == "ale" else 0.0
                moved.append(
                    {
                        "kind": kind,
                        "class": name,
                        "stress": stress,
                        "tv": under.tv,
                        "ess": under.ess,
                        "kl": under.kl,
                        "value": plain(after.effect[output]),
                        "lower": plain(after.lower[output]),
                        "upper": plain(after.upper[output]),
                        "certified": band(observed.bounds.certified, output, shift),
                        "paper": band(observed.bounds.paper, output, shift),
                        "change": float(np.nanmax(np.abs(observed.change[output]))),
                    }
                )
    state = {**state_of(view), "bounds": bounds, "moved": moved, "groups": groups_of(view, first)}
    view.close()
    return state


def golden() -> dict[str, Any]:
    """Numbers with a missing one, levels of weighted rows."""
    return {"age": case("age", weighted=False), "level": case("<b>level</b>", weighted=True)}


def golden_alone() -> dict[str, Any]:
    """Saved pages without rows: bands of each step, none where they are too many, and two features."""
    return {"bands": alone("age"), "windows": alone("age", "cd"), "two": alone(["age", "slope"])}


if __name__ == "__main__":
    for file, written in ((FILE, golden()), (ALONE_FILE, golden_alone())):
        file.write_text(json.dumps(written, ensure_ascii=False, indent=None, allow_nan=False) + "\n", "utf-8")
