"""Accumulated local effects of two features: their interaction, beyond what each does alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tauscope.effects.curves.accumulated import bin_edges, bins_of, positions
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, grid_notes
from tauscope.effects.curves.intervals import Interval, percentile_bounds, student_bounds
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict
from tauscope.prediction.pairs import predict_distinct_pairs
from tauscope.prediction.rows import as_rows, check_columns
from tauscope.weights.arrays import Floats, sums_by
from tauscope.weights.checks import check_weights
from tauscope.weights.measures import effective_size

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
    corners). Cells without rows add nothing, and the notes say so.

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
    add_up = _accumulator(place, shape, weights)
    effect = add_up(np.nan_to_num(local.means(weights)))
    if seed is not None:
        drawn = np.stack([add_up(means) for means in np.nan_to_num(local.resampled_means(weights, interval, seed))])
        return effect, *percentile_bounds(drawn, interval.confidence)
    variance = np.zeros(effect.shape)
    cell_variance = local.variances(weights, pool=True)
    step = max(1, BLOCK // (shape[0] * shape[1]))
    for start in range(0, local.n_groups, step):
        block = np.arange(start, min(start + step, local.n_groups))
        contrast = add_up((block[:, None] == np.arange(local.n_groups)).astype(np.float64))
        variance += np.tensordot(cell_variance[:, block], contrast**2, axes=1)
    used = np.zeros(local.n_rows, dtype=np.bool_)
    used[local.row] = True
    n_used = np.count_nonzero(local.mass(weights))
    size = max(effective_size(weights[used]) - n_used, 1.0) + 1.0
    return effect, *student_bounds(effect, variance, size, interval.confidence)


def _accumulator(place: Floats, shape: tuple[int, int], weights: Floats) -> Callable[[Floats], Floats]:
    """Make the linear map from cell means (b, cells) to surfaces (b, G1, G2) without main effects and mean."""
    n1, n2 = shape[0] - 1, shape[1] - 1
    inside = ~np.isnan(place[0])
    weight = weights[inside]
    first = np.minimum(np.ceil(place[0, inside]).astype(np.int64) - 1, n1 - 1).clip(0)
    second = np.minimum(np.ceil(place[1, inside]).astype(np.int64) - 1, n2 - 1).clip(0)
    u, v = place[0, inside] - first, place[1, inside] - second
    cell = first * n2 + second

    def cell_sums(share: Floats) -> Floats:
        return sums_by(cell, weight * share, n1 * n2).reshape(n1, n2)

    corner = [[cell_sums((1 - u) * (1 - v)), cell_sums((1 - u) * v)], [cell_sums(u * (1 - v)), cell_sums(u * v)]]
    at_low, at_high = corner[0][0] + corner[1][0], corner[0][1] + corner[1][1]
    at_left, at_right = corner[0][0] + corner[0][1], corner[1][0] + corner[1][1]
    total = at_low + at_high

    def ratio(sums: Floats, mass: Floats) -> Floats:
        return sums / np.where(mass > 0, mass, 1.0)

    def add_up(means: Floats) -> Floats:
        surface = np.zeros((len(means), *shape))
        surface[:, 1:, 1:] = means.reshape(len(means), n1, n2).cumsum(axis=1).cumsum(axis=2)
        across, along = np.diff(surface, axis=1), np.diff(surface, axis=2)
        step1 = (across[:, :, :-1] * at_low + across[:, :, 1:] * at_high).sum(axis=2)
        step2 = (along[:, :-1] * at_left + along[:, 1:] * at_right).sum(axis=1)
        surface[:, 1:] -= ratio(step1, total.sum(axis=1)).cumsum(axis=1)[:, :, None]
        surface[:, :, 1:] -= ratio(step2, total.sum(axis=0)).cumsum(axis=1)[:, None, :]
        mean = sum((surface[:, i : n1 + i, j : n2 + j] * corner[i][j]).sum(axis=(1, 2)) for i in (0, 1) for j in (0, 1))
        return surface - ratio(np.asarray(mean), total.sum())[:, None, None]

    return add_up


def _padded(cells: Floats, shape: tuple[int, int]) -> Floats:
    points = np.zeros(shape)
    points[1:, 1:] = cells.reshape(shape[0] - 1, shape[1] - 1)
    return points


def _cell_notes(local: RaggedGroups, place: Floats, weights: Floats) -> tuple[str, ...]:
    notes: list[str] = []
    n_out = int(np.count_nonzero(np.isnan(place[0])))
    if n_out:
        notes.append(f"{n_out} of {place.shape[1]} rows lack a value, or have one outside the grid: they take no part")
    n_empty = int(np.count_nonzero(local.mass(weights) == 0))
    if n_empty:
        notes.append(f"{n_empty} of {local.n_groups} cells have no row or no weight: no interaction is added there")
    return tuple(notes)
