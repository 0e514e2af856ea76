import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.weighted_metrics import label_of
from tauscope.study.stress.sklearn_metrics import metric_bounds, metric_names, resolve_metric
from tauscope.study.study import Study

N = 200
RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N)})
TRUTH = np.where(X["a"] + RNG.normal(size=N) > 0, "yes", "no")
SCORE = 1 / (1 + np.exp(-(X["a"].to_numpy() + 0.3 * X["b"].to_numpy())))
WEIGHT = RNG.uniform(0, 3, N)


def binary(score=SCORE, pos_label=None):
    if score is None:
        return Study.from_predictions(X, TRUTH, np.where(SCORE > 0.5, "yes", "no"), pos_label=pos_label)
    return Study.from_predictions(X, TRUTH, np.where(SCORE > 0.5, "yes", "no"), score, pos_label=pos_label)


def regression():
    return Study.from_predictions(X, X["a"] + 3, X["a"] + 0.1 * X["b"] + 3)


@pytest.fixture(scope="module")
def multiclass():
    data, target = load_iris(return_X_y=True)
    return Study(LogisticRegression(max_iter=1000).fit(data[::2], target[::2]), data[1::2], target[1::2])


@pytest.mark.parametrize("name", ["accuracy", "f1", "balanced_accuracy", "matthews_corrcoef", "jaccard"])
def test_scoring_strings_of_labels(name):
    scorer = sklearn.metrics.get_scorer(name)._score_func
    expected = scorer(TRUTH == "yes", SCORE > 0.5, sample_weight=WEIGHT)
    assert resolve_metric(binary(), name).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "function", "sign"),
    [
        ("roc_auc", sklearn.metrics.roc_auc_score, 1),
        ("average_precision", sklearn.metrics.average_precision_score, 1),
        ("neg_log_loss", sklearn.metrics.log_loss, -1),
        ("neg_brier_score", sklearn.metrics.brier_score_loss, -1),
    ],
)
def test_scoring_strings_of_scores(name, function, sign):
    expected = sign * function(TRUTH == "yes", SCORE, sample_weight=WEIGHT)
    assert resolve_metric(binary(), name).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["roc_auc_score", "log_loss", "brier_score_loss", "average_precision_score"])
def test_functions_of_scores_by_name(name):
    expected = getattr(sklearn.metrics, name)(TRUTH == "yes", SCORE, sample_weight=WEIGHT)
    assert resolve_metric(binary(), name).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["f1_score", "zero_one_loss", "cohen_kappa_score"])
def test_functions_of_labels_by_name(name):
    expected = getattr(sklearn.metrics, name)(TRUTH == "yes", SCORE > 0.5, sample_weight=WEIGHT)
    assert resolve_metric(binary(), name).of_weights(WEIGHT) == pytest.approx(expected)


def test_names_follow_pos_label():
    expected = sklearn.metrics.recall_score(TRUTH == "no", SCORE <= 0.5, sample_weight=WEIGHT)
    assert resolve_metric(binary(None, "no"), "recall").of_weights(WEIGHT) == pytest.approx(expected)
    flipped = binary(1 - SCORE, "no")
    assert resolve_metric(flipped, "roc_auc").of_weights(WEIGHT) == pytest.approx(
        sklearn.metrics.roc_auc_score(TRUTH == "no", 1 - SCORE, sample_weight=WEIGHT)
    )


def test_decision_values_rank_but_are_no_probabilities():
    model = SVC().fit(X, TRUTH)
    study = Study(model, X, TRUTH)
    margin = model.decision_function(X)
    expected = sklearn.metrics.roc_auc_score(TRUTH == "yes", margin, sample_weight=WEIGHT)
    assert resolve_metric(study, "roc_auc").of_weights(WEIGHT) == pytest.approx(expected)
    hinge = sklearn.metrics.hinge_loss(TRUTH == "yes", margin, sample_weight=WEIGHT)
    assert resolve_metric(study, "hinge_loss").of_weights(WEIGHT) == pytest.approx(hinge)
    with pytest.raises(InputError, match="neg_log_loss needs scores"):
        resolve_metric(study, "neg_log_loss")


@pytest.mark.parametrize(
    "metric",
    [
        "hinge_loss",
        sklearn.metrics.hinge_loss,
        sklearn.metrics.make_scorer(sklearn.metrics.hinge_loss, response_method="decision_function"),
    ],
)
def test_no_margin_is_read_from_probabilities(multiclass, metric):
    for study in (binary(), multiclass):
        with pytest.raises(InputError, match="response_method="):
            resolve_metric(study, metric)


