"""From constraints to numbers: the columns of Φ, their targets, and what is held still besides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InfeasibleTarget, InputError, InputTypeError
from tauscope.stress.constraints import Covariance, Mean, Moment, Share, Stress, Variance
from tauscope.stress.dual import Spread, spread
from tauscope.stress.feasibility import dependence, implied_target
from tauscope.stress.target import tau_range

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Term:
    """What one column of Φ stands for.

    Attributes
    ----------
    quantity : str
        In words, such as "mean of age".
    required : float
        What the mean of the quantity over the rows with a value shall be.
    observed : float
        Share of the weight of those rows.
    held : bool
        True where nobody asked but another constraint rests on it.
    """

    quantity: str
    required: float
    observed: float = 1.0
    held: bool = False


@dataclass(frozen=True)
class Moments:
    """A stress in numbers.

    Attributes
    ----------
    terms : tuple of Term
        What was asked for, in its order, then what is held.
    phi : ndarray of shape (n_rows, k)
        Column after column in memory. A row without a value stands at the required one, where it pulls nowhere.
    target : ndarray of shape (k,)
    notes : tuple of str
        Where τ does not stand for the plain quantile.
    """

    terms: tuple[Term, ...]
    phi: Array
    target: Array
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities in words; those nobody asked for say that they are held."""
        return tuple(f"{term.quantity} (held)" if term.held else term.quantity for term in self.terms)

    def measured(self, achieved: Array) -> Array:
        """Turn means of Φ over all rows into the quantities over the rows with a value.

        Parameters
        ----------
        achieved : ndarray of shape (k,)

        Returns
        -------
        ndarray of shape (k,)
        """
        observed = np.array([term.observed for term in self.terms])
        return self.target + (achieved - self.target) / observed


def resolve(
    stress: Stress,
    values: Callable[[str], Array],
    n_rows: int,
    *,
    rows: Any = None,
    alpha: float = 0.05,
    sample_weight: Array | None = None,
) -> Moments:
    """Turn a stress into columns and targets.

    Parameters
    ----------
    stress : Stress
    values : callable
        Name of a feature → ndarray of shape (n_rows,), float64, NaN where a row has no value. A level's share
        goes by the name "sex = Female".
    n_rows : int
    rows : object
        What the functions of `Moment` are called with.
    alpha : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.

    Returns
    -------
    Moments

    Raises
    ------
    InfeasibleTarget
        For a target outside the range of its column.
    InputError
        For a column whose rows all have one value, or a moment of another shape.

    Notes
    -----
    Variances and covariances are taken about the means that hold *after* the stress: Φ = (x - m)² and
    (a - m_a)(b - m_b), with m the mean another constraint requires, else the present one, which is then held.
    That is Φ = (x, x²) and (a, b, ab) of the source, shifted so that digits are kept.

    Rows without a value count in none of this: only the observed rows' mean moves. They keep their share of the
    weight, so that a stress on age does not also empty the rows whose age is unknown; a constraint on the share of
    missing values overrides that. A covariance is over the rows that have both values.

    What is held is dropped where it already follows from what was asked.
    """
    draft = _Draft(values, n_rows, rows, alpha, sample_weight)
    for constraint in stress:
        if isinstance(constraint, Mean | Share):
            draft.require_mean(constraint)
    for constraint in stress:
        if isinstance(constraint, Mean | Share):
            feature = _feature(constraint)
            draft.add(constraint.quantity, draft.column(feature), draft.means[feature], (feature,))
        elif isinstance(constraint, Variance):
            draft.add_variance(constraint)
        elif isinstance(constraint, Covariance):
            draft.add_covariance(constraint)
        elif isinstance(constraint, Moment):
            draft.add_moment(constraint)
        else:
            raise InputTypeError(
                f"A stress is made of Mean, Variance, Covariance, Share and Moment; got {constraint!r}."
            )
    draft.hold()
    return draft.moments()


def _feature(constraint: Mean | Share) -> str:
    return constraint.feature if isinstance(constraint, Mean) else constraint.indicator


