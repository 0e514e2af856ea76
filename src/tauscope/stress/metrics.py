"""The metrics of a model under stress: each a function of weighted sums that one pass can collect.

Every metric is a smooth function h of sums S_j = Σ w_i g_ij (w the weights, summing to 1), unchanged when all
sums are scaled alike. Its influence on row i is then Σ_j ∂h/∂S_j · g_ij, which averages to zero by itself, so
one gradient serves the value's interval too [EVP §3.1-3.4].
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, UnknownName
from tauscope.stress.metric_definitions import (
    Definition,
    Form,
    IntervalScale,
    MetricKind,
    OutcomeCells,
    PowerDefinition,
    Quantity,
    RatioDefinition,
    Unit,
    definitions,
)
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import Tails, measure_tails

Array = NDArray[np.float64]
Units = Mapping[str, Unit]
"""By name of the quantity."""


@dataclass(frozen=True)
class Metric:
    """One metric: its name and how it reads.

    Attributes
    ----------
    name, label : str
        The name in code and the words on screen.
    kind : {"share", "value"}
        A share lies in [0, 1].
    shown : bool
        False where another metric implies it (the other class of two); computed only when requested by name.
    leading : bool
        Whether it is among those that are shown first: the portions of the classes.
    events : pair of str
        What it calls the rows it counts, and those it does not; as in `Definition`.
    """

    name: str
    label: str
    kind: MetricKind
    shown: bool = field(default=True, repr=False, kw_only=True)
    leading: bool = field(default=False, repr=False, kw_only=True)
    events: tuple[str, str] = field(default=("events", "non-events"), repr=False, kw_only=True)


@dataclass(frozen=True)
class SummedMetric(Metric):
    """A metric that follows from sums over the rows, with its interval.

    Attributes
    ----------
    form : {"ratio", "mean", "variance", "root_mean"}
        A ratio is of the cells, the others of one power; `evaluate` is the value.
    columns : tuple of int
        The sums it is made of.
    squares : tuple of int
        The sums that the square of its influence is made of.
    scale : {"logit", "log", "plain"}
        Where the interval is symmetric.
    top, bottom : ndarray of shape (n_cells,)
        Of a ratio, what a row of each cell adds above and below the line; else empty.
    power : int
        Place among `Quantities.powers`; -1 for a ratio.
    centre : float
        Of a mean, what is added to it.
    unit : float
        What one unit of the influence is worth in the value's own unit.
    tail : float
        Of a spread, the Pareto k̂ of the squares that it is the mean of, over all rows, each counted once.
    """

    form: Form = field(repr=False)
    columns: tuple[int, ...] = field(repr=False)
    squares: tuple[int, ...] = field(repr=False)
    scale: IntervalScale = field(repr=False)
    top: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    bottom: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    power: int = field(default=-1, repr=False)
    centre: float = field(default=0.0, repr=False)
    unit: float = field(default=1.0, repr=False)
    tail: float = field(default=0.0, repr=False)

    def evaluate(self, sums: Array) -> tuple[Array, Array]:
        """Return the value and its gradient, in `unit`s, from sums of shape (..., len(columns)).

        The value, of shape (...,), is NaN where no weight is left below the line of a ratio.
        """
        match self.form:
            case "ratio":
                return _ratio(sums, self.top, self.bottom)
            case "mean":
                value, gradient = _mean(sums)
                return self.centre + self.unit * value, gradient
            case "variance":
                value, gradient = _variance(sums)
            case "root_mean":
                value, gradient = _root_mean(sums)
        return self.unit * value, gradient

    @property
    def is_rate(self) -> bool:
        """Whether it counts rows: a share of those below the line."""
        return self.form == "ratio" and self.kind == "share" and self.scale == "logit"

    @property
    def is_spread(self) -> bool:
        """Whether it is a mean of squares, or the root of one."""
        return self.form in ("variance", "root_mean")

    def squares_of(self, sums: Array) -> Array:
        """Coefficients on `columns` of the squares that a spread is the mean of."""
        if self.form == "root_mean":
            return np.array([0.0, 1.0])
        mean = sums[..., 1] / sums[..., 0]
        return np.stack([mean**2, -2 * mean, np.ones_like(mean)], -1)

    @property
    def one(self) -> Array:
        """The constant 1 as a combination of `columns`: all cells, or the sum over rows."""
        if self.form == "ratio":
            return np.ones(len(self.columns))
        return np.eye(len(self.columns))[0]

    def square(self, gradient: Array) -> Array:
        """Coefficients of the squared influence on the sums `squares`, from the gradient on `columns`."""
        if self.form == "ratio":  # disjoint cells: products of two different ones vanish
            return gradient**2
        n = gradient.shape[-1]
        squared = np.zeros((*gradient.shape[:-1], 2 * n - 1))
        for j in range(n):
            squared[..., j : j + n] += gradient[..., j : j + 1] * gradient
        return squared


@dataclass(frozen=True)
class Power:
    """Powers of one real quantity, centred and scaled so that sums of its fourth power keep their digits.

    Attributes
    ----------
    quantity : Quantity
    degrees : tuple of int
        (1, 2), or (1, 2, 3, 4) where a metric is a variance.
    values : callable
        A slice of rows, or their places, to their values.
    """

    quantity: Quantity
    degrees: tuple[int, ...]
    values: Callable[[slice], Array]


@dataclass(frozen=True)
class Quantities:
    """What a pass over the rows has to collect: disjoint cells, and powers of real quantities.

    The sums come in this order: all rows, the cells, the powers.
    """

    cell: NDArray[np.integer]
    n_cells: int
    powers: tuple[Power, ...]

    @property
    def only_squares(self) -> frozenset[int]:
        """Sums that enter no metric, only the square of one's influence: the upper half of each power's degrees."""
        out: set[int] = set()
        first = 1 + self.n_cells
        for power in self.powers:
            half = len(power.degrees) // 2
            out |= set(range(first + half, first + 2 * half))
            first += 2 * half
        return frozenset(out)

    @property
    def n_sums(self) -> int:
        """Number of sums, the one over all rows included."""
        return 1 + self.n_cells + sum(len(p.degrees) for p in self.powers)

    def reals(self, rows: slice, order: NDArray[np.integer] | NDArray[np.bool_] | slice | None = None) -> list[Array]:
        """Return the powers' values on a slice of rows, or on some of these in another order, one array each."""
        out: list[Array] = []
        for power in self.powers:
            base = power.values(rows) if order is None else power.values(rows)[order]
            if power.degrees == (1, 2, 3, 4):
                squared = base * base
                out += [base, squared, squared * base, squared * squared]
            else:
                out += [base, base * base]
        return out


