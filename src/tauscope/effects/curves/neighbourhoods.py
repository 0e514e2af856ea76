"""Which rows count as having a grid value: those in a window around it, or its nearest."""

from dataclasses import dataclass

import numpy as np

from tauscope.effects.curves.grids import Grid
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats

TIE = 1e-9  # share of the range within which a value on a window's edge counts as on it


@dataclass(frozen=True)
class Window:
    """Rows whose value lies within a distance of the grid value.

    Attributes
    ----------
    half_width : float or None
        In the feature's unit; None: 1/18 of its range, so that the window is a ninth of it.
    strict : bool
        False: a value on the edge is inside, with a slack of 1e-9 of the range. True: values on the edge are
        outside, with none, as in the published experiments; on features with few values rounding decides.
    """

    half_width: float | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.half_width is not None and not 0 < self.half_width < np.inf:
            raise InputError(f"half_width must be positive and finite, got {self.half_width}")


@dataclass(frozen=True)
class Nearest:
    """The rows nearest to the grid value, as many as requested and all those tied with the last.

    Attributes
    ----------
    n_neighbors : int
        With two features, nearness is the larger of the two distances in standard deviations.
    """

    n_neighbors: int = 100

    def __post_init__(self) -> None:
        if self.n_neighbors < 1:
            raise InputError(f"n_neighbors must be at least 1, got {self.n_neighbors}")


def distances(values: Floats, point: float, grid: Grid) -> Floats:
    """Distance of each row's value to a grid point; 0 or infinite for levels and missing values."""
    if np.isnan(point):
        return np.where(np.isnan(values), 0.0, np.inf)
    if grid.kind == "categorical":
        return np.where(values == point, 0.0, np.inf)
    return np.where(np.isnan(values), np.inf, np.abs(values - point))


def inside_window(values: Floats, point: float, grid: Grid, window: Window) -> Bools:
    """Rows in the window around one point of one feature."""
    distance = distances(values, point, grid)
    if np.isnan(point) or grid.kind == "categorical":
        return distance == 0
    span = float(np.nanmax(values) - np.nanmin(values)) if not np.isnan(values).all() else 0.0
    width = span / 18 if window.half_width is None else window.half_width
    if window.strict:
        return distance < width
    return distance <= width + TIE * span


def nearest_rows(values: list[Floats], point: Floats, grids: tuple[Grid, ...], nearest: Nearest) -> Bools:
    """Rows nearest to a point of one feature or two; fewer than requested where fewer have the level."""
    distance = np.zeros(len(values[0]))
    for column, value, grid in zip(values, point, grids, strict=True):
        scale = float(np.nanstd(column)) if not np.isnan(column).all() else 0.0
        distance = np.maximum(distance, distances(column, float(value), grid) / (scale or 1.0))
    k = min(nearest.n_neighbors, len(distance))
    radius = float(np.partition(distance, k - 1)[k - 1])
    if np.isinf(radius):
        return np.isfinite(distance)
    return distance <= radius * (1 + TIE)
