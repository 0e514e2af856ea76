"""How far a curve can move when rows, or the model, are changed one by one: bounds that need no distribution."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tauscope.effects.bounds.bands import accumulate, check_accumulated, group_members
from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError, InputTypeError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict, as_outputs
from tauscope.prediction.rows import as_rows
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.seeds import RandomState, seed_of


@dataclass(frozen=True)
class Coupling:
    """What a change of the rows, each into its own perturbed copy, did to partial or conditional dependence.

    Attributes
    ----------
    change : ndarray, as the effect
        After minus before.
    bound : ndarray, as the effect
        Weighted mean over rows of |f(x_s, x_i') − f(x_s, x_i)|: no smaller than |change|, exact for this change,
        and silent about any other.
    """

    change: Floats
    bound: Floats


def coupling(before: Effect, after: Effect) -> Coupling:
    """Compare a curve on rows and on the same rows perturbed, in the same order.

    Parameters
    ----------
    before, after : PartialDependence or ConditionalDependence
        The feature itself is as it was, so that the same rows stand behind each point.

    Raises
    ------
    InputError
        Where rows, weights, grids or responses differ.
    InputTypeError
        For accumulated effects.
    """
    _check_comparable(before, after)
    if isinstance(before, PartialDependence) and isinstance(after, PartialDependence):
        weights = before.sample_weight[before.ice_rows]
        difference = np.abs(after.curves() - before.curves())
        bound: Floats = np.average(difference, axis=1, weights=weights)
    elif isinstance(before, ConditionalDependence) and isinstance(after, ConditionalDependence):
        difference = replace(before.local, values=np.abs(after.local.values - before.local.values))
        bound = difference.means(before.sample_weight).reshape(before.effect.shape)
    else:
        raise InputTypeError(
            f"rows are coupled in partial and conditional dependence, got {type(before).__name__} and "
            f"{type(after).__name__}"
        )
    return Coupling(after.effect - before.effect, bound)


@dataclass(frozen=True)
class ModelChange:
    """What another model does to a curve on the same rows.

    Attributes
    ----------
    change : ndarray, as the effect
        The other's curve minus this one's; of accumulated effects, uncentred.
    bound : ndarray, as the effect
        ‖f − f'‖_∞ [Lemma 2], or (x_s − x_min) ‖h − h'‖_∞ [Theorem 4.5].
    pointwise : ndarray, as the effect
        The same with the largest difference at each grid point, or in each bin: never more, and certain for these
        rows.
    coupled : ndarray, as the effect
        The weighted mean over rows of |f' − f|, added up over bins for accumulated effects: no smaller than |change|,
        no larger than `pointwise`, and certain for these rows.
    distance : ndarray of shape (q,)
        The largest difference used in `bound`.
    source : {"rows", "given"}
        "rows": the largest over the answers compared.
    certified : bool
        Whether `bound` holds on these rows: always for "rows"; a given distance only where it is no smaller.
    """

    change: Floats
    bound: Floats
    pointwise: Floats
    coupled: Floats
    distance: Floats
    source: Literal["rows", "given"]
    certified: bool


def model_change(effect: Effect, other: Effect, *, distance: object = None) -> ModelChange:
    """Compare a curve with another model's on the same rows and grid.

    Parameters
    ----------
    effect, other : PartialDependence, ConditionalDependence or AccumulatedEffect
        Of the same kind, rows, weights and grid.
    distance : float or array-like of shape (q,), optional
        Known ‖f − f'‖_∞ (of slopes, for accumulated effects), such as that of `sampled_distance`. None: the
        largest difference over the answers compared.

    References
    ----------
    Baniecki, Casalicchio, Bischl and Biecek, 2024, Lemma 2 and Theorem 4.5.
    """
    _check_comparable(effect, other)
    if isinstance(effect, PartialDependence) and isinstance(other, PartialDependence):
        difference = np.abs(other.curves() - effect.curves())
        pointwise = difference.max(axis=1)
        coupled: Floats = np.average(difference, axis=1, weights=effect.sample_weight[effect.ice_rows])
        change = other.effect - effect.effect
        scale = np.ones(pointwise.shape)
    elif isinstance(effect, ConditionalDependence) and isinstance(other, ConditionalDependence):
        local = replace(effect.local, values=np.abs(other.local.values - effect.local.values))
        pointwise = _largest_by_group(local).reshape(effect.effect.shape)
        coupled = local.means(effect.sample_weight).reshape(effect.effect.shape)
        change = other.effect - effect.effect
        scale = np.ones(pointwise.shape)
    elif isinstance(effect, AccumulatedEffect) and isinstance(other, AccumulatedEffect):
        return _accumulated_change(effect, other, distance)
    else:
        raise InputTypeError(
            f"models are compared on two effects of one kind, got {type(effect).__name__} and {type(other).__name__}"
        )
    observed = np.nanmax(pointwise.reshape(len(pointwise), -1), axis=1)
    sup_norm, source = _read_distance(distance, observed)
    bound = sup_norm.reshape(-1, *([1] * (scale.ndim - 1))) * scale
    return ModelChange(change, bound, pointwise, coupled, sup_norm, source, bool(np.all(sup_norm >= observed)))


def sampled_distance(
    predict: Predict,
    other: Predict,
    rows: object,
    *,
    n_samples: int = 10_000,
    sampled: frozenset[int] = frozenset(),
    batches: BatchOptions | None = None,
    random_state: RandomState = None,
) -> tuple[Floats, int]:
    """Estimate ‖f − f'‖_∞ over the box that the rows span: the largest difference at random points of it.

    Parameters
    ----------
    predict, other : callable
        The two models.
    rows : 2-D array or Rows
    n_samples : int, default=10_000
    sampled : frozenset of int
        Columns whose values are drawn from those that occur (codes of levels, columns with missing values); the
        others are uniform between their extremes.
    batches : BatchOptions, optional
        Its batch size is used.
    random_state : int, Generator or None

    Returns
    -------
    distance : ndarray of shape (q,)
        A lower bound of the true supremum, approached from below as the sample grows.
    seed : int
    """
    table = as_rows(rows)
    if n_samples < 1:
        raise InputError(f"n_samples must be at least 1, got {n_samples}")
    seed = seed_of(random_state)
    random = np.random.default_rng(seed)
    columns = tuple(range(table.n_columns))
    batch = (batches or BatchOptions()).rows_per_batch(table.n_columns)
    values = [table.column(column) for column in columns]
    largest: Floats | None = None
    for start in range(0, n_samples, batch):
        n = min(batch, n_samples - start)
        points = np.empty((n, len(columns)))
        for column, column_values in enumerate(values):
            if column in sampled or np.isnan(column_values).any():
                points[:, column] = random.choice(column_values, n)
            else:
                points[:, column] = random.uniform(column_values.min(), column_values.max(), n)
        index = np.zeros(n, dtype=np.int64)
        answers = [as_outputs(ask(table.substituted(index, columns, points)), n) for ask in (predict, other)]
        if len(answers[0]) != len(answers[1]):
            raise InputError(f"the models must have as many responses, got {len(answers[0])} and {len(answers[1])}")
        difference = np.abs(answers[0] - answers[1]).max(axis=1)
        largest = difference if largest is None else np.maximum(largest, difference)
    assert largest is not None
    return largest, seed


def _check_comparable(first: Effect, second: Effect) -> None:
    same_grid = len(first.grids) == len(second.grids) and all(
        np.array_equal(a.values, b.values, equal_nan=True) for a, b in zip(first.grids, second.grids, strict=True)
    )
    if first.columns != second.columns or not same_grid:
        raise InputError("the two effects must be of the same features on the same grid points")
    if first.effect.shape != second.effect.shape or not np.array_equal(first.sample_weight, second.sample_weight):
        raise InputError("the two effects must have the same responses, rows and row weights")
    if not all(np.array_equal(a, b) for a, b in zip(_members(first), _members(second), strict=True)):
        raise InputError("the two effects must rest on the same rows; one may have been stopped early: run it again")


def _members(effect: Effect) -> tuple[Ints, Ints]:
    """Rows behind the points of an effect."""
    if isinstance(effect, PartialDependence):
        return effect.ice_rows, effect.ice_rows
    groups = effect.local if isinstance(effect, ConditionalDependence) else check_accumulated(effect).local
    return groups.row, groups.group


def _largest_by_group(groups: RaggedGroups) -> Floats:
    largest = np.full((len(groups.values), groups.n_groups), np.nan)
    for group, members in group_members(groups):
        largest[:, group] = groups.values[:, members].max(axis=1)
    return largest


def _accumulated_change(effect: AccumulatedEffect, other: AccumulatedEffect, distance: object) -> ModelChange:
    if effect.grid.kind == "categorical":
        raise InputError("Theorem 4.5 needs a numeric feature, got levels: compare partial dependence")
    widths = np.diff(effect.grid.values)
    difference = replace(effect.local, values=np.abs(other.local.values - effect.local.values))
    by_bin = np.nan_to_num(_largest_by_group(difference))
    observed = (by_bin / widths).max(axis=1)
    sup_norm, source = _read_distance(distance, observed)
    points = effect.grid.values
    return ModelChange(
        other.accumulated - effect.accumulated,
        sup_norm[:, None] * (points - points[0]),
        accumulate(by_bin),
        accumulate(difference.means(effect.sample_weight)),
        sup_norm,
        source,
        bool(np.all(sup_norm >= observed)),
    )


def _read_distance(distance: object, observed: Floats) -> tuple[Floats, Literal["rows", "given"]]:
    if distance is None:
        return observed, "rows"
    norms = np.asarray(distance, dtype=np.float64)
    if norms.ndim and norms.shape != observed.shape[-norms.ndim :]:
        raise InputError(f"distance must be one number, or {len(observed)}; got {norms.size}. Give the largest.")
    norms = np.broadcast_to(norms, observed.shape).copy()
    if not np.all(np.isfinite(norms) & (norms >= 0)):
        raise InputError(f"distance must be finite and not negative, got {distance}")
    return norms, "given"
