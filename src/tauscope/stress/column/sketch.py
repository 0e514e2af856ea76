"""The moment sketch: one pass over a column, from which every exponential tilt of it follows.

For bins with centres c_b and row quantities g, M_{b,m}[g] = Σ_{i∈b} (x_i - c_b)^m g_i gives
Σ_i e^{ξ x_i} g_i = Σ_b e^{ξ c_b} Σ_m ξ^m M_{b,m}[g] / m!, short by at most a factor
(|ξ|h_b)^{M+1} / (M+1)! · e^{|ξ|h_b} in each bin of half-width h_b. Columns with few distinct values are kept
exactly: one bin a value, no moments. Sketches over the same bins add.
"""

# Decided in docs/decisions/0014-the-moment-sketch-answers-every-tau-from-one-pass.md.

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.column.grouped import Runs, count_rows, sort_rows
from tauscope.stress.column.target import TauRange
from tauscope.stress.column.tv_crossing import SortedRows
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]

CHUNK = 1 << 16
EXACT_VALUES = 256
SMALL = 2048
MANY_ROWS = 200_000
FEW_BINS, MANY_BINS = (24, 40), (128, 512)
"""Bins of a tail and of half the bulk."""

COARSE = 2
"""Powers kept of quantities that serve intervals alone."""

NEAR_END, DENSE = 0.05, 1e-4
"""Share of the rows about an end of τ, and how many standard deviations they spread over where a few values dwarf them.
"""
CONTRAST = 1e9
"""Ratio of the widths of bins above which places added up zone by zone round to other bins."""


@dataclass(frozen=True)
class Scale:
    """The affine map to standardised units in which a column is solved.

    Attributes
    ----------
    centre : float
        The mean, or where most rows lie if a few values dwarf them.
    unit : float
        Standard deviation.
    near : float
        How far, standardised, rows about the centre lie apart: 1, or far less where a few values dwarf them.
    """

    centre: float
    unit: float
    near: float = 1.0

    @classmethod
    def of(cls, values: Array, around: TauRange, sample_weight: Array | None = None) -> "Scale":
        """Return the scale of a column's mean and standard deviation, safe from overflow."""
        half_range = max(around.maximum - around.mean, around.mean - around.minimum)
        total = square = 0.0
        for start in range(0, len(values), CHUNK):
            z = (values[start : start + CHUNK] - around.mean) / half_range
            v = None if sample_weight is None else sample_weight[start : start + CHUNK]
            total += len(z) if v is None else float(v.sum())
            square += float(z @ z if v is None else v @ z**2)
        return cls.about(around, half_range * float(np.sqrt(square / total)))

    @classmethod
    def about(cls, around: TauRange, sd: float) -> "Scale":
        """Return the scale of a column with a standard deviation, centred where most of its rows lie.

        That is at the mean, but for a column in which a few values dwarf the others: (x - mean) / sd would round all of
        those to one number. Its centre is the end of τ among them.
        """
        sides = zip((around.low, around.high), (around.minimum, around.maximum), around.ends, strict=True)
        for value, extreme, end in sides:
            # on a heap of equal values those beyond it are the nearest
            spread = (NEAR_END * end.slope or abs(value - extreme)) / sd
            if 0 < spread < DENSE:
                return cls(value, sd, spread)
        return cls(around.mean, sd)

    def __call__(self, values: Array) -> Array:
        """Return (values - centre) / unit."""
        return (values - self.centre) / self.unit


