"""Sets of reweightings, and the extreme means over each: exact, attained, with the weights that attain them."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.effects.curves.sorted_means import SortedMeans
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_share
from tauscope.weights.kl_maximum import maximize_mean, maximize_means
from tauscope.weights.tv_maximum import tv_maximum

Side = Literal["lower", "upper"]


class Ball(Protocol):
    """Every reweighting of the rows within some distance of the weights they have."""

    @property
    def label(self) -> str:
        """The set, in words."""
        ...

    def means(self, values: Floats, base: Floats, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Lowest and highest weighted means of each of m quantities of the rows.

        Parameters
        ----------
        values : ndarray of shape (n, m)
        base : ndarray of shape (n,)
            Weights of the rows, non-negative.
        extremes : (float, float) or None
            Lowest and highest answers of the model anywhere, for the sets that may replace rows by others.

        Returns
        -------
        lower, upper : ndarray of shape (m,)
            Attained, for each quantity separately.
        """
        ...

    def weights(self, values: Floats, base: Floats, side: Side) -> Floats:
        """Weights (n,), mean 1, that attain the lowest or highest mean of one quantity (n,)."""
        ...


@dataclass(frozen=True)
class TotalVariation:
    """Reweightings that move at most a share ε of the mass: ½ Σ|w − b| ≤ ε.

    Attributes
    ----------
    epsilon : float
        In [0, 1].

    Notes
    -----
    The highest mean takes ε of mass from the lowest values and puts it on the highest. With `extremes` the mass
    moved may leave the rows: the bound then covers replacing a share ε of the rows by any others.
    """

    epsilon: float

    def __post_init__(self) -> None:
        check_share(self.epsilon, "epsilon")

    @property
    def label(self) -> str:
        """The set, in words."""
        return f"every reweighting of these rows within total variation {self.epsilon:g}"

    def means(self, values: Floats, base: Floats, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Lowest and highest means of each quantity, shape (m,)."""
        return self.means_of(SortedMeans(values, base), extremes)

    def means_of(self, values: SortedMeans, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Give the same from values sorted before."""
        lower, upper = values.tv_range(np.array([float(self.epsilon)]), extremes)
        return lower[0], upper[0]

    def weights(self, values: Floats, base: Floats, side: Side) -> Floats:
        """Weights that attain the lowest or highest mean of one quantity."""
        return tv_maximum(values if side == "upper" else -values, base, self.epsilon) * len(values)


@dataclass(frozen=True)
class KullbackLeibler:
    """Reweightings with KL(w ‖ b) ≤ ρ.

    Attributes
    ----------
    rho : float
        Nats, not negative.
    """

    rho: float

    def __post_init__(self) -> None:
        if not 0 <= self.rho < np.inf:
            raise InputError(f"rho must be a finite number of nats, not negative, got {self.rho}")

    @property
    def label(self) -> str:
        """The set, in words."""
        return f"every reweighting of these rows within {self.rho:g} nats of Kullback-Leibler divergence"

    def means(self, values: Floats, base: Floats, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Lowest and highest means of each quantity, shape (m,)."""
        _no_extremes(extremes)
        return -maximize_means(-values, base, self.rho), maximize_means(values, base, self.rho)

    def weights(self, values: Floats, base: Floats, side: Side) -> Floats:
        """Weights that attain the lowest or highest mean of one quantity."""
        maximum = maximize_mean(values if side == "upper" else -values, base, self.rho)
        return maximum.mass * len(values)


@dataclass(frozen=True)
class DensityRatio:
    """Reweightings in which no row's weight grows more than c times: w ≤ c·b.

    Attributes
    ----------
    cap : float
        c, at least 1; total variation is then at most 1 − 1/c.

    Notes
    -----
    The highest mean is that of the highest 1/c of the mass, the conditional value at risk.
    """

    cap: float

    def __post_init__(self) -> None:
        if not 1 <= self.cap < np.inf:
            raise InputError(f"cap must be at least 1 and finite, got {self.cap}: 2 lets weights double")

    @property
    def label(self) -> str:
        """The set, in words."""
        return f"every reweighting of these rows in which no weight grows more than {self.cap:g} times"

    def means(self, values: Floats, base: Floats, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Lowest and highest means of each quantity, shape (m,)."""
        return self.means_of(SortedMeans(values, base), extremes)

    def means_of(self, values: SortedMeans, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Give the same from values sorted before."""
        _no_extremes(extremes)
        lower, upper = values.ratio_range(np.array([float(self.cap)]))
        return lower[0], upper[0]

    def weights(self, values: Floats, base: Floats, side: Side) -> Floats:
        """Weights that attain the lowest or highest mean of one quantity."""
        falling = -values if side == "upper" else values
        order = np.argsort(falling, kind="stable")
        limit = self.cap * base[order] / base.sum()
        before = np.concatenate([[0.0], np.cumsum(limit)[:-1]])
        return _per_row(np.clip(1.0 - before, 0.0, limit), order)


def _per_row(mass: Floats, order: NDArray[np.intp]) -> Floats:
    weights = np.empty(len(mass))
    weights[order] = mass * len(mass)
    return weights


def _no_extremes(extremes: tuple[float, float] | None) -> None:
    if extremes is not None:
        raise InputError("only total variation covers replaced rows: leave output_range out of this one")