class _Draft:
    """Terms and columns as they are collected."""

    def __init__(
        self, values: Callable[[str], Array], n_rows: int, rows: Any, alpha: float, sample_weight: Array | None
    ) -> None:
        self.values, self.n_rows, self.rows, self.alpha = values, n_rows, rows, alpha
        self.base = None if sample_weight is None else sample_weight / sample_weight.sum()
        self.columns: dict[str, Array] = {}
        self.means: dict[str, float] = {}
        self.asked: set[str] = set()
        self.terms: list[Term] = []
        self.phi: list[Array] = []
        self.gaps: dict[str, NDArray[np.bool_]] = {}
        self.notes: list[str] = []
        self.n_asked_or_mean = 0

    def column(self, feature: str) -> Array:
        """Values of a feature, checked once to differ."""
        if feature not in self.columns:
            column = self.values(feature)
            seen = column[self._counted(~np.isnan(column))]
            if not seen.size or seen.min() == seen.max():
                only = f"only {seen[0]:g}" if seen.size else "none"
                raise InputError(
                    f"A stress needs a column with at least two different values; {feature!r} has {only}. Leave it out."
                )
            self.columns[feature] = column
        return self.columns[feature]

    def require_mean(self, constraint: Mean | Share) -> None:
        """Find the mean that a constraint asks for, so that variances and covariances can be taken about it."""
        feature = _feature(constraint)
        column = self.column(feature)
        self.asked.add(feature)
        if constraint.target is not None:
            self.means[feature] = float(constraint.target)
            return
        assert constraint.tau is not None
        seen = ~np.isnan(column)
        around = tau_range(column[seen], self.alpha, None if self.base is None else self.base[seen])
        self.means[feature] = float(around.target(np.array([float(constraint.tau)]))[0])
        if isinstance(constraint, Mean) and constraint.tau != 0:
            self._note(feature, constraint.tau, around.reached)

    def _note(self, feature: str, tau: float, reached: tuple[float, float]) -> None:
        plain, level = (self.alpha, reached[0]) if tau < 0 else (1 - self.alpha, reached[1])
        if abs(level - plain) <= 1e-9:
            return
        far = {0.0: "minimum", 1.0: "maximum"}.get(level, f"{level:.4g} quantile")
        side = "below" if tau < 0 else "above"
        self.notes.append(f"τ of {feature} leads to its {far}: the {plain:.4g} quantile does not lie {side} the mean.")

    def mean(self, feature: str) -> float:
        """Mean that a feature will have: the required one, else its own."""
        if feature not in self.means:
            self.means[feature] = self._average(self.column(feature))
        return self.means[feature]

    def add_variance(self, constraint: Variance) -> None:
        """Add Φ = (x - m)²."""
        column, mean = self.column(constraint.feature), self.mean(constraint.feature)
        required = constraint.target
        if required is None:
            assert constraint.scale is not None
            required = constraint.scale * self._average((column - self._average(column)) ** 2)
        self.add(constraint.quantity, (column - mean) ** 2, float(required), (constraint.feature,))

    def add_covariance(self, constraint: Covariance) -> None:
        """Add Φ = (a - m_a)(b - m_b)."""
        a, b = constraint.a, constraint.b
        product = (self.column(a) - self.mean(a)) * (self.column(b) - self.mean(b))
        self.add(constraint.quantity, product, float(constraint.target), (a, b))

    def add_moment(self, constraint: Moment) -> None:
        """Add the columns of a function of the rows."""
        given = constraint.function(self.rows) if callable(constraint.function) else constraint.function
        try:
            columns = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputTypeError(
                f"The {constraint.quantity} must be numbers, one per row; got {given!r:.80}."
            ) from None
        columns = columns[:, None] if columns.ndim == 1 else columns
        if columns.ndim != 2 or len(columns) != self.n_rows or columns.shape[1] != len(constraint.targets):
            raise InputError(
                f"The {constraint.quantity} needs one number per row and target, shape ({self.n_rows}, "
                f"{len(constraint.targets)}); got shape {np.shape(given)}."
            )
        several = columns.shape[1] > 1
        for j, target in enumerate(constraint.targets):
            name = f"{constraint.quantity}[{j}]" if several else constraint.quantity
            self.add(name, columns[:, j], target, (name,))

    def add(self, quantity: str, column: Array, required: float, features: tuple[str, ...], held: bool = False) -> None:
        """Add one column, its gaps filled with the required value."""
        missing = np.isnan(column)
        observed = 1.0
        if missing.any():
            seen = column[self._counted(~missing)]
            if not seen.size:
                raise InputError(f"The {quantity} needs rows that have a value; none has. Leave it out.")
            if not seen.min() <= required <= seen.max():
                raise InfeasibleTarget(
                    f"The {quantity} cannot become {required:.6g}: the rows lie between {seen.min():.6g} and "
                    f"{seen.max():.6g}. Choose a target between."
                )
            observed = 1 - (float(missing.mean()) if self.base is None else float(self.base[missing].sum()))
            for feature in features:
                gaps = np.isnan(self.columns[feature]) if feature in self.columns else missing
                if gaps.any():
                    self.gaps.setdefault(feature, gaps)
            column = np.where(missing, required, column)
        self.terms.append(Term(quantity, required, observed, held))
        self.phi.append(column)

    def hold(self) -> None:
        """Add the means that variances and covariances rest on, and the shares of rows without a value."""
        for feature, mean in self.means.items():
            if feature not in self.asked:
                self.add(f"mean of {feature}", self.column(feature), mean, (feature,), held=True)
        self.n_asked_or_mean = len(self.terms)
        for feature, gaps in self.gaps.items():
            if not self.asked & {f"{feature} = missing", f"{feature} = missing (no value)"}:
                here = np.where(gaps, 0.0, 1.0)
                self.add(f"share of rows with {feature}", here, self._average(here), (feature,), held=True)

    def moments(self) -> Moments:
        """Return what was collected, without held columns that follow from the others."""
        phi = np.empty((self.n_rows, len(self.phi)), order="F")
        for j, column in enumerate(self.phi):
            phi[:, j] = column
        target = np.array([term.required for term in self.terms])
        kept = list(range(len(self.terms)))
        if any(term.held for term in self.terms):
            kept = self._without_repetitions(spread(phi, self.base), target)
        terms = tuple(self.terms[j] for j in kept)
        phi = phi if len(kept) == phi.shape[1] else np.asfortranarray(phi[:, kept])
        return Moments(terms, phi, target[kept], tuple(self.notes))

    def _without_repetitions(self, found: Spread, target: Array) -> list[int]:
        """Leave out held columns that follow from those before; a contradiction stays, to be named later."""
        kept: list[int] = []
        for j, term in enumerate(self.terms):
            if term.held:
                if found.sd[j] == 0:
                    continue
                slopes = dependence(found, j, kept)
                gives_way = j >= self.n_asked_or_mean
                if slopes is not None and (gives_way or implied_target(target, found, j, kept, slopes)[1]):
                    continue
            kept.append(j)
        return kept

    def _average(self, column: NDArray[Any]) -> float:
        """Weighted mean over the rows with a value."""
        seen = self._counted(~np.isnan(column))
        some = column[seen]
        return float(some[0] + np.average(some - some[0], weights=None if self.base is None else self.base[seen]))

    def _counted(self, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return rows if self.base is None else rows & (self.base > 0)