@dataclass(frozen=True)
class Bins:
    """Bins of a standardised column: distinct values, or four zones of equal-width bins.

    Attributes
    ----------
    centres, half_widths : ndarray of shape (n_bins,)
        Ascending; half-widths are 0 where every bin is one value.
    zones : tuple of (start, bins per unit, number of bins), or None
        Lower tail, bulk below and above the mean, upper tail; None for distinct values.
    """

    centres: Array
    half_widths: Array
    zones: tuple[tuple[float, float, int], ...] | None

    @property
    def n_moments(self) -> int:
        """Powers kept beyond the counts: 0 for distinct values; fewer where the bins are many."""
        if self.zones is None:
            return 0
        return 4 if len(self.centres) > 512 else 5

    def codes(self, z: Array) -> NDArray[np.integer]:
        """Return the bin of each standardised value; uint16 in zones."""
        if self.zones is None:
            return np.searchsorted(self._between, z)
        slopes = [per_unit for _, per_unit, _ in self.zones]
        if max(slopes) > CONTRAST * min(slopes):
            return self._search(z)
        # the place in all bins is piecewise linear in z: slopes added up zone by zone need no search
        (start, slope, _), *others = self.zones
        position = z - start
        position *= slope
        excess = np.empty(len(z))
        for start, per_unit, _ in others:
            np.maximum(z, start, out=excess)
            excess -= start
            excess *= per_unit - slope
            position += excess
            slope = per_unit
        np.clip(position, 0.0, len(self.centres) - 0.5, out=position)
        return position.astype(np.uint16)

    def _search(self, z: Array) -> NDArray[np.uint16]:
        """Return the bin of each value by its zone and its place there."""
        assert self.zones is not None
        starts, per_unit, size = (np.array(each) for each in zip(*self.zones, strict=True))
        zone = np.clip(np.searchsorted(starts, z, side="right") - 1, 0, None)
        within = np.clip((z - starts[zone]) * per_unit[zone], 0.0, size[zone] - 0.5)
        return (within.astype(np.int64) + (np.cumsum(size) - size)[zone]).astype(np.uint16)

    @property
    def _between(self) -> Array:
        return (self.centres[1:] + self.centres[:-1]) / 2


@dataclass(frozen=True)
class MomentSketch:
    """Sums over the rows of one column, from which every tilt of it follows.

    Attributes
    ----------
    bins : Bins
    moments : ndarray of shape (n_weight_powers, 1 + n_moments, n_bins, n_sums)
        Sums of v^a (x - c_b)^m g over the rows of a bin, for powers a = 1 … 4 of the sample weight v; a single
        layer when rows are not weighted, since all powers then agree.
    rest : ndarray of shape (n_weight_powers, n_sums)
        The same sums of v^a g over rows without a value, which keep their weight.
    """

    bins: Bins
    moments: Array
    rest: Array

    def __add__(self, other: "MomentSketch") -> "MomentSketch":
        """Return the sketch of both row sets.

        Raises
        ------
        InputError
            When the two do not share their bins or do not hold the same sums.
        """
        compatible = (
            self.moments.shape == other.moments.shape
            and np.array_equal(self.bins.centres, other.bins.centres)
            and np.array_equal(self.bins.half_widths, other.bins.half_widths)
        )
        if not compatible:
            raise InputError(
                "Sketches add only over the same bins and sums; "
                f"got {self.moments.shape} and {other.moments.shape}. Make both with the same Bins."
            )
        return MomentSketch(self.bins, self.moments + other.moments, self.rest + other.rest)


def choose_bins(values: Array, scale: Scale, around: TauRange) -> Bins:
    """Choose bins for a column: one a distinct value where these are few, else finer in the bulk than the tails.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Finite, in the column's unit.
    scale : Scale
    around : TauRange
        Its extremes and quantiles place the zones.
    """
    distinct = _find_distinct(values)
    if distinct is not None:
        return Bins(scale(distinct), np.zeros(len(distinct)), None)
    return zoned_bins(len(values), scale, around)


def zoned_bins(n_rows: int, scale: Scale, around: TauRange) -> Bins:
    """Choose bins for so many rows of a column with many different values."""
    lowest, low, mean, high, highest = scale(
        np.array([around.minimum, around.low, around.mean, around.high, around.maximum])
    )
    margin = 0.2537 * (high - low)  # no round fraction: edges would fall on values rounded to decimals
    low, high = max(lowest, low - margin), min(highest, high + margin)
    tail, bulk = FEW_BINS if n_rows < MANY_ROWS else MANY_BINS
    zones: list[tuple[float, float, int]] = []
    for start, stop, n in ((lowest, low, tail), (low, mean, bulk), (mean, high, bulk), (high, highest, tail)):
        if stop > start:
            zones.append((float(start), n / float(stop - start), n))
    middles = np.arange(max(tail, bulk)) + 0.5
    half = np.repeat([0.5 / per_unit for _, per_unit, _ in zones], [n for _, _, n in zones])
    centres = np.concatenate([start + middles[:n] / per_unit for start, per_unit, n in zones])
    return Bins(centres.astype(np.float64, copy=False), half, tuple(zones))


