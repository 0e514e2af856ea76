"""Accumulated local effects of one feature: local changes averaged bin by bin, added up along the feature."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from scipy import sparse

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
from tauscope.words import agree, count

ChangeSource = Literal["differences", "gradient", "finite differences"]


@dataclass(frozen=True)
class AccumulatedEffect(Effect):
    """Local effects of one feature, averaged in each bin and accumulated.

    Attributes
    ----------
    accumulated : ndarray of shape (q, G)
        The sum of bin means from the first grid point, where it is 0.
    centred : bool
        Whether `effect` is `accumulated` minus its mean over the rows, or `accumulated` itself.
    local : RaggedGroups
        Change of the answer across its bin for each row: G − 1 groups. Of levels, bins are the steps between
        neighbours, and a row takes part in both steps beside its level.
    position : ndarray of shape (n_rows,)
        Where each row stands on the grid, in steps; NaN for rows in no bin.
    source : {"differences", "gradient", "finite differences"}
        What the local effects come from.

    Notes
    -----
    A(z_K) = Σ_{k≤K} Σ_{i in bin k} w_i [f(z_k, x_i) − f(z_{k−1}, x_i)] / Σ_{i in bin k} w_i, bin k being
    z_{k−1} < x ≤ z_k, the first one closed. The centring mean is over the rows, A taken linearly between grid
    points (the original implementation averages the two ends of each bin instead). A bin without rows, or
    without weight, adds nothing, and the notes say so.

    The interval holds the edges fixed. Row i of bin k moves a point z_K by (1{k ≤ K} − p_k) w_i (d_i − m_k) / W_k
    through the mean m_k of its bin, d_i being its own change, and by −w_i (A(x_i) − Ā) / W through the centring mean
    Ā, p_k being the share of the weight past bin k; the variance is the sum of the squares of both together. A bin
    of one row is given the pooled spread of the others. In the bootstrap each draw is centred by its own mean.

    References
    ----------
    Apley and Zhu, "Visualizing the effects of predictor variables in black box supervised learning models",
    2020, eqs 15, 16.
    """

    kind: ClassVar[str] = "ale"

    accumulated: Floats
    centred: bool
    local: RaggedGroups
    position: Floats
    source: ChangeSource

    def reweighted(self, sample_weight: object, interval: Interval | None = None) -> "AccumulatedEffect":
        """Give the same curve under other row weights (n_rows,), without calling the model."""
        weights = check_weights(sample_weight, self.n_rows)
        interval = interval or self.interval
        seed = interval.seed()
        curve = accumulate_bins(self.local, self.position, weights, interval, seed, centre=self.centred)
        notes = (*grid_notes(self.grids), *bin_notes(self.local, self.position, weights))
        return replace(
            self,
            **curve._asdict(),
            interval=interval,
            seed=seed,
            sample_weight=weights,
            n_model_rows=0,
            notes=notes,
        )


def accumulated_effect(
    predict: Predict,
    rows: object,
    column: int,
    grid: Grid,
    *,
    centre: bool = True,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
) -> AccumulatedEffect:
    """Compute the accumulated local effect of a numeric feature; the model is called on at most 2n rows.

    Parameters
    ----------
    predict, rows, sample_weight, interval, batches
        As in `partial_dependence`.
    column : int
    grid : Grid
        Its points are the bins' edges; its missing point is left out, as are rows without a value.
    centre : bool, default=True
        Subtract the mean over the rows.

    Returns
    -------
    AccumulatedEffect
        `n` counts the rows of the bin that ends at each point; 0 at the first.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    (column,) = check_columns((column,), table.n_columns)
    weights = check_weights(sample_weight, table.n_rows)
    edges, position, inside, bins = rows_in_bins(table.column(column), grid)
    ends = np.stack([edges.values[bins], edges.values[bins + 1]], axis=1)[:, :, None]
    predicted = predict_distinct_pairs(predict, table, (column,), batches, inside, bins, len(edges), ends)
    index = predicted.index
    local = RaggedGroups(
        inside[index], bins[index], np.diff(predicted.answers, axis=2)[:, :, 0], len(edges) - 1, table.n_rows
    )
    return effect_of_bins(
        local,
        edges,
        column,
        position,
        weights,
        interval,
        n=np.append(0, local.counts()),
        centre=centre,
        n_model_rows=predicted.n_model_rows,
        source="differences",
        n_done=len(index),
        n_total=len(inside),
    )


