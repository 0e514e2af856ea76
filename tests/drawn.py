"""Numbers that a view draws, beside those they were packed from."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tauscope.views.packing import DRAWN, span_of


def assert_drawn(sent: NDArray[np.floating], numbers: ArrayLike, axes: tuple[int, ...] = (0, 2)) -> None:
    """Compare values and their intervals, the last axis, within a step of what the values span over some axes."""
    values = np.asarray(numbers, dtype=float)
    step = DRAWN * span_of(values[..., 0], axes)[..., None]
    off, scale = np.abs(sent - values), 1e-6 * np.abs(values) + 1e-12
    np.testing.assert_array_equal(np.isfinite(sent), np.isfinite(values))
    where = np.isfinite(values)
    assert (off <= step + scale)[where].all(), off[where].max()
