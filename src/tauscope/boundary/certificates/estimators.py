# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Fitted scikit-learn estimators read as margins: the one file that knows how they store their parameters.

What is read is compared with the estimator's own answers, and refused where they differ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import special

from tauscope.boundary.certificates.affine import AffineMap, chained, read_encoder, without_names
from tauscope.boundary.certificates.boxes import TreeBoxes
from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.linear import LinearMargins
from tauscope.boundary.certificates.moves import Moves, UncertifiedModel
from tauscope.boundary.certificates.network import NetworkMargins
from tauscope.boundary.certificates.trees import TreeMargins
from tauscope.trees.adapters import TreeModel, UnreadableModel, check_trees, read_trees
from tauscope.weights.arrays import Bools, Floats

RowsOf = Callable[[Floats], Any] | None
TOLERANCE = 1e-9  # of the largest answer


class Margins(Protocol):
    """A model of which lower bounds can be computed."""

    def outputs(self, seen: Any) -> Floats:
        """Compute outputs at points as the model sees them: shape (n, q)."""
        ...

    def lower_bounds(
        self, moves: Moves, seen: Any, contrasts: list[Contrasts], upper: Floats, budget: float
    ) -> tuple[Floats, Bools]:
        """Bound each distance, and tell whether it is the flip's own: each of shape (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class ReadModel:
    """An estimator read.

    Attributes
    ----------
    margins : Margins
    seen : ndarray
        The points as the margins take them.
    threshold : float
        For a single output: the second decision above it.
    """

    margins: Margins
    seen: Any
    threshold: float


def unwrap(estimator: Any, held: Bools, rows_of: RowsOf) -> tuple[Any, AffineMap]:
    """Find the model behind a search and the affine steps of pipelines.

    Parameters
    ----------
    estimator : fitted estimator
    held : ndarray of bool, shape (p,)
        Columns that stay at every point: a ColumnTransformer that comes first may encode them in any way.
    rows_of : callable or None
        Points to the rows that such a ColumnTransformer takes.

    Raises
    ------
    UncertifiedModel
        For a step that is not affine.
    """
    steps = AffineMap.identity(len(held))
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif type(estimator).__name__ == "Pipeline":
            transformers = [step for _, step in estimator.steps[:-1]]
            if steps.is_identity and transformers and type(transformers[0]).__name__ == "ColumnTransformer":
                steps = read_encoder(transformers.pop(0), held, rows_of)
            before = chained(transformers, len(steps.matrix))
            steps = before if steps.is_identity else steps if before.is_identity else steps.then(before)
            estimator = estimator.steps[-1][1]
        else:
            return without_names(estimator), steps


class Probes:
    """Points at which what was read of a model is compared with its own answers.

    Parameters
    ----------
    points : ndarray of shape (m, p)

    Attributes
    ----------
    points : ndarray of shape (m, p)
    n_model_rows : int
        Rows the model was called on.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        self.n_model_rows = 0

    def answers(self, model: Any, seen: Floats) -> Floats:
        """Ask the estimator itself at points as it sees them: shape (m, q)."""
        classifies = hasattr(model, "classes_")
        names = ("decision_function", "predict_proba") if classifies else ("predict",)
        method = next((getattr(model, name) for name in names if hasattr(model, name)), None)
        if method is None:
            raise UncertifiedModel(f"{type(model).__name__} has no outputs that tell its labels")
        self.n_model_rows += len(seen)
        return np.asarray(method(seen), dtype=np.float64).reshape(len(seen), -1)


def read_model(
    estimator: Any, moves: Moves, probes: Probes, threshold: float | None, rows_of: RowsOf = None
) -> ReadModel:
    """Read a fitted estimator, and compare it with its own answers at some points.

    Parameters
    ----------
    estimator : fitted estimator
    moves : Moves
    probes : Probes
        Where the answers are compared; counts them.
    threshold : float or None
        Of a regression.
    rows_of : callable or None
        As in `unwrap`.

    Raises
    ------
    UncertifiedModel
    """
    try:
        return _read(estimator, moves, probes, threshold, rows_of)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise UncertifiedModel(f"it is stored otherwise than is known here ({error})") from error


