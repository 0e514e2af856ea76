"""Where on a feature a curve is computed: values that occur, quantiles, equal steps, levels, given points."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

Spacing = Literal["quantile", "equidistant"]
GridKind = Literal["numeric", "integer", "categorical"]


@dataclass(frozen=True)
class Grid:
    """The points of one feature, the same whatever the rows' weights.

    Attributes
    ----------
    values : ndarray of shape (G,)
        In the feature's unit, or codes of levels; ascending, and NaN last where missing is a level. (The levels
        of an accumulated effect stand in order of similarity instead.)
    kind : {"numeric", "integer", "categorical"}
    outside : ndarray of bool, shape (G,)
        Points beyond the observed range, or levels (missing among them) that no row has.
    exact : bool
        Whether every observed value is on the grid.
    """

    values: Floats
    kind: GridKind
    outside: Bools
    exact: bool

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> bool:
        """Whether a point stands for rows without a value."""
        return bool(np.isnan(self.values).any())

    @property
    def observed(self) -> Floats:
        """The points that are values, not the missing one."""
        return self.values[~np.isnan(self.values)]


class ValueOrder(Protocol):
    """What a grid takes from the values of a feature: their order.

    Attributes
    ----------
    n, n_missing : int
        Rows with a value, and without.
    low, high : float
        Smallest and largest value; NaN without any.
    whole : bool
        Whether every value is a whole number.
    distinct : ndarray or None
        Values that occur, ascending; None where they are too many to be known.
    counts : ndarray
        Rows that have each of them.
    """

    @property
    def n(self) -> int: ...
    @property
    def n_missing(self) -> int: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def whole(self) -> bool: ...
    @property
    def distinct(self) -> Floats | None: ...
    @property
    def counts(self) -> Ints: ...

    def frequent(self, most: float) -> tuple[Floats, Ints]:
        """Return the values that alone hold more rows than `most`, ascending, and how many each holds."""
        ...

    def quantiles(self, levels: Floats, without: tuple[Floats, Ints]) -> Floats:
        """Return quantiles that occur, among the rows without some values; the first level is 0, the last 1."""
        ...


class SortedValues:
    """The order of values that are in memory; see `ValueOrder`.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing.
    """

    def __init__(self, values: Floats) -> None:
        present = values[~np.isnan(values)]
        n_infinite = int(np.count_nonzero(np.isinf(present)))
        if n_infinite:
            raise InputError(
                f"a feature must be finite or missing, got {n_infinite} infinite of {len(values)}: "
                "replace them, by NaN if they mean missing"
            )
        self.n, self.n_missing = len(present), len(values) - len(present)
        self._ordered = np.sort(present)
        first = np.flatnonzero(np.concatenate([[True], self._ordered[1:] != self._ordered[:-1]])[: self.n])
        self.distinct: Floats = self._ordered[first]
        self.counts: Ints = np.diff(np.append(first, self.n)).astype(np.int64)

    @property
    def low(self) -> float:
        """Smallest value; NaN without any."""
        return float(self._ordered[0]) if self.n else np.nan

    @property
    def high(self) -> float:
        """Largest value; NaN without any."""
        return float(self._ordered[-1]) if self.n else np.nan

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number."""
        return bool(np.all(self.distinct == np.round(self.distinct)))

    def between(self, first: float, last: float) -> "SortedValues":
        """Return the values from the quantile of one level to that of another."""
        low, high = self.quantiles(np.array([first, last]), (np.empty(0), np.empty(0, dtype=np.int64)))
        return SortedValues(self._ordered[(self._ordered >= low) & (self._ordered <= high)])

    def frequent(self, most: float) -> tuple[Floats, Ints]:
        """See `ValueOrder`."""
        return self.distinct[self.counts > most], self.counts[self.counts > most]

    def quantiles(self, levels: Floats, without: tuple[Floats, Ints]) -> Floats:
        """See `ValueOrder`: the inverse of the empirical distribution."""
        others = self._ordered[~np.isin(self._ordered, without[0])] if len(without[0]) else self._ordered
        return others[[rank_of(len(others), level) for level in levels]]


def rank_of(n: int, level: float) -> int:
    """Return which of n ascending values is a quantile, by NumPy's "inverted_cdf"."""
    return min(max(int(np.ceil(n * level - 1)), 0), n - 1)


