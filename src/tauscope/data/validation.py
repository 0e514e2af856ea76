"""The rules at the door, one function each; every message has the rule, the value received and the next step."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from tauscope.arguments import LARGEST
from tauscope.data.columns import Column
from tauscope.data.frames import Table, n_other_rows, same_order
from tauscope.data.labels import plain
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.weights.checks import check_finite
from tauscope.words import agree, count

RESPONSE_METHODS = ("auto", "predict_proba", "decision_function", "predict")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
TASKS = ("auto", "binary", "multiclass", "regression")


def check_not_empty(table: Table) -> None:
    """Ask for at least one row and one column."""
    if table.n_rows == 0 or table.n_columns == 0:
        raise InputError(
            f"X must have at least one row and one column; got shape ({table.n_rows}, {table.n_columns}). "
            "See what filtered it."
        )


def check_feature_names(feature_names: Sequence[Any], n_columns: int) -> None:
    """Ask for one name per column, each once."""
    if isinstance(feature_names, str) or not all(isinstance(name, str) for name in feature_names):
        raise InputTypeError(f"feature_names must be a list of str; got {feature_names!r}.")
    if len(feature_names) != n_columns:
        raise InputError(
            f"feature_names must have one name per column; got {len(feature_names)} for {count(n_columns, 'column')}."
        )
    twice = sorted(name for name, times in Counter(feature_names).items() if times > 1)
    if twice:
        raise InputError(f"Column names must be distinct; {twice} come more than once. Rename them.")
    broken = [name for name in feature_names if LONE_SURROGATE.search(name)]
    if broken:
        raise InputError(
            f"Column names must be text that a file can hold; got {broken[0]!r}, which has half of a surrogate pair. "
            "Rename it: name.encode('utf-8', 'replace').decode()."
        )


def check_finite_columns(columns: Sequence[Column]) -> None:
    """Refuse infinite numbers, which have no mean; missing ones are kept."""
    counts = {
        column.name: int(np.count_nonzero(np.isinf(column.numbers)))
        for column in columns
        if column.numbers is not None and (np.isinf(column.lower) or np.isinf(column.upper))
    }
    if counts:
        shown = [f"{n} in {name!r}" for name, n in list(counts.items())[:10]]
        shown += [f"and in {count(len(counts) - 10, 'more column')}"] if len(counts) > 10 else []
        raise InputError(
            f"Numbers in X must be finite or missing (NaN); got infinite ones: {', '.join(shown)}. "
            "Replace them by NaN or by the largest value that has a meaning."
        )
    for column in columns:
        if column.numbers is not None:
            _check_magnitude(column)


def _check_magnitude(column: Column) -> None:
    """Ask for numbers whose fourth powers, and those of their differences, are numbers."""
    lower, upper = float(column.lower), float(column.upper)
    largest = max(abs(lower), abs(upper))
    if largest > LARGEST:
        n = int(np.count_nonzero(np.abs(column.values) > LARGEST)) if column.values is not None else 0
        raise InputError(
            f"Numbers in X must lie within ±{LARGEST:g}; {n} in {column.name!r} {agree(n, 'lies', 'lie')} beyond, "
            f"up to {lower if -lower > upper else upper:g}. Replace codes for missing values by NaN, or take another "
            "unit."
        )
    check_spread(column.name, lower, upper)


def check_spread(name: str, lower: float, upper: float) -> None:
    """Ask for numbers of a column whose differences can be squared twice."""
    if 0 < upper - lower < 1 / LARGEST:
        raise InputError(
            f"Numbers in X that differ must do so by more than {1 / LARGEST:g}; those of {name!r} spread over "
            f"{upper - lower:g}. Take another unit."
        )


def check_no_categorical(categorical_features: Any) -> None:
    """Refuse columns of levels in a sparse matrix, which holds numbers alone."""
    if categorical_features is not None and not (
        isinstance(categorical_features, str) and categorical_features == "infer"
    ):
        raise InputError(
            f"A sparse matrix holds numbers; got categorical_features={categorical_features!r}. Leave it out; 0/1 "
            "columns of one level each go as they are."
        )


def check_length(what: str, values: NDArray[Any], n_rows: int) -> None:
    """Ask for one entry per row of X."""
    if len(values) != n_rows:
        raise InputError(
            f"{what} must have one entry per row of X; got {len(values)} for {count(n_rows, 'row')}. Take both from "
            "one split."
        )


def check_one_dimension(what: str, values: NDArray[Any]) -> None:
    """Refuse several columns where one is meant."""
    if values.ndim != 1:
        raise InputError(
            f"{what} must be one column; got shape {values.shape}. Study one output at a time: pass one column."
        )


def check_order(X: Any, what: str, values: Any) -> None:
    """Refuse a pandas series whose index is of other rows, or those of X in another order: position would match them.

    The default index 0, 1, … on either side says nothing about rows and passes, unless it is that of X reordered.
    """
    if n_other := n_other_rows(X, values):
        raise InputError(
            f"{what} must be of the rows of X, in their order; {n_other} of the {count(len(values), 'row')} of its "
            "index are "
            f"not in X's. Take both from one split, or give {what}.to_numpy() if positions are right."
        )
    if not same_order(X, values):
        raise InputError(
            f"{what} must be in the order of X; its index has the rows of X in another order. "
            f"Use {what}.loc[X.index], or {what}.to_numpy() if positions are right."
        )


def check_no_missing(what: str, values: NDArray[Any], escape: str) -> None:
    """Refuse missing and infinite entries, with their number; `escape` says what to do instead."""
    if values.dtype.kind in "fc":
        check_finite(what, values, escape)
        return
    bad = np.asarray(pd.isna(values))
    if bad.any():
        raise InputError(
            f"{what} must have a value in every row; {int(bad.sum())} of {len(values)} are missing, "
            f"first in row {int(np.argwhere(bad)[0][0])}. {escape}"
        )


def check_model(model: Any) -> None:
    """Ask for a fitted instance that predicts, or a function."""
    if isinstance(model, type):
        raise InputTypeError(f"A model must be a fitted instance; got the class {model.__name__}. Fit one of it first.")
    predicts = callable(getattr(model, "predict", None)) or callable(model)
    search: Any = getattr(model, "steps", [("", model)])[-1][1]
    if not predicts and getattr(search, "refit", True) is False:
        raise InputError(
            f"A search predicts once it is refitted; this {type(search).__name__} has refit=False. Fit it with "
            "refit=True, or fit its estimator with best_params_ and give that."
        )
    if isinstance(model, BaseEstimator) and hasattr(model, "fit"):
        try:
            check_is_fitted(model)
        except NotFittedError:
            raise InputError(
                f"A model must be fitted; this {type(model).__name__} is not. Call fit on training rows first."
            ) from None
    if not predicts:
        raise InputTypeError(
            f"A model must have predict, or be a function of rows; got a {type(model).__name__}. "
            "Use Study.from_predictions(X, y_true, y_pred) where there are only predictions."
        )


def check_response_method(response_method: object) -> None:
    """Ask for one of scikit-learn's names."""
    if response_method not in RESPONSE_METHODS:
        raise InputError(f"response_method must be one of {', '.join(RESPONSE_METHODS)}; got {response_method!r}.")


