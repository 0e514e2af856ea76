"""Where the bars of a feature's histogram begin and end."""

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.histogram import N_BARS, TAIL, bar_edges

N_BINS = N_BARS


def histogram_edges(values: NDArray[np.float64], integer: bool) -> NDArray[np.float64]:
    """Cut the bulk of a column (its 0.5 % to 99.5 % quantiles) into about 24 bins of one width.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing; at least two different values.
    integer : bool
        Put the edges between whole numbers, as many of them to every bin, so that no bar stands out only for
        holding one more.

    Returns
    -------
    ndarray of shape (n_bins + 1,)
        Ascending, at most 25. Rows beyond the ends are counted in the end bins.
    """
    seen = values[~np.isnan(values)]
    low, high = (float(q) for q in np.quantile(seen, (TAIL, 1 - TAIL)))
    if low == high:
        low, high = float(seen.min()), float(seen.max())
    return bar_edges(low, high, integer)
