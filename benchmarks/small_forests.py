"""Forests small enough for exact formal reasons, with rows to explain; the same in every environment."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier

N_TREES = 5
N_COLUMNS = 6
N_ROWS = 100
"""Rows a forest is fitted on; trees are grown until their leaves are pure, so that they vote as they average."""
N_EXPLAINED = 20


@dataclass(frozen=True)
class SmallForest:
    """A forest of two classes, its rows, and the positions of those to explain."""

    name: str
    forest: RandomForestClassifier
    X: np.ndarray
    y: np.ndarray
    explained: np.ndarray


@cache
def small_forests() -> tuple[SmallForest, ...]:
    """Fit one on patients, one on two of three wines, one on generated rows."""
    wine = load_wine()
    two = wine.target < 2
    sources = {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "wine": (wine.data[two], wine.target[two]),
        "generated": make_classification(400, N_COLUMNS, n_informative=4, n_redundant=1, random_state=0),
    }
    return tuple(_fit(name, X[:, :N_COLUMNS], y) for name, (X, y) in sources.items())


def _fit(name: str, X: np.ndarray, y: np.ndarray) -> SmallForest:
    chosen = np.random.default_rng(0).permutation(len(X))[:N_ROWS]
    rows, labels = X[chosen].astype(np.float32).astype(float), y[chosen]
    forest = RandomForestClassifier(N_TREES, random_state=0).fit(rows, labels)
    return SmallForest(name, forest, rows, labels, np.arange(N_EXPLAINED))
