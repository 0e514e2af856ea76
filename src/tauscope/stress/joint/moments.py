"""Turn constraints into columns of Φ and targets, with the means and shares that they need held."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError, InputTypeError
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.column.two_values import ODDS
from tauscope.stress.functions import ask_function, read_numbers
from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.constraints import Covariance, Mean, Moment, Share, Stress, Variance
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.far_rows import summarise_directions
from tauscope.stress.joint.feasibility import compute_implied_target, solve_dependence
from tauscope.stress.joint.influence import Influence, count_beyond, of_mean, of_tau, target_covariance
from tauscope.stress.joint.terms import Moments, Term

Array = NDArray[np.float64]


def resolve(
    stress: Stress,
    values: Callable[[str], Array],
    n_rows: int,
    *,
    rows: Any = None,
    quantile: float = 0.05,
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
    quantile : float
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

    Held terms are dropped where they already follow from the constraints.

    A target that τ or a factor stands for is estimated from the rows, and so is what is held: `target_covariance` says
    how far they would lie elsewhere in other rows. The means that variances and covariances are taken about do not
    enter it, as Φ does not follow them where they hold; the share of missing values is taken at its present value.
    """
    draft = _Draft(values, n_rows, rows, quantile, sample_weight)
    for constraint in stress:
        if isinstance(constraint, Mean | Share):
            draft.require_mean(constraint)
    for constraint in stress:
        if isinstance(constraint, Mean | Share):
            draft.add_mean(constraint)
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


def drop_redundant(terms: Sequence[Term], n_before_shares: int, summary: MomentSummary, target: Array) -> list[int]:
    """Leave out held columns that follow from those before; a contradiction stays, to be named later.

    Parameters
    ----------
    terms : sequence of Term
    n_before_shares : int
        How many of them, the first, are not shares of rows with a value.
    summary : MomentSummary
        Of their columns.
    target : ndarray of shape (n_terms,)

    Returns
    -------
    list of int
        Places of the terms that stay.
    """
    selected: list[int] = []
    for j, term in enumerate(terms):
        if term.held:
            if summary.sd[j] == 0:
                continue
            slopes = solve_dependence(summary, j, selected)
            is_share = j >= n_before_shares
            if slopes is not None and (is_share or compute_implied_target(target, summary, j, selected, slopes)[1]):
                continue
        selected.append(j)
    return selected


def check_products(terms: Sequence[Term], summary: MomentSummary) -> None:
    """Refuse a variance or covariance that no weights change, since it is the same number in every row.

    Raises
    ------
    DependentConstraints
    """
    for term, sd, low in zip(terms, summary.sd.tolist(), summary.low.tolist(), strict=True):
        if term.kind in ("variance", "covariance") and sd == 0:
            raise DependentConstraints(
                f"The {term.name} is {low:.6g} whatever the weights while the means stay as they are: the product of "
                "deviations is the same in every row, as in a column of two values half and half. Drop it, or move a "
                "mean."
            )


def tau_note(feature: str, tau: float, quantile: float, reached: tuple[float, float]) -> str | None:
    """Say where τ leads if not to the plain quantile; None where it does."""
    nominal, level = (quantile, reached[0]) if tau < 0 else (1 - quantile, reached[1])
    if abs(level - nominal) <= 1e-9:
        return None
    reached_text = {0.0: "its minimum", 1.0: "its maximum"}.get(level, f"its {level:.4g} quantile")
    if np.isnan(level):
        reached_text = f"{ODDS:g} times the odds of its rare value"
    side = "below" if tau < 0 else "above"
    return f"τ of {feature} leads to {reached_text}: the {nominal:.4g} quantile does not lie {side} the mean."


def constant_column_error(feature: str, value: float | None) -> InputError:
    """Refuse a column whose rows all have one value, or none."""
    values_text = "none" if value is None else f"only {value:g}"
    return InputError(
        f"A stress needs a column with at least two different values; {feature!r} has {values_text}. Leave it out."
    )


def out_of_range_error(term: Term, low: float, high: float) -> InfeasibleTarget:
    """Refuse a target outside the range of the rows with a value."""
    return InfeasibleTarget(
        f"The {term.name} cannot become {term.required:.6g}: the rows lie between {low:.6g} and {high:.6g}. "
        "Choose a target between."
    )


def feature_of(constraint: Mean | Share) -> str:
    """Name of the feature whose mean is required."""
    return constraint.feature if isinstance(constraint, Mean) else constraint.indicator


