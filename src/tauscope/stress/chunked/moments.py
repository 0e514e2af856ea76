"""A stress in numbers for rows in parts: `tauscope.stress.joint.moments` from sums over the parts.

Every function of a part is a plain one of a module, so that it can be sent to other processes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputTypeError
from tauscope.stress.chunked.chunk import Counted, Part, Total
from tauscope.stress.chunked.moment_columns import (
    Measured,
    MomentColumn,
    ingredients_of,
    measure,
    moment_names,
    note_gaps,
)
from tauscope.stress.chunked.order_range import order_intervals, order_range
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.weighted_range import quantile_in, weighted_intervals, weighted_range
from tauscope.stress.chunked.windows import Window, value_at
from tauscope.stress.column.target import TauRange
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Moment, Share, Stress, Variance
from tauscope.stress.joint.dual import MomentSummary
from tauscope.stress.joint.moments import beyond, drop_redundant, feature_of, same_values, tau_note
from tauscope.stress.joint.terms import Term

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SummedMoments:
    """A stress in numbers, without rows.

    Attributes
    ----------
    ingredients : tuple of MomentColumn
        What was asked for, in its order, then what is held.
    spread : MomentSummary
        Of the columns of Φ, gaps filled with the required value.
    n_rows, n_counted : int
        Rows in all, and those of weight above zero.
    total : float
        Weight of all rows; their number where they are not weighted.
    notes : tuple of str
    """

    ingredients: tuple[MomentColumn, ...]
    spread: MomentSummary
    n_rows: int
    n_counted: int
    total: float
    notes: tuple[str, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """What each column stands for."""
        return tuple(one.term for one in self.ingredients)

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities in words."""
        return tuple(term.name for term in self.terms)

    @property
    def target(self) -> Array:
        """Required means of Φ."""
        return np.array([term.required for term in self.terms])

    def measured(self, achieved: Array) -> Array:
        """Turn means of Φ over all rows into the quantities over the rows with a value."""
        observed = np.array([term.observed for term in self.terms])
        return self.target + (achieved - self.target) / observed


def resolve_sums(stress: Stress, total: Total, quantile: float, n_rows: int) -> SummedMoments:
    """Turn a stress into columns and targets, as `tauscope.stress.joint.moments.resolve` does from the rows.

    Parameters
    ----------
    stress : Stress
    total : Total
        Passes over the parts: three to five of them.
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    n_rows : int
        Rows in all.

    Returns
    -------
    SummedMoments

    Raises
    ------
    InfeasibleTarget
        For a target outside the range of its column.
    InputError, InputTypeError
        For a column whose rows all have one value, or a moment that is not a function.
    """
    names = list(dict.fromkeys(name for constraint in stress for name in _features(constraint)))
    moments = [one for one in stress if isinstance(one, Moment)]
    order = total(_order, tuple(names), tuple(moments), plus=Order.__add__)
    ranks = order.ranks
    for name in names:
        of = ranks[name]
        if not len(of.low) or of.low[0] == of.high[-1]:
            raise same_values(name, float(of.low[0]) if len(of.low) else None)
    means, notes = _required(stress, order, total, quantile)
    asked = set(means)
    own = {name: of.mean if len(of.low) else float("nan") for name, of in ranks.items()}
    spreads = total(_products, tuple(_pairs(stress)), own, plus=_add_dicts) if _pairs(stress) else {}
    found: list[MomentColumn] = []
    for constraint in stress:
        found += ingredients_of(constraint, means, own, spreads)
    held = [
        MomentColumn(Term("mean", name, mean, mean, held=True), (name,))
        for name, mean in means.items()
        if name not in asked
    ]
    found += held
    n_asked_or_mean = len(found)
    found += note_gaps(found, ranks, spreads, order.total, asked)
    measured = total(measure, tuple(found), plus=Measured.__add__)
    for one, (low, high) in zip(found, measured.seen.tolist(), strict=True):
        if not low <= one.term.required <= high and one.term.observed < 1:
            raise beyond(one.term, low, high)
    kept = list(range(len(found)))
    whole, target = measured.spread, np.array([one.term.required for one in found])
    if any(one.term.held for one in found):
        kept = drop_redundant([one.term for one in found], n_asked_or_mean, whole, target)
    part = MomentSummary(
        whole.mean[kept], whole.sd[kept], whole.low[kept], whole.high[kept], whole.covariance[np.ix_(kept, kept)]
    )
    return SummedMoments(tuple(found[j] for j in kept), part, n_rows, order.n_counted, order.total, tuple(notes))