def check_task(task: object) -> None:
    """Ask for a task there is."""
    if task not in TASKS:
        raise InputError(f"task must be one of {', '.join(TASKS)}; got {task!r}.")


def check_task_response(response_method: Any, task: str) -> Any:
    """Return the response method for a task: values are read from predict alone."""
    check_response_method(response_method)
    if task != "regression":
        return response_method
    if response_method not in ("auto", "predict"):
        raise InputError(
            f"task='regression' reads values; response_method={response_method!r} would give scores. "
            "Use response_method='auto', or pass the method itself as the model."
        )
    return "predict"


def check_some_prediction(y_pred: Any, y_score: Any) -> None:
    """Ask for predictions, scores, or both."""
    if y_pred is None and y_score is None:
        raise InputError(
            "Predictions are needed: y_pred, y_score or both; got neither. Use Study(model, X, y) to ask a model."
        )


def check_numbers(what: str, values: NDArray[Any]) -> None:
    """Ask for numbers."""
    if values.dtype.kind not in "biuf":
        raise InputTypeError(f"{what} must be numbers; got {values.dtype} such as {values.flat[0]!r}.")


def check_no_labels(options: Mapping[str, Any]) -> None:
    """Refuse labels and weights for rows that do not exist yet."""
    for name in ("y", "sample_weight"):
        if options.get(name) is not None:
            raise InputError(f"Rows drawn from ranges have no {name}; got one. Use Study(model, X, y) for real rows.")


