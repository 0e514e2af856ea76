"""The task's own metrics, each written down once; curves, intervals, charts and widgets all follow from here.

A new metric is one definition in `METRICS`, or in `ON_REQUEST` where it is summed only for those who ask for it by
name, and its slow, obvious form in `tests/stress/oracle.py`, or scikit-learn's in
`tests/study/stress/test_metrics.py`. Its form says how it follows from sums over the rows: a
ratio of weighted cells, a mean of ratios, or a mean, a variance or a root of a mean of one `Quantity`. A quantity that
no metric had before is summed from then on.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from tauscope.errors import InputError
from tauscope.stress.metric_forms import (
    CLASSES,
    REGRESSION,
    TWO_CLASSES,
    Definition,
    ExplainedDefinition,
    MeanRatioDefinition,
    OutcomeCells,
    PowerDefinition,
    Quantity,
    RankedDefinition,
    RatioDefinition,
    RowDefinition,
)
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.row_metrics import RowMeasure

Array = NDArray[np.float64]
Summed = RatioDefinition | MeanRatioDefinition | PowerDefinition | ExplainedDefinition | RankedDefinition


def _score(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.score is not None
    return outcomes.score[rows]


def _prediction(outcomes: Outcomes, rows: slice) -> Array:
    return outcomes.predicted[rows].astype(np.float64, copy=False)


def _true_value(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.truth is not None
    return outcomes.truth[rows].astype(np.float64, copy=False)


def _error(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.truth is not None
    return outcomes.truth[rows] - outcomes.predicted[rows].astype(np.float64, copy=False)


def _bias(outcomes: Outcomes, rows: slice) -> Array:
    return -_error(outcomes, rows)


def _absolute_error(outcomes: Outcomes, rows: slice) -> Array:
    return np.abs(_error(outcomes, rows)).astype(np.float64, copy=False)


def _score_error(outcomes: Outcomes, rows: slice) -> Array:
    assert outcomes.truth is not None
    return _score(outcomes, rows) - outcomes.truth[rows]


def _score_bias(outcomes: Outcomes, rows: slice) -> Array:
    return _score_error(outcomes, rows).astype(np.float64, copy=False)


def _log_loss(outcomes: Outcomes, rows: slice) -> Array:
    """Return -log of the probability given to what was true, clipped as scikit-learn's is."""
    assert outcomes.truth is not None
    if not outcomes.probable:
        raise InputError("The log loss takes probabilities; got scores outside [0, 1]. Use a model with predict_proba.")
    tiny, true = np.finfo(np.float64).eps, outcomes.truth[rows]
    if outcomes.scores is not None:
        chosen = outcomes.scores[rows]
        return -np.log(np.clip(chosen[np.arange(len(true)), true.astype(np.intp)] / chosen.sum(1), tiny, 1 - tiny))
    score = np.clip(_score(outcomes, rows), tiny, 1 - tiny)
    return np.asarray(-(xlogy(true, score) + xlogy(1 - true, 1 - score)), dtype=np.float64)


SCORE = Quantity("score", _score)
PREDICTION = Quantity("prediction", _prediction)
ERROR_SIZE = Quantity("error size", _error, squared=True)
TRUTH = Quantity("y", _true_value)

BIAS = Quantity("bias", _bias)
ABSOLUTE_ERROR = Quantity("absolute error", _absolute_error)
SCORE_ERROR_SIZE = Quantity("score error size", _score_error, squared=True)
SCORE_BIAS = Quantity("score bias", _score_bias)
LOG_LOSS = Quantity("log loss", _log_loss)

OF_LOSS = ("errors", "rows of the rarer class")
OF_RANKS = ("misordered rows", "rows of the rarer class or in order")

