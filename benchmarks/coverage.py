"""How often 95 % intervals cover the metric of the population, over replications of the rows with the target fixed."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import expon, norm

from report import Row
from tauscope.stress.curves import Curves, stress_curves
from tauscope.stress.outcomes import Outcomes

N_ROWS, REPLICATIONS = 2000, 400
TAUS = np.array([-1.0, -0.5, 0.5, 1.0])
ZEROS = 0.5
TRUSTED_K = 0.5
MOST_MISSED = {0.5: 0.07, 1.0: 0.09}
"""Of shares, by |τ|, where the median Pareto k̂ is at most 0.5."""
NODES = (np.arange(200_000) + 0.5) / 200_000
NOISE = 0.5

Array = np.ndarray


@dataclass(frozen=True)
class Population:
    """A distribution of one feature, and what an exponential tilt of it is, both in closed form.

    Attributes
    ----------
    draw : callable
        Generator and number of rows to values.
    ends : tuple of float
        Targets of τ = -1 and τ = +1.
    mean : float
    tilted : callable
        Target to quantile nodes of the tilted distribution and a weight each.
    """

    draw: Callable[[np.random.Generator, int], Array]
    ends: tuple[float, float]
    mean: float
    tilted: Callable[[float], tuple[Array, Array]]

    def target(self, tau: float) -> float:
        """Return the mean that τ stands for."""
        low, high = self.ends
        return self.mean + tau * (self.mean - low if tau < 0 else high - self.mean)


def _even(values: Array) -> tuple[Array, Array]:
    return values, np.full(len(values), 1 / len(values))


def _inflated(target: float) -> tuple[Array, Array]:
    """Tilt zeros and an exponential part: that one gets rate 1 - ξ, and 1 / (1 - ξ) of the mass it had."""

    def parts(xi: float) -> tuple[float, float]:
        above = (1 - ZEROS) / (1 - xi)
        return ZEROS / (ZEROS + above), 1 - xi

    def mean(xi: float) -> float:
        zero, rate = parts(xi)
        return (1 - zero) / rate

    if target == 0:
        return np.zeros(1), np.ones(1)
    zero, rate = parts(brentq(lambda xi: mean(xi) - target, -1e6, 1 - 1e-9))
    values = expon.ppf(NODES) / rate
    return np.append(values, 0.0), np.append(np.full(len(values), (1 - zero) / len(values)), zero)


def _draw_inflated(rng: np.random.Generator, n: int) -> Array:
    return np.where(rng.random(n) < ZEROS, 0.0, rng.exponential(size=n))


POPULATIONS = {
    "normal": Population(
        lambda rng, n: rng.standard_normal(n),
        (float(norm.ppf(0.05)), float(norm.ppf(0.95))),
        0.0,
        lambda target: _even(norm.ppf(NODES) + target),
    ),
    "exponential": Population(
        lambda rng, n: rng.exponential(size=n),
        (float(expon.ppf(0.05)), float(expon.ppf(0.95))),
        1.0,
        lambda target: _even(expon.ppf(NODES) * target),
    ),
    "zero-inflated": Population(_draw_inflated, (0.0, float(-np.log(0.05 / (1 - ZEROS)))), 1 - ZEROS, _inflated),
}
RESPONSES: dict[str, Callable[[Array], Array]] = {
    "share": lambda x: expit(1.5 * x - 1),
    "linear": lambda x: 1 + x,
    "sine": lambda x: np.sin(2 * x),
}


def measure() -> list[Row]:
    """Share of intervals that miss, per population, response and τ."""
    return [row for name in POPULATIONS for response in RESPONSES for row in _rows(name, response)]


def _rows(name: str, response: str) -> list[Row]:
    population, expected = POPULATIONS[name], RESPONSES[response]
    targets = np.array([population.target(tau) for tau in TAUS])
    truth = np.array([float(weight @ expected(x)) for x, weight in map(population.tilted, targets)])
    rng = np.random.default_rng(0)
    runs = [_curves(population.draw(rng, N_ROWS), expected, response, targets, rng) for _ in range(REPLICATIONS)]
    lower, upper, k, ess = (
        np.array([getattr(run, what).reshape(-1, len(TAUS))[0] for run in runs])
        for what in ("lower", "upper", "pareto_k", "ess")
    )
    answered = np.isfinite(lower) & np.isfinite(upper)
    missed = answered & ((truth < lower) | (truth > upper))
    rows: list[Row] = []
    for t, tau in enumerate(TAUS.tolist()):
        typical = float(np.median(k[:, t]))
        light = answered[:, t] & (k[:, t] <= TRUSTED_K)
        bound = MOST_MISSED[abs(tau)] if response == "share" and typical <= TRUSTED_K else None
        rows.append(
            Row(
                f"intervals that miss, {name}, {response}, τ = {tau:+g}",
                "",
                ours=float(missed[:, t].sum() / max(answered[:, t].sum(), 1)),
                at_most=bound,
                note=f"of {int(answered[:, t].sum())} in {REPLICATIONS} replications of {N_ROWS} rows, nominal .05; "
                f"median ESS {np.median(ess[:, t]):.0f}, median Pareto k̂ {typical:.2f}; "
                f"of the {int(light.sum())} with k̂ ≤ .5 themselves {missed[light, t].mean() if light.any() else 0:.3f} "
                f"miss; truth {truth[t]:.3f}",
            )
        )
    return rows


def _curves(
    x: Array, expected: Callable[[Array], Array], response: str, targets: Array, rng: np.random.Generator
) -> Curves:
    if response == "share":
        outcomes = Outcomes("binary", (rng.random(len(x)) < expected(x)).astype(np.int8), class_names=("0", "1"))
        wanted = "portion_1"
    else:
        outcomes = Outcomes("regression", expected(x) + NOISE * rng.standard_normal(len(x)))
        wanted = "mean"
    return stress_curves([x], outcomes, taus=TAUS, targets=targets[None], metrics=[wanted])
