"""How far two data sets lie from each other: estimated by a histogram, or exact for the rows there are."""

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats, even_edges, sums_by
from tauscope.weights.checks import check_weights
from tauscope.weights.measures import total_variation_of_shares


def histogram_distance(
    before: Floats,
    after: Floats,
    *,
    bins: int | None = None,
    weight_before: object = None,
    weight_after: object = None,
) -> float:
    """Estimate total variation by a joint histogram, as the paper's code does.

    It sees the columns given and nothing else, and depends on its bins: two halves of one data set lie about .1
    apart, and rows whose columns were shuffled against the others not at all. It certifies nothing.

    Parameters
    ----------
    before, after : ndarray of shape (n, d), (m, d)
        The perturbed columns.
    bins : int or None
        Equal bins a column, over the pooled range. None: max(5, ⌊(n/10)^(1/d)⌋).
    weight_before, weight_after : array-like, optional
        Row weights.

    Returns
    -------
    float
        In [0, 1].
    """
    _check_columns(before, after)
    d = before.shape[1]
    n_bins = max(5, int((len(before) / 10) ** (1 / d))) if bins is None else int(bins)
    if n_bins < 1:
        raise InputError(f"bins must be at least 1, got {bins}")
    pooled = np.concatenate([before, after])
    if not np.isfinite(pooled).all():
        raise InputError("a histogram needs finite values: leave rows with missing ones out")
    low, high = pooled.min(axis=0), pooled.max(axis=0)
    edges: list[Floats] = []
    for a, b in zip(low, high, strict=True):
        edges.append(even_edges(float(a), float(b) if b > a else float(a) + 1.0, n_bins))
    shares: list[Floats] = []
    for rows, weight in ((before, weight_before), (after, weight_after)):
        counts, _ = np.histogramdd(rows, edges, weights=check_weights(weight, len(rows)))
        shares.append(counts / counts.sum())
    return 0.5 * float(np.abs(shares[0] - shares[1]).sum())


def exact_distance(
    before: Floats, after: Floats, *, weight_before: object = None, weight_after: object = None
) -> float:
    """Compute total variation between two data sets as they are: 1 where no row of one occurs in the other.

    Parameters
    ----------
    before, after : ndarray of shape (n, d), (m, d)
        All columns the curve averages over; NaN equals NaN.
    weight_before, weight_after : array-like, optional
        Row weights.
    """
    _check_columns(before, after)
    stacked = np.concatenate([before, after]) + 0.0
    _, label = np.unique(np.nan_to_num(stacked, nan=np.inf), axis=0, return_inverse=True)
    size = int(label.max()) + 1
    n = len(before)
    first = sums_by(label[:n].ravel(), check_weights(weight_before, n) / n, size)
    second = sums_by(label[n:].ravel(), check_weights(weight_after, len(after)) / len(after), size)
    return min(1.0, total_variation_of_shares(first, second))


def _check_columns(before: Floats, after: Floats) -> None:
    if before.ndim != 2 or after.ndim != 2 or before.shape[1] != after.shape[1]:
        raise InputError(f"the two data sets must have the same columns, got shapes {before.shape} and {after.shape}")