@dataclass(frozen=True)
class Order:
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

    def __add__(self, other: "Order") -> "Order":
        """Return the same of both sets of rows."""
        ranks = _add_dicts(self.ranks, other.ranks)
        return Order(ranks, self.n_counted + other.n_counted, self.total + other.total, self.weighted)

    def n_valued(self, name: str) -> int:
        """Return how many rows that count have a value."""
        return self.n_counted - self.ranks[name].n_missing

    def intervals(self, name: str, quantile: float) -> tuple[tuple[float, float], ...]:
        """Return where the quantiles that τ = ±1 can stand for lie."""
        if self.weighted:
            return tuple(weighted_intervals(self.ranks[name], self.n_valued(name), quantile))
        return tuple(order_intervals(self.ranks[name], quantile))

    def around(self, name: str, windows: Sequence[Window] | None, quantile: float) -> TauRange:
        """Return what τ means for a feature; without windows every value is a cell of its own."""
        of = self.ranks[name]
        low, high = float(of.low[0]), float(of.high[-1])
        held = windows or (Window(low, high, 0, of.low, of.count),)
        if self.weighted:
            quantile_at = quantile_in(held, of.total, low, high)
            return weighted_range(self.n_valued(name), of.mean, low, high, quantile_at, quantile)
        return order_range(of.n, of.mean, low, high, lambda rank: value_at(held, rank, low, high, of.n), quantile)


def _features(constraint: Constraint) -> tuple[str, ...]:
    if isinstance(constraint, Mean | Share):
        return (feature_of(constraint),)
    if isinstance(constraint, Variance):
        return (constraint.feature,)
    if isinstance(constraint, Covariance):
        return constraint.a, constraint.b
    if isinstance(constraint, Moment):
        if not callable(constraint.function):
            raise InputTypeError(f"The {constraint.quantity} of rows in parts needs a function; got an array.")
        return ()
    raise InputTypeError(f"A stress is made of Mean, Variance, Covariance, Share and Moment; got {constraint!r}.")


def _order(part: Part, names: Iterable[str], moments: Iterable[Moment]) -> Order:
    counted = Counted.of(part)
    columns = {name: part.values(name) for name in names}
    for constraint in moments:
        given = part.moment(constraint)
        columns |= {name: given[:, j] for j, name in enumerate(moment_names(constraint))}
    ranks = {name: QuantileSketch.of(column[counted.rows], counted.weight) for name, column in columns.items()}
    n_counted = part.n_rows if counted.weight is None else len(counted.weight)
    return Order(ranks, n_counted, counted.total, counted.weight is not None)


def _add_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: a[key] + b[key] for key in a}


def _required(stress: Stress, order: Order, total: Total, quantile: float) -> tuple[dict[str, float], list[str]]:
    """Find the mean that each constraint on a mean asks for."""
    by_tau = [feature_of(one) for one in stress if isinstance(one, Mean | Share) and one.target is None]
    wanted = {name: order.intervals(name, quantile) for name in by_tau}
    open_ = {name: intervals for name, intervals in wanted.items() if order.ranks[name].n_distinct is None}
    windows = total(_windows, open_, plus=_add_windows) if open_ else {}
    means: dict[str, float] = {}
    notes: list[str] = []
    for one in stress:
        if not isinstance(one, Mean | Share):
            continue
        name = feature_of(one)
        if one.target is not None:
            means[name] = float(one.target)
            continue
        assert one.tau is not None
        around = order.around(name, windows.get(name), quantile)
        means[name] = float(around.target(np.array([float(one.tau)]))[0])
        note = tau_note(name, one.tau, quantile, around.reached) if isinstance(one, Mean) and one.tau != 0 else None
        notes += [] if note is None else [note]
    return means, notes


def _windows(part: Part, wanted: dict[str, tuple[tuple[float, float], ...]]) -> dict[str, tuple[Window, ...]]:
    counted = Counted.of(part)
    out: dict[str, tuple[Window, ...]] = {}
    for name, intervals in wanted.items():
        values = part.values(name)[counted.rows]
        seen = ~np.isnan(values)
        if counted.weight is None:
            ascending = np.sort(values[seen])
            out[name] = tuple(Window.of(ascending, low, high) for low, high in intervals)
        else:
            weight = counted.weight[seen]
            out[name] = tuple(Window.of_weight(values[seen], weight, low, high) for low, high in intervals)
    return out


def _add_windows(a: dict[str, tuple[Window, ...]], b: dict[str, tuple[Window, ...]]) -> dict[str, tuple[Window, ...]]:
    return {name: tuple(x + y for x, y in zip(a[name], b[name], strict=True)) for name in a}


def _pairs(stress: Stress) -> list[tuple[str, str]]:
    """Return the features whose product of deviations is constrained; one twice for a variance."""
    out: list[tuple[str, str]] = []
    for one in stress:
        if isinstance(one, Variance):
            out.append((one.feature, one.feature))
        elif isinstance(one, Covariance):
            out.append((one.a, one.b))
    return out


def _products(part: Part, pairs: Iterable[tuple[str, str]], own: dict[str, float]) -> dict[tuple[str, str], Array]:
    counted = Counted.of(part)
    out: dict[tuple[str, str], Array] = {}
    for a, b in pairs:
        product = ((part.values(a) - own[a]) * (part.values(b) - own[b]))[counted.rows]
        seen = ~np.isnan(product)
        weight = np.ones(len(product)) if counted.weight is None else counted.weight
        out[a, b] = np.array([float(weight[seen].sum()), float((weight[seen] * product[seen]).sum())])
    return out
