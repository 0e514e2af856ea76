"""A curve under other weights, with every bound at exactly the distance of those weights."""

from dataclasses import dataclass

import numpy as np

from tauscope.effects.bounds.balls import TotalVariation
from tauscope.effects.bounds.bands import (
    certified_band,
    check_accumulated,
    conditional_band,
    group_members,
    group_ranges,
)
from tauscope.effects.bounds.effect_bounds import CurveBounds, bound_accumulated, bound_dependence
from tauscope.effects.bounds.lipschitz import Lipschitz
from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_weights
from tauscope.weights.measures import effective_size, kullback_leibler, total_variation

ROUNDING = 1e-9


@dataclass(frozen=True)
class CurveShift:
    """What a reweighting did to a curve.

    Attributes
    ----------
    after : Effect
        The curve under the new weights.
    change : ndarray, as the effect
        After − before, of the uncentred curve where there is one.
    tv : float
        Total variation between the two sets of weights: computed from both, not estimated.
    kl : float
        KL(new ‖ old), nats.
    ess : float
        Effective sample size under the new weights, rows.
    group_tv : ndarray of shape (*G,) or (K,), or None
        The same inside each window or bin; None for partial dependence.
    bounds : CurveBounds
        At these distances.
    inside : bool
        Whether the new curve lies in the sharp band, as it must.
    """

    after: Effect
    change: Floats
    tv: float
    kl: float
    ess: float
    group_tv: Floats | None
    bounds: CurveBounds
    inside: bool


def curve_shift(
    effect: Effect,
    sample_weight: object,
    *,
    output_range: tuple[float, float] | None = None,
    lipschitz: Lipschitz | None = None,
) -> CurveShift:
    """Compute a curve under other row weights, its change, and every bound at the distance moved.

    Parameters
    ----------
    effect : PartialDependence, ConditionalDependence or AccumulatedEffect
    sample_weight : array-like of shape (n_rows,)
        Non-negative; scaled to mean 1. The distance is taken from the weights the effect was computed with.
    output_range, lipschitz
        As in `effect_bounds`.

    Returns
    -------
    CurveShift
        The model is not called.
    """
    weights = check_weights(sample_weight, effect.n_rows)
    base = effect.sample_weight
    group_tv: Floats | None = None
    if isinstance(effect, PartialDependence):
        rows = effect.ice_rows
        tv = total_variation(weights[rows], base[rows])
        after: Effect = effect.reweighted(weights)
        change = after.effect - effect.effect
        certified = certified_band(effect, TotalVariation(_share(tv)), output_range=output_range)
        bounds = bound_dependence(effect, tv, tv, certified, output_range)
        inside = _within(after.effect, certified.lower, certified.upper)
    elif isinstance(effect, ConditionalDependence):
        tv = total_variation(weights, base)
        after = effect.reweighted(weights)
        change = after.effect - effect.effect
        group_tv = group_distances(effect.local, weights, base).reshape(effect.effect.shape[1:])
        certified = conditional_band(effect, _share(tv))
        bounds = bound_dependence(effect, tv, group_tv, certified, output_range)
        inside = _within(after.effect, certified.lower, certified.upper)
    else:
        accumulated = check_accumulated(effect)
        tv = total_variation(weights, base)
        reweighted: AccumulatedEffect = accumulated.reweighted(weights)
        after, change = reweighted, reweighted.accumulated - accumulated.accumulated
        group_tv = group_distances(accumulated.local, weights, base)
        distances = np.minimum(np.nan_to_num(group_tv), 1.0)
        bounds = bound_accumulated(accumulated, tv, distances, lipschitz)
        balls = [TotalVariation(float(distance)) for distance in distances]
        inside = _within(accumulated.local.means(weights), *group_ranges(accumulated.local, base, balls))
    return CurveShift(
        after=after,
        change=change,
        tv=tv,
        kl=kullback_leibler(weights, base),
        ess=effective_size(weights),
        group_tv=group_tv,
        bounds=bounds,
        inside=inside,
    )


def group_distances(groups: RaggedGroups, weights: Floats, base: Floats) -> Floats:
    """Total variation between two weightings inside each group; NaN where one of them has no weight there."""
    distances = np.full(groups.n_groups, np.nan)
    for group, members in group_members(groups):
        new, old = weights[groups.row[members]], base[groups.row[members]]
        if new.sum() > 0 and old.sum() > 0:
            distances[group] = total_variation(new, old)
    return distances


def _within(values: Floats, lower: Floats, upper: Floats) -> bool:
    """Whether values lie in a band, up to rounding; where there is no value there is nothing to leave it."""
    slack = ROUNDING * (1 + np.abs(upper - lower))
    return not bool(((values < lower - slack) | (values > upper + slack)).any())


def _share(distance: float) -> float:
    """Take rounding above 1 off a total variation."""
    return min(1.0, distance)
