"""The task's own metrics, each written down once; curves, intervals, charts and widgets all follow from here.

A new metric is one definition in `METRICS`, and its slow, obvious form in `tests/stress/oracle.py`. Its `form` says how
it follows from sums over the rows: a ratio of weighted cells, or a mean, a variance or a root of a mean of one
`Quantity`. A quantity that no metric had before is summed from then on.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.outcomes import Outcomes, Task

Array = NDArray[np.float64]
Form = Literal["ratio", "mean", "variance", "root_mean"]
MetricKind = Literal["share", "value"]
IntervalScale = Literal["logit", "log", "plain"]
Need = Literal["y", "score"]

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
    """

    predicted: NDArray[np.integer]
    right: NDArray[np.bool_] | None

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Whether the prediction is not true; for metrics that need y."""
        if self.right is None:
            raise InputError("Cells tell who is wrong only with y; give the metric needs=('y',).")
        return ~self.right

    @property
    def truth(self) -> NDArray[np.integer]:
        """True class code; for metrics of two classes that need y."""
        if self.predicted.max() > 1:
            raise InputError("Cells tell the true class only of two; give the metric tasks=('binary',), needs=('y',).")
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
        """Take mean and standard deviation of the rows, or the root of the mean square."""
        all_rows = slice(None)
        if self.squared:
            return Unit(0.0, float(np.sqrt(np.mean(self.values(outcomes, all_rows) ** 2))) or 1.0)
        values = self.values(outcomes, all_rows)
        centre = float(np.mean(values))
        chunks = (values[start : start + (1 << 16)] - centre for start in range(0, len(values), 1 << 16))
        return Unit(centre, float(np.sqrt(sum(float(chunk @ chunk) for chunk in chunks) / len(values))) or 1.0)

    def standardise(self, outcomes: Outcomes, unit: Unit, rows: slice) -> Array:
        """Return what is summed of some rows."""
        if self.squared:
            return (self.values(outcomes, rows) / unit.scale) ** 2
        return (self.values(outcomes, rows) - unit.centre) / unit.scale


@dataclass(frozen=True)
class Definition:
    """What all definitions of metrics have in common.

    Attributes
    ----------
    name, label : str
        The name in code, as the field has it, and the words on screen.
    tasks : tuple of {"binary", "multiclass", "regression"}
    needs : tuple of {"y", "score"}
        What the rows must have besides predictions.
    kind : {"share", "value"}
        A share lies in [0, 1].
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
        has = {"y": outcomes.truth is not None, "score": outcomes.score is not None}
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
    """

    top: Callable[[OutcomeCells], NDArray[Any]] = field(kw_only=True)
    bottom: Callable[[OutcomeCells], NDArray[Any]] | None = field(default=None, kw_only=True)
    kind: MetricKind = field(default="share", kw_only=True)
    scale: IntervalScale = field(default="logit", kw_only=True)

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
                f"The metric {self.name!r} needs a number for each of {len(cells.predicted)} cells; "
                f"got shapes {top.shape} and {bottom.shape}."
            )
        if not (np.isfinite(top).all() and np.isfinite(bottom).all() and (bottom >= 0).all() and bottom.any()):
            raise InputError(
                f"The metric {self.name!r} needs finite numbers, the bottom ones non-negative and not all 0; "
                f"got {top} over {bottom}."
            )
        if self.kind == "share" and not ((top >= 0) & (top <= bottom)).all():
            raise InputError(
                f"The metric {self.name!r} is a share, so each cell's top must lie between 0 and its bottom; "
                f"got {top} over {bottom}. Make it kind='value'."
            )
        return top, bottom


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
    """

    form: Literal["mean", "variance", "root_mean"] = field(kw_only=True)
    quantity: Quantity = field(kw_only=True)
    scale: IntervalScale | Literal["score"] = field(default="plain", kw_only=True)
    events: tuple[str, str] = field(default=("large values", "small values"), kw_only=True)

    def __post_init__(self) -> None:
        if self.form == "root_mean" and not self.quantity.squared:
            raise InputError(f"The metric {self.name!r} takes the root of a mean; give a quantity with squared=True.")


def _score(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.score is not None
    return outcomes.score[rows]


def _prediction(outcomes: Outcomes, rows: slice) -> Array:
    return outcomes.predicted[rows].astype(np.float64, copy=False)


def _error(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.truth is not None
    return outcomes.truth[rows] - outcomes.predicted[rows].astype(np.float64, copy=False)


SCORE = Quantity("score", _score)
PREDICTION = Quantity("prediction", _prediction)
ERROR_SIZE = Quantity("error size", _error, squared=True)

METRICS: tuple[RatioDefinition | PowerDefinition, ...] = (
    RatioDefinition(
        "error_rate",
        "error rate",
        CLASSES,
        ("y",),
        top=lambda cells: cells.wrong,
        events=("errors", "correct predictions"),
    ),
    RatioDefinition(
        "true_positive_rate",
        "true positive rate",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 1) & (cells.truth == 1),
        bottom=lambda cells: cells.truth == 1,
        events=("true positives", "false negatives"),
    ),
    RatioDefinition(
        "false_positive_rate",
        "false positive rate",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 1) & (cells.truth == 0),
        bottom=lambda cells: cells.truth == 0,
        events=("false positives", "true negatives"),
    ),
    RatioDefinition(
        "false_discovery_rate",
        "false discovery rate",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 1) & (cells.truth == 0),
        bottom=lambda cells: cells.predicted == 1,
        events=("false positives", "true positives"),
    ),
    PowerDefinition(
        "mean_score",
        "mean score",
        TWO_CLASSES,
        ("score",),
        form="mean",
        quantity=SCORE,
        scale="score",
        events=("expected positives", "expected negatives"),
    ),
    PowerDefinition("mean", "mean prediction", REGRESSION, form="mean", quantity=PREDICTION),
    PowerDefinition(
        "variance",
        "variance of the prediction",
        REGRESSION,
        form="variance",
        quantity=PREDICTION,
        scale="log",
        events=("predictions far from the mean", "predictions near the mean"),
    ),
    PowerDefinition(
        "rmse",
        "RMSE",
        REGRESSION,
        ("y",),
        form="root_mean",
        quantity=ERROR_SIZE,
        scale="log",
        events=("large errors", "small errors"),
    ),
)
"""In display order, after the portions of the classes."""


def definition_of(name: str) -> Definition | None:
    """Return the definition of a metric, whatever the rows allow; None for a name that has none."""
    return next((definition for definition in METRICS if definition.name == name), None)


def definitions(outcomes: Outcomes) -> tuple[RatioDefinition | PowerDefinition, ...]:
    """Return every metric that the outcomes allow, in display order."""
    return (*_portions(outcomes), *(definition for definition in METRICS if definition.allowed_by(outcomes)))


def _portions(outcomes: Outcomes) -> list[RatioDefinition]:
    """Return the share of rows predicted as each class; of two classes the second implies the first."""
    return [
        RatioDefinition(
            f"portion_{name}",
            f"portion predicted {name}",
            CLASSES,
            top=partial(_predicted_as, code),
            shown=outcomes.task != "binary" or code > 0,
            leading=True,
            events=(f"rows predicted {name}", "rows predicted otherwise"),
        )
        for code, name in enumerate(outcomes.class_names)
    ]


def _predicted_as(code: int, cells: OutcomeCells) -> NDArray[np.bool_]:
    return cells.predicted == code