def degrees_of(metric_definitions: Sequence[Definition]) -> dict[Quantity, int]:
    """Return how many powers of each quantity metrics need: twice their own degree, for their intervals."""
    out: dict[Quantity, int] = {}
    for definition in metric_definitions:
        if isinstance(definition, PowerDefinition):
            out[definition.quantity] = max(out.get(definition.quantity, 0), 4 if definition.form == "variance" else 2)
    return out


def measure_units(outcomes: Outcomes) -> dict[str, Unit]:
    """Return the unit that the rows themselves give each quantity of their metrics."""
    return {quantity.name: quantity.unit_of(outcomes) for quantity in degrees_of(definitions(outcomes))}


def define_quantities(
    outcomes: Outcomes, units: Units | None = None, probable: bool | None = None, tails: Tails | None = None
) -> tuple[Quantities, tuple[SummedMetric, ...]]:
    """Return what to collect for every metric that the outcomes allow, and the metrics themselves.

    Parameters
    ----------
    outcomes : Outcomes
    units : mapping of str to Unit, optional
        By default those of these rows; sums of several sets of rows add only in the same units.
    probable : bool, optional
        Whether scores are probabilities; by default, whether all of these are in [0, 1].
    tails : mapping of (str, Form) to float, optional
        By name of the quantity and form of the spread; by default those of these rows, none where `units` are given.
    """
    allowed = definitions(outcomes)
    if units is None:
        units = measure_units(outcomes)
        tails = measure_tails(allowed, outcomes, units) if tails is None else tails
    cell, cells = _cells(outcomes)
    n_cells = len(cells.predicted)
    powers: list[Power] = []
    starts: dict[Quantity, tuple[int, int]] = {}
    first = 1 + n_cells
    for place, (quantity, n_degrees) in enumerate(degrees_of(allowed).items()):
        values = partial(quantity.standardise, outcomes, units[quantity.name])
        powers.append(Power(quantity, tuple(range(1, 1 + n_degrees)), values))
        starts[quantity] = place, first
        first += n_degrees
    probable = _are_probabilities(outcomes) if probable is None else probable
    columns = tuple(range(1, 1 + n_cells))
    metrics = [
        _ratio_metric(definition, cells, columns)
        if isinstance(definition, RatioDefinition)
        else _power_metric(
            definition,
            *starts[definition.quantity],
            units[definition.quantity.name],
            "logit" if probable else "plain",
            (tails or {}).get((definition.quantity.name, definition.form), 0.0),
        )
        for definition in allowed
    ]
    return Quantities(cell, n_cells, tuple(powers)), tuple(metrics)


