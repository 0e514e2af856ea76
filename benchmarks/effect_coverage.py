"""How often 95 % intervals of an effect hold the population's own curve, point by point."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from report import Row

N_POPULATION, SIZES, N_SAMPLES = 20_000, (300, 1000), 100
LEVELS = np.linspace(0.05, 0.95, 9)
MOST_MISSED = 0.07
NO_WIDTH = 1e-9
"""Widths below this share of the curve's range belong to points that do not vary between samples."""


def _frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def _twice(X: pd.DataFrame) -> np.ndarray:
    return 2 * X["x0"].to_numpy() - X["x1"].to_numpy()


@cache
def models() -> dict[str, tuple[pd.DataFrame, Any, tuple[str, ...]]]:
    """Return rows, a model fitted on other rows, and the kinds of effect, by name."""
    values, y = datasets.make_friedman1(2 * N_POPULATION, n_features=6, noise=1.0, random_state=0)
    columns, classes = datasets.make_classification(2 * N_POPULATION, 6, n_informative=4, n_redundant=1, random_state=0)
    values, columns = _frame(values), _frame(columns)
    fit, rest = slice(N_POPULATION, N_POPULATION + 3000), slice(0, N_POPULATION)
    boosting = HistGradientBoostingRegressor(max_iter=60).fit(values[fit], y[fit])
    network = make_pipeline(
        StandardScaler(), MLPRegressor(hidden_layer_sizes=(32,), max_iter=60, tol=1e-3, random_state=0)
    )
    classifier = HistGradientBoostingClassifier(max_iter=60).fit(columns[fit], classes[fit])
    differences = ("pd", "cd", "ale")
    return {
        "2x": (values[rest].reset_index(drop=True), _twice, ("ale", "dale")),
        "boosting": (values[rest].reset_index(drop=True), boosting, differences),
        "network": (values[rest].reset_index(drop=True), network.fit(values[fit], y[fit]), ("dale",)),
        "boosted probability": (columns[rest].reset_index(drop=True), classifier, differences),
    }


def measure() -> list[Row]:
    """Share of points whose interval misses, by model and kind."""
    return [row for name in models() for row in _rows(name)]


def _rows(name: str) -> Iterator[Row]:
    rows, model, kinds = models()[name]
    for kind in kinds:
        missed = {size: _missed(rows, model, kind, size) for size in SIZES}
        every = np.concatenate([*missed.values()])
        note = ", ".join(f"{size} rows: {values.mean():.3f}" for size, values in missed.items())
        note = f"of {len(every):,} points that vary, {N_SAMPLES} samples of each size; {note}"
        yield Row(
            f"effect, {name}, {kind}: intervals that miss", "", float(every.mean()), at_most=MOST_MISSED, note=note
        )


def _missed(rows: pd.DataFrame, model: Any, kind: Any, size: int) -> np.ndarray:
    """Tell of each point and sample with an interval whether it misses."""
    grid = rows["x0"].quantile(LEVELS).to_list()

    def curve(X: pd.DataFrame) -> pd.DataFrame:
        return ts.Study(model, X, progress=False).effect("x0", kind=kind, grid=grid).frame

    truth = curve(rows)["effect"].to_numpy()
    rng, out = np.random.default_rng(size), []
    for _ in range(N_SAMPLES):
        frame = curve(rows.iloc[rng.integers(0, len(rows), size)].reset_index(drop=True))
        width = (frame["upper"] - frame["lower"]).to_numpy()
        varies = width > NO_WIDTH * np.ptp(truth)
        out.append(((truth < frame["lower"]) | (truth > frame["upper"])).to_numpy()[varies])
    return np.concatenate(out)
