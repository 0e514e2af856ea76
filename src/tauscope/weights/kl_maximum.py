"""The reweighting within a Kullback-Leibler distance whose mean is highest: an exponential tilt of the values."""

from dataclasses import dataclass

import numpy as np

from tauscope.weights.arrays import Bools, Floats

STEPS = 200
LEAP = 1e3  # times the tilt: a longer step of Newton's is not believed
TOLERANCE = 1e-12  # of the distance's root; the mean is then off by 1e-12 of the values' spread at most


@dataclass(frozen=True)
class KLMaximum:
    """The reweighting within a KL distance that has the highest mean: w ∝ b·exp(ηv).

    Attributes
    ----------
    mass : ndarray of shape (n,)
        Sum 1.
    mean : float
        Of the values under `mass`.
    distance : float
        KL(w ‖ b), nats.
    multiplier : float
        η per unit of the values; 0 where nothing moves, ∞ where all mass is on the highest value.
    """

    mass: Floats
    mean: float
    distance: float
    multiplier: float


def maximize_mean(values: Floats, base: Floats, rho: float) -> KLMaximum:
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
    KLMaximum

    Notes
    -----
    sup {Σ w v : KL(w ‖ b) ≤ ρ} is attained by w ∝ b exp(ηv), η ≥ 0 with KL = ρ. KL(η) = η m(η) − log Z(η) rises
    with η, its derivative being η Var(η); the root of √(2 KL) − √(2ρ), nearly linear in η, is found by Newton's
    steps kept inside a bracket.
    """
    maximizer = _KLMaximizer(base, rho)
    mean, distance = maximizer.highest(values)
    return KLMaximum(maximizer.mass(), mean, distance, maximizer.multiplier)


def maximize_means(values: Floats, base: Floats, rho: float) -> Floats:
    """Highest mean within KL ≤ rho of each of several quantities (n, m) of the rows: shape (m,).

    Neighbours are alike on a grid, so that each search starts where the last one ended.
    """
    maximizer = _KLMaximizer(base, rho)
    return np.array([maximizer.highest(column)[0] for column in np.ascontiguousarray(values.T)])


class _KLMaximizer:
    """Tilts of one base by one distance: arrays made once, and the last multiplier to start from.

    All sums are about the highest value, where a strong tilt puts its mass.
    """

    def __init__(self, base: Floats, rho: float) -> None:
        self._used: Bools = base > 0
        self._all_used = bool(self._used.all())
        self._total = base / base.sum()
        self._base = self._total if self._all_used else self._total[self._used]
        self._uniform = bool(np.all(self._base == self._base[0]))
        self._rho = rho
        self._eta: float | None = None
        self._below = np.empty(len(self._base))
        self._mass = np.empty_like(self._below)
        self._product = np.empty_like(self._below)
        self._sum = 1.0
        self._solved = False
        self._limit: Bools | None = None
        self.multiplier = 0.0

    def highest(self, values: Floats) -> tuple[float, float]:
        """Highest mean of the values (n,), and how far the weights are from the base."""
        v = values if self._all_used else values[self._used]
        top = float(v.max())
        scale = top - float(v.min())
        self._solved, self._limit, self.multiplier = False, None, 0.0
        if scale == 0 or self._rho == 0:
            return float(self._base @ v), 0.0
        below = np.subtract(v, top, out=self._below)
        below /= scale
        highest = below > -np.finfo(float).eps  # values that differ by less than a rounding of their spread are one
        top_mass = float(self._base[highest].sum())
        if self._rho >= -np.log(top_mass):
            self._limit, self.multiplier = highest, float("inf")
            return top, -float(np.log(top_mass))
        moment, distance = self._search()
        self._solved, self.multiplier = True, float(self._eta or 0.0) / scale
        return top + scale * moment, distance

    def mass(self) -> Floats:
        """Weights of the last search, shape (n,), sum 1."""
        if self._limit is not None:
            at_top = np.where(self._limit, self._base, 0.0)
            mass = at_top / at_top.sum()
        elif self._solved:
            mass = self._mass / self._sum
        else:
            return self._total.copy()
        full = np.zeros(len(self._used))
        full[self._used] = mass
        return full

    def _search(self) -> tuple[float, float]:
        """Find the multiplier; the mean above which the distance is met, in the values' spread, and the distance."""
        target = float(np.sqrt(2 * self._rho))
        low, high = 0.0, np.inf
        eta = self._eta
        if eta is None:
            mean = float(self._base @ self._below)
            spread = float(np.sqrt(max(self._base @ (self._below - mean) ** 2, np.finfo(float).tiny)))
            eta = target / spread
        moment, variance, distance = self._evaluate(eta)
        for _ in range(STEPS):
            gap = np.sqrt(2 * distance) - target
            if abs(gap) <= TOLERANCE * target:
                break
            low, high = (low, eta) if gap > 0 else (eta, high)
            slope = eta * variance / np.sqrt(2 * distance) if distance > 0 else 0.0
            usable = abs(gap) < slope * LEAP * eta
            step = eta - gap / slope if usable else np.inf
            if not low < step < high:
                step = _between(low, high)
            if step == eta:
                break
            eta = step
            moment, variance, distance = self._evaluate(eta)
        self._eta = eta
        return moment, distance

    def _evaluate(self, eta: float) -> tuple[float, float, float]:
        """Mean and variance of the values below the highest under the tilt, and its distance."""
        mass = np.multiply(self._below, eta, out=self._mass)
        np.exp(mass, out=mass)
        mass *= self._base[0] if self._uniform else self._base
        total = self._sum = float(mass.sum())
        # sums, not dot products: those of this size wake other threads and wait for them
        product = np.multiply(mass, self._below, out=self._product)
        moment = float(product.sum()) / total
        product *= self._below
        variance = max(0.0, float(product.sum()) / total - moment**2)
        return moment, variance, max(0.0, eta * moment - float(np.log(total)))


def _between(low: float, high: float) -> float:
    """Choose a point inside a bracket whose ends may be magnitudes apart."""
    if np.isinf(high):
        return 2 * low
    if high > 4 * low:
        return float(np.sqrt(low) * np.sqrt(high)) if low > 0 else high / 1024
    return (low + high) / 2
