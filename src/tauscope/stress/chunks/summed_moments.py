"""A stress in numbers for rows in parts: `tauscope.stress.joint.moments` from sums over the parts.

Every function of a part is a plain one of this module, so that it can be sent to other processes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputTypeError
from tauscope.stress.chunks.ranks import Ranks
from tauscope.stress.chunks.windows import Window, value_at
from tauscope.stress.column.ranked import ranked_range, wanted_intervals
from tauscope.stress.indices import Quantities
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Moment, Share, Stress, Variance
from tauscope.stress.joint.dual import Spread, spread
from tauscope.stress.joint.moments import beyond, feature_of, same_values, tau_note, without_repetitions
from tauscope.stress.joint.terms import Term

Array = NDArray[np.float64]
T = TypeVar("T")


class Part(Protocol):
    """Some of the rows.

    Attributes
    ----------
    n_rows : int
    """

    n_rows: int

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model, NaN where there is none."""
        ...

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        ...

    @property
    def quantities(self) -> Quantities:
        """What indices are made of."""
        ...

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        ...


class Total(Protocol):
    """Applies a function to every part and adds what it returns."""

    def __call__(self, function: Callable[..., T], *given: Any, plus: Callable[[T, T], T]) -> T:
        """Return the sum of function(part, *given) over the parts."""
        ...


@dataclass(frozen=True)
class Ingredient:
    """One column of Φ before gaps are filled.

    Attributes
    ----------
    term : Term
    of : tuple of str
        Features it is made of.
    about : tuple of float
        Means that a variance or covariance is taken about.
    moment : tuple of (Moment, int), or None
        The function and its output that give the column.
    """

    term: Term
    of: tuple[str, ...]
    about: tuple[float, ...] = ()
    moment: tuple[Moment, int] | None = None

    def raw(self, part: Part) -> Array:
        """Return the column for some rows, NaN where a row has no value."""
        values = part.values(self.of[0]) if self.moment is None else part.moment(self.moment[0])[:, self.moment[1]]
        match self.term.kind:
            case "variance":
                return (values - self.about[0]) ** 2
            case "covariance":
                return (values - self.about[0]) * (part.values(self.of[1]) - self.about[1])
            case "rows":
                return np.where(np.isnan(values), 0.0, 1.0)
            case _:
                return values


@dataclass(frozen=True)
class SummedMoments:
    """A stress in numbers, without rows.

    Attributes
    ----------
    ingredients : tuple of Ingredient
        What was asked for, in its order, then what is held.
    spread : Spread
        Of the columns of Φ, gaps filled with the required value.
    n_rows : int
    notes : tuple of str
    """

    ingredients: tuple[Ingredient, ...]
    spread: Spread
    n_rows: int
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


def phi_of(part: Part, ingredients: Sequence[Ingredient]) -> Array:
    """Return Φ for some rows, shape (n_rows, k), gaps filled with the required value."""
    phi = np.empty((part.n_rows, len(ingredients)), order="F")
    for j, one in enumerate(ingredients):
        column = one.raw(part)
        phi[:, j] = np.where(np.isnan(column), one.term.required, column)
    return phi


