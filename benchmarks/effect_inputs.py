"""The rows and the models that every tool of the effects comparison is asked about; most of scikit-learn."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier

FITTED_ON = 10_000
FEATURES = 20
POINTS = 50


@dataclass
class Counted:
    """The probability of class 1, or a value, of a fitted model; counts the rows it is asked about and its seconds."""

    model: Any
    rows: int = 0

    def __call__(self, X: Any) -> np.ndarray:
        """Answers for rows, shape (n,)."""
        self.rows += len(X)
        if hasattr(self.model, "predict_proba"):
            return self.model.predict_proba(X)[:, 1]
        return self.model.predict(X)


def data(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of 20 numbers, and their class; the first 10,000 are the same whatever the number."""
    X, y = make_classification(max(n_rows, FITTED_ON), FEATURES, n_informative=10, random_state=0, shuffle=False)
    order = np.random.default_rng(0).permutation(len(X))[:n_rows]
    return X[order], y[order]


def fitted(name: str) -> Any:
    """One of the models, fitted on 10,000 rows."""
    X, y = data(FITTED_ON)
    if name in ("LightGBM values", "XGBoost values"):
        return _of_another_library(name).fit(X, y)
    made = {
        "boosting": HistGradientBoostingClassifier(random_state=0),
        "boosted values": HistGradientBoostingRegressor(random_state=0),
        "forest": RandomForestClassifier(100, random_state=0),
    }
    return made[name].fit(X, y)


def _of_another_library(name: str) -> Any:
    """Boosted trees of a library that only these cases need, as it grows them by default, on one thread."""
    if name == "LightGBM values":
        from lightgbm import LGBMRegressor

        return LGBMRegressor(n_jobs=1, verbose=-1)
    from xgboost import XGBRegressor

    return XGBRegressor(n_jobs=1)


def edges(column: np.ndarray) -> np.ndarray:
    """Bins at quantiles, as many as points."""
    return np.unique(np.quantile(column, np.linspace(0, 1, POINTS), method="inverted_cdf"))
