"""The metrics of a model under stress: each a function of weighted sums that one pass can collect.

Every metric is a smooth function h of sums S_j = Σ w_i g_ij (w the weights, summing to 1), unchanged when all
sums are scaled alike. Its influence on row i is then Σ_j ∂h/∂S_j · g_ij, which averages to zero by itself, so
one gradient serves the value's interval too [EVP §3.1-3.4].
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, UnknownName
from tauscope.stress import metric_values
from tauscope.stress.metric_definitions import ERROR_SIZE, SCORE_BIAS, Summed, definitions, row_definitions
from tauscope.stress.metric_forms import (
    Definition,
    ExplainedDefinition,
    Form,
    IntervalScale,
    MeanRatioDefinition,
    MetricKind,
    OutcomeCells,
    PowerDefinition,
    Quantity,
    RankedDefinition,
    RatioDefinition,
    RowDefinition,
    Unit,
)
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.row_metrics import RowMetric
from tauscope.stress.score_steps import Ranking
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
    kind : {"share", "score", "value"}
        A share and a score lie in [0, 1]; a share is written in per cent, the others as numbers.
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

    def in_words(self) -> "Metric":
        """Return how it reads, without what it is computed from."""
        return Metric(self.name, self.label, self.kind, shown=self.shown, leading=self.leading, events=self.events)


class Counted(NamedTuple):
    """Rows that a loss is made up by: Σ w v and Σ w² v² follow from sums.

    Attributes
    ----------
    columns, squares : tuple of int
        The sums of v and of v², by cell or of one power.
    per_cell : ndarray of shape (len(columns),)
        v of a row in each cell, 0 or 1; of a power 1.
    power : int
        Place among `Quantities.powers`; -1 for cells.
    """

    columns: tuple[int, ...]
    squares: tuple[int, ...]
    per_cell: Array
    power: int = -1


@dataclass(frozen=True)
class SummedMetric(Metric):
    """A metric that follows from sums over the rows, with its interval.

    Attributes
    ----------
    form : {"ratio", "mean_ratio", "mean", "variance", "root_mean", "explained", "ranked", "by_rows"}
        A ratio, a mean of several, or a metric of ranked steps of the score is of the cells, what is explained of two
        powers, the others of one; `evaluate` is the value. Those by rows follow from no sums; see
        `tauscope.stress.row_metrics`.
    columns : tuple of int
        The sums it is made of.
    squares : tuple of int
        The sums that the square of its influence is made of.
    scale : {"logit", "log", "complement", "plain"}
        Where the interval is symmetric.
    top, bottom : ndarray of shape (n_cells,), or (n_parts, n_cells)
        Of a ratio, or each of several, what a row of each cell adds above and below the line; of ranks, whether it is
        of the positive class, and 1; else empty.
    power : int
        Place among `Quantities.powers`; -1 for what is not of one power.
    centre : float
        Of a mean, what is added to it; of what is explained, to the mean of the truth, in its standard deviations.
    unit : float
        What one unit of the influence is worth in the value's own unit.
    tail : float
        Of a spread, the Pareto k̂ of the squares that it is the mean of, over all rows, each counted once.
    ranking : Ranking or None
        Of ranks, how the value follows from the cells.
    counted : tuple of Counted
        Of a loss its errors, then the rows of each of two classes.
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
    ranking: Ranking | None = field(default=None, repr=False)
    counted: tuple[Counted, ...] = field(default=(), repr=False, compare=False)

    def evaluate(self, sums: Array) -> tuple[Array, Array]:
        """Return the value and its gradient, in `unit`s, from sums of shape (..., len(columns)).

        The value, of shape (...,), is NaN where no weight is left below the line of a ratio.
        """
        match self.form:
            case "ratio":
                return metric_values.of_ratio(sums, self.top, self.bottom)
            case "mean_ratio":
                return metric_values.of_mean_ratio(sums, self.top, self.bottom)
            case "mean":
                value, gradient = metric_values.of_mean(sums)
                return self.centre + self.unit * value, gradient
            case "variance":
                value, gradient = metric_values.of_variance(sums)
            case "root_mean":
                value, gradient = metric_values.of_root_mean(sums)
            case "explained":
                value, gradient = metric_values.of_explained(sums, self.centre)
                return 1 + self.unit * value, gradient
            case "ranked":
                assert self.ranking is not None
                return self.ranking.evaluate(sums)
            case "by_rows":
                raise TypeError(f"{self.name} follows from no sums.")
        return self.unit * value, gradient

    @property
    def of_cells(self) -> bool:
        """Whether it is made of the cells, and not of a power."""
        return self.form in ("ratio", "mean_ratio", "ranked")

    @property
    def is_mean(self) -> bool:
        """Whether it is made of numbers of the rows, and counts none."""
        return self.power >= 0 or self.kind == "value"

    @property
    def is_rate(self) -> bool:
        """Whether it counts rows: a share of those below the line."""
        return self.form == "ratio" and self.kind != "value" and self.scale == "logit"

    @property
    def is_spread(self) -> bool:
        """Whether it is a mean of squares, the root of one, or measured against one."""
        return self.form in ("variance", "root_mean") or self.scale == "complement"

    @property
    def is_ranked(self) -> bool:
        """Whether it is a share of pairs of rows, or of ranks, in the order of the score."""
        return self.form == "ranked" or (self.form == "by_rows" and self.kind != "value")

    @property
    def counts_errors(self) -> bool:
        """Whether errors, misordered rows or a rare class make it up, few of which a sample may have."""
        return bool(self.counted) or (self.form in ("ranked", "by_rows") and not self.is_spread)

    def squares_of(self, sums: Array) -> Array:
        """Coefficients on `columns` of the squares that a spread is the mean of."""
        if self.form == "explained":
            return np.array([0.0, 0.0, 0.0, 1.0])
        if self.form == "root_mean":
            return np.array([0.0, 1.0])
        mean = sums[..., 1] / sums[..., 0]
        return np.stack([mean**2, -2 * mean, np.ones_like(mean)], -1)

    @property
    def one(self) -> Array:
        """The constant 1 as a combination of `columns`: all cells, or the sum over rows."""
        if self.of_cells:
            return np.ones(len(self.columns))
        return np.eye(len(self.columns))[0]

    def square(self, gradient: Array) -> Array:
        """Coefficients of the squared influence on the sums `squares`, from the gradient on `columns`."""
        if self.of_cells:  # disjoint cells: products of two different ones vanish
            return gradient**2
        if self.form == "explained":
            of_truth, of_error = metric_values.square_polynomial(gradient[..., :3]), gradient[..., 3:]
            return np.concatenate(
                [of_truth, 2 * gradient[..., :1] * of_error, of_error**2, 2 * gradient[..., 1:3] * of_error], -1
            )
        return metric_values.square_polynomial(gradient)


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
class Product:
    """A squared quantity times another, and times its square: what the square of an influence has of two powers.

    Attributes
    ----------
    left : Power
        Of a `squared` quantity.
    other : Power
        Of one that is not.
    """

    left: Power
    other: Power

    @property
    def names(self) -> tuple[str, str]:
        """Names of both quantities."""
        return self.left.quantity.name, self.other.quantity.name


