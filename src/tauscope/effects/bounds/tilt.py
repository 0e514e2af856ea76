"""The reweighting within a Kullback-Leibler distance whose mean is highest: an exponential tilt of the values."""

from dataclasses import dataclass

import numpy as np

from tauscope.effects.arrays import Bools, Floats

STEPS = 200
LEAP = 1e3  # times the tilt: a longer step of Newton's is not believed
TOLERANCE = 1e-13  # of the distance asked for


@dataclass(frozen=True)
class Tilt:
    """Weights w ∝ b·exp(ηv).

    Attributes
    ----------
    mass : ndarray of shape (n,)
        Sum 1.
    mean : float
        Of the values under `mass`.
    distance : float
        KL(w ‖ b), nats.
    """

    mass: Floats
    mean: float
    distance: float


def highest_tilt(values: Floats, base: Floats, rho: float) -> Tilt:
    """Find the weights within KL ≤ rho of the base whose mean of the values is highest.

    Parameters
    ----------
    values : ndarray of shape (n,)
    base : ndarray of shape (n,)
        Non-negative; scaled to sum 1.
    rho : float
        Nats, not negative. From −log of the base mass on the highest value on, all mass moves there.

    Returns
    -------
    Tilt

    Notes
    -----
    sup {Σ w v : KL(w ‖ b) ≤ ρ} is attained by w ∝ b exp(ηv), η ≥ 0 with KL = ρ. KL(η) = η m(η) − log Z(η) rises
    with η, its derivative being η Var(η); the root of √(2 KL) − √(2ρ), nearly linear in η, is found by Newton's
    steps kept inside a bracket.
    """
    used = base > 0
    b, v = base[used] / base[used].sum(), values[used]
    top = float(v.max())
    scale = top - float(v.min())
    mean = float(b @ v)
    if scale == 0 or rho == 0:
        return Tilt(base / base.sum(), mean, 0.0)
    x = (v - mean) / scale
    highest = x == x.max()  # values that differ by less than a rounding of their spread are one
    limit = -float(np.log(b[highest].sum()))
    if rho >= limit:
        return _spread(used, np.where(highest, b, 0.0) / b[highest].sum(), top, limit)
    target = np.sqrt(2 * rho)
    low, high = 0.0, np.inf
    eta = target / np.sqrt(float(b @ x**2))
    mass, moment, distance = _tilted(b, x, eta)
    for _ in range(STEPS):
        gap = np.sqrt(2 * distance) - target
        if abs(gap) <= TOLERANCE * target:
            break
        low, high = (low, eta) if gap > 0 else (eta, high)
        variance = float(mass @ (x - moment) ** 2)
        slope = eta * variance / np.sqrt(2 * distance) if distance > 0 else 0.0
        usable = abs(gap) < slope * LEAP * eta
        step = eta - gap / slope if usable else np.inf
        if not low < step < high:
            step = _between(low, high)
        if step == eta:
            break
        eta = step
        mass, moment, distance = _tilted(b, x, eta)
    return _spread(used, mass, mean + scale * moment, distance)


def _between(low: float, high: float) -> float:
    """Choose a point inside a bracket whose ends may be magnitudes apart."""
    if np.isinf(high):
        return 2 * low
    if high > 4 * low:
        return float(np.sqrt(low) * np.sqrt(high)) if low > 0 else high / 1024
    return (low + high) / 2


def _tilted(b: Floats, x: Floats, eta: float) -> tuple[Floats, float, float]:
    raised = eta * (x - x.max())
    weights = b * np.exp(raised)
    total = float(weights.sum())
    mass = weights / total
    moment = float(mass @ x)
    # η m − log Z, each term about the highest value
    return mass, moment, max(0.0, float(mass @ raised) - float(np.log(total)))


def _spread(used: Bools, mass: Floats, mean: float, distance: float) -> Tilt:
    everyone = np.zeros(len(used))
    everyone[used] = mass
    return Tilt(everyone, mean, distance)
