"""Targets and means as a person writes them: dates of a column of dates, lengths of time of dates and durations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from tauscope.data.columns import is_name, name_of
from tauscope.data.dates import DAYS_PER_YEAR, to_dates, to_decimal_years
from tauscope.errors import InputTypeError, place_of
from tauscope.results.formatting import distinct, distinct_shares
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Share, Stress, Variance
from tauscope.stress.joint.terms import Described, Reading, Term

if TYPE_CHECKING:
    from tauscope.data.features import Feature


class HasFeatures(Protocol):
    """A result about features, and the study it is of."""

    @property
    def features(self) -> Sequence[Feature]:
        """The features."""
        ...

    @property
    def source(self) -> HasNames | None:
        """The study; None where the result is detached from it."""
        ...


class HasNames(Protocol):
    """A study, of rows in memory or in chunks."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        ...


def with_names(stress: Stress, study: HasNames) -> Stress:
    """Return a stress whose features are named where it had whole numbers; itself where it had none.

    Raises
    ------
    UnknownName
        For a number that is neither a column's name nor its position.
    """
    named = tuple(_with_names(each, study) for each in stress)
    return stress if named == stress.constraints else Stress(named)


def features_among(result: HasFeatures, given: object) -> list[str]:
    """Return the names of a result's features that names, or whole numbers of the study's columns, mean; each once.

    Raises
    ------
    UnknownName
        For what is not there, with the nearest names.
    InputTypeError
        For what is neither name nor number.
    """
    source, known = result.source, [feature.name for feature in result.features]
    own = list(dict.fromkeys(feature.column for feature in result.features))
    columns = own if source is None else source.feature_names
    found: list[str] = []
    one_alone = is_name(given) or not isinstance(given, Iterable)  # what is neither is refused as one
    every: Iterable[Any] = [given] if one_alone else cast(Iterable[Any], given)
    for one in every:
        name = name_of(one, columns)
        of_column = [] if isinstance(one, str) else [each.name for each in result.features if each.column == name]
        found += of_column or [known[place_of("feature", name, known)]]
    return list(dict.fromkeys(found))


def _with_names(constraint: Constraint, study: HasNames) -> Constraint:
    if not isinstance(constraint, Mean | Share | Variance | Covariance):
        return constraint
    given = {name: getattr(constraint, name) for name in ("feature", "a", "b") if hasattr(constraint, name)}
    numbered = {name: value for name, value in given.items() if not isinstance(value, str)}
    return replace(constraint, **{name: name_of(value, study.feature_names) for name, value in numbered.items()})


def in_numbers(stress: Stress, features: Mapping[str, Described]) -> Stress:
    """Write dates and lengths of time as the numbers that features have of them.

    Raises
    ------
    InputTypeError
        For a date where the column has none, or a length of time where it has no time.
    """
    if not any(isinstance(each, Mean) and _of_time(each) for each in stress):
        return stress

    def unit(name: str) -> str:
        return features[name].unit if name in features else ""

    return Stress(tuple(_in_numbers(each, unit(each.feature)) if isinstance(each, Mean) else each for each in stress))


def _of_time(constraint: Mean) -> bool:
    return isinstance(constraint.target, date | np.datetime64) or isinstance(
        constraint.shift, timedelta | np.timedelta64
    )


def written_means(reading: Reading, *means: float, even: bool = False) -> tuple[str, ...]:
    """Write means that are read side by side: "45.1", "61 %", "12 days", of dates a day, or the hour too.

    `even` as in `distinct`.
    """
    if reading == "0/1":
        return distinct_shares(*means, even=even)
    if reading != "year":
        return distinct(*means, unit=f" {reading}".rstrip(), even=even)
    moments = to_dates(np.array(means))
    days = moments.astype("datetime64[D]")
    unlike = len({*days.tolist()}) == len({*np.round(means, 9).tolist()})
    return tuple("–" if np.isnat(one) else str(one).replace("T", " ") for one in (days if unlike else moments))


def mean_in_words(feature: Feature, *means: float) -> str:
    """Write the mean of a feature in its own unit, and where it is moved to: "45.1", "38.6 → 43.2"."""
    return " → ".join(written_means(feature.reading, *means))


def with_readings(terms: Iterable[Term], features: Mapping[str, Described]) -> tuple[Term, ...]:
    """Return terms that know how the means of features are to be read."""
    return tuple(
        replace(term, reading=features[term.subject].reading)
        if term.kind == "mean" and term.subject in features
        else term
        for term in terms
    )


def _in_numbers(constraint: Mean, unit: str) -> Constraint:
    target, shift = constraint.target, constraint.shift
    if isinstance(target, date | np.datetime64):
        if unit != "year":
            raise InputTypeError(f"{constraint.feature!r} has no dates; got the target {target!r}. Give a number.")
        return replace(constraint, target=_decimal_year(target))
    if isinstance(shift, timedelta | np.timedelta64):
        if unit not in ("year", "days"):
            raise InputTypeError(f"{constraint.feature!r} has no dates; got the shift {shift!r}. Give a number.")
        days = float(np.timedelta64(shift) / np.timedelta64(1, "D"))
        return replace(constraint, shift=days / DAYS_PER_YEAR if unit == "year" else days)
    return constraint


def _decimal_year(when: date | np.datetime64) -> float:
    """Return a date as the columns have it; one of another time zone in UTC."""
    if isinstance(when, datetime) and when.tzinfo is not None:
        when = when.astimezone(UTC).replace(tzinfo=None)
    return float(to_decimal_years(np.array([when], "datetime64[us]"))[0])
