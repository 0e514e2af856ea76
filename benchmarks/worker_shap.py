"""SHAP's values of one row after another, in its own environment: the process that answers for it."""

import warnings
from typing import Any

import shap

from protocol import serve, timed
from rules_made import fitted

state: dict[str, Any] = {}


def prepare(n: int, n_trees: int) -> float:
    """Fit the forest and give it to the tree explainer; the sum of its answers tells that it is the same forest."""
    state["forest"], state["X"], _ = fitted(n, n_trees)
    state["explainer"] = shap.TreeExplainer(state["forest"])
    return float(state["forest"].predict_proba(state["X"])[:, 1].sum())


def explain(index: list[int]) -> list[float]:
    """Processor seconds for each row."""
    return [timed(lambda i=i: state["explainer"].shap_values(state["X"][i : i + 1]))["cpu"] for i in index]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "explain": explain})