SCORED = [
    "average_precision_score", "brier_score_loss", "d2_brier_score", "d2_log_loss_score", "log_loss", "roc_auc_score",
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in SCORED if hasattr(sklearn.metrics, name)])
def test_functions_of_scores_are_not_given_labels(name):
    function = getattr(sklearn.metrics, name)
    expected = function(TRUTH == "yes", SCORE, sample_weight=WEIGHT)
    assert resolve_metric(binary(), function).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize("pos_label", [None, "no"])
def test_scorers_see_the_labels(pos_label):
    score = SCORE if pos_label is None else 1 - SCORE
    scorer = sklearn.metrics.make_scorer(sklearn.metrics.f1_score, pos_label="no")
    expected = sklearn.metrics.f1_score(TRUTH, np.where(SCORE > 0.5, "yes", "no"), pos_label="no", sample_weight=WEIGHT)
    assert resolve_metric(binary(score, pos_label), scorer).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize("pos_label", [None, "no"])
def test_scorers_of_probabilities_see_sorted_classes(pos_label):
    score = SCORE if pos_label is None else 1 - SCORE
    scorer = sklearn.metrics.make_scorer(sklearn.metrics.log_loss, response_method="predict_proba")
    expected = sklearn.metrics.log_loss(TRUTH, np.column_stack([1 - SCORE, SCORE]), sample_weight=WEIGHT)
    assert resolve_metric(binary(score, pos_label), scorer).of_weights(WEIGHT) == pytest.approx(expected)


def test_functions_see_the_labels_and_keep_their_name():
    def share_right(y_true, y_pred, sample_weight=None):
        assert set(y_true) == {"no", "yes"}
        return np.average(y_true == y_pred, weights=sample_weight)

    metric = resolve_metric(binary(), share_right)
    assert metric.name == "share_right"
    assert metric.of_weights(WEIGHT) == pytest.approx(np.average((TRUTH == "yes") == (SCORE > 0.5), weights=WEIGHT))


def test_mixed_labels_stay_what_they_are():
    study = Study.from_predictions(X[:4], [1, "b", 1, "b"], [1, 1, "b", "b"])

    def hits(y_true, y_pred, *, sample_weight):
        return sum(w for t, p, w in zip(y_true, y_pred, sample_weight, strict=True) if t == p)

    assert resolve_metric(study, hits).of_weights(np.array([1.0, 2, 3, 4])) == 5


def test_callable_object_and_keywords():
    class Share:
        def __call__(self, y_true, y_pred, **options):
            return float(np.average(y_true == y_pred, weights=options["sample_weight"]))

    metric = resolve_metric(binary(), Share())
    assert metric.name == "Share"
    assert 0 < metric.of_weights(WEIGHT) < 1


@pytest.mark.parametrize("name", ["r2", "neg_mean_absolute_error", "neg_root_mean_squared_error", "explained_variance"])
def test_regression_scoring_strings(name):
    study = regression()
    scorer = sklearn.metrics.get_scorer(name)
    expected = scorer._sign * scorer._score_func(study._true_values, study.predicted, sample_weight=WEIGHT)
    assert resolve_metric(study, name).of_weights(WEIGHT) == pytest.approx(expected)


def test_regression_functions():
    study = regression()
    expected = sklearn.metrics.mean_absolute_error(study._true_values, study.predicted, sample_weight=WEIGHT)
    assert resolve_metric(study, "mean_absolute_error").of_weights(WEIGHT) == pytest.approx(expected)
    assert resolve_metric(study, sklearn.metrics.mean_absolute_error).of_weights(WEIGHT) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["f1_macro", "roc_auc_ovr", "neg_log_loss", "top_k_accuracy", "log_loss"])
def test_several_classes(multiclass, name):
    weight = np.random.default_rng(1).uniform(0, 2, multiclass.n_rows)
    value = resolve_metric(multiclass, name).of_weights(weight)
    if name in ("neg_log_loss", "log_loss"):
        expected = sklearn.metrics.log_loss(multiclass._true_values, multiclass._scores, sample_weight=weight)
        assert abs(value) == pytest.approx(expected)
    assert np.isfinite(value)


def test_undefined_under_some_weights_is_nan():
    metric = resolve_metric(binary(), "roc_auc")
    assert np.isnan(metric.of_weights((TRUTH == "yes").astype(float)))

    def fussy(y_true, y_pred, sample_weight):
        if sample_weight[0] == 0:
            raise ValueError("no weight on the first row")
        return 1.0

    assert np.isnan(resolve_metric(binary(), fussy).of_weights(np.zeros(N)))


def test_the_model_is_not_asked_again():
    study = Study(LogisticRegression().fit(X, TRUTH), X, TRUTH)
    before = study.n_model_rows
    resolve_metric(study, "roc_auc").of_weights(WEIGHT)
    assert study.n_model_rows == before


