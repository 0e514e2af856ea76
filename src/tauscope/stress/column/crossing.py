"""The rows where a stress neither clearly gains nor loses weight, summed one by one for an exact total variation."""

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.sketch import Scale

Array = NDArray[np.float64]


def gain_in_bins(
    values: Array,
    scale: Scale,
    codes: NDArray[np.uint16],
    split: NDArray[np.intp],
    xi: Array,
    log_ratio: Array,
    weight: Array | None,
) -> Array:
    """Sum max(λ - 1, 0) over the rows of one bin for each tilt.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        In the column's unit; only those of rows in the bins named are read.
    scale : Scale
        From there to z.
    codes : uint16 ndarray of shape (n_rows,)
        Bin of each row.
    split : ndarray of shape (T,)
        The bin in which the weights of each tilt cross 1; -1 for none.
    xi, log_ratio : ndarray of shape (T,)
        λ = exp(ξz - log_ratio).
    weight : ndarray of shape (n_rows,) or None
        Of each row in the sum.

    Returns
    -------
    ndarray of shape (T,)
        0 where no bin is split.
    """
    gain = np.zeros(len(split))
    tilts = np.flatnonzero(split >= 0)
    wanted = np.zeros(int(np.iinfo(codes.dtype).max) + 1, bool)
    wanted[split[tilts]] = True
    rows = np.flatnonzero(wanted[codes])
    if not len(rows):
        return gain
    rows = rows[np.argsort(codes[rows], kind="stable")]
    first, last = (np.searchsorted(codes[rows], split[tilts].astype(codes.dtype), side=s) for s in ("left", "right"))
    length = last - first
    start = np.cumsum(length) - length
    row = rows[np.arange(length.sum()) + np.repeat(first - start, length)]
    excess = np.expm1(np.repeat(xi[tilts], length) * scale(values[row]) - np.repeat(log_ratio[tilts], length))
    excess = np.maximum(excess, 0.0)
    if weight is not None:
        excess *= weight[row]
    filled = length > 0
    gain[tilts[filled]] = np.add.reduceat(excess, start[filled])
    return gain
