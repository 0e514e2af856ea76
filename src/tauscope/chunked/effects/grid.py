"""Where an effect of rows in chunks is computed: the grid that the rows in memory would give, from their order."""

# A grid is what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.effects import Grid
from tauscope.errors import InputError, InputTypeError
from tauscope.results.effects.spec import Spacing
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.study.effects.grid import read_points
from tauscope.words import count

Array = NDArray[np.float64]
Look = Callable[[list[tuple[float, float]]], list[QuantileWindow]]


def chunked_grid(
    column: Column, ranks: QuantileSketch, requested: object, spacing: Spacing, look: Look
) -> tuple[Grid, tuple[str, ...]]:
    """Choose the points of one feature as `tauscope.study.effects.grid.make_grid` does; `look` reads windows."""
    levels = column.codes is not None
    if isinstance(requested, int | np.integer) and not isinstance(requested, bool):
        if requested < 2:
            raise InputError(f"A grid needs two points at least; got grid={requested}. Leave it out for 50.")
        _check_varies(column, ranks, levels)
        if levels:
            return _of_levels(column, ranks, int(requested))
        points = _numbers(ranks, int(requested), spacing, column.integer, look)
        return _grid(points, ranks, "integer" if column.integer else "numeric", with_missing=True), ()
    if isinstance(requested, str | bytes | float | bool | None) or not isinstance(requested, Iterable):
        raise InputTypeError(f"grid takes a number of points or the points themselves; got {requested!r}. Try grid=50.")
    points = np.unique(read_points(column, cast("Iterable[Any]", requested)))
    with_missing = bool(np.isnan(points[-1]))
    numbers = points[:-1] if with_missing else points
    whole = ranks.n and column.integer and bool(np.all(numbers == np.round(numbers)))
    grid = _grid(numbers, ranks, "categorical" if levels else "integer" if whole else "numeric", with_missing=False)
    if not with_missing:
        return grid, ()
    return Grid(points, grid.kind, np.append(grid.outside, ranks.n_missing == 0), grid.exact), ()


def _check_varies(column: Column, ranks: QuantileSketch, levels: bool) -> None:
    n = 0 if not ranks.n else 2 if ranks.low[0] < ranks.high[-1] else 1
    if n and n + (levels and ranks.n_missing > 0) >= 2:
        return
    reason = "every value is missing" if not n else f"every observed value is {ranks.low[0]:g}"
    if n and levels:
        reason = f"every row has {column.levels[int(ranks.low[0])]!r}"
    raise InputError(
        f"An effect needs a feature with at least two different values; {column.name!r}: {reason}. "
        "Leave it out, or give the points, as grid=[…]."
    )


def _of_levels(column: Column, ranks: QuantileSketch, most: int) -> tuple[Grid, tuple[str, ...]]:
    grid = _grid(ranks.low, ranks, "categorical", with_missing=True)
    if len(grid) <= most:
        return grid, ()
    frequent = np.sort(np.argsort(-ranks.count, kind="stable")[:most])
    n = ranks.n + ranks.n_missing
    note = (
        f"the {most} most frequent of {count(len(grid), 'level')} of {column.name}, with "
        f"{100 * ranks.count[frequent].sum() / n:.3g} % of the rows; grid= takes more, or names"
    )
    return _grid(ranks.low[frequent], ranks, "categorical", with_missing=False), (note,)


def _numbers(ranks: QuantileSketch, size: int, spacing: Spacing, whole: bool, look: Look) -> Array:
    if ranks.n_distinct is not None and ranks.n_distinct <= size:
        return ranks.low
    if spacing == "equidistant":
        points = np.linspace(float(ranks.low[0]), float(ranks.high[-1]), size)
        return np.unique(np.round(points)) if whole else points
    heavy, counts = _heavy(ranks, 2 * ranks.n / size, look)
    others = _without(ranks, heavy, counts)
    if not others.n:
        return heavy
    ranks_of_quantiles = [_inverted(others.n, q) for q in np.linspace(0.0, 1.0, size - len(heavy))]
    if others.n_distinct is not None:
        ends = np.cumsum(others.count)
        points = others.low[np.searchsorted(ends, ranks_of_quantiles, side="right")]
        return np.union1d(heavy, points)
    windows = [
        _light(w, heavy, counts) for w in look(_disjoint([others.bracket(rank, rank) for rank in ranks_of_quantiles]))
    ]
    low, high = _ends(windows, others)
    return np.union1d(heavy, [value_at(windows, rank, low, high, others.n) for rank in ranks_of_quantiles])


def _heavy(ranks: QuantileSketch, most: float, look: Look) -> tuple[Array, NDArray[np.int64]]:
    """Return the values that alone hold more rows than `most`, with their rows."""
    cell = np.flatnonzero(ranks.count > most)
    single = cell[ranks.low[cell] == ranks.high[cell]]
    values, counts = [ranks.low[single]], [ranks.count[single]]
    mixed = cell[ranks.low[cell] < ranks.high[cell]]
    if len(mixed):
        for window in look([(float(ranks.low[c]), float(ranks.high[c])) for c in mixed]):
            big = window.counts > most
            values.append(window.values[big])
            counts.append(window.counts[big])
    heavy, rows = np.concatenate(values), np.concatenate(counts)
    order = np.argsort(heavy)
    return heavy[order], rows[order]


def _without(ranks: QuantileSketch, heavy: Array, counts: NDArray[np.int64]) -> QuantileSketch:
    """Return the order of the rows that have none of the heavy values; cells keep their ends."""
    cell = np.searchsorted(ranks.low, heavy, side="right") - 1
    count = ranks.count.copy()
    np.subtract.at(count, cell, counts)
    nonempty = count > 0
    return replace(
        ranks, low=ranks.low[nonempty], high=ranks.high[nonempty], count=count[nonempty], first=ranks.first[nonempty],
        second=ranks.second[nonempty],
    )  # fmt: skip


def _light(window: QuantileWindow, heavy: Array, counts: NDArray[np.int64]) -> QuantileWindow:
    """Leave the heavy values out of a window."""
    below = window.below - int(counts[heavy < window.low].sum())
    light = ~np.isin(window.values, heavy)
    return QuantileWindow(window.low, window.high, below, window.values[light], window.counts[light])


def _ends(windows: list[QuantileWindow], others: QuantileSketch) -> tuple[float, float]:
    """Smallest and largest of the values that are not heavy: the first and last rank are always among those wanted."""
    first, last = windows[0].at(0), windows[-1].at(others.n - 1)
    assert first is not None
    assert last is not None
    return first, last


def _inverted(n: int, level: float) -> int:
    """Rank of a quantile by NumPy's "inverted_cdf"."""
    place = n * level - 1
    below = np.floor(place)
    return max(int(below if place == below else below + 1), 0)


def _disjoint(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return sorted(set(intervals))


def _grid(points: Array, ranks: QuantileSketch, kind: Any, *, with_missing: bool) -> Grid:
    if kind == "categorical":
        outside = ~np.isin(points, ranks.low)
    elif ranks.n:
        outside = (points < ranks.low[0]) | (points > ranks.high[-1])
    else:
        outside = np.ones(len(points), np.bool_)
    exact = ranks.n_distinct is not None and bool(np.isin(ranks.low, points).all())
    if with_missing and ranks.n_missing:
        points, outside = np.append(points, np.nan), np.append(outside, False)
    return Grid(points.astype(np.float64), kind, outside.astype(np.bool_), exact)
