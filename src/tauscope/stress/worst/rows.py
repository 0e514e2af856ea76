"""The worst reweighting of single rows within a distance: exact for means, roots of means, and ratios of them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from tauscope.weights.kl_maximum import maximize_mean
from tauscope.weights.tv_maximum import tv_maximum

Array = NDArray[np.float64]
DistanceKind = Literal["tv", "kl"]

STEPS = 100
LEAST = 1e-12
"""Share of the rows, or of their weight, below which it is rounding."""
CLIMBED = 1e-14
"""Gain of a ratio, of its own size, that is rounding."""


@dataclass(frozen=True)
class Distance:
    """How far weights may be from those the rows have.

    Attributes
    ----------
    kind : {"tv", "kl"}
        Total variation, in [0, 1], or KL(worst ‖ present), nats.
    limit : float
    """

    kind: DistanceKind
    limit: float


@dataclass(frozen=True)
class Parts:
    """A metric as (Σ w top / Σ w bottom), over cells or values that rows share.

    Attributes
    ----------
    top, bottom : ndarray of shape (n_parts,)
    centre, unit : float
        The metric is centre + unit · ratio, or centre + unit · √ratio.
    root : bool
    """

    top: Array
    bottom: Array
    centre: float = 0.0
    unit: float = 1.0
    root: bool = False

    def value(self, ratio: float) -> float:
        """Return the metric from the ratio."""
        return self.centre + self.unit * (float(np.sqrt(max(ratio, 0.0))) if self.root else ratio)

    def slope(self, ratio: float) -> float:
        """Return how the metric follows the ratio."""
        return self.unit * (0.5 / float(np.sqrt(ratio)) if ratio > 0 else 0.0) if self.root else self.unit


@dataclass(frozen=True)
class Extreme:
    """The worst reweighting of parts.

    Attributes
    ----------
    value : float
        Of the metric.
    factor : ndarray of shape (n_parts,)
        What each row's weight is multiplied by.
    influence : ndarray of shape (n_parts,)
        What a row adds to the value: 0 on average over the rows as they are.
    """

    value: float
    factor: Array
    influence: Array


def worst_of_parts(parts: Parts, mass: Array, distance: Distance, sign: float) -> Extreme:
    """Find the reweighting within a distance whose metric is highest, or lowest.

    Parameters
    ----------
    parts : Parts
    mass : ndarray of shape (n_parts,)
        Of the rows as they are, sum 1; some of it below the line.
    distance : Distance
    sign : float
        +1 for the highest value, -1 for the lowest.

    Returns
    -------
    Extreme

    Notes
    -----
    max {Σ w top / Σ w bottom} exceeds r exactly where max Σ w (top - r bottom) > 0, whose maximum over a ball of total
    variation is a sort and over one of Kullback-Leibler a tilt of that quantity u; replacing r by the ratio of the
    maximiser climbs to the maximum (Dinkelbach). The value's influence is that of max Σ w u at its maximiser, by the
    envelope theorem, over Σ w bottom: (L - 1) / η for KL, L the likelihood ratio and η the multiplier; (u - q)₊ less
    its mean for TV, q the ε quantile of u, the highest u being taken as known.

    References
    ----------
    Dinkelbach, "On nonlinear fractional programming", Management Science 13, 1967.
    Ben-Tal, den Hertog, De Waegenaere, Melenberg, Rennen, "Robust solutions of optimization problems affected by
    uncertain probabilities", Management Science 59, 2013.
    """
    used = mass > 0
    top, bottom, base = parts.top[used], parts.bottom[used], mass[used] / mass[used].sum()
    ratio = float(base @ top) / float(base @ bottom)
    best, multiplier = base, 0.0
    for _ in range(STEPS):
        found, eta = _maximum(sign * (top - ratio * bottom), base, distance)
        under = float(found @ bottom)
        if not under > 0:
            break
        better = float(found @ top) / under
        if not sign * (better - ratio) > CLIMBED * max(abs(ratio), abs(better)):
            # of u at the ratio reached, so that the multiplier is that of the weights
            best, multiplier = (found, eta) if sign * (better - ratio) >= 0 else (best, multiplier)
            break
        ratio, best, multiplier = better, found, eta
    u = sign * (top - ratio * bottom)
    influence = sign * _influence(u, base, best, multiplier, distance) / float(best @ bottom)
    factor, moved = np.zeros(len(mass)), np.zeros(len(mass))
    factor[used], moved[used] = best / base, parts.slope(ratio) * influence
    return Extreme(parts.value(ratio), factor, moved)


def edge_value(
    parts: Parts, mass: Array, distance: Distance, sign: float, extreme: Extreme, n_rows: float, confidence: float
) -> float:
    """Return a worst rate that the population may well have beside the sample's, where an edge is between the two.

    Parameters
    ----------
    parts, mass, distance, sign
        As `worst_of_parts` takes them, of a rate.
    extreme : Extreme
        What it gives.
    n_rows : float
        Effective rows of the sample.
    confidence : float

    Returns
    -------
    float
        What an interval has to hold besides; NaN where no edge is near.

    Notes
    -----
    At two edges the worst rate does not follow the rows smoothly. Where none of them is of the worse kind nothing can
    be moved to it, but a population that has a few of it has all that the distance moves: as many are added as none
    in n rows leaves possible. And it is 0 or 1 from where the distance removes all rows of the better kind: with
    Clopper and Pearson's ends of their share it may stop short of that, or come to it.
    """
    most = (1 + sign) / 2
    better = (mass > 0) & (parts.top != most * parts.bottom)
    share, tail = float(mass[better].sum() / mass.sum()), 0.5 - confidence / 2
    needed = _to_remove(share, distance)
    if abs(extreme.value - most) <= LEAST:
        more = _to_remove(float(betaincinv(share * n_rows + 1, max((1 - share) * n_rows, LEAST), 1 - tail)), distance)
        if share == 0 or more <= distance.limit:
            return np.nan
        return worst_of_parts(parts, mass, Distance(distance.kind, max(distance.limit - more + needed, 0)), sign).value
    if np.abs(extreme.factor[mass > 0] - 1).max() <= LEAST:
        unseen = 1 - tail ** (1 / n_rows)
        top, bottom = np.append(parts.top, most), np.append(parts.bottom, 1.0)
        with_unseen = np.append(mass * ((1 - unseen) / mass.sum()), unseen)
        return worst_of_parts(Parts(top, bottom), with_unseen, distance, sign).value
    fewer = float(betaincinv(share * n_rows, (1 - share) * n_rows + 1, tail))
    return most if _to_remove(fewer, distance) <= distance.limit else np.nan


def _to_remove(share: float, distance: Distance) -> float:
    """Return the distance that removes rows of some share of the weight."""
    return share if distance.kind == "tv" else -float(np.log1p(-min(share, 1 - LEAST)))


def _maximum(values: Array, base: Array, distance: Distance) -> tuple[Array, float]:
    if distance.kind == "tv":
        return tv_maximum(values, base, distance.limit), 0.0
    found = maximize_mean(values, base, distance.limit)
    return found.mass, found.multiplier


def _influence(u: Array, base: Array, best: Array, multiplier: float, distance: Distance) -> Array:
    if distance.limit == 0:
        raw = u
    elif distance.kind == "kl":
        raw = best / base / multiplier if 0 < multiplier < np.inf else np.zeros(len(u))
    else:
        order = np.argsort(u, kind="stable")
        place = int(np.searchsorted(np.cumsum(base[order]), distance.limit * (1 - 1e-12)))
        raw = np.maximum(u - u[order[min(place, len(u) - 1)]], 0.0)
    return raw - float(base @ raw)
