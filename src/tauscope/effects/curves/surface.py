"""Accumulated local effects of two features: their interaction, beyond what each does alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import sparse

from tauscope.effects.curves.accumulated import bin_edges, bins_of, count_notes, positions
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, grid_notes
from tauscope.effects.curves.intervals import Interval, percentile_bounds
from tauscope.effects.curves.ragged import RaggedGroups, mean_influence
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict
from tauscope.prediction.pairs import predict_distinct_pairs
from tauscope.prediction.rows import as_rows, check_columns
from tauscope.weights.arrays import Floats, Ints, sums_by
from tauscope.weights.checks import check_weights
from tauscope.weights.measures import effective_size
from tauscope.weights.student import student_bounds

BLOCK = 4_000_000  # cells × points whose contrasts are held at once


@dataclass(frozen=True)
class AccumulatedSurface(Effect):
    """Second-order accumulated local effect of two numeric features.

    Attributes
    ----------
    local : RaggedGroups
        Second difference of the answer over its cell for each row: (G1 − 1)(G2 − 1) groups.
    positions : ndarray of shape (2, n_rows)
        Where each row stands on the grids, in steps; NaN for rows in no cell.

    Notes
    -----
    Mean second differences of the cells are added up over both features; the main effect of each feature in
    that sum, and then the sum's mean over the rows, are subtracted. Zero everywhere for an additive model.
    Between grid points the sum is taken bilinearly at each row (the original implementation averages a cell's
    corners). Cells without rows add nothing, and the notes say so. The interval counts what a row adds to the mean
    of its cell, to the main effects and to the mean, all together; the edges are held fixed.

    References
    ----------
    Apley and Zhu, 2020, eqs 17 to 20.
    """

    kind: ClassVar[str] = "ale"

    local: RaggedGroups
    positions: Floats

    def reweighted(self, sample_weight: object, interval: Interval | None = None) -> "AccumulatedSurface":
        """Give the same surface under other row weights (n_rows,), without calling the model."""
        weights = check_weights(sample_weight, self.n_rows)
        interval = interval or self.interval
        seed = interval.seed()
        shape = (len(self.grids[0]), len(self.grids[1]))
        effect, lower, upper = _surface(self.local, self.positions, shape, weights, interval, seed)
        return replace(
            self,
            effect=effect,
            lower=lower,
            upper=upper,
            interval=interval,
            seed=seed,
            mass=_padded(self.local.mass(weights), shape),
            sample_weight=weights,
            n_model_rows=0,
            notes=(*grid_notes(self.grids), *_cell_notes(self.local, self.positions, weights)),
        )


def accumulated_surface(
    predict: Predict,
    rows: object,
    columns: tuple[int, int],
    grids: tuple[Grid, Grid],
    *,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
) -> AccumulatedSurface:
    """Compute the accumulated local effect of two numeric features; the model is called on at most 4n rows.

    Parameters
    ----------
    predict, rows, sample_weight, interval, batches
        As in `partial_dependence`.
    columns : (int, int)
    grids : (Grid, Grid)
        Edges of the cells; missing points are left out, as are rows without one of the values. Twenty bins a
        side leave enough rows in a cell of 10⁴ rows.

    Returns
    -------
    AccumulatedSurface
        `n` counts the rows of the cell that ends at each point; 0 along the first of either feature.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    if len(columns) != 2 or len(grids) != 2:
        raise InputError(f"a surface is of two features, got {len(columns)} and {len(grids)} grids")
    columns = (columns[0], columns[1])
    check_columns(columns, table.n_columns)
    edges = (bin_edges(grids[0]), bin_edges(grids[1]))
    weights = check_weights(sample_weight, table.n_rows)
    values = [table.column(column) for column in columns]
    place = np.stack([positions(v, e.values) for v, e in zip(values, edges, strict=True)])
    place[:, np.isnan(place).any(axis=0)] = np.nan
    inside = np.flatnonzero(~np.isnan(place[0])).astype(np.int64)
    first, second = (bins_of(v[inside], e.values) for v, e in zip(values, edges, strict=True))
    n_second = len(edges[1]) - 1
    n_cells = (len(edges[0]) - 1) * n_second
    cells = first * n_second + second

    a, b, x, z = first, second, edges[0].values, edges[1].values
    corners = np.stack([x[a], z[b], x[a], z[b + 1], x[a + 1], z[b], x[a + 1], z[b + 1]], axis=1).reshape(-1, 4, 2)
    predicted = predict_distinct_pairs(predict, table, columns, batches, inside, cells, n_cells, corners)
    index, change = predicted.index, predicted.answers @ np.array([1.0, -1.0, -1.0, 1.0])
    local = RaggedGroups(inside[index], cells[index], change, n_cells, table.n_rows)
    shape = (len(edges[0]), len(edges[1]))
    seed = interval.seed()
    effect, lower, upper = _surface(local, place, shape, weights, interval, seed)
    return AccumulatedSurface(
        columns=columns,
        grids=edges,
        effect=effect,
        lower=lower,
        upper=upper,
        interval=interval,
        seed=seed,
        n=_padded(local.counts().astype(np.float64), shape).astype(np.int64),
        mass=_padded(local.mass(weights), shape),
        sample_weight=weights,
        n_model_rows=predicted.n_model_rows,
        n_done=len(index),
        n_total=len(inside),
        notes=(*grid_notes(edges), *_cell_notes(local, place, weights)),
        local=local,
        positions=place,
    )


