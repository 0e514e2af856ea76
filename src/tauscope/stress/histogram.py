"""A column's histogram before and after a stress."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FINE = 64
"""Slices of a bar within which rows stand at their mean value."""


def stressed_histogram(values: Array, edges: Array, multiplier: Array, sample_weight: Array | None = None) -> Array:
    """Return the share of the rows in each bar, at each multiplier.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value; such rows are left out of the shares.
    edges : ndarray of shape (n_bars + 1,)
        Ascending. Rows outside are counted in the first and the last bar.
    multiplier : ndarray of shape (T,)
        ξ per unit of the column; ±inf keeps the rows at the column's extreme alone.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.

    Returns
    -------
    ndarray of shape (T, n_bars)
        Non-negative, each row summing to 1.

    Notes
    -----
    Each bar is cut into 64 slices and the rows of a slice are weighted as at their mean value: a relative error
    of at most (ξ·width)²/8 of a slice, far below a pixel.
    """
    present = ~np.isnan(values)
    x = values[present]
    v = np.ones(len(x)) if sample_weight is None else sample_weight[present]
    n_bars = len(edges) - 1
    bar = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, n_bars - 1)
    width = edges[bar + 1] - edges[bar]
    slice_ = np.clip(((x - edges[bar]) / width * FINE).astype(np.intp), 0, FINE - 1)
    outside = (x < edges[0]) | (x > edges[-1])
    code = np.where(outside, n_bars * FINE + _outer_slices(x, edges), bar * FINE + slice_)
    n_slices = (n_bars + 2) * FINE
    mass = np.bincount(code, v, n_slices)
    base = float(x.min())
    kept = mass > 0
    mean = np.bincount(code, v * (x - base), n_slices)[kept] / mass[kept]
    of_bar = np.concatenate([np.repeat(np.arange(n_bars), FINE), np.full(FINE, 0), np.full(FINE, n_bars - 1)])[kept]
    shares = np.empty((len(multiplier), n_bars))
    for t, xi in enumerate(multiplier):
        if np.isfinite(xi):
            logs = xi * mean
            weight = mass[kept] * np.exp(logs - logs.max())
            shares[t] = np.bincount(of_bar, weight, n_bars)
        else:
            extreme = x.min() if xi < 0 else x.max()
            shares[t] = np.bincount(bar, v * (x == extreme), n_bars)
        shares[t] /= shares[t].sum()
    return shares


def _outer_slices(x: Array, edges: Array) -> NDArray[np.intp]:
    """Return the slices of the rows below the first edge (0 … FINE-1) and above the last (FINE … 2·FINE-1)."""
    span_below, span_above = float(edges[0] - x.min()), float(x.max() - edges[-1])
    below = (edges[0] - x) / (span_below if span_below > 0 else 1.0)
    above = (x - edges[-1]) / (span_above if span_above > 0 else 1.0)
    lower: Array = np.clip(below * FINE, 0, FINE - 1)
    upper: Array = FINE + np.clip(above * FINE, 0, FINE - 1)
    return np.where(x < edges[0], lower, upper).astype(np.intp)
