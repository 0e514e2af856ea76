"""Two samples of a few columns, the second shifted."""

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[np.float64]]


def sample(n: int, shift: float, seed: int, *, gaps: bool = False) -> Columns:
    """Draw numbers a, b, c and the levels u, v, w of one column."""
    random = np.random.default_rng(seed)
    a = random.normal(shift, 1, n)
    b = random.normal(0.5 * a, 1)
    c = random.gamma(2 + shift, 1, n)
    level = random.choice(3, n, p=[0.5 - 0.2 * shift, 0.3, 0.2 + 0.2 * shift])
    columns = {"a": a, "b": b, "c": c, **{name: (level == j) * 1.0 for j, name in enumerate("uvw")}}
    if gaps:
        columns["b"] = np.where(random.random(n) < 0.1 + 0.1 * shift, np.nan, b)
        columns["b missing"] = np.isnan(columns["b"]) * 1.0
    return columns
