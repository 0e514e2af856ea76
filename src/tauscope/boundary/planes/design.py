"""A sample as features of a linear explanation, and its coefficients as a direction in the space."""

# Decided in docs/decisions/0047-an-entry-of-a-direction-has-one-sign-for-every-row.md.

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Design:
    """The features of one start's explanation: a number along each axis moved, and each level of a nominal column.

    A column of 0 and 1 is a number like any other. The columns of a one-hot group have one unit in common: what the
    samples leave open, a constant over the levels where one of them is always 1, a ridge penalty then settles so that
    the levels' effects add up to 0.

    Attributes
    ----------
    columns : ndarray of shape (q,)
        Columns moved, nominal ones aside.
    axis : ndarray of shape (q,)
        Which axis moves each: 0 … n_axes − 1.
    weight : ndarray of shape (q,)
        A unit of the axis moves the column by this many of its units.
    size : ndarray of shape (q,)
        The unit of each column, in its own values: what makes the point's distance.
    slope : ndarray of shape (q,)
        What turns a coefficient into an entry of the direction, in units of scale.
    level_column, level : ndarray of shape (n_levels,)
        Nominal columns moved, and the levels that the samples have of them.
    unit : float
        The change of a column, in its scale, that makes the point's distance.
    """

    columns: Ints
    axis: Ints
    weight: Floats
    size: Floats
    slope: Floats
    level_column: Ints
    level: Floats
    unit: float

    @classmethod
    def of(
        cls, space: Space, movable: Bools, groups: tuple[tuple[int, ...], ...], unit: float, samples: Floats
    ) -> "Design":
        """Set up the features for the columns that move, and the levels among samples (m, p)."""
        moves = movable.copy()
        moves[space.block_columns] = space.of_columns(space.in_all(movable))
        columns = np.flatnonzero(moves & ~space.is_nominal)
        axis_of: Ints = np.arange(space.n_columns)
        for group in groups:
            numbers = [column for column in group if not space.in_block[column]]
            axis_of[numbers] = min(numbers, default=0)
        _, axis = np.unique(axis_of[columns], return_inverse=True)
        n_together = np.bincount(axis, minlength=1)[axis] if len(axis) else np.empty(0)
        size = space.scale.copy()
        for block in space.blocks:
            if len(block) > 1:
                size[list(block)] = np.sqrt(np.mean(size[list(block)] ** 2))
        levels = {column: np.unique(samples[:, column]) for column in space.nominal if moves[column]}
        return cls(
            columns,
            axis.astype(np.int64),
            1 / np.sqrt(n_together),
            size[columns] * unit,
            space.scale[columns] / (size[columns] * unit),
            np.repeat(np.array(list(levels), dtype=np.int64), [len(each) for each in levels.values()]),
            np.concatenate([np.empty(0), *levels.values()]),
            unit,
        )

    @property
    def n_axes(self) -> int:
        """Axes of numbers."""
        return int(self.axis.max()) + 1 if len(self.axis) else 0

    def features(self, point: Floats, samples: Floats) -> Floats:
        """Features of samples (m, p), seen from the point: shape (m, n_axes + n_levels)."""
        moved = samples if len(self.columns) == samples.shape[1] else samples[:, self.columns]
        change = (moved - point[self.columns]) / self.size
        if self.n_axes < len(self.columns):
            along = np.zeros((len(samples), self.n_axes))
            np.add.at(along.T, self.axis, (change * self.weight).T)
        else:
            along = change
        if not len(self.level):
            return along
        here = (samples[:, self.level_column] == self.level).astype(np.float64)
        return np.concatenate([along, (here - (point[self.level_column] == self.level)) / self.unit], axis=1)

    def direction(self, space: Space, coefficients: Floats) -> Floats:
        """Coefficients as a vector in units of scale, not yet of length 1: shape (p,).

        Of a nominal column twice the standard deviation of its levels' effects, which of two levels is their
        difference.
        """
        vector = np.zeros(space.n_columns)
        vector[self.columns] = coefficients[: self.n_axes][self.axis] * self.weight * self.slope
        effects = coefficients[self.n_axes :] / self.unit
        for column in np.unique(self.level_column):
            vector[column] = 2 * effects[self.level_column == column].std()
        return vector


def towards(space: Space, starts: Floats, points: Floats) -> Floats:
    """Directions from starts to points, both (n, p), in units of scale, any length; 1 where nominal levels differ."""
    vectors = changes(space, starts, points)
    nominal = list(space.nominal)
    vectors[:, nominal] = vectors[:, nominal] != 0
    return vectors


def changes(space: Space, origin: Floats, points: Floats) -> Floats:
    """Differences of points (m, p) from an origin, in units of scale; 0 where either is missing."""
    change = (points - origin) / space.scale
    change[np.isnan(change)] = 0.0
    return change


def along(space: Space, start: Floats, point: Floats, samples: Floats, direction: Floats) -> Floats:
    """How far samples (m, p) lie from the point along a direction in units of scale: shape (m,).

    A nominal column counts where it has left the start's level.
    """
    far = changes(space, point, samples) @ np.where(space.is_nominal, 0.0, direction)
    nominal = list(space.nominal)
    left = (samples[:, nominal] != start[nominal]) - (point[nominal] != start[nominal]).astype(np.float64)
    return far + left @ direction[nominal]


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