def no_weight(y_true, y_pred):
    return 0.5


def two_numbers(y_true, y_pred, sample_weight=None):
    return np.zeros(2)


def undefined(y_true, y_pred, sample_weight=None):
    return np.nan


def fails(y_true, y_pred, sample_weight=None):
    raise TypeError("unexpected type")


@pytest.mark.parametrize(
    ("study", "metric", "error", "words"),
    [
        (binary, "rocauc", UnknownName, "no metric 'rocauc'. Nearest: 'roc_auc'"),
        (binary, 3, InputTypeError, "got 3"),
        (binary, no_weight, InputTypeError, "takes y_true, y_pred"),
        (binary, two_numbers, InputError, "one finite number"),
        (binary, undefined, InputError, "gave nan"),
        (binary, fails, InputTypeError, "unexpected type"),
        (binary, "confusion_matrix", InputError, "one finite number"),
        (binary, sklearn.metrics.make_scorer(no_weight), InputTypeError, "sample_weight"),
        (lambda: binary(None), "roc_auc_score", InputError, "holds labels only"),
        (lambda: binary(None), "roc_auc", InputError, "needs scores"),
        (regression, "f1", InputError, "does not fit"),
        (lambda: Study.from_predictions(X, y_pred=TRUTH), "f1", InputError, "this study has no y"),
        (lambda: Study.from_predictions(X, y_pred=TRUTH), no_weight, InputError, "for no_weight"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed(study, metric, error, words):
    with pytest.raises(error, match=words):
        resolve_metric(study(), metric)


def test_metric_names_all_take_weights():
    names = metric_names()
    assert {"roc_auc", "f1_score", "log_loss"} <= set(names)
    assert "max_error" not in names
    assert names == sorted(names)


@pytest.mark.parametrize("result", [None, "a report", {"f1": 0.5}, [0.5], 1j])
def test_what_is_no_number_is_refused(result):
    def report(y_true, y_pred, sample_weight=None):
        return result

    with pytest.raises(InputError, match="must give one finite number; report gave"):
        binary().stress_curves("a", metrics=[report])


def test_warnings_are_gathered_into_one_note():
    def loud(y_true, y_pred, sample_weight=None):
        warnings.warn("the labels look odd.", UserWarning, stacklevel=2)
        return float(np.average(y_true == y_pred, weights=sample_weight))

    curves = binary().stress_curves(["a", "b"], metrics=[loud], taus=[0.0, 0.5])
    assert [note for note in curves.notes if "odd" in note] == ["loud warned 44 times: “the labels look odd”"]


@pytest.mark.parametrize("name", ["jaccard", "f1_macro", "matthews_corrcoef"])
@pytest.mark.slow
def test_intervals_stay_within_the_bounds_of_the_metric(name):
    rows = slice(0, 30)
    nearly = TRUTH[rows].copy()
    nearly[0] = "no" if nearly[0] == "yes" else "yes"
    study = Study.from_predictions(X[rows], TRUTH[rows], nearly, np.where(nearly == "yes", 0.99, 0.01))
    frame = study.stress_curves("a", metrics=name).frame.dropna(subset="lower")
    low, high = metric_bounds(name)
    assert len(frame)
    assert ((frame["lower"] >= low) & (frame["upper"] <= high)).all()


def test_bounds_are_known_of_scikit_learn_alone_and_without_options():
    def f1_of_mine(y_true, y_pred, sample_weight=None):
        return 7.0

    count = sklearn.metrics.make_scorer(sklearn.metrics.accuracy_score, normalize=False)
    assert resolve_metric(binary(), sklearn.metrics.jaccard_score.__name__).bounds == (0, 1)
    assert resolve_metric(binary(), sklearn.metrics.matthews_corrcoef).bounds == (-1, 1)
    for metric in (f1_of_mine, count, "neg_log_loss"):
        assert resolve_metric(binary(), metric).bounds == (-np.inf, np.inf)


@pytest.mark.slow
def test_the_cost_is_said_before_the_work(monkeypatch):
    said = []

    def record(items, doing, total, unit):
        said.append(doing)
        return items

    for module in ("progress_bar", "jobs"):
        monkeypatch.setattr(f"tauscope.model.{module}.progress", record)
    labels = (
        binary().stress_curves(["a", "b"], metrics=["matthews_corrcoef", "roc_auc"], taus=[0.0, 0.5])._curves.metrics
    )
    assert "Measuring by 44 calls of matthews_corrcoef" in said
    assert label_of("roc_auc_ovr") == "ROC AUC OvR"
    assert [metric.label for metric in labels] == ["matthews corrcoef", "ROC AUC"]