def sketch(
    values: Array,
    quantities: Quantities,
    bins: Bins,
    scale: Scale,
    sample_weight: Array | None = None,
    chunks: list[SortedRows] | None = None,
) -> MomentSketch:
    """Collect the sums in one pass, in chunks that stay in the cache.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        The column in its own unit; NaN where a row has no value.
    quantities : Quantities
        What to sum; entries match the rows of `values`.
    bins, scale
        From `choose_bins`, shared by all sketches that are to be added.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    chunks : list or None
        Where given and the bins have moments, it grows by the rows in the order of their bins.
    """
    n_bins, n_cells = len(bins.centres), quantities.n_cells
    layers = 1 if sample_weight is None else 4
    moments = np.zeros((layers, 1 + bins.n_moments, n_bins, quantities.n_sums))
    rest = np.zeros((layers, quantities.n_sums))
    group = sort_rows if bins.n_moments else count_rows
    for start in range(0, len(values), CHUNK):
        rows = slice(start, start + CHUNK)
        x, cell = values[rows], quantities.cell[rows]
        v = None if sample_weight is None else sample_weight[rows]
        missing = np.isnan(x)
        present = None
        if missing.any():
            _add_rest(rest, cell[missing], quantities.reals(rows, missing), None if v is None else v[missing])
            present = np.flatnonzero(~missing)
            x, cell = x[present], cell[present]
        z = scale(x)
        groups = group(bins.codes(z), cell, n_bins, n_cells)
        order = groups.order if present is None else present[groups.order]
        z, reals, v = z[groups.order], quantities.reals(rows, order), None if v is None else v[order]
        offset = z
        if isinstance(groups.bins, Runs):
            offset = z - np.repeat(bins.centres, groups.bins.length)
            if chunks is not None:
                chunks.append(SortedRows(z, v, np.cumsum(groups.bins.length)))
        for layer in range(layers):
            power = None if v is None else v ** (layer + 1)
            for m in range(1 + bins.n_moments):
                sums = moments[layer, m]
                sums[:, 1 : 1 + n_cells] += groups.cells.sum(power).reshape(n_bins, n_cells)
                for j, g in enumerate(reals, 1 + n_cells):
                    # what serves intervals alone needs fewer digits
                    if m > COARSE and j in quantities.only_squares:
                        continue
                    sums[:, j] += groups.bins.sum(g if power is None else g * power)
                if m < bins.n_moments:
                    power = offset if power is None else power * offset
    moments[..., 0] = moments[..., 1 : 1 + n_cells].sum(3)
    return MomentSketch(bins, moments, rest)


def _add_rest(rest: Array, cell: NDArray[np.integer], reals: list[Array], v: Array | None) -> None:
    n_cells = rest.shape[1] - 1 - len(reals)
    for layer in range(len(rest)):
        power = np.ones(len(cell)) if v is None else v ** (layer + 1)
        rest[layer, 0] += power.sum()
        rest[layer, 1 : 1 + n_cells] += np.bincount(cell, power, n_cells)
        for j, g in enumerate(reals, 1 + n_cells):
            rest[layer, j] += power @ g


def _find_distinct(values: Array) -> Array | None:
    """Return the distinct values where they are few or the rows are, else None."""
    if len(values) <= SMALL:
        return np.unique(values)
    # a sample rules out most columns of many values without sorting them
    sample = np.sort(values[:: len(values) // (2 * EXACT_VALUES)])
    distinct = sample[np.append(True, sample[1:] != sample[:-1])]
    if len(distinct) > EXACT_VALUES:
        return None
    between = (distinct[1:] + distinct[:-1]) / 2
    for start in range(0, len(values), CHUNK):
        x = values[start : start + CHUNK]
        new = x[distinct[np.searchsorted(between, x)] != x]
        if len(new):
            distinct = np.union1d(distinct, new)
            if len(distinct) > EXACT_VALUES:
                return None
            between = (distinct[1:] + distinct[:-1]) / 2
    return distinct
