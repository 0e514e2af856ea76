"""Another sample, or a table of its margins, read as the rows of a study are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.data import labels, validation
from tauscope.data.columns import Column, is_name, name_of
from tauscope.data.features import MISSING, Feature, default_features, expand, features_by_name, select_features
from tauscope.data.frames import Table, read_table
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.towards.margins import Margin, Margins, measure_margins
from tauscope.weights.checks import check_memory
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
MomentName = Literal["mean", "variance", "covariance"]
UNSEEN = -2
"""Code of a level that no row of the study has."""
SUM_TOLERANCE = 1e-6
"""How far shares of all levels may be from 1 together."""
MOMENTS: tuple[MomentName, ...] = ("mean", "variance", "covariance")


@dataclass(frozen=True, eq=False)
class NewSample:
    """Another sample in the columns of a study.

    Attributes
    ----------
    table : Table
    columns : mapping of str to Column
        Those that the study has too.
    missing : tuple of str
        Columns of the study that it lacks.
    sample_weight : ndarray of shape (n_rows,) or None
        Mean 1.
    """

    table: Table
    columns: Mapping[str, Column]
    missing: tuple[str, ...]
    sample_weight: Array | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.table.n_rows

    def values(self, feature: Feature) -> Array:
        """Return one number per row, NaN where a row has no value, or a level that no row of the study has."""
        column, own = self.columns[feature.column], feature.source
        if feature.kind == "numeric":
            assert column.values is not None
            return column.values
        if own.codes is None:
            assert column.numbers is not None
            return np.isnan(column.numbers).astype(np.float64)
        assert column.codes is not None
        known = _known_levels(own)
        places = np.array([*(own.levels.index(level) if level in known else UNSEEN for level in column.levels), -1])
        code = places[column.codes]
        return np.where(code == UNSEEN, np.nan, (code == feature.code).astype(np.float64))

    def share_of(self, rows: NDArray[np.bool_]) -> float:
        """Return the share of the weight of some rows."""
        return float(np.average(rows, weights=self.sample_weight))

    def is_unseen(self, own: Column) -> NDArray[np.bool_]:
        """Tell of each row whether it has a level that no row of the study has."""
        column = self.columns[own.name]
        if column.codes is None:
            return np.zeros(self.n_rows, bool)
        known = _known_levels(own)
        return np.array([*(level not in known for level in column.levels), False])[column.codes]


def _known_levels(column: Column) -> set[str]:
    return {level for level, count in zip(column.levels, column.level_counts(), strict=True) if count}


def read_new_sample(study: StudyBase, X: Any, sample_weight: Any) -> NewSample:
    """Read another sample; a frame may lack some columns of the study, and have others.

    Raises
    ------
    InputError, InputTypeError
        For rows that are none, no column in common, or a column of levels where the study's has numbers.
    """
    from tauscope.rows.inputs import read_inputs

    own = tuple(study._columns)
    levels = [column.name for column in own if column.kind == "categorical"]
    table = read_table(X)
    validation.check_not_empty(table)
    names = tuple(column.name for column in own) if table.names is None else table.names
    if table.names is None and table.n_columns != len(own):
        raise InputError(
            f"An array of new rows must have the study's {count(len(own), 'column')}; got {table.n_columns}. Give a "
            "frame to "
            "leave some out."
        )
    inputs = read_inputs(
        X,
        sample_weight=sample_weight,
        categorical_features=[name for name in levels if name in names] or "infer",
        feature_names=names,
    )
    assert not are_sparse(inputs.columns)
    new = {column.name: column for column in inputs.columns}
    common = [column for column in own if column.name in new]
    if not common:
        raise InputError(
            f"The new rows must have some of the study's columns, such as {own[0].name!r}; got {list(new)[:5]}. Rename "
            "theirs."
        )
    for column in common:
        if (column.codes is None) != (new[column.name].codes is None):
            kinds = ["numbers" if one.codes is None else "levels" for one in (column, new[column.name])]
            raise InputTypeError(
                f"{column.name!r} has {kinds[0]} in the study and {kinds[1]} in the new rows. Give it as there."
            )
    missing = tuple(column.name for column in own if column.name not in new)
    return NewSample(table, {column.name: new[column.name] for column in common}, missing, inputs.sample_weight)


def choose_margins(
    study: StudyBase, new: NewSample, features: Any, moments: Sequence[str]
) -> tuple[tuple[Margin, ...], tuple[tuple[str, str], ...]]:
    """Choose what of a new sample the rows shall have.

    Returns
    -------
    which : tuple of Margin
    left_out : tuple of (name, reason)
    """
    check_moments(moments)
    own, skipped = default_features(study._columns, study.sample_weight)
    left_out = [(name, reason) for name, reason in skipped] if features is None else []
    chosen = own if features is None else _with_missing(study, select_features(study._columns, features))
    used: list[Feature] = []
    for feature in chosen:
        reason = _reason_against(study, new, feature)
        if reason:
            left_out.append((feature.name, reason))
        else:
            used.append(feature)
    if not used:
        raise InputError("No margin of the new rows can be met here: " + "; ".join(": ".join(one) for one in left_out))
    which = [Margin("mean" if one.kind == "numeric" else "share", (one.name,)) for one in used]
    numeric = [one for one in used if one.kind == "numeric"]
    if "variance" in moments:
        which += [Margin("variance", (one.name,)) for one in numeric]
    if "covariance" in moments:
        n_moments = len(which) + len(numeric) * (len(numeric) - 1) // 2
        check_memory(
            8.0 * n_moments * (n_moments + new.n_rows),
            f"Meeting {n_moments:,} moments, most of them covariances,",
            f"Name fewer of the {len(numeric):,} features, or leave 'covariance' out.",
        )
        here, there = _counted(numeric, study.sample_weight), _counted(numeric, new.sample_weight, new.values)
        for i, j in combinations(range(len(numeric)), 2):
            rows = len(here[i]) == len(here[j])  # in chunks each column is told by its extremes alone
            together = not rows or (here[i] & here[j]).any(), (there[i] & there[j]).any()
            if all(together):
                which.append(Margin("covariance", (numeric[i].name, numeric[j].name)))
            else:
                name = f"covariance of {numeric[i].name} and {numeric[j].name}"
                left_out.append((name, f"no {'new row' if together[0] else 'row here'} has both"))
    return tuple(which), tuple(left_out)


def _counted(
    features: Iterable[Feature], sample_weight: Array | None, values: Callable[[Feature], Array] = Feature.values
) -> list[NDArray[np.bool_]]:
    """Tell of each feature which rows of weight above zero have a value."""
    present = [~np.isnan(values(feature)) for feature in features]
    return present if sample_weight is None else [each & (sample_weight > 0) for each in present]


def check_moments(moments: Sequence[str]) -> None:
    """Refuse moments that are not there, or without the means that the others are about."""
    for name in moments:
        if name not in MOMENTS:
            raise UnknownName.among("moment", name, list(MOMENTS))
    if "mean" not in moments:
        raise InputError(
            f"moments must contain 'mean', which variances and covariances are about; got {tuple(moments)!r}."
        )


def _with_missing(study: StudyBase, chosen: Iterable[Feature]) -> tuple[Feature, ...]:
    """Add the share of rows without a value, which a mean over the others says nothing of."""
    chosen = tuple(chosen)
    columns = {feature.column for feature in chosen}
    missing = [one for one in expand(study._columns) if one.column in columns and one.level and one.code == -1]
    return tuple({one.name: one for one in (*chosen, *missing)}.values())


def _reason_against(study: StudyBase, new: NewSample, feature: Feature) -> str | None:
    if feature.column not in new.columns:
        return "the new rows have no such column"
    reason = feature.constant_reason(study.sample_weight)
    if reason is not None:
        return reason
    (counted,) = _counted([feature], new.sample_weight, new.values)
    return None if counted.any() else "no new row has a value that rows here have"


def sample_margins(study: StudyBase, new: NewSample, which: Sequence[Margin]) -> Margins:
    """Measure margins of a new sample."""
    by_name = features_by_name(study._columns)
    return measure_margins(which, lambda name: new.values(by_name[name]), new.n_rows, new.sample_weight)


def read_margins(study: StudyBase, table: Mapping[Any, Any]) -> Margins:
    """Read a table of margins: a mean by feature, or the shares of its levels.

    Parameters
    ----------
    study : StudyBase
    table : mapping
        ``{"age": 45.2, "sex": {"Female": 0.52, "Male": 0.48}, "region = north": 0.1}``; columns of numbers have a
        mean, levels shares in [0, 1].

    Raises
    ------
    UnknownName, InputError, InputTypeError
    """
    if not len(table):
        raise InputError("A table of margins has at least one; got none. Try {'age': 45.2}.")
    by_name = features_by_name(study._columns)
    columns = {column.name: column for column in study._columns}
    wanted: dict[str, float] = {}

    def add(name: str, value: Any) -> None:
        number = _number(name, value)
        if name in wanted:
            raise InputError(f"{name!r} has one margin; got {wanted[name]:g} and {number:g}. Keep one of the two.")
        wanted[name] = number

    for given, value in table.items():
        name = name_of(given, list(columns)) if is_name(given) else given
        if isinstance(value, Mapping | pd.Series):
            if name not in columns:
                raise UnknownName.among("column", name, list(columns))
            for level, share in cast(Mapping[Any, Any], value).items():
                add(f"{name} = {_level_name(columns[name], level)}", share)
        elif name in columns and name not in by_name:
            raise InputError(f"{name!r} has levels, not a mean. Give their shares: {{{name!r}: {{level: share, …}}}}.")
        else:
            add(name, value)
    for column in columns.values():
        if column.kind == "boolean" and f"{column.name} = False" in wanted:
            _fold_false(column, wanted)
    for name, value in wanted.items():
        if name not in by_name:
            raise UnknownName.among("feature", name, list(by_name))
        reason = by_name[name].constant_reason(study.sample_weight)
        if reason is not None:
            raise InputError(f"{name!r} cannot be moved: {reason}. Leave it out.")
        if by_name[name].kind == "share" and not 0 <= value <= 1:
            raise InputError(f"A share lies between 0 and 1; got {value:g} for {name!r}. 52 % is 0.52.")
    kinds = {"numeric": "mean", "share": "share"}
    which = [Margin(cast(Any, kinds[by_name[name].kind]), (name,)) for name in wanted]
    return Margins.given(which, list(wanted.values()))


def _level_name(column: Column, level: Any) -> str:
    """Name a level as the column does, however it is spelt: True, NumPy's True, 1 or "True"; 1 and 1.0."""
    if column.kind == "boolean" and not isinstance(level, str) and level in (0, 1):
        return str(bool(level))
    return labels.names([labels.plain(level)])[0]