def effect_of_bins(
    local: RaggedGroups,
    grid: Grid,
    column: int,
    position: Floats,
    weights: Floats,
    interval: Interval,
    *,
    n: Ints,
    centre: bool,
    n_model_rows: int,
    source: ChangeSource,
    n_done: int,
    n_total: int,
) -> AccumulatedEffect:
    """Build the result from local effects in bins, `n` rows behind each grid point."""
    seed = interval.seed()
    curve = accumulate_bins(local, position, weights, interval, seed, centre=centre)
    return AccumulatedEffect(
        columns=(column,),
        grids=(grid,),
        **curve._asdict(),
        interval=interval,
        seed=seed,
        n=n,
        sample_weight=weights,
        n_model_rows=n_model_rows,
        n_done=n_done,
        n_total=n_total,
        notes=(*grid_notes((grid,)), *bin_notes(local, position, weights)),
        centred=centre,
        local=local,
        position=position,
        source=source,
    )


def bin_edges(grid: Grid) -> Grid:
    """Take a numeric grid's values, without its missing point, as edges of bins."""
    if grid.kind == "categorical":
        raise InputError("bins need a numeric grid, got levels: use accumulated_levels")
    present = ~np.isnan(grid.values)
    if np.count_nonzero(present) < 2:
        raise InputError(f"bins need at least two edges, got {np.count_nonzero(present)}")
    return Grid(grid.values[present], grid.kind, grid.outside[present], grid.exact)


def rows_in_bins(values: Floats, grid: Grid) -> tuple[Grid, Floats, Ints, Ints]:
    """Find each row's bin.

    Returns
    -------
    edges : Grid
    position : ndarray of shape (n_rows,)
        As `positions`.
    inside : ndarray of shape (u,)
        Rows in a bin, ascending.
    bins : ndarray of shape (u,)
        Theirs.
    """
    edges = bin_edges(grid)
    position = positions(values, edges.values)
    inside = np.flatnonzero(~np.isnan(position)).astype(np.int64)
    return edges, position, inside, bins_of(values[inside], edges.values)


def positions(values: Floats, edges: Floats) -> Floats:
    """Where values stand between edges, in bins: 0 at the first edge, G − 1 at the last, NaN outside."""
    inside = (values >= edges[0]) & (values <= edges[-1])
    return np.where(inside, np.interp(values, edges, np.arange(len(edges))), np.nan)


def bins_of(values: Floats, edges: Floats) -> Ints:
    """Bin of each value inside the edges: k for z_k < value ≤ z_{k+1}, and 0 at z_0."""
    return np.maximum(np.searchsorted(edges, values, side="left") - 1, 0).astype(np.int64)


class BetweenPoints(NamedTuple):
    """Rows on the grid, the point to the left of each, and the share of the way to the next it stands at."""

    rows: Ints
    left: Ints
    share: Floats


class AccumulatedBins(NamedTuple):
    """A curve, its interval's ends and the uncentred curve, each (q, G), and the weight at each point (G,)."""

    effect: Floats
    lower: Floats
    upper: Floats
    accumulated: Floats
    mass: Floats


def accumulate_bins(
    local: RaggedGroups, position: Floats, weights: Floats, interval: Interval, seed: int | None, *, centre: bool
) -> AccumulatedBins:
    """Add up bin means."""
    n_points = local.n_groups + 1
    place = between_points(position, n_points)
    mass = mass_between(place, weights, n_points)
    add_up = np.tril(np.ones((n_points, local.n_groups)), -1)
    contrast = add_up - _shares(mass) @ add_up if centre else add_up
    steps = np.nan_to_num(local.means(weights))
    accumulated, effect = steps @ add_up.T, steps @ contrast.T
    if seed is not None:
        drawn = _resampled_curves(local, place, weights, interval, seed, centre=centre)
        return AccumulatedBins(effect, *percentile_bounds(drawn, interval.confidence), accumulated, mass)
    centring = _centring_influence(accumulated, place, weights) if centre else None
    variance = local.contrast_variances(weights, contrast, centring)
    used = np.zeros(local.n_rows, dtype=np.bool_)
    used[local.row] = True
    size = max(effective_size(weights[used]) - local.n_groups, 1.0) + 1.0
    ends = student_bounds(effect, variance, size, interval.confidence)
    return AccumulatedBins(effect, *ends, accumulated, mass)


