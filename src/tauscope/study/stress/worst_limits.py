"""The limits of a worst case as they are given, and the means that may move, as the engine takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.data.features import Feature, check_named, default_features, select_features
from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.worst_within import Within
from tauscope.stress.worst.rows import Distance, DistanceKind

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.study.stress.curves import Features

Array = NDArray[np.float64]
RARE = 0.01
"""Share of rows below which a level is not moved unless it is named: few rows would carry it."""
FOLLOWS = 1e-9
"""Variance of a column, in its own, left beside others that says it follows from them."""
AT_END = 1e-6
"""Part of a limit that a search may stop short of it, or beyond."""
DIGITS = 8
"""Of a shift as it is written."""
TRY = 'Try within={"tv": 0.1}, {"kl": 0.05} or {"age": (-2, 5)}.'


@dataclass(frozen=True, eq=False)
class Movable:
    """The means that may move.

    Attributes
    ----------
    features : tuple of Feature
        Each can be moved.
    phi : ndarray of shape (n_rows, k)
        Their values, rows without one having the mean; then the share of rows with a value, of columns that lack some.
    scale : ndarray of shape (n_features,)
        Share of the weight of the rows with a value: what a shift of their mean is of that of `phi`.
    named : tuple of int
        The features that a stress names; the means of the others follow from theirs.
    left_out : tuple of str
        Rare levels that were not named.
    """

    features: tuple[Feature, ...]
    phi: Array
    scale: Array
    named: tuple[int, ...]
    left_out: tuple[str, ...]


def read_within(study: StudyBase, within: Mapping[str, Any] | None) -> Within:
    """Read the limits: "tv" and "kl" are distances, any other key is a feature or a column of levels.

    Raises
    ------
    UnknownName
        For a feature that is not there.
    InputError, InputTypeError
        For numbers out of their range, and two distances at once.
    """
    if within is None:
        return Within()
    if not within:
        raise InputError(f"within says how far weights or means may move; got nothing. {TRY}")
    kinds: tuple[DistanceKind, ...] = ("tv", "kl")
    given: list[DistanceKind] = [kind for kind in kinds if kind in within]
    if len(given) == 2:
        raise InputError("within has one distance, tv or kl; got both. Leave one out: each bounds the other.")
    for kind in given:
        if kind in [column.name for column in study._columns]:
            raise InputError(
                f"{kind!r} in within is a distance, and this study has a column of that name too. Rename the column."
            )
    distance = _read_distance(given[0], within[given[0]]) if given else None
    moves: dict[str, tuple[float, float]] = {}
    for name, value in within.items():
        if name in kinds:
            continue
        low, high = _read_move(name, value)
        for feature in _select(study, [name]):
            moves[feature.name] = (low, high)
    return Within(distance, tuple((name, *ends) for name, ends in moves.items()))


def find_movable(study: StudyBase, features: Features | None) -> Movable:
    """Take the means of some features, by default of all that can be moved and are not rare levels."""
    if features is None:
        movable, _ = default_features(study._columns, study.sample_weight)
        shares = [_mean(feature.values(), study.sample_weight) for feature in movable]
        rare = [
            feature.kind == "share" and not RARE <= share <= 1 - RARE
            for feature, share in zip(movable, shares, strict=True)
        ]
        chosen = [feature for feature, is_rare in zip(movable, rare, strict=True) if not is_rare]
        chosen = _beside_rare(
            study, chosen, {each.column for each, is_rare in zip(movable, rare, strict=True) if is_rare}
        )
        left_out = tuple(feature.name for feature, is_rare in zip(movable, rare, strict=True) if is_rare)
    else:
        chosen, left_out = _select(study, features), ()
    if not chosen:
        raise InputError("No feature of this study can be moved. Ask for any row: within={'tv': 0.1} without features.")
    return _gather(study, _common_levels_last(study, chosen), left_out)


def varying(study: StudyBase, names: Sequence[str]) -> list[Feature]:
    """Return the features named that have more than one value on some rows, which may lack a rare level."""
    if not names:
        return []
    features = select_features(study._columns, list(names))
    return [feature for feature in features if feature.constant_reason(study.sample_weight) is None]


def free_names(study: StudyBase, names: Sequence[str]) -> set[str]:
    """Return the features named whose means a stress of these rows can name, none following from the others."""
    features = varying(study, names)
    if not features:
        return set()
    movable = _gather(study, _common_levels_last(study, features), ())
    return {movable.features[place].name for place in movable.named}


def _select(study: StudyBase, features: Features) -> list[Feature]:
    """Return the features requested that can be moved; of a column of numbers its mean, unless its gaps are named."""
    named: Sequence[Any] = [features] if isinstance(features, str | int | Feature) else list(features)
    chosen = select_features(study._columns, named)
    kept: list[Feature] = []
    for feature in chosen:
        gaps = feature.kind == "share" and feature.source.codes is None
        if gaps and feature.name not in named and feature not in named:
            continue
        reason = feature.constant_reason(study.sample_weight)
        if reason is None:
            kept.append(feature)
        elif feature.name in named or feature in named or feature.kind == "numeric":
            raise InputError(f"No weights can move {feature.name!r}: {reason}. Leave it out.")
    return kept


def _read_distance(kind: DistanceKind, value: object) -> Distance:
    limit = _real(f"within[{kind!r}]", value)
    if kind == "tv" and not 0 < limit <= 1:
        raise InputError(
            f"tv is a share of the weight, above 0 and at most 1; got {limit:g}."
            + (f" Try {limit / 100:g}." if 1 < limit <= 100 else " Try 0.1.")
        )
    if not 0 < limit < np.inf:
        raise InputError(f"kl is a positive number of nats; got {limit:g}. Try 0.05.")
    return Distance(kind, limit)


def _read_move(name: object, value: object) -> tuple[float, float]:
    what = f"within[{name!r}]"
    if isinstance(value, Real):
        size = _real(what, value)
        ends = (0 - size, size)  # of 0 no -0, which the error would show
    else:
        pair: list[object] = list(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else []
        if len(pair) != 2:
            raise InputTypeError(
                f"{what} is how far a mean may move, a number or (down, up); got {describe(cast(object, value))}. {TRY}"
            )
        ends = (_real(what, pair[0]), _real(what, pair[1]))
    if not (ends[0] <= 0 <= ends[1] and ends[0] < ends[1] and np.isfinite(ends).all()):
        raise InputError(
            f"{what} must hold 0, the mean as it is, and leave room to move; got {ends[0]:g} to {ends[1]:g}. "
            "Try (-2, 5)."
        )
    return ends


def _real(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{what} must be a number; got {describe(value)}. {TRY}")
    return float(value)


def _common_levels_last(study: StudyBase, features: Sequence[Feature]) -> list[Feature]:
    """Put the commonest level of each column after its others: where one follows from them, it is that."""
    out: list[Feature] = []
    for column in dict.fromkeys(feature.column for feature in features):
        of_column = [feature for feature in features if feature.column == column]
        numbers = [feature for feature in of_column if feature.kind == "numeric"]
        shares = [feature for feature in of_column if feature.kind == "share"]
        common = sorted(shares, key=lambda feature: _mean(feature.values(), study.sample_weight))[-1:]
        out += [*numbers, *(feature for feature in shares if feature not in common), *common]
    return out


def _beside_rare(study: StudyBase, features: Sequence[Feature], columns: set[str]) -> list[Feature]:
    """Leave out the commonest level of columns with rare ones, which are then weighted as it is.

    Were all others moved, the rare ones would have what is left of the share, and be moved most of all.
    """
    common = {each.column: each.name for each in _common_levels_last(study, features) if each.kind == "share"}
    return [each for each in features if each.column not in columns or each.name != common.get(each.column)]


def _gather(study: StudyBase, features: Sequence[Feature], left_out: tuple[str, ...]) -> Movable:
    check_named(study._columns, "A worst case")
    weight = study.sample_weight
    columns: list[Array] = []
    scale: list[float] = []
    held: dict[str, Array] = {}
    own_gaps = {feature.column for feature in features if feature.kind == "share" and feature.source.codes is None}
    for feature in features:
        values = feature.values()
        missing = np.isnan(values)
        observed = 1.0
        if missing.any():
            observed = 1 - _mean(missing.astype(np.float64), weight)
            values = np.where(missing, _mean(values[~missing], None if weight is None else weight[~missing]), values)
            if feature.column not in own_gaps and 0 < observed < 1:
                held[feature.column] = (~missing).astype(np.float64)
        columns.append(values)
        scale.append(observed)
    phi = np.stack([*columns, *held.values()], axis=1)
    return Movable(tuple(features), phi, np.array(scale), _independent(phi, len(features), weight), left_out)


def _independent(phi: Array, n_features: int, weight: Array | None) -> tuple[int, ...]:
    """Return the features, in their order, that follow from none before them and from nothing held."""
    share = np.full(len(phi), 1 / len(phi)) if weight is None else weight / weight.sum()
    centred = phi - np.einsum("i,ij->j", share, phi)
    centred /= np.sqrt(np.einsum("i,ij->j", share, centred**2))
    left = np.einsum("ij,i,ik->jk", centred, share, centred, optimize=True)
    named: list[int] = []
    for j in (*range(n_features, phi.shape[1]), *range(n_features)):
        if left[j, j] <= FOLLOWS:
            continue
        if j < n_features:
            named.append(j)
        left = left - np.outer(left[:, j], left[j]) / left[j, j]
    return tuple(named)


def _mean(values: Array, weight: Array | None) -> float:
    return float(np.average(values, weights=weight))


def short_shift(shift: float, ends: Sequence[float] = (), room: tuple[float, float] = (-np.inf, np.inf)) -> float:
    """Return a shift as one would write it: an end that it stops at but for rounding, else to eight digits.

    The stress has these numbers, and so has the answer, which is computed of it.

    Parameters
    ----------
    shift : float
        As the search left it.
    ends : sequence of float
        How far it was allowed to go, down and up; none where nothing but a distance limits it.
    room : (float, float)
        How far down and up the rows lie, which no mean reaches: rounding stays inside.
    """
    for end in ends:
        if abs(shift - end) <= AT_END * abs(end) and room[0] < end < room[1]:
            return float(end)
    short = float(f"{shift:.{DIGITS}g}")
    if short and not room[0] < short < room[1]:
        last = 10.0 ** (np.floor(np.log10(abs(short))) + 1 - DIGITS)
        short = float(f"{short - np.copysign(last, short):.{DIGITS}g}")
    return short