def resolve_sums(stress: Stress, total: Total, alpha: float) -> SummedMoments:
    """Turn a stress into columns and targets, as `tauscope.stress.moments.resolve` does from the rows.

    Parameters
    ----------
    stress : Stress
    total : Total
        Passes over the parts: three to five of them.
    alpha : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.

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
    ranks = total(_ranks, tuple(names), tuple(moments), plus=_add_dicts)
    for name in names:
        of = ranks[name]
        if not of.n or of.low[0] == of.high[-1]:
            raise same_values(name, float(of.low[0]) if of.n else None)
    means, notes = _required(stress, ranks, total, alpha)
    asked = set(means)
    own = {name: of.mean if of.n else float("nan") for name, of in ranks.items()}
    spreads = total(_products, tuple(_pairs(stress)), own, plus=_add_dicts) if _pairs(stress) else {}
    found: list[Ingredient] = []
    for constraint in stress:
        found += _ingredients(constraint, means, own, spreads)
    held = [
        Ingredient(Term("mean", name, mean, mean, held=True), (name,))
        for name, mean in means.items()
        if name not in asked
    ]
    found += held
    n_rows = next(iter(ranks.values())).n + next(iter(ranks.values())).n_missing
    n_asked_or_mean = len(found)
    found += _gaps(found, ranks, spreads, n_rows, asked)
    measured = total(_measure, tuple(found), plus=Measured.__add__)
    for one, (low, high) in zip(found, measured.seen.tolist(), strict=True):
        if not low <= one.term.required <= high and one.term.observed < 1:
            raise beyond(one.term, low, high)
    kept = list(range(len(found)))
    whole, target = measured.spread, np.array([one.term.required for one in found])
    if any(one.term.held for one in found):
        kept = without_repetitions([one.term for one in found], n_asked_or_mean, whole, target)
    part = Spread(
        whole.mean[kept], whole.sd[kept], whole.low[kept], whole.high[kept], whole.covariance[np.ix_(kept, kept)]
    )
    return SummedMoments(tuple(found[j] for j in kept), part, n_rows, tuple(notes))


@dataclass(frozen=True)
class Measured:
    """Mean, covariance and range of Φ over some rows, to be added.

    Attributes
    ----------
    n_rows : int
    spread : Spread
    seen : ndarray of shape (k, 2)
        Smallest and largest value of each column before gaps were filled.
    """

    n_rows: int
    spread: Spread
    seen: Array

    def __add__(self, other: "Measured") -> "Measured":
        """Return the same of both sets of rows."""
        n = self.n_rows + other.n_rows
        a, b, share = self.spread, other.spread, other.n_rows / n
        off = b.mean - a.mean
        covariance = (1 - share) * a.covariance + share * b.covariance + share * (1 - share) * np.outer(off, off)
        together = Spread(
            a.mean + share * off,
            np.sqrt(np.maximum(np.diag(covariance), 0.0)),
            np.minimum(a.low, b.low),
            np.maximum(a.high, b.high),
            covariance,
        )
        low, high = np.fmin(self.seen[:, 0], other.seen[:, 0]), np.fmax(self.seen[:, 1], other.seen[:, 1])
        return Measured(n, together, np.stack([low, high], 1))


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


def _moment_names(constraint: Moment) -> list[str]:
    several = len(constraint.targets) > 1
    return [f"{constraint.quantity}[{j}]" if several else constraint.quantity for j in range(len(constraint.targets))]


def _ranks(part: Part, names: Iterable[str], moments: Iterable[Moment]) -> dict[str, Ranks]:
    found = {name: Ranks.of(part.values(name)) for name in names}
    for constraint in moments:
        columns = part.moment(constraint)
        found |= {name: Ranks.of(columns[:, j]) for j, name in enumerate(_moment_names(constraint))}
    return found


def _add_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: a[key] + b[key] for key in a}


def _required(
    stress: Stress, ranks: dict[str, Ranks], total: Total, alpha: float
) -> tuple[dict[str, float], list[str]]:
    """Find the mean that each constraint on a mean asks for."""
    by_tau = [feature_of(one) for one in stress if isinstance(one, Mean | Share) and one.target is None]
    wanted = {name: tuple(wanted_intervals(ranks[name], alpha)) for name in by_tau}
    open_ = {name: intervals for name, intervals in wanted.items() if ranks[name].n_distinct is None}
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
        of = ranks[name]
        low, high = float(of.low[0]), float(of.high[-1])
        held = windows.get(name) or (Window(low, high, 0, of.low, of.count),)

        def at(
            rank: int, held: Sequence[Window] = held, ends: tuple[float, float] = (low, high), n: int = of.n
        ) -> float:
            return value_at(held, rank, *ends, n)

        around = ranked_range(of.n, of.mean, low, high, at, alpha)
        means[name] = float(around.target(np.array([float(one.tau)]))[0])
        note = tau_note(name, one.tau, alpha, around.reached) if isinstance(one, Mean) and one.tau != 0 else None
        notes += [] if note is None else [note]
    return means, notes


def _windows(part: Part, wanted: dict[str, tuple[tuple[float, float], ...]]) -> dict[str, tuple[Window, ...]]:
    out: dict[str, tuple[Window, ...]] = {}
    for name, intervals in wanted.items():
        values = part.values(name)
        ascending = np.sort(values[~np.isnan(values)])
        out[name] = tuple(Window.of(ascending, low, high) for low, high in intervals)
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
    out: dict[tuple[str, str], Array] = {}
    for a, b in pairs:
        product = (part.values(a) - own[a]) * (part.values(b) - own[b])
        seen = ~np.isnan(product)
        out[a, b] = np.array([float(np.count_nonzero(seen)), float(product[seen].sum())])
    return out


def _ingredients(
    constraint: Constraint,
    means: dict[str, float],
    own: dict[str, float],
    products: dict[tuple[str, str], Array],
) -> list[Ingredient]:
    """Return the columns of one constraint; means it rests on are added to `means`."""
    if isinstance(constraint, Mean | Share):
        name = feature_of(constraint)
        kind = "mean" if isinstance(constraint, Mean) else "share"
        return [Ingredient(Term(kind, name, means[name], own[name]), (name,))]
    if isinstance(constraint, Variance):
        name = constraint.feature
        n, summed = products[name, name].tolist()
        required = constraint.target
        if required is None:
            assert constraint.scale is not None
            required = constraint.scale * summed / n
        about = means.setdefault(name, own[name])
        return [Ingredient(Term("variance", name, float(required), summed / n), (name,), (about,))]
    if isinstance(constraint, Covariance):
        a, b = constraint.a, constraint.b
        n, summed = products[a, b].tolist()
        about = means.setdefault(a, own[a]), means.setdefault(b, own[b])
        present = summed / n if n else float("nan")
        return [Ingredient(Term("covariance", f"{a} and {b}", float(constraint.target), present), (a, b), about)]
    assert isinstance(constraint, Moment)
    return [
        Ingredient(Term("moment", name, target, own[name]), (name,), (), (constraint, j))
        for j, (name, target) in enumerate(zip(_moment_names(constraint), constraint.targets, strict=True))
    ]


def _gaps(
    found: list[Ingredient],
    ranks: dict[str, Ranks],
    products: dict[tuple[str, str], Array],
    n_rows: int,
    asked: set[str],
) -> list[Ingredient]:
    """Tell each column how many rows have a value, and return the shares of these that are held."""
    gaps: list[str] = []
    for j, one in enumerate(found):
        lacking = [name for name in one.of if ranks[name].n_missing]
        gaps += [name for name in lacking if name not in gaps]
        if lacking:
            n = ranks[one.of[0]].n if len(one.of) == 1 else products[one.of[0], one.of[1]][0]
            found[j] = _observed(one, float(n / n_rows))
    out: list[Ingredient] = []
    for name in gaps:
        if not asked & {f"{name} = missing", f"{name} = missing (no value)"}:
            share = ranks[name].n / n_rows
            moment = next((one.moment for one in found if one.of == (name,) and one.moment is not None), None)
            out.append(Ingredient(Term("rows", name, share, share, held=True), (name,), (), moment))
    return out


def _observed(one: Ingredient, share: float) -> Ingredient:
    term = one.term
    return Ingredient(
        Term(term.kind, term.subject, term.required, term.present, share, term.held), one.of, one.about, one.moment
    )


def _measure(part: Part, found: Sequence[Ingredient]) -> Measured:
    phi = phi_of(part, found)
    seen = np.full((len(found), 2), np.nan)
    for j, one in enumerate(found):
        column = one.raw(part)
        column = column[~np.isnan(column)]
        if len(column):
            seen[j] = column.min(), column.max()
    return Measured(part.n_rows, spread(phi, None), seen)
