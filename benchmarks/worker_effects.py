"""One tool of the effects comparison, in whatever environment it runs: the process that answers for it."""

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from effect_inputs import FEATURES, POINTS, Counted, data, edges, fitted
from protocol import serve, timed

state: dict[str, Any] = {}
NAMES = [f"x{j}" for j in range(FEATURES)]


def prepare(model: str, n_rows: int) -> str:
    """Fit the model and draw the rows."""
    state["model"] = fitted(model)
    state["X"], state["y"] = data(n_rows)
    return f"{state['X'].sum():.6f}"


def predict(rows_per_row: int) -> dict[str, float]:
    """Time the model on every row so many times over, copies side by side: the least that asking can cost."""
    X = np.repeat(state["X"], rows_per_row, axis=0)
    ask = Counted(state["model"])
    return timed(lambda: ask(X)) | {"rows": float(len(X))}


def measure(tool: str, features: int) -> dict[str, float]:
    """Time a tool on the first features; rows are those that the model was asked about."""
    ask = Counted(state["model"])
    X = state["X"]
    work = TOOLS[tool](ask, X)
    rows = ask.rows
    spent = timed(lambda: [work(feature) for feature in range(features)])
    return spent | {"rows": float(ask.rows - rows)}


def _ours(kind: str, **options: Any) -> Callable[[Counted, np.ndarray], Callable[[int], object]]:
    def make(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
        import tauscope as ts

        study = ts.Study(ask, X, task="regression", progress=False)
        return lambda feature: study.effect(feature, kind=kind, grid=POINTS, progress=False, **options)

    return make


def _sklearn(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
    from sklearn.inspection import partial_dependence

    model = ask.model
    return lambda feature: partial_dependence(
        model, X, [feature], grid_resolution=POINTS, percentiles=(0, 1), method="brute"
    )


def _effector(name: str) -> Callable[[Counted, np.ndarray], Callable[[int], object]]:
    def make(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
        import effector

        if name == "PDP":
            found = effector.PDP(X, ask, nof_instances="all")
            return lambda feature: found.eval(feature, np.linspace(X[:, feature].min(), X[:, feature].max(), POINTS))

        def ale(feature: int) -> object:
            found = effector.ALE(X, ask, nof_instances="all")
            found.fit(feature, binning_method=effector.axis_partitioning.Fixed(nof_bins=POINTS))
            return found.eval(feature, edges(X[:, feature]))

        return ale

    return make


def _pyale(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
    import pandas as pd
    from PyALE import ale

    class TaskOptions:
        def predict(self, rows: Any) -> np.ndarray:
            return ask(np.asarray(rows))

    frame = pd.DataFrame(X, columns=NAMES)
    return lambda feature: ale(
        frame, TaskOptions(), [NAMES[feature]], grid_size=POINTS, include_CI=True, plot=False, feature_type="continuous"
    )


def _alibi(name: str) -> Callable[[Counted, np.ndarray], Callable[[int], object]]:
    def make(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
        from alibi.explainers import ALE, PartialDependence

        if name == "PD":
            found = PartialDependence(lambda rows: ask(rows)[:, None], feature_names=NAMES, verbose=False)
            return lambda feature: found.explain(X, features=[feature], grid_resolution=POINTS, percentiles=(0, 1))
        accumulated = ALE(lambda rows: ask(rows)[:, None], feature_names=NAMES, check_feature_resolution=False)
        return lambda feature: accumulated.explain(X, features=[feature], grid_points={feature: edges(X[:, feature])})

    return make


def _dalex(kind: str) -> Callable[[Counted, np.ndarray], Callable[[int], object]]:
    def make(ask: Counted, X: np.ndarray) -> Callable[[int], object]:
        import dalex
        import pandas as pd

        frame = pd.DataFrame(X, columns=NAMES)
        found = dalex.Explainer(
            ask.model, frame, state["y"], predict_function=lambda _, rows: ask(np.asarray(rows)), verbose=False
        )
        return lambda feature: found.model_profile(
            type=kind, variables=[NAMES[feature]], N=None, grid_points=POINTS, verbose=False
        )

    return make


TOOLS: dict[str, Callable[[Counted, np.ndarray], Callable[[int], object]]] = {
    "ours pd": _ours("pd"),
    "ours ale": _ours("ale"),
    "scikit-learn pd": _sklearn,
    "effector pd": _effector("PDP"),
    "effector ale": _effector("ALE"),
    "PyALE ale": _pyale,
    "alibi pd": _alibi("PD"),
    "alibi ale": _alibi("ALE"),
    "dalex pd": _dalex("partial"),
    "dalex ale": _dalex("accumulated"),
}


def all_features() -> dict[str, float]:
    """Time partial dependence of every feature from the model's own trees."""
    X, model = state["X"], state["model"]
    import tauscope as ts

    study = ts.Study(model, X, state["y"], progress=False)
    return timed(lambda: study.effects(grid=POINTS, progress=False))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10_000)
    serve({"prepare": prepare, "predict": predict, "measure": measure, "all": all_features})
