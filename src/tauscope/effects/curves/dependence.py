"""Partial dependence and individual curves: one feature, or two, set to each grid value in every row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np

from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, grid_notes, grid_product
from tauscope.effects.curves.intervals import Interval, Resampler, mean_bounds, no_interval_notes, percentile_bounds
from tauscope.effects.curves.sorted_means import SortedMeans
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, BatchPredictor, predict_by_row, split_evenly
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows, as_rows, check_columns, distinct_rows
from tauscope.weights.arrays import Floats, Ints, sums_by
from tauscope.weights.checks import check_weights

ICE_BYTES = 2**28


@dataclass(frozen=True)
class PartialDependence(Effect):
    """Weighted mean over rows of the model's answer with the feature set to each grid value.

    Attributes
    ----------
    ice : ndarray of shape (q, m, G) or (q, m, G1, G2), or None
        Individual curves of the rows in `ice_rows`; None where they would not fit the memory allowed.
    ice_rows : ndarray of shape (m,)
        All rows, or those reached before a run was stopped.
    n_trees : int
        Trees the curve was read from, with the same numbers as the model; 0 where the model was called.
    unread : str
        Why trees that were to be read could not be, in the words of the error; "" where none were or all went well.

    Notes
    -----
    PD(x) = Σ_i w_i f(x, x_i) / Σ_i w_i, x_i the other columns of row i.
    """

    kind: ClassVar[str] = "pd"

    ice: Floats | None
    ice_rows: Ints
    n_trees: int = 0
    unread: str = ""

    def curves(self) -> Floats:
        """Individual curves, shape (q, m, G) or (q, m, G1, G2).

        Raises
        ------
        InputError
            Where they were not kept.
        """
        if self.ice is None:
            raise InputError(
                "individual curves were not kept: they pass the memory allowed, or all features were summed at once; "
                "compute this effect alone, raise ice_bytes, or take fewer grid points or rows"
            )
        return self.ice

    @cached_property
    def sorted_curves(self) -> tuple[SortedMeans, ...]:
        """Answers at each grid point sorted once for every bound under these weights: one for each response."""
        curves, weights = self.curves(), self.sample_weight[self.ice_rows]
        return tuple(SortedMeans(values.reshape(len(values), -1), weights) for values in curves)

    def centred_curves(self, reference: int = 0) -> Floats:
        """Individual curves minus each row's own answer at grid point `reference` (one feature only)."""
        curves = self.curves()
        if curves.ndim != 3:
            raise InputError("centred curves are of one feature, got two")
        return curves - curves[:, :, [reference]]

    def reweighted(self, sample_weight: object, interval: Interval | None = None) -> PartialDependence:
        """Give the same curve under other row weights (n_rows,), without calling the model."""
        curves = self.curves()
        weights = check_weights(sample_weight, self.n_rows)
        interval = interval or self.interval
        shape = curves.shape[2:]
        flat = curves.reshape(*curves.shape[:2], -1)
        means = StreamingMeans(interval, len(self.ice_rows), seed := interval.seed())
        for batch in split_evenly(len(self.ice_rows), max(1, 4_000_000 // flat.shape[2])):
            means.add(flat[:, batch], weights[self.ice_rows[batch]])
        effect, lower, upper = (a.reshape(len(flat), *shape) for a in means.result())
        mass = np.full(shape, means.weight)
        return replace(
            self,
            effect=effect,
            lower=lower,
            upper=upper,
            interval=interval,
            seed=seed,
            mass=mass,
            sample_weight=weights,
            n_model_rows=0,
            notes=(*grid_notes(self.grids), *no_interval_notes(effect, lower)),
        )


class GridAnswers(Protocol):
    """Gives the answers for rows at every point of a grid.

    Attributes
    ----------
    n_model_rows : int
        Rows the model was called on so far.
    n_trees : int
        Trees the answers are read from; 0 where the model gives them.
    """

    n_model_rows: int
    n_trees: int

    def __call__(self, index: Ints) -> Iterator[tuple[Ints, Floats]]:
        """Yield positions in `index`, an even sample of it at a time, and answers (q, len(positions), ∏G)."""
        ...


class ModelAnswers:
    """The model's own; see `GridAnswers`."""

    n_trees = 0

    def __init__(
        self, predict: Predict, rows: Rows, columns: tuple[int, ...], grids: tuple[Grid, ...], batches: BatchOptions
    ) -> None:
        self._points, self.n_model_rows = grid_product(grids), 0
        self._called = predict, rows, columns, batches

    def __call__(self, index: Ints) -> Iterator[tuple[Ints, Floats]]:
        """Call the model."""
        predictor = BatchPredictor(*self._called, total=len(index) * len(self._points))
        for batch, answers in predict_by_row(predictor, index, self._points):
            self.n_model_rows = predictor.n_model_rows
            yield batch, answers


def partial_dependence(
    predict: Predict,
    rows: object,
    columns: tuple[int, ...],
    grids: tuple[Grid, ...],
    *,
    sample_weight: object = None,
    interval: Interval | None = None,
    batches: BatchOptions | None = None,
    ice_bytes: int = ICE_BYTES,
    answers: GridAnswers | None = None,
) -> PartialDependence:
    """Compute partial dependence on one feature or two, and the individual curves behind it.

    Rows equal outside the features are predicted once; copies of a row go to the model side by side, which
    tree models answer up to three times faster than the grid repeated.

    Parameters
    ----------
    predict : callable
        Takes what `rows` hands out; returns (m,) or (m, q) numbers.
    rows : 2-D array or Rows
    columns : tuple of int
        One feature, or two.
    grids : tuple of Grid
        One for each.
    sample_weight : array-like of shape (n_rows,), optional
        Non-negative; scaled to mean 1.
    interval : Interval, optional
        Student t at 95 % by default.
    batches : BatchOptions, optional
        Batches, progress, known answers.
    ice_bytes : int, default=2**28
        Memory allowed for individual curves; 0 keeps none. Without them nothing can be reweighted or bounded.
    answers : GridAnswers, optional
        Gives the model's answers without it; by default it is called.

    Returns
    -------
    PartialDependence
        `n_model_rows` is at most G · n_rows.

    Raises
    ------
    InputError
        Where columns, grids or weights do not fit the rows, or the model's answer does not.
    """
    table = as_rows(rows)
    interval, batches = interval or Interval(), batches or BatchOptions()
    columns = check_columns(columns, table.n_columns)
    check_grids(columns, grids)
    weights = check_weights(sample_weight, table.n_rows)
    shape = tuple(len(grid) for grid in grids)
    n_points = int(np.prod(shape))
    representatives, slot = distinct_rows(table, columns)
    answers = answers or ModelAnswers(predict, table, columns, grids, batches)
    means = StreamingMeans(interval, table.n_rows, seed := interval.seed())
    ice: Floats | None = None
    reached = np.zeros(len(representatives), dtype=np.bool_)
    for batch, values, members, owner in with_members(answers, representatives, slot):
        means.add(values, weights[members], owner)
        if not reached.any() and len(values) * table.n_rows * n_points * 8 <= ice_bytes:
            ice = np.full((len(values), len(representatives), n_points), np.nan)
        if ice is not None:
            ice[:, batch] = values
        reached[batch] = True

    ice_rows = np.flatnonzero(reached[slot]).astype(np.int64)
    if ice is not None:
        if len(representatives) < table.n_rows or len(ice_rows) < table.n_rows:
            ice = ice[:, slot[ice_rows]]
        ice = ice.reshape(len(ice), len(ice_rows), *shape)
    effect, lower, upper = (a.reshape(len(a), *shape) for a in means.result())
    return PartialDependence(
        columns=columns,
        grids=grids,
        effect=effect,
        lower=lower,
        upper=upper,
        interval=interval,
        seed=seed,
        n=np.full(shape, len(ice_rows), dtype=np.int64),
        mass=np.full(shape, means.weight),
        sample_weight=weights,
        n_model_rows=answers.n_model_rows,
        n_done=len(ice_rows),
        n_total=table.n_rows,
        notes=(*grid_notes(grids), *no_interval_notes(effect, lower)),
        ice=ice,
        ice_rows=ice_rows,
        n_trees=answers.n_trees,
    )


def check_grids(columns: tuple[int, ...], grids: tuple[Grid, ...]) -> None:
    """Check that there is one feature or two, and a grid for each."""
    if len(columns) not in (1, 2):
        raise InputError(f"an effect is of one feature or two, got {len(columns)}")
    if len(grids) != len(columns):
        raise InputError(f"there must be one grid for each feature, got {len(grids)} for {len(columns)}")


def with_members(
    answers: GridAnswers, representatives: Ints, slot: Ints
) -> Iterator[tuple[Ints, Floats, Ints, Ints | None]]:
    """Give the answers for rows that stand for others equal to them, and which these are.

    Yields
    ------
    batch, values
        As `GridAnswers` gives them.
    members : ndarray
        Rows that the representatives of the batch stand for.
    owner : ndarray or None
        Position in the batch of each one's representative; None where each stands for itself alone.
    """
    by_slot = np.argsort(slot, kind="stable").astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.bincount(slot))]).astype(np.int64)
    for batch, values in answers(representatives):
        counts = starts[batch + 1] - starts[batch]
        if counts.sum() == len(batch):
            yield batch, values, by_slot[starts[batch]], None
            continue
        owner = np.repeat(np.arange(len(batch), dtype=np.int64), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield batch, values, by_slot[starts[batch][owner] + offset], owner


class StreamingMeans:
    """Running weighted means of many columns, with what their intervals need.

    Add batches of rows in any order; the sums are taken about the first batch's mean, so that a large offset
    costs no digits.
    """

    def __init__(self, interval: Interval, n_rows: int, seed: int | None) -> None:
        self._interval = interval
        self._resampler = None if seed is None else Resampler(n_rows, interval.replicates, seed)
        self.weight = 0.0
        self.n_rows = 0
        self._squares = 0.0
        self._centre: Floats = np.zeros(0)
        self._sum: Floats = np.zeros(0)
        self._sum2: Floats = np.zeros(0)
        self._sum22: Floats = np.zeros(0)
        self._resampled_sum: Floats = np.zeros(0)
        self._resampled_weight: Floats = np.zeros(0)

    def add(self, values: Floats, weights: Floats, slot: Ints | None = None) -> None:
        """Add rows.

        Parameters
        ----------
        values : ndarray of shape (q, u, m)
        weights : ndarray of shape (n_batch,)
        slot : ndarray of shape (n_batch,), optional
            Position among the u of each row's values; None where each row has its own.
        """
        u = values.shape[1]
        first = weights if slot is None else sums_by(slot, weights, u)
        second = weights**2 if slot is None else sums_by(slot, weights**2, u)
        if self._centre.size == 0:
            self._begin(values.mean(axis=1))
        shifted: Floats = values - self._centre[:, None, :]
        self._sum += first @ shifted
        self._sum2 += second @ shifted
        if self._resampler is not None:
            counts = self._resampler.counts(len(weights)) * weights
            if slot is not None:
                counts = np.stack([sums_by(slot, row, u) for row in counts])
            self._resampled_sum += np.moveaxis(counts @ shifted, 1, 0)
            self._resampled_weight += counts.sum(axis=1)
        shifted *= shifted
        self._sum22 += second @ shifted
        self.weight += float(first.sum())
        self._squares += float(second.sum())
        self.n_rows += len(weights)

    def _begin(self, centre: Floats) -> None:
        replicates = self._interval.replicates if self._resampler else 0
        self._centre = centre
        self._sum, self._sum2, self._sum22 = (np.zeros_like(centre) for _ in range(3))
        self._resampled_sum = np.zeros((replicates, *centre.shape))
        self._resampled_weight = np.zeros(replicates)

    def result(self) -> tuple[Floats, Floats, Floats]:
        """Mean, lower and upper ends, each (q, m); NaN where no weight was added."""
        if self._centre.size == 0:
            raise RuntimeError("no rows were added")
        if self.weight == 0:
            empty = np.full(self._centre.shape, np.nan)
            return empty, empty.copy(), empty.copy()
        shift = self._sum / self.weight
        mean = self._centre + shift
        if self._resampler is not None:
            used = self._resampled_weight > 0
            resampled = self._centre + self._resampled_sum[used] / self._resampled_weight[used, None, None]
            return mean, *percentile_bounds(resampled, self._interval.confidence)
        size = self.weight**2 / self._squares
        spread = (self._sum22 - 2 * shift * self._sum2 + shift**2 * self._squares) / self.weight**2
        variance = spread * (size / (size - 1) if size > 1 else 1.0)
        return mean, *mean_bounds(mean, variance, size, self._interval)
