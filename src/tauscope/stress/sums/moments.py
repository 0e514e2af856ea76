"""A stress in numbers for rows in chunks: `tauscope.stress.joint.moments` from sums over the chunks.

Every function of a chunk is a plain one of a module, so that it can be sent to other processes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputTypeError
from tauscope.stress.bins.order_range import order_intervals, order_range
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at, weight_beyond
from tauscope.stress.bins.range_errors import complete_range
from tauscope.stress.bins.weighted_range import quantile_in, weighted_intervals, weighted_range
from tauscope.stress.column.far_values import FarValues
from tauscope.stress.column.target import TauRange, quantile_rank
from tauscope.stress.column.tau_end import WeightedSums
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Moment, Share, Stress, Variance
from tauscope.stress.joint.dual import MomentSummary
from tauscope.stress.joint.moments import (
    check_products,
    constant_column_error,
    drop_redundant,
    feature_of,
    out_of_range_error,
    tau_note,
)
from tauscope.stress.joint.terms import Term
from tauscope.stress.sums.bulk_totals import summarise_chunked_bulk
from tauscope.stress.sums.chunk import CountedRows, MapReduce, RowChunk
from tauscope.stress.sums.far_counts import find_chunked_far_values
from tauscope.stress.sums.moment_columns import (
    MomentColumn,
    MomentTotals,
    columns_of,
    fill_observed_shares,
    moment_names,
    total_moments,
)

Array = NDArray[np.float64]
QuantileIntervals = tuple[tuple[float, float], ...]
WindowsByName = dict[str, tuple[QuantileWindow, ...]]


@dataclass(frozen=True)
class ChunkedMoments:
    """A stress in numbers, without rows.

    Attributes
    ----------
    columns : tuple of MomentColumn
        Those of the constraints, in their order, then the held ones.
    summary : MomentSummary
        Of the columns of Φ, gaps filled with the required value.
    n_rows, n_counted : int
        Rows in all, and those of weight above zero.
    total : float
        Weight of all rows; their number where they are not weighted.
    notes : tuple of str
    target_covariance : ndarray of shape (k, k)
    n_beyond : float
    in_doubt : bool
        As in `tauscope.stress.joint.terms.Moments`.
    far : dict of str to tuple of FarValues
        Of the features with values far off.
    """

    columns: tuple[MomentColumn, ...]
    summary: MomentSummary
    n_rows: int
    n_counted: int
    total: float
    notes: tuple[str, ...]
    target_covariance: Array
    n_beyond: float
    in_doubt: bool
    far: dict[str, tuple[FarValues, ...]]

    @property
    def unstressed(self) -> bool:
        """Whether every quantity keeps its present value."""
        return all(term.aim == "kept" for term in self.terms)

    @property
    def terms(self) -> tuple[Term, ...]:
        """What each column stands for."""
        return tuple(column.term for column in self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities in words."""
        return tuple(term.name for term in self.terms)

    @property
    def target(self) -> Array:
        """Required means of Φ."""
        return np.array([term.required for term in self.terms])

    def to_quantities(self, achieved: Array) -> Array:
        """Turn means of Φ over all rows into the quantities over the rows with a value."""
        observed = np.array([term.observed for term in self.terms])
        return self.target + (achieved - self.target) / observed


