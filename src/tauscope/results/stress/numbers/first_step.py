"""What to try first: for each feature and metric the nearby step of τ that moves the metric most."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.reliability import levels
from tauscope.stress.column.two_values import ODDS

if TYPE_CHECKING:
    from tauscope.results.stress.numbers.curve_numbers import CurveNumbers

NEAR = 0.1
"""Total variation of the farthest step."""
ROUNDING = 1e-9


def first_steps(result: "CurveNumbers") -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find the step that moves each metric most, among those that are near and reliable all the way from τ = 0.

    Near is a total variation of 10 % at most, and a share at no more than four times its odds, nor less than a quarter.
    Where few rows carry the weight moved, a step is not reliable either.

    Parameters
    ----------
    result : StressCurves

    Returns
    -------
    steps : ndarray of shape (n_features, n_metrics)
        Place among the τ, -1 where no such step moves the metric.
    sizes : ndarray of shape (n_features, n_metrics)
        By how much the metric moves there, without sign; 0 where there is none.
    """
    curves = result._curves
    zero = int(curves.taus.searchsorted(0.0))
    near = (curves.tv <= NEAR + ROUNDING) & (curves.n_carriers == 0)
    shares = np.array([feature.kind == "share" for feature in result.features])
    target = curves.target[shares]
    with np.errstate(divide="ignore"):
        odds = target / (1 - target)
        near[shares] &= np.abs(np.log(odds / odds[:, zero, None])) <= np.log(ODDS) + ROUNDING
    fit = near[:, None] & (levels(curves.reason) == 0)
    fit[..., zero] = True
    up = np.logical_and.accumulate(fit[..., zero:], axis=-1)
    down = np.logical_and.accumulate(fit[..., zero::-1], axis=-1)[..., ::-1]
    moved = np.abs(curves.value - curves.value[..., zero, None])
    size = np.where(np.concatenate([down[..., :-1], up], axis=-1), np.nan_to_num(moved), 0.0)
    best, most = size.argmax(-1), size.max(-1)
    nowhere = most <= ROUNDING * np.maximum(1.0, np.abs(np.nan_to_num(curves.value[..., zero])))
    return np.where(nowhere, -1, best), np.where(nowhere, 0.0, most)


def first_feature(result: "CurveNumbers") -> str:
    """Name the feature to begin with: the first of `influence` that has a step to try first for the leading metric.

    Where none has one, it is the first.
    """
    steps = first_steps(result)[0][:, result._metric_place(result._leading_metric.name)]
    ranked = [str(name) for name in result.influence().index]
    return next((name for name in ranked if steps[result._feature_place(name)] >= 0), ranked[0])
