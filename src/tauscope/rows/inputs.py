"""What the user gave beside a model, checked and read: rows, columns, labels, weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.columns import Column
from tauscope.data.frames import Table, read_vector
from tauscope.data.reading import read_columns
from tauscope.data.sparse import SparseColumns, SparseTable, are_sparse, read_rows
from tauscope.model.calls import ResponseMethod
from tauscope.model.output import ModelOutput, column_names
from tauscope.weights.checks import check_some_weight, check_weight_ratio, check_weight_values

DROP_OR_LEAVE_OUT = "Drop those rows, or leave y out to study predictions alone."


@dataclass(frozen=True, eq=False)
class Inputs:
    """Rows under study and what belongs to them.

    Attributes
    ----------
    table : Table
    columns : tuple of Column, or SparseColumns
    y : ndarray of shape (n_rows,) or None
        True labels or values as given, none missing; None once a study has read them.
    sample_weight : ndarray of float64, shape (n_rows,), or None
        Non-negative, mean 1.
    target_name : str
        Of `y`, where it is a column that has one; else "".
    """

    table: Table
    columns: tuple[Column, ...] | SparseColumns
    y: NDArray[Any] | None
    sample_weight: NDArray[np.float64] | None
    target_name: str = ""

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns, collected once: bounds of each of thousands look them up."""
        return self.columns.names if are_sparse(self.columns) else tuple(column.name for column in self.columns)


def read_inputs(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    categorical_features: Any = "infer",
    feature_names: Sequence[str] | None = None,
    fitted_names: Sequence[str] | None = None,
) -> Inputs:
    """Check and read rows, labels and weights.

    Parameters
    ----------
    X, y, sample_weight, categorical_features, feature_names
        As in `Study`.
    fitted_names : sequence of str or None
        Names an array's columns had when the model was fitted; used where their number is right.

    Returns
    -------
    Inputs
    """
    table = read_rows(X)
    validation.check_not_empty(table)
    names = _names(table, feature_names, fitted_names)
    truth = weight = None
    if y is not None:
        truth = read_labels(X, y)
    if sample_weight is not None:
        raw = _read_aligned(X, table, "sample_weight", sample_weight, "Use zero for a row that should not count.")
        validation.check_one_dimension("sample_weight", raw)
        check_weight_values(raw)
        check_some_weight(bool((raw > 0).any()))
        weight = raw.astype(np.float64)
        check_weight_ratio(weight)
        weight /= weight.max()
        weight /= weight.mean()
    return Inputs(table, _columns(table, names, categorical_features), truth, weight, _name_of(y))


def read_labels(X: Any, y: Any) -> NDArray[Any]:
    """Check and read the labels or values of some rows."""
    truth = _read_aligned(X, read_rows(X), "y", y, DROP_OR_LEAVE_OUT)
    validation.check_one_dimension("y", truth)
    return truth


def _name_of(y: Any) -> str:
    name = getattr(y, "name", None)
    return name.strip() if isinstance(name, str) and name.isprintable() else ""


def _columns(table: Table, names: tuple[str, ...], categorical_features: Any) -> tuple[Column, ...] | SparseColumns:
    if isinstance(table, SparseTable):
        validation.check_no_categorical(categorical_features)
        return SparseColumns(table, names)
    columns = read_columns(table, names, categorical_features)
    validation.check_finite_columns(columns)
    return columns


def read_predictions(inputs: Inputs, X: Any, y_pred: Any, y_score: Any) -> tuple[ModelOutput, ResponseMethod]:
    """Check and read predictions made elsewhere, as if a model had answered with them.

    Parameters
    ----------
    inputs : Inputs
    X : DataFrame or array
        The rows as given, for the order of their index.
    y_pred : column of shape (n_rows,) or None
    y_score : column of shape (n_rows,), columns of shape (n_rows, n_classes), or None

    Returns
    -------
    answers : ModelOutput
    response_method : {"auto", "predict_proba", "decision_function"}
        How a lone score without labels is read: a probability where all lie in [0, 1], else a decision value.
    """
    validation.check_some_prediction(y_pred, y_score)
    escape = "Drop those rows from all that is given."
    score = None if y_score is None else _read_aligned(X, inputs.table, "y_score", y_score, escape)
    if score is not None:
        validation.check_numbers("y_score", score)
    if y_pred is not None:
        first = _read_aligned(X, inputs.table, "y_pred", y_pred, escape)
        validation.check_one_dimension("y_pred", first)
        return ModelOutput(first, score, column_names(y_score)), "auto"
    assert score is not None
    probable = score.min() >= 0 and score.max() <= 1
    return ModelOutput(score, None, column_names(y_score)), "predict_proba" if probable else "decision_function"


def _read_aligned(X: Any, table: Table, what: str, values: Any, escape: str) -> NDArray[Any]:
    array = read_vector(values, what)
    validation.check_length(what, array, table.n_rows)
    validation.check_order(X, what, values)
    validation.check_no_missing(what, array, escape)
    return array


def _names(table: Table, feature_names: Sequence[str] | None, fitted_names: Sequence[str] | None) -> tuple[str, ...]:
    if feature_names is not None:
        named = feature_names if isinstance(feature_names, str) else list(feature_names)
        validation.check_feature_names(named, table.n_columns)
        return tuple(str(name) for name in named)
    if table.names is not None:
        validation.check_feature_names(table.names, table.n_columns)
        return table.names
    if fitted_names is not None and len(fitted_names) == table.n_columns:
        return tuple(str(name) for name in fitted_names)
    return tuple(f"x{j}" for j in range(table.n_columns))
