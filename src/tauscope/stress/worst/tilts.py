"""The family of tilts of some means: what each does to a metric, to the means, and how far it is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.products import of_rows, over_rows
from tauscope.weights.measures import total_variation_of_shares

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Measure = Callable[[Array], tuple[float, Array]]
"""Shares of the weight of the rows to a metric and each row's influence on it."""

LEAST_VARIANCE = 1e-10
"""Of correlated columns, in the largest's: directions with less are none but rounding."""


@dataclass(frozen=True)
class TiltPoint:
    """One tilt, derivatives by its multipliers.

    Attributes
    ----------
    multipliers : ndarray of shape (r,)
        Of the whitened columns.
    share : ndarray of shape (n_rows,)
        Sum 1.
    value : float
        Of the metric; NaN where it is not defined.
    slope : ndarray of shape (r,)
        Of the metric.
    kl, tv : float
    kl_slope, tv_slope : ndarray of shape (r,)
        The latter where no row keeps its weight exactly.
    means : ndarray of shape (r,)
        Of the whitened columns.
    """

    multipliers: Array
    share: Array
    value: float
    slope: Array
    kl: float
    kl_slope: Array
    tv: float
    tv_slope: Array
    means: Array


class TiltFamily:
    """Weights b exp⟨ξ, Φ⟩ / Z of given rows, by the multipliers of columns made uncorrelated.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
        Finite, none constant; columns may follow from others.
    base : ndarray of shape (n_rows,)
        Non-negative, sum 1.
    measure : callable
        The metric.

    Attributes
    ----------
    sd : ndarray of shape (k,)
        Standard deviations of `phi` under `base`.
    loadings : ndarray of shape (r, k)
        Turn means of the whitened columns into those of `phi`, in standard deviations.
    n_free : int
        Directions in which means can move, r.
    """

    def __init__(self, phi: Array, base: Array, measure: Measure) -> None:
        self.base, self.measure = base, measure
        centred = phi - np.einsum("i,ij->j", base, phi)
        self.sd = np.sqrt(np.einsum("i,ij->j", base, centred**2))
        centred /= self.sd
        centred[base == 0] = 0.0  # what weighs nothing may lie anywhere, and is not to lift the largest weight
        weighted = np.ascontiguousarray((centred * base[:, None]).T)
        values, vectors = np.linalg.eigh(over_rows(weighted, np.ascontiguousarray(centred.T)))
        free = values > LEAST_VARIANCE * values[-1]
        # y has covariance 1 before the tilt, and z = y · loadings, the columns in standard deviations
        self.loadings = np.sqrt(values[free])[:, None] * vectors[:, free].T
        self._rows = of_rows(np.ascontiguousarray(centred), vectors[:, free] / np.sqrt(values[free]))
        self._columns = np.ascontiguousarray(self._rows.T)
        self.n_free = int(np.count_nonzero(free))
        self._last: TiltPoint | None = None

    def at(self, multipliers: Array) -> TiltPoint:
        """Evaluate one tilt; the last one asked for is kept."""
        if self._last is not None and np.array_equal(self._last.multipliers, multipliers):
            return self._last
        logs = of_rows(self._rows, multipliers[:, None])[:, 0]
        # of rows that weigh something: a higher peak of others would leave these no weight at all
        peak = float(logs.max(where=self.base > 0, initial=-np.inf))
        weight = self.base * np.exp(np.minimum(logs - peak, 0.0))
        total = float(weight.sum())
        share = weight / total
        mean_log = float(np.sum(share * logs))
        value, influence = self.measure(share)
        signed = 0.5 * np.sign(share - self.base) * share
        left = np.stack([share, share * influence, share * (logs - mean_log), signed])
        means, of_value, of_kl, of_tv = over_rows(left, self._columns)
        self._last = TiltPoint(
            multipliers=multipliers.copy(),
            share=share,
            value=value,
            slope=of_value - float(left[1].sum()) * means,
            kl=max(mean_log - peak - float(np.log(total)), 0.0),
            kl_slope=of_kl,
            tv=total_variation_of_shares(share, self.base),
            tv_slope=of_tv - float(signed.sum()) * means,
            means=means,
        )
        return self._last

    def shifts(self, point: TiltPoint, columns: Ints | slice = slice(None)) -> Array:
        """Return how far means have moved, in standard deviations of the rows before."""
        return point.means @ self.loadings[:, columns]

    def shift_slopes(self, point: TiltPoint, columns: Ints | slice = slice(None)) -> Array:
        """Return the derivative of `shifts`, shape (n_columns, r)."""
        return self.loadings[:, columns].T @ self.covariance(point)

    def covariance(self, point: TiltPoint) -> Array:
        """Return the covariance of the whitened columns under a tilt."""
        return over_rows(self._columns * point.share, self._columns) - np.outer(point.means, point.means)