def numeric_grid(
    values: Floats | ValueOrder,
    size: int = 50,
    *,
    spacing: Spacing = "quantile",
    percentiles: tuple[float, float] = (0.0, 1.0),
    integer: bool | None = None,
    missing: bool = True,
) -> Grid:
    """Choose at most `size` points from the values of a numeric feature.

    Parameters
    ----------
    values : ndarray of shape (n_rows,) or ValueOrder
        NaN where missing.
    size : int, default=50
        At least 2. Where no more distinct values than this occur, they are the grid.
    spacing : {"quantile", "equidistant"}, default="quantile"
        Quantiles are values that occur (inverse of the empirical distribution); a value that alone holds more
        than 2/size of the rows is one point, and the others share the remaining points, so that a column of
        mostly zeros is still resolved. Equal steps run from the lowest to the highest percentile, on whole
        numbers where the feature is an integer.
    percentiles : (float, float), default=(0, 1)
        Share of the rows below the first and the last point; of an array.
    integer : bool or None, default=None
        None: inferred, true where every value is a whole number.
    missing : bool, default=True
        Append NaN as a level where a value is missing.

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        Where values are infinite, fewer than two differ, or `size` or `percentiles` cannot be used.
    """
    order = SortedValues(values) if isinstance(values, np.ndarray) else values
    low, high = percentiles
    if size < 2:
        raise InputError(f"size must be at least 2, got {size}: a curve needs two points")
    if not 0 <= low < high <= 1:
        raise InputError(f"percentiles must satisfy 0 <= first < second <= 1, got {percentiles}")
    if not order.low < order.high:
        shown = "no value" if not order.n else f"only {order.low:g}"
        raise InputError(
            f"a feature must take at least two values to have an effect, got {shown} in "
            f"{count(order.n + order.n_missing, 'row')}: leave it out, or give the points yourself"
        )
    whole = order.whole if integer is None else bool(integer)
    inside = order.between(low, high) if isinstance(order, SortedValues) and percentiles != (0.0, 1.0) else order
    if inside.distinct is not None and len(inside.distinct) <= size:
        points = inside.distinct
    elif spacing == "quantile":
        points = _quantile_points(inside, size)
    elif spacing == "equidistant":
        points = np.linspace(inside.low, inside.high, size)
        points = np.unique(np.round(points)) if whole else points
    else:
        raise InputError(f"spacing must be 'quantile' or 'equidistant', got {spacing!r}")
    if len(points) < 2:
        raise InputError(f"percentiles must leave two values, got {percentiles} which leaves {len(points)}: widen them")
    return _grid(points, order, "integer" if whole else "numeric", missing=missing)


def _quantile_points(order: ValueOrder, size: int) -> Floats:
    """Quantiles at equal steps of the rows, values that hold more than two steps set apart."""
    heavy, counts = order.frequent(2 * order.n / size)
    if counts.sum() == order.n:
        return heavy
    return np.union1d(heavy, order.quantiles(np.linspace(0.0, 1.0, size - len(heavy)), (heavy, counts)))


def category_grid(codes: Floats | ValueOrder, *, missing: bool = True) -> Grid:
    """Take the levels that occur, and missing where it does, as the grid.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,) or ValueOrder
        Codes 0, 1, … of the levels; NaN where missing.
    missing : bool, default=True
        Append NaN as a level where a code is missing.

    Raises
    ------
    InputError
        Where only one level occurs.
    """
    order = SortedValues(codes) if isinstance(codes, np.ndarray) else codes
    levels = order.distinct
    assert levels is not None  # of levels all are known
    if len(levels) + (missing and order.n_missing > 0) < 2 or len(levels) == 0:
        raise InputError(
            f"a feature must take at least two levels to have an effect, got {len(levels)} "
            f"in {count(order.n + order.n_missing, 'row')}: leave it out, or give the levels yourself"
        )
    return _grid(levels, order, "categorical", missing=missing)


def custom_grid(points: Sequence[float] | Floats, values: Floats | ValueOrder, *, categorical: bool = False) -> Grid:
    """Take the caller's own points; those outside the data are allowed and flagged.

    Parameters
    ----------
    points : sequence of float
        Sorted and made distinct here; a NaN stands for missing.
    values : ndarray of shape (n_rows,) or ValueOrder
        The feature; NaN where missing.
    categorical : bool, default=False
        Whether they are codes of levels.
    """
    order = SortedValues(values) if isinstance(values, np.ndarray) else values
    unique = np.unique(np.asarray(points, dtype=np.float64).ravel())  # one NaN is kept, last
    if len(unique) == 0 or np.any(np.isinf(unique)):
        raise InputError(f"grid points must be finite (or NaN for missing) and at least one, got {points}")
    with_missing = bool(np.isnan(unique[-1]))
    numbers = unique[:-1] if with_missing else unique
    kind: GridKind = "numeric"
    if categorical:
        kind = "categorical"
    elif order.n and order.whole and np.all(numbers == np.round(numbers)):
        kind = "integer"
    grid = _grid(numbers, order, kind, missing=False)
    if not with_missing:
        return grid
    return Grid(unique, kind, np.append(grid.outside, order.n_missing == 0), grid.exact)


def _grid(points: Floats, order: ValueOrder, kind: GridKind, *, missing: bool) -> Grid:
    distinct = order.distinct
    if kind == "categorical" and distinct is not None:
        outside = ~np.isin(points, distinct)
    else:
        outside = ~((points >= order.low) & (points <= order.high))  # all, where there is no value
    exact = distinct is not None and bool(np.isin(distinct, points).all())
    if missing and order.n_missing:
        points, outside = np.append(points, np.nan), np.append(outside, False)
    return Grid(points, kind, outside, exact)


def grid_notes(grids: Sequence[Grid]) -> tuple[str, ...]:
    """Sentences on points that lie outside the data."""
    notes: list[str] = []
    for grid in grids:
        beyond = grid.values[grid.outside]
        if len(beyond):
            what = "levels no row has" if grid.kind == "categorical" else "points outside the observed values"
            notes.append(f"{len(beyond)} of {len(grid)} grid values are {what}: there the model extrapolates")
    return tuple(notes)


def grid_product(grids: Sequence[Grid]) -> Floats:
    """Every combination of the grids' points, the last grid fastest: shape (∏G, k)."""
    axes = np.meshgrid(*(grid.values for grid in grids), indexing="ij")
    return np.column_stack([axis.ravel() for axis in axes])
