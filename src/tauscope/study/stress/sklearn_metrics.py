"""Metrics of scikit-learn, or of one's own, as functions of the rows' weights; the model is not asked again."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUntypedBaseClass=false

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import sklearn.metrics
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
MetricLike = str | Callable[..., Any]

SCORE_PARAMETERS = frozenset(("y_score", "y_proba", "y_prob", "pred_decision"))
SCORED = frozenset(("log_loss", "d2_log_loss_score", "d2_brier_score", "brier_score_loss"))
"""Take probabilities, by whatever name a version of scikit-learn gives the parameter."""

MARGINS = ("hinge_loss",)
"""Take decision values, of which a probability is none."""
SHARES = (
    "accuracy", "average_precision", "f1", "fbeta", "hamming_loss", "jaccard",
    "ndcg", "precision", "recall", "roc_auc", "top_k_accuracy", "zero_one_loss",
)  # fmt: skip
"""How the names begin of those that lie in [0, 1]."""
CORRELATIONS = ("matthews_corrcoef", "cohen_kappa_score")
"""Those that lie in [-1, 1]."""


@dataclass(frozen=True)
class WeightedMetric:
    """A metric bound to the stored predictions of a study.

    Attributes
    ----------
    name : str
    of_weights : callable
        Weights of shape (n_rows,) to the metric; NaN where it is not defined under them, as the AUC without
        weight on one class.
    bounds : tuple of float
        Least and largest value it can have; infinite where it has none, or nothing is known of it.
    warned : dict of str to int
        What was warned of while it was computed, and how often.
    """

    name: str
    of_weights: Callable[[Array], float]
    bounds: tuple[float, float] = (-np.inf, np.inf)
    warned: Counter[str] = field(default_factory=Counter[str], compare=False)

    @property
    def note(self) -> str:
        """What was warned of, in one sentence; "" for nothing."""
        if not self.warned:
            return ""
        message, _ = self.warned.most_common(1)[0]
        others = f", and {len(self.warned) - 1} other warnings" if len(self.warned) > 1 else ""
        return f"{self.name} warned {self.warned.total():,} times: “{message.rstrip('.')}”{others}"


def resolve_metric(study: StudyBase, metric: MetricLike) -> WeightedMetric:
    """Bind a metric to the truth and the predictions a study holds.

    Parameters
    ----------
    study : Study
    metric : str or callable
        A scoring string ("roc_auc", "f1"), the name of a function of `sklearn.metrics` ("log_loss",
        "matthews_corrcoef"), a scorer made by `make_scorer`, or a function
        `(y_true, y_pred, sample_weight=...)` of labels or values.

        Names see classes as codes, the positive class as 1, so that "f1" is that of `pos_label` whatever the
        labels are called. Scorers and functions see the labels themselves, but for functions of `sklearn.metrics`
        that take scores, which are read as their names.

    Returns
    -------
    WeightedMetric

    Raises
    ------
    UnknownName
        For a name that is neither.
    InputError
        Without y, without the scores it needs, or where it does not give one finite number for equal weights.
    InputTypeError
        For something that cannot be called, or does not take `sample_weight`.
    """
    if study._true_values is None:
        raise InputError(f"A metric compares with the truth; this study has no y. Give y to Study for {_name(metric)}.")
    if isinstance(metric, str):
        bound = WeightedMetric(metric, _bind_name(study, metric), metric_bounds(metric))
    elif not callable(metric):
        raise InputTypeError(f"A metric is a name or a function (y_true, y_pred, sample_weight=...); got {metric!r}.")
    else:
        bound = WeightedMetric(_name(metric), _bind_function(study, metric), _bounds_of_function(metric))
    return _check_metric(bound, len(study.predicted))


def metric_names() -> list[str]:
    """Return the names that `resolve_metric` takes, sorted."""
    return sorted({*sklearn.metrics.get_scorer_names(), *_weighted_functions()})


def _bind_name(study: StudyBase, name: str) -> Callable[[Array], float]:
    if name in sklearn.metrics.get_scorer_names():
        scorer = cast(Callable[..., Any], sklearn.metrics.get_scorer(name))
        return _bind_scorer(study, scorer, name, coded=True)
    functions = _weighted_functions()
    if name not in functions:
        raise UnknownName.among("metric", name, metric_names())
    function = functions[name]
    answers = _scores(study, name) if _takes_scores(name, function) else study.predicted
    return lambda weights: function(study._true_values, answers, sample_weight=weights)


def _takes_scores(name: str, function: Callable[..., Any]) -> bool:
    return name in SCORED or bool(SCORE_PARAMETERS & set(inspect.signature(function).parameters))


def _weighted_functions() -> dict[str, Callable[..., Any]]:
    """Functions of `sklearn.metrics` that take a sample weight, by name."""
    exports = {name: getattr(sklearn.metrics, name) for name in cast(Sequence[str], sklearn.metrics.__all__)}
    return {name: export for name, export in exports.items() if inspect.isfunction(export) and _takes_weight(export)}


def _bind_function(study: StudyBase, metric: Callable[..., Any]) -> Callable[[Array], float]:
    name = _name(metric)
    if _weighted_functions().get(name) is metric and _takes_scores(name, metric):
        return _bind_name(study, name)
    try:
        parameters = list(inspect.signature(metric).parameters)
    except ValueError:
        parameters = []
    if parameters[:1] == ["estimator"]:
        return _bind_scorer(study, metric, name, coded=False)
    if parameters and not _takes_weight(metric):
        raise InputTypeError(
            f"A metric must take sample_weight, for a stress is a weight per row; {name} takes "
            f"{', '.join(parameters)}. Give (y_true, y_pred, sample_weight=None)."
        )
    truth, predicted = _labels(study, study._true_values), _labels(study, study.predicted)
    return lambda weights: metric(truth, predicted, sample_weight=weights)


def _bind_scorer(study: StudyBase, scorer: Callable[..., Any], name: str, coded: bool) -> Callable[[Array], float]:
    """Run a scorer on an estimator that answers with what the model said."""
    truth, predicted, classes = study._true_values, study.predicted, np.arange(len(study.classes))
    columns = _columns(study)
    if study._task != "regression" and not coded:
        truth, predicted = _labels(study, truth), _labels(study, predicted)
        classes, order = np.unique(_labels(study, classes), return_inverse=True)
        columns = None if columns is None else columns[:, np.argsort(order)]
    replay = _replay(study, predicted, classes, columns)
    rows = np.arange(len(predicted))[:, None]

    def of_weights(weights: Array) -> float:
        try:
            return scorer(replay, rows, truth, sample_weight=weights)
        except AttributeError as error:
            raise InputError(
                f"{name} needs scores of the classes that this study does not hold ({error}). Use a model with "
                "that method, by response_method=, or a metric of labels."
            ) from error

    return of_weights


class _Replay(BaseEstimator):
    """An estimator whose X is row numbers and whose answers were stored beforehand."""

    def __init__(self, predicted: NDArray[Any]) -> None:
        self.predicted = predicted

    def predict(self, X: NDArray[np.integer]) -> NDArray[Any]:
        """Return the stored labels or values."""
        return self.predicted[np.ravel(X)]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _ReplayRegressor(RegressorMixin, _Replay):
    """Values only."""


class _ReplayLabels(ClassifierMixin, _Replay):
    """Labels only."""

    def __init__(self, predicted: NDArray[Any], classes: NDArray[Any]) -> None:
        super().__init__(predicted)
        self.classes = classes
        self.classes_ = classes


class _ReplayProbabilities(_ReplayLabels):
    """Labels and probabilities."""

    def __init__(self, predicted: NDArray[Any], classes: NDArray[Any], columns: Array) -> None:
        super().__init__(predicted, classes)
        self.columns = columns

    def predict_proba(self, X: NDArray[np.integer]) -> Array:
        """Return the stored probabilities, one column per class."""
        return self.columns[np.ravel(X)]


class _ReplayDecisions(_ReplayLabels):
    """Labels and decision values."""

    def __init__(self, predicted: NDArray[Any], classes: NDArray[Any], columns: Array) -> None:
        super().__init__(predicted, classes)
        self.columns = columns

    def decision_function(self, X: NDArray[np.integer]) -> Array:
        """Return the stored decision values; of the second class alone where there are two."""
        columns = self.columns[np.ravel(X)]
        return columns[:, 1] if columns.shape[1] == 2 else columns


def _replay(study: StudyBase, predicted: NDArray[Any], classes: NDArray[Any], columns: Array | None) -> BaseEstimator:
    if study._task == "regression":
        return _ReplayRegressor(predicted)
    if columns is None:
        return _ReplayLabels(predicted, classes)
    kind = _ReplayProbabilities if _are_probabilities(columns) else _ReplayDecisions
    return kind(predicted, classes, columns)


def _columns(study: StudyBase) -> Array | None:
    """Scores as one column per class, in code order."""
    if study._score is not None:
        negative = 1 - study._score if study._score.min() >= 0 and study._score.max() <= 1 else -study._score
        return np.column_stack([negative, study._score])
    return study._scores


def _are_probabilities(columns: Array) -> bool:
    return bool(columns.min() >= 0 and np.allclose(columns.sum(1), 1, atol=1e-6))


def _scores(study: StudyBase, name: str) -> Array:
    scores = study._score if study._score is not None else study._scores
    if scores is None:
        raise InputError(
            f"{name} needs scores of the classes; this study holds labels only. Use a model with predict_proba, or "
            "y_score= in Study.from_predictions."
        )
    if name in MARGINS and _are_probabilities(cast(Array, _columns(study))):
        raise InputError(
            f"{name} needs decision values; this study holds probabilities. Use a model with decision_function and "
            "response_method='decision_function'."
        )
    return scores


def _labels(study: StudyBase, codes: NDArray[Any] | None) -> NDArray[Any]:
    assert codes is not None
    if study._task == "regression":
        return codes
    names = list(study.classes)
    table = np.array(names) if len({type(name) for name in names}) == 1 else np.array(names, dtype=object)
    return table[codes]


def _check_metric(metric: WeightedMetric, n_rows: int) -> WeightedMetric:
    """Try the metric on equal weights, where whatever is wrong with it shows."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value: Any = metric.of_weights(np.ones(n_rows))
    except (InputError, InputTypeError):
        raise
    except TypeError as error:
        raise InputTypeError(
            f"A metric must take sample_weight, for a stress is a weight per row; {metric.name} said: {error}"
        ) from error
    except ValueError as error:
        raise InputError(f"{metric.name} does not fit these labels and predictions: {error}") from error
    if not _is_finite_number(value):
        raise InputError(f"A metric must give one finite number; {metric.name} gave {value!r} for equal weights.")

    def of_weights(weights: Array) -> float:
        with warnings.catch_warnings(record=True) as caught, np.errstate(divide="ignore", invalid="ignore"):
            warnings.simplefilter("always")
            try:
                return float(metric.of_weights(weights))
            except (ValueError, ZeroDivisionError):
                return np.nan
            finally:
                metric.warned.update(str(one.message).split("\n")[0] for one in caught)

    return replace(metric, of_weights=of_weights)


