"""Where an effect is computed: the points requested, as the engine's grid, and back as an axis."""

# A grid is what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.dates import to_dates, to_decimal_years
from tauscope.data.table_rows import engine_values
from tauscope.effects import Grid, category_grid, custom_grid, numeric_grid
from tauscope.effects.curves.grids import ValueOrder
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.spec import Spacing
from tauscope.words import MISSING, count

MOST_POINTS_OF_TWO = 20


def grid_options(grid: object, n_features: int) -> list[Any]:
    """Return the grid option of each feature: at most 20 points of each of two.

    Raises
    ------
    InputTypeError
        For two features, where it is neither a number of points nor a pair of grids.
    """
    if n_features == 1:
        return [grid]
    if isinstance(grid, int | np.integer) and not isinstance(grid, bool):
        return [min(int(grid), MOST_POINTS_OF_TWO)] * 2
    if isinstance(grid, str | bytes) or not isinstance(grid, Sequence) or len(grid) != 2:
        raise InputTypeError(f"The grid of two features is a number of points, or one grid for each; got {grid!r}.")
    return list(grid)


def make_grid(
    column: Column, order: ValueOrder, points_or_size: object, spacing: Spacing
) -> tuple[Grid, tuple[str, ...]]:
    """Choose the points of one feature from all rows, whatever their weights.

    Parameters
    ----------
    column : Column
    order : ValueOrder
        Of its values in all rows.
    points_or_size : int, sequence or Grid
        Most points; or the points themselves: numbers, dates, names of levels, None for missing; or a grid made for
        these rows before.
    spacing : {"quantile", "equidistant"}
        Of numbers.

    Returns
    -------
    Grid
    notes : tuple of str
        What was left out.

    Raises
    ------
    InputError
        For a feature without two values, or fewer than two points.
    UnknownName
        For a level that is not there.
    """
    if isinstance(points_or_size, Grid):
        return points_or_size, ()
    if isinstance(points_or_size, int | np.integer) and not isinstance(points_or_size, bool):
        if points_or_size < 2:
            raise InputError(f"A grid needs two points at least; got grid={points_or_size}. Leave it out for 50.")
        _check_varies(column, order)
        if column.codes is not None:
            return _of_levels(column, order, int(points_or_size))
        return numeric_grid(order, int(points_or_size), spacing=spacing, integer=column.integer), ()
    if isinstance(points_or_size, str | bytes | float | bool | None) or not isinstance(points_or_size, Iterable):
        raise InputTypeError(
            f"grid takes a number of points or the points themselves; got {points_or_size!r}. Try grid=50."
        )
    points = read_points(column, cast("Iterable[Any]", points_or_size))
    return custom_grid(points, order, categorical=column.codes is not None), ()


def make_axis(column: Column, grid: Grid) -> Axis:
    """Name the points of a grid in the user's terms."""
    points, data = grid.values, engine_values(column)
    if column.codes is not None:
        missing = MISSING if MISSING not in column.levels else f"{MISSING} (no value)"
        names = [missing if np.isnan(code) else column.levels[int(code)] for code in points]
        return Axis(column.name, "levels", points, np.array(names, dtype=object), data)
    if column.unit == "year":
        return Axis(column.name, "date", points, to_dates(points), data)
    whole = column.integer and not grid.missing and bool(np.all(points == np.floor(points)))
    shown: NDArray[Any] = points.astype(np.int64) if whole and np.abs(points).max() < 2**53 else points
    return Axis(column.name, "numeric", points, shown, data, integer=column.integer, unit=column.unit)


def _check_varies(column: Column, order: ValueOrder) -> None:
    n = 0 if not order.n else 1 + (order.low < order.high)
    if n and n + (column.codes is not None and order.n_missing > 0) >= 2:
        return
    reason = "every value is missing" if not n else f"every observed value is {order.low:g}"
    if n and column.codes is not None:
        reason = f"every row has {column.levels[int(order.low)]!r}"
    raise InputError(
        f"An effect needs a feature with at least two different values; {column.name!r}: {reason}. "
        "Leave it out, or give the points, as grid=[…]."
    )


def _of_levels(column: Column, order: ValueOrder, most: int) -> tuple[Grid, tuple[str, ...]]:
    grid = category_grid(order)
    if len(grid) <= most:
        return grid, ()
    assert order.distinct is not None
    selected = np.sort(np.argsort(-order.counts, kind="stable")[:most])
    note = (
        f"the {most} most frequent of {count(len(grid), 'level')} of {column.name}, with "
        f"{100 * order.counts[selected].sum() / (order.n + order.n_missing):.3g} % of the rows; grid= takes more, or "
        "names"
    )
    return custom_grid(order.distinct[selected], order, categorical=True), (note,)


def read_points(column: Column, values: Iterable[Any]) -> NDArray[np.float64]:
    """Read points as a person types them into the engine's numbers, in the order given.

    Raises
    ------
    UnknownName
        For a level that is not there.
    InputError, InputTypeError
        For none, or anything that is no number, or no date.
    """
    listed = list(values)
    if not listed:
        raise InputError(f"A grid needs at least one point; got none for {column.name!r}. Leave grid out for 50.")
    if column.codes is not None:
        return np.array([_code(column, value) for value in listed])
    try:
        if column.unit == "year":
            moments = pd.to_datetime(pd.Series(listed), utc=True).dt.tz_localize(None).to_numpy()
            return to_decimal_years(moments)
        return np.array([np.nan if _is_missing(value) else float(value) for value in listed])
    except (TypeError, ValueError, OverflowError):
        what = "dates" if column.unit == "year" else "numbers"
        raise InputTypeError(f"The grid of {column.name!r} takes {what}; got {listed[:5]!r}.") from None


def _is_missing(value: object) -> bool:
    return value is None or value is pd.NA or (isinstance(value, str) and value == MISSING)


def _code(column: Column, level: object) -> float:
    if level is None or (isinstance(level, float) and np.isnan(level)):
        return np.nan
    name = str(level)
    if name in column.levels:
        return float(column.levels.index(name))
    if name == MISSING:
        return np.nan
    raise UnknownName.among(f"level of {column.name}", level, [*column.levels, MISSING])
