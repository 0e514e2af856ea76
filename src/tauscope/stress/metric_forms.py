"""What a definition of a metric is made of: cells, quantities, and how sums over rows become a metric."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.stress.row_metrics import RowMeasure
from tauscope.words import count

Array = NDArray[np.float64]
Form = Literal["ratio", "mean_ratio", "mean", "variance", "root_mean", "explained", "ranked", "by_rows"]
MetricKind = Literal["share", "score", "value"]
"""A share and a score lie in [0, 1]; a share is written in per cent, the others as numbers."""
IntervalScale = Literal["logit", "log", "complement", "plain"]
Need = Literal["y", "score", "probability"]

LARGEST = 1e150
"""Numbers whose squares, summed over any rows, are floats."""

CLASSES: tuple[Task, ...] = ("binary", "multiclass")
TWO_CLASSES: tuple[Task, ...] = ("binary",)
REGRESSION: tuple[Task, ...] = ("regression",)


@dataclass(frozen=True)
class OutcomeCells:
    """What the disjoint cells of a classification stand for; a row is in one of them.

    Attributes
    ----------
    predicted : ndarray of shape (n_cells,)
        Class code.
    right : ndarray of bool of shape (n_cells,) or None
        Whether the prediction is true; None without y.
    true : ndarray of shape (n_cells,) or None
        True class code, where the cells tell it of more than two classes.
    """

    predicted: NDArray[np.integer]
    right: NDArray[np.bool_] | None
    true: NDArray[np.integer] | None = None

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Whether the prediction is not true; for metrics that need y."""
        if self.right is None:
            raise InputError("Cells tell who is wrong only with y; give the metric needs=('y',).")
        return ~self.right

    @property
    def truth(self) -> NDArray[np.integer]:
        """True class code; for metrics that need y, and of more than two classes with by_truth=True."""
        if self.true is not None:
            return self.true
        if self.predicted.max() > 1:
            raise InputError(
                "Cells tell the true class only of two; give the metric tasks=('binary',), needs=('y',), "
                "or by_truth=True."
            )
        return np.where(self.wrong, 1 - self.predicted, self.predicted)


@dataclass(frozen=True)
class Unit:
    """About what and in which unit a quantity is summed, so that fourth powers keep their digits."""

    centre: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class Quantity:
    """A real number for every row, summed with its powers.

    Attributes
    ----------
    name : str
        One for each quantity: metrics of the same quantity share its sums.
    values : callable
        Outcomes and a slice of rows to float64 values of shape (n_rows,).
    squared : bool
        Whether the squares are summed, not centred, in place of the values: of an error only the size counts.
    """

    name: str
    values: Callable[[Outcomes, slice], Array]
    squared: bool = False

    def unit_of(self, outcomes: Outcomes) -> Unit:
        """Take mean and standard deviation of the rows, or the root of the mean square.

        Raises
        ------
        InputError
            For numbers whose squares leave the range of floats.
        """
        values = self.values(outcomes, slice(None))
        self._check_size(values)
        centre = 0.0 if self.squared else float(np.mean(values))
        return Unit(centre, _root_mean_square(values, centre) or 1.0)

    def _check_size(self, values: Array) -> None:
        largest = float(np.max(np.abs(values), initial=0.0))
        if not largest <= LARGEST:
            raise InputError(
                f"Metrics square y, predictions and scores, which must stay within ±{LARGEST:g}; the {self.name} "
                f"reaches {largest:.3g}. Give them in a larger unit."
            )

    def standardise(self, outcomes: Outcomes, unit: Unit, rows: slice) -> Array:
        """Return what is summed of some rows."""
        if self.squared:
            return (self.values(outcomes, rows) / unit.scale) ** 2
        return (self.values(outcomes, rows) - unit.centre) / unit.scale


def _root_mean_square(values: Array, centre: float) -> float:
    """Return the root of the mean square around a centre, in a unit of its own: squares of small numbers are 0."""
    exponent, total = int(np.frexp(np.max(np.abs(values)))[1]), 0.0
    for start in range(0, len(values), 1 << 16):
        chunk = np.ldexp(values[start : start + (1 << 16)] - centre, -exponent)
        total += float(chunk @ chunk)
    return float(np.ldexp(np.sqrt(total / len(values)), exponent))


@dataclass(frozen=True)
class Definition:
    """What all definitions of metrics have in common.

    Attributes
    ----------
    name, label : str
        The name in code, as the field has it, and the words on screen.
    tasks : tuple of {"binary", "multiclass", "regression"}
    needs : tuple of {"y", "score", "probability"}
        What the rows must have besides predictions; a probability is a score in [0, 1].
    kind : {"share", "score", "value"}
        See `MetricKind`.
    shown : bool
        False where another metric implies it; computed only when it is requested by name.
    leading : bool
        Whether it is among those that are shown first.
    events : pair of str
        What the rows are called that it counts, and those of its denominator that it does not, in the plural: "false
        positives", "true negatives". Of a spread the first names what makes it large.
    """

    name: str
    label: str
    tasks: tuple[Task, ...]
    needs: tuple[Need, ...] = ()
    kind: MetricKind = field(default="value", kw_only=True)
    shown: bool = field(default=True, kw_only=True)
    leading: bool = field(default=False, kw_only=True)
    events: tuple[str, str] = field(default=("rows that it counts", "rows that it does not count"), kw_only=True)

    def allowed_by(self, outcomes: Outcomes) -> bool:
        """Tell whether the rows have what it needs."""
        has = {
            "y": outcomes.truth is not None,
            "score": outcomes.score is not None,
            "probability": outcomes.probable,
        }
        return outcomes.task in self.tasks and all(has[need] for need in self.needs)


