"""Sums by powers of the sample weight: their layout in one array.

Of unweighted rows each sum stands once. Of weighted ones the Q sums stand five times, of v⁰ g to v⁴ g: the first are
for numbers of rows and the units of real quantities, the others for everything that is weighted.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BLOCKS = 5


def count_columns(n_sums: int, weighted: bool) -> int:
    """Return how many numbers Q sums take."""
    return n_sums * BLOCKS if weighted else n_sums


def layers(sums: Array, weighted: bool) -> Array:
    """Return sums of shape (..., Q or 5Q) by powers 1 to 4 of the weights, shape (1 or 4, ..., Q)."""
    if not weighted:
        return sums[None]
    blocks = sums.reshape(*sums.shape[:-1], BLOCKS, -1)
    return np.moveaxis(blocks[..., 1:, :], -2, 0)


def total_weight(sums: Array, weighted: bool) -> Array:
    """Return the weight of the rows that sums of shape (..., Q or 5Q) are over, shape (...)."""
    return sums[..., sums.shape[-1] // BLOCKS if weighted else 0]


def weight_powers(weight: Array | None) -> list[Array | None]:
    """Return what each block of sums multiplies a quantity with; None for 1."""
    if weight is None:
        return [None]
    return [None, weight, weight**2, weight**3, weight**4]
