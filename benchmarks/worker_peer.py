"""The authors' package, in its own environment: the process that `peer.py` starts."""

import warnings
from functools import partial
from typing import Any

import ethik
import numpy as np
import pandas as pd

from inputs import ALPHA, TAUS, Inputs, classification, load
from protocol import peak_growth, serve, timed

TOLERANCE = 1e-10
state: dict[str, Inputs] = {}


def explainer(memoize: bool = False, n_jobs: int = 1) -> Any:
    """Everything at its default but the grid, a tolerance that meets the targets, and silence."""
    return ethik.ClassificationExplainer(
        alpha=ALPHA, n_taus=TAUS, tol=TOLERANCE, n_jobs=n_jobs, memoize=memoize, verbose=False
    )


def influence(inputs: Inputs, n_jobs: int = 1) -> Any:
    """Mean prediction for every feature and τ: one index."""
    predicted = _series(inputs.predicted, "predicted")
    return explainer(n_jobs=n_jobs).explain_influence(X_test=inputs.frame, y_pred=predicted)


def _series(values: np.ndarray, name: str) -> Any:
    return pd.Series(values, name=name)


def error_rate(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    """Weighted share of wrong predictions."""
    return _share(_flat(y_true) != _flat(y_pred), sample_weight)


def true_positive_rate(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    """Weighted share predicted 1 among the rows of class 1."""
    return _share(_flat(y_pred) == 1, sample_weight * (_flat(y_true) == 1))


def false_positive_rate(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    """Weighted share predicted 1 among the rows of class 0."""
    return _share(_flat(y_pred) == 1, sample_weight * (_flat(y_true) == 0))


def false_discovery_rate(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    """Weighted share of class 0 among the rows predicted 1."""
    return _share(_flat(y_true) == 0, sample_weight * (_flat(y_pred) == 1))


def _flat(values: Any) -> np.ndarray:
    return np.asarray(values).ravel()


def _share(event: np.ndarray, weight: Any) -> float:
    return float(np.average(event, weights=weight))


def rates(inputs: Inputs) -> Any:
    """Mean prediction and the four rates: one call each, the stresses solved once and kept between them."""
    known = explainer(memoize=True)
    frame, predicted = inputs.frame, _series(inputs.predicted, "predicted")
    known.explain_influence(X_test=frame, y_pred=predicted)
    for metric in (error_rate, true_positive_rate, false_positive_rate, false_discovery_rate):
        known.explain_performance(X_test=frame, y_test=_series(inputs.truth, "truth"), y_pred=predicted, metric=metric)
    return known.info


WORK = {"influence": influence, "two jobs": partial(influence, n_jobs=2), "rates": rates}


def prepare(n_rows: int, n_features: int) -> str:
    """Make the inputs; their digest."""
    state["inputs"] = classification(n_rows, n_features)
    return state["inputs"].digest


def prepare_saved(path: str) -> str:
    """Load inputs written by `inputs.save`; their digest."""
    state["inputs"] = load(path)
    return state["inputs"].digest


def time_work(what: str) -> dict[str, float]:
    """Time one call of `what`."""
    return timed(partial(WORK[what], state["inputs"]))


def peak_work(what: str) -> dict[str, float]:
    """Peak memory of one call of `what`, after a small call that loads the code it needs."""
    WORK[what](classification(1000, 2))
    return peak_growth(partial(WORK[what], state["inputs"]))


def curves() -> dict[str, Any]:
    """Mean prediction, shape (n_features, TAUS), and τ."""
    frame = influence(state["inputs"])
    wide = frame.pivot(index="feature", columns="tau", values="influence")
    names = [f"x{j}" for j in range(len(state["inputs"].columns))]
    return {
        "taus": [float(t) for t in wide.columns],
        "value": wide.loc[names].to_numpy().tolist(),
        "converged": bool(frame["converged"].all()),
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(
        {
            "prepare": prepare,
            "prepare_saved": prepare_saved,
            "time": time_work,
            "peak": peak_work,
            "curves": curves,
        }
    )
