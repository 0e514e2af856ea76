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
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.quantile_windows import QuantileWindow, value_at
from tauscope.study.effects.grid import read_points

Array = NDArray[np.float64]
Look = Callable[[list[tuple[float, float]]], list[QuantileWindow]]
DRAWN = 1000


def drawn_values(ranks: QuantileSketch) -> Array:
    """Return about a thousand values with the distribution of the rows, every level among them; NaN for missing."""
    n = ranks.n + ranks.n_missing
    if not n:
        return np.zeros(0)
    if ranks.n_distinct is not None and len(ranks.low) <= DRAWN // 4:
        times = np.maximum(np.round(DRAWN * ranks.count / n), 1).astype(np.int64)
        seen = np.repeat(ranks.low, times)
    else:
        places = np.linspace(0, ranks.n - 1, max(int(DRAWN * ranks.n / n), 2))
        seen = ranks.means[np.searchsorted(np.cumsum(ranks.count), places, side="right").clip(max=len(ranks.low) - 1)]
        seen[[0, -1]] = ranks.low[0], ranks.high[-1]
    lacking = int(np.ceil(DRAWN * ranks.n_missing / n))
    return np.append(seen, np.full(lacking, np.nan))


def chunked_grid(
    column: Column, ranks: QuantileSketch, asked: object, spacing: Spacing, look: Look
) -> tuple[Grid, tuple[str, ...]]:
    """Choose the points of one feature as `tauscope.study.effects.grid.make_grid` does; `look` reads windows."""
    levels = column.codes is not None
    if isinstance(asked, int | np.integer) and not isinstance(asked, bool):
        if asked < 2:
            raise InputError(f"A grid needs two points at least; got grid={asked}. Leave it out for 50.")
        _check_varies(column, ranks, levels)
        if levels:
            return _of_levels(column, ranks, int(asked))
        points = _numbers(ranks, int(asked), spacing, column.integer, look)
        return _grid(points, ranks, "integer" if column.integer else "numeric", with_missing=True), ()
    if isinstance(asked, str | bytes | float | bool | None) or not isinstance(asked, Iterable):
        raise InputTypeError(f"grid takes a number of points or the points themselves; got {asked!r}. Try grid=50.")
    points = np.unique(read_points(column, cast("Iterable[Any]", asked)))
    lacking = bool(np.isnan(points[-1]))
    numbers = points[:-1] if lacking else points
    whole = ranks.n and column.integer and bool(np.all(numbers == np.round(numbers)))
    grid = _grid(numbers, ranks, "categorical" if levels else "integer" if whole else "numeric", with_missing=False)
    if not lacking:
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
    kept = np.sort(np.argsort(-ranks.count, kind="stable")[:most])
    n = ranks.n + ranks.n_missing
    note = (
        f"the {most} most frequent of {len(grid)} levels of {column.name}, with "
        f"{100 * ranks.count[kept].sum() / n:.3g} % of the rows; grid= takes more, or names"
    )
    return _grid(ranks.low[kept], ranks, "categorical", with_missing=False), (note,)


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
    wanted = [_inverted(others.n, q) for q in np.linspace(0.0, 1.0, size - len(heavy))]
    if others.n_distinct is not None:
        ends = np.cumsum(others.count)
        found = others.low[np.searchsorted(ends, wanted, side="right")]
        return np.union1d(heavy, found)
    windows = [_light(w, heavy, counts) for w in look(_disjoint([others.bracket(rank, rank) for rank in wanted]))]
    low, high = _ends(windows, others)
    return np.union1d(heavy, [value_at(windows, rank, low, high, others.n) for rank in wanted])


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
    found, rows = np.concatenate(values), np.concatenate(counts)
    order = np.argsort(found)
    return found[order], rows[order]


def _without(ranks: QuantileSketch, heavy: Array, counts: NDArray[np.int64]) -> QuantileSketch:
    """Return the order of the rows that have none of the heavy values; cells keep their ends."""
    cell = np.searchsorted(ranks.low, heavy, side="right") - 1
    count = ranks.count.copy()
    np.subtract.at(count, cell, counts)
    kept = count > 0
    return replace(
        ranks, low=ranks.low[kept], high=ranks.high[kept], count=count[kept], first=ranks.first[kept],
        second=ranks.second[kept],
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