METRICS: tuple[Summed, ...] = (
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


def _recalls(cells: OutcomeCells) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    classes = np.arange(int(cells.predicted.max()) + 1)
    of_class: NDArray[np.bool_] = np.equal(cells.truth, classes[:, None])
    return of_class & ~cells.wrong, of_class


ON_REQUEST: tuple[Summed, ...] = (
    RatioDefinition(
        "accuracy",
        "accuracy",
        CLASSES,
        ("y",),
        top=lambda cells: ~cells.wrong,
        events=("correct predictions", "errors"),
    ),
    MeanRatioDefinition(
        "balanced_accuracy",
        "balanced accuracy",
        CLASSES,
        ("y",),
        parts=_recalls,
        events=("correct predictions of the rarest class", "errors of the rarest class"),
    ),
    RatioDefinition(
        "precision",
        "precision",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 1) & (cells.truth == 1),
        bottom=lambda cells: cells.predicted == 1,
        events=("true positives", "false positives"),
    ),
    RatioDefinition(
        "recall",
        "recall",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 1) & (cells.truth == 1),
        bottom=lambda cells: cells.truth == 1,
        events=("true positives", "false negatives"),
    ),
    RatioDefinition(
        "specificity",
        "specificity",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 0) & (cells.truth == 0),
        bottom=lambda cells: cells.truth == 0,
        events=("true negatives", "false positives"),
    ),
    RatioDefinition(
        "false_negative_rate",
        "false negative rate",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 0) & (cells.truth == 1),
        bottom=lambda cells: cells.truth == 1,
        events=("false negatives", "true positives"),
    ),
    RatioDefinition(
        "f1",
        "F1",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: 2.0 * ((cells.predicted == 1) & (cells.truth == 1)),
        bottom=lambda cells: 1.0 * (cells.predicted == 1) + (cells.truth == 1),
        kind="score",
        events=("true positives", "errors"),
    ),
    PowerDefinition(
        "brier_score_loss",
        "Brier score",
        TWO_CLASSES,
        ("y", "probability"),
        form="mean",
        quantity=SCORE_ERROR_SIZE,
        kind="score",
        scale="logit",
        is_loss=True,
        events=OF_LOSS,
    ),
    PowerDefinition(
        "calibration_in_the_large",
        "mean score less share of positives",
        TWO_CLASSES,
        ("y", "probability"),
        form="mean",
        quantity=SCORE_BIAS,
        is_loss=True,
        events=OF_LOSS,
    ),
    PowerDefinition(
        "log_loss",
        "log loss",
        CLASSES,
        ("y", "probability"),
        form="mean",
        quantity=LOG_LOSS,
        scale="log",
        is_loss=True,
        events=OF_LOSS,
    ),
    PowerDefinition(
        "mean_absolute_error",
        "MAE",
        REGRESSION,
        ("y",),
        form="mean",
        quantity=ABSOLUTE_ERROR,
        scale="log",
        is_loss=True,
        events=("large errors", "small errors"),
    ),
    PowerDefinition(
        "bias",
        "bias",
        REGRESSION,
        ("y",),
        form="mean",
        quantity=BIAS,
        is_loss=True,
        events=("large errors", "small errors"),
    ),
)
"""By scikit-learn's names where it has them."""

RECALIBRATIONS: tuple[RowMeasure, ...] = ("calibration_intercept", "calibration_slope")

BY_ROWS: tuple[RowDefinition, ...] = (
    RowDefinition(
        "roc_auc",
        "ROC AUC",
        TWO_CLASSES,
        ("y", "score"),
        measure="roc_auc",
        kind="score",
        events=OF_RANKS,
    ),
    RowDefinition(
        "average_precision",
        "average precision",
        TWO_CLASSES,
        ("y", "score"),
        measure="average_precision",
        kind="score",
        events=OF_RANKS,
    ),
    *(
        RowDefinition(
            name,
            name.replace("_", " "),
            TWO_CLASSES,
            ("y", "probability"),
            measure=name,
            scale="plain",
            events=("positives", "negatives"),
        )
        for name in RECALIBRATIONS
    ),
    RowDefinition(
        "r2", "R²", REGRESSION, ("y",), measure="r2", scale="complement", events=("large errors", "small errors")
    ),
)
"""Those that take all rows at once where these are in memory; fits to the log odds only there."""

IN_CHUNKS: tuple[ExplainedDefinition | RankedDefinition, ...] = (
    RankedDefinition("roc_auc", "ROC AUC", TWO_CLASSES, ("y", "score"), measure="roc_auc", events=OF_RANKS),
    RankedDefinition(
        "average_precision",
        "average precision",
        TWO_CLASSES,
        ("y", "score"),
        measure="average_precision",
        events=OF_RANKS,
    ),
    ExplainedDefinition(
        "r2", "R²", REGRESSION, ("y",), quantity=TRUTH, left=ERROR_SIZE, events=("large errors", "small errors")
    ),
)
"""Those of `BY_ROWS` as sums tell them, for rows in chunks."""

SCORERS = ("accuracy", "balanced_accuracy", "precision", "recall", "f1")
"""Whose function in `sklearn.metrics` ends in "_score"."""


def definition_of(name: str) -> Definition | None:
    """Return the definition of a metric, whatever the rows allow; None for a name that has none."""
    return next((definition for definition in (*METRICS, *_on_request(), *_by_rows()) if definition.name == name), None)


def definitions(outcomes: Outcomes, names: Collection[str] | None = ()) -> tuple[Summed, ...]:
    """Return the metrics that the outcomes allow, in display order.

    Parameters
    ----------
    outcomes : Outcomes
    names : collection of str or None
        Of those that are followed besides the ones that always are; None for every metric there is.
    """
    always = (*_portions(outcomes), *METRICS)
    asked = () if not names and names is not None else (*_on_request(), *_per_class(outcomes), *_in_chunks(outcomes))
    return tuple(
        definition
        for definition in (*always, *(each for each in asked if names is None or each.name in names))
        if definition.allowed_by(outcomes)
    )


