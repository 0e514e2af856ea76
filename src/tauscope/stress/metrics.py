"""The metrics of a model under stress: each a function of weighted sums that one pass can collect.

Every metric is a smooth function h of sums S_j = Σ w_i g_ij (w the weights, summing to 1), unchanged when all
sums are scaled alike. Its influence on row i is then Σ_j ∂h/∂S_j · g_ij, which averages to zero by itself, so
one gradient serves the value's interval too [EVP §3.1-3.4].
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, UnknownName
from tauscope.stress.outcomes import Outcomes

Array = NDArray[np.float64]


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
        False for what another metric already tells (the other class of two); given only when asked for.
    """

    name: str
    label: str
    kind: Literal["share", "value"]
    shown: bool = field(default=True, repr=False, kw_only=True)


@dataclass(frozen=True)
class SummedMetric(Metric):
    """A metric that follows from sums over the rows, with its interval.

    Attributes
    ----------
    columns : tuple of int
        The sums it is made of.
    squares : tuple of int
        The sums that the square of its influence is made of.
    evaluate : callable
        Sums of shape (..., len(columns)) to the value (...,) and its gradient (..., len(columns)).
    scale : {"logit", "log", "plain"}
        Where the interval is symmetric: shares on the logit, spreads on the log, means as they are.
    unit : float
        What one unit of the influence is worth in the value's own unit.
    """

    columns: tuple[int, ...] = field(repr=False)
    squares: tuple[int, ...] = field(repr=False)
    evaluate: Callable[[Array], tuple[Array, Array]] = field(repr=False, compare=False)
    scale: Literal["logit", "log", "plain"] = field(default="plain", repr=False)
    unit: float = field(default=1.0, repr=False)

    @property
    def one(self) -> Array:
        """The constant 1 as a combination of `columns`: all cells, or the sum over rows."""
        if len(self.squares) == len(self.columns):
            return np.ones(len(self.columns))
        return np.eye(len(self.columns))[0]

    def square(self, gradient: Array) -> Array:
        """Coefficients of the squared influence on the sums `squares`, from the gradient on `columns`."""
        if len(self.squares) == len(self.columns):  # disjoint cells: products of two different ones vanish
            return gradient**2
        n = gradient.shape[-1]
        squared = np.zeros((*gradient.shape[:-1], 2 * n - 1))
        for j in range(n):
            squared[..., j : j + n] += gradient[..., j : j + 1] * gradient
        return squared


@dataclass(frozen=True)
class Power:
    """Powers of one real quantity, centred and scaled so that sums of its fourth power keep their digits."""

    values: Callable[[slice], Array]
    degrees: tuple[int, ...]


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


@dataclass(frozen=True)
class Units:
    """About what and in which unit real quantities are summed, so that fourth powers keep their digits.

    Attributes
    ----------
    centre, scale : float
        Of a binary task's scores, or of a regression's predictions.
    spread : float
        Of a regression's errors.
    """

    centre: float = 0.0
    scale: float = 1.0
    spread: float = 1.0

    @classmethod
    def of(cls, outcomes: Outcomes) -> "Units":
        """Take mean, standard deviation and root mean squared error of the rows."""
        if outcomes.task == "regression":
            predicted, truth = outcomes.predicted.astype(np.float64, copy=False), outcomes.truth
            spread = 1.0 if truth is None else float(np.sqrt(np.mean((truth - predicted) ** 2))) or 1.0
            return cls(*_centre_scale(predicted), spread)
        return cls() if outcomes.score is None else cls(*_centre_scale(outcomes.score))


def quantities(
    outcomes: Outcomes, units: Units | None = None, probable: bool | None = None
) -> tuple[Quantities, tuple[SummedMetric, ...]]:
    """Return what to collect for every metric that the outcomes allow, and the metrics themselves.

    Parameters
    ----------
    outcomes : Outcomes
    units : Units, optional
        By default those of these rows; sums of several sets of rows add only in the same units.
    probable : bool, optional
        Whether scores are probabilities; by default, whether all of these are in [0, 1].
    """
    units = Units.of(outcomes) if units is None else units
    if outcomes.task == "regression":
        return _regression(outcomes, units)
    return _classification(outcomes, units, probable)


def available(outcomes: Outcomes) -> tuple[SummedMetric, ...]:
    """Return every metric that the outcomes allow, in display order."""
    return quantities(outcomes)[1]