def _fold_false(column: Column, wanted: dict[str, float]) -> None:
    """Say the share of False, which is no feature, by those of True and of what is missing."""
    yes, no, gone = (f"{column.name} = {level}" for level in ("True", "False", MISSING))
    share = wanted.pop(no)
    if not 0 <= share <= 1:
        raise InputError(f"A share lies between 0 and 1; got {share:g} for {no!r}. 52 % is 0.52.")
    if column.n_missing and yes in wanted:
        wanted.setdefault(gone, max(0.0, 1 - share - wanted[yes]))
    elif column.n_missing and gone not in wanted:
        raise InputError(f"{column.name!r} has missing values, so that {no!r} does not tell {yes!r}. Give both.")
    wanted.setdefault(yes, 1 - share - wanted.get(gone, 0.0))
    total = wanted[yes] + share + wanted.get(gone, 0.0)
    if abs(total - 1) > SUM_TOLERANCE:
        raise InputError(
            f"Shares of all levels of {column.name!r} sum to 1; got {total:g}. Correct them or leave one out."
        )


def find_missing_unsaid(study: StudyBase, margins: Margins) -> tuple[tuple[str, str], ...]:
    """Return the shares of missing values that a table leaves out beside a mean over the others, with the reason."""
    named = {name for margin in margins.which for name in margin.features}
    reason = "the table does not say it, so that rows without a value can come to hold more or less weight"
    return tuple(
        (feature.name, reason)
        for feature in expand(study._columns)
        if feature.column in named and feature.level and feature.code == -1 and feature.name not in named
    )


def _number(name: object, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
        raise InputTypeError(f"A margin is a number, the mean or share to reach; got {describe(value)} for {name!r}.")
    return float(value)
