"""Models and data whose effects are known, and the slow definitions they are checked against."""

import numpy as np


def data(n=240, p=4, seed=0):
    """Correlated columns: the first two at .5."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    X[:, 1] = 0.5 * X[:, 0] + np.sqrt(0.75) * X[:, 1]
    return X


def smooth(X):
    """Two responses with an interaction."""
    first = np.sin(X[:, 0]) + X[:, 0] * X[:, 1] + 0.3 * X[:, 2] ** 2
    return np.column_stack([first, 1 / (1 + np.exp(-first))])


def linear(X):
    return X @ np.arange(1.0, X.shape[1] + 1)


class Counting:
    """A model that counts the rows and calls it answers."""

    def __init__(self, predict):
        self.predict = predict
        self.rows = 0
        self.calls = []

    def __call__(self, X):
        self.rows += len(X)
        self.calls.append(len(X))
        return self.predict(X)


def brute_ice(predict, X, column, points):
    """Individual curves by definition: shape (q, n, G)."""
    curves = []
    for point in points:
        copy = X.copy()
        copy[:, column] = point
        curves.append(np.atleast_2d(np.asarray(predict(copy), dtype=float).T))
    return np.stack(curves, axis=2)
