"""Weighted means over rows that arrive in batches."""

import numpy as np

from tauscope.effects.curves.intervals import Interval, Resampler, mean_bounds, percentile_bounds
from tauscope.weights.arrays import Floats, Ints, sums_by


class StreamingMeans:
    """Running weighted means of many columns, with what their intervals need.

    Add batches of rows in any order; the sums are taken about the first batch's mean, so that a large offset
    costs no digits.
    """

    def __init__(self, interval: Interval, n_rows: int, seed: int | None) -> None:
        self._interval = interval
        self._resampler = None if seed is None else Resampler(n_rows, interval.replicates, seed)
        self.weight = 0.0
        self.n_rows = 0
        self._squares = 0.0
        self._centre: Floats = np.zeros(0)
        self._sum: Floats = np.zeros(0)
        self._sum2: Floats = np.zeros(0)
        self._sum22: Floats = np.zeros(0)
        self._resampled_sum: Floats = np.zeros(0)
        self._resampled_weight: Floats = np.zeros(0)

    def add(self, values: Floats, weights: Floats, slot: Ints | None = None) -> None:
        """Add rows.

        Parameters
        ----------
        values : ndarray of shape (q, u, m)
        weights : ndarray of shape (n_batch,)
        slot : ndarray of shape (n_batch,), optional
            Position among the u of each row's values; None where each row has its own.
        """
        u = values.shape[1]
        first = weights if slot is None else sums_by(slot, weights, u)
        second = weights**2 if slot is None else sums_by(slot, weights**2, u)
        if self._centre.size == 0:
            self._begin(values.mean(axis=1))
        shifted: Floats = values - self._centre[:, None, :]
        self._sum += first @ shifted
        self._sum2 += second @ shifted
        if self._resampler is not None:
            counts = self._resampler.counts(len(weights)) * weights
            if slot is not None:
                counts = np.stack([sums_by(slot, row, u) for row in counts])
            self._resampled_sum += np.moveaxis(counts @ shifted, 1, 0)
            self._resampled_weight += counts.sum(axis=1)
        shifted *= shifted
        self._sum22 += second @ shifted
        self.weight += float(first.sum())
        self._squares += float(second.sum())
        self.n_rows += len(weights)

    def _begin(self, centre: Floats) -> None:
        replicates = self._interval.replicates if self._resampler else 0
        self._centre = centre
        self._sum, self._sum2, self._sum22 = (np.zeros_like(centre) for _ in range(3))
        self._resampled_sum = np.zeros((replicates, *centre.shape))
        self._resampled_weight = np.zeros(replicates)

    def result(self) -> tuple[Floats, Floats, Floats]:
        """Mean, lower and upper ends, each (q, m); NaN where no weight was added."""
        if self._centre.size == 0:
            raise RuntimeError("no rows were added")
        if self.weight == 0:
            empty = np.full(self._centre.shape, np.nan)
            return empty, empty.copy(), empty.copy()
        shift = self._sum / self.weight
        mean = self._centre + shift
        if self._resampler is not None:
            used = self._resampled_weight > 0
            resampled = self._centre + self._resampled_sum[used] / self._resampled_weight[used, None, None]
            return mean, *percentile_bounds(resampled, self._interval.confidence)
        size = self.weight**2 / self._squares
        spread = (self._sum22 - 2 * shift * self._sum2 + shift**2 * self._squares) / self.weight**2
        variance = spread * (size / (size - 1) if size > 1 else 1.0)
        return mean, *mean_bounds(mean, variance, size, self._interval)
