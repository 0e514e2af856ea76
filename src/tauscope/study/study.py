"""The study: a model, the rows it is judged on and its predictions, held together for every engine."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study import checks, labels
from tauscope.study.columns import Column
from tauscope.study.display import describe, mimebundle
from tauscope.study.frames import read_table
from tauscope.study.given import Given, read_given, read_predictions
from tauscope.study.model import Model, Predictor, ResponseMethod
from tauscope.study.prediction import Prediction, Reading
from tauscope.study.ranges import RandomState, as_rows, sample_ranges, seed_of
from tauscope.study.task import Known, find_reading

if TYPE_CHECKING:
    from tauscope.results.effect import FeatureEffect, Kind
    from tauscope.results.reweighting import Reweighting
    from tauscope.results.stress_curves import Interval, StressCurves
    from tauscope.stress.constraints import Constraint, Stress
    from tauscope.stress.held import Hold
    from tauscope.study.effect import EffectInterval, Method
    from tauscope.study.effect_grid import Spacing
    from tauscope.study.indices import IndexLike
    from tauscope.study.stress import Features

Held = TypeVar("Held", bound=NDArray[Any] | None)
TaskChoice = Literal["auto", "binary", "multiclass", "regression"]


class Study:
    """A model, the rows it is judged on, and its predictions for them.

    Everything is checked once and the model asked once; what follows works on the stored answers.

    Parameters
    ----------
    model : estimator, Pipeline, object with `predict`, or callable
        A fitted scikit-learn estimator or Pipeline, explained in the columns of `X` as given; any object with
        `predict` (and `predict_proba`); or a function of rows. It is called with rows in the container of `X`:
        pandas, polars, or array.
    X : DataFrame or array of shape (n_rows, n_columns)
        Numbers, bools, dates, text or categories. Missing values (NaN, None, pd.NA, null) are kept and can be
        stressed as a share of their own. Dates are read as decimal years, durations as days; the model gets them
        as they are. Not copied.
    y : column of shape (n_rows,), optional
        True labels or values. Without it, what the model predicts can still be studied.
    sample_weight : column of shape (n_rows,), optional
        Zero or more; scaled to mean 1.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
        What gives a classifier's scores. "auto" takes the first of the first two that is there, "predict" none. For
        a function: how its one number per row is read (see Notes).
    pos_label : label, optional
        The positive one of two classes; by default the second, `classes_[1]`.
    categorical_features : "infer", None, or mask, positions or names of columns, default "infer"
        Columns of numbers or bools named here are taken as levels. Text always is; a frame's own categories are
        with "infer", and with None where they are not numbers.
    feature_names : sequence of str, optional
        Names to show, one per column. By default those of the frame, of the fit, or x0, x1, …
    batch_rows : int, optional
        Most rows the model is asked about at once; by default as many as fill four million cells, at most 65,536.
    task : {"auto", "binary", "multiclass", "regression"}, default "auto"
        Set it where it cannot be found: "regression" for a classifier of grades, "binary" for a function of
        probabilities without y.
    classes : sequence of labels, optional
        Labels in the order of the model's columns, or (negative, positive); for a model without `classes_` where y
        does not show them all.
    progress : bool, default True
        Whether a bar shows when asking the model takes longer than two seconds.

    Raises
    ------
    InputError, InputTypeError
        Subclasses of ValueError and TypeError, for anything above that does not hold; the message says the rule,
        what was received, and the next step.

    Notes
    -----
    Labels of a classifier are those of its `predict`, also where they are not those of the largest probability
    (tuned thresholds, `SVC`), so that a classifier with scores is asked twice about each row; `model_rows` counts
    both. ``response_method="predict"`` asks once and leaves scores out; ``Study(model.predict_proba, X, y)`` asks once
    and takes the class of the largest probability.

    A function's return is read by shape and content. Several columns are one score per class, in the order of the
    sorted labels or of `classes`; the largest names the label. One column is labels if it is text, bools, or all
    among those in y. Else, beside two classes, numbers in [0, 1] are the probability of the positive class,
    predicted above .5; ``response_method="decision_function"`` reads a score with the threshold zero. Whole numbers
    beside at most 20 whole numbers in y are labels; other numbers are values of a regression. Numbers in [0, 1]
    without y could be either, so that `task` has to tell.
    """

    def __init__(
        self,
        model: Predictor | Callable[[Any], Any],
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        response_method: ResponseMethod = "auto",
        pos_label: Hashable = None,
        categorical_features: Any = "infer",
        feature_names: Sequence[str] | None = None,
        batch_rows: int | None = None,
        task: TaskChoice = "auto",
        classes: Sequence[Hashable] | None = None,
        progress: bool = True,
    ) -> None:
        checks.check_task(task)
        asked = Model(model, checks.check_scores_wanted(response_method, task), batch_rows, progress)
        given = read_given(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            feature_names=feature_names,
            fitted_names=getattr(model, "feature_names_in_", None),
        )
        known_classes = checks.check_same_classes(asked.classes, classes)
        answers = asked.ask(given.table)
        known = Known(asked.kind, known_classes, given.y, task, response_method, pos_label)
        reading = find_reading(answers, known)
        self._settle(given, reading, reading(answers, asked.name), asked)

    @classmethod
    def from_predictions(
        cls,
        X: Any,
        y_true: Any = None,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        pos_label: Hashable = None,
        categorical_features: Any = "infer",
        feature_names: Sequence[str] | None = None,
        task: TaskChoice = "auto",
        classes: Sequence[Hashable] | None = None,
    ) -> Self:
        """Study predictions made elsewhere, without a model.

        Parameters
        ----------
        X : DataFrame or array of shape (n_rows, n_columns)
        y_true : column of shape (n_rows,), optional
        y_pred : column of shape (n_rows,), optional
            Labels or values. Left out, labels follow from `y_score`: the class of the largest of several columns;
            for one column the positive class above .5 where all scores lie in [0, 1], and above zero otherwise.
        y_score : column of shape (n_rows,) or columns of shape (n_rows, n_classes), optional
            Score of the positive class, or of each class in the order of the sorted labels or of `classes`.
        sample_weight, pos_label, categorical_features, feature_names, task, classes
            As in `Study`.

        Returns
        -------
        Study

        Raises
        ------
        InputError, InputTypeError
            As in `Study`, and when neither `y_pred` nor `y_score` is given.
        """
        checks.check_task(task)
        given = read_given(
            X,
            y_true,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            feature_names=feature_names,
        )
        answers, method = read_predictions(given, X, y_pred, y_score)
        known = Known(
            "function",
            checks.check_same_classes(None, classes),
            given.y,
            task,
            method,
            pos_label,
            lone_score_is_positive=True,
        )
        reading = find_reading(answers, known)
        study = cls.__new__(cls)
        study._settle(given, reading, reading(answers, "y_pred"), None)
        return study

    @classmethod
    def from_ranges(
        cls,
        model: Predictor | Callable[[Any], Any],
        ranges: Mapping[str, Any],
        *,
        n: int = 10_000,
        random_state: RandomState = None,
        as_frame: bool | None = None,
        **options: Any,
    ) -> Self:
        """Study a model without any data, on rows drawn from the neutral uniform distribution.

        Parameters
        ----------
        model : as in `Study`
        ranges : mapping of column name to (low, high) or list of levels
            ``{"age": (18, 90), "sex": ["F", "M"]}``: two whole numbers draw integers, both ends included; two
            numbers otherwise reals; a list one of its entries. Columns are independent.
        n : int, default 10,000
            Rows to draw.
        random_state : int, RandomState, Generator or None
            `random_state` of the study is an int that repeats the draw, whatever was given.
        as_frame : bool, optional
            Whether the model gets a pandas DataFrame or an array. By default a frame, unless an estimator was
            fitted on an array.
        **options
            As in `Study`; there is no y.

        Returns
        -------
        Study

        References
        ----------
        Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
        projection", Remark 2.1.
        """
        checks.check_no_labels(options)
        seed = seed_of(random_state)
        columns = sample_ranges(ranges, n, seed)
        X = as_rows(columns, model, as_frame)
        if isinstance(X, np.ndarray):
            options.setdefault("feature_names", list(columns))
        study = cls(model, X, **options)
        study._random_state = seed
        return study

    def _settle(self, given: Given, reading: Reading, prediction: Prediction, model: Model | None) -> None:
        truth = None if given.y is None else reading.truth(given.y)
        if truth is not None and reading.task == "binary":
            checks.check_both_classes(truth.astype(np.int64, copy=False), given.sample_weight, reading.classes)
        self._given = given
        self._reading = reading
        self._prediction = prediction
        self._truth = truth
        self._model = model
        self._random_state: int | None = None

    @property
    def X(self) -> Any:
        """The rows, in the container they were given in."""
        return self._given.table.native

    @property
    def y(self) -> NDArray[Any] | None:
        """True labels or values as given, shape (n_rows,); None where there are none."""
        return _locked(self._given.y)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._given.table.n_rows

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns as the engines read them."""
        return self._given.columns

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self._reading.task

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression."""
        return self._reading.classes

    @property
    def pos_label(self) -> Hashable:
        """The positive class, code 1; None unless the task is binary."""
        return self.classes[1] if self.task == "binary" else None

    @property
    def truth(self) -> NDArray[np.int64] | NDArray[np.float64] | None:
        """True class codes or values, shape (n_rows,); None where y was not given."""
        return _locked(self._truth)

    @property
    def predicted(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """Predicted class codes or values, shape (n_rows,)."""
        return _locked(self._prediction.predicted)

    @property
    def score(self) -> NDArray[np.float64] | None:
        """Binary tasks: score of the positive class, shape (n_rows,); None where there is none."""
        return _locked(self._prediction.score)

    @property
    def scores(self) -> NDArray[np.float64] | None:
        """Multiclass tasks: score of each class in code order, shape (n_rows, n_classes); None where there is none."""
        return _locked(self._prediction.scores)

    @property
    def sample_weight(self) -> NDArray[np.float64] | None:
        """Weights with mean 1, shape (n_rows,); None where all rows count alike."""
        return _locked(self._given.sample_weight)

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return "predictions" if self._model is None else self._model.name

    @property
    def model_rows(self) -> int:
        """Rows the model has been asked about so far; a row asked for label and for score counts twice."""
        return 0 if self._model is None else self._model.rows_asked

    @property
    def random_state(self) -> int | None:
        """Seed of the rows drawn by `from_ranges`, else None."""
        return self._random_state

    @property
    def outcomes(self) -> Outcomes:
        """Predictions and truth as the engines take them."""
        return Outcomes(self.task, self.predicted, self.truth, self.score, labels.names(self.classes))

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
        """
        if self._model is None:
            raise InputError("Only a study of a model can predict; this one is of predictions. Use Study(model, X, y).")
        table = read_table(X)
        checks.check_not_empty(table)
        checks.check_same_columns(table, self._given.table)
        return self._reading(self._model.ask(table), self._model.name)

    def stress_curves(
        self,
        features: "Features | None" = None,
        *,
        taus: int | Sequence[float] = 21,
        alpha: float = 0.05,
        indices: "IndexLike | Sequence[IndexLike] | None" = None,
        confidence: float = 0.95,
        interval: "Interval" = "analytic",
        random_state: RandomState = None,
        hold: "Hold | None" = None,
        hold_features: "Features | None" = None,
    ) -> "StressCurves":
        """Move the mean of one feature at a time, all else as close as can be, and follow what the model does.

        Parameters
        ----------
        features : name, position, or several of them, optional
            A column of levels gives the share of each. By default every feature that can be moved.
        taus : int or sequence of float, default 21
            An odd number of steps from -1 to 1, or values in [-1, 1].
        alpha : float, default 0.05
            τ = -1 and τ = +1 stand for the quantiles alpha and 1 - alpha of the feature.
        indices : str, callable, or several, optional
            Names of the task's indices, such as "error_rate", or any scikit-learn metric. By default the task's own.
        confidence : float, default 0.95
            Level of the intervals, in (0, 1).
        interval : {"analytic", "bootstrap-t"}
            How the intervals are made: from influence functions, or by 300 replicates of the rows, dearer and truer
            for small data and curved responses.
        random_state : int, Generator or None
            Draws the replicates.
        hold : {"means", "uncorrelated"}, optional
            What stays while a feature moves: the means of all others, or also their being uncorrelated with it. Tells
            causation from correlation; dearer, and on few rows out of reach, which is said.
        hold_features : name, position, or several of them, optional
            What is held; by default every other feature but the rarest levels.

        Returns
        -------
        StressCurves

        Raises
        ------
        UnknownName
            For a feature or index that is not there, with the nearest names.
        InputError
            For a feature that no stress can move, or a number out of its range.
        """
        from tauscope.study.stress import stress_curves

        return stress_curves(
            self,
            features,
            taus=taus,
            alpha=alpha,
            indices=indices,
            confidence=confidence,
            interval=interval,
            random_state=random_state,
            hold=hold,
            hold_features=hold_features,
        )

    def reweight(
        self, stress: "Constraint | Stress", *, alpha: float = 0.05, confidence: float = 0.95
    ) -> "Reweighting":
        """Find the closest weights under which a stress holds; see `tauscope.study.reweight`."""
        from tauscope.study.reweight import reweight

        return reweight(self, stress, alpha=alpha, confidence=confidence)

    def under(self, stress: "Constraint | Stress | Reweighting", *, alpha: float = 0.05) -> Self:
        """Return the same study with its rows weighted as a stress, or a reweighting of it, has them.

        Stresses on the new study start from these weights. The model is not asked again.
        """
        from tauscope.study.reweight import stressed_weights

        weights = stressed_weights(self, stress, alpha)
        return self._like(replace(self._given, sample_weight=weights), self._prediction)

    def effect(
        self,
        feature: str | int | Sequence[str | int],
        *,
        kind: "Kind" = "pd",
        grid: Any = 50,
        spacing: "Spacing" = "quantile",
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        window: float | None = None,
        n_neighbors: int | None = None,
        interval: "EffectInterval" = "analytic",
        confidence: float = 0.95,
        random_state: RandomState = None,
        ice_bytes: int = 2**28,
        method: "Method" = "auto",
        progress: bool = True,
    ) -> "FeatureEffect":
        """Compute what the model's answer is along one feature, or over two.

        Parameters
        ----------
        feature : name, position, or two of them
            A column, of numbers, dates, bools or levels.
        kind : {"pd", "cd", "ale"}, default "pd"
            Partial dependence sets the value in every row; conditional dependence in the rows near it; an accumulated
            local effect adds up changes within bins, centred to mean 0. Two features of "ale": their interaction.
        grid : int or sequence, default 50
            Most points: values that occur, or levels, the most frequent first; of two features an int above 20
            counts as 20 for each. Or the points themselves: numbers, dates, names of levels, None for missing; of two
            features a pair of such. Points outside the data are allowed, and said. Weights take no part in it, so
            that `study.under(stress).effect(…)` stands on the same points.
        spacing : {"quantile", "equidistant"}, default "quantile"
            Of numbers.
        response_method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
            What is followed: the study's scores where there are any, else the share predicted; "predict" of a
            classifier is that share too. Of a regression its values.
        target_class : label, optional
            By default the positive class of two, and every class of several.
        window : float, optional
            kind="cd": half the width of the window around each point, in the feature's unit; by default 1/18 of its
            range.
        n_neighbors : int, optional
            kind="cd": the nearest rows, instead.
        interval : {"analytic", "bootstrap"}, default "analytic"
            Of the mean over rows, the model held fixed: Student t, or percentiles of 200 replicates of the rows.
        confidence : float, default 0.95
            Level of the interval, in (0, 1).
        random_state : int, Generator or None
            Draws the replicates.
        ice_bytes : int, default 2**28
            Memory for individual curves; where they need more they are not kept, and the result has no bounds.
        method : {"auto", "brute"}, default "auto"
            "auto" reads partial dependence of scikit-learn's tree ensembles from their nodes where all columns are
            numbers: the same numbers, and the model is asked about a few rows only, as a check. "brute" always asks.
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt leaves the effect of the rows asked about so far.

        Returns
        -------
        FeatureEffect
            `.frame`, `.chart()`, `.bounds()`, `.breakdown()`, `.under(stress)`, `.model_rows`.

        Raises
        ------
        UnknownName
            For a feature, level or class that is not there, with the nearest names.
        InputError, InputTypeError
            For a constant feature, a grid that cannot be used, or a study without a model.
        """
        from tauscope.study.effect import effect

        return effect(
            self,
            self._given,
            self._model,
            self._reading,
            self._prediction,
            feature,
            kind=kind,
            grid=grid,
            spacing=spacing,
            response_method=response_method,
            target_class=target_class,
            window=window,
            n_neighbors=n_neighbors,
            interval=interval,
            confidence=confidence,
            random_state=random_state,
            ice_bytes=ice_bytes,
            method=method,
            progress=progress,
        )

    def where(self, rows: Any) -> Self:
        """Return the study of a subgroup: one bool per row, or a function that gives them for `X`.

        The model is not asked again; sample weights are scaled to mean 1 within the subgroup.
        """
        from tauscope.study.subset import take_given, take_prediction, which_rows

        kept = which_rows(self.X, rows, self.n_rows)
        return self._like(take_given(self._given, kept), take_prediction(self._prediction, kept))

    def _like(self, given: Given, prediction: Prediction) -> Self:
        """Return a study by the same model and reading, of other rows or weights."""
        study = type(self).__new__(type(self))
        study._settle(given, self._reading, prediction, self._model)
        return study

    def __repr__(self) -> str:
        return describe(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return mimebundle(self, include, exclude)


def _locked(array: Held) -> Held:
    """Return a view that cannot be written to, so that a study stays what was checked."""
    if array is None:
        return array
    view = array.view()
    view.flags.writeable = False
    return view
