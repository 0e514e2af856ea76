"""What can be stressed: the mean of a numeric column, the share of a level, the share of missing values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from reprlib import repr as shortened
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column, numbered_place
from tauscope.data.labels import plain
from tauscope.data.sparse import SparseColumns, are_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.histogram import Bars, histogram_edges
from tauscope.stress.joint.terms import Reading
from tauscope.words import MISSING, count

MAX_LEVELS = 50


@dataclass(frozen=True)
class Feature:
    """One quantity per row whose mean a stress can move.

    Attributes
    ----------
    name : str
        "age" for the mean of a column; "sex = Female", "age = missing" for a share of rows.
    column : str
        Name of the column it comes from.
    level : str or None
        The level whose share it is; None for the mean of a numeric column.
    kind : {"numeric", "share"}
    integer : bool
        Whether every observed number of a numeric feature is whole.
    source : Column
    code : int
        Position of the level among the column's, -1 for the missing share; unused for numeric features.
    """

    name: str
    column: str
    level: str | None
    kind: Literal["numeric", "share"]
    integer: bool
    source: Column = field(repr=False, compare=False)
    code: int = field(default=-1, repr=False, compare=False)

    @property
    def reading(self) -> Reading:
        """How its mean is to be read."""
        return "0/1" if self.kind == "share" else self.source.reading

    @property
    def unit(self) -> str:
        """What its numbers are: "year" of dates, "days" of durations, else ""."""
        return "" if self.kind == "share" else self.source.unit

    @property
    def ends(self) -> tuple[float, float]:
        """Least and greatest number."""
        return (0.0, 1.0) if self.kind == "share" else (self.source.lower, self.source.upper)

    def values(self) -> NDArray[np.float64]:
        """Return one number per row: the column's own, NaN where missing, or 1 for rows of the level and else 0.

        Returns
        -------
        ndarray of float64, shape (n_rows,)
            Made anew at each call where the column is not float64 already.
        """
        column = self.source
        if self.kind == "numeric":
            assert column.values is not None
            return column.values
        if column.codes is not None:
            return (column.codes == self.code).astype(np.float64)
        assert column.numbers is not None
        return np.isnan(column.numbers).astype(np.float64)

    def weighted_values(
        self, sample_weight: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return values with weights whose extremes and quantiles are those of the rows; NaN is missing.

        Parameters
        ----------
        sample_weight : ndarray of shape (n_rows,) or None
            Of the rows.
        """
        return self.values(), sample_weight

    def counted_values(
        self, sample_weight: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64] | None]:
        """Return the values of rows of weight above zero; and how many have each, where each stands once.

        Parameters
        ----------
        sample_weight : ndarray of shape (n_rows,) or None
            Of the rows.
        """
        values = self.values()
        return (values if sample_weight is None else values[sample_weight > 0]), None

    def bars(self, sample_weight: NDArray[np.float64] | None) -> Bars:
        """Return the histogram of a numeric feature, of which every tilt follows."""
        values = self.values()
        extremes = float(np.nanmin(values)), float(np.nanmax(values))
        return Bars.of(values, histogram_edges(values, self.integer), extremes, sample_weight)

    def constant_reason(self, sample_weight: NDArray[np.float64] | None = None) -> str | None:
        """Say why no stress can move the feature, or return None when one can.

        Parameters
        ----------
        sample_weight : ndarray of shape (n_rows,) or None
            Rows of weight zero do not count.

        Returns
        -------
        str or None
            "every observed value is 3", "every value is missing", "no row has this level", "every row has it".
        """
        counted = None if sample_weight is None or np.all(sample_weight > 0) else sample_weight > 0
        if self.kind == "share":
            values = self.values() if counted is None else self.values()[counted]
            share = float(values.mean())
            return "no row has this level" if share == 0 else "every row has it" if share == 1 else None
        lower, upper = self.source.lower, self.source.upper
        if counted is not None:
            observed = self.values()[counted]
            observed = observed[~np.isnan(observed)]
            lower, upper = (observed.min(), observed.max()) if observed.size else (np.nan, np.nan)
        if np.isnan(lower):
            return "every value is missing"
        return f"every observed value is {lower:g}" if lower == upper else None


def expand(columns: Iterable[Column]) -> Iterator[Feature]:
    """Yield every feature of the columns, in their order.

    A numeric column gives its mean and, where values are missing, their share; a boolean column the share of
    True; a categorical one the share of each level; both the share of missing values where there are any.
    """
    for column in columns:
        if column.kind == "numeric":
            yield Feature(column.name, column.name, None, "numeric", column.integer, column)
        for code, level in enumerate(column.levels):
            if column.kind == "categorical" or code == 1:
                yield _share(column, level, code)
        if column.n_missing:
            named = MISSING if MISSING not in column.levels else f"{MISSING} (no value)"
            yield _share(column, named, -1)


def _share(column: Column, level: str, code: int) -> Feature:
    return Feature(f"{column.name} = {level}", column.name, level, "share", False, column, code)


