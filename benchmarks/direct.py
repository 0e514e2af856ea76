"""The slow obvious definition: Newton on all rows for each feature and τ, then weighted means."""

import numpy as np
from numpy.typing import NDArray

from inputs import ALPHA, Inputs


def targets(values: NDArray[np.float64], taus: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean for each τ, shape (T,): towards the quantile α for τ < 0, towards 1 - α for τ > 0.

    Quantiles are interpolated, as the authors' package has them; Tauscope takes values that occur.
    """
    mean = values.mean()
    low, high = np.quantile(values, [ALPHA, 1.0 - ALPHA])
    return mean + np.where(taus < 0, taus * (mean - low), taus * (high - mean))


def weights(values: NDArray[np.float64], target: float) -> NDArray[np.float64]:
    """Weights proportional to exp(ξ x), mean 1, under which the mean of `values` is `target` to 1e-13 sd."""
    scale = values.std()
    z = (values - values.mean()) / scale
    goal = (target - values.mean()) / scale
    multiplier = 0.0
    for _ in range(50):
        tilt = np.exp(multiplier * z - np.max(multiplier * z))
        tilt /= tilt.mean()
        moved = (tilt * z).mean()
        if abs(moved - goal) <= 1e-13:
            return tilt
        multiplier += (goal - moved) / ((tilt * z * z).mean() - moved**2)
    raise ArithmeticError(f"Newton did not reach {target!r} in 50 steps.")


def metrics(inputs: Inputs, weight: NDArray[np.float64]) -> dict[str, float]:
    """Every binary metric under `weight`, by the name it has in Tauscope."""
    truth, predicted = inputs.truth == 1, inputs.predicted == 1

    def share(event: NDArray[np.bool_], among: NDArray[np.bool_] | None = None) -> float:
        if among is None:
            return float(weight[event].sum() / weight.sum())
        return float(weight[event & among].sum() / weight[among].sum())

    return {
        "portion_0": share(~predicted),
        "portion_1": share(predicted),
        "error_rate": share(truth != predicted),
        "true_positive_rate": share(predicted, truth),
        "false_positive_rate": share(predicted, ~truth),
        "false_discovery_rate": share(~truth, predicted),
        "mean_score": float((weight * inputs.score).mean()),
    }


def curves(inputs: Inputs, features: list[int], goals: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Every metric for the features asked for, each of the shape of `goals`, (len(features), T)."""
    table = [
        [metrics(inputs, weights(inputs.columns[j], goal)) for goal in row]
        for j, row in zip(features, goals, strict=True)
    ]
    return {name: np.array([[cell[name] for cell in row] for row in table]) for name in table[0][0]}
