"""Rows and a forest of the rules engine's cases; scikit-learn and NumPy only, since a peer's environment runs it."""

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

P = 10


def made(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of ten features, five of which decide."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n, P))
    score = X[:, 0] * X[:, 1] + np.where(X[:, 2] > 0, X[:, 3], 2 * X[:, 4]) + 0.3 * random.normal(size=n)
    return X, (score > 0).astype(np.int64)


def fitted(n: int, n_trees: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """Full-depth trees on them."""
    X, y = made(n)
    forest: Any = RandomForestClassifier(n_trees, random_state=0)
    return forest.fit(X, y), X, y
