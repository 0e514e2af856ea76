"""Tauscope, in the environment that runs the benchmark: the process that answers for our side."""

from functools import partial
from typing import Any

import numpy as np

from inputs import ALPHA, TAUS, Inputs, classification, load
from protocol import peak_growth, serve, timed
from tauscope import Study
from tauscope.stress.curves import stress_curves
from tauscope.stress.metrics import available
from tauscope.stress.outcomes import Outcomes

GRID = np.linspace(-1.0, 1.0, TAUS)
state: dict[str, Inputs] = {}


def engine(inputs: Inputs) -> Any:
    """Every binary metric with its interval, for every feature and τ, from arrays."""
    outcomes = Outcomes("binary", inputs.predicted, inputs.truth, inputs.score, ("0", "1"))
    every = [metric.name for metric in available(outcomes)]
    return stress_curves(inputs.columns, outcomes, taus=GRID, quantile=ALPHA, metrics=every)


def study(inputs: Inputs) -> Any:
    """Compute what is shown by default from a data frame: checks, columns, engine, result."""
    door = Study.from_predictions(inputs.frame, inputs.truth, inputs.predicted, inputs.score)
    return door.stress_curves(taus=TAUS, quantile=ALPHA)


def one_pass(inputs: Inputs) -> float:
    """Sum of every value: the least any reader of X must spend."""
    return float(inputs.columns.sum())


WORK = {"engine": engine, "study": study, "pass": one_pass}


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
    """Targets and multipliers, shape (n_features, TAUS), and every metric by name, same shape."""
    answer = engine(state["inputs"])
    return {
        "target": answer.target.tolist(),
        "multiplier": answer.multiplier.tolist(),
        "ess": answer.ess.tolist(),
        "value": {metric.name: answer.value[:, i].tolist() for i, metric in enumerate(answer.metrics)},
    }


if __name__ == "__main__":
    serve(
        {
            "prepare": prepare,
            "prepare_saved": prepare_saved,
            "time": time_work,
            "peak": peak_work,
            "curves": curves,
        }
    )