def available(outcomes: Outcomes) -> tuple[SummedMetric, ...]:
    """Return every metric that the outcomes allow, in display order."""
    return define_quantities(outcomes)[1]


def choose(metrics: tuple[SummedMetric, ...], names: Sequence[str] | None) -> tuple[SummedMetric, ...]:
    """Return the named metrics; for None all but those that another one implies.

    Raises
    ------
    UnknownName
        When a name is not among them; the message lists those that are.
    InputError
        When the list is empty.
    """
    if names is None:
        return tuple(metric for metric in metrics if metric.shown)
    if not names:
        raise InputError("At least one metric is needed; got an empty list. Leave metrics=None for all.")
    by_name = {metric.name: metric for metric in metrics}
    for name in names:
        if name not in by_name:
            raise UnknownName(
                f"Metrics must be among those the outcomes allow; got {name!r}. Choose from {', '.join(by_name)}."
            )
    return tuple(by_name[name] for name in names)


def _cells(outcomes: Outcomes) -> tuple[NDArray[np.integer], OutcomeCells]:
    """Return the cell of every row, and what the cells stand for."""
    if outcomes.task == "regression":
        return np.zeros(outcomes.n_rows, np.uint8), OutcomeCells(np.zeros(1, np.intp), None)
    q = len(outcomes.class_names)
    small = np.uint8 if 2 * q <= 256 else np.int32
    predicted = outcomes.predicted.astype(small)
    if outcomes.truth is None:
        return predicted, OutcomeCells(np.arange(q), None)
    if outcomes.task == "binary":
        code = np.arange(4)
        return 2 * outcomes.truth.astype(small) + predicted, OutcomeCells(code % 2, code // 2 == code % 2)
    code = np.arange(2 * q)
    return 2 * predicted + (outcomes.truth != outcomes.predicted), OutcomeCells(code // 2, code % 2 == 0)


def _are_probabilities(outcomes: Outcomes) -> bool:
    score = outcomes.score
    return score is not None and bool(score.min() >= 0 and score.max() <= 1)


def _ratio_metric(definition: RatioDefinition, cells: OutcomeCells, columns: tuple[int, ...]) -> SummedMetric:
    top, bottom = definition.weights(cells)
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        "ratio",
        columns,
        columns,
        definition.scale,
        top,
        bottom,
        shown=definition.shown,
        leading=definition.leading,
        events=definition.events,
    )


def _power_metric(
    definition: PowerDefinition, power: int, first: int, unit: Unit, score_scale: IntervalScale, tail: float
) -> SummedMetric:
    """Return a metric of the power whose sums begin at `first`."""
    degree = 2 if definition.form == "variance" else 1
    quantity_unit = unit.scale**2 if definition.quantity.squared else unit.scale
    influence_unit = {"mean": quantity_unit, "variance": quantity_unit**2, "root_mean": unit.scale}[definition.form]
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        definition.form,
        (0, *range(first, first + degree)),
        (0, *range(first, first + 2 * degree)),
        score_scale if definition.scale == "score" else definition.scale,
        power=power,
        centre=unit.centre if definition.form == "mean" else 0.0,
        unit=influence_unit,
        tail=tail,
        shown=definition.shown,
        leading=definition.leading,
        events=definition.events,
    )


def _ratio(sums: Array, top: Array, bottom: Array) -> tuple[Array, Array]:
    under = sums @ bottom
    empty = under <= 0
    value = np.where(empty, np.nan, (sums @ top) / np.where(empty, 1.0, under))
    gradient = (top - np.where(empty, 0.0, value)[..., None] * bottom) / np.where(empty, 1.0, under)[..., None]
    return value, gradient


def _mean(sums: Array) -> tuple[Array, Array]:
    mean = sums[..., 1] / sums[..., 0]
    return mean, np.stack([-mean, np.ones_like(mean)], -1) / sums[..., :1]


def _variance(sums: Array) -> tuple[Array, Array]:
    mean, second = sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 0]
    variance = np.maximum(second - mean**2, 0.0)
    gradient = np.stack([mean**2 - variance, -2 * mean, np.ones_like(mean)], -1)
    return variance, gradient / sums[..., :1]


def _root_mean(sums: Array) -> tuple[Array, Array]:
    square = np.maximum(sums[..., 1] / sums[..., 0], 0.0)
    root = np.sqrt(square)
    half = 0.5 / np.where(root > 0, root, 1.0)
    gradient = np.stack([-square, np.ones_like(square)], -1) * half[..., None]
    return root, gradient / sums[..., :1]
