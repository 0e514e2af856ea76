"""Where on a feature a curve is computed: values that occur, quantiles, equal steps, levels, given points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

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


def numeric_grid(
    values: Floats,
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
    values : ndarray of shape (n_rows,)
        NaN where missing.
    size : int, default=50
        At least 2. Where no more distinct values than this occur, they are the grid.
    spacing : {"quantile", "equidistant"}, default="quantile"
        Quantiles are values that occur (inverse of the empirical distribution); a value that alone holds more
        than 2/size of the rows is one point, and the others share the remaining points, so that a column of
        mostly zeros is still resolved. Equal steps run from the lowest to the highest percentile, on whole
        numbers where the feature is an integer.
    percentiles : (float, float), default=(0, 1)
        Share of the rows below the first and the last point.
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
    present = _present(values)
    low, high = percentiles
    if size < 2:
        raise InputError(f"size must be at least 2, got {size}: a curve needs two points")
    if not 0 <= low < high <= 1:
        raise InputError(f"percentiles must satisfy 0 <= first < second <= 1, got {percentiles}")
    ordered = np.sort(present)
    distinct = _distinct(ordered)[0]
    if len(distinct) < 2:
        shown = "no value" if len(distinct) == 0 else f"only {distinct[0]:g}"
        raise InputError(
            f"a feature must take at least two values to have an effect, got {shown} in {count(len(values), 'row')}: "
            "leave it out, or give the points yourself"
        )
    whole = bool(np.all(distinct == np.round(distinct))) if integer is None else bool(integer)
    first, last = _quantiles(ordered, np.array([low, high]))
    inside = distinct[(distinct >= first) & (distinct <= last)]
    if len(inside) <= size:
        points = inside
    elif spacing == "quantile":
        points = _quantile_points(ordered[(ordered >= first) & (ordered <= last)], size)
    elif spacing == "equidistant":
        points = np.linspace(float(first), float(last), size)
        points = np.unique(np.round(points)) if whole else points
    else:
        raise InputError(f"spacing must be 'quantile' or 'equidistant', got {spacing!r}")
    if len(points) < 2:
        raise InputError(f"percentiles must leave two values, got {percentiles} which leaves {len(points)}: widen them")
    return _grid(points, values, "integer" if whole else "numeric", missing=missing, ordered=ordered)


def _quantile_points(ordered: Floats, size: int) -> Floats:
    """Quantiles at equal steps of the rows (ascending), values that hold more than two steps set apart."""
    distinct, counts = _distinct(ordered)
    heavy = distinct[counts > 2 * len(ordered) / size]
    others = ordered if len(heavy) == 0 else ordered[~np.isin(ordered, heavy)]
    if len(others) == 0:
        return heavy
    steps = np.linspace(0.0, 1.0, size - len(heavy))
    return np.union1d(heavy, _quantiles(others, steps))


def _distinct(ordered: Floats) -> tuple[Floats, Ints]:
    """Distinct values of ascending ones, and how often each occurs."""
    if len(ordered) == 0:
        return ordered, np.empty(0, dtype=np.int64)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[first], np.diff(np.append(first, len(ordered))).astype(np.int64)


def _quantiles(ordered: Floats, shares: Floats) -> Floats:
    """Quantiles that occur, the inverse of the empirical distribution, of ascending values."""
    places = np.ceil(len(ordered) * shares - 1).astype(np.int64)
    return ordered[np.clip(places, 0, len(ordered) - 1)]


def category_grid(codes: Floats, *, missing: bool = True) -> Grid:
    """Take the levels that occur, and missing where it does, as the grid.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        Codes 0, 1, … of the levels; NaN where missing.
    missing : bool, default=True
        Append NaN as a level where a code is missing.

    Raises
    ------
    InputError
        Where only one level occurs.
    """
    levels = np.unique(_present(codes))
    with_missing = missing and bool(np.isnan(codes).any())
    if len(levels) + with_missing < 2 or len(levels) == 0:
        raise InputError(
            f"a feature must take at least two levels to have an effect, got {len(levels)} "
            f"in {count(len(codes), 'row')}: leave it out, or give the levels yourself"
        )
    return _grid(levels, codes, "categorical", missing=missing)


def custom_grid(points: Sequence[float] | Floats, values: Floats, *, categorical: bool = False) -> Grid:
    """Take the caller's own points; those outside the data are allowed and flagged.

    Parameters
    ----------
    points : sequence of float
        Sorted and made distinct here; a NaN stands for missing.
    values : ndarray of shape (n_rows,)
        The feature; NaN where missing.
    categorical : bool, default=False
        Whether they are codes of levels.
    """
    unique = np.unique(np.asarray(points, dtype=np.float64).ravel())  # one NaN is kept, last
    if len(unique) == 0 or np.any(np.isinf(unique)):
        raise InputError(f"grid points must be finite (or NaN for missing) and at least one, got {points}")
    with_missing = bool(np.isnan(unique[-1]))
    numbers = unique[:-1] if with_missing else unique
    present = _present(values)
    kind: GridKind = "numeric"
    if categorical:
        kind = "categorical"
    elif len(present) and bool(np.all(present == np.round(present)) and np.all(numbers == np.round(numbers))):
        kind = "integer"
    grid = _grid(numbers, values, kind, missing=False)
    if not with_missing:
        return grid
    outside = np.append(grid.outside, not np.isnan(values).any())
    return Grid(unique, kind, outside, grid.exact)


def _present(values: Floats) -> Floats:
    """Keep the values that are not missing, checked to be finite."""
    present = values[~np.isnan(values)]
    n_infinite = int(np.count_nonzero(np.isinf(present)))
    if n_infinite:
        raise InputError(
            f"a feature must be finite or missing, got {n_infinite} infinite of {len(values)}: "
            "replace them, by NaN if they mean missing"
        )
    return present


def _grid(points: Floats, values: Floats, kind: GridKind, *, missing: bool, ordered: Floats | None = None) -> Grid:
    present = _present(values) if ordered is None else ordered
    if kind == "categorical":
        outside = ~np.isin(points, present)
    elif len(present):
        low, high = (present.min(), present.max()) if ordered is None else (present[0], present[-1])
        outside = (points < low) | (points > high)
    else:
        outside = np.ones(len(points), dtype=np.bool_)
    distinct = present if ordered is None else _distinct(present)[0]
    exact = (ordered is None or len(distinct) <= len(points)) and bool(np.isin(distinct, points).all())
    if missing and len(present) < len(values):
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