def resolve_chunked(stress: Stress, total: MapReduce, quantile: float, n_rows: int) -> ChunkedMoments:
    """Turn a stress into columns and targets, as `tauscope.stress.joint.moments.resolve` does from the rows.

    Parameters
    ----------
    stress : Stress
    total : MapReduce
        Passes over the chunks: three to five of them.
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    n_rows : int
        Rows in all.

    Returns
    -------
    ChunkedMoments

    Raises
    ------
    InfeasibleTarget
        For a target outside the range of its column.
    InputError, InputTypeError
        For a column whose rows all have one value, or a moment that is not a function.
    """
    names = list(dict.fromkeys(name for constraint in stress for name in _features(constraint)))
    moments = [constraint for constraint in stress if isinstance(constraint, Moment)]
    features = total(_rank_features, tuple(names), tuple(moments), plus=FeatureRanks.__add__)
    ranks = features.ranks
    for name in names:
        sketch = ranks[name]
        if not len(sketch.low) or sketch.low[0] == sketch.high[-1]:
            raise constant_column_error(name, float(sketch.low[0]) if len(sketch.low) else None)
    means, ranges, notes = _find_required_means(stress, features, total, quantile)
    required = set(means)
    present_means = {name: sketch.mean if len(sketch.low) else float("nan") for name, sketch in ranks.items()}
    products = (
        total(_sum_products, tuple(_product_pairs(stress)), present_means, plus=_add_dicts)
        if _product_pairs(stress)
        else {}
    )
    columns: list[MomentColumn] = []
    for constraint in stress:
        columns += columns_of(constraint, means, present_means, products, ranges)
    held_means = [
        MomentColumn(Term("mean", name, mean, mean, held=True, aim="kept"), (name,))
        for name, mean in means.items()
        if name not in required
    ]
    columns += held_means
    n_before_shares = len(columns)
    columns += fill_observed_shares(columns, ranks, products, features.total, required)
    totals = total(total_moments, tuple(columns), plus=MomentTotals.__add__)
    for column, (low, high) in zip(columns, totals.observed_range.tolist(), strict=True):
        if not low <= column.term.required <= high and column.term.observed < 1:
            raise out_of_range_error(column.term, low, high)
    selected = list(range(len(columns)))
    target = np.array([column.term.required for column in columns])
    check_products([column.term for column in columns], totals.summary)
    full_summary = summarise_chunked_bulk(columns, totals, target, total)
    if any(column.term.held for column in columns):
        selected = drop_redundant([column.term for column in columns], n_before_shares, full_summary, target)
    summary = MomentSummary(
        full_summary.mean[selected],
        full_summary.sd[selected],
        full_summary.low[selected],
        full_summary.high[selected],
        full_summary.covariance[np.ix_(selected, selected)],
        full_summary.of_bulk,
    )
    return ChunkedMoments(
        columns=tuple(columns[j] for j in selected),
        summary=summary,
        n_rows=n_rows,
        n_counted=features.n_counted,
        total=features.total,
        notes=tuple(notes),
        target_covariance=totals.influence[np.ix_(selected, selected)] / features.total**2,
        n_beyond=totals.n_beyond([column.term for column in columns]),
        in_doubt=any(
            bool(column.around.in_doubt(np.array([column.tau]))[0]) for column in columns if column.around is not None
        ),
        far=find_chunked_far_values(ranks, total),
    )


@dataclass(frozen=True)
class FeatureRanks:
    """Where the values of each feature lie, and how many rows count.

    Attributes
    ----------
    ranks : dict of QuantileSketch
        By weight where rows are weighted.
    n_counted : int
        Rows of weight above zero.
    total : float
        Their weight; their number where they are not weighted.
    weighted : bool
    """

    ranks: dict[str, QuantileSketch]
    n_counted: int
    total: float
    weighted: bool

    def __add__(self, other: "FeatureRanks") -> "FeatureRanks":
        """Return the same of both sets of rows."""
        ranks = _add_dicts(self.ranks, other.ranks)
        return FeatureRanks(ranks, self.n_counted + other.n_counted, self.total + other.total, self.weighted)

    def n_valued(self, name: str) -> int:
        """Return how many rows that count have a value."""
        return self.n_counted - self.ranks[name].n_missing

    def intervals(self, name: str, quantile: float) -> QuantileIntervals:
        """Return where the quantiles that τ = ±1 can stand for lie."""
        if self.weighted:
            return tuple(weighted_intervals(self.ranks[name], self.n_valued(name), quantile))
        return tuple(order_intervals(self.ranks[name], quantile))

    def around(self, name: str, windows: Sequence[QuantileWindow] | None, quantile: float) -> TauRange:
        """Return what τ means for a feature; without windows every value is a cell of its own."""
        sketch, n = self.ranks[name], self.n_valued(name)
        low, high = float(sketch.low[0]), float(sketch.high[-1])
        searched = windows or (QuantileWindow(low, high, 0, sketch.low, sketch.count),)
        of_level = quantile_in(searched, sketch.total, low, high)
        if self.weighted:
            around = weighted_range(n, sketch.mean, low, high, of_level, quantile)
        else:
            around = order_range(
                n, sketch.mean, low, high, lambda rank: value_at(searched, rank, low, high, n), quantile
            )

        def quantile_at(level: float) -> float:
            if level in (0.0, 1.0):
                return low if level == 0 else high
            if self.weighted:
                return of_level(level, False)
            return value_at(searched, quantile_rank(n, level), low, high, n)

        # the targets' errors are summed over the rows later: here their slopes and the share beyond are enough
        return complete_range(
            around,
            quantile,
            n,
            quantile_at,
            lambda end, sign, heap: WeightedSums(weight_beyond(searched, end, sign, heap, sketch.total), 0.0, 0.0),
            WeightedSums(sketch.total, 0.0, 0.0),
            1.0,
            two_values=sketch.n_distinct == 2,
        )


