"""Conditional dependence: the mean answer over the rows that are near a grid value, with that value set."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tauscope.effects.curves.dependence import PartialDependence, check_grids
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, grid_notes, grid_product
from tauscope.effects.curves.intervals import Interval, mean_bounds, no_interval_notes, percentile_bounds
from tauscope.effects.curves.neighbourhoods import Nearest, Window, inside_window, nearest_rows
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict
from tauscope.prediction.pairs import AnsweredPairs, predict_distinct_pairs
from tauscope.prediction.rows import Rows, as_rows, check_columns
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_weights


@dataclass(frozen=True)
class ConditionalDependence(Effect):
    """Weighted mean, over the rows near each grid value, of the model's answer with the feature set to it.

    Attributes
    ----------
    local : RaggedGroups
        The answers: one group per grid point (of two features: the last grid fastest).
    neighbourhood : Window or Nearest

    Notes
    -----
    CD(x) = Σ_{i near x} w_i f(x, x_i) / Σ_{i near x} w_i. A point near no row is NaN: partial dependence is
    another quantity and is not put in its place.
    """

    kind: ClassVar[str] = "cd"

    local: RaggedGroups
    neighbourhood: Window | Nearest

    def reweighted(self, sample_weight: object, interval: Interval | None = None) -> "ConditionalDependence":
        """Give the same curve under other row weights (n_rows,), without calling the model."""
        weights = check_weights(sample_weight, self.n_rows)
        interval = interval or self.interval
        shape = self.effect.shape[1:]
        seed = interval.seed()
        effect, lower, upper = (a.reshape(len(a), *shape) for a in group_means(self.local, weights, interval, seed))
        return replace(
            self,
            effect=effect,
            lower=lower,
            upper=upper,
            interval=interval,
            seed=seed,
            mass=self.local.mass(weights).reshape(shape),
            sample_weight=weights,
            n_model_rows=0,
            notes=(
                *point_notes(self.local.counts(), self.local.mass(weights), self.grids),
                *no_interval_notes(effect, lower),
            ),
        )


def conditional_dependence(
    predict: Predict,
    rows: object,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    *,
    neighbourhood: Window | Nearest | None = None,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
    dependence: PartialDependence | None = None,
) -> ConditionalDependence:
    """Compute conditional dependence on one feature or two.

    Parameters
    ----------
    predict, rows, columns, grids, sample_weight, interval, batches
        As in `partial_dependence`.
    neighbourhood : Window or Nearest, optional
        Window of a ninth of the range by default. Levels, and missing, are always met exactly.
    dependence : PartialDependence, optional
        Of the same rows, features and grids, with individual curves: they are read, and the model is not called.

    Returns
    -------
    ConditionalDependence
        `n_model_rows` is at most the sum of `n`.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    neighbourhood = neighbourhood or Window()
    columns = check_columns(columns, table.n_columns)
    check_grids(columns, grids)
    weights = check_weights(sample_weight, table.n_rows)
    points = grid_product(grids)
    shape = tuple(len(grid) for grid in grids)
    row, point = _pairs(table, columns, grids, points, neighbourhood)

    if dependence is not None:
        curves = dependence.curves()
        answers = curves.reshape(*curves.shape[:2], -1)[:, row, point]
        predicted = AnsweredPairs(np.arange(len(row), dtype=np.int64), answers[:, :, None], 0)
    else:
        predicted = predict_distinct_pairs(
            predict, table, columns, batches, row, point, len(points), points[point][:, None, :]
        )
    index = predicted.index
    local = RaggedGroups(row[index], point[index], predicted.answers[:, :, 0], len(points), table.n_rows)

    seed = interval.seed()
    effect, lower, upper = (a.reshape(len(a), *shape) for a in group_means(local, weights, interval, seed))
    counts, mass = local.counts(), local.mass(weights)
    complete = len(index) == len(row)
    n_reached = table.n_rows if complete else len(np.unique(local.row))
    return ConditionalDependence(
        columns=columns,
        grids=grids,
        effect=effect,
        lower=lower,
        upper=upper,
        interval=interval,
        seed=seed,
        n=counts.reshape(shape),
        mass=mass.reshape(shape),
        sample_weight=weights,
        n_model_rows=predicted.n_model_rows,
        n_done=n_reached,
        n_total=table.n_rows,
        notes=(*point_notes(counts, mass, grids), *no_interval_notes(effect, lower)),
        local=local,
        neighbourhood=neighbourhood,
    )


def point_notes(counts: Ints, mass: Floats, grids: tuple[Grid, ...]) -> tuple[str, ...]:
    """Sentences on points outside the data, and on those without a value, by the rows and the weight near each."""
    notes = list(grid_notes(grids))
    n_empty = int(np.count_nonzero(counts == 0))
    if n_empty:
        notes.append(f"{n_empty} of {len(counts)} grid points have no row near them: there the curve has no value")
    n_weightless = int(np.count_nonzero((counts > 0) & (mass == 0)))
    if n_weightless:
        notes.append(
            f"{n_weightless} of {len(counts)} grid points have only rows without weight near them: there the curve has "
            "no value"
        )
    return tuple(notes)


def group_means(
    local: RaggedGroups, weights: Floats, interval: Interval, seed: int | None
) -> tuple[Floats, Floats, Floats]:
    """Means of the groups with their intervals, each (q, n_groups)."""
    means = local.means(weights)
    if seed is not None:
        return means, *percentile_bounds(local.resampled_means(weights, interval, seed), interval.confidence)
    return means, *mean_bounds(means, local.variances(weights), local.sizes(weights), interval)


def _pairs(
    table: Rows,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    points: Floats,
    neighbourhood: Window | Nearest,
) -> tuple[Ints, Ints]:
    """Every (row, grid point) with the row near the point, a row's own together."""
    values = [table.column(column) for column in columns]
    rows_of: list[Ints] = []
    for point in points:
        if isinstance(neighbourhood, Nearest):
            inside = nearest_rows(values, point, grids, neighbourhood)
        else:
            inside = np.ones(table.n_rows, dtype=np.bool_)
            for column, value, grid in zip(values, point, grids, strict=True):
                inside &= inside_window(column, float(value), grid, neighbourhood)
        rows_of.append(np.flatnonzero(inside).astype(np.int64))
    row = np.concatenate(rows_of)
    point_of = np.repeat(np.arange(len(points), dtype=np.int64), [len(rows) for rows in rows_of])
    order = np.argsort(row, kind="stable")
    return row[order], point_of[order]
