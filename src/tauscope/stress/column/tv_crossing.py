"""The rows where a stress neither clearly gains nor loses weight, summed one by one for an exact total variation."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SortedRows:
    """Rows of a chunk by their bin.

    Attributes
    ----------
    z : ndarray of shape (n_rows,)
        Standardised values, sorted by bin.
    weight : ndarray of shape (n_rows,) or None
        Sample weights.
    ends : ndarray of shape (n_bins,)
        Place after the last row of each bin.
    """

    z: Array
    weight: Array | None
    ends: NDArray[np.intp]


def gain_in_bins(chunks: Iterable[SortedRows], split: NDArray[np.intp], xi: Array, log_ratio: Array) -> Array:
    """Sum v max(λ - 1, 0) over the rows of one bin for each tilt.

    Parameters
    ----------
    chunks : iterable of SortedRows
    split : ndarray of shape (T,)
        The bin in which the weights of each tilt cross 1; -1 for none.
    xi, log_ratio : ndarray of shape (T,)
        λ = exp(ξz - log_ratio).

    Returns
    -------
    ndarray of shape (T,)
        0 where no bin is split.
    """
    gain = np.zeros(len(split))
    tilts = np.flatnonzero(split >= 0)
    if not len(tilts):
        return gain
    bins, xi, log_ratio = split[tilts], xi[tilts], log_ratio[tilts]
    for chunk in chunks:
        ends = chunk.ends[bins]
        firsts = np.where(bins > 0, chunk.ends[bins - 1], 0)
        runs = [slice(first, end) for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)]
        length = ends - firsts
        excess = np.concatenate([chunk.z[run] for run in runs])
        excess *= np.repeat(xi, length)
        excess -= np.repeat(log_ratio, length)
        excess = np.maximum(np.expm1(excess, out=excess), 0.0, out=excess)
        if chunk.weight is not None:
            excess *= np.concatenate([chunk.weight[run] for run in runs])
        filled = length > 0
        if filled.any():
            gain[tilts[filled]] += np.add.reduceat(excess, (np.cumsum(length) - length)[filled])
    return gain
