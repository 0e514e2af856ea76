"""What a stress asks of the population, as values: one constraint, or several joined with `&`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import check_size, checks_arguments
from tauscope.errors import DependentConstraints, InputError, InputTypeError
from tauscope.stress.functions import NamedFunction

Key = tuple[object, ...]


class Constraint:
    """One requirement on the stressed population; joined to others with `&`."""

    @property
    def key(self) -> Key:
        """Equal for two constraints on the same quantity."""
        raise NotImplementedError

    @property
    def quantity(self) -> str:
        """The constrained quantity, in words."""
        raise NotImplementedError

    def __and__(self, other: object) -> Stress:
        if not isinstance(other, Constraint | Stress):
            return NotImplemented
        return Stress((self,)) & other


@checks_arguments
@dataclass(frozen=True)
class Stress:
    """Constraints that shall all hold at once, in the order they were joined.

    Attributes
    ----------
    constraints : tuple of Constraint
        At least one, each about a quantity of its own.

    Examples
    --------
    >>> ts.Mean("mean radius", tau=0.2) & ts.Variance("mean texture", scale=0.9)
    ts.Mean('mean radius', tau=0.2) & ts.Variance('mean texture', scale=0.9)
    """

    constraints: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        if not len(self.constraints):
            raise InputError("A stress has at least one constraint; got none. Use ts.Mean('age', tau=0.3).")
        seen: set[Key] = set()
        for constraint in self.constraints:
            if not isinstance(cast(object, constraint), Constraint):
                raise InputTypeError(
                    f"A stress joins constraints, such as ts.Mean('age', tau=0.3); got {constraint!r}."
                )
            if constraint.key in seen:
                raise DependentConstraints(f"The {constraint.quantity} is constrained twice. Keep one of the two.")
            seen.add(constraint.key)

    def __and__(self, other: object) -> Stress:
        if not isinstance(other, Constraint | Stress):
            return NotImplemented
        return Stress((*self.constraints, *as_stress(other).constraints))

    def __iter__(self) -> Iterator[Constraint]:
        return iter(self.constraints)

    def __len__(self) -> int:
        return len(self.constraints)

    def __repr__(self) -> str:
        return " & ".join(map(repr, self.constraints))


@checks_arguments
@dataclass(frozen=True, repr=False)
class Mean(Constraint):
    """The mean of a column, or of a quantity of the model, over the rows that have a value.

    Parameters
    ----------
    feature : str
        A column of numbers ("age"), a share by its feature's name ("sex = Female"), or "prediction", "score",
        "label", "error", "squared_error", "residual"; see `Study.reweight`.
    tau : float, optional
        In [-1, 1]: 0 holds the mean, -1 and +1 move it to the `quantile` and 1 - `quantile` quantiles.
    target : float or date, optional
        The mean to reach, in the feature's unit; of dates a date, a Timestamp, a datetime64, or decimal years.
    shift : float or timedelta, optional
        How far the mean is moved from what it is, in the feature's unit; of dates and durations a timedelta, or years
        and days. Give one of `tau`, `target` and `shift`.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.3 and Corollary 2.1.

    Examples
    --------
    >>> study.reweight(ts.Mean("mean radius", target=15)).values.round(3)
    array([15.])
    """

    feature: str
    tau: float | None = field(default=None, kw_only=True)
    target: float | date | np.datetime64 | None = field(default=None, kw_only=True)
    shift: float | timedelta | np.timedelta64 | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_feature("Mean", self.feature)
        check_one_of("Mean", tau=self.tau, target=self.target, shift=self.shift)
        check_real("tau", self.tau, -1, 1)
        check_date("target", self.target)
        check_duration("shift", self.shift)

    def _from_present(self, present: float) -> tuple[float, float] | None:
        """Return the mean that a shift makes of the present one, and its slope; None without a shift."""
        return None if self.shift is None else (present + _number("shift", self.shift), 1.0)

    @property
    def goal(self) -> float | None:
        """The mean to reach as a number, where it is given."""
        return None if self.target is None else _number("target", self.target)

    @property
    def key(self) -> Key:
        """See `Constraint`."""
        return ("mean", self.feature)

    @property
    def quantity(self) -> str:
        """See `Constraint`."""
        return f"mean of {self.feature}"

    def __repr__(self) -> str:
        return _call("Mean", self.feature, tau=self.tau, target=self.target, shift=self.shift)


@checks_arguments
@dataclass(frozen=True, repr=False)
class Share(Constraint):
    """The share of the rows that have a level of a column.

    Parameters
    ----------
    feature : str
        A categorical or boolean column, or "prediction" or "label" of a classifier.
    level : label
        One of its levels, or "missing".
    target : float, optional
        The share to reach, in [0, 1].
    tau : float, optional
        In [-1, 1]: 0 holds the share, -1 empties the level, +1 gives it every row.
    shift : float, optional
        How far the share is moved from what it is, in [-1, 1]: 0.1 is ten percentage points more.
    odds : float, optional
        Factor of the odds s / (1 - s) of the share s, positive: 2 makes a third of a fifth. Give one of the four.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.3 with the indicator of a level.

    Examples
    --------
    >>> large = study.reweight(ts.Share("prediction", 1, target=0.5))
    >>> large.status
    'solved'
    """

    feature: str
    level: Any
    target: float | None = None
    tau: float | None = field(default=None, kw_only=True)
    shift: float | None = field(default=None, kw_only=True)
    odds: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_feature("Share", self.feature)
        check_one_of("Share", tau=self.tau, target=self.target, shift=self.shift, odds=self.odds)
        check_real("tau", self.tau, -1, 1)
        check_real("target", self.target, 0, 1)
        check_real("shift", self.shift, -1, 1)
        check_real("odds", self.odds, 0, above_low=True)

    def _from_present(self, present: float) -> tuple[float, float] | None:
        """Return the share that a shift or factor makes of the present one, and its slope; None without one."""
        if self.shift is not None:
            return present + float(self.shift), 1.0
        if self.odds is None:
            return None
        rest = 1 + (float(self.odds) - 1) * present
        return float(self.odds) * present / rest, float(self.odds) / rest**2

    @property
    def goal(self) -> float | None:
        """The share to reach, where it is given."""
        return None if self.target is None else float(self.target)

    @property
    def indicator(self) -> str:
        """Name of the level's own feature, "sex = Female"."""
        whole = isinstance(self.level, float) and self.level.is_integer()
        return f"{self.feature} = {int(self.level) if whole else self.level}"

    @property
    def key(self) -> Key:
        """See `Constraint`."""
        return ("mean", self.indicator)

    @property
    def quantity(self) -> str:
        """See `Constraint`."""
        return f"share of {self.indicator}"

    def __repr__(self) -> str:
        target = () if self.target is None else (self.target,)
        return _call("Share", self.feature, self.level, *target, tau=self.tau, shift=self.shift, odds=self.odds)


