"""What a constraint can name: features, and what the model and the truth say of each row."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.data.columns import Column
from tauscope.data.features import features_by_name
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError, UnknownName
from tauscope.stress.outcomes import Task

Array = NDArray[np.float64]

QUANTITIES = ("prediction", "score", "label", "error", "residual", "squared_error")


class Judged(Protocol):
    """Rows with what a model said of them: a study, or a chunk of one."""

    @property
    def columns(self) -> Sequence[Column]: ...
    @property
    def task(self) -> Task: ...
    @property
    def classes(self) -> tuple[Any, ...]: ...
    @property
    def score(self) -> Array | None: ...
    @property
    def predicted(self) -> NDArray[Any]: ...
    @property
    def truth(self) -> NDArray[Any] | None: ...


def quantities(study: Judged) -> Callable[[str], Array]:
    """Return the lookup of a study: name → one number per row, NaN where there is none.

    Parameters
    ----------
    study : Judged

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
    features = features_by_name(study.columns)
    columns = {} if are_sparse(study.columns) else {column.name: column for column in study.columns}

    def look_up(name: str) -> Array:
        if name in features:
            return features[name].values()
        if name in columns:
            example = next(iter(columns[name].levels), "…")
            raise InputError(f"{name!r} has levels, not a mean. Use ts.Share({name!r}, {example!r}, …).")
        if name in QUANTITIES:
            return _of_model(study, name)
        column, _, level = name.rpartition(" = ")
        if column in columns:
            return _level(columns[column], level)
        if column in ("prediction", "label"):
            return _of_class(study, column, level)
        raise UnknownName.among("feature", name, list(dict.fromkeys([*columns, *features, *QUANTITIES])))

    return look_up


def _level(column: Column, level: str) -> Array:
    if column.codes is None:
        raise InputError(
            f"{column.name!r} is a column of numbers, without a level {level!r}. Use ts.Mean({column.name!r}, …)."
        )
    if level not in column.levels:
        raise UnknownName.among(f"{column.name} level", level, column.levels)
    return (column.codes == column.levels.index(level)).astype(np.float64)


def _of_model(study: Judged, name: str) -> Array:
    if name == "score":
        if study.score is None:
            raise InputError("This study has no score of a positive class. Use another quantity, or ts.Moment.")
        return study.score
    if name != "prediction" and study.truth is None:
        raise InputError(f"{name!r} needs the truth, and the study has no y. Give Study(…, y).")
    regression = study.task == "regression"
    if name in ("prediction", "label"):
        if study.task == "multiclass":
            raise InputError(f"A {name} of several classes has no mean. Use ts.Share({name!r}, <class>, …).")
        values = study.predicted if name == "prediction" else study.truth
        return np.asarray(values, dtype=np.float64)
    if regression == (name == "error"):
        instead = "'residual' or 'squared_error'" if regression else "'error'"
        raise InputError(f"There is no {name!r} in a {study.task} task. Use {instead}.")
    assert study.truth is not None
    if not regression:
        return (study.predicted != study.truth).astype(np.float64)
    residual = np.asarray(study.truth - study.predicted, dtype=np.float64)
    return residual if name == "residual" else residual**2


def _of_class(study: Judged, name: str, level: str) -> Array:
    codes = study.predicted if name == "prediction" else study.truth
    if codes is None:
        raise InputError("'label' needs the truth, and the study has no y. Give Study(…, y).")
    names = labels.names(study.classes)
    if not names:
        raise InputError(f"A {name} of a regression has no classes. Use ts.Mean({name!r}, …).")
    if level not in names:
        raise UnknownName.among("class", level, names)
    return (codes == names.index(level)).astype(np.float64)