@dataclass(frozen=True)
class RatioDefinition(Definition):
    """Σ w·top / Σ w·bottom over the cells of a classification.

    Attributes
    ----------
    top, bottom : callable
        Cells to a number for each, 0 or 1 for a rate; `bottom` non-negative, all ones by default. For a share
        0 ≤ top ≤ bottom.
    scale : {"logit", "log", "plain"}
        Where the interval is symmetric; the logit for a share.
    by_truth : bool
        Whether it needs the true class of a wrong prediction, among several.
    """

    top: Callable[[OutcomeCells], NDArray[Any]] = field(kw_only=True)
    bottom: Callable[[OutcomeCells], NDArray[Any]] | None = field(default=None, kw_only=True)
    kind: MetricKind = field(default="share", kw_only=True)
    scale: IntervalScale = field(default="logit", kw_only=True)
    by_truth: bool = field(default=False, kw_only=True)

    def weights(self, cells: OutcomeCells) -> tuple[Array, Array]:
        """Return top and bottom of every cell.

        Raises
        ------
        InputError
            For another shape, or numbers that make no ratio of this kind.
        """
        bottom = np.ones(len(cells.predicted)) if self.bottom is None else np.asarray(self.bottom(cells), np.float64)
        top = np.asarray(self.top(cells), np.float64)
        if not top.shape == bottom.shape == cells.predicted.shape:
            raise InputError(
                f"The metric {self.name!r} needs a number for each of {count(len(cells.predicted), 'cell')}; "
                f"got shapes {top.shape} and {bottom.shape}."
            )
        if not (np.isfinite(top).all() and np.isfinite(bottom).all() and (bottom >= 0).all() and bottom.any()):
            raise InputError(
                f"The metric {self.name!r} needs finite numbers, the bottom ones non-negative and not all 0; "
                f"got {top} over {bottom}."
            )
        if self.kind != "value" and not ((top >= 0) & (top <= bottom)).all():
            raise InputError(
                f"The metric {self.name!r} lies in [0, 1], so each cell's top must lie between 0 and its bottom; "
                f"got {top} over {bottom}. Make it kind='value'."
            )
        return top, bottom


@dataclass(frozen=True)
class MeanRatioDefinition(Definition):
    """The mean of several shares of cells, those left out that have no weight below their line.

    Attributes
    ----------
    parts : callable
        Cells to the tops and the bottoms of the shares, each of shape (n_parts, n_cells), 0 or 1.
    by_truth : bool
        Whether it needs the true class of a wrong prediction, among several.
    """

    parts: Callable[[OutcomeCells], tuple[NDArray[Any], NDArray[Any]]] = field(kw_only=True)
    kind: MetricKind = field(default="share", kw_only=True)
    by_truth: bool = field(default=True, kw_only=True)


@dataclass(frozen=True)
class RowDefinition(Definition):
    """A metric that takes all rows at once.

    Attributes
    ----------
    measure : {"roc_auc", "average_precision", "r2", "calibration_intercept", "calibration_slope"}
        See `tauscope.stress.row_metrics`.
    scale : {"logit", "complement", "plain"}
        Where the interval is symmetric: the logit, the log of what is missing to 1, or the value itself.
    """

    measure: RowMeasure = field(kw_only=True)
    scale: IntervalScale = field(default="logit", kw_only=True)
    shown: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class PowerDefinition(Definition):
    """Mean, variance or root of the mean of a quantity.

    Attributes
    ----------
    form : {"mean", "variance", "root_mean"}
        Of what is summed: the values, or their squares for a `squared` quantity, as "root_mean" must have it.
    quantity : Quantity
    scale : {"logit", "log", "plain", "score"}
        Where the interval is symmetric: the log for spreads, plain for means; "score" for the logit where scores are
        probabilities, else plain.
    is_loss : bool
        Whether it is a mean of errors, of which a few rows may make up most; its `events` are errors, and rows of the
        rarer class.
    """

    form: Literal["mean", "variance", "root_mean"] = field(kw_only=True)
    quantity: Quantity = field(kw_only=True)
    scale: IntervalScale | Literal["score"] = field(default="plain", kw_only=True)
    is_loss: bool = field(default=False, kw_only=True)
    events: tuple[str, str] = field(default=("large values", "small values"), kw_only=True)

    def __post_init__(self) -> None:
        if self.form == "root_mean" and not self.quantity.squared:
            raise InputError(f"The metric {self.name!r} takes the root of a mean; give a quantity with squared=True.")


@dataclass(frozen=True)
class ExplainedDefinition(Definition):
    """1 - the mean of what is left of a quantity, squared, over its variance: R² from sums.

    Attributes
    ----------
    quantity : Quantity
        Whose variance is to be explained.
    left : Quantity
        What is left of it, `squared`.
    """

    quantity: Quantity = field(kw_only=True)
    left: Quantity = field(kw_only=True)
    events: tuple[str, str] = field(default=("large values", "small values"), kw_only=True)


@dataclass(frozen=True)
class RankedDefinition(Definition):
    """A metric of ranks, from cells of the score's steps.

    Attributes
    ----------
    measure : {"roc_auc", "average_precision"}
        See `tauscope.stress.score_steps`.
    """

    measure: Literal["roc_auc", "average_precision"] = field(kw_only=True)
    kind: MetricKind = field(default="score", kw_only=True)
