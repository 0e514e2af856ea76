"""The authors' package of sufficient explanations in its own environment: the process that answers for it."""

import warnings
from typing import Any

import numpy as np
from acv_explainers import ACXplainer

from mixture import P, mixture
from protocol import serve, timed

state: dict[str, Any] = {}


def prepare() -> str:
    """Fit its own forest, of as many trees of the same depth."""
    data = mixture()
    forest = ACXplainer(classifier=False, n_estimators=20, max_depth=8, mtry=P, seed=0)
    forest.fit(data.X, data.y)
    state["forest"] = forest
    return f"{data.X.sum():.6f}"


def search(index: list[int], pi: float, tolerance: float) -> dict[str, Any]:
    """Search the minimal set of rows; what counts as the same is a span around the forest's prediction."""
    data, forest = mixture(), state["forest"]
    rows = data.explained[index]
    centre = forest.predict(rows)
    span = np.column_stack([centre - np.sqrt(tolerance), centre + np.sqrt(tolerance)])
    found = list[Any]()
    spent = timed(lambda: found.append(_search(forest, rows, centre, span, pi)))
    _, sets, sizes, probability = found[0]
    named = [sorted(int(j) for j in one[: int(size)]) for one, size in zip(sets, sizes, strict=True)]
    return spent | {"named": named, "sdp": [float(one) for one in probability]}


def _search(forest: Any, rows: np.ndarray, centre: np.ndarray, span: np.ndarray, pi: float) -> Any:
    data = mixture()
    return forest.importance_sdp_rf(rows, centre, data.X, data.y, min_node_size=5, t=span, pi_level=pi)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "search": search})
