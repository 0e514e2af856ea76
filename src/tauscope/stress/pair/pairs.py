"""Two columns read together: rows sorted into product bins, with mixed moments that answer every tilt of both.

Σ_i e^{ξ_a a_i + ξ_b b_i} g_i = Σ_B e^{ξ·c_B} Σ_{k+l ≤ M} ξ_a^k ξ_b^l M_{B,kl}[g] / (k! l!), with
M_{B,kl}[g] = Σ_{i∈B} (a_i - c_Ba)^k (b_i - c_Bb)^l g_i, short in each bin by at most a factor
r^{M+1} / (M+1)! · e^r, r = |ξ_a| h_a + |ξ_b| h_b. Where few distinct pairs occur each is a bin, exactly. Else the
bins are those of one column and of what the other has beyond it, so that correlation does not make tilts steep.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import DependentConstraints
from tauscope.stress.column.sketch import Bins, Scale
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.feasibility import independent
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]

FEW_PAIRS = 16_384
"""Distinct pairs up to which each is kept as it is."""
FEW_VALUES = 64
"""Distinct values of one column up to which they are its bins."""
TAIL_BINS, BULK_BINS = 12, 24
"""Bins of a tail and of half the bulk of a column with more."""
DEGREE = 8
"""Largest total degree of the moments kept."""
COARSE = 4
"""Largest degree kept of quantities that serve intervals alone."""
CHUNK = 1 << 16
SAMPLE, MANY_VALUES = 4096, 1024


@dataclass(frozen=True)
class Pairs:
    """Two columns after one reading.

    Attributes
    ----------
    around : pair of TauRange
    scale : pair of Scale
        Standardised units.
    apart : ndarray of shape (2, 2)
        From standardised columns (0 where there is no value) to the coordinates u = z · apartᵀ in which all below is.
    phi : ndarray of shape (n_bins, d)
        What a stress on both means tilts by, at the bins' centres: u, and for a column with gaps whether there is a
        value, so that rows without one keep their share of the weight.
    half : ndarray of shape (n_bins, 2)
        Half-widths; 0 where a bin is one pair.
    centroids : ndarray of shape (n_bins, d)
        Means of the bins' rows.
    degrees : ndarray of shape (n_moments, 2)
        Powers (k, l), in ascending total degree.
    moments : ndarray of shape (layers, n_moments, n_bins, n_sums)
        Sums of v^p (u_1 - c_1)^k (u_2 - c_2)^l g over a bin's rows for powers p = 1 … 4 of the sample weight v; one
        layer where rows are not weighted.
    order : ndarray of shape (n_rows,)
        Rows sorted by bin.
    first : ndarray of shape (n_bins + 1,)
        Where each bin's rows begin in `order`.
    rows : ndarray of shape (n_rows, 2)
        u of the sorted rows.
    weight : ndarray of shape (n_rows,) or None
        Sample weight of the sorted rows.
    gapped : tuple of int
        The columns (0, 1) whose indicator of a value is among `phi`.
    seen : ndarray of shape (2, 2)
        Weight share of rows with a value in each column as α + β·(mean of the other column): β is not 0 only
        where the other column is the share of this one's missing values.
    n_missing : pair of int
    """

    around: tuple[TauRange, TauRange]
    scale: tuple[Scale, Scale]
    apart: Array
    phi: Array
    half: Array
    centroids: Array
    degrees: NDArray[np.int64]
    moments: Array
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    rows: Array
    weight: Array | None
    gapped: tuple[int, ...]
    seen: Array
    n_missing: tuple[int, int]

    @property
    def exact(self) -> bool:
        """Whether every bin is one pair of values."""
        return len(self.degrees) == 1

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.moments[0, 0, :, 0].sum())

    def layer(self, power: int) -> Array:
        """Return the moments under a power of the weights, shape (n_moments, n_bins, n_sums)."""
        return self.moments[min(power, len(self.moments)) - 1]

    def targets(self, a: Array, b: Array) -> Array:
        """Return the means of `phi` that put the columns at given means, in their units; shape (len(a), d)."""
        z = [scale(mean) for scale, mean in zip(self.scale, (a, b), strict=True)]
        seen = [quantile + beta * z[1 - j] for j, (quantile, beta) in enumerate(self.seen.tolist())]
        held = [np.broadcast_to(seen[j], a.shape) for j in self.gapped]
        moved = np.stack([z[0] * seen[0], z[1] * seen[1]], axis=-1) @ self.apart.T
        return np.concatenate([moved, *(each[:, None] for each in held)], axis=1)

    def multipliers(self, xi: Array) -> Array:
        """Return ξ of `phi`, shape (C, d), as multipliers per unit of each column, shape (C, 2)."""
        with np.errstate(invalid="ignore"):
            own = xi[:, :2] if np.array_equal(self.apart, np.eye(2)) else xi[:, :2] @ self.apart
        return own / [scale.unit for scale in self.scale]

    def phi_of(self, rows: slice | NDArray[np.integer], bins: NDArray[np.integer]) -> Array:
        """Return what sorted rows are tilted by, given the bin of each."""
        return np.concatenate([self.rows[rows], self.phi[bins, 2:]], axis=1)


def read_pair(
    columns: Sequence[Array],
    wanted: Quantities,
    *,
    quantile: float = 0.05,
    sample_weight: Array | None = None,
    few_pairs: int = FEW_PAIRS,
) -> Pairs:
    """Sort the rows by the pair's bins and collect what every tilt needs.

    Parameters
    ----------
    columns : two ndarrays of shape (n_rows,)
        NaN marks a row without a value.
    wanted : Quantities
        What to sum.
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    sample_weight : ndarray of shape (n_rows,) or None
        Positive.
    few_pairs : int
        Distinct pairs up to which each is a bin of its own.

    Raises
    ------
    InputError
        For a column with fewer than two different values.
    DependentConstraints
        Where one column is a linear function of the other.
    """
    here = [~np.isnan(column) for column in columns]
    around: list[TauRange] = []
    scale: list[Scale] = []
    for column, present in zip(columns, here, strict=True):
        full = bool(present.all())
        values = column if full else column[present]
        weight = sample_weight if sample_weight is None or full else sample_weight[present]
        around.append(tau_range(values, quantile, weight))
        scale.append(Scale.of(values, around[-1], weight))
    z = np.stack([np.where(seen, s(c), 0.0) for c, s, seen in zip(columns, scale, here, strict=True)], axis=1)
    axes, apart = _axes(z, here, around, scale, quantile, few_pairs)
    order, starts, groups = _sorted(axes, wanted)
    z = (z @ apart.T)[order]
    weight = None if sample_weight is None else sample_weight[order]
    bins, first = _bin_starts(groups, starts, len(order))
    centres = np.stack([axes[j][1].centres[bins[:, j]] for j in (0, 1)], axis=1)
    half = np.stack([axes[j][1].half_widths[bins[:, j]] for j in (0, 1)], axis=1)
    present = np.stack([here[j][order[first[:-1]]] for j in (0, 1)], axis=1)
    centres[~present], half[~present] = 0.0, 0.0
    degree = DEGREE if half.any() else 0
    degrees = np.array([(j, total - j) for total in range(degree + 1) for j in range(total, -1, -1)], np.int64)
    moments = _moments(z, centres, wanted, order, starts, first, groups, degrees, weight)
    centroids, count = centres, moments[0, 0, :, 0]
    if degree:
        centroids = centres + (moments[0, 1:3, :, 0] / count).T
    gapped = _gapped(centroids, present, count)
    indicators = present[:, list(gapped)].astype(np.float64)
    return Pairs(
        around=(around[0], around[1]),
        scale=(scale[0], scale[1]),
        apart=apart,
        phi=np.concatenate([centres, indicators], axis=1),
        half=half,
        centroids=np.concatenate([centroids, indicators], axis=1),
        degrees=degrees,
        moments=moments,
        order=order,
        first=first,
        rows=z,
        weight=weight,
        gapped=gapped,
        seen=_shares_seen(z, [seen[order] for seen in here], weight),
        n_missing=(int((~here[0]).sum()), int((~here[1]).sum())),
    )


def _gapped(centroids: Array, present: NDArray[np.bool_], count: Array) -> tuple[int, ...]:
    """Return the columns whose share of rows with a value does not follow from the means and shares before it."""
    indicators = present.astype(np.float64)
    kept, _ = independent(summarise_moments(np.concatenate([centroids, indicators], axis=1), count / count.sum()))
    if kept[:2] != [0, 1]:
        raise DependentConstraints(
            "A surface needs two columns that can move apart; on these rows one is a linear function of the other. "
            "Choose another column, or take the curve of one."
        )
    return tuple(j - 2 for j in kept[2:])


def _shares_seen(z: Array, here: list[NDArray[np.bool_]], weight: Array | None) -> Array:
    """Return α and β of each column's share of rows with a value, α + β·(mean of the other)."""
    seen = np.array([[1.0, 0.0], [1.0, 0.0]])
    for j in (0, 1):
        if here[j].all():
            continue
        seen[j, 0] = float(np.average(here[j], weights=weight))
        (at, highest), (off, lowest) = (
            (float(z[side, 1 - j].min()), float(z[side, 1 - j].max())) for side in (here[j], ~here[j])
        )
        if here[1 - j].all() and at == highest and off == lowest and at != off:
            seen[j] = -off / (at - off), 1 / (at - off)
    return seen


