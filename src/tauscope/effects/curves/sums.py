"""Effects of rows in chunks: what each chunk adds, and the curve from the sums.

Means and spreads of groups of answers (grid points, windows, bins) add over disjoint sets of rows, about means that
are updated as they do, so that no digits are lost to a large offset.
"""

from dataclasses import dataclass, replace

import numpy as np

from tauscope.effects.curves.accumulated import bins_of, count_notes, point_mass, positions
from tauscope.effects.curves.conditional import point_notes
from tauscope.effects.curves.dependence import GridAnswers, ModelAnswers, with_members
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, grid_notes, grid_product
from tauscope.effects.curves.intervals import Interval, mean_bounds, no_interval_notes
from tauscope.effects.curves.neighbourhoods import Window, inside_window
from tauscope.effects.curves.ragged import SINGLE
from tauscope.prediction.batches import BatchOptions, BatchPredictor, predict_pairs
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows, distinct_pairs, distinct_rows
from tauscope.weights.arrays import Floats, Ints, sums_by
from tauscope.weights.measures import effective_size_of_sums
from tauscope.weights.student import student_bounds


@dataclass(frozen=True)
class GroupSums:
    """Answers of some rows in groups, to be added to those of others.

    Attributes
    ----------
    n : ndarray of shape (n_groups,)
        Answers in each group.
    weight, squares : ndarray of shape (n_groups,)
        Their weights and squared weights together; n of both where rows are not weighted.
    mean : ndarray of shape (q, n_groups)
        Their weighted mean; 0 for a group without weight.
    drift, spread : ndarray of shape (q, n_groups)
        Sums of w²(v - mean) and of w²(v - mean)².
    n_model_rows : int
        Rows the model was called on.
    """

    n: Ints
    weight: Floats
    squares: Floats
    mean: Floats
    drift: Floats
    spread: Floats
    n_model_rows: int

    def __add__(self, other: "GroupSums") -> "GroupSums":
        """Return the sums over both sets of rows."""
        weight = self.weight + other.weight
        share = other.weight / np.where(weight > 0, weight, 1.0)
        mean = self.mean + share * (other.mean - self.mean)
        drift, spread = np.zeros_like(mean), np.zeros_like(mean)
        for sums in (self, other):
            off = np.where(sums.weight > 0, sums.mean - mean, 0.0)
            drift += sums.drift + off * sums.squares
            spread += sums.spread + 2 * off * sums.drift + off**2 * sums.squares
        n_model_rows = self.n_model_rows + other.n_model_rows
        return GroupSums(self.n + other.n, weight, self.squares + other.squares, mean, drift, spread, n_model_rows)

    @property
    def sizes(self) -> Floats:
        """Effective rows (Σw)²/Σw² in each group, shape (n_groups,)."""
        return self.weight**2 / np.where(self.squares > 0, self.squares, np.inf)

    @property
    def size(self) -> float:
        """Effective rows of all groups together, which have no row in common."""
        return float(effective_size_of_sums(self.weight.sum(), self.squares.sum()))

    def variances(self) -> Floats:
        """Variance of each group's mean over rows, shape (q, n_groups); 0 for fewer than two effective rows."""
        several = self.sizes > SINGLE
        factor = self.sizes / np.where(several, self.sizes - 1, 1.0)
        spread = np.maximum(self.spread, 0.0) / np.where(self.weight > 0, self.weight, 1.0) ** 2
        return np.where(several, factor * spread, 0.0)

    def interval(self, interval: Interval) -> tuple[Floats, Floats, Floats]:
        """Return means with the ends of Student's interval, each (q, n_groups); NaN where there is nothing."""
        mean = np.where(self.weight > 0, self.mean, np.nan)
        return mean, *mean_bounds(mean, self.variances(), self.sizes, interval)