@dataclass(frozen=True)
class Quantities:
    """What a pass over the rows has to collect: disjoint cells, and powers of real quantities.

    The sums come in this order: all rows, the cells, the powers, the products. Metrics that take all rows at once are
    kept by name; where there are any, there is no product. `cells` are what the cells stand for, where it is known.
    """

    cell: NDArray[np.integer]
    n_cells: int
    powers: tuple[Power, ...]
    by_rows: Mapping[str, RowMetric] = field(default_factory=dict[str, RowMetric])
    products: tuple[Product, ...] = ()
    cells: OutcomeCells | None = None

    @property
    def only_squares(self) -> frozenset[int]:
        """Sums that enter no metric, only the square of one's influence: the upper half of each power's degrees."""
        out: set[int] = set()
        first = 1 + self.n_cells
        for power in self.powers:
            half = len(power.degrees) // 2
            out |= set(range(first + half, first + 2 * half))
            first += 2 * half
        return frozenset(out | set(range(first, self.n_sums)))

    @property
    def n_sums(self) -> int:
        """Number of sums, the one over all rows included."""
        return 1 + self.n_cells + sum(len(p.degrees) for p in self.powers) + 2 * len(self.products)

    def reals(self, rows: slice, order: NDArray[np.integer] | NDArray[np.bool_] | slice | None = None) -> list[Array]:
        """Return the powers' values on a slice of rows, or on some of these in another order, one array each."""
        out: list[Array] = []

        def values(power: Power) -> Array:
            return power.values(rows) if order is None else power.values(rows)[order]

        for power in self.powers:
            base = values(power)
            if power.degrees == (1, 2, 3, 4):
                squared = base * base
                out += [base, squared, squared * base, squared * squared]
            else:
                out += [base, base * base]
        for product in self.products:
            other = values(product.other)
            times = values(product.left) * other
            out += [times, times * other]
        return out


