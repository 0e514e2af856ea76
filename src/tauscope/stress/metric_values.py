"""Values of the forms a metric can have, each with its gradient on the sums that it is made of."""

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.row_metrics import ROUNDING

Array = NDArray[np.float64]
CANCELLED = 1e-12
"""Variance, relative to the squared mean it is taken from, that is none but rounding."""


def of_ratio(sums: Array, top: Array, bottom: Array) -> tuple[Array, Array]:
    """Return a ratio of two sums over cells, or several along a last axis; NaN where no weight is below the line."""
    under = _product(sums, bottom)
    empty = under <= 0
    value = np.where(empty, np.nan, _product(sums, top) / np.where(empty, 1.0, under))
    gradient = (top - np.where(empty, 0.0, value)[..., None] * bottom) / np.where(empty, 1.0, under)[..., None]
    return value, gradient


def _product(sums: Array, weights: Array) -> Array:
    # of several weights each by itself, not as a matrix: groups of equal values stay so to the last bit
    return sums @ weights if weights.ndim == 1 else np.vecdot(sums, weights)


def of_mean_ratio(sums: Array, top: Array, bottom: Array) -> tuple[Array, Array]:
    """Return the mean of several ratios, of those that are defined; NaN where none is."""
    parts = [of_ratio(sums, *each) for each in zip(top, bottom, strict=True)]
    values, gradients = np.stack([value for value, _ in parts]), np.stack([gradient for _, gradient in parts])
    present = np.isfinite(values)
    n = np.count_nonzero(present, axis=0)
    value = np.where(n > 0, np.sum(np.where(present, values, 0.0), axis=0) / np.maximum(n, 1), np.nan)
    return value, np.sum(np.where(present[..., None], gradients, 0.0), axis=0) / np.maximum(n, 1)[..., None]


def square_polynomial(coefficients: Array) -> Array:
    """Return the coefficients of a polynomial's square."""
    n = coefficients.shape[-1]
    squared = np.zeros((*coefficients.shape[:-1], 2 * n - 1))
    for j in range(n):
        squared[..., j : j + n] += coefficients[..., j : j + 1] * coefficients
    return squared


def of_explained(sums: Array, centre: float) -> tuple[Array, Array]:
    """Return -E/V with its gradient on (n, Σy, Σy², Σe²): E the mean of e², V the variance of y.

    NaN where y does not vary but by rounding.
    """
    total = sums[..., 0]
    mean, left = sums[..., 1] / total, sums[..., 3] / total
    variance = np.maximum(sums[..., 2] / total - mean**2, 0.0)
    varies = (variance > CANCELLED * mean**2) & (variance > (ROUNDING * (centre + mean)) ** 2)
    safe = np.where(varies, variance, 1.0)
    ratio = left / safe
    gradient = np.stack([ratio * mean**2, -2 * ratio * mean, ratio, -np.ones_like(ratio)], -1)
    return np.where(varies, -ratio, np.nan), gradient / (safe * total)[..., None]


def of_mean(sums: Array) -> tuple[Array, Array]:
    """Return a mean from (n, Σx)."""
    mean = sums[..., 1] / sums[..., 0]
    return mean, np.stack([-mean, np.ones_like(mean)], -1) / sums[..., :1]


def of_variance(sums: Array) -> tuple[Array, Array]:
    """Return a variance from (n, Σx, Σx²)."""
    mean, second = sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 0]
    variance = np.maximum(second - mean**2, 0.0)
    gradient = np.stack([mean**2 - variance, -2 * mean, np.ones_like(mean)], -1)
    return variance, gradient / sums[..., :1]


def of_root_mean(sums: Array) -> tuple[Array, Array]:
    """Return the root of a mean square from (n, Σx²)."""
    square = np.maximum(sums[..., 1] / sums[..., 0], 0.0)
    root = np.sqrt(square)
    half = 0.5 / np.where(root > 0, root, 1.0)
    gradient = np.stack([-square, np.ones_like(square)], -1) * half[..., None]
    return root, gradient / sums[..., :1]