class _Draft:
    """Terms and columns as they are collected."""

    def __init__(
        self, values: Callable[[str], Array], n_rows: int, rows: Any, quantile: float, sample_weight: Array | None
    ) -> None:
        self.values, self.n_rows, self.rows, self.quantile = values, n_rows, rows, quantile
        self.sample_weight = sample_weight
        self.base = None if sample_weight is None else sample_weight / sample_weight.sum()
        self.columns: dict[str, Array] = {}
        self.means: dict[str, float] = {}
        self.averages: dict[str, float] = {}
        self.around: dict[str, TauRange] = {}
        self.constrained: set[str] = set()
        self.terms: list[Term] = []
        self.phi: list[Array] = []
        self.influences: list[Influence | None] = []
        self.n_beyond: list[float] = []
        self.in_doubt = False
        self.gaps: dict[str, NDArray[np.bool_]] = {}
        self.notes: list[str] = []
        self.n_before_shares = 0

    def column(self, feature: str) -> Array:
        """Values of a feature, checked once to differ."""
        if feature not in self.columns:
            column = self.values(feature)
            counted = self._with_weight(~np.isnan(column))
            values = column if counted.all() else column[counted]
            if not values.size or values.min() == values.max():
                raise constant_column_error(feature, float(values[0]) if values.size else None)
            self.columns[feature] = column
        return self.columns[feature]

    def require_mean(self, constraint: Mean | Share) -> None:
        """Find the mean that a constraint asks for, so that variances and covariances can be taken about it."""
        feature = feature_of(constraint)
        column = self.column(feature)
        self.constrained.add(feature)
        if constraint.goal is not None:
            self.means[feature] = constraint.goal
            return
        moved = constraint._from_present(self.present_mean(feature)) if constraint.tau is None else None
        if moved is not None:
            self.means[feature] = moved[0]
            return
        assert constraint.tau is not None
        if constraint.tau == 0:
            self.means[feature] = self.present_mean(feature)
            return
        gaps = np.isnan(column)
        observed = ~gaps if gaps.any() else slice(None)
        # the weights as given: scaled ones may round to the other side of a quantile that falls between two rows
        around = tau_range(
            column[observed], self.quantile, None if self.sample_weight is None else self.sample_weight[observed]
        )
        self.averages[feature] = around.mean
        tau = np.array([float(constraint.tau)])
        self.means[feature], self.around[feature] = float(around.target(tau)[0]), around
        self.in_doubt |= bool(around.in_doubt(tau)[0])
        if isinstance(constraint, Mean):
            note = tau_note(feature, constraint.tau, self.quantile, around.reached)
            self.notes += [] if note is None else [note]

    def mean(self, feature: str) -> float:
        """Mean that a feature will have: the required one, else its own."""
        if feature not in self.means:
            self.means[feature] = self.present_mean(feature)
        return self.means[feature]

    def present_mean(self, feature: str) -> float:
        """Mean that a feature has."""
        if feature not in self.averages:
            self.averages[feature] = self._average(self.column(feature))
        return self.averages[feature]

    def add_mean(self, constraint: Mean | Share) -> None:
        """Add Φ = x."""
        feature = feature_of(constraint)
        kind = "mean" if isinstance(constraint, Mean) else "share"
        column = self.column(feature)
        term = Term(kind, feature, self.means[feature], self.present_mean(feature))
        moved = constraint._from_present(term.present)
        if moved is not None:
            aim = "moved" if term.required != term.present else "kept"
            return self._add(replace(term, aim=aim), column, (feature,), of_mean(column, term.present, moved[1]))
        if constraint.tau is None:
            return self._add(term, column, (feature,))
        if constraint.tau == 0:
            return self._add(replace(term, aim="kept"), column, (feature,), of_mean(column, term.present))
        influence = of_tau(column, self.around[feature], float(constraint.tau))
        return self._add(replace(term, aim="moved"), column, (feature,), influence)

    def add_variance(self, constraint: Variance) -> None:
        """Add Φ = (x - m)²."""
        feature = constraint.feature
        column = self.column(feature)
        squared = (column - self.present_mean(feature)) ** 2
        present = self._average(squared)
        product = (column - self.mean(feature)) ** 2
        if constraint.target is not None:
            return self._add(Term("variance", feature, float(constraint.target), present), product, (feature,))
        assert constraint.scale is not None
        scale = float(constraint.scale)
        term = Term("variance", feature, scale * present, present, aim="kept" if scale == 1 else "moved")
        return self._add(term, product, (feature,), of_mean(squared, present, scale))

    def add_covariance(self, constraint: Covariance) -> None:
        """Add Φ = (a - m_a)(b - m_b)."""
        a, b = self.column(constraint.a), self.column(constraint.b)
        present = self._average((a - self.present_mean(constraint.a)) * (b - self.present_mean(constraint.b)))
        term = Term("covariance", f"{constraint.a} and {constraint.b}", float(constraint.target), present)
        product = (a - self.mean(constraint.a)) * (b - self.mean(constraint.b))
        self._add(term, product, (constraint.a, constraint.b))

    def add_moment(self, constraint: Moment) -> None:
        """Add the columns of a function of the rows."""
        function, quantity = constraint.function, constraint.quantity
        result = ask_function(function, self.rows, quantity) if callable(function) else read_numbers(function, quantity)
        columns = result[:, None] if result.ndim == 1 else result
        if columns.ndim != 2 or len(columns) != self.n_rows or columns.shape[1] != len(constraint.targets):
            raise InputError(
                f"The {constraint.quantity} needs one number per row and target, shape ({self.n_rows}, "
                f"{len(constraint.targets)}); got shape {np.shape(result)}."
            )
        is_vector = columns.shape[1] > 1
        for j, target in enumerate(constraint.targets):
            name = f"{constraint.quantity}[{j}]" if is_vector else constraint.quantity
            column = columns[:, j]
            self._add(Term("moment", name, target, self._average(column)), column, (name,))

    def _add(self, term: Term, column: Array, features: tuple[str, ...], influence: Influence | None = None) -> None:
        """Add one column, its gaps filled with the required value."""
        missing = np.isnan(column)
        if term.aim != "kept":
            # about another mean than the present one, products have another mean
            present = term.present if term.kind in ("mean", "share", "moment") else self._average(column)
            self.n_beyond.append(count_beyond(column, present, term.required, self.base))
        if missing.any():
            values = column[self._with_weight(~missing)]
            if not values.size:
                raise InputError(f"The {term.quantity} needs rows that have a value; none has. Leave it out.")
            if not values.min() <= term.required <= values.max():
                raise out_of_range_error(term, float(values.min()), float(values.max()))
            missing_share = float(missing.mean()) if self.base is None else float(self.base[missing].sum())
            for feature in features:
                gaps = np.isnan(self.columns[feature]) if feature in self.columns else missing
                if gaps.any():
                    self.gaps.setdefault(feature, gaps)
            term, column = replace(term, observed=1 - missing_share), np.where(missing, term.required, column)
        self.terms.append(term)
        self.phi.append(column)
        self.influences.append(influence)

    def hold(self) -> None:
        """Add the means that variances and covariances rest on, and the shares of rows without a value."""
        for feature, mean in self.means.items():
            if feature not in self.constrained:
                column = self.column(feature)
                held = Term("mean", feature, mean, mean, held=True, aim="kept")
                self._add(held, column, (feature,), of_mean(column, mean))
        self.n_before_shares = len(self.terms)
        for feature, gaps in self.gaps.items():
            if not self.constrained & {f"{feature} = missing", f"{feature} = missing (no value)"}:
                observed = np.where(gaps, 0.0, 1.0)
                share = self._average(observed)
                held = Term("rows", feature, share, share, held=True, aim="kept")
                self._add(held, observed, (feature,), of_mean(observed, share))

    def moments(self) -> Moments:
        """Return the collected terms, without held ones that follow from the others."""
        phi = np.empty((self.n_rows, len(self.phi)), order="F")
        for j, column in enumerate(self.phi):
            phi[:, j] = column
        target = np.array([term.required for term in self.terms])
        selected = list(range(len(self.terms)))
        summary = summarise_moments(phi, self.base)
        check_products(self.terms, summary)
        if any(term.held for term in self.terms):
            summary = summarise_bulk(phi, target, self.base, summary)
            directions = summarise_directions(phi, self.base, summary)
            selected = drop_redundant(self.terms, self.n_before_shares, directions, target)
        terms = tuple(self.terms[j] for j in selected)
        phi = phi if len(selected) == phi.shape[1] else np.asfortranarray(phi[:, selected])
        influences = [self.influences[j] for j in selected]
        return Moments(
            terms=terms,
            phi=phi,
            target=target[selected],
            notes=tuple(self.notes),
            target_covariance=target_covariance(influences, self.n_rows, self.base),
            n_beyond=min(self.n_beyond, default=float("inf")),
            in_doubt=self.in_doubt,
        )

    def _average(self, column: NDArray[Any]) -> float:
        """Weighted mean over the rows with a value."""
        observed = self._with_weight(~np.isnan(column))
        present = column[observed]
        if not present.size:
            return float("nan")
        return float(
            present[0] + np.average(present - present[0], weights=None if self.base is None else self.base[observed])
        )

    def _with_weight(self, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return rows if self.base is None else rows & (self.base > 0)