def _read(estimator: Any, moves: Moves, probes: Probes, threshold: float | None, rows_of: RowsOf) -> ReadModel:
    model, steps = unwrap(estimator, (moves.unit == 0).all(axis=0), rows_of)
    if threshold is not None and hasattr(model, "classes_"):
        raise UncertifiedModel("a classifier is taken to decide by its largest output, not by a threshold")
    if threshold is None and not hasattr(model, "classes_"):
        raise UncertifiedModel(f"{type(model).__name__} names no classes, and no threshold makes decisions of it")
    if getattr(model, "n_features_in_", len(steps.matrix)) != len(steps.matrix):
        raise UncertifiedModel(f"it was fitted on {model.n_features_in_} columns, not {len(steps.matrix)}")
    cut = 0.0 if threshold is None else threshold
    seen, tried = steps.transform(moves.points), steps.transform(probes.points)
    if hasattr(model, "coefs_") and hasattr(model, "intercepts_"):
        network = _network(model, steps)
        _compare(_network_answers(model, network.outputs(tried)), probes.answers(model, tried))
        return ReadModel(network, seen, cut)
    if hasattr(model, "coef_") and hasattr(model, "intercept_"):
        linear = _linear(model, steps)
        _compare(linear.outputs(tried), probes.answers(model, tried))
        return ReadModel(linear, seen, cut)
    return _trees(model, steps, seen, tried, cut, probes)


def _compare(computed: Floats, answers: Floats) -> None:
    slack = TOLERANCE * max(1.0, float(np.abs(answers).max(initial=0.0)))
    if computed.shape != answers.shape or not np.allclose(computed, answers, rtol=0, atol=slack):
        raise UncertifiedModel("its answers are not those of the parameters read from it")


def _linear(model: Any, steps: AffineMap) -> LinearMargins:
    coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    coefficients = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    intercepts = np.asarray(model.intercept_, dtype=np.float64).ravel()
    if coefficients.shape[1] != len(steps.matrix):
        raise UncertifiedModel("its coefficients are not those of its columns")
    return LinearMargins(coefficients, np.resize(intercepts, len(coefficients)), steps.matrix)


def _network(model: Any, steps: AffineMap) -> NetworkMargins | LinearMargins:
    weights = [np.asarray(one, dtype=np.float64).T for one in model.coefs_]
    biases = [np.asarray(one, dtype=np.float64) for one in model.intercepts_]
    several = len(biases[-1]) > 1
    expected = ("softmax" if several else "logistic") if hasattr(model, "classes_") else "identity"
    if model.out_activation_ != expected or (several and expected == "identity"):
        raise UncertifiedModel("its outputs are not those of one class, or one value, a row")
    if model.activation == "identity" or len(weights) == 1:
        matrix, bias = weights[0], biases[0]
        for more, added in zip(weights[1:], biases[1:], strict=True):
            matrix, bias = more @ matrix, more @ bias + added
        return LinearMargins(matrix, bias, steps.matrix)
    if model.activation == "logistic":
        # 1 / (1 + exp(−h)) = ½ + ½ tanh(h / 2)
        for layer in range(len(weights) - 1):
            weights[layer], biases[layer] = weights[layer] / 2, biases[layer] / 2
            biases[layer + 1] = biases[layer + 1] + weights[layer + 1].sum(axis=1) / 2
            weights[layer + 1] = weights[layer + 1] / 2
    elif model.activation not in ("relu", "tanh"):
        raise UncertifiedModel(f"its activation {model.activation!r} is not known here")
    return NetworkMargins(weights, biases, "relu" if model.activation == "relu" else "tanh", steps.matrix)


def _network_answers(model: Any, outputs: Floats) -> Floats:
    if model.out_activation_ == "identity":
        return outputs
    if model.out_activation_ == "softmax":
        return np.asarray(special.softmax(outputs, axis=1), dtype=np.float64)
    positive = np.asarray(special.expit(outputs), dtype=np.float64)
    return np.concatenate([1 - positive, positive], axis=1)


def _trees(model: Any, steps: AffineMap, seen: Floats, tried: Floats, cut: float, probes: Probes) -> ReadModel:
    names = ("decision_function", "predict_proba") if hasattr(model, "classes_") else ("predict",)
    response = next((name for name in names if hasattr(model, name)), "predict")
    try:
        read = read_trees(model, response)
    except UnreadableModel as reason:
        raise UncertifiedModel(f"{type(model).__name__} is no linear model, tree or network known here") from reason
    try:
        check_trees(read, tried, probes.answers(model, tried).T)
    except UnreadableModel as reason:
        raise UncertifiedModel(str(reason)) from reason
    if read.trees.link not in ("identity", "exponential"):
        raise UncertifiedModel("its link tells no labels")
    if read.trees.link == "exponential":
        if cut <= 0:
            raise UncertifiedModel("every answer of it is above the threshold")
        cut = float(np.log(cut))
    margins = TreeMargins.read(TreeBoxes.behind(read.trees, _as_the_trees_order(read, steps)))
    return ReadModel(margins, read.trees.compared(read.encode(seen)), cut)


def _as_the_trees_order(read: TreeModel, steps: AffineMap) -> AffineMap:
    order = np.argsort(read.column_of)
    return AffineMap(steps.matrix[order], steps.offset[order], steps.transform)
