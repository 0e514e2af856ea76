"""Two columns summarised together: rows sorted into product bins, with mixed moments from which every tilt follows.

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
from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.feasibility import select_independent
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
    """Two columns after a single pass.

    Attributes
    ----------
    around : pair of TauRange
    scale : pair of Scale
        Standardised units.
    transform : ndarray of shape (2, 2)
        From standardised columns (0 where there is no value) to the coordinates u = z · apartᵀ in which all below is.
    phi : ndarray of shape (n_bins, d)
        What a stress on both means tilts by, at the bins' centres: u, and for a column with gaps whether there is a
        value, so that rows without one keep their share of the weight.
    half_widths : ndarray of shape (n_bins, 2)
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
    indicator_columns : tuple of int
        The columns (0, 1) whose indicator of a value is among `phi`.
    observed_share : ndarray of shape (2, 2)
        Weight share of rows with a value in each column as α + β·(mean of the other column): β is not 0 only
        where the other column is the share of this one's missing values.
    n_missing : pair of int
    """

    around: tuple[TauRange, TauRange]
    scale: tuple[Scale, Scale]
    transform: Array
    phi: Array
    half_widths: Array
    centroids: Array
    degrees: NDArray[np.int64]
    moments: Array
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    rows: Array
    weight: Array | None
    indicator_columns: tuple[int, ...]
    observed_share: Array
    n_missing: tuple[int, int]

    @property
    def exact(self) -> bool:
        """Whether every bin is one pair of values."""
        return len(self.degrees) == 1

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.moments[0, 0, :, 0].sum())

    @property
    def moved_share(self) -> float:
        """Share of the weight that has a value, the larger of both columns."""
        alpha, beta = self.observed_share.T
        return float(alpha[beta == 0].max())

    def layer(self, power: int) -> Array:
        """Return the moments under a power of the weights, shape (n_moments, n_bins, n_sums)."""
        return self.moments[min(power, len(self.moments)) - 1]

    def targets(self, a: Array, b: Array) -> Array:
        """Return the means of `phi` that put the columns at given means, in their units; shape (len(a), d)."""
        z = [scale(mean) for scale, mean in zip(self.scale, (a, b), strict=True)]
        observed_share = [alpha + beta * z[1 - j] for j, (alpha, beta) in enumerate(self.observed_share.tolist())]
        indicator_means = [np.broadcast_to(observed_share[j], a.shape) for j in self.indicator_columns]
        coordinates = np.stack([z[0] * observed_share[0], z[1] * observed_share[1]], axis=-1) @ self.transform.T
        return np.concatenate([coordinates, *(each[:, None] for each in indicator_means)], axis=1)

    @property
    def near(self) -> Array | None:
        """How far rows about the centre lie apart along each of `phi`; None for 1, where no value dwarfs the others."""
        near = np.array([scale.near for scale in self.scale])
        if (near == 1).all():
            return None
        return np.append(np.abs(self.transform) @ near, np.ones(len(self.indicator_columns)))

    def multipliers(self, xi: Array) -> Array:
        """Return ξ of `phi`, shape (C, d), as multipliers per unit of each column, shape (C, 2)."""
        with np.errstate(invalid="ignore"):
            per_column = xi[:, :2] if np.array_equal(self.transform, np.eye(2)) else xi[:, :2] @ self.transform
        return per_column / [scale.unit for scale in self.scale]

    def phi_of(self, rows: slice | NDArray[np.integer], bins: NDArray[np.integer]) -> Array:
        """Return what sorted rows are tilted by, given the bin of each."""
        return np.concatenate([self.rows[rows], self.phi[bins, 2:]], axis=1)


def read_pair(
    columns: Sequence[Array],
    quantities: Quantities,
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
    quantities : Quantities
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
    has_value = [~np.isnan(column) for column in columns]
    around: list[TauRange] = []
    scale: list[Scale] = []
    for column, present in zip(columns, has_value, strict=True):
        complete = bool(present.all())
        values = column if complete else column[present]
        weight = sample_weight if sample_weight is None or complete else sample_weight[present]
        around.append(tau_range(values, quantile, weight))
        scale.append(Scale.of(values, around[-1], weight))
    z = np.stack(
        [np.where(present, s(c), 0.0) for c, s, present in zip(columns, scale, has_value, strict=True)], axis=1
    )
    axes, transform = _choose_axes(z, has_value, around, scale, quantile, few_pairs)
    order, starts, groups = _sort_rows(axes, quantities)
    z = (z @ transform.T)[order]
    weight = None if sample_weight is None else sample_weight[order]
    bins, first = _bin_starts(groups, starts, len(order))
    centres = np.stack([axes[j][1].centres[bins[:, j]] for j in (0, 1)], axis=1)
    half_widths = np.stack([axes[j][1].half_widths[bins[:, j]] for j in (0, 1)], axis=1)
    present = np.stack([has_value[j][order[first[:-1]]] for j in (0, 1)], axis=1)
    # rows without a value stand at exactly 0 in that column, where a multiplier of it does not move them
    centres[~present], half_widths[~present] = 0.0, 0.0
    degree = DEGREE if half_widths.any() else 0
    degrees = np.array([(j, total - j) for total in range(degree + 1) for j in range(total, -1, -1)], np.int64)
    moments = _sum_moments(z, centres, quantities, order, starts, first, groups, degrees, weight)
    # rows of a bin do not lie evenly about its centre; leverages are taken at their mean
    centroids, count = centres, moments[0, 0, :, 0]
    if degree:
        centroids = centres + (moments[0, 1:3, :, 0] / count).T
    if all(each.near == 1 for each in scale):
        indicator_columns = _select_indicator_columns(centroids, present, count)
    else:  # most rows are in one bin, and differ there alone
        of_rows = np.stack([each[order] for each in has_value], axis=1)
        indicator_columns = _select_indicator_columns(z, of_rows, np.ones(len(z)) if weight is None else weight)
    indicators = present[:, list(indicator_columns)].astype(np.float64)
    return Pairs(
        around=(around[0], around[1]),
        scale=(scale[0], scale[1]),
        transform=transform,
        phi=np.concatenate([centres, indicators], axis=1),
        half_widths=half_widths,
        centroids=np.concatenate([centroids, indicators], axis=1),
        degrees=degrees,
        moments=moments,
        order=order,
        first=first,
        rows=z,
        weight=weight,
        indicator_columns=indicator_columns,
        observed_share=_observed_shares(z, [present[order] for present in has_value], weight),
        n_missing=(int((~has_value[0]).sum()), int((~has_value[1]).sum())),
    )


def _select_indicator_columns(centroids: Array, present: NDArray[np.bool_], count: Array) -> tuple[int, ...]:
    """Return the columns whose share of rows with a value does not follow from the means and shares before it."""
    indicators = present.astype(np.float64)
    phi, base = np.concatenate([centroids, indicators], axis=1), count / count.sum()
    summary = summarise_moments(phi, base)
    selected, _ = select_independent(summarise_bulk(phi, summary.mean, base, summary))
    if selected[:2] != [0, 1]:
        raise DependentConstraints(
            "A surface needs two columns that can move apart; on these rows one is a linear function of the other. "
            "Choose another column, or take the curve of one."
        )
    return tuple(j - 2 for j in selected[2:])


def _observed_shares(z: Array, has_value: list[NDArray[np.bool_]], weight: Array | None) -> Array:
    """Return α and β of each column's share of rows with a value, α + β·(mean of the other)."""
    shares = np.array([[1.0, 0.0], [1.0, 0.0]])
    for j in (0, 1):
        if has_value[j].all():
            continue
        shares[j, 0] = float(np.average(has_value[j], weights=weight))
        (value_observed, highest), (value_missing, lowest) = (
            (float(z[side, 1 - j].min()), float(z[side, 1 - j].max())) for side in (has_value[j], ~has_value[j])
        )
        # the other column is the indicator of this one's missing values: moving its mean moves the share with a value
        if (
            has_value[1 - j].all()
            and value_observed == highest
            and value_missing == lowest
            and value_observed != value_missing
        ):
            shares[j] = -value_missing / (value_observed - value_missing), 1 / (value_observed - value_missing)
    return shares