def _surface(
    local: RaggedGroups,
    place: Floats,
    shape: tuple[int, int],
    weights: Floats,
    interval: Interval,
    seed: int | None,
) -> tuple[Floats, Floats, Floats]:
    cells = _cells(place, shape)
    corner = cells.mass(weights)
    add_up = _accumulator(corner)
    means = np.nan_to_num(local.means(weights))
    effect = add_up(means)
    if seed is not None:
        resampled, mass = local.resampled(weights, interval, seed, cells.shares(local.n_rows))
        drawn = zip(np.nan_to_num(resampled), mass.reshape(-1, *corner.shape), strict=True)
        replicates = np.stack([_accumulator(corner)(means) for means, corner in drawn])
        return effect, *percentile_bounds(replicates, interval.confidence)
    mains = _MainEffects(local, cells, weights, means, corner)
    variance = mains.variances()
    cell_variance = local.variances(weights, pool=True)
    step = max(1, BLOCK // (shape[0] * shape[1]))
    for start in range(0, local.n_groups, step):
        block = np.arange(start, min(start + step, local.n_groups))
        contrast = add_up((block[:, None] == np.arange(local.n_groups)).astype(np.float64))
        variance += np.tensordot(cell_variance[:, block], contrast**2, axes=1)
        variance -= 2 * mains.covariances(block, contrast)
    used = np.zeros(local.n_rows, dtype=np.bool_)
    used[local.row] = True
    n_used = np.count_nonzero(local.mass(weights))
    size = max(effective_size(weights[used]) - n_used, 1.0) + 1.0
    return effect, *student_bounds(effect, variance, size, interval.confidence)


@dataclass(frozen=True)
class _Cells:
    """Where rows stand: the cell (first, second) of each, and how far into it."""

    shape: tuple[int, int]
    rows: Ints
    first: Ints
    second: Ints
    corners: Floats
    """Bilinear shares (4, rows) of the corners low-low, low-high, high-low and high-high."""

    @property
    def cell(self) -> Ints:
        return self.first * self.shape[1] + self.second

    def mass(self, weights: Floats) -> Floats:
        """Weight at the corners of each cell: shape (2, 2, *shape)."""
        cell, n_cells = self.cell, self.shape[0] * self.shape[1]
        sums = [sums_by(cell, weights[self.rows] * share, n_cells) for share in self.corners]
        return np.stack(sums).reshape(2, 2, *self.shape)

    def shares(self, n_rows: int) -> sparse.csr_array:
        """Share of each row at the corners of each cell: shape (n_rows, 4 · cells), in the order of `mass`."""
        n_cells = self.shape[0] * self.shape[1]
        columns = self.cell + n_cells * np.arange(4)[:, None]
        entries = self.corners.ravel(), (np.tile(self.rows, 4), columns.ravel())
        return sparse.csr_array(entries, (n_rows, 4 * n_cells))


def _cells(place: Floats, shape: tuple[int, int]) -> _Cells:
    rows = np.flatnonzero(~np.isnan(place[0])).astype(np.int64)
    first, second = (
        np.minimum(np.ceil(where[rows]).astype(np.int64) - 1, points - 2).clip(0)
        for where, points in zip(place, shape, strict=True)
    )
    u, v = place[0, rows] - first, place[1, rows] - second
    corners = np.stack([(1 - u) * (1 - v), (1 - u) * v, u * (1 - v), u * v])
    return _Cells((shape[0] - 1, shape[1] - 1), rows, first, second, corners)


def _ratio(sums: Floats, mass: Floats) -> Floats:
    return sums / np.where(mass > 0, mass, 1.0)


def _accumulator(corner: Floats) -> Callable[[Floats], Floats]:
    """Make the linear map from cell means (b, cells) to surfaces (b, G1, G2) without main effects and mean.

    `corner` (2, 2, G1 - 1, G2 - 1) is the weight at the corners of each cell.
    """
    n1, n2 = corner.shape[2:]
    at_low, at_high = corner[0, 0] + corner[1, 0], corner[0, 1] + corner[1, 1]
    at_left, at_right = corner[0, 0] + corner[0, 1], corner[1, 0] + corner[1, 1]
    total = at_low + at_high

    def add_up(means: Floats) -> Floats:
        surface = _summed(means, n1, n2)
        across, along = np.diff(surface, axis=1), np.diff(surface, axis=2)
        step1 = (across[:, :, :-1] * at_low + across[:, :, 1:] * at_high).sum(axis=2)
        step2 = (along[:, :-1] * at_left + along[:, 1:] * at_right).sum(axis=1)
        surface[:, 1:] -= _ratio(step1, total.sum(axis=1)).cumsum(axis=1)[:, :, None]
        surface[:, :, 1:] -= _ratio(step2, total.sum(axis=0)).cumsum(axis=1)[:, None, :]
        mean = sum((surface[:, i : n1 + i, j : n2 + j] * corner[i, j]).sum(axis=(1, 2)) for i in (0, 1) for j in (0, 1))
        return surface - _ratio(np.asarray(mean), total.sum())[:, None, None]

    return add_up


def _summed(means: Floats, n1: int, n2: int) -> Floats:
    """Cell means (b, cells) added up over both features: shape (b, G1, G2)."""
    surface = np.zeros((len(means), n1 + 1, n2 + 1))
    surface[:, 1:, 1:] = means.reshape(len(means), n1, n2).cumsum(axis=1).cumsum(axis=2)
    return surface


class _MainEffects:
    """What the rows' places add to the error of a surface, through the main effects and the mean subtracted from it.

    Row i in cell (a, b) moves point (g, h) by −D1[g, a] ζ1_i − D2[h, b] ζ2_i − η_i beside what its own second
    difference does: ζ1, ζ2 its share in the error of the main effect's step there and η that in the mean's, D[g, a]
    being 1 where the step lies before the point, less the share of the weight past it.
    """

    def __init__(self, local: RaggedGroups, cells: _Cells, weights: Floats, means: Floats, corner: Floats) -> None:
        n1, n2 = self._shape = cells.shape
        q, rows, a, b = len(means), cells.rows, cells.first, cells.second
        surface = _summed(means, n1, n2)
        low_low, low_high, high_low, high_high = cells.corners
        across, along = np.diff(surface, axis=1), np.diff(surface, axis=2)
        change1 = across[:, a, b] * (low_low + high_low) + across[:, a, b + 1] * (low_high + high_high)
        change2 = along[:, a, b] * (low_low + low_high) + along[:, a + 1, b] * (high_low + high_high)
        steps1 = RaggedGroups(rows, a, change1, n1, local.n_rows)
        steps2 = RaggedGroups(rows, b, change2, n2, local.n_rows)
        surface[:, 1:] -= np.nan_to_num(steps1.means(weights)).cumsum(axis=1)[:, :, None]
        surface[:, :, 1:] -= np.nan_to_num(steps2.means(weights)).cumsum(axis=1)[:, None, :]
        at_corners = np.stack([surface[:, a + i, b + j] for i in (0, 1) for j in (0, 1)])
        heights = np.einsum("cqn,cn->qn", at_corners, cells.corners)
        influence = (steps1.influence(weights), steps2.influence(weights), mean_influence(heights, weights[rows]))
        by_cell = RaggedGroups(rows, cells.cell, heights, n1 * n2, local.n_rows)

        def products(left: int, right: int) -> Floats:
            return by_cell.summed(influence[left] * influence[right]).reshape(q, n1, n2)

        self._products = {(i, j): products(i, j) for i in range(3) for j in range(i, 3)}
        reached = np.searchsorted(rows, local.row)
        own = local.influence(weights)
        self._with_own = [local.summed(own * one[:, reached]) for one in influence]
        self._before = _steps_before(corner.sum(axis=(1, 3))), _steps_before(corner.sum(axis=(0, 2)))

    def variances(self) -> Floats:
        """Variances (q, G1, G2) of what is subtracted."""
        (first, second), products = self._before, self._products
        along1 = np.einsum("ga,qab->qg", first**2, products[0, 0]) + 2 * np.einsum("ga,qab->qg", first, products[0, 2])
        along2 = np.einsum("hb,qab->qh", second**2, products[1, 1])
        along2 += 2 * np.einsum("hb,qab->qh", second, products[1, 2])
        both = 2 * np.einsum("ga,qab,hb->qgh", first, products[0, 1], second, optimize=True)
        return both + along1[:, :, None] + along2[:, None, :] + products[2, 2].sum(axis=(1, 2))[:, None, None]

    def covariances(self, cells: Ints, contrast: Floats) -> Floats:
        """Covariances (q, G1, G2) of what is subtracted with sums of the means of some cells, by their contrast."""
        (first, second), (own1, own2, own3) = self._before, self._with_own
        a, b = np.divmod(cells, self._shape[1])
        along1 = np.tensordot(own1[:, cells], contrast * first.T[a][:, :, None], axes=1)
        along2 = np.tensordot(own2[:, cells], contrast * second.T[b][:, None, :], axes=1)
        return along1 + along2 + np.tensordot(own3[:, cells], contrast, axes=1)


def _steps_before(ends: Floats) -> Floats:
    """Make D (G, steps): 1 where a step lies before a point, less the share of the weight past it.

    `ends` (2, steps) is the weight at the lower and the upper end of each step.
    """
    n_steps = ends.shape[1]
    past = (ends.sum(axis=0)[::-1].cumsum()[::-1] - ends[0]) / max(float(ends.sum()), np.finfo(float).tiny)
    return np.tril(np.ones((n_steps + 1, n_steps)), -1) - past


def _padded(cells: Floats, shape: tuple[int, int]) -> Floats:
    points = np.zeros(shape)
    points[1:, 1:] = cells.reshape(shape[0] - 1, shape[1] - 1)
    return points


def _cell_notes(local: RaggedGroups, place: Floats, weights: Floats) -> tuple[str, ...]:
    n_out, n_empty = int(np.isnan(place[0]).sum()), int((local.mass(weights) == 0).sum())
    return count_notes(
        n_out, place.shape[1], n_empty, local.n_groups, of="cell", where="the grid", so="no interaction is added there"
    )
