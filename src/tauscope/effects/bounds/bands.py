"""Sharp bands of whole curves over a set of reweightings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tauscope.effects.bounds.balls import Ball, DensityRatio, TotalVariation
from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError, InputTypeError
from tauscope.weights.arrays import Floats


@dataclass(frozen=True)
class Band:
    """A band around a curve, in the curve's unit.

    Attributes
    ----------
    lower, upper : ndarray, as the effect
    covers : str
        Which perturbations stay inside, in words.
    certified : bool
        True: none of them leaves it. False: it rests on an estimate.
    attained : bool
        Whether at each point, taken alone, one of them reaches its edge.
    """

    lower: Floats
    upper: Floats
    covers: str
    certified: bool
    attained: bool


def certified_band(effect: Effect, ball: Ball, *, output_range: tuple[float, float] | None = None) -> Band:
    """Compute the sharp band of a curve over a set of reweightings.

    Parameters
    ----------
    effect : PartialDependence, ConditionalDependence or AccumulatedEffect
        Of a conditional dependence or an accumulated effect the set is that of each window's or bin's own
        weights; reweightings of all rows: `conditional_band`.
    ball : TotalVariation, KullbackLeibler or DensityRatio
    output_range : (float, float), optional
        Partial dependence and total variation only: known lowest and highest answers, so that the band also
        covers replacing that share of the rows by any others.

    Returns
    -------
    Band
        That of an accumulated effect holds its centring constant.
    """
    if isinstance(effect, PartialDependence):
        if isinstance(ball, TotalVariation | DensityRatio):
            ends = np.array([ball.means_of(values, output_range) for values in effect.sorted_curves])
        else:
            curves = effect.curves()
            flat = curves.reshape(*curves.shape[:2], -1)
            weights = effect.sample_weight[effect.ice_rows]
            ends = np.array([ball.means(values, weights, output_range) for values in flat])
        lower, upper = (ends[:, side].reshape(effect.effect.shape) for side in (0, 1))
        if output_range is None:
            return Band(lower, upper, ball.label, certified=True, attained=True)
        covers = f"{ball.label}, and replacing that share of them by any others"
        return Band(lower, upper, covers, certified=True, attained=False)
    if output_range is not None:
        raise InputError("only partial dependence covers replaced rows: leave output_range out")
    if isinstance(effect, ConditionalDependence):
        lower, upper = group_ranges(effect.local, effect.sample_weight, [ball] * effect.local.n_groups)
        shape = effect.effect.shape
        covers = f"{ball.label}, the rows being those of each window"
        return Band(lower.reshape(shape), upper.reshape(shape), covers, certified=True, attained=True)
    return accumulated_band(check_accumulated(effect), [ball] * (len(effect.grid) - 1))


def accumulated_band(effect: AccumulatedEffect, balls: Sequence[Ball]) -> Band:
    """Compute the sharp band of an accumulated effect, a set of reweightings given for each bin.

    Steps between levels share rows, so their extremes need not be reached together.
    """
    lower, upper = group_ranges(effect.local, effect.sample_weight, balls)
    shift = effect.effect[:, :1]
    covers = f"{balls[0].label}, the rows being those of each bin"
    if any(ball != balls[0] for ball in balls):
        covers = "every reweighting that moves the rows of each bin as far as these weights do"
    attained = effect.grid.kind != "categorical"
    return Band(shift + accumulate(lower), shift + accumulate(upper), covers, certified=True, attained=attained)


def conditional_band(effect: ConditionalDependence, epsilon: float) -> Band:
    """Compute the sharp band of conditional dependence over reweightings of all rows within total variation ε.

    A window that holds a share p of the rows feels up to ε/p.
    """
    local, weights = effect.local, effect.sample_weight
    mass = weights / weights.sum()
    ends = np.full((2, effect.n_outputs, local.n_groups), np.nan)
    for group, members in group_members(local):
        for response in range(effect.n_outputs):
            ends[:, response, group] = window_range(local.values[response, members], mass[local.row[members]], epsilon)
    lower, upper = (side.reshape(effect.effect.shape) for side in ends)
    covers = f"every reweighting of all rows within total variation {epsilon:g}"
    return Band(lower, upper, covers, certified=True, attained=True)


def group_ranges(groups: RaggedGroups, weights: Floats, balls: Sequence[Ball]) -> tuple[Floats, Floats]:
    """Lowest and highest mean of each group, a ball for each: each (q, n_groups); NaN for one without weight."""
    ends = np.full((2, len(groups.values), groups.n_groups), np.nan)
    for group, members in group_members(groups):
        base = weights[groups.row[members]]
        if base.sum() > 0:
            ends[:, :, group] = balls[group].means(groups.values[:, members].T, base)
    return ends[0], ends[1]


def group_members(groups: RaggedGroups) -> list[tuple[int, np.ndarray[tuple[int], np.dtype[np.intp]]]]:
    """Positions of the values of each group that has any."""
    order = np.argsort(groups.group, kind="stable")
    ends = np.cumsum(groups.counts())
    by_group = np.split(order, ends[:-1])
    return [(group, members) for group, members in enumerate(by_group) if len(members)]


def accumulate(steps: Floats) -> Floats:
    """Add steps (q, K) up from 0: shape (q, K + 1); a step without rows adds nothing."""
    return np.concatenate([np.zeros((len(steps), 1)), np.cumsum(np.nan_to_num(steps), axis=1)], axis=1)


def check_accumulated(effect: Effect) -> AccumulatedEffect:
    """Check that an effect is the accumulated effect of one feature."""
    if not isinstance(effect, AccumulatedEffect):
        raise InputTypeError(
            f"bounds are for partial, conditional and one-feature accumulated effects, got {type(effect).__name__}"
        )
    return effect


STEPS = 100


def window_range(values: Floats, mass: Floats, epsilon: float) -> tuple[float, float]:
    """Bound Σ w v / Σ w over a window's rows, over every reweighting of all rows within total variation ε.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Answers in the window.
    mass : ndarray of shape (k,)
        Mass of the window's rows, all rows together having 1.
    epsilon : float
        In [0, 1].

    Returns
    -------
    lower, upper : float
        Attained; NaN where the window has no mass.

    Notes
    -----
    The ratio exceeds t exactly where Σ w u > 0 for some w, u = v − t in the window and 0 outside it, a linear
    problem answered by a sort. Replacing t by the ratio of its solution climbs to the maximum in finitely many
    steps (Dinkelbach, "On nonlinear fractional programming", 1967).
    """
    return -_highest_ratio(-values, mass, epsilon), _highest_ratio(values, mass, epsilon)


def _highest_ratio(values: Floats, mass: Floats, epsilon: float) -> float:
    inside = float(mass.sum())
    if inside <= 0:
        return float("nan")
    order = np.argsort(values, kind="stable")
    v, m = values[order], mass[order]
    below = np.concatenate([[0.0], np.cumsum(m)])
    sums = np.concatenate([[0.0], np.cumsum(m * v)])
    outside = max(0.0, 1.0 - inside)
    ratio = float(sums[-1] / inside)
    for _ in range(STEPS):
        # mass is taken from rows below the ratio, then from outside, then from the rows above it
        low = float(below[np.searchsorted(v, ratio, side="left")])
        from_low = min(epsilon, low)
        from_outside = min(epsilon - from_low, outside)
        from_high = min(epsilon - from_low - from_outside, inside - low)
        removed = from_low + from_high  # both from the lowest values up
        remaining = float(sums[-1] - np.interp(removed, below, sums))
        added = from_low + from_outside + from_high
        better = (remaining + added * float(v[-1])) / (inside + from_outside)
        if better <= ratio:
            break
        ratio = better
    return ratio
