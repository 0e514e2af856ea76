"""Nearest points of rows of many columns of 0 and 1, against putting the columns back one after the other."""

from statistics import median
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from boundary_inputs import Counted
from protocol import timed
from report import Row
from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import detect
from tauscope.boundary.rivals import Pool, nearest_rivals
from tauscope.boundary.space import Limits, Space
from tauscope.prediction.rows import ArrayRows

N_ROWS, P = 600, 422
N_RIVALS, N_EXPLAINED = 100, 5
MOST_SECONDS = 2.0


def measure(rounds: int | None = None) -> list[Row]:
    """Time both on the same rows, one at a time."""
    model, X = _words()
    space = Space("euclidean", X.std(axis=0), tuple((j,) for j in range(P)), np.zeros(P, dtype=np.bool_))
    labels = model.predict(X).astype(np.int64)
    ours, theirs = (
        [side(model, X, labels, space, row) for _ in range(rounds or 3) for row in range(N_EXPLAINED)]
        for side in (_ours, _theirs)
    )
    label = f"point of a row of {P} columns of 0 and 1"
    own, other = ({name: [run[name] for run in side] for name in side[0]} for side in (ours, theirs))
    asked, beside = (
        f"{np.mean(side['calls']):.0f} calls and {np.mean(side['rows']):.0f} rows" for side in (own, other)
    )
    return [
        Row(
            label,
            "s",
            ours=median(own["wall"]),
            other=median(other["wall"]),
            at_most=MOST_SECONDS,
            ratio_at_least=1.0,
            note=f"{N_RIVALS} rivals, logistic regression of {N_ROWS} rows; {asked}; other: columns put back one after "
            f"the other, those of all rivals together, {beside}",
        ),
        Row(
            f"{label}: its distance",
            "",
            ours=float(np.mean(own["distance"])),
            other=float(np.mean(other["distance"])),
            ratio_at_least=1.0,
            note=f"standard deviations, mean of {N_EXPLAINED} rows",
        ),
    ]


def _words() -> tuple[Any, np.ndarray]:
    """Which words are in a text: rare ones, each of some weight."""
    random = np.random.default_rng(0)
    X = (random.random((N_ROWS, P)) < random.uniform(0.02, 0.2, P)).astype(float)
    score = X @ random.normal(size=P)
    return LogisticRegression(max_iter=1000).fit(X, score > np.median(score)), X


class _Calls(Counted):
    """A model that counts its calls, too."""

    calls = 0

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities, shape (n, 2)."""
        self.calls += 1
        return super().predict_proba(X)


def _ours(model: Any, X: np.ndarray, labels: np.ndarray, space: Space, row: int) -> dict[str, float]:
    counted, at = _Calls(model), np.array([row])
    decision = Decision(counted.predict, counted.predict_proba, lambda answer: answer.argmax(axis=1), 2)
    starts, limits = Starts(X[at], labels[at], at, None), Limits.none(1, P)
    found: list[float] = []

    def run() -> None:
        predictor = DecisionPredictor(decision, ArrayRows(X))
        detection = detect(predictor, space, Pool(X, labels), starts, limits, n_rivals=N_RIVALS)
        found.append(float(detection.distance[0]))

    return timed(run) | {"distance": found[0], "calls": counted.calls, "rows": counted.rows}


def _theirs(model: Any, X: np.ndarray, labels: np.ndarray, space: Space, row: int) -> dict[str, float]:
    counted, start = _Calls(model), X[row]
    found: list[float] = []

    def run() -> None:
        rivals = nearest_rivals(space, Pool(X, labels), X[[row]], labels[[row]], None, N_RIVALS)[0]
        far = X[rivals].copy()
        for column in range(P):
            differs = np.flatnonzero(far[:, column] != start[column])
            if len(differs):
                tried = far[differs]
                tried[:, column] = start[column]
                flipped = counted.predict_proba(tried).argmax(axis=1) != labels[row]
                far[differs[flipped]] = tried[flipped]
        found.append(float(space.distance(start, far).min()))

    return timed(run) | {"distance": found[0], "calls": counted.calls, "rows": counted.rows}