def choose(metrics: tuple[SummedMetric, ...], names: Sequence[str] | None) -> tuple[SummedMetric, ...]:
    """Return the named metrics; for None all but those that another one already tells.

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
    known = {metric.name: metric for metric in metrics}
    for name in names:
        if name not in known:
            raise UnknownName(
                f"Metrics must be among those the outcomes allow; got {name!r}. Choose from {', '.join(known)}."
            )
    return tuple(known[name] for name in names)


def _ratio(numerator: NDArray[np.bool_], denominator: NDArray[np.bool_]) -> Callable[[Array], tuple[Array, Array]]:
    top, bottom = numerator.astype(np.float64), denominator.astype(np.float64)

    def evaluate(sums: Array) -> tuple[Array, Array]:
        under = sums @ bottom
        empty = under <= 0
        value = np.where(empty, np.nan, (sums @ top) / np.where(empty, 1.0, under))
        gradient = (top - np.where(empty, 0.0, value)[..., None] * bottom) / np.where(empty, 1.0, under)[..., None]
        return value, gradient

    return evaluate


def _classification(
    outcomes: Outcomes, units: Units, probable: bool | None
) -> tuple[Quantities, tuple[SummedMetric, ...]]:
    names = outcomes.class_names
    q = len(names)
    small = np.uint8 if 2 * q <= 256 else np.int32
    predicted = outcomes.predicted.astype(small)
    cells_are = "predicted" if outcomes.truth is None else ("confusion" if outcomes.task == "binary" else "hit")
    if outcomes.truth is None:
        cell, n_cells = predicted, q
    elif cells_are == "confusion":
        cell, n_cells = 2 * outcomes.truth.astype(small) + predicted, 4
    else:
        cell, n_cells = 2 * predicted + (outcomes.truth != outcomes.predicted), 2 * q
    columns = tuple(range(1, 1 + n_cells))

    def share(name: str, label: str, top: NDArray[np.bool_], bottom: NDArray[np.bool_] | None = None) -> SummedMetric:
        under = np.ones(n_cells, bool) if bottom is None else bottom
        told = outcomes.task == "binary" and name == f"portion_{names[0]}"
        return SummedMetric(name, label, "share", columns, columns, _ratio(top & under, under), "logit", shown=not told)

    code = np.arange(n_cells)
    guess = code if cells_are == "predicted" else code % 2 if cells_are == "confusion" else code // 2
    metrics = [share(f"portion_{c}", f"portion predicted {c}", guess == k) for k, c in enumerate(names)]
    if cells_are == "confusion":
        actual = code // 2
        metrics += [
            share("error_rate", "error rate", actual != guess),
            share("true_positive_rate", "true positive rate", guess == 1, actual == 1),
            share("false_positive_rate", "false positive rate", guess == 1, actual == 0),
            share("false_discovery_rate", "false discovery rate", actual == 0, guess == 1),
        ]
    elif cells_are == "hit":
        metrics.append(share("error_rate", "error rate", code % 2 == 1))
    powers: tuple[Power, ...] = ()
    if outcomes.task == "binary" and outcomes.score is not None:
        score, centre, scale = outcomes.score, units.centre, units.scale
        powers = (Power(lambda rows: (score[rows] - centre) / scale, (1, 2)),)
        probability = bool(score.min() >= 0 and score.max() <= 1) if probable is None else probable
        columns = (0, 1 + n_cells)
        squares = (*columns, 2 + n_cells)
        on = "logit" if probability else "plain"
        metrics.append(
            SummedMetric("mean_score", "mean score", "value", columns, squares, _mean(centre, scale), on, scale)
        )
    return Quantities(cell, n_cells, powers), tuple(metrics)


def _regression(outcomes: Outcomes, units: Units) -> tuple[Quantities, tuple[SummedMetric, ...]]:
    predicted = outcomes.predicted.astype(np.float64, copy=False)
    centre, scale = units.centre, units.scale
    powers = [Power(lambda rows: (predicted[rows] - centre) / scale, (1, 2, 3, 4))]
    f = (2, 3, 4, 5)
    metrics = [
        SummedMetric("mean", "mean prediction", "value", (0, *f[:1]), (0, *f[:2]), _mean(centre, scale), unit=scale),
        SummedMetric(
            "variance",
            "variance of the prediction",
            "value",
            (0, *f[:2]),
            (0, *f),
            _variance(scale),
            "log",
            scale**2,
        ),
    ]
    if outcomes.truth is not None:
        truth, spread = outcomes.truth, units.spread
        powers.append(Power(lambda rows: ((truth[rows] - predicted[rows]) / spread) ** 2, (1, 2)))
        metrics.append(SummedMetric("rmse", "RMSE", "value", (0, 6), (0, 6, 7), _root_mean(spread), "log", spread))
    return Quantities(np.zeros(outcomes.n_rows, np.uint8), 1, tuple(powers)), tuple(metrics)


def _centre_scale(values: Array) -> tuple[float, float]:
    centre = float(np.mean(values))
    chunks = (values[start : start + (1 << 16)] - centre for start in range(0, len(values), 1 << 16))
    return centre, float(np.sqrt(sum(float(part @ part) for part in chunks) / len(values))) or 1.0


def _mean(centre: float, scale: float) -> Callable[[Array], tuple[Array, Array]]:
    def evaluate(sums: Array) -> tuple[Array, Array]:
        mean = sums[..., 1] / sums[..., 0]
        return centre + scale * mean, np.stack([-mean, np.ones_like(mean)], -1) / sums[..., :1]

    return evaluate


def _variance(scale: float) -> Callable[[Array], tuple[Array, Array]]:
    def evaluate(sums: Array) -> tuple[Array, Array]:
        mean, second = sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 0]
        variance = np.maximum(second - mean**2, 0.0)
        gradient = np.stack([mean**2 - variance, -2 * mean, np.ones_like(mean)], -1)
        return scale**2 * variance, gradient / sums[..., :1]

    return evaluate


def _root_mean(scale: float) -> Callable[[Array], tuple[Array, Array]]:
    def evaluate(sums: Array) -> tuple[Array, Array]:
        square = np.maximum(sums[..., 1] / sums[..., 0], 0.0)
        root = np.sqrt(square)
        half = 0.5 / np.where(root > 0, root, 1.0)
        gradient = np.stack([-square, np.ones_like(square)], -1) * half[..., None]
        return scale * root, gradient / sums[..., :1]

    return evaluate
