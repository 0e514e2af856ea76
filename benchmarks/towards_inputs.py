"""Two samples of correlated columns, the mean of the second moved, the same in every environment."""

from typing import Any

import numpy as np

MOVED = 0.1
"""Standard deviation of how far each independent part moves."""


def samples(n: int, m: int, k: int) -> tuple[np.ndarray[Any, np.dtype[np.float64]], ...]:
    """Return n rows here and m new ones, of k columns."""
    rng = np.random.default_rng(0)
    mix = 0.1 * rng.standard_normal((k, k)) + np.eye(k)
    here = rng.standard_normal((n, k)) @ mix
    new = (rng.standard_normal((m, k)) + MOVED * rng.standard_normal(k)) @ mix
    return here, new
