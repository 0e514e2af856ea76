"""How a study's rows are measured: a unit for each column, levels, groups of 0/1 columns, what cannot change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.boundary.space import Metric, Space
from tauscope.data.one_hot import are_levels, is_binary
from tauscope.errors import InputError, InputTypeError
from tauscope.results.boundary.columns import BoundaryColumn, HeldWhy
from tauscope.study.columns import column_positions
from tauscope.weights.arrays import Floats
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.results.boundary.spec import BoundarySpec, MetricChoice
    from tauscope.study.base import StudyBase

METRICS: tuple[MetricChoice, ...] = ("auto", "euclidean", "manhattan", "gower", "jaccard")
Blocks = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class StudySpace:
    """A study's rows as points.

    Attributes
    ----------
    space : Space
    columns : tuple of BoundaryColumn
    points : ndarray of shape (n_rows, p)
        Numbers and codes; NaN where missing.
    one_hot : tuple of tuple of int
        Groups of 0/1 columns that change together.
    notes : tuple of str
        Columns that cannot change because of what they are.
    """

    space: Space
    columns: tuple[BoundaryColumn, ...]
    points: Floats
    one_hot: Blocks
    notes: tuple[str, ...]


def study_space(study: StudyBase, spec: BoundarySpec) -> StudySpace:
    """Read how a study's rows are measured, once for the same options.

    Numbers are in units of their standard deviation over the study's rows, or of their range for "gower"; without the
    rows' weights, so that distances under a stress compare with those without. Columns of 0 and 1, bools and
    categories are levels. Ordered categories are numbered and gone through one by one, where every level between
    the ends has a row. Dates, durations and other columns whose type takes only values that some row has, and columns
    of one value, stay as they are.

    Parameters
    ----------
    study : Study
    spec : BoundarySpec

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For a metric that does not fit the columns, or one_hot groups that are none.
    """
    if not isinstance(spec.one_hot, str | None):
        return _read_space(study, spec)
    key = spec.metric, spec.one_hot, spec.whole
    found: StudySpace | None = study._spaces.get(key)
    if found is None:
        found = _read_space(study, spec)
        study._spaces.clear()  # one is as large as the rows
        study._spaces[key] = found
    return found


def _read_space(study: StudyBase, spec: BoundarySpec) -> StudySpace:
    points = np.column_stack([study._table_rows.column(j) for j in range(study._table_rows.n_columns)])
    ordered = tuple(j for j in range(points.shape[1]) if _is_scale(study, j, points[:, j]))
    binary = _binary(study, points)
    one_hot = _one_hot(study, spec.one_hot, points, binary)
    held = {j: _held(study, column, j, points[:, j]) for j, column in enumerate(study._columns)}
    for group in one_hot:  # a level that no row has is left with the others, not kept
        if not all(held[j] for j in group):
            held |= {j: "" for j in group if held[j] == "constant"}
    grouped = {j for group in one_hot for j in group}
    levels = [
        j
        for j, column in enumerate(study._columns)
        if j not in ordered and (column.codes is not None or (j in binary and (spec.whole or j in grouped)))
    ]
    blocks = tuple(sorted([*one_hot, *((j,) for j in levels if j not in grouped)]))
    metric = _metric(study, spec.metric, points, set(levels), set(binary))
    block_of = {j: number for number, block in enumerate(blocks) for j in block}
    scale = _scale(metric, points)
    columns = tuple(
        replace(
            _column(study, column, j, j in ordered, spec.whole is not None or j in grouped),
            scale=float(scale[j]),
            block=block_of.get(j, -1),
            held=held[j],
        )
        for j, column in enumerate(study._columns)
    )
    integer = np.array([column.integer or column.ordered for column in columns])
    nominal = tuple(j for j in levels if not is_binary(points[:, j]))
    return StudySpace(Space(metric, scale, blocks, integer, nominal), columns, points, one_hot, _notes(columns))


def _column(study: StudyBase, column: Column, j: int, ordered: bool, whole: bool) -> BoundaryColumn:
    if column.codes is not None:
        return BoundaryColumn(column.name, "levels", column.levels, ordered=ordered)
    kind = {"year": "date", "days": "duration"}.get(column.unit, "number")
    return BoundaryColumn(column.name, cast(Any, kind), integer=column.integer and whole)


def _held(study: StudyBase, column: Column, j: int, values: Floats) -> HeldWhy:
    if column.codes is None and not study._table_rows.takes_any_number(j):
        return "type"
    present = values[~np.isnan(values)]
    return "constant" if not len(present) or present.min() == present.max() else ""


def _is_scale(study: StudyBase, j: int, codes: Floats) -> bool:
    """Whether the levels of a column have an order and no gap, so that every code between two can be put in."""
    if study._columns[j].kind != "categorical" or not study._table_rows.ordered(j):
        return False
    present = np.unique(codes[~np.isnan(codes)])
    return len(present) > 2 and bool((np.diff(present) == 1).all())


def _scale(metric: Metric, points: Floats) -> Floats:
    if metric == "jaccard":
        return np.ones_like(points[0])
    filled = np.where(np.isnan(points).all(axis=0), 0.0, points)
    spread = np.ptp if metric == "gower" else np.std
    unit = np.array([float(spread(column[~np.isnan(column)])) for column in filled.T], dtype=np.float64)
    return np.where(unit > 0, unit, np.ones_like(unit))


def _metric(study: StudyBase, choice: MetricChoice, points: Floats, levels: set[int], binary: set[int]) -> Metric:
    """Take the metric asked for, or "gower" where there are levels without an order."""
    names, metrics = study.feature_names, [name for name in METRICS if name != "auto"]
    if choice not in METRICS:
        raise InputError(f"metric must be 'auto' or one of {', '.join(metrics)}; got {choice!r}.")
    unordered = sorted(levels - binary)
    several = [j for j in unordered if len(np.unique(points[~np.isnan(points[:, j]), j])) > 2]
    if choice == "auto":
        return "gower" if unordered else "euclidean"
    if choice in ("euclidean", "manhattan") and several:
        raise InputError(
            f"metric={choice!r} measures numbers, and levels of which there are two; {names[several[0]]!r} has "
            f"{count(len(study._columns[several[0]].levels), 'level')}. Use metric='gower', or 0/1 columns for its "
            "levels."
        )
    if choice == "jaccard":
        others = [names[j] for j in range(points.shape[1]) if j not in binary]
        if others:
            raise InputError(
                f"metric='jaccard' takes columns of 0 and 1, or bools; {others[0]!r} is none"
                f"{f', nor are {len(others) - 1} more' if len(others) > 1 else ''}. Use metric='auto'."
            )
        if np.isnan(points).any():
            raise InputError(
                f"metric='jaccard' takes no missing values; {names[int(np.isnan(points).any(axis=0).argmax())]!r} has "
                "some. Use metric='manhattan'."
            )
    return choice


def _one_hot(study: StudyBase, choice: Any, points: Floats, binary: tuple[int, ...]) -> Blocks:
    """Find the groups of 0/1 columns of which each row has at most one at 1."""
    if choice is None or choice is False:
        return ()
    if isinstance(choice, str):
        if choice != "auto":
            raise InputError(f"one_hot must be 'auto', None or groups of columns; got {choice!r}.")
        return tuple(group.columns for group in study._table_rows.one_hot)
    if not isinstance(choice, Sequence):
        raise InputTypeError(f"one_hot must be 'auto', None or groups of columns; got {choice!r}.")
    groups = tuple(column_positions(study, group, "one_hot") for group in cast(Sequence[Any], choice))
    for group in groups:
        named = [study.feature_names[j] for j in group]
        if any(j not in binary for j in group) or not are_levels({j: points[:, j] for j in group}, group):
            raise InputError(
                f"A group of one_hot must be columns of 0 and 1, at most one of them 1 in every row; {named} are not. "
                "Leave it out, or mend the rows."
            )
    if len({j for group in groups for j in group}) < sum(map(len, groups)):
        raise InputError("A column belongs to one group of one_hot at most; some are named twice. Name each once.")
    return groups


def _binary(study: StudyBase, points: Floats) -> tuple[int, ...]:
    """Return the columns that hold 0 and 1 alone."""
    return tuple(
        j for j, column in enumerate(study._columns) if column.kind != "categorical" and is_binary(points[:, j])
    )


def _notes(columns: Sequence[BoundaryColumn]) -> tuple[str, ...]:
    of_type = [column.name for column in columns if column.held == "type"]
    constant = [column.name for column in columns if column.held == "constant"]
    notes: list[str] = []
    if of_type:
        notes.append(f"stays as it is, for its type takes only values that some row has: {_few(of_type)}")
    if constant:
        notes.append(f"stays as it is, for the rows have one value of it: {_few(constant)}")
    return tuple(notes)


def _few(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
