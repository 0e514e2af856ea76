"""The study: a model, the rows it is judged on and its predictions, held together for every engine."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from tauscope.arguments import checks_arguments
from tauscope.data import validation
from tauscope.data.ranges import build_rows, sample_ranges
from tauscope.errors import InputError
from tauscope.model.calls import Model, Predictor, ResponseMethod
from tauscope.model.consistency import ask_again, consistency_notes
from tauscope.model.progress_bar import bars_shown
from tauscope.model.task import TaskHints, infer_output_spec
from tauscope.rows.inputs import read_inputs, read_predictions
from tauscope.rows.reading import TaskChoice
from tauscope.study.base import StudyBase
from tauscope.study.display import describe, mimebundle
from tauscope.weights.seeds import RandomState, seed_of
from tauscope.words import isolated


@checks_arguments
class Study(StudyBase):
    """A model, the rows it is judged on, and its predictions for them.

    Everything is checked once and the model asked once; what follows works on the stored answers. At most eight rows
    are asked about a second time, in another order and batch: where answers change, or most labels contradict the
    scores, `notes`, and whatever shows the study, say so.

    Parameters
    ----------
    model : estimator, Pipeline, object with `predict`, or callable
        A fitted scikit-learn estimator or Pipeline, explained in the columns of `X` as given; any object with
        `predict` (and `predict_proba`); or a function of rows. It is called with rows in the container of `X`:
        pandas, polars, array, or CSR of the sparse family.
    X : DataFrame, array or SciPy sparse matrix, shape (n_rows, n_columns)
        Numbers, bools, dates, text or categories. Missing values (NaN, None, pd.NA, null) are kept and can be
        stressed as a share of their own. Dates are read as decimal years, durations as days; the model gets them
        as they are. Not copied. A sparse matrix is never made dense: boundaries are searched, and named columns
        stressed, in what it stores; other verbs say that they take dense rows.
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
        Whether a bar shows when asking the model, `save`, `report` or a display takes longer than two seconds; other
        verbs have a `progress` of their own.

    Raises
    ------
    InputError, InputTypeError
        Subclasses of ValueError and TypeError, for anything above that does not hold; the message says the rule,
        what was received, and the next step.

    Notes
    -----
    Labels of a classifier are those of its `predict`, also where they are not those of the largest probability
    (tuned thresholds, `SVC`), so that a classifier with scores is asked twice about each row; `n_model_rows` counts
    both. ``response_method="predict"`` asks once and leaves scores out; ``Study(model.predict_proba, X, y)`` asks once
    and takes the class of the largest probability.

    A function's return is read by shape and content. Several columns are one score per class, in the order of the
    sorted labels or of `classes`; the largest names the label. One column is labels if it is text, bools, or all
    among those in y. Else, beside two classes, numbers in [0, 1] are the probability of the positive class,
    predicted above .5; ``response_method="decision_function"`` reads a score with the threshold zero. Whole numbers
    beside at most 20 whole numbers in y are labels; other numbers are values of a regression. Numbers in [0, 1]
    without y could be either, so that `task` has to tell.

    Examples
    --------
    >>> study = ts.Study(model, X_test, y_test)
    >>> study.n_rows, study.feature_names[:2]
    (284, ('mean radius', 'mean texture'))
    >>> round(study.reweight(ts.Mean("mean radius", tau=0.3)).ess)
    210
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
        validation.check_task(task)
        wrapped = Model(model, validation.check_task_response(response_method, task), batch_rows, progress)
        inputs = read_inputs(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            feature_names=feature_names,
            fitted_names=getattr(model, "feature_names_in_", None),
        )
        class_labels = validation.check_same_classes(wrapped.classes, classes)
        answers = wrapped.ask(inputs.table)
        hints = TaskHints(wrapped.kind, class_labels, inputs.y, task, response_method, pos_label)
        output_spec = infer_output_spec(answers, hints)
        prediction = output_spec(answers, wrapped.name)
        notes = consistency_notes(output_spec, answers, ask_again(wrapped, inputs.table), wrapped.method().name)
        self._settle(inputs, output_spec, prediction, wrapped, notes)

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

        Examples
        --------
        >>> ts.Study.from_predictions(X_test, y_test, y_pred=model.predict(X_test)).n_rows
        284
        """
        validation.check_task(task)
        inputs = read_inputs(
            X,
            y_true,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            feature_names=feature_names,
        )
        answers, method = read_predictions(inputs, X, y_pred, y_score)
        hints = TaskHints(
            "function",
            validation.check_same_classes(None, classes),
            inputs.y,
            task,
            method,
            pos_label,
            lone_score_is_positive=True,
        )
        output_spec = infer_output_spec(answers, hints)
        study = cls.__new__(cls)
        prediction = output_spec(answers, "y_pred")
        study._settle(inputs, output_spec, prediction, None, consistency_notes(output_spec, answers, None))
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

        Examples
        --------
        >>> drawn = ts.Study.from_ranges(lambda rows: rows["age"] > 40, {"age": (18, 90)}, n=500, random_state=0)
        >>> drawn.n_rows
        500
        """
        validation.check_no_labels(options)
        seed = seed_of(random_state)
        columns = sample_ranges(ranges, n, seed)
        X = build_rows(columns, model, as_frame)
        if isinstance(X, np.ndarray):
            options.setdefault("feature_names", list(columns))
        study = cls(model, X, **options)
        study._random_state = seed
        return study

    # each verb is written once, in a file of its own; its first parameter is the study
    from tauscope.study.boundary.boundaries import boundaries
    from tauscope.study.boundary.boundary import boundary, boundary_from as _boundary_from
    from tauscope.study.boundary.pooled import pooled_boundary, pooled_boundary_from as _pooled_boundary_from
    from tauscope.study.boundary.predict_row import predict_row
    from tauscope.study.code import to_code
    from tauscope.study.effects.attack import attack
    from tauscope.study.effects.by_group import effect_by_group as _effect_by_group
    from tauscope.study.effects.effect import effect, effect_from as _effect_from
    from tauscope.study.effects.effects import effects
    from tauscope.study.effects.randomisation import randomize_model
    from tauscope.study.report import report
    from tauscope.study.rows import read_points as _read_points
    from tauscope.study.rules.distribution import distribution
    from tauscope.study.rules.proofs import proved_rule as _proved_rule
    from tauscope.study.rules.rule_list import rule_list, rule_list_from as _rule_list_from
    from tauscope.study.rules.rules import rules, rules_from as _rules_from
    from tauscope.study.rules.rules_under import rules_under as _rules_under
    from tauscope.study.rules.same_decision import same_decision
    from tauscope.study.rules.sufficient import (
        sufficient,
        sufficient_from as _sufficient_from,
        sufficient_under as _sufficient_under,
    )
    from tauscope.study.rules.swing_rules import swing_rules
    from tauscope.study.stress.by_group import metrics_by, metrics_by_group as _metrics_by_group
    from tauscope.study.stress.calibration import calibration
    from tauscope.study.stress.compare import compare_outcomes as _compare_outcomes, pair_with as _pair_with
    from tauscope.study.stress.curves import stress_curves
    from tauscope.study.stress.curves_by_group import curves_by_group as _curves_by_group
    from tauscope.study.stress.harm import equal_shifts as _equal_shifts
    from tauscope.study.stress.image import stress_image
    from tauscope.study.stress.joint import joint_stress
    from tauscope.study.stress.pixels import images_of as _images_of
    from tauscope.study.stress.refit_curves import refit_curves
    from tauscope.study.stress.reweight import reweight, under
    from tauscope.study.stress.scenarios.scenarios import compare_scenarios, load_scenarios, save_scenarios
    from tauscope.study.stress.surface import stress_surface
    from tauscope.study.stress.thresholds import threshold_curves
    from tauscope.study.stress.towards.towards import (
        approach_rows as _approach,
        check_new_rows as _check_new_rows,
        read_target as _read_target,
        reweight_towards as _reweight_towards,
        towards,
    )
    from tauscope.study.stress.worst_case import worst_case
    from tauscope.study.table import table
    from tauscope.study.workspace import save, workspace

    def _show(self) -> Any:
        """Return the workspace, made once and again after it was closed; the curves where nothing can be moved."""
        if self._shown is None or self._shown.comm is None:
            with bars_shown(self._shows_progress):
                try:
                    self._shown = self.workspace().show_with_its_object()
                except InputError:
                    return self.stress_curves()
        return self._shown

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return mimebundle(self, self._show, include, exclude)

    def __repr__(self) -> str:
        return isolated(describe(self))