def _is_finite_number(value: Any) -> bool:
    try:
        array: NDArray[Any] = np.asarray(value)
        return array.ndim == 0 and array.dtype.kind in "biuf" and bool(np.isfinite(array))
    except (TypeError, ValueError):
        return False


def metric_bounds(name: str) -> tuple[float, float]:
    """Return the least and the largest value of a metric of scikit-learn; infinite where it has none."""
    positive = name.removeprefix("neg_")
    if positive.startswith(SHARES):
        return (-1.0, 0.0) if positive != name else (0.0, 1.0)
    return (-1.0, 1.0) if name.startswith(CORRELATIONS) else (-np.inf, np.inf)


def _bounds_of_function(metric: Callable[..., Any]) -> tuple[float, float]:
    """Return the bounds of a function or a scorer of scikit-learn's; none for another's, or with options of its own."""
    inner = getattr(metric, "_score_func", metric)
    if getattr(metric, "_kwargs", None) or not str(getattr(inner, "__module__", "")).startswith("sklearn.metrics."):
        return -np.inf, np.inf
    low, high = metric_bounds(_name(inner))
    return (low, high) if getattr(metric, "_sign", 1) > 0 else (-high, -low)


def _takes_weight(function: Callable[..., Any]) -> bool:
    parameters = inspect.signature(function).parameters.values()
    return any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters)


def _name(metric: object) -> str:
    if isinstance(metric, str):
        return metric
    return str(getattr(metric, "__name__", None) or type(metric).__name__)
