"""The grid of τ that curves are computed on."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError


def tau_grid(taus: int | Sequence[float] | NDArray[np.floating]) -> NDArray[np.float64]:
    """Turn a number of steps, or the values themselves, into an ascending grid that holds 0.

    Parameters
    ----------
    taus : int or sequence of float
        An odd number of at least 3: that many evenly spaced values from -1 to 1. Or values in [-1, 1], in any
        order; 0, the unstressed population, is added where it is missing and repeated values count once.

    Returns
    -------
    ndarray of shape (n_taus,)
        Ascending, distinct, containing 0 exactly.

    Raises
    ------
    InputError
        For an even or too small number, no values, or values outside [-1, 1].
    InputTypeError
        For anything that is neither.
    """
    kind = f"taus must be an odd int or values in [-1, 1]; got {taus!r}. Try taus=21."
    if isinstance(taus, bool | str):
        raise InputTypeError(kind)
    if isinstance(taus, Integral):
        return _steps(int(taus))
    try:
        values = np.asarray(taus, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(kind) from None
    if values.ndim == 0:
        raise InputTypeError(kind)
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"taus must hold at least one value in one dimension; got shape {values.shape}.")
    outside = values[~((values >= -1) & (values <= 1))]
    if outside.size:
        raise InputError(f"Every τ must lie in [-1, 1]; got {outside[0]:g}. Use -1 … 1, or an odd int for a grid.")
    return np.unique(np.append(values, 0.0) + 0.0)


def _steps(n_taus: int) -> NDArray[np.float64]:
    if n_taus < 3 or n_taus % 2 == 0:
        raise InputError(
            f"A number of τ must be odd and at least 3, so that 0 is among them; got {n_taus}. "
            f"Try taus={max(3, n_taus + 1 - n_taus % 2)}."
        )
    half = n_taus // 2
    return np.arange(-half, half + 1) / half
