"""What every study holds: the rows as read, the model, and its predictions for them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import checks_arguments
from tauscope.data import labels, validation
from tauscope.data.columns import Column
from tauscope.data.data_hash import hash_data
from tauscope.data.one_hot import OneHotGroup
from tauscope.data.sparse import SparseColumns, are_sparse, check_dense, read_rows
from tauscope.data.sparse_one_hot import find_sparse_groups
from tauscope.data.table_rows import TableRows
from tauscope.errors import InputError
from tauscope.model.cache import PredictionCache
from tauscope.model.calls import Model, ResponseMethod
from tauscope.model.consistency import ask_again, consistency_notes
from tauscope.model.prediction import OutputSpec, Prediction
from tauscope.model.progress_bar import bars_shown
from tauscope.model.response import Response, find_response
from tauscope.model.task import TaskHints, infer_output_spec
from tauscope.rows.inputs import Inputs, read_labels
from tauscope.rows.resident import Resident
from tauscope.rows.rows import Rows
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study.functions import FunctionRegistry
from tauscope.weights.checks import check_weight_values

if TYPE_CHECKING:
    from tauscope.results.stress.other_population import Target
    from tauscope.rows.rows import Pair
    from tauscope.study.study import Study
    from tauscope.study.verbs import Images

ArrayOrNone = TypeVar("ArrayOrNone", bound=NDArray[Any] | None)
NO_MODEL = "predictions"


@checks_arguments
class StudyBase:
    """Rows, model and predictions, read once; the verbs of each engine stand on this.

    `tauscope.Study` is what makes one and what a person meets.
    """

    if TYPE_CHECKING:  # bound by `Study`: the verbs' own files import this one

        def _pair_with(self, second: Any) -> Pair: ...
        def _check_new_rows(self, X: Any) -> None: ...
        def _images_of(self, shape: object) -> Images: ...
        def _read_target(self, given: Any) -> Target: ...
        def _approach(self, target: Target, amount: float, price: float | None) -> Any: ...

    def _settle(
        self,
        inputs: Inputs,
        output_spec: OutputSpec,
        prediction: Prediction,
        model: Model | None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self._truth = None if inputs.y is None else output_spec.truth(inputs.y)
        self._label_type = None if inputs.y is None else inputs.y.dtype
        self._inputs = replace(inputs, y=None)  # the codes tell it, in an eighth of the memory
        self._output_spec = output_spec
        self._prediction = prediction
        self._model = model
        self._model_name = NO_MODEL if model is None else model.name
        self._notes = notes
        self._left_behind = False
        self._functions = FunctionRegistry()
        self._check_truth()
        self._random_state: int | None = None
        self._cache = PredictionCache()
        self._cache_rows: NDArray[np.int64] | None = None
        self._rows: TableRows | None = None
        self._one_hot: tuple[OneHotGroup, ...] | None = None
        self._bare: Self | None = None
        self._shown: Any = None
        self._forests: dict[object, Any] = {}
        self._spaces: dict[object, Any] = {}
        self._data_hash: str | None = None
        self._sampled_from = 0
        """Rows that these were drawn from, where they are a sample."""

    @property
    def X(self) -> Any:
        """The rows, in the container they were given in."""
        return self._inputs.table.native

    @property
    def y(self) -> NDArray[Any] | None:
        """True labels or values as given, shape (n_rows,); None where there are none."""
        if self._truth is None:
            return None
        if self._task == "regression":
            return _lock(self._truth.astype(self._label_type, copy=False))
        return _lock(labels.decode(self._truth, self.classes, self._label_type))

    @property
    def _shows_progress(self) -> bool:
        """Whether bars show for work that is not asked by itself whether to."""
        return self._model is None or self._model.shows_progress

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._inputs.table.n_rows

    @property
    def _columns(self) -> tuple[Column, ...] | SparseColumns:
        """The columns as the engines read them; those of a sparse matrix each when it is asked for."""
        return self._inputs.columns

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._inputs.feature_names

    @property
    def _task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self._output_spec.task

    @property
    def _target_name(self) -> str:
        """Name of y, where it was given as a column that has one, as a pandas Series; else ""."""
        return self._inputs.target_name

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression."""
        return self._output_spec.classes

    @property
    def _pos_label(self) -> Hashable:
        """The positive class, code 1; None unless the task is binary."""
        return self.classes[1] if self._task == "binary" else None

    @property
    def _true_values(self) -> NDArray[np.int64] | NDArray[np.float64] | None:
        """True class codes or values, shape (n_rows,); None where y was not given."""
        return _widen(self._truth)

    @property
    def predicted(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """Predicted class codes or values, shape (n_rows,)."""
        return _widen(self._prediction.predicted)

    @property
    def score(self) -> NDArray[np.float64] | None:
        """Score of the positive class, shape (n_rows,), or of each of several in code order, (n_rows, n_classes).

        None where there is none.
        """
        return self._score if self._scores is None else self._scores

    @property
    def _score(self) -> NDArray[np.float64] | None:
        """Binary tasks: score of the positive class, shape (n_rows,); None where there is none."""
        return _lock(self._prediction.score)

    @property
    def _scores(self) -> NDArray[np.float64] | None:
        """Multiclass tasks: score of each class in code order, shape (n_rows, n_classes); None where there is none."""
        return _lock(self._prediction.scores)

    @property
    def sample_weight(self) -> NDArray[np.float64] | None:
        """Weights with mean 1, shape (n_rows,); None where all rows count alike."""
        return _lock(self._inputs.sample_weight)

    @property
    def _has_model(self) -> bool:
        """Whether there is a model that can be called."""
        return self._model is not None

    @property
    def _asked_model(self) -> Model | None:
        """The model, where there is one."""
        return self._model

    @property
    def n_model_rows(self) -> int:
        """Rows the model has been asked about so far; a row asked for label and for score counts twice."""
        return 0 if self._model is None else self._model.n_model_rows

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual about the model's answers, a sentence each.

        They change when it is asked again about a few rows, or its labels contradict its scores in most rows.
        """
        return self._notes

    @property
    def data_hash(self) -> str:
        """SHA-256 of the data, 64 hexadecimal digits: two studies of the same data have the same.

        What counts, in order: the columns with their names, kinds and units, each row's number (as float64), level (by
        its name) or missing value; the truth; the weights, scaled to mean 1. What does not: the model and its answers,
        the positive class, the container and its index, levels that no row has, 0.0 or -0.0, whether a number or bool
        is stored as 1, 1.0 or, in y, True. So pandas, polars and an array hold the same data where names and kinds are
        the same; a float32 is the same as a float64 only where that is its value. A sparse matrix has a hash of its
        own, the same in each of SciPy's formats, and a `ChunkedStudy` has none yet. Computed once, when first asked.
        """
        if self._data_hash is None:
            self._data_hash = hash_data(self._columns, self._truth, self.classes, self._inputs.sample_weight)
        return self._data_hash

    @property
    def errors(self) -> NDArray[np.int64]:
        """Positions of the rows that are misclassified, ascending.

        Raises
        ------
        InputError
            For a study without y, or a regression.
        """
        if self._task == "regression":
            raise InputError("A regression misclassifies nothing. Choose rows by abs(study.y - study.predicted).")
        if self._truth is None:
            raise InputError("Errors are told by true labels, and this study has none. Give y: Study(model, X, y).")
        return np.flatnonzero(self._truth != self._prediction.predicted)

    @property
    def _outcomes(self) -> Outcomes:
        """Predictions and truth as the engines take them."""
        predicted, truth = _lock(self._prediction.predicted), _lock(self._truth)
        scores = self._scores if self._task == "multiclass" else None
        return Outcomes(self._task, predicted, truth, self._score, labels.names(self.classes), scores)

    def predict(self, X: Any) -> Prediction:
        """Ask the model about other rows, read as the study's own.

        Parameters
        ----------
        X : DataFrame or array of shape (n_new_rows, n_columns)
            In the container and columns of the study's rows.

        Returns
        -------
        Prediction
            `predicted`, `score` and `scores`, as the study's attributes of that name.

        Raises
        ------
        InputError
            Where the study has no model, the columns are others, or the model's answers cannot be read.

        Examples
        --------
        >>> study.predict(X_test[:2]).predicted
        array([0, 0])
        """
        model = self._require_model("can predict")
        table = read_rows(X)
        validation.check_not_empty(table)
        validation.check_same_columns(table, self._inputs.table)
        answered = self._output_spec(model.ask(table), model.name)
        return replace(answered, predicted=_widen(answered.predicted))

    def _outcomes_of(self, X: Any, y: Any) -> Outcomes:
        """Ask the model about other rows and read their labels, both as the study's own.

        Parameters
        ----------
        X : DataFrame or array of shape (n_new_rows, n_columns)
        y : column of shape (n_new_rows,)

        Raises
        ------
        InputError, InputTypeError
            As `predict`; and for labels of another number or order, missing ones, or classes the study does not have.
        """
        truth = self._output_spec.truth(read_labels(X, y))
        answered = self.predict(X)
        scores = answered.scores if self._task == "multiclass" else None
        names = labels.names(self.classes)
        return Outcomes(self._task, answered.predicted, _widen(truth), answered.score, names, scores)

    @property
    def _table_rows(self) -> TableRows:
        """The rows as the engines take them: copies of some, a column or two changed in its own type.

        Raises
        ------
        InputError
            For a sparse matrix, whose columns are too many to put values into each.
        """
        columns = self._inputs.columns
        if are_sparse(columns):
            check_dense(columns, "Effects, attacks and randomised models take")
        if self._rows is None:
            self._rows = TableRows(self._inputs.table, tuple(columns), self._one_hot)
        return self._rows

    @property
    def _one_hot_groups(self) -> tuple[OneHotGroup, ...]:
        """Groups of 0/1 columns that are levels of one column."""
        if are_sparse(self._columns):
            if self._one_hot is None:
                self._one_hot = find_sparse_groups(self._columns)
            return self._one_hot
        return self._table_rows.one_hot

    def _response(
        self,
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        *,
        model: Model | None = None,
    ) -> Response:
        """Find what of the model's answer an effect follows.

        Parameters
        ----------
        response_method, target_class
            As in `effect`.
        model : Model, optional
            Another one, whose answers are read as this study's.

        Raises
        ------
        UnknownName
            For a class that is not there.
        InputError
            For a study without a model, a method that the model lacks, or a class of a regression.
        """
        model = self._require_model("has effects") if model is None else model
        return find_response(model, self._output_spec, self._prediction, response_method, target_class)

    def with_model(self, model: Any) -> Self:
        """Return the study of another model on the same rows.

        Parameters
        ----------
        model : estimator, Pipeline, object with `predict`, or callable
            Asked as the first one was.

        Raises
        ------
        InputError
            Where it answers another question: a task or classes of its own.

        Examples
        --------
        >>> study.with_model(forest)
        Study of RandomForestClassifier on 284 rows × 4 columns (4 numeric)
        binary: 65.5 % predicted 1 (the positive class), error rate 9.15 %
        """
        other = self._require_model("has effects").other(model)
        answers = other.ask(self._inputs.table)
        spec = self._output_spec
        classes = other.classes or spec.classes or None
        hints = TaskHints(other.kind, classes, self.y, spec.task, pos_label=self._pos_label)
        other_spec = infer_output_spec(answers, hints)
        if set(other_spec.classes) != set(spec.classes):
            raise InputError(
                f"The other model must answer for the same classes, {list(spec.classes)!r}; it has "
                f"{list(other_spec.classes)!r}."
            )
        study = type(self).__new__(type(self))
        notes = consistency_notes(other_spec, answers, ask_again(other, self._inputs.table), other.method().name)
        study._settle(replace(self._inputs, y=self.y), other_spec, other_spec(answers, other.name), other, notes)
        study._one_hot = self._one_hot_groups
        return study

    def where(self, rows: Any) -> Self:
        """Return the study of a subgroup.

        The model is not asked again; sample weights are scaled to mean 1 within the subgroup.

        Parameters
        ----------
        rows : array-like of bool of shape (n_rows,), or callable
            Which rows to keep; a function gets `X` and returns it, ``lambda X: X["sex"] == "Female"``.

        Returns
        -------
        Study
            Of those rows, in their order, with their labels, predictions and weights.

        Raises
        ------
        InputError, InputTypeError
            Where it is not one bool for each row, keeps none, or all that are kept weigh zero.

        Examples
        --------
        >>> study.where(X_test["mean radius"] > 14).n_rows
        117
        """
        from tauscope.study.subset import take_inputs, take_prediction, which_rows

        selected = which_rows(self.X, rows, self.n_rows)
        truth = None if self._truth is None else self._truth[selected]
        study = self._like(take_inputs(self._inputs, selected), take_prediction(self._prediction, selected), truth)
        study._cache_rows = selected if self._cache_rows is None else self._cache_rows[selected]
        return study

    def _with_weights(self, sample_weight: NDArray[np.float64]) -> Self:
        """Return the same study with other weights of its rows, of mean 1."""
        validation.check_length("sample_weight", sample_weight, self.n_rows)
        check_weight_values(sample_weight)
        study = self._like(replace(self._inputs, sample_weight=sample_weight), self._prediction, self._truth)
        study._forests, study._spaces = self._forests, self._spaces  # made without weights
        study._sampled_from = self._sampled_from
        return study

    def _with_answers_of(self, other: StudyBase) -> Self:
        """Return a study of these rows with what another model answered for them, without that model."""
        study = type(self).__new__(type(self))
        study._settle(self._inputs, self._output_spec, other._prediction, None, other.notes)
        study._truth, study._label_type = self._truth, self._label_type
        study._model_name = other._model_name
        study._functions = self._functions
        return study

    def _like(self, inputs: Inputs, prediction: Prediction, truth: NDArray[Any] | None) -> Self:
        """Return a study by the same model and reading, of other rows or weights."""
        study = type(self).__new__(type(self))
        study._settle(inputs, self._output_spec, prediction, self._model, self._notes)
        study._truth, study._label_type = truth, self._label_type
        study._model_name, study._left_behind = self._model_name, self._left_behind
        study._functions = self._functions
        study._cache, study._cache_rows = self._cache, self._cache_rows
        # some rows of a group may be a group by chance, or have none without a level
        study._one_hot = self._one_hot_groups
        study._check_truth()
        return study

    def _without_model(self) -> Self:
        """Return the same study without its model, kept answers and the user's own functions.

        It is what a pickled result takes along: the rows, the predictions and the model's name, which answer
        everything that does not call the model. The same one at every call.
        """
        if self._bare is None:
            bare = type(self).__new__(type(self))
            bare.__dict__.update(
                self.__getstate__() | {"_model": None, "_left_behind": self._has_model or self._left_behind}
            )
            bare._bare = bare
            self._bare = bare
        return self._bare

    def __getstate__(self) -> dict[str, Any]:
        # the user's functions are often lambdas, which do not pickle, and no question but theirs needs them
        left: dict[str, Any] = {"_bare": None, "_rows": None, "_functions": FunctionRegistry()}
        left |= {"_forests": {}, "_spaces": {}, "_shown": None}
        return self.__dict__ | left | {"_cache": PredictionCache(), "_cache_rows": None}

    def _bars(self, progress: bool) -> Any:
        """Show bars while something is computed, where they are wanted."""
        return bars_shown(progress)

    def _as_rows(self, *, ordered: bool = False) -> Rows:
        """Return the rows as verbs take sums over them."""
        return Resident(self)

    def _check_options(self, verb: str, **options: Any) -> None:
        """Refuse nothing: what some stores cannot answer, rows in memory can."""

    def _as_outline(self) -> StudyBase:
        """Return what has the columns of the rows, where only their names, levels and ranges are looked at."""
        return self

    def _as_source(self) -> Study:
        """Return this study as what results ask for more; its verbs are those of `Study`."""
        return cast("Study", self)

    def _require_model(self, what: str) -> Model:
        """Return the model, for what only a study of one "can predict" or "has".

        Raises
        ------
        InputError
            Where there is none, or it was left behind when the study was pickled with a result.
        """
        if self._model is not None:
            return self._model
        if not self._left_behind:
            raise InputError(f"Only a study of a model {what}; this one is of predictions. Use Study(model, X, y).")
        raise InputError(
            f"Only a study with its model {what}; {self._model_name} was left behind when a result was pickled. Use "
            "result.with_source(study) with the study it was made of."
        )

    def _check_effect(self) -> None:
        """Refuse an effect of a study without a model."""
        self._require_model("has effects")

    def _check_truth(self) -> None:
        if self._truth is not None and self._task == "binary":
            validation.check_both_classes(self._truth, self.sample_weight, self.classes)


@overload
def _widen(array: NDArray[Any]) -> NDArray[Any]: ...
@overload
def _widen(array: None) -> None: ...
def _widen(array: NDArray[Any] | None) -> NDArray[Any] | None:
    """Return codes as int64, so that counting with them cannot overflow; values as they are."""
    if array is None or array.dtype.kind == "f":
        return _lock(array)
    return _lock(array.astype(np.int64))


def _lock(array: ArrayOrNone) -> ArrayOrNone:
    """Return a view that cannot be written to, so that a study stays what was checked."""
    if array is None:
        return array
    view = array.view()
    view.flags.writeable = False
    return view