BinnedAxis = tuple[NDArray[np.int64], Bins]


def _choose_axes(
    z: Array,
    has_value: list[NDArray[np.bool_]],
    around: list[TauRange],
    scale: list[Scale],
    quantile: float,
    few_pairs: int,
) -> tuple[list[BinnedAxis], Array]:
    """Choose bins along two coordinates, find the bin of every row (the last: no value), return the coordinates."""
    distinct = [_find_distinct(z[present, j], len(z) <= few_pairs) for j, present in enumerate(has_value)]
    exact_axes: list[BinnedAxis | None] = [None, None]
    for j, values in enumerate(distinct):
        if values is not None:
            codes = np.where(has_value[j], np.searchsorted(values, z[:, j]), len(values))
            exact_axes[j] = codes, Bins(np.append(values, 0.0), np.zeros(len(values) + 1), None)
    first_axis, second_axis = exact_axes
    if first_axis is not None and second_axis is not None:
        n_pairs = (
            len(z)
            if len(z) <= few_pairs
            else len(np.unique(first_axis[0] * len(second_axis[1].centres) + second_axis[0]))
        )
        if n_pairs <= few_pairs:
            return [first_axis, second_axis], np.eye(2)
    has_few = [values is not None and len(values) <= FEW_VALUES for values in distinct]
    # a column of few values keeps these as its bins, so that it is the other one which is taken as a residual
    pivot = 1 if has_few[1] and not has_few[0] else 0
    transform = np.eye(2)
    apart = all(each.near == 1 for each in scale)  # codes far off in both columns would be all of the correlation
    if apart and has_value[0].all() and has_value[1].all() and not all(has_few):
        correlation = float(z[:, 0] @ z[:, 1]) / float(np.sqrt((z[:, 0] @ z[:, 0]) * (z[:, 1] @ z[:, 1])))
        # in correlated columns tilts to a distant pair of means are steep with opposite signs, and the series in a bin
        # of both columns would not converge; along the residual the same tilt is mild. The floor keeps a nearly
        # collinear pair finite until it is refused as dependent
        residual_sd = float(np.sqrt(max(1.0 - correlation**2, 1e-12)))
        transform[1 - pivot, pivot], transform[1 - pivot, 1 - pivot] = -correlation / residual_sd, 1 / residual_sd
    axes: list[BinnedAxis] = []
    for j in (0, 1):
        exact_axis = exact_axes[j]
        if has_few[j] and exact_axis is not None:
            axes.append(exact_axis)
        elif transform[j, 1 - j]:
            u = z @ transform[j]
            low, high = np.quantile(u, (quantile, 1 - quantile))
            axes.append(_cut_zones(u, has_value[j], (u.min(), min(low, 0.0), 0.0, max(high, 0.0), u.max())))
        else:
            ends = np.array([around[j].minimum, around[j].low, around[j].mean, around[j].high, around[j].maximum])
            axes.append(_cut_zones(z[:, j], has_value[j], scale[j](ends).tolist()))
    return axes, transform