Axis = tuple[NDArray[np.int64], Bins]


def _axes(
    z: Array,
    here: list[NDArray[np.bool_]],
    around: list[TauRange],
    scale: list[Scale],
    quantile: float,
    few_pairs: int,
) -> tuple[list[Axis], Array]:
    """Choose bins along two coordinates, find the bin of every row (the last: no value), return the coordinates."""
    distinct = [_distinct(z[seen, j], len(z) <= few_pairs) for j, seen in enumerate(here)]
    axes: list[Axis | None] = [None, None]
    for j, values in enumerate(distinct):
        if values is not None:
            codes = np.where(here[j], np.searchsorted(values, z[:, j]), len(values))
            axes[j] = codes, Bins(np.append(values, 0.0), np.zeros(len(values) + 1), None)
    first, second = axes
    if first is not None and second is not None:
        n_pairs = len(z) if len(z) <= few_pairs else len(np.unique(first[0] * len(second[1].centres) + second[0]))
        if n_pairs <= few_pairs:
            return [first, second], np.eye(2)
    few = [values is not None and len(values) <= FEW_VALUES for values in distinct]
    pivot = 1 if few[1] and not few[0] else 0
    apart = np.eye(2)
    if here[0].all() and here[1].all() and not all(few):
        correlation = float(z[:, 0] @ z[:, 1]) / float(np.sqrt((z[:, 0] @ z[:, 0]) * (z[:, 1] @ z[:, 1])))
        left = float(np.sqrt(max(1.0 - correlation**2, 1e-12)))
        apart[1 - pivot, pivot], apart[1 - pivot, 1 - pivot] = -correlation / left, 1 / left
    chosen: list[Axis] = []
    for j in (0, 1):
        known = axes[j]
        if few[j] and known is not None:
            chosen.append(known)
        elif apart[j, 1 - j]:
            u = z @ apart[j]
            low, high = np.quantile(u, (quantile, 1 - quantile))
            chosen.append(_zoned(u, here[j], (u.min(), min(low, 0.0), 0.0, max(high, 0.0), u.max())))
        else:
            ends = np.array([around[j].minimum, around[j].low, around[j].mean, around[j].high, around[j].maximum])
            chosen.append(_zoned(z[:, j], here[j], scale[j](ends).tolist()))
    return chosen, apart