def _features(constraint: Constraint) -> tuple[str, ...]:
    if isinstance(constraint, Mean | Share):
        return (feature_of(constraint),)
    if isinstance(constraint, Variance):
        return (constraint.feature,)
    if isinstance(constraint, Covariance):
        return constraint.a, constraint.b
    if isinstance(constraint, Moment):
        if not callable(constraint.function):
            raise InputTypeError(f"The {constraint.quantity} of rows in chunks needs a function; got an array.")
        return ()
    raise InputTypeError(f"A stress is made of Mean, Variance, Covariance, Share and Moment; got {constraint!r}.")


def _rank_features(chunk: RowChunk, names: Iterable[str], moments: Iterable[Moment]) -> FeatureRanks:
    counted = CountedRows.of(chunk)
    columns = {name: chunk.values(name) for name in names}
    for constraint in moments:
        outputs = chunk.moment(constraint)
        columns |= {name: outputs[:, j] for j, name in enumerate(moment_names(constraint))}
    ranks = {name: QuantileSketch.of(column[counted.rows], counted.weight) for name, column in columns.items()}
    n_counted = chunk.n_rows if counted.weight is None else len(counted.weight)
    return FeatureRanks(ranks, n_counted, counted.total, counted.weight is not None)


def _add_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: a[key] + b[key] for key in a}


def _find_required_means(
    stress: Stress, features: FeatureRanks, total: MapReduce, quantile: float
) -> tuple[dict[str, float], dict[str, TauRange], list[str]]:
    """Find the mean that each constraint on a mean asks for, and what τ means where it moves one."""
    on_means = [constraint for constraint in stress if isinstance(constraint, Mean | Share)]
    by_tau = [feature_of(constraint) for constraint in on_means if constraint.tau]
    intervals_of = {name: features.intervals(name, quantile) for name in by_tau}
    to_search = {name: intervals for name, intervals in intervals_of.items() if features.ranks[name].n_distinct is None}
    windows = total(_window_values, to_search, plus=_add_windows) if to_search else {}
    means: dict[str, float] = {}
    ranges: dict[str, TauRange] = {}
    notes: list[str] = []
    for constraint in on_means:
        name = feature_of(constraint)
        if constraint.goal is not None:
            means[name] = constraint.goal
            continue
        moved = constraint._from_present(features.ranks[name].mean)
        if moved is not None:
            means[name] = moved[0]
            continue
        assert constraint.tau is not None
        if constraint.tau == 0:
            means[name] = features.ranks[name].mean
            continue
        ranges[name] = around = features.around(name, windows.get(name), quantile)
        means[name] = float(around.target(np.array([float(constraint.tau)]))[0])
        note = tau_note(name, constraint.tau, quantile, around.reached) if isinstance(constraint, Mean) else None
        notes += [] if note is None else [note]
    return means, ranges, notes


def _window_values(chunk: RowChunk, intervals_of: dict[str, QuantileIntervals]) -> WindowsByName:
    counted = CountedRows.of(chunk)
    out: WindowsByName = {}
    for name, intervals in intervals_of.items():
        values = chunk.values(name)[counted.rows]
        observed = ~np.isnan(values)
        if counted.weight is None:
            out[name] = tuple(QuantileWindow.of(values[observed], low, high) for low, high in intervals)
        else:
            weight = counted.weight[observed]
            out[name] = tuple(QuantileWindow.of_weight(values[observed], weight, low, high) for low, high in intervals)
    return out


def _add_windows(a: WindowsByName, b: WindowsByName) -> WindowsByName:
    return {name: tuple(x + y for x, y in zip(a[name], b[name], strict=True)) for name in a}


def _product_pairs(stress: Stress) -> list[tuple[str, str]]:
    """Return the features whose product of deviations is constrained; one twice for a variance."""
    out: list[tuple[str, str]] = []
    for constraint in stress:
        if isinstance(constraint, Variance):
            out.append((constraint.feature, constraint.feature))
        elif isinstance(constraint, Covariance):
            out.append((constraint.a, constraint.b))
    return out


def _sum_products(
    chunk: RowChunk, pairs: Iterable[tuple[str, str]], present_means: dict[str, float]
) -> dict[tuple[str, str], Array]:
    counted = CountedRows.of(chunk)
    out: dict[tuple[str, str], Array] = {}
    for a, b in pairs:
        product = ((chunk.values(a) - present_means[a]) * (chunk.values(b) - present_means[b]))[counted.rows]
        observed = ~np.isnan(product)
        weight = np.ones(len(product)) if counted.weight is None else counted.weight
        out[a, b] = np.array([float(weight[observed].sum()), float((weight[observed] * product[observed]).sum())])
    return out
