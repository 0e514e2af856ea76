"""Rows far off in several columns at once: coordinates in which they lie along axes, and whether columns depend.

Where a row holds 1e9 in two columns, its exponent is the difference of two numbers of a billion, and the digits that
are left do not tell its weight. In coordinates that it is far off in but one of, nothing cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.far_values import find_far_values
from tauscope.stress.joint.dual import GAP, MomentSummary
from tauscope.words import count

Array = NDArray[np.float64]

BEYOND = 1e3
"""Distance from the target, in deviations, from which on a row is far off."""
REACH = 30.0
"""Distance up to which rows have their whole say in whether columns depend on each other, deviations."""
ROUNDING = 1e-15
"""Of two numbers, up to which their difference is rounding."""


@dataclass(frozen=True)
class Turned:
    """Rows of Φ in other coordinates: u = A (Φ - m), with m where most rows lie.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    axes : ndarray of shape (k, k)
        A.
    summary : MomentSummary
        Of `rows`, each in the spread of most rows or in their distance from the target, where that is larger.
    """

    rows: Array
    target: Array
    axes: Array
    summary: MomentSummary

    def to_phi(self, multipliers: Array) -> Array:
        """Return multipliers of Φ, shape (k,), from those of the coordinates."""
        return multipliers @ self.axes

    def from_phi(self, multipliers: Array) -> Array:
        """Return multipliers of the coordinates, shape (k,), from those of Φ."""
        return np.asarray(np.linalg.solve(self.axes.T, multipliers), dtype=np.float64)


def turn_to_far_rows(phi: Array, target: Array, summary: MomentSummary, share: Array | None = None) -> Turned | None:
    """Find coordinates in which rows far off lie along axes; None where no row is far off in two columns.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    summary : MomentSummary
        Of `phi`; of the bulk where a few values dwarf a column.
    share : ndarray of shape (n_rows,), optional
        Weight of the rows, by which those are chosen that shall lie along axes; all alike by default.

    Returns
    -------
    Turned or None

    Notes
    -----
    Elimination with complete pivoting: of the row farthest off, the column in which it is so is taken from the others
    as often as brings this row to 0 there, at most once, and the same again with what is left.
    """
    spread = summary.sd if summary.spread is None else summary.spread
    reach = np.maximum(summary.high - summary.mean, summary.mean - summary.low)
    if np.count_nonzero(reach > BEYOND * spread) < 2:
        return None
    z = np.asfortranarray((phi - summary.mean) / spread)
    if not (np.count_nonzero(np.abs(z) > BEYOND, axis=1) > 1).any():
        return None
    aim, axes = (target - summary.mean) / spread, np.diag(1 / spread)
    noise = np.zeros(len(target))
    weight = 1.0 if share is None else np.sqrt(share)[:, None]
    left = list(range(len(target)))
    while len(left) > 1:
        distance = np.abs(z[:, left])
        distance = np.where(distance > BEYOND, distance * weight, 0.0)
        row, place = np.unravel_index(int(distance.argmax()), distance.shape)
        if distance[row, place] == 0:
            break
        pivot = left.pop(int(place))
        for j in left:
            times = z[row, j] / z[row, pivot]
            z[:, j] = _subtract(z[:, j], times * z[:, pivot])
            noise[j] += ROUNDING * (abs(aim[j]) + abs(times * aim[pivot])) + abs(times) * noise[pivot]
            aim[j] -= times * aim[pivot]
            axes[j] -= times * axes[pivot]
    return Turned(z, aim, axes, _summarise(z, np.maximum(np.abs(aim), noise / GAP), axes, summary))


def summarise_directions(phi: Array, base: Array | None, summary: MomentSummary) -> MomentSummary:
    """Return a summary that tells whether columns depend on each other; the same one where no row is far off.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    base : ndarray of shape (n_rows,) or None
        Positive, summing to 1; None for 1/n each.
    summary : MomentSummary
        Of `phi` under `base`; of the bulk where a few values dwarf a column.

    Returns
    -------
    MomentSummary
        Mean, covariance and deviations with less weight on rows farther off. Of these alone, or without them, columns
        may look alike that are not: one holds for every row just when it holds for (1, Φ_i) times any number.
    """
    spread = summary.spread
    if spread is None:
        return summary
    z = (phi - summary.mean) / spread
    times = np.minimum(1.0, REACH / np.maximum(np.abs(z).max(axis=1), REACH))
    size = np.sqrt(np.full(len(phi), 1 / len(phi)) if base is None else base) * times
    size = size / np.sqrt(size @ size)
    shrunk = z * size[:, None]
    mean = size @ shrunk
    covariance = shrunk.T @ shrunk - np.outer(mean, mean)
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    if not (deviations > 0).all():
        return summary
    return replace(
        summary,
        mean=summary.mean + spread * mean,
        sd=spread * deviations,
        covariance=covariance * np.outer(spread, spread),
    )


def name_far_values(phi: Array, names: Sequence[str]) -> str:
    """Say which values lie far off all others, and what to do about codes; "" where none do.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    names : sequence of str, length k
        What messages call the columns ("mean of age").

    Returns
    -------
    str
        A sentence and a space.
    """
    found = [
        f"{count(far.n_rows, 'row')} of the {name} with {'up to ' if far.n_values > 1 else ''}{far.value:.10g}"
        for name, column in zip(names, phi.T, strict=True)
        for far in find_far_values(column)
    ]
    if not found:
        return ""
    return f"Far off all others: {', '.join(found)}; replace codes for missing values by NaN. "


def _subtract(a: Array, b: Array) -> Array:
    """Return a - b, and 0 of large numbers that are the same but for rounding."""
    difference = a - b
    same = (np.abs(a) > BEYOND) & (np.abs(difference) <= ROUNDING * (np.abs(a) + np.abs(b)))
    return np.where(same, 0.0, difference)


def _summarise(rows: Array, size: Array, axes: Array, summary: MomentSummary) -> MomentSummary:
    wider = np.maximum(1.0, size)
    # the covariance is that of the widened columns: in units of their own spread first
    unit = np.ones(len(axes)) if summary.spread is None else summary.spread / summary.sd
    covariance = axes @ (summary.covariance * np.outer(unit, unit)) @ axes.T
    return replace(
        summary,
        mean=np.zeros(len(axes)),
        sd=wider,
        spread=np.ones(len(axes)),
        low=rows.min(axis=0),
        high=rows.max(axis=0),
        covariance=covariance * np.outer(wider, wider),
    )