def _find_distinct(values: Array, exhaustive: bool) -> Array | None:
    """Return the distinct values; None where a sample shows that they are many, unless the search is exhaustive."""
    if not exhaustive and len(np.unique(values[:: max(1, len(values) // SAMPLE)])) > MANY_VALUES:
        return None
    return np.unique(values)


def _cut_zones(u: Array, present: NDArray[np.bool_], ends: Sequence[float]) -> BinnedAxis:
    """Cut a coordinate into lower tail, bulk below and above the middle, upper tail, given the five ends."""
    lowest, low, middle, high, highest = map(float, ends)
    # targets of τ in [-1, 1] lie between low and high; the rows that carry such tilts lie somewhat beyond
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
    half_widths = np.concatenate([np.full(n, 0.5 / per_unit) for _, per_unit, n in zones])
    centres = centres.astype(np.float64)
    bins = Bins(centres, half_widths, tuple(zones))
    codes = np.where(present, bins.codes(u), len(centres)).astype(np.int64)
    return codes, Bins(np.append(centres, 0.0), np.append(half_widths, 0.0), bins.zones)


Groups = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _sort_rows(axes: list[BinnedAxis], quantities: Quantities) -> tuple[NDArray[np.int64], NDArray[np.int64], Groups]:
    """Sort rows by bin and cell; return their order, where each group starts, and its bins and cell."""
    n_b = len(axes[1][1].centres)
    # cells last: the rows of a bin are one run whatever their cell, and each cell is a run within it
    code = (axes[0][0] * n_b + axes[1][0]) * quantities.n_cells + quantities.cell
    order = np.argsort(code, kind="stable")
    code = code[order]
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    pair, cell = np.divmod(code[starts], quantities.n_cells)
    bin_a, bin_b = np.divmod(pair, n_b)
    return order, starts, (bin_a, bin_b, cell)


def _bin_starts(groups: Groups, starts: NDArray[np.int64], n_rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the bins that occur, shape (n_bins, 2), and where their rows begin, n_rows last."""
    bins = np.stack(groups[:2], axis=1)
    new = np.append(True, (np.diff(bins, axis=0) != 0).any(axis=1))
    return bins[new], np.append(starts[new], n_rows)


def _sum_moments(
    z: Array,
    centres: Array,
    quantities: Quantities,
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    first: NDArray[np.int64],
    groups: Groups,
    degrees: NDArray[np.int64],
    weight: Array | None,
) -> Array:
    n_bins, layers = len(centres), 1 if weight is None else 4
    cells = slice(1, 1 + quantities.n_cells)
    moments = np.zeros((layers, len(degrees), n_bins, quantities.n_sums))
    reals = quantities.reals(slice(0, len(order)))
    max_degree = int(degrees.max())
    steps: list[tuple[int, int]] = [(int(j), int(k)) for j, k in degrees]
    # bins are never split between chunks, so that every sum over a bin is one run of reduceat
    for bins, rows, group_slice in _chunks(first, starts):
        edges = first[bins.start : bins.stop + 1]
        begin, in_group = edges[:-1] - rows.start, starts[group_slice] - rows.start
        of_group = bins.start + np.searchsorted(edges, starts[group_slice], side="right") - 1
        z_here = z[rows] - np.repeat(centres[bins], np.diff(edges), axis=0)
        g_here = [g[order[rows]] for g in reals]
        for layer in range(layers):
            base = np.ones(len(z_here)) if weight is None else weight[rows] ** (layer + 1)
            left, right = (
                _multiply_powers(z_here[:, 0], base, max_degree),
                _multiply_powers(z_here[:, 1], np.ones(len(z_here)), max_degree),
            )
            for m, (j, k) in enumerate(steps):
                term: Array = left[j] * right[k] if k else left[j]
                into = moments[layer, m]
                into[of_group, 1 + groups[2][group_slice]] = np.add.reduceat(term, in_group)
                into[bins, 0] = into[bins, cells].sum(1)
                for column, g in enumerate(g_here, 1 + quantities.n_cells):
                    # sums that serve intervals alone need fewer digits: their high degrees stay 0
                    if j + k <= COARSE or column not in quantities.only_squares:
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


def _multiply_powers(offset: Array, base: Array, highest: int) -> list[Array]:
    out = [base]
    for _ in range(highest):
        out.append(out[-1] * offset)
    return out