def without_more_sums(outcomes: Outcomes) -> tuple[str, ...]:
    """Return the names of those on request that are made of the cells that are counted anyway."""
    return tuple(
        definition.name
        for definition in (*_on_request(), *_per_class(outcomes))
        if isinstance(definition, RatioDefinition | MeanRatioDefinition)
        and not (definition.by_truth and outcomes.task == "multiclass")
        and definition.allowed_by(outcomes)
    )


def check_allowed(outcomes: Outcomes, names: Collection[str]) -> None:
    """Ask for rows that have what metrics on request need.

    Raises
    ------
    InputError
        For the first that cannot be computed on these rows.
    """
    allowed = {one.name for one in (*definitions(outcomes, names), *row_definitions(outcomes, names))}
    missing = [name for name in names if name not in allowed]
    if missing:
        raise InputError(
            f"The metric {missing[0]!r} cannot be summed over these rows: it takes y, and a probability where it is "
            "about scores. Leave it out, or give chunks that all have them."
        )


def ranks(outcomes: Outcomes, names: Collection[str]) -> bool:
    """Tell whether a named metric takes the steps of scores."""
    return any(isinstance(definition, RankedDefinition) for definition in definitions(outcomes, names))


def row_definitions(outcomes: Outcomes, names: Collection[str] | None) -> tuple[RowDefinition, ...]:
    """Return the named metrics that take all rows at once and that the outcomes allow; all of them for None."""
    return tuple(
        definition
        for definition in _by_rows()
        if not outcomes.in_chunks and (names is None or definition.name in names) and definition.allowed_by(outcomes)
    )


def _by_rows() -> tuple[RowDefinition, ...]:
    functions = [each for each in BY_ROWS if each.name not in RECALIBRATIONS]
    return (*BY_ROWS, *(replace(each, name=f"{each.name}_score") for each in functions))


def _in_chunks(outcomes: Outcomes) -> tuple[ExplainedDefinition | RankedDefinition, ...]:
    if not outcomes.in_chunks:
        return ()
    both = (*IN_CHUNKS, *(replace(each, name=f"{each.name}_score") for each in IN_CHUNKS))
    return tuple(replace(each, shown=False) for each in both)


def _on_request() -> tuple[Summed, ...]:
    """Return those that are summed only when they are requested, also by the names of scikit-learn's functions."""
    functions = [replace(each, name=f"{each.name}_score") for each in ON_REQUEST if each.name in SCORERS]
    return tuple(replace(each, shown=False) for each in (*ON_REQUEST, *functions))


def _per_class(outcomes: Outcomes) -> list[RatioDefinition]:
    """Return recall and precision of every class, and its F1."""
    several = ("binary", "multiclass")
    out: list[RatioDefinition] = []
    for code, name in enumerate(outcomes.class_names):
        right, predicted, true = partial(_right_of, code), partial(_predicted_as, code), partial(_truly, code)
        hits, missed = f"rows of {name} found", f"rows of {name} missed"
        out += [
            RatioDefinition(
                f"recall_{name}",
                f"recall of {name}",
                several,
                ("y",),
                top=right,
                bottom=true,
                by_truth=True,
                shown=False,
                events=(hits, missed),
            ),
            RatioDefinition(
                f"precision_{name}",
                f"precision of {name}",
                several,
                ("y",),
                top=right,
                bottom=predicted,
                shown=False,
                events=(f"rows rightly predicted {name}", f"rows wrongly predicted {name}"),
            ),
            RatioDefinition(
                f"f1_{name}",
                f"F1 of {name}",
                several,
                ("y",),
                top=partial(_twice_right_of, code),
                bottom=partial(_predicted_or_truly, code),
                by_truth=True,
                shown=False,
                events=(hits, f"errors about {name}"),
            ),
        ]
    return out


def _portions(outcomes: Outcomes) -> list[RatioDefinition]:
    """Return the share of rows predicted as each class; of two classes the second implies the first."""
    return [
        RatioDefinition(
            f"portion_{name}",
            f"share predicted {name}",
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


def _truly(code: int, cells: OutcomeCells) -> NDArray[np.bool_]:
    return cells.truth == code


def _right_of(code: int, cells: OutcomeCells) -> NDArray[np.bool_]:
    return (cells.predicted == code) & ~cells.wrong


def _twice_right_of(code: int, cells: OutcomeCells) -> Array:
    return np.multiply(2.0, _right_of(code, cells), dtype=np.float64)


def _predicted_or_truly(code: int, cells: OutcomeCells) -> Array:
    return np.add(cells.predicted == code, cells.truth == code, dtype=np.float64)