@checks_arguments
@dataclass(frozen=True, repr=False)
class Variance(Constraint):
    """The variance of a column at a fixed mean: the one another constraint requires of it, else its own.

    Parameters
    ----------
    feature : str
        As in `Mean`.
    target : float, optional
        The variance to reach, in the squared unit; positive. Give either `target` or `scale`.
    scale : float, optional
        The variance to reach as a multiple of the present one; positive. 1.5 widens, 0.5 narrows.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Corollary 2.2.

    Examples
    --------
    >>> study.reweight(ts.Variance("mean texture", scale=0.9)).status
    'solved'
    """

    feature: str
    target: float | None = field(default=None, kw_only=True)
    scale: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_feature("Variance", self.feature)
        check_one_of("Variance", target=self.target, scale=self.scale)
        check_real("target", self.target, 0, above_low=True)
        check_real("scale", self.scale, 0, above_low=True)

    @property
    def key(self) -> Key:
        """See `Constraint`."""
        return ("variance", self.feature)

    @property
    def quantity(self) -> str:
        """See `Constraint`."""
        return f"variance of {self.feature}"

    def __repr__(self) -> str:
        return _call("Variance", self.feature, target=self.target, scale=self.scale)


@checks_arguments
@dataclass(frozen=True, repr=False)
class Covariance(Constraint):
    """The covariance of two columns at fixed means: those other constraints require of them, else their own.

    Parameters
    ----------
    a, b : str
        Two different features, as in `Mean`.
    target : float
        The covariance to reach, in the product of the units; 0 makes them uncorrelated.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Corollary 2.3.

    Examples
    --------
    >>> study.reweight(ts.Covariance("mean radius", "mean texture", target=0)).values.round(2)
    array([ 0.  , 14.17, 19.39])
    """

    a: str
    b: str
    target: float

    def __post_init__(self) -> None:
        check_feature("Covariance", self.a)
        check_feature("Covariance", self.b)
        if self.a == self.b:
            raise InputError(f"A covariance needs two features; got {self.a!r} twice. Use Variance({self.a!r}, …).")
        check_one_of("Covariance", target=self.target)
        check_real("target", self.target)

    @property
    def key(self) -> Key:
        """See `Constraint`."""
        return ("covariance", frozenset((self.a, self.b)))

    @property
    def quantity(self) -> str:
        """See `Constraint`."""
        return f"covariance of {self.a} and {self.b}"

    def __repr__(self) -> str:
        return _call("Covariance", self.a, self.b, self.target)


