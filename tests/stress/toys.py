"""Metrics that nobody asked for, one of each form and more, to see that a definition is all a metric takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np

from tauscope.stress import metric_definitions
from tauscope.stress.metric_definitions import ERROR_SIZE, METRICS, SCORE, SCORE_ERROR_SIZE
from tauscope.stress.metric_forms import (
    CLASSES,
    REGRESSION,
    TWO_CLASSES,
    PowerDefinition,
    Quantity,
    RatioDefinition,
)


def _score_error(outcomes, rows):
    return outcomes.score[rows] - outcomes.truth[rows]


def _error(outcomes, rows):
    return outcomes.predicted[rows] - outcomes.truth[rows]


def _prediction(outcomes, rows):
    return outcomes.predicted[rows]


def _cost(cells):
    missed, alarm = (cells.truth == 1) & cells.wrong, (cells.truth == 0) & cells.wrong
    return 5.0 * missed + 1.5 * alarm - 0.5 * ((cells.truth == 1) & ~cells.wrong)


SCORE_ERROR = Quantity("score error", _score_error)
SIGNED_ERROR = Quantity("signed error", _error)
PREDICTION_SIZE = Quantity("prediction size", _prediction, squared=True)

TOYS = (
    RatioDefinition(
        "true_negative_rate",
        "true negative rate",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: (cells.predicted == 0) & (cells.truth == 0),
        bottom=lambda cells: cells.truth == 0,
    ),
    RatioDefinition(
        "weighted_error",
        "error rate, positives twice",
        TWO_CLASSES,
        ("y",),
        top=lambda cells: cells.wrong * (1.0 + cells.truth),
        bottom=lambda cells: 1.0 + cells.truth,
    ),
    RatioDefinition("mean_cost", "mean cost", TWO_CLASSES, ("y",), top=_cost, kind="value", scale="plain"),
    RatioDefinition(
        "first_class_error",
        "wrong of the first class",
        CLASSES,
        ("y",),
        top=lambda cells: cells.wrong & (cells.predicted == 0),
        bottom=lambda cells: cells.predicted == 0,
    ),
    PowerDefinition(
        "calibration", "mean of score less truth", TWO_CLASSES, ("y", "score"), form="mean", quantity=SCORE_ERROR
    ),
    PowerDefinition(
        "brier_score", "Brier score", TWO_CLASSES, ("y", "score"), form="mean", quantity=SCORE_ERROR_SIZE, scale="log"
    ),
    PowerDefinition(
        "score_variance",
        "variance of the score",
        TWO_CLASSES,
        ("score",),
        form="variance",
        quantity=SCORE,
        scale="log",
    ),
    PowerDefinition(
        "score_rmse",
        "RMSE of the score",
        TWO_CLASSES,
        ("y", "score"),
        form="root_mean",
        quantity=SCORE_ERROR_SIZE,
        scale="log",
    ),
    PowerDefinition("mean_error", "mean error", REGRESSION, ("y",), form="mean", quantity=SIGNED_ERROR),
    PowerDefinition("mse", "mean squared error", REGRESSION, ("y",), form="mean", quantity=ERROR_SIZE, scale="log"),
    PowerDefinition(
        "error_variance",
        "variance of the error",
        REGRESSION,
        ("y",),
        form="variance",
        quantity=SIGNED_ERROR,
        scale="log",
    ),
    PowerDefinition(
        "rms_prediction", "RMS prediction", REGRESSION, form="root_mean", quantity=PREDICTION_SIZE, scale="log"
    ),
)


@contextmanager
def toys_added() -> Iterator[None]:
    """Follow the toys too, as if they stood in the table."""
    with mock.patch.object(metric_definitions, "METRICS", (*METRICS, *TOYS)):
        yield


def toys(outcomes, w):
    """Every toy of the outcomes under weights summing to 1, by its definition."""
    f, y, s = outcomes.predicted, outcomes.truth, outcomes.score
    if outcomes.task == "regression":
        out = {"rms_prediction": np.sqrt(w @ f**2)}
        if y is not None:
            bias = w @ (f - y)
            out |= {"mean_error": bias, "mse": w @ (f - y) ** 2, "error_variance": w @ (f - y - bias) ** 2}
        return out
    out = {}
    if y is not None:
        out["first_class_error"] = w @ ((f == 0) & (y != 0)) / (w @ (f == 0))
    if outcomes.task == "binary":
        if y is not None:
            counts_twice = w * np.where(y == 1, 2, 1)
            out |= {
                "true_negative_rate": w @ ((f == 0) & (y == 0)) / (w @ (y == 0)),
                "weighted_error": counts_twice @ (f != y) / counts_twice.sum(),
                "mean_cost": w @ np.array([[0, 1.5], [5, -0.5]])[y, f],
            }
        if s is not None:
            out["score_variance"] = w @ (s - w @ s) ** 2
            if y is not None:
                brier = w @ (s - y) ** 2
                out |= {"calibration": w @ (s - y), "brier_score": brier, "score_rmse": np.sqrt(brier)}
    return out