def degrees_of(metric_definitions: Sequence[Definition]) -> dict[Quantity, int]:
    """Return how many powers of each quantity metrics need: twice their own degree, for their intervals."""
    out: dict[Quantity, int] = {}
    for definition in metric_definitions:
        if isinstance(definition, PowerDefinition):
            out[definition.quantity] = max(out.get(definition.quantity, 0), 4 if definition.form == "variance" else 2)
        elif isinstance(definition, ExplainedDefinition):
            out |= {definition.quantity: 4, definition.left: max(out.get(definition.left, 0), 2)}
    return out


def measure_units(outcomes: Outcomes, names: Collection[str] | None = ()) -> dict[str, Unit]:
    """Return the unit that the rows themselves give each quantity of their metrics; `names` as in `definitions`."""
    return {quantity.name: quantity.unit_of(outcomes) for quantity in degrees_of(definitions(outcomes, names))}


def define_quantities(
    outcomes: Outcomes,
    units: Units | None = None,
    probable: bool | None = None,
    tails: Tails | None = None,
    names: Collection[str] | None = (),
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
    names : collection of str or None
        Of metrics to collect for besides those that are always followed, as in `definitions`.
    """
    allowed = definitions(outcomes, names)
    if units is None:
        units = measure_units(outcomes, names)
        tails = measure_tails(allowed, outcomes, units) if tails is None else tails
    cell, cells = _cells(outcomes, by_truth=any(_by_truth(definition) for definition in allowed))
    if any(isinstance(definition, RankedDefinition) for definition in allowed):
        cell, cells = _by_step(outcomes, cell, cells)
    n_cells = len(cells.predicted)
    powers: list[Power] = []
    starts: dict[Quantity, tuple[int, int]] = {}
    first = 1 + n_cells
    for place, (quantity, n_degrees) in enumerate(degrees_of(allowed).items()):
        values = partial(quantity.standardise, outcomes, units[quantity.name])
        powers.append(Power(quantity, tuple(range(1, 1 + n_degrees)), values))
        starts[quantity] = place, first
        first += n_degrees
    probable = outcomes.probable if probable is None else probable
    products: dict[tuple[Quantity, Quantity], Product] = {}
    columns = tuple(range(1, 1 + n_cells))
    metrics: list[SummedMetric] = []
    for definition in allowed:
        if isinstance(definition, ExplainedDefinition):
            (left, of_left), (truth, of_truth) = starts[definition.left], starts[definition.quantity]
            both = definition.left, definition.quantity
            products.setdefault(both, Product(powers[left], powers[truth]))
            of_product = first + 2 * list(products).index(both)
            metrics.append(_explained_metric(definition, of_left, of_truth, of_product, units, tails))
        elif isinstance(definition, RankedDefinition):
            assert outcomes.steps is not None
            metrics.append(_ranked_metric(definition, cells, columns, outcomes.steps.tied))
        elif isinstance(definition, PowerDefinition):
            metrics.append(
                _power_metric(
                    definition,
                    *starts[definition.quantity],
                    units[definition.quantity.name],
                    "logit" if probable else "plain",
                    (tails or {}).get((definition.quantity.name, definition.form), 0.0),
                    _counted(definition, cells, columns, starts.get(ERROR_SIZE)),
                )
            )
        else:
            metrics.append(cell_metric(definition, cells, columns))
    of_rows = row_definitions(outcomes, names) if names else ()
    metrics += [_row_metric(definition, tails or {}) for definition in of_rows]
    by_rows = {definition.name: RowMetric.of(definition.measure, outcomes) for definition in of_rows}
    return Quantities(cell, n_cells, tuple(powers), by_rows, tuple(products.values()), cells), tuple(metrics)


def available(outcomes: Outcomes) -> tuple[SummedMetric, ...]:
    """Return every metric that is followed unasked, in display order."""
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


def _by_truth(definition: Summed) -> bool:
    return isinstance(definition, RatioDefinition | MeanRatioDefinition) and definition.by_truth


def _cells(outcomes: Outcomes, *, by_truth: bool) -> tuple[NDArray[np.integer], OutcomeCells]:
    """Return the cell of every row, and what the cells stand for; of several classes `by_truth` takes all pairs."""
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
    if by_truth:
        code = np.arange(q * q)
        cell = predicted.astype(np.uint8 if q * q <= 256 else np.int32) * q + outcomes.truth.astype(np.int32)
        return cell, OutcomeCells(code // q, code // q == code % q, code % q)
    code = np.arange(2 * q)
    return 2 * predicted + (outcomes.truth != outcomes.predicted), OutcomeCells(code // 2, code % 2 == 0)


def _by_step(
    outcomes: Outcomes, cell: NDArray[np.integer], cells: OutcomeCells
) -> tuple[NDArray[np.integer], OutcomeCells]:
    """Return cells of two classes parted by the score's step, which comes first."""
    assert outcomes.steps is not None
    assert outcomes.score is not None
    assert cells.right is not None
    n = outcomes.steps.n
    code = outcomes.steps(outcomes.score) * len(cells.predicted) + cell
    return code.astype(np.int32), OutcomeCells(np.tile(cells.predicted, n), np.tile(cells.right, n))


def _ranked_metric(
    definition: RankedDefinition, cells: OutcomeCells, columns: tuple[int, ...], tied: NDArray[np.bool_]
) -> SummedMetric:
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        "ranked",
        columns,
        columns,
        "logit",
        np.asarray(cells.truth == 1, np.float64),
        np.ones(len(cells.predicted)),
        ranking=Ranking(definition.measure, tied),
        shown=definition.shown,
        events=definition.events,
    )