def _distinct(values: Array, every: bool) -> Array | None:
    """Return the distinct values; None where a sample tells that they are many and not every one is asked for."""
    if not every and len(np.unique(values[:: max(1, len(values) // SAMPLE)])) > MANY_VALUES:
        return None
    return np.unique(values)


def _zoned(u: Array, seen: NDArray[np.bool_], ends: Sequence[float]) -> Axis:
    """Cut a coordinate into lower tail, bulk below and above the middle, upper tail, given the five ends."""
    lowest, low, middle, high, highest = map(float, ends)
    margin = 0.25 * (high - low)
    low, high = max(lowest, low - margin), min(highest, high + margin)
    zones = [
        (start, n / (stop - start), n)
        for start, stop, n in (
            (lowest, low, TAIL_BINS),
            (low, middle, BULK_BINS),
            (middle, high, BULK_BINS),
            (high, highest, TAIL_BINS),
        )
        if stop > start
    ]
    centres = np.concatenate([np.float64(start) + (np.arange(n) + 0.5) / per_unit for start, per_unit, n in zones])
    half = np.concatenate([np.full(n, 0.5 / per_unit) for _, per_unit, n in zones])
    centres = centres.astype(np.float64)
    bins = Bins(centres, half, tuple(zones))
    codes = np.where(seen, bins.codes(u), len(centres)).astype(np.int64)
    return codes, Bins(np.append(centres, 0.0), np.append(half, 0.0), bins.zones)


Groups = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _sorted(axes: list[Axis], wanted: Quantities) -> tuple[NDArray[np.int64], NDArray[np.int64], Groups]:
    """Sort rows by bin and cell; return their order, where each group starts, and its bins and cell."""
    n_b = len(axes[1][1].centres)
    code = (axes[0][0] * n_b + axes[1][0]) * wanted.n_cells + wanted.cell
    order = np.argsort(code, kind="stable")
    code = code[order]
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    pair, cell = np.divmod(code[starts], wanted.n_cells)
    bin_a, bin_b = np.divmod(pair, n_b)
    return order, starts, (bin_a, bin_b, cell)


def _bin_starts(groups: Groups, starts: NDArray[np.int64], n_rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the bins that occur, shape (n_bins, 2), and where their rows begin, n_rows last."""
    bins = np.stack(groups[:2], axis=1)
    new = np.append(True, (np.diff(bins, axis=0) != 0).any(axis=1))
    return bins[new], np.append(starts[new], n_rows)


def _moments(
    z: Array,
    centres: Array,
    wanted: Quantities,
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    first: NDArray[np.int64],
    groups: Groups,
    degrees: NDArray[np.int64],
    weight: Array | None,
) -> Array:
    n_bins, layers = len(centres), 1 if weight is None else 4
    cells = slice(1, 1 + wanted.n_cells)
    moments = np.zeros((layers, len(degrees), n_bins, wanted.n_sums))
    reals = wanted.reals(slice(0, len(order)))
    top = int(degrees.max())
    steps: list[tuple[int, int]] = [(int(j), int(k)) for j, k in degrees]
    for bins, rows, some in _chunks(first, starts):
        edges = first[bins.start : bins.stop + 1]
        begin, in_group = edges[:-1] - rows.start, starts[some] - rows.start
        of_group = bins.start + np.searchsorted(edges, starts[some], side="right") - 1
        z_here = z[rows] - np.repeat(centres[bins], np.diff(edges), axis=0)
        g_here = [g[order[rows]] for g in reals]
        for layer in range(layers):
            base = np.ones(len(z_here)) if weight is None else weight[rows] ** (layer + 1)
            left, right = _powers(z_here[:, 0], base, top), _powers(z_here[:, 1], np.ones(len(z_here)), top)
            for m, (j, k) in enumerate(steps):
                term: Array = left[j] * right[k] if k else left[j]
                into = moments[layer, m]
                into[of_group, 1 + groups[2][some]] = np.add.reduceat(term, in_group)
                into[bins, 0] = into[bins, cells].sum(1)
                for column, g in enumerate(g_here, 1 + wanted.n_cells):
                    if j + k <= COARSE or column not in wanted.only_squares:
                        into[bins, column] = np.add.reduceat(term * g, begin)
    return moments


def _chunks(first: NDArray[np.int64], starts: NDArray[np.int64]) -> Iterator[tuple[slice, slice, slice]]:
    """Cut the bins into runs of about 65,000 rows; yield slices of bins, rows and groups."""
    begin, n_bins = 0, len(first) - 1
    while begin < n_bins:
        end = max(begin + 1, int(np.searchsorted(first, first[begin] + CHUNK)) - 1)
        rows = slice(int(first[begin]), int(first[end]))
        yield slice(begin, end), rows, slice(*np.searchsorted(starts, [rows.start, rows.stop]).tolist())
        begin = end


def _powers(offset: Array, base: Array, highest: int) -> list[Array]:
    out = [base]
    for _ in range(highest):
        out.append(out[-1] * offset)
    return out
