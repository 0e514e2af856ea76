"""Numbers as they go to the page: float32 in buffers, null in JSON where there is none."""

import numpy as np
from numpy.typing import NDArray


def float32(values: NDArray[np.float64]) -> bytes:
    """Return an array as little-endian float32 in C order; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype="<f4").tobytes()


def finite(value: float) -> float | None:
    """Return a number, or None where it is not finite, which JSON cannot have."""
    return float(value) if np.isfinite(value) else None