def bound_of(metric: SummedMetric) -> SummedMetric | None:
    """Return as a metric how far one in steps of the score can lie from that of the rows; None for others."""
    if metric.ranking is None:
        return None
    return replace(metric, kind="value", scale="plain", ranking=replace(metric.ranking, is_bound=True))


def cell_metric(
    definition: RatioDefinition | MeanRatioDefinition, cells: OutcomeCells, columns: tuple[int, ...]
) -> SummedMetric:
    """Return a metric of cells whose sums are at some places."""
    if isinstance(definition, RatioDefinition):
        form, scale, (top, bottom) = "ratio", definition.scale, definition.weights(cells)
    else:
        form, scale, (top, bottom) = "mean_ratio", "logit", definition.parts(cells)
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        form,
        columns,
        columns,
        scale,
        np.asarray(top, np.float64),
        np.asarray(bottom, np.float64),
        shown=definition.shown,
        leading=definition.leading,
        events=definition.events,
    )


def _counted(
    definition: PowerDefinition, cells: OutcomeCells, columns: tuple[int, ...], of_errors: tuple[int, int] | None
) -> tuple[Counted, ...]:
    """Return what makes up a loss: wrong rows and those of either class, or the squares of a regression's errors."""
    if not definition.is_loss:
        return ()
    if of_errors is not None:
        power, first = of_errors
        return (Counted((first,), (first + 1,), np.ones(1), power),)
    # bins of the score tell the classes of their rows, and not which of them are predicted wrongly
    rows = [np.ones(len(cells.predicted)) if definition.quantity is SCORE_BIAS else cells.wrong]
    if cells.true is None and cells.predicted.max() <= 1:
        rows += [cells.truth == 1, cells.truth == 0]
    return tuple(Counted(columns, columns, np.asarray(each, np.float64)) for each in rows)


def _power_metric(
    definition: PowerDefinition,
    power: int,
    first: int,
    unit: Unit,
    score_scale: IntervalScale,
    tail: float,
    counted: tuple[Counted, ...],
) -> SummedMetric:
    """Return a metric of the power whose sums begin at `first`."""
    degree = 2 if definition.form == "variance" else 1
    quantity_unit = unit.scale**2 if definition.quantity.squared else unit.scale
    scale = score_scale if definition.scale == "score" else definition.scale
    influence_unit = unit.scale if definition.form == "root_mean" else quantity_unit**degree
    return SummedMetric(
        definition.name,
        definition.label,
        "score" if scale == "logit" else definition.kind,
        definition.form,
        (0, *range(first, first + degree)),
        (0, *range(first, first + 2 * degree)),
        scale,
        power=power,
        centre=unit.centre if definition.form == "mean" else 0.0,
        unit=influence_unit,
        tail=tail,
        counted=counted,
        shown=definition.shown,
        leading=definition.leading,
        events=definition.events,
    )


def _explained_metric(
    definition: ExplainedDefinition, of_left: int, of_truth: int, of_product: int, units: Units, tails: Tails | None
) -> SummedMetric:
    """Return the metric of powers whose sums, and those of their product, begin at these places."""
    truth, left = units[definition.quantity.name], units[definition.left.name]
    products = (of_product, of_product + 1)
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        "explained",
        (0, of_truth, of_truth + 1, of_left),
        (0, *range(of_truth, of_truth + 4), of_left, of_left + 1, *products),
        "complement",
        centre=truth.centre / truth.scale,
        unit=(left.scale / truth.scale) ** 2,
        tail=(tails or {}).get((definition.left.name, "root_mean"), 0.0),
        shown=definition.shown,
        events=definition.events,
    )


def _row_metric(definition: RowDefinition, tails: Tails) -> SummedMetric:
    return SummedMetric(
        definition.name,
        definition.label,
        definition.kind,
        "by_rows",
        (),
        (),
        definition.scale,
        tail=tails.get(("error size", "root_mean"), 0.0) if definition.scale == "complement" else 0.0,
        shown=False,
        events=definition.events,
    )