def check_batch_rows(batch_rows: object) -> None:
    """Ask for a positive number of rows, or None."""
    if batch_rows is None:
        return
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int | np.integer):
        raise InputTypeError(f"batch_rows must be an int or None; got {batch_rows!r}.")
    if batch_rows < 1:
        raise InputError(f"batch_rows must be at least 1; got {batch_rows}. Leave it None for a size that fits memory.")


def check_regressor_response(name: str, response_method: str) -> None:
    """Refuse a response method that asks a regressor for scores."""
    if response_method not in ("auto", "predict"):
        raise InputError(
            f"response_method={response_method!r} needs a classifier; {name} is a regressor. "
            "Use response_method='auto'."
        )


def check_has_response(name: str, response_method: str) -> None:
    """Refuse a response method that the classifier lacks."""
    if response_method != "auto":
        raise InputError(
            f"response_method must be a method of the model; {name} has no {response_method}. "
            "Use response_method='auto'."
        )


def check_classes(model: Any, name: str) -> tuple[Any, ...] | None:
    """Return the model's own labels, or None; refuse several outputs and a single class."""
    classes: Any = getattr(model, "classes_", None)
    if classes is None or not hasattr(classes, "__len__") or len(classes) == 0:  # CatBoost's of a regression
        return None
    if any(isinstance(label, np.ndarray | list) for label in classes):
        raise InputError(
            f"A model must have one output; {name} has {len(classes)}. Study one output at a time: "
            "Study(lambda X: model.predict_proba(X)[0], X, y[:, 0])."
        )
    names = tuple(plain(label) for label in classes)
    if len(names) < 2:
        raise InputError(
            f"A classifier must know at least two classes; {name} was fitted on one only, {names}. "
            "Fit it on rows of both classes."
        )
    return names


