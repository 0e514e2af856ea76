"""Every index along τ for every column: the engine's answer to one row of sliders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.direct import Rows
from tauscope.stress.indices import Index, Quantities, choose, quantities
from tauscope.stress.intervals import DEGREES, Sums, effective_size, estimate
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sketch import MomentSketch, Scale, choose_bins, sketch
from tauscope.stress.tail import pareto_k, tail_size
from tauscope.stress.target import TauRange, tau_range
from tauscope.stress.tilt import Stack, Tilt, divergence, solve, stack, tilted_sums

Array = NDArray[np.float64]

ACCURACY = 1e-10
"""Relative error bound of the sums above which a tilt is summed over the rows instead."""
CACHE = 150_000
"""Numbers (columns × τ × bins) solved at once."""


@dataclass(frozen=True)
class Curves:
    """Curves of p columns over T values of τ for I indices.

    Attributes
    ----------
    taus : ndarray of shape (T,)
        In [-1, 1], ascending.
    indices : tuple of Index, length I
    target : ndarray of shape (p, T)
        Mean the column was moved to, in the column's unit.
    multiplier : ndarray of shape (p, T)
        ξ of the exponential tilt, per unit of the column; ±inf where the target is the column's extreme.
    value, lower, upper : ndarray of shape (p, I, T)
    ess : ndarray of shape (p, T)
        Effective sample size (Σw)²/Σw², rows.
    pareto_k : ndarray of shape (p, T)
        Pareto k̂ of the largest weights; 0 where the largest weights are all equal.
    kl : ndarray of shape (p, T)
        KL(stressed ‖ unstressed), nats.
    tv : ndarray of shape (p, T)
        Total variation between stressed and unstressed rows, in [0, 1].
    reached : ndarray of shape (p, 2)
        Probability levels of the quantiles that τ = -1 and τ = +1 stand for: (α, 1-α), or the widened ones.
    mean : ndarray of shape (p,)
        Unstressed mean of the observed values of each column.
    n_missing : ndarray of shape (p,)
        Rows without a value; they keep their weight.
    """

    taus: NDArray[np.float64]
    indices: tuple[Index, ...]
    target: NDArray[np.float64]
    multiplier: NDArray[np.float64]
    value: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    ess: NDArray[np.float64]
    pareto_k: NDArray[np.float64]
    kl: NDArray[np.float64]
    tv: NDArray[np.float64]
    reached: NDArray[np.float64]
    mean: NDArray[np.float64]
    n_missing: NDArray[np.int64]


def stress_curves(
    columns: Iterable[Array],
    outcomes: Outcomes,
    *,
    taus: Array,
    alpha: float = 0.05,
    confidence: float = 0.95,
    indices: Sequence[str] | None = None,
    sample_weight: Array | None = None,
) -> Curves:
    """Compute every index along τ for every column: one pass over each column, then its sketch answers.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        float64; NaN marks a row without a value, which keeps its weight while the mean of the others moves.
        The column of a level's share is its indicator.
    outcomes : Outcomes
    taus : ndarray of shape (T,)
        In [-1, 1].
    alpha : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    confidence : float
        Nominal coverage of the intervals, in (0, 1).
    indices : sequence of str or None
        Names as in `tauscope.stress.indices.available`; None for all that are shown by default.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative; multiplies in everywhere.

    Returns
    -------
    Curves

    Raises
    ------
    InputError
        A column with fewer than two different values.
    UnknownName
        An index that the outcomes do not allow.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorems 2.1 and 2.3, §3.
    """
    wanted, every = quantities(outcomes)
    chosen = choose(every, indices)
    taus = np.asarray(taus, np.float64)
    parts: dict[int, Curves] = {}
    waiting: dict[int, list[_Column]] = {}
    for position, values in enumerate(columns):
        column = _read(position, np.asarray(values, np.float64), wanted, taus, alpha, sample_weight)
        same = waiting.setdefault(column.sketch.moments.shape[1], [])
        same.append(column)
        widest = max(len(c.sketch.bins.centres) for c in same)
        if len(same) * len(taus) * widest >= CACHE:
            parts.update(_answer(same, chosen, taus, confidence))
            same.clear()
    for same in waiting.values():
        if same:
            parts.update(_answer(same, chosen, taus, confidence))
    if not parts:
        raise InputError("Curves need at least one column; got none.")
    return _join([parts[i] for i in sorted(parts)])


@dataclass(frozen=True)
class _Column:
    """One column after its pass: where τ leads, its sketch, and its largest and smallest values."""

    position: int
    around: TauRange
    scale: Scale
    targets: Array
    sketch: MomentSketch
    tails: tuple[Array, Array]
    rows: Rows
    n_missing: int


def _read(
    position: int, values: Array, wanted: Quantities, taus: Array, alpha: float, weight: Array | None
) -> _Column:
    missing = np.isnan(values)
    n_missing = int(missing.sum())
    present, present_weight = values, weight
    if n_missing:
        present, present_weight = values[~missing], None if weight is None else weight[~missing]
    around = tau_range(present, alpha, present_weight)
    shifted = present - around.mean
    scale = Scale(around.mean, float(np.sqrt(np.average(shifted**2, weights=present_weight))))
    del shifted
    bins = choose_bins(present, scale, around)
    sums = sketch(values, wanted, bins, scale, weight)
    tails = _tails(present, scale) if weight is None else (np.empty(0), np.empty(0))
    rows = Rows(values, wanted, scale, weight)
    return _Column(position, around, scale, around.target(taus), sums, tails, rows, n_missing)


def _tails(values: Array, scale: Scale) -> tuple[Array, Array]:
    """Return the distances of the smallest and largest values from the next one inside, ascending."""
    m = min(tail_size(len(values)), len(values) - 1)
    parted = np.partition(values, [m, len(values) - m - 1])
    low, high = np.sort(scale(parted[: m + 1])), np.sort(scale(parted[len(values) - m - 1 :]))
    return (low[-1] - low[-2::-1], high[1:] - high[0])


def _answer(
    columns: list[_Column], indices: tuple[Index, ...], taus: Array, confidence: float
) -> dict[int, Curves]:
    together = stack([c.sketch for c in columns])
    targets = np.stack([c.scale(c.targets) for c in columns])
    ends = np.array([[c.around.minimum, c.around.maximum] for c in columns])
    raw = np.stack([c.targets for c in columns])
    extreme = np.where(raw <= ends[:, :1], -1, np.where(raw >= ends[:, 1:], 1, 0)).astype(np.int8)
    tilt = solve(together, targets, extreme)
    sums = _sums(together, tilt, targets)
    kl, tv = divergence(together, tilt, targets)
    xi = tilt.xi.copy()
    for f, t in zip(*np.nonzero(tilt.error > ACCURACY), strict=True):
        xi[f, t], kl[f, t], tv[f, t] = _sum_directly(
            columns[f], extreme[f, t], xi[f, t], targets[f, t], sums, f, t
        )
    estimates = [estimate(index, sums, confidence) for index in indices]
    value, lower, upper = (np.stack([e[j] for e in estimates], 1) for j in range(3))
    ess = effective_size(sums)
    k = np.stack([_pareto_k(c, xi[f]) for f, c in enumerate(columns)])
    return {
        c.position: Curves(
            taus, indices, raw[f], xi[f] / c.scale.unit, value[f], lower[f], upper[f], ess[f], k[f], kl[f], tv[f],
            np.array(c.around.reached), np.array(c.around.mean), np.array(c.n_missing),
        )
        for f, c in enumerate(columns)
    }  # fmt: skip


def _sums(together: Stack, tilt: Tilt, targets: Array) -> Sums:
    powers = [tilted_sums(together, tilt, targets, p, n) for p, n in enumerate(DEGREES, 1)]
    rest = [together.layer(p)[1] / together.total[:, None] ** p for p in (1, 2, 3)]
    one, two, three = (np.repeat(r[:, None, :], targets.shape[1], 1) for r in rest)
    return Sums(powers[0], powers[1], powers[2], powers[3], (one, two, three))


def _sum_directly(
    column: _Column, extreme: int, xi: float, target: float, sums: Sums, f: int, t: int
) -> tuple[float, float, float]:
    """Replace one tilt's sums by those over the rows; return its ξ, KL and total variation."""
    rows = column.rows
    if extreme:
        _, log_weight = rows.at_extreme(column.around.minimum if extreme < 0 else column.around.maximum)
    else:
        xi, log_norm = rows.solve(target, xi)
        log_weight = rows.log_weight(xi, log_norm)
    for tilted, exact in zip(sums[:4], rows.sums(log_weight, target, DEGREES), strict=True):
        tilted[f, t] = exact
    return xi, *rows.divergence(log_weight)


def _pareto_k(column: _Column, xi: Array) -> Array:
    finite = np.where(np.isfinite(xi), xi, 0.0)
    if column.rows.sample_weight is not None:
        return column.rows.pareto_k(finite)
    low, high = column.tails
    return pareto_k(np.where(finite[:, None] < 0, -finite[:, None] * low, finite[:, None] * high))


def _join(parts: list[Curves]) -> Curves:
    def side_by_side(name: str) -> Array:
        return np.stack([getattr(part, name) for part in parts])

    return Curves(
        parts[0].taus,
        parts[0].indices,
        *(side_by_side(name) for name in (
            "target", "multiplier", "value", "lower", "upper", "ess", "pareto_k", "kl", "tv", "reached", "mean",
            "n_missing",
        )),
    )  # fmt: skip
