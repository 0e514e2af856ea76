"""SHAP and LIME in an environment of their own: the process that answers with the three columns each puts first."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import shap
from lime.lime_tabular import LimeTabularExplainer

from mixture import mixture
from protocol import serve, timed

N_NAMED = 3


def prepare() -> str:
    """Fit the forest; return what shows that it is the same."""
    return f"{mixture().forest.predict(mixture().explained).sum():.6f}"


def by_shap() -> dict[str, Any]:
    """Name the columns of the largest values, trees followed by the path."""
    explainer = shap.TreeExplainer(mixture().forest)
    return _timed(lambda row: explainer.shap_values(row[None], check_additivity=False)[0])


def by_lime() -> dict[str, Any]:
    """Name the columns of the largest weights of a fit without bins."""
    data = mixture()
    explainer = LimeTabularExplainer(data.X, mode="regression", discretize_continuous=False, random_state=0)

    def weights(row: np.ndarray) -> np.ndarray:
        found = explainer.explain_instance(row, data.forest.predict, num_features=len(row), num_samples=1000)
        values = np.zeros(len(row))
        for column, weight in next(iter(found.local_exp.values())):
            values[column] = weight
        return values

    return _timed(weights)


def _timed(attribute: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    named = list[list[int]]()
    spent = timed(
        lambda: named.extend(np.argsort(-np.abs(attribute(row)))[:N_NAMED].tolist() for row in mixture().explained)
    )
    return spent | {"named": named}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "shap": by_shap, "lime": by_lime})