def check_same_classes(fitted: tuple[Any, ...] | None, classes: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """Return the model's own classes, or those requested; refuse ones that differ, are too few, or repeat."""
    if classes is None:
        return fitted
    if isinstance(classes, str):
        raise InputTypeError(f"classes must be a sequence of labels; got {classes!r}.")
    requested = tuple(plain(label) for label in classes)
    if len(requested) < 2 or len(set(requested)) < len(requested):
        raise InputError(f"classes must be two or more different labels; got {list(requested)!r}.")
    if fitted is not None and requested != fitted:
        raise InputError(
            f"classes must be the model's own, {list(fitted)!r}, where it has any; got {list(requested)!r}. "
            "Leave them out."
        )
    return requested


def check_same_columns(table: Table, expected: Table) -> None:
    """Ask for the columns of the study."""
    if table.n_columns == expected.n_columns and table.names == expected.names:
        return
    if table.names is not None and expected.names is not None:
        raise InputError(_describe_columns("of the study", expected.names, table.names, "list(study.X.columns)"))
    container = "an array" if expected.names is None else "a frame"
    raise InputError(
        f"X must have the study's {count(expected.n_columns, 'column')} in {container}; got {table.n_columns} in "
        f"{'an array' if table.names is None else 'a frame'}. Give them in {container}, as the study was."
    )


def check_width(model: Any, name: str, table: Table) -> None:
    """Ask for the columns the model was fitted on: their number for an array.

    Of a frame the model decides: some miss no column that they drop, and LightGBM writes names in its own way.
    """
    if table.names is None:
        width = getattr(model, "n_features_in_", None)
        if width and width != table.n_columns:  # CatBoost's copies, and what it reads from a file, say 0
            raise InputError(
                f"X must have the columns {name} was fitted on, {width}; got {table.n_columns}. "
                "Give the raw columns that fit was given."
            )


def check_takes_rows(model: Any, name: str, error: Exception) -> None:
    """Explain the complaint of a model that takes something else than rows, with the function that gives it that."""
    module = type(model).__module__.partition(".")[0]
    if module == "xgboost" and type(model).__name__ == "Booster":
        function = "lambda X: booster.inplace_predict(X)"
    elif hasattr(model, "state_dict") and hasattr(model, "parameters"):
        function = "lambda X: net(torch.tensor(np.asarray(X), dtype=torch.float32)).detach().numpy()"
    else:
        return
    raise InputTypeError(
        f"A model must take the rows of the study; {name} does not. Give a function: Study({function}, X, y). The "
        f"model says: {error}"
    ) from error


def check_fitted_columns(model: Any, name: str, table: Table, error: Exception) -> None:
    """Explain a model's own complaint about columns that are not, or not in the order, it was fitted on."""
    fitted = getattr(model, "feature_names_in_", None)
    if fitted is None or table.names is None or list(fitted) == list(table.names):
        return
    said = str(error).lower()
    of_columns = any(word in said for word in ("feature names", "column", "is expecting"))
    if isinstance(error, KeyError) or (isinstance(error, ValueError) and of_columns):
        raise InputError(f"{_describe_fitted_columns(name, fitted, table.names)} The model says: {error}") from error


def _describe_fitted_columns(name: str, fitted: Sequence[str], names: Sequence[str]) -> str:
    return _describe_columns(
        f"{name} was fitted on", [str(column) for column in fitted], names, "list(model.feature_names_in_)"
    )


def _describe_columns(of: str, expected: Sequence[str], names: Sequence[str], selection: str) -> str:
    """Say first what is missing, then what is extra; `selection` is the code that names the expected columns."""
    missing = [name for name in expected if name not in set(names)]
    extra = [name for name in names if name not in set(expected)]
    if not missing and not extra:
        return f"X must have the columns {of} in their order; got the same in another order. Use X[{selection}]."
    received = [f"lacks {_few(missing)}"] if missing else []
    received += [f"also has {_few(extra)}"] if extra else []
    mend = "Add the missing columns" if not extra else "Rename or add the missing columns"
    return (
        f"X must have the columns {of}; it {' and '.join(received)}. "
        f"{f'{mend}, then take' if missing else 'Use'} X[{selection}]."
    )


def _few(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(map(repr, names[:most]))}{more}"


def check_rows_unchanged(table: Table, rows: Any, start: int, stop: int, name: str) -> None:
    """Refuse a model that writes into the rows it is asked about; it was given a copy, X itself is unharmed."""
    if not table.same(rows, start, stop):
        raise InputError(
            f"A model must leave its rows as they are; {name} changed rows {start} to {stop - 1} in place. "
            "Work on a copy inside it, or set copy=True where it is a scikit-learn step."
        )


def check_no_stranger(what: str, strangers: Sequence[Any], classes: Sequence[Hashable]) -> None:
    """Refuse labels that are not among the classes."""
    if strangers:
        raise UnknownName(
            f"{what} must hold labels the model knows, {list(classes)!r}; it also holds {list(strangers)[:10]!r}. "
            "Drop those rows, or translate the labels to the model's."
        )


def check_both_classes(
    truth: NDArray[Any], sample_weight: NDArray[np.float64] | None, classes: Sequence[Hashable]
) -> None:
    """Refuse binary labels of one class only: rates by class would divide by nothing."""
    counted = truth if sample_weight is None else truth[sample_weight > 0]
    if counted.min() == counted.max():
        raise InputError(
            f"y must hold both classes, {list(classes)!r}; every row of non-zero weight is {classes[counted[0]]!r}. "
            "Add rows of the other class, or leave y out to study predictions alone."
        )


def check_pos_label(pos_label: Any, classes: Sequence[Hashable], task: str) -> None:
    """Ask for a positive class that is one of two."""
    if pos_label is None:
        return
    if task != "binary":
        raise InputError(
            f"pos_label is for two classes; this is a {task} task{f' of {list(classes)!r}' if classes else ''}. "
            f"Got {pos_label!r}; leave it out."
        )
    if pos_label not in classes:
        by_name = {str(label).casefold(): label for label in classes}
        nearest = get_close_matches(str(pos_label).casefold(), by_name, n=1)
        meant = by_name[nearest[0]] if nearest else classes[1]
        raise UnknownName(
            f"pos_label must be one of the labels {list(classes)!r}; got {pos_label!r}. Try pos_label={meant!r}; "
            f"left out, it is {classes[1]!r}."
        )


def check_probabilities(what: str, scores: NDArray[Any]) -> None:
    """Ask for numbers in [0, 1], up to rounding."""
    if scores.size and (scores.min() < -1e-6 or scores.max() > 1 + 1e-6):
        raise InputError(
            f"Probabilities must lie in [0, 1]; {what} goes from {scores.min():g} to {scores.max():g}. "
            "Use response_method='decision_function' for scores with the threshold zero, or task='regression'."
        )