@checks_arguments
@dataclass(frozen=True, repr=False, eq=False)
class Moment(Constraint):
    """The mean of any function of the rows.

    Parameters
    ----------
    function : callable or array of shape (n_rows,) or (n_rows, q)
        Called with the rows as the study was given them; gives one number per row, or q of them. NaN marks a row
        without a value, which keeps its share of the weight. In the stress of a result the function's name, under
        which the study keeps it.
    target : float or sequence of q floats
        The mean to reach.
    name : str, optional
        What results call it; by default the function's own name.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.1.

    Examples
    --------
    >>> large = ts.Moment(lambda rows: rows["mean radius"] > 15, target=0.5)
    >>> study.reweight(large).values.round(3)
    array([0.5])
    """

    function: Callable[[Any], Any] | NamedFunction | NDArray[Any] | Sequence[float]
    target: float | Sequence[float] | NDArray[Any]
    name: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if isinstance(self.function, str):
            raise InputTypeError(
                f"Moment needs a function of the rows or an array; got {self.function!r}. For a column use Mean."
            )
        for target in self.targets:
            check_real("target", target)

    @property
    def targets(self) -> tuple[float, ...]:
        """One target per column of the function."""
        try:
            return tuple(np.atleast_1d(np.asarray(self.target, dtype=np.float64)).ravel().tolist())
        except (TypeError, ValueError, OverflowError):
            raise InputTypeError(f"target must be a number, or one for each column; got {self.target!r}.") from None

    @property
    def key(self) -> Key:
        """See `Constraint`."""
        return ("moment", self.name if self.name is not None else id(self.function))

    @property
    def quantity(self) -> str:
        """See `Constraint`."""
        function_name = getattr(self.function, "__name__", "moment")
        return self.name if self.name is not None else "moment" if function_name == "<lambda>" else str(function_name)

    def __repr__(self) -> str:
        target = self.targets[0] if np.ndim(self.target) == 0 else list(self.targets)
        shown = getattr(self.function, "__name__", "…")
        name_text = "" if self.name is None else f", name={self.name!r}"
        return f"ts.Moment({'…' if shown == '<lambda>' else shown}, {target!r}{name_text})"


def as_stress(stress: object) -> Stress:
    """Return a stress as one, a lone constraint as a stress of one.

    Raises
    ------
    InputTypeError
        For anything else.
    """
    if isinstance(stress, Stress):
        return stress
    if isinstance(stress, Constraint):
        return Stress((stress,))
    raise InputTypeError(
        f"A stress is made of constraints; got {stress!r}. Try ts.Mean('age', tau=0.5), joined to others with &."
    )


def _number(name: str, value: object) -> float:
    """Return a number that the study has made of dates and lengths of time before."""
    if not isinstance(value, Real):
        raise InputTypeError(f"{name} must be a number where no study reads it; got {value!r}. Ask study.reweight(…).")
    return float(value)


def _call(kind: str, *arguments: object, **options: object) -> str:
    texts = [repr(value) for value in arguments]
    texts += [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"ts.{kind}({', '.join(texts)})"


def check_feature(kind: str, feature: object) -> None:
    """Ask for the name of a feature, or the whole number of one, which the study that is asked names."""
    if not isinstance(feature, str | int | np.integer) or isinstance(feature, bool):
        raise InputTypeError(f"{kind} takes the name of a feature; got {feature!r}. Try ts.{kind}('age', …).")


def check_one_of(kind: str, **arguments: object) -> None:
    """Ask for exactly one of some arguments."""
    present = [name for name, value in arguments.items() if value is not None]
    if len(present) != 1:
        received = " and ".join(present) if present else "none"
        *first, last = arguments
        raise InputError(
            f"{kind} needs exactly one of {', '.join(first)}{' and ' if first else ''}{last}; got {received}."
        )


def check_real(
    name: str, value: object, low: float = -math.inf, high: float = math.inf, *, above_low: bool = False
) -> None:
    """Ask for a finite number within bounds, where one was given.

    Parameters
    ----------
    name : str
        Of the argument, for messages.
    value : object
        None passes.
    low, high : float
        Bounds, included.
    above_low : bool
        Whether `low` itself is excluded.
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} must be a number; got {value!r}.")
    check_size(name, cast(float, value))
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{name} must be finite; got {number}.")
    if not low <= number <= high or (above_low and number == low):
        bounds = f"above {low:g}" if above_low else f"in [{low:g}, {high:g}]"
        raise InputError(f"{name} must be {bounds}; got {number:g}.")


def check_date(name: str, value: object) -> None:
    """Ask for a date, where one was given that is no number."""
    if isinstance(value, date | np.datetime64):
        if value != value:  # as no missing time equals itself
            raise InputError(f"{name} must be a date; got a missing one.")
        return
    check_real(name, value)


def check_duration(name: str, value: object) -> None:
    """Ask for a length of time, where one was given that is no number."""
    if isinstance(value, timedelta | np.timedelta64):
        if value != value:
            raise InputError(f"{name} must be a length of time; got a missing one.")
        return
    check_real(name, value)
