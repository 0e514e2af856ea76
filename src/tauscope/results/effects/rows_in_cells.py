"""How many rows lie in each cell of the map of an effect of two features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tauscope.results.effects.axis import Axis
    from tauscope.results.effects.effect import FeatureEffect


def rows_in_cells(effect: FeatureEffect) -> NDArray[np.int64] | None:
    """Count the rows in each cell, halfway from a grid point to the next ones; those of weight 0 do not count.

    Parameters
    ----------
    effect : FeatureEffect
        Of two features.

    Returns
    -------
    ndarray of shape (G1, G2), or None
        None for rows in chunks, which are not at hand. Rows beyond the grid lie in no cell.
    """
    weights = effect._computed.sample_weight
    if any(len(axis.data) != effect.n_rows for axis in effect._axes) or len(weights) != effect.n_rows:
        return None
    first, second = (_cell_of_rows(axis) for axis in effect._axes)
    inside = (first >= 0) & (second >= 0) & (weights > 0)
    shape = (len(effect._axes[0]), len(effect._axes[1]))
    return np.bincount(first[inside] * shape[1] + second[inside], minlength=shape[0] * shape[1]).reshape(shape)


def _cell_of_rows(axis: Axis) -> NDArray[np.int64]:
    """Return the place of each row's cell; -1 beyond the grid."""
    missing = np.isnan(axis.points)
    observed = np.flatnonzero(~missing)
    points = axis.points[observed]
    place = np.full(len(axis.data), -1)
    if missing.any():
        place[np.isnan(axis.data)] = np.flatnonzero(missing)[0]
    if not len(points):
        return place
    if axis.kind == "levels":
        nearest = np.minimum(np.searchsorted(points, axis.data), len(points) - 1)
        inside = points[nearest] == axis.data
    else:
        nearest = np.searchsorted((points[1:] + points[:-1]) / 2, axis.data)
        inside = (axis.data >= points[0]) & (axis.data <= points[-1])
    place[inside] = observed[nearest[inside]]
    return place