def _centring_influence(accumulated: Floats, place: BetweenPoints, weights: Floats) -> Floats:
    """Compute each row's share in the error of the centring mean, by where it stands: shape (q, n_rows)."""
    heights = accumulated[:, place.left] + place.share * np.diff(accumulated, axis=1)[:, place.left]
    influence = np.zeros((len(accumulated), len(weights)))
    influence[:, place.rows] = mean_influence(heights, weights[place.rows])
    return influence


def _resampled_curves(
    local: RaggedGroups, place: BetweenPoints, weights: Floats, interval: Interval, seed: int, *, centre: bool
) -> Floats:
    """Accumulate the bins of rows drawn again, each draw less its own mean: shape (replicates, q, G)."""
    n_points = local.n_groups + 1
    rows, points = np.tile(place.rows, 2), np.concatenate([place.left, place.left + 1])
    share = np.concatenate([1 - place.share, place.share])
    shares = sparse.csr_array((share, (rows, points)), (local.n_rows, n_points))
    means, mass = local.resampled(weights, interval, seed, shares)
    curves = np.concatenate([np.zeros((*means.shape[:2], 1)), np.nan_to_num(means).cumsum(axis=2)], axis=2)
    return curves - np.einsum("rqg,rg->rq", curves, _shares(mass))[:, :, None] if centre else curves


def _shares(mass: Floats) -> Floats:
    return mass / np.maximum(mass.sum(axis=-1, keepdims=True), np.finfo(float).tiny)


def between_points(position: Floats, n_points: int) -> BetweenPoints:
    """Find the points that rows stand between; those in no bin are left out."""
    rows = np.flatnonzero(~np.isnan(position))
    where = position[rows]
    left = np.minimum(where.astype(np.int64), n_points - 2)
    return BetweenPoints(rows, left, where - left)


def point_mass(position: Floats, weights: Floats, n_points: int) -> Floats:
    """Weight of the rows at each grid point, a row between two counted to both: shape (n_points,)."""
    return mass_between(between_points(position, n_points), weights, n_points)


def mass_between(place: BetweenPoints, weights: Floats, n_points: int) -> Floats:
    """Compute `point_mass` of rows whose place is known."""
    weight = weights[place.rows]
    right = weight * place.share
    return sums_by(place.left, weight - right, n_points) + sums_by(place.left + 1, right, n_points)


def bin_notes(local: RaggedGroups, position: Floats, weights: Floats) -> tuple[str, ...]:
    """Sentences on rows in no bin and bins without rows or weight."""
    n_out, n_empty = int(np.isnan(position).sum()), int((local.mass(weights) == 0).sum())
    return count_notes(n_out, len(position), n_empty, local.n_groups)


def count_notes(
    n_out: int, n_rows: int, n_empty: int, n_bins: int, *, of: str = "bin", where: str = "the bins",
    so: str = "the curve is flat across them",
) -> tuple[str, ...]:  # fmt: skip
    """Sentences on so many rows in no bin, or cell of a grid, and so many bins without rows or weight."""
    out, it = agree(n_out, "has", "have"), agree(n_out, "it takes", "they take")
    empty = agree(n_empty, "has", "have")
    return (
        *(
            (f"{n_out} of {count(n_rows, 'row')} {out} no value, or one outside {where}: {it} no part",)
            if n_out
            else ()
        ),
        *((f"{n_empty} of {count(n_bins, of)} {empty} no row or no weight: {so}",) if n_empty else ()),
    )