def default_features(
    columns: Sequence[Column], sample_weight: NDArray[np.float64] | None = None
) -> tuple[tuple[Feature, ...], tuple[tuple[str, str], ...]]:
    """Return what is stressed by default, and what is left out.

    Left out are features that no stress can move, and the levels of columns with more than 50 of them (names,
    tickets, free text), which can still be named; and of a sparse matrix all columns, likewise.

    Returns
    -------
    features : tuple of Feature
    skipped : tuple of (name, reason)
    """
    if are_sparse(columns):
        return (), ((count(len(columns), "column"), "of a sparse matrix; ask for some by name"),)
    movable: list[Feature] = []
    skipped: list[tuple[str, str]] = []
    for column in columns:
        crowded = len(column.levels) > MAX_LEVELS
        if crowded:
            skipped.append(
                (column.name, f"{count(len(column.levels), 'level')}; ask for it, or for some levels, by name")
            )
        for feature in expand([column]):
            if crowded and feature.code >= 0:
                continue
            reason = feature.constant_reason(sample_weight)
            if reason is None:
                movable.append(feature)
            else:
                skipped.append((feature.name, reason))
    return tuple(movable), tuple(skipped)


def list_features(
    features: str | int | Feature | Iterable[str | int | Feature], columns: Sequence[Column]
) -> list[str | int | Feature]:
    """Return the requested features as a list, a single name, position or feature as one entry.

    Raises
    ------
    InputTypeError
        For a single thing of another kind, a dict or bytes.
    """
    if isinstance(features, str | int | np.integer | Feature):
        return [features]
    requested = cast(object, features)
    if not isinstance(requested, Iterable) or isinstance(requested, Mapping | bytes):
        raise InputTypeError(
            f"Features are given by name or position, or a list of them; got {shortened(cast(object, requested))}. "
            f"Try {columns[0].name!r} or [{columns[0].name!r}]."
        )
    return list(features)


def select_features(
    columns: Sequence[Column], features: str | int | Feature | Iterable[str | int | Feature] | None = None
) -> tuple[Feature, ...]:
    """Return the requested features, each once, in the order requested.

    Parameters
    ----------
    columns : sequence of Column
    features : name, position, Feature, iterable of them, or None
        A feature's own name gives that feature; a column's name or position gives all its levels. None gives
        every feature of every column.

    Returns
    -------
    tuple of Feature

    Raises
    ------
    UnknownName
        For a name or position that is not there; the message gives the nearest.
    InputError
        For an empty selection, or two features of one name.
    InputTypeError
        For anything but names, positions and features.
    """
    if are_sparse(columns):
        return _select_sparse(columns, features)
    by_name: dict[str, Feature] = {}
    by_column: dict[str, list[Feature]] = {column.name: [] for column in columns}
    for feature in expand(columns):
        if feature.name in by_name:
            raise InputError(
                f"Every feature needs a name of its own; both a column and a level give {feature.name!r}. "
                "Rename the column or the level."
            )
        by_name[feature.name] = feature
        by_column[feature.column].append(feature)
    if features is None:
        return tuple(by_name.values())
    requested = list_features(features, columns)
    if not requested:
        raise InputError("At least one feature is needed; got none. Leave features=None for all.")
    chosen: dict[str, Feature] = {}
    for request in requested:
        for feature in _resolve_request(request, columns, by_name, by_column):
            chosen[feature.name] = feature
    return tuple(chosen.values())


def features_by_name(columns: Sequence[Column]) -> Mapping[str, Feature]:
    """Return every feature of the columns by its name; of a sparse matrix each is read when it is looked up."""
    if are_sparse(columns):
        return _SparseFeatures(columns)
    return {feature.name: feature for feature in expand(columns)}


class _SparseFeatures(Mapping[str, Feature]):
    """The features of a sparse matrix: the mean of each column."""

    def __init__(self, columns: SparseColumns) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> Feature:
        return next(expand([self._columns[self._columns.places[name]]]))

    def __contains__(self, name: object) -> bool:
        return name in self._columns.places

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns.names)

    def __len__(self) -> int:
        return len(self._columns)


def check_named(columns: Sequence[Column], what: str) -> None:
    """Ask for the features of a sparse matrix by name: it has too many to take all.

    Raises
    ------
    InputError
    """
    if are_sparse(columns):
        raise InputError(
            f"{what} of a sparse matrix must be named; got none for {count(len(columns), 'column')}. Name some: "
            f"{what}=[{columns.names[0]!r}]."
        )


def _select_sparse(
    columns: SparseColumns, features: str | int | Feature | Iterable[str | int | Feature] | None
) -> tuple[Feature, ...]:
    if features is None:
        check_named(columns, "features")
        return ()
    by_name = features_by_name(columns)
    chosen: dict[str, Feature] = {}
    for request in list_features(features, columns):
        name = request.name if isinstance(request, Feature) else plain(request)
        if isinstance(name, int) and not isinstance(name, bool):
            name = columns.names[numbered_place(name, columns.names)]
        if not isinstance(name, str):
            raise InputTypeError(f"A feature is given by name or position; got {name!r}. Try {columns.names[0]!r}.")
        if name not in by_name:
            raise UnknownName.among("feature", name, columns.names)
        chosen[name] = by_name[name]
    if not chosen:
        raise InputError("At least one feature is needed; got none. Name some columns.")
    return tuple(chosen.values())


def _resolve_request(
    request: object, columns: Sequence[Column], by_name: dict[str, Feature], by_column: dict[str, list[Feature]]
) -> list[Feature]:
    request = request.name if isinstance(request, Feature) else plain(request)
    if isinstance(request, str):
        if request in by_name:
            return [by_name[request]]
        if request in by_column:
            return by_column[request]
        raise UnknownName.among("feature", request, list(dict.fromkeys([*by_column, *by_name])))
    if isinstance(request, int) and not isinstance(request, bool):
        return by_column[columns[numbered_place(request, list(by_column))].name]
    raise InputTypeError(f"A feature is given by name or position; got {request!r}. Try {columns[0].name!r}.")
