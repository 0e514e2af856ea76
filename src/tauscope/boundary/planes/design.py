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
    blocks : ndarray
        Which blocks of the space are moved.
    unit : float
        The change of a column, in its scale, that makes the point's distance.
    """

    columns: Ints
    axis: Ints
    weight: Floats
    blocks: Ints
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
        blocks = np.flatnonzero(space.in_all(movable))
        return cls(columns, axis.astype(np.int64), 1 / np.sqrt(size), blocks, unit)

    @property
    def n_axes(self) -> int:
        """Axes of numbers."""
        return int(self.axis.max()) + 1 if len(self.axis) else 0

    def features(self, space: Space, start: Floats, point: Floats, samples: Floats) -> Floats:
        """Features of samples (m, p), seen from the point: shape (m, n_axes + n_blocks)."""
        moved = samples if len(self.columns) == space.n_columns else samples[:, self.columns]
        change = (moved - point[self.columns]) / (space.scale[self.columns] * self.unit)
        if self.n_axes < len(self.columns):
            along = np.zeros((len(samples), self.n_axes))
            np.add.at(along.T, self.axis, (change * self.weight).T)
        else:
            along = change
        if not len(self.blocks):
            return along
        return np.concatenate([along, _left(space, start, point, samples)[:, self.blocks]], axis=1)

    def direction(self, space: Space, start: Floats, coefficients: Floats) -> Floats:
        """Coefficients as a vector in units of scale, not yet of length 1: shape (p,)."""
        vector = np.zeros(space.n_columns)
        vector[self.columns] = coefficients[: self.n_axes][self.axis] * self.weight / self.unit
        if len(self.blocks):
            vector[level_columns(space, start[None])[0, self.blocks]] = coefficients[self.n_axes :]
        return vector


def level_columns(space: Space, starts: Floats) -> Ints:
    """Columns of blocks that carry how much leaving the level of starts (n, p) counts, where it ends: (n, n_blocks)."""
    columns = np.tile([block[0] for block in space.blocks], (len(starts), 1)).astype(np.int64)
    for position in np.flatnonzero(space.block_sizes > 1):
        block = np.array(space.blocks[position])
        columns[:, position] = block[starts[:, block].argmax(axis=1)]
    return columns


def towards(space: Space, starts: Floats, points: Floats) -> Floats:
    """Directions from starts to points, both (n, p), in units of scale, of any length; 1 for levels that differ."""
    vectors = changes(space, starts, points)
    if space.blocks:
        vectors[:, space.in_block] = 0.0
        row, block = np.nonzero(space.differing(starts, points))
        vectors[row, level_columns(space, starts)[row, block]] = 1.0
    return vectors


def changes(space: Space, origin: Floats, points: Floats) -> Floats:
    """Differences of points (m, p) from an origin, in units of scale; 0 where either is missing."""
    change = (points - origin) / space.scale
    change[np.isnan(change)] = 0.0
    return change


def along(space: Space, start: Floats, point: Floats, samples: Floats, direction: Floats) -> Floats:
    """How far samples (m, p) lie from the point along a direction in units of scale: shape (m,)."""
    far = changes(space, point, samples) @ np.where(space.in_block, 0.0, direction)
    if space.blocks:
        far += _left(space, start, point, samples) @ direction[level_columns(space, start[None])[0]]
    return far


def largest(vectors: Floats, n_features: int | None, groups: tuple[tuple[int, ...], ...]) -> Floats:
    """Keep the largest entries of vectors (..., p), those of columns moved together as one; all of them for None."""
    if n_features is None:
        return vectors
    axis_of: Ints = np.arange(vectors.shape[-1], dtype=np.int64)
    for group in groups:
        axis_of[list(group)] = min(group)
    axes, axis_of = np.unique(axis_of, return_inverse=True)
    squares = np.zeros((*vectors.shape[:-1], len(axes)))
    np.add.at(squares.T, axis_of, (vectors * vectors).T)
    first = np.argsort(-squares, axis=-1, kind="stable")[..., :n_features]
    kept = np.zeros(squares.shape, dtype=np.bool_)
    np.put_along_axis(kept, first, True, axis=-1)
    return np.where(kept[..., axis_of], vectors, 0.0)


def normalised(vectors: Floats) -> Floats:
    """Vectors (..., p) of length 1; NaN where one is 0 or not finite."""
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where((norm > 0) & np.isfinite(norm), norm, np.nan)


def _left(space: Space, start: Floats, point: Floats, samples: Floats) -> Floats:
    """Whether each block of samples (m, p) has left the start's level, less whether the point has: (m, n_blocks)."""
    return space.differing(samples, start) - space.differing(point, start).astype(np.float64)
