"""What the points of a search may be: columns held, bounds, directions of change, from names to arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.boundary.space import Limits
from tauscope.data import labels
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.study.columns import column_position, column_positions
from tauscope.weights.arrays import Floats
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.boundary.columns import BoundaryColumn
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase
    from tauscope.study.boundary.space import StudySpace


def study_limits(study: StudyBase, spec: BoundarySpec, measured: StudySpace, starts: Floats) -> Limits:
    """Read `fixed`, `bounds` and `monotonic_cst` for some starts.

    Parameters
    ----------
    study : Study
    spec : BoundarySpec
    measured : StudySpace
    starts : ndarray of shape (n, p)

    Returns
    -------
    Limits
        Also within what the columns' types hold and the codes that rows have; what is missing stays so.

    Raises
    ------
    UnknownName
        For a column or level that is not there.
    InputError, InputTypeError
        For bounds that exclude a start or are no bounds, a direction of change that is none, or constraints on a
        column that cannot change.
    """
    limits = Limits.none(*starts.shape)
    _within_types(study, measured, limits)
    for j, (low, high) in _ranges(study, spec.bounds, measured, limits.allowed, starts).items():
        limits.lower[:, j], limits.upper[:, j] = (
            np.maximum(limits.lower[:, j], low),
            np.minimum(limits.upper[:, j], high),
        )
    for j, sign in read_directions(study, spec.monotonic_cst, measured.columns.__getitem__):
        end = limits.lower if sign > 0 else limits.upper
        end[:, j] = starts[:, j]
    held = [j for j, column in enumerate(measured.columns) if column.held]
    held += column_positions(study, spec.fixed, "fixed") if len(_sequence(spec.fixed)) else ()
    limits.lower[:, held] = limits.upper[:, held] = starts[:, held]
    missing = np.isnan(starts)
    limits.lower[missing] = limits.upper[missing] = 0.0
    return limits


def _sequence(fixed: Any) -> Sequence[Any]:
    return cast(Sequence[Any], (fixed,) if isinstance(fixed, str | int | np.integer) else fixed)


def _within_types(study: StudyBase, measured: StudySpace, limits: Limits) -> None:
    """Keep numbers to what their type holds, and numbered levels to those that rows have."""
    for j, column in enumerate(measured.columns):
        if column.kind == "number" and not column.held:
            limits.lower[:, j], limits.upper[:, j] = study._table_rows.number_limits(j)
        elif column.ordered:
            codes = measured.points[:, j]
            limits.lower[:, j], limits.upper[:, j] = np.nanmin(codes), np.nanmax(codes)


def _ranges(
    study: StudyBase,
    bounds: Mapping[str, Any] | None,
    measured: StudySpace,
    allowed: dict[int, Floats],
    starts: Floats,
) -> dict[int, tuple[float, float]]:
    """Read bounds: ends of numbers, and into `allowed` the codes of levels."""
    ranges: dict[int, tuple[float, float]] = {}
    for name, given in (bounds or {}).items():
        j = column_position(study, name)
        column = measured.columns[j]
        _check_can_change("bounds", column)
        if column.kind == "levels" and not _is_range(column, given):
            allowed[j] = _codes(column, given)
            _check_inside(column, starts[:, j], np.isin(starts[:, j], allowed[j]), given)
        else:
            low, high = ranges[j] = read_range(column, given)
            _check_inside(column, starts[:, j], (starts[:, j] >= low) & (starts[:, j] <= high), given)
    return ranges


def _is_range(column: BoundaryColumn, given: object) -> bool:
    """Whether bounds of levels are a pair of ends, of numbered ones."""
    return column.ordered and isinstance(given, tuple) and len(cast(tuple[Any, ...], given)) == 2


def read_range(column: BoundaryColumn, given: Any) -> tuple[float, float]:
    """Read the ends of a column of numbers, or of ordered levels.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For ends that are none.
    """
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(cast(Sequence[Any], given)) != 2:
        raise InputTypeError(
            f"Bounds of {column.name!r} are (lowest, highest), None for an open end; got {given!r}. Try "
            f"bounds={{{column.name!r}: (0, 1)}}."
        )
    ends = cast(Sequence[Any], given)
    if column.kind == "levels":
        low, high = (float(_code(column, end)) for end in ends)
    else:
        low, high = (_end(column, end, default) for end, default in zip(ends, (-np.inf, np.inf), strict=True))
    if low > high:
        raise InputError(f"Bounds of {column.name!r} must be (lowest, highest); got {given!r}. Turn them round.")
    return low, high


def _end(column: BoundaryColumn, end: object, default: float) -> float:
    if end is None:
        return default
    if isinstance(end, bool) or not isinstance(end, Real) or np.isnan(float(end)):
        raise InputTypeError(f"Bounds of {column.name!r} are numbers, or None for an open end; got {end!r}.")
    return float(end)


def _codes(column: BoundaryColumn, given: Any) -> Floats:
    if isinstance(given, str) or not isinstance(given, Sequence | set | frozenset | np.ndarray):
        raise InputTypeError(
            f"Bounds of {column.name!r} are a list of the levels allowed; got {given!r}. Its levels: "
            f"{list(column.levels)[:10]}."
        )
    return np.array([_code(column, level) for level in cast(Sequence[Any], given)], dtype=np.float64)


def _code(column: BoundaryColumn, level: object) -> int:
    name = labels.names([labels.plain(level)])[0]
    if name not in column.levels:
        raise UnknownName.among(f"level of {column.name!r}", name, column.levels)
    return column.levels.index(name)


def read_directions(
    study: StudyBase, monotonic_cst: Mapping[str, int] | None, column_at: Callable[[int], BoundaryColumn]
) -> list[tuple[int, int]]:
    """Read which columns may only increase (1) or only decrease (−1).

    Raises
    ------
    UnknownName
        For a column that is not there.
    InputError
        For another direction, or a column that has none.
    """
    directions: list[tuple[int, int]] = []
    for name, sign in (monotonic_cst or {}).items():
        j = column_position(study, name)
        column = column_at(j)
        if sign not in (-1, 0, 1):
            raise InputError(
                f"monotonic_cst takes 1 (may only increase), −1 (may only decrease) or 0; got {sign!r} for {name!r}."
            )
        if column.kind == "levels" and not (column.ordered or column.boolean):
            raise InputError(
                f"monotonic_cst is for numbers and ordered levels; the levels of {name!r} have no order. Use "
                f"bounds={{{name!r}: [levels allowed]}}."
            )
        _check_can_change("monotonic_cst", column)
        if sign:
            directions.append((j, sign))
    return directions


def _check_can_change(what: str, column: BoundaryColumn) -> None:
    if column.held == "type":
        raise InputError(
            f"{what} is for columns that can change; {column.name!r} cannot, for its type takes only values that some "
            "row has. Leave it out, or give the column as numbers."
        )


def _check_inside(column: BoundaryColumn, values: Floats, inside: Any, given: object) -> None:
    outside = np.flatnonzero(~inside & ~np.isnan(values))
    if len(outside):
        at = column.label(float(values[outside[0]]))
        several = f", and {count(len(outside) - 1, 'more row is', 'more rows are')} outside" if len(outside) > 1 else ""
        raise InputError(
            f"bounds must hold what a row has already; {column.name!r} is {at} and must be in {given!r}{several}. "
            "Widen them, or give other rows."
        )


def column_groups(
    study: StudyBase, groups: Any, default: Callable[[], tuple[tuple[int, ...], ...]]
) -> tuple[tuple[int, ...], ...]:
    """Read groups of columns that partition all: lists of names or positions, or one group number a column.

    Parameters
    ----------
    study : Study
    groups : sequence of sequences, array of shape (p,), or None
    default : callable
        What None stands for.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For columns that are not there, named twice, or left out.
    """
    if groups is None:
        return default()
    if isinstance(groups, Mapping):
        groups = list(cast(Mapping[Any, Any], groups).values())
    numbers: Any = groups
    if isinstance(groups, np.ndarray) and numbers.ndim == 1 and numbers.dtype.kind in "iub":
        if len(numbers) != len(study.feature_names):
            raise InputError(
                f"groups as an array has one group number a column; got {len(numbers)} for "
                f"{len(study.feature_names)} columns."
            )
        return tuple(tuple(np.flatnonzero(numbers == g).tolist()) for g in np.unique(numbers))
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise InputTypeError(f"groups takes lists of columns, or one group number a column; got {groups!r}.")
    read = tuple(column_positions(study, group, "groups") for group in cast(Sequence[Any], groups))
    _check_partition(study, [j for group in read for j in group])
    return read


def _check_partition(study: StudyBase, named: list[int]) -> None:
    names = study.feature_names
    left = [names[j] for j in range(len(names)) if j not in named]
    twice = sorted({names[j] for j in named if named.count(j) > 1})
    if left or twice:
        wrong = f"{left[:5]} are in none" if left else f"{twice[:5]} are in several"
        raise InputError(f"groups must name every column once; {wrong}. Add them, or take each from all but one.")
