"""The array types of the engines, and sums over groups of rows."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def sums_by(group: Ints, values: Floats, n_groups: int) -> Floats:
    """Sum the values of each group: shape (n_groups,)."""
    return np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)
