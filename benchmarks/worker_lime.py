"""LIME on one data set and model, in its own environment: the process that answers for it."""

import warnings
from typing import Any

import numpy as np
from lime.lime_tabular import LimeTabularExplainer

from boundary_inputs import Counted, fitted, table
from protocol import serve, timed

N_SAMPLES = 1000
state: dict[str, Any] = {}


def prepare(data: str, model: str, seed: int) -> str:
    """Fit the model and give LIME the rows it was fitted on."""
    rows = table(data, seed)
    state["X"], state["model"] = rows.X, fitted(data, model, seed)
    state["explainer"] = LimeTabularExplainer(
        rows.X[rows.train],
        mode="classification",
        discretize_continuous=False,
        feature_selection="none",
        random_state=seed,
    )
    return f"{rows.X.sum():.6f}"


def explain(index: list[int]) -> dict[str, Any]:
    """Explain rows one after the other: for each the unit direction in which class 1 loses fastest."""
    counted, directions = Counted(state["model"]), list[list[float]]()
    spent = timed(lambda: directions.extend(_direction(counted, row) for row in index))
    return spent | {"rows": counted.rows / len(index), "directions": directions}


def _direction(counted: Counted, row: int) -> list[float]:
    p = state["X"].shape[1]
    found = state["explainer"].explain_instance(
        state["X"][row], counted.predict_proba, num_features=p, num_samples=N_SAMPLES
    )
    weights = np.zeros(p)
    for column, weight in found.local_exp[1]:
        weights[column] = weight
    # LIME fits on columns it has scaled by the training rows' deviations
    towards = -weights / state["explainer"].scaler.scale_
    return (towards / np.linalg.norm(towards)).tolist()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "explain": explain})
