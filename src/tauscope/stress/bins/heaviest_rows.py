"""The heaviest rows of a weighted column under any of its tilts, kept one by one: Pareto k̂ is fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HeaviestRows:
    """Rows that can be among the heaviest under some tilt v e^{ξx} of the column.

    Attributes
    ----------
    values, logs : ndarray of shape (K,)
        The column's value and the log weight of each.
    missing : ndarray of shape (k,)
        The largest log weights of rows without a value.
    n, n_missing : int
        Rows of weight above zero that have a value, and that have none.
    """

    values: Array
    logs: Array
    missing: Array
    n: int
    n_missing: int

    @classmethod
    def of(cls, values: Array, weight: Array) -> "HeaviestRows":
        """Keep all rows of a chunk; NaN marks one without a value."""
        counted = weight > 0
        values, logs = values[counted], np.log(weight[counted])
        missing = np.isnan(values)
        return cls(values[~missing], logs[~missing], logs[missing], int((~missing).sum()), int(missing.sum()))

    def __add__(self, other: "HeaviestRows") -> "HeaviestRows":
        """Return the rows of both; more than can be among the heaviest of them together."""
        return HeaviestRows(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.logs, other.logs]),
            np.concatenate([self.missing, other.missing]),
            self.n + other.n,
            self.n_missing + other.n_missing,
        )

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_], n_heaviest: int) -> "HeaviestRows":
        """Return some of the rows, and the `n_heaviest` heaviest of those without a value."""
        missing = self.missing
        if len(missing) > n_heaviest:
            missing = np.partition(missing, len(missing) - n_heaviest)[len(missing) - n_heaviest :]
        return HeaviestRows(self.values[rows], self.logs[rows], missing, self.n, self.n_missing)

    def keep_by_value(self, n_heaviest: int) -> "HeaviestRows":
        """Keep the heaviest rows of each value."""
        order = np.lexsort([-self.logs, self.values])
        ordered = self.values[order]
        start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else np.zeros(0, np.intp)
        rank = np.arange(len(order)) - np.repeat(start, np.diff(np.append(start, len(order))))
        return self.take(order[rank < n_heaviest], n_heaviest)

    def keep_by_tilt(self, z: Array, breakpoints: Sequence[float], n_heaviest: int) -> "HeaviestRows":
        """Keep the rows that can be among the heaviest for a multiplier between the first and the last of some.

        Parameters
        ----------
        z : ndarray of shape (K,)
            Standardised values.
        breakpoints : sequence of float
            Ascending multipliers ξ.
        n_heaviest : int
            Rows that count as the heaviest.

        Notes
        -----
        log v + ξ(z - c) is linear in ξ: over a stretch it lies between its values at the ends. What lies, at its
        higher end, below `n_heaviest` rows at their lower ends is never among the heaviest, for any c.

        Some 3 to 5 % of the rows are kept, so that k̂ is that of all rows.
        """
        n = len(z)
        if n <= n_heaviest:
            return self.take(np.ones(n, np.bool_), n_heaviest)
        selected = np.zeros(n, np.bool_)
        for a, b in pairwise(breakpoints):
            # c is free, as all weights scale alike: about the middle of the heaviest rows the two ends differ least,
            # and the fewest rows pass the bound
            heaviest = np.argpartition(self.logs + (a + b) / 2 * z, n - n_heaviest)[n - n_heaviest :]
            deviation = z - np.median(z[heaviest])
            first, last = self.logs + a * deviation, self.logs + b * deviation
            bound = np.partition(np.minimum(first, last), n - n_heaviest)[n - n_heaviest]
            selected |= np.maximum(first, last) >= bound
        return self.take(selected, n_heaviest)

    def rename_values(self, values: Array, new_values: Array) -> "HeaviestRows":
        """Return the same with `values` renamed to `new_values`, entry by entry."""
        order = np.argsort(values, kind="stable")
        renamed = new_values[order][np.searchsorted(values[order], self.values)] if len(values) else self.values
        return HeaviestRows(renamed, self.logs, self.missing, self.n, self.n_missing)

    def of_indicator(self, inside: NDArray[np.bool_] | None) -> "HeaviestRows":
        """Return the rows of the column that is 1 for some of them; None: for those without a value."""
        indicator = np.zeros(len(self.values), np.bool_) if inside is None else inside
        values = np.concatenate(
            [indicator.astype(np.float64), np.full(len(self.missing), 1.0 if inside is None else 0.0)]
        )
        return HeaviestRows(values, np.concatenate([self.logs, self.missing]), np.zeros(0), self.n + self.n_missing, 0)

    def tail(self, z: Array, xi: Array, log_weight: Sequence[float]) -> tuple[Array, Array]:
        """Return the largest weights v e^{ξz} as `pareto_k` takes them, a row for each ξ.

        Parameters
        ----------
        z : ndarray of shape (K,)
            Standardised values.
        xi : ndarray of shape (T,)
        log_weight : sequence of float, length T
            log Σ v e^{ξz} over all rows with a value.
        """
        m = min(tail_size(self.n), self.n - 1)
        excess, cut = np.empty((len(xi), m)), np.empty(len(xi))
        for t, each in enumerate(xi):
            logs = self.logs + each * z
            largest = np.sort(np.partition(logs, len(logs) - m - 1)[len(logs) - m - 1 :])
            excess[t] = largest[1:] - largest[0]
            cut[t] = np.exp(largest[0] - log_weight[t])
        return excess, cut
