"""How far points are apart, and what of a point may change: scales, metrics, levels, bounds."""

# Decided in docs/decisions/0021-constraints-are-limits-of-every-point-asked-about.md.

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints

Metric = Literal["euclidean", "manhattan", "gower", "jaccard"]


@dataclass(frozen=True, eq=False)
class Space:
    """How points are measured.

    A point has p columns: numbers, codes of levels, NaN where a value is missing. A missing value is at distance 0 of
    a missing value, and no search makes one or fills one.

    Attributes
    ----------
    metric : {"euclidean", "manhattan", "gower", "jaccard"}
        Root of summed squares, or sum, of differences in units of `scale`; "gower": the mean over numbers and blocks
        of the difference in units of `scale`, 1 for a block that differs; "jaccard": of columns of 0 and 1, the share
        of columns that differ among those that are 1 in either point.
    scale : ndarray of shape (p,)
        One unit of each column, above 0: a standard deviation, a range for "gower".
    blocks : tuple of tuple of int
        Columns that change together, from one level to another: a column of codes, the columns of a one-hot group.
        No value lies between two levels.
    integer : ndarray of bool, shape (p,)
        Columns of whole numbers.
    nominal : tuple of int
        Blocks of one column whose codes have no order: a direction has a size there, and no sign. The columns of all
        other blocks are 0 or 1.
    fractional : tuple of int
        Columns of whole numbers that the model can be asked between as well: samples and walks go there, points do not.
    """

    metric: Metric
    scale: Floats
    blocks: tuple[tuple[int, ...], ...]
    integer: Bools
    nominal: tuple[int, ...] = ()
    fractional: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        columns = [column for block in self.blocks for column in block]
        if len(set(columns)) != len(columns):
            raise InputError(f"A column belongs to one block at most; got blocks {self.blocks}. Name each column once.")
        if not (self.scale > 0).all():
            raise InputError(f"scale must be above 0; got {self.scale[~(self.scale > 0)][0]:g}. Use 1 for a constant.")
        if self.metric == "jaccard" and len(columns) < len(self.scale):
            raise InputError("The metric 'jaccard' takes columns of 0 and 1, each a block; got others beside them.")

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.scale)

    @cached_property
    def in_block(self) -> Bools:
        """Whether a column takes levels, shape (p,)."""
        mask = np.zeros(self.n_columns, dtype=np.bool_)
        mask[self.block_columns] = True
        return mask

    @cached_property
    def is_nominal(self) -> Bools:
        """Whether a column is nominal, shape (p,)."""
        mask = np.zeros(self.n_columns, dtype=np.bool_)
        mask[list(self.nominal)] = True
        return mask

    @cached_property
    def whole(self) -> Bools:
        """Whether a column moves from whole number to whole number, shape (p,)."""
        return self.integer & ~self.in_block

    @cached_property
    def stepwise(self) -> Bools:
        """Whether a column moves so in samples and walks too, shape (p,)."""
        mask = self.whole.copy()
        mask[list(self.fractional)] = False
        return mask

    @cached_property
    def block_columns(self) -> Ints:
        """Columns of all blocks, one block after the other."""
        return np.array([column for block in self.blocks for column in block], dtype=np.int64)

    @cached_property
    def block_sizes(self) -> Ints:
        """Columns of each block, shape (n_blocks,)."""
        return np.array([len(block) for block in self.blocks], dtype=np.int64)

    @cached_property
    def block_starts(self) -> Ints:
        """Where each block starts among `block_columns`, shape (n_blocks,)."""
        return np.cumsum(self.block_sizes) - self.block_sizes

    def in_all(self, mask: Bools) -> Bools:
        """Tell of which blocks every column is marked: mask (..., p) to (..., n_blocks)."""
        return ~self.in_any(~mask)

    def in_any(self, mask: Bools) -> Bools:
        """Tell of which blocks some column is marked: mask (..., p) to (..., n_blocks)."""
        marked = mask[..., self.block_columns]
        if marked.shape[-1] == len(self.blocks):  # each is one column
            return marked
        return np.logical_or.reduceat(marked, self.block_starts, axis=-1)

    def of_columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Repeat values of blocks (..., n_blocks) for their columns, in the order of `block_columns`."""
        each_is_one = len(self.block_columns) == len(self.blocks)
        return values if each_is_one else np.repeat(values, self.block_sizes, axis=-1)

    @cached_property
    def numbers(self) -> Ints:
        """Columns of numbers."""
        return np.flatnonzero(~self.in_block)

    @property
    def n_parts(self) -> int:
        """Number columns and blocks together: what "gower" is the mean over."""
        return len(self.numbers) + len(self.blocks)

    def distance(self, a: Floats, b: Floats) -> Floats:
        """Distance between points (..., p), which broadcast: shape (...)."""
        if self.metric == "jaccard":
            either, both = np.maximum(a, b).sum(axis=-1), np.minimum(a, b).sum(axis=-1)
            return np.where(either > 0, 1 - both / np.maximum(either, 1), 0.0)
        return self.total(self.number_length(b - a), self.block_length(a, b))

    def number_length(self, difference: Floats) -> Floats:
        """Length of a difference (..., p) in the columns of numbers, before it is joined with that of the blocks."""
        some = self.numbers if self.blocks else slice(None)
        parts = difference[..., some] / self.scale[some]
        parts[np.isnan(parts)] = 0.0
        if self.metric == "euclidean":
            return np.sqrt(np.einsum("...i,...i->...", parts, parts))
        length = np.abs(parts).sum(axis=-1)
        return length / self.n_parts if self.metric == "gower" else length

    def block_length(self, a: Floats, b: Floats) -> Floats:
        """Length of the change of levels from a to b, both (..., p)."""
        if not self.blocks:
            return np.zeros(np.broadcast_shapes(a.shape, b.shape)[:-1])
        if self.metric == "gower":
            return self.differing(a, b).sum(axis=-1) / self.n_parts
        columns = self.block_columns
        parts = np.abs(np.nan_to_num((b[..., columns] - a[..., columns]) / self.scale[columns]))
        return np.sqrt((parts * parts).sum(axis=-1)) if self.metric == "euclidean" else parts.sum(axis=-1)

    def total(self, number_length: Floats, block_length: Floats) -> Floats:
        """Join the two lengths."""
        if self.metric == "euclidean":
            return np.hypot(number_length, block_length)
        return number_length + block_length

    def differing(self, a: Floats, b: Floats) -> Bools:
        """Whether each block differs between points (..., p): shape (..., n_blocks)."""
        if not self.blocks:
            return np.zeros((*np.broadcast_shapes(a.shape, b.shape)[:-1], 0), dtype=np.bool_)
        return self.in_any(~_equal(a, b))

    def block_saving(self, a: Floats, b: Floats) -> Floats:
        """Return what each block adds to the distance of points (m, p), squared for "euclidean": (m, n_blocks)."""
        if self.metric == "gower":
            return self.differing(a, b) / self.n_parts
        parts = np.abs(np.nan_to_num((b - a) / self.scale))[..., self.block_columns]
        parts = parts * parts if self.metric == "euclidean" else parts
        return np.add.reduceat(parts, self.block_starts, axis=-1)

    def changed(self, a: Floats, b: Floats) -> Bools:
        """Whether each number, then each block, differs between points (..., p): shape (..., n_parts)."""
        numbers = ~_equal(a[..., self.numbers], b[..., self.numbers])
        return np.concatenate([numbers, self.differing(a, b)], axis=-1)

    def step_length(self, direction: Floats) -> Floats:
        """Distance that a step of length 1 in units of scale makes along directions (n, p): shape (n,)."""
        if self.metric == "euclidean":
            return np.ones(len(direction))
        total = np.abs(direction).sum(axis=1)
        return total if self.metric == "manhattan" else total / self.n_parts

    def embedded(self, points: Floats) -> Floats | Bools:
        """Give points (m, p) coordinates whose usual distance is this one, for a search of neighbours.

        A missing value becomes the mean of its column; "jaccard" is of bools. Under "gower" a code for each block
        follows the numbers: 1 / n_parts where two codes differ is added to the Manhattan distance of the numbers.
        """
        if self.metric == "jaccard":
            return points.astype(np.bool_)
        gower = self.metric == "gower"
        columns = self.numbers if gower else np.concatenate([self.numbers, self.block_columns])
        coordinates = points[:, columns] / self.scale[columns]
        missing = np.isnan(coordinates)
        if missing.any():
            means = np.nanmean(np.where(missing.all(axis=0), 0.0, coordinates), axis=0)
            coordinates = np.where(missing, means, coordinates)
        if not gower:
            return coordinates
        codes = [_level_codes(points[:, list(block)]) for block in self.blocks]
        return np.column_stack([coordinates / self.n_parts, *codes])


@dataclass(frozen=True, eq=False)
class Limits:
    """What the points of a search may be, a row for each point the search starts from.

    Attributes
    ----------
    lower, upper : ndarray of shape (n, p)
        Ends of each column, ±∞ for none; equal in a column that stays. The start lies between them.
    allowed : dict of int to ndarray
        For a column of levels the codes it may take; all where it is not named.
    """

    lower: Floats
    upper: Floats
    allowed: dict[int, Floats]

    @classmethod
    def none(cls, n: int, p: int) -> "Limits":
        """Nothing is held."""
        return cls(np.full((n, p), -np.inf), np.full((n, p), np.inf), {})

    def take(self, index: Ints) -> "Limits":
        """Limits of some of the starts."""
        return Limits(self.lower[index], self.upper[index], self.allowed)

    def free(self, space: Space) -> Bools:
        """Whether each column can change at all: shape (n, p); a block changes as a whole or not."""
        free = self.lower < self.upper
        free[:, space.block_columns] = space.of_columns(space.in_all(free))
        return free

    def project(self, space: Space, start: Floats, points: Floats, *, between: bool = False) -> Floats:
        """Bring points within the limits: numbers to the nearest end, levels that are not allowed to the start's.

        Parameters
        ----------
        space : Space
        start : ndarray of shape (n, p)
        points : ndarray of shape (n, k, p)
        between : bool, default False
            Whether fractional columns may lie between whole numbers.

        Returns
        -------
        ndarray of shape (n, k, p)
            Missing where the start is, and nowhere else.
        """
        lower, upper, origin = self.lower[:, None], self.upper[:, None], start[:, None]
        projected = np.clip(points, lower, upper) if self._any else points
        whole = space.stepwise if between else space.whole
        if whole.any():
            projected = np.where(whole, np.clip(np.round(projected), np.ceil(lower), np.floor(upper)), projected)
        keep = np.isnan(points) | np.isnan(origin)
        if space.blocks:
            within = (points >= lower) & (points <= upper)
            for column, codes in self.allowed.items():
                within[..., column] &= np.isin(points[..., column], codes)
            keep[..., space.block_columns] |= space.of_columns(~space.in_all(within))
        return np.where(keep, origin, projected) if keep.any() else projected

    @property
    def _any(self) -> bool:
        """Whether some column has an end."""
        return bool((self.lower > -np.inf).any() or (self.upper < np.inf).any())


def _level_codes(levels: Floats) -> Floats:
    """Return a number for each of levels (m, k), the same for equal ones and for missing ones."""
    known = np.where(np.isnan(levels), -1.0, levels)
    return (
        known[:, 0] if known.shape[1] == 1 else np.unique(known, axis=0, return_inverse=True)[1].ravel().astype(float)
    )


def _equal(a: Floats, b: Floats) -> Bools:
    return (a == b) | (np.isnan(a) & np.isnan(b))
