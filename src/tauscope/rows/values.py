"""What a constraint can name: features, and what the model and the truth say of each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import features_by_name
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, UnknownName
from tauscope.stress.outcomes import Outcomes

Array = NDArray[np.float64]

QUANTITIES = ("prediction", "score", "label", "error", "residual", "squared_error")


def quantities(columns: Sequence[Column], outcomes: Callable[[], Outcomes]) -> Callable[[str], Array]:
    """Return the lookup of rows: name → one number per row, NaN where there is none.

    Parameters
    ----------
    columns : sequence of Column
    outcomes : callable
        Returns what the model said of the rows; called for names that are no feature's.

    Returns
    -------
    callable
        Takes the name of a feature ("age", "sex = Female", "age = missing"), or one of

        - "prediction": predicted values; of two classes 1 for the positive one; "prediction = <class>" for any;
        - "score": score of the positive of two classes;
        - "label": the truth, read as "prediction" is;
        - "error": 1 for a wrong class, else 0, so that its mean is the error rate;
        - "residual" and "squared_error": truth - prediction of a regression, and its square.

        A feature of one of these names comes first. Raises UnknownName with the nearest names, and InputError
        where a name exists but has no mean (a column of levels) or needs what the study lacks (y, scores).
    """
    features = features_by_name(columns)
    by_name = {} if are_sparse(columns) else {column.name: column for column in columns}

    def look_up(name: str) -> Array:
        if name in features:
            return features[name].values()
        if name in by_name:
            example = next(iter(by_name[name].levels), "…")
            raise InputError(f"{name!r} has levels, not a mean. Use ts.Share({name!r}, {example!r}, …).")
        if name in QUANTITIES:
            return _of_model(outcomes(), name)
        column, _, level = name.rpartition(" = ")
        if column in by_name:
            return _level(by_name[column], level)
        if column in ("prediction", "label"):
            return _of_class(outcomes(), column, level)
        raise UnknownName.among("feature", name, list(dict.fromkeys([*by_name, *features, *QUANTITIES])))

    return look_up


def _level(column: Column, level: str) -> Array:
    if column.codes is None:
        raise InputError(
            f"{column.name!r} is a column of numbers, without a level {level!r}. Use ts.Mean({column.name!r}, …)."
        )
    if level not in column.levels:
        raise UnknownName.among(f"{column.name} level", level, column.levels)
    return (column.codes == column.levels.index(level)).astype(np.float64)


def _of_model(outcomes: Outcomes, name: str) -> Array:
    if name == "score":
        if outcomes.score is None:
            raise InputError("This study has no score of a positive class. Use another quantity, or ts.Moment.")
        return outcomes.score
    if name != "prediction" and outcomes.truth is None:
        raise InputError(f"{name!r} needs the truth, and the study has no y. Give Study(…, y).")
    regression = outcomes.task == "regression"
    if name in ("prediction", "label"):
        if outcomes.task == "multiclass":
            raise InputError(f"A {name} of several classes has no mean. Use ts.Share({name!r}, <class>, …).")
        values = outcomes.predicted if name == "prediction" else outcomes.truth
        return np.asarray(values, dtype=np.float64)
    if regression == (name == "error"):
        instead = "'residual' or 'squared_error'" if regression else "'error'"
        raise InputError(f"There is no {name!r} in a {outcomes.task} task. Use {instead}.")
    assert outcomes.truth is not None
    if not regression:
        return (outcomes.predicted != outcomes.truth).astype(np.float64)
    residual = np.asarray(outcomes.truth - outcomes.predicted, dtype=np.float64)
    return residual if name == "residual" else residual**2


def _of_class(outcomes: Outcomes, name: str, level: str) -> Array:
    codes = outcomes.predicted if name == "prediction" else outcomes.truth
    if codes is None:
        raise InputError("'label' needs the truth, and the study has no y. Give Study(…, y).")
    names = outcomes.class_names
    if not names:
        raise InputError(f"A {name} of a regression has no classes. Use ts.Mean({name!r}, …).")
    if level not in names:
        raise UnknownName.among("class", level, names)
    return (codes == names.index(level)).astype(np.float64)
