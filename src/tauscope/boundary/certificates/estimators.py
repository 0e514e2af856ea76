# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Fitted scikit-learn estimators read as margins: the one file that knows how they store their parameters.

What is read is compared with the estimator's own answers, and refused where they differ.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import special

from tauscope.boundary.certificates.boxes import TreeBoxes
from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.linear import LinearMargins
from tauscope.boundary.certificates.moves import Moves, UncertifiedModel
from tauscope.boundary.certificates.network import NetworkMargins
from tauscope.boundary.certificates.trees import TreeMargins
from tauscope.pipelines.affine import AffineMap
from tauscope.pipelines.linear import Probes, check_outputs, read_linear
from tauscope.pipelines.trees import read_decision_trees
from tauscope.pipelines.unwrap import RowsOf, unwrap
from tauscope.prediction.batches import Over
from tauscope.trees.adapters import reader_of
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Bools, Floats
from tauscope.words import count


class Margins(Protocol):
    """A model of which lower bounds can be computed."""

    def outputs(self, seen: Any) -> Floats:
        """Compute outputs at points as the model sees them: shape (n, q)."""
        ...

    def lower_bounds(
        self,
        moves: Moves,
        seen: Any,
        contrasts: list[Contrasts],
        upper: Floats,
        budget: float,
        over: Over = map,
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
    except UnreadableModel as reason:
        raise UncertifiedModel(str(reason)) from reason
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise UncertifiedModel(f"it is stored otherwise than is known here ({error})") from error


def _read(estimator: Any, moves: Moves, probes: Probes, threshold: float | None, rows_of: RowsOf) -> ReadModel:
    model, steps = unwrap(estimator, (moves.unit == 0).all(axis=0), rows_of)
    if threshold is not None and classifies(model):
        raise UncertifiedModel("a classifier is taken to decide by its largest output, not by a threshold")
    if threshold is None and not classifies(model):
        raise UncertifiedModel(f"{type(model).__name__} names no classes, and no threshold makes decisions of it")
    width = getattr(model, "n_features_in_", None)
    if width and width != len(steps.matrix):
        raise UncertifiedModel(f"it was fitted on {count(width, 'column')}, not {len(steps.matrix)}")
    cut = 0.0 if threshold is None else threshold
    seen, tried = steps.transform(moves.points), steps.transform(probes.points)
    if hasattr(model, "coefs_") and hasattr(model, "intercepts_"):
        network = _network(model, steps)
        check_outputs(_network_answers(model, network.outputs(tried)), probes.answers(model, tried))
        return ReadModel(network, seen, cut)
    linear = read_linear(model, tried, probes)
    if linear is not None:
        return ReadModel(LinearMargins(*linear, steps.matrix), seen, cut)
    return _trees(model, steps, seen, tried, cut, probes)


def _network(model: Any, steps: AffineMap) -> NetworkMargins | LinearMargins:
    weights = [np.asarray(one, dtype=np.float64).T for one in model.coefs_]
    biases = [np.asarray(one, dtype=np.float64) for one in model.intercepts_]
    several = len(biases[-1]) > 1
    expected = ("softmax" if several else "logistic") if classifies(model) else "identity"
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
    if reader_of(model) is None:
        raise UncertifiedModel(f"{type(model).__name__} is no linear model, tree or network known here")
    read = read_decision_trees(model, tried, probes)
    margin = cut if classifies(model) else read.trees.margin(cut)
    if np.isinf(margin):
        raise UncertifiedModel(f"every answer of it is {'above' if margin < 0 else 'below'} the threshold")
    margins = TreeMargins.read(TreeBoxes.behind(read.trees, _as_the_trees_order(read, steps)))
    return ReadModel(margins, read.trees.compared(read.encode(seen)), margin)


def _as_the_trees_order(read: TreeModel, steps: AffineMap) -> AffineMap:
    order = np.argsort(read.column_of)
    return AffineMap(steps.matrix[order], steps.offset[order], steps.transform)
