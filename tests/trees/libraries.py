"""Rows and models of other libraries, and rows where a reader would be found out."""

import numpy as np
from lightgbm import LGBMClassifier, LGBMRegressor
from xgboost import XGBClassifier, XGBRegressor

from tauscope.trees.ties import at_thresholds

RNG = np.random.default_rng(0)
LEVELS = 6
X = RNG.normal(size=(400, 4))
X[:, 2] = np.round(X[:, 2], 1)
X[:, 3] = RNG.integers(0, LEVELS, len(X))
SCORE = X[:, 0] * X[:, 1] + (X[:, 3] % 2) + 0.3 * X[:, 2]
TWO, THREE = (SCORE > 0.5).astype(int), np.digitize(SCORE, [0, 1])
COUNTS = np.round(np.exp(np.clip(SCORE, -2, 2)))
GAPS = X.copy()
GAPS[RNG.random(X.shape) < 0.1] = np.nan
ZEROS = X.copy()
ZEROS[RNG.random(X.shape) < 0.2] = 0
NUMBERS = (0.0, -0.0, 1e-36, -1e-36, 1e-30, -1e-30, 1e30, -1e30)
CODES = (0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 40.0, -1.0, 0.5, 1e6)

LIGHTGBM = {"n_estimators": 8, "num_leaves": 9, "min_child_samples": 5, "verbose": -1, "n_jobs": 1}
XGBOOST = {"n_estimators": 8, "max_depth": 4, "n_jobs": 1}


def lightgbm(classes=0, **options):
    return (LGBMClassifier if classes else LGBMRegressor)(**LIGHTGBM | options)


def xgboost(classes=0, **options):
    return (XGBClassifier if classes else XGBRegressor)(**XGBOOST | options)


def hostile_rows(read, rows, levels=()):
    """Rows, and rows on thresholds, a little beside them, at zero and far away; levels that no row has."""
    parts = [rows[:200]]
    for column in range(rows.shape[1]):
        ties = at_thresholds(read.trees, read.column_of[column], np.array([np.pi]), 60)
        tried = np.concatenate([ties, ties * (1 + 1e-9), ties * (1 - 1e-9), NUMBERS])
        tried = np.array(CODES) if column in levels else tried
        tried = np.append(tried, np.nan) if np.isnan(rows).any() else tried
        moved = rows[np.resize(np.arange(len(rows)), len(tried))].copy()
        moved[:, column] = tried
        parts.append(moved)
    return np.concatenate(parts)


def answers_of(model, response, rows):
    """The model's own, one row each response."""
    answers = np.asarray(getattr(model, response)(rows), dtype=float)
    return answers[None] if answers.ndim == 1 else answers.T


def computed_of(read, rows):
    """Those of the trees read."""
    return read.trees.answers(read.trees.raw(read.encode(rows)))