@dataclass(frozen=True)
class BinSums:
    """Local changes of some rows in the bins of an accumulated effect, to be added to those of others.

    Attributes
    ----------
    changes : GroupSums
        One group a bin.
    mass : ndarray of shape (G,)
        Weight of the rows at each grid point, one between two counted to both.
    places : ndarray of shape (2, n_bins)
        Sums of w²t and of w²t², t being the share of its bin that lies below a row.
    lean : ndarray of shape (q, n_bins)
        Sum of w²(v - mean)t.
    n_out : int
        Rows in no bin.
    """

    changes: GroupSums
    mass: Floats
    places: Floats
    lean: Floats
    n_out: int

    def __add__(self, other: "BinSums") -> "BinSums":
        """Return the sums over both sets of rows."""
        changes = self.changes + other.changes
        lean = np.zeros_like(self.lean)
        for sums in (self, other):
            off = np.where(sums.changes.weight > 0, sums.changes.mean - changes.mean, 0.0)
            lean += sums.lean + off * sums.places[0]
        return BinSums(changes, self.mass + other.mass, self.places + other.places, lean, self.n_out + other.n_out)

    def interval(self, confidence: float) -> tuple[Floats, Floats, Floats]:
        """Return the centred curve with the ends of its interval, each (q, G); see `AccumulatedEffect`."""
        groups, n_points = self.changes, len(self.mass)
        add_up = np.tril(np.ones((n_points, n_points - 1)), -1)
        share = self.mass / max(float(self.mass.sum()), np.finfo(float).tiny)
        contrast = add_up - share @ add_up
        effect = groups.mean @ contrast.T
        variance, sizes = groups.variances(), groups.sizes
        several = sizes > SINGLE
        pooled = np.full(len(variance), np.nan)
        if several.any():
            pooled = np.average(variance[:, several] * sizes[several], axis=1, weights=groups.weight[several])
        variance = np.where(several, variance, np.where(sizes > 0, pooled[:, None], 0.0))
        own, shared = self._centring(effect[:, :-1])
        variance = variance @ (contrast**2).T + own[:, None] - 2 * shared @ contrast.T
        size = max(groups.size - len(sizes), 1.0) + 1.0
        return effect, *student_bounds(effect, variance, size, confidence)

    def _centring(self, start: Floats) -> tuple[Floats, Floats]:
        """Return the centring mean's variance (q,), and its covariance (q, n_bins) with the bins' means.

        In bin k a row's height over that mean is start_k + t · mean_k: `start` (q, n_bins) is the centred curve at the
        bins' lower ends.
        """
        groups, (first, second) = self.changes, self.places
        total, size = float(groups.weight.sum()), groups.size
        several = groups.sizes > SINGLE
        factor = np.sqrt(groups.sizes / np.where(several, groups.sizes - 1, 1.0))
        factor = np.where(several, factor, 0.0) / np.where(groups.weight > 0, groups.weight, 1.0)
        scale = np.sqrt(size / (size - 1)) / total if size > SINGLE else 0.0
        own = start**2 * groups.squares + 2 * start * groups.mean * first + groups.mean**2 * second
        return scale**2 * own.sum(axis=1), scale * factor * (start * groups.drift + groups.mean * self.lean)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on rows in no bin and bins without rows."""
        n_empty = int((self.changes.weight == 0).sum())
        return count_notes(self.n_out, int(self.changes.n.sum()) + self.n_out, n_empty, len(self.changes.n))


@dataclass(frozen=True)
class ChunkedEffect(Effect):
    """A curve from sums over rows in chunks: no answer of a single row is kept, so that no weights can be put on it.

    Its `sample_weight` is that of the values which stand for the rows where they are drawn, all alike.

    Attributes
    ----------
    n_trees, unread
        As of `PartialDependence`.
    """

    n_trees: int = 0
    unread: str = ""


def effect_of_groups(
    sums: GroupSums, columns: tuple[int, ...], grids: tuple[Grid, ...], interval: Interval, n_rows: int, n_drawn: int
) -> ChunkedEffect:
    """Return partial or conditional dependence from its sums, one group for each grid point.

    Parameters
    ----------
    n_rows : int
        Rows summed.
    n_drawn : int
        Values that stand for them.
    """
    shape = tuple(len(grid) for grid in grids)
    effect, lower, upper = (array.reshape(len(array), *shape) for array in sums.interval(interval))
    n = sums.n.reshape(shape)
    notes = (*point_notes(sums.n, sums.weight, grids), *no_interval_notes(effect, lower))
    weight, mass, n_model_rows = np.ones(n_drawn), sums.weight.reshape(shape), sums.n_model_rows
    return ChunkedEffect(
        columns, grids, effect, lower, upper, interval, None, n, mass, weight, n_model_rows, n_rows, n_rows, notes
    )  # fmt: skip


def effect_of_bins(
    sums: BinSums, column: int, edges: Grid, interval: Interval, n_rows: int, n_drawn: int
) -> ChunkedEffect:
    """Return an accumulated effect from its sums; parameters as in `effect_of_groups`."""
    curve = sums.interval(interval.confidence)
    n, weight = np.append(0, sums.changes.n).astype(np.int64), np.ones(n_drawn)
    notes = (*grid_notes((edges,)), *sums.notes)
    n_model_rows = sums.changes.n_model_rows
    return ChunkedEffect(
        (column,), (edges,), *curve, interval, None, n, sums.mass, weight, n_model_rows, n_rows, n_rows, notes
    )


def dependence_sums(
    predict: Predict,
    rows: Rows,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    batches: BatchOptions,
    weight: Floats | None = None,
    answers: GridAnswers | None = None,
) -> GroupSums:
    """Sum what partial dependence averages, over some rows with their weights; one group for each grid point."""
    representatives, slot = distinct_rows(rows, columns)
    answers = answers or ModelAnswers(predict, rows, columns, grids, batches)
    total_sums: GroupSums | None = None
    for batch, values, members, owner in with_members(answers, representatives, slot):
        row_weight = np.ones(len(members)) if weight is None else weight[members]
        first = row_weight if owner is None else sums_by(owner, row_weight, len(batch))
        second = row_weight**2 if owner is None else sums_by(owner, row_weight**2, len(batch))
        total, ones = float(first.sum()), np.ones(values.shape[2])
        mean = np.einsum("u,qum->qm", first, values) / (total or 1.0)
        off = values - mean[:, None]
        drift, spread = np.einsum("u,qum->qm", second, off), np.einsum("u,qum->qm", second, off**2)
        n = np.full(len(ones), len(members), dtype=np.int64)
        batch_sums = GroupSums(n, total * ones, float(second.sum()) * ones, mean, drift, spread, 0)
        total_sums = batch_sums if total_sums is None else total_sums + batch_sums
    assert total_sums is not None
    return replace(total_sums, n_model_rows=answers.n_model_rows)


def conditional_sums(
    predict: Predict,
    rows: Rows,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    window: Window,
    extremes: tuple[tuple[float, float], ...],
    batches: BatchOptions,
    weight: Floats | None = None,
) -> GroupSums:
    """Sum what conditional dependence averages, over some rows with their weights.

    Parameters
    ----------
    extremes : tuple of (float, float)
        Smallest and largest value of each feature among all rows, which set the width of the window.
    """
    points = grid_product(grids)
    padded = [np.append(rows.column(column), ends) for column, ends in zip(columns, extremes, strict=True)]
    rows_of: list[Ints] = []
    for point in points:
        inside = np.ones(rows.n_rows, dtype=np.bool_)
        for values, value, grid in zip(padded, point, grids, strict=True):
            inside &= inside_window(values, float(value), grid, window)[:-2]
        rows_of.append(np.flatnonzero(inside).astype(np.int64))
    row = np.concatenate(rows_of)
    point_of = np.repeat(np.arange(len(points), dtype=np.int64), [len(near_rows) for near_rows in rows_of])
    order = np.argsort(row, kind="stable")
    row, point_of = row[order], point_of[order]
    pairs = distinct_pairs(rows, columns, row, point_of, len(points))
    predictor = BatchPredictor(predict, rows, columns, batches, total=len(pairs.chosen))
    answers, reached = predict_pairs(predictor, row[pairs.chosen], points[point_of[pairs.chosen]], pairs.unit)
    index, place = pairs.answered(reached)
    row_weight = None if weight is None else weight[row[index]]
    return _grouped(answers[:, place], point_of[index], len(points), predictor.n_model_rows, row_weight)


def bin_sums(
    predict: Predict, rows: Rows, column: int, edges: Grid, batches: BatchOptions, weight: Floats | None = None
) -> BinSums:
    """Sum what an accumulated effect averages, over some rows with their weights; `edges` from `bin_edges`."""
    values = rows.column(column)
    position = positions(values, edges.values)
    inside = np.flatnonzero(~np.isnan(position)).astype(np.int64)
    bins = bins_of(values[inside], edges.values)
    pairs = distinct_pairs(rows, (column,), inside, bins, len(edges))
    pair_bin = bins[pairs.chosen]
    ends = np.stack([edges.values[pair_bin], edges.values[pair_bin + 1]], axis=1).reshape(-1, 1)
    unit = np.repeat(np.arange(len(pair_bin), dtype=np.int64), 2)
    predictor = BatchPredictor(predict, rows, (column,), batches, total=len(ends))
    answers, reached = predict_pairs(predictor, np.repeat(inside[pairs.chosen], 2), ends, unit)
    change = np.diff(answers.reshape(len(answers), -1, 2), axis=2)[:, :, 0]
    index, place = pairs.answered(reached[::2] // 2)
    row_weight = None if weight is None else weight[inside[index]]
    groups = _grouped(change[:, place], bins[index], len(edges) - 1, predictor.n_model_rows, row_weight)
    weights = np.ones(len(position)) if weight is None else weight
    mass = point_mass(position, weights, len(edges))
    bin_of, squared = bins[index], weights[inside[index]] ** 2
    share = position[inside[index]] - bin_of
    places = np.stack([sums_by(bin_of, squared * power, len(edges) - 1) for power in (share, share**2)])
    off = change[:, place] - groups.mean[:, bin_of]
    lean = np.stack([sums_by(bin_of, squared * share * one, len(edges) - 1) for one in off])
    return BinSums(groups, mass, places, lean, int(np.count_nonzero(np.isnan(position))))


def _grouped(values: Floats, group: Ints, n_groups: int, n_model_rows: int, weight: Floats | None) -> GroupSums:
    row_weight = np.ones(len(group)) if weight is None else weight
    n = np.bincount(group, minlength=n_groups).astype(np.int64)
    total, squares = sums_by(group, row_weight, n_groups), sums_by(group, row_weight**2, n_groups)
    mean = np.stack([sums_by(group, row_weight * response, n_groups) for response in values])
    mean /= np.where(total > 0, total, 1.0)
    off = values - mean[:, group]
    drift = np.stack([sums_by(group, row_weight**2 * response, n_groups) for response in off])
    spread = np.stack([sums_by(group, row_weight**2 * response**2, n_groups) for response in off])
    return GroupSums(n, total, squares, mean, drift, spread, n_model_rows)
