"""A sample as features of a linear explanation, and its coefficients as a direction in the space."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Design:
    """The features of one start's explanation: a number along each axis moved, and whether each block left its level.

    Attributes
    ----------
    columns : ndarray of shape (q,)
        Numbers moved.
    axis : ndarray of shape (q,)
        Which axis moves each: 0 … n_axes − 1.
    weight : ndarray of shape (q,)
        A unit of the axis moves the column by this many units of its scale.
    blocks : tuple of tuple of int
        Blocks moved.
    unit : float
        The change of a column, in its scale, that makes the point's distance.
    """

    columns: Ints
    axis: Ints
    weight: Floats
    blocks: tuple[tuple[int, ...], ...]
    unit: float

    @classmethod
    def of(cls, space: Space, movable: Bools, groups: tuple[tuple[int, ...], ...], unit: float) -> "Design":
        """Set up the features for the columns that move."""
        columns = np.flatnonzero(movable & ~space.in_block)
        group_of = np.arange(space.n_columns)
        for group in groups:
            group_of[list(group)] = min(group)
        _, axis = np.unique(group_of[columns], return_inverse=True)
        size = np.bincount(axis, minlength=1)[axis] if len(axis) else np.empty(0)
        blocks = tuple(block for block in space.blocks if movable[list(block)].all())
        return cls(columns, axis.astype(np.int64), 1 / np.sqrt(size), blocks, unit)

    @property
    def n_axes(self) -> int:
        """Axes of numbers."""
        return int(self.axis.max()) + 1 if len(self.axis) else 0

    def features(self, space: Space, start: Floats, point: Floats, samples: Floats) -> Floats:
        """Features of samples (m, p), seen from the point: shape (m, n_axes + n_blocks)."""
        change = (samples[:, self.columns] - point[self.columns]) / (space.scale[self.columns] * self.unit)
        if self.n_axes < len(self.columns):
            along = np.zeros((len(samples), self.n_axes))
            np.add.at(along.T, self.axis, (change * self.weight).T)
        else:
            along = change
        left = [_left(samples, start, block) - _left(point[None], start, block) for block in self.blocks]
        return np.column_stack([along, *left])

    def direction(self, space: Space, start: Floats, coefficients: Floats) -> Floats:
        """Coefficients as a vector in units of scale, not yet of length 1: shape (p,)."""
        vector = np.zeros(space.n_columns)
        vector[self.columns] = coefficients[: self.n_axes][self.axis] * self.weight / self.unit
        for block, coefficient in zip(self.blocks, coefficients[self.n_axes :], strict=True):
            vector[level_column(start, block)] = coefficient
        return vector


def level_column(start: Floats, block: tuple[int, ...]) -> int:
    """Column of a block that carries how much leaving the start's level counts: the one where it ends."""
    return block[int(np.argmax(start[list(block)]))]


def towards(space: Space, start: Floats, point: Floats) -> Floats:
    """Direction from a start to a point in units of scale, not yet of length 1; 1 for a block that differs."""
    vector = np.where(space.in_block, 0.0, np.nan_to_num((point - start) / space.scale))
    for block in space.blocks:
        if _left(point[None], start, block)[0]:
            vector[level_column(start, block)] = 1.0
    return vector


def along(space: Space, start: Floats, point: Floats, samples: Floats, direction: Floats) -> Floats:
    """How far samples (m, p) lie from the point along a direction in units of scale: shape (m,)."""
    change = np.where(space.in_block, 0.0, np.nan_to_num((samples - point) / space.scale))
    far = change @ np.where(space.in_block, 0.0, direction)
    for block in space.blocks:
        part = direction[level_column(start, block)]
        far += part * (_left(samples, start, block) - _left(point[None], start, block))
    return far


def normalised(vectors: Floats) -> Floats:
    """Vectors (..., p) of length 1; NaN where one is 0 or not finite."""
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where((norm > 0) & np.isfinite(norm), norm, np.nan)


def _left(points: Floats, start: Floats, block: tuple[int, ...]) -> Floats:
    columns = list(block)
    return (points[:, columns] != start[columns]).any(axis=1).astype(np.float64)
