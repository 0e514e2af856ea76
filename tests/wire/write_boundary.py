"""Write the golden messages of the boundary view, read by both languages: python tests/wire/write_boundary.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tauscope as ts
from tauscope.views.boundary.boundary import BoundaryView

FILE = Path(__file__).with_name("boundary.json")
N_ROWS = 60
TRAITS = ("row", "target", "fixed", "bounds", "edits")
JSON = ("message", "answer", "listed", "progress", "decision")
BUFFERS = ("rows", "path_values", "pictures")
COMMON = ("free", "call", "prize", "now", "ok", "later", "home", "we", "love", "you")
WORDS = (*COMMON, "claim", "win", "text", "mobile", "urgent", "reply", "stop", "cash", "go", "day")
MESSAGE = "FREE prize! Reply <b>now</b>, don't wait."
IMAGE = (4, 5)


def rows() -> pd.DataFrame:
    """Numbers with and without missing ones, whole numbers, levels to escape; no random numbers."""
    i = np.arange(N_ROWS)
    age = 20.0 + (7 * i) % 41
    age[[3, 30]] = np.nan
    level = np.array(["low", "middle", "high"])[i * i % 7 % 3]
    return pd.DataFrame({"age": age, "<b>level</b>": level, "slope": np.sin(i) + i / 40, "site": 3.0})


def answers(X: pd.DataFrame) -> np.ndarray:
    """Probabilities of three classes, curved."""
    age = X["age"].fillna(33).to_numpy() / 40
    high = (X["<b>level</b>"] == "high").to_numpy()
    slope = X["slope"].to_numpy()
    scores = np.exp(np.stack([np.cos(3 * age), age * slope + high, 0.3 - slope * high], axis=1))
    return scores / scores.sum(axis=1, keepdims=True)


class Model:
    """A classifier of three classes, or of two that leave the third out."""

    def __init__(self, n_classes: int) -> None:
        self.classes_ = np.array(["a", "b", "c"])[:n_classes]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the answers of the classes there are."""
        found = answers(X)[:, : len(self.classes_)]
        return found / found.sum(axis=1, keepdims=True)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def study(n_classes: int) -> ts.Study:
    """Return the golden study."""
    return ts.Study(Model(n_classes), rows(), np.resize(["a", "b", "c"][:n_classes], N_ROWS))


def word_counts() -> pd.DataFrame:
    """Words counted in short messages: most are 0. The columns are pixels as well."""
    i, j = np.arange(N_ROWS)[:, None], np.arange(len(WORDS))[None]
    counts = ((7 * i + 3 * j) % 13 < 2).astype(float) * (1 + (i + j) % 2)
    counts[7] = [WORDS[k] in ("free", "prize", "reply", "now") for k in range(len(WORDS))]
    return pd.DataFrame(counts, columns=list(WORDS))


class Words:
    """A classifier that adds up weights of words."""

    classes_ = np.array(["ham", "spam"])

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the logistic of the sum."""
        score = X.to_numpy() @ np.cos(np.arange(len(WORDS)))
        spam = 1 / (1 + np.exp(-score))
        return np.stack([1 - spam, spam], axis=1)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the likelier class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def word_study() -> ts.Study:
    """Return a study whose features are words."""
    X = word_counts()
    return ts.Study(Words(), X, Words().predict(X))


def plain(values: Any) -> list[float | None]:
    """Write numbers as JSON has them."""
    return [float(value) if np.isfinite(value) else None for value in values]


def case(asked: ts.Study, row: int, shown: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Return the state of one view."""
    found = asked.boundary(row, random_state=0, progress=False, **options)
    view = BoundaryView(found, **(shown or {}))
    view.wait(20)
    state = {
        "traits": {name: getattr(view, name) for name in TRAITS},
        "json": {name: getattr(view, name) for name in JSON},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "path": {name: plain(found.path[name]) for name in ("length", "answer")},
    }
    view.close()
    return state


def golden() -> dict[str, Any]:
    """Two classes under constraints, three with several regions, a row for which nothing is found, and words."""
    edited = {"edits": {"age": 50, "<b>level</b>": "high"}}
    return {
        "two": case(study(2), 7, edited, fixed=["site"], bounds={"age": (20, 60)}),
        "three": case(study(3), 8, n_regions=3),
        "nothing": case(study(2), 7, fixed=["age", "<b>level</b>", "slope", "site"]),
        "words": case(word_study(), 7, {"text": MESSAGE, "shape": IMAGE}, metric="euclidean"),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=None, allow_nan=False) + "\n", "utf-8")
