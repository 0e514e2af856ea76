from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics

from results.samples import HOSTILE, QUOTED, binary_result, binary_study, regression_study, rows
from stores import predictions_in
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress import curves as engine
from tauscope.study.stress.curves import stress_curves
from tauscope.study.study import Study

STORED = pytest.mark.parametrize("store", ["memory", "chunks"])


@cache
def stored(store):
    """Return the binary study of the samples in a store."""
    one = binary_study()
    if store == "memory":
        return one
    labels = np.array(one.classes)
    return predictions_in(store, one.X, one.y, labels[one.predicted], one.score)


@STORED
def test_by_default_every_feature_that_can_be_moved(store):
    result = stored(store).stress_curves(taus=11)
    assert result.feature_names[:3] == ("age", "age = missing", HOSTILE)
    assert sum(name.startswith(f"{QUOTED} = ") for name in result.feature_names) == 3
    assert result.skipped == (("constant", "every observed value is 1"),)


@pytest.mark.parametrize("weighted", [False, True])
def test_curves_are_the_engines(weighted):
    study = binary_study(weighted)
    result = stress_curves(study, ["age", "gain"], taus=5, quantile=0.1, confidence=0.8)
    expected = engine.stress_curves(
        [feature.values() for feature in result.features],
        study._outcomes,
        taus=np.array([-1, -0.5, 0, 0.5, 1]),
        quantile=0.1,
        confidence=0.8,
        sample_weight=study.sample_weight,
    )
    for name in ("value", "lower", "upper", "target", "ess", "pareto_k", "kl", "tv"):
        np.testing.assert_array_equal(getattr(result._curves, name), getattr(expected, name))
    assert (result.quantile, result.confidence, result.n_rows) == (0.1, 0.8, study.n_rows)
    assert (result.model_name, result.task) == ("predictions", "binary")


def test_values_that_only_rows_without_weight_have_are_not_there():
    X = pd.DataFrame({"x": [0.0] * 40 + [1.0] * 40 + [2.0] * 20 + [1e6], "level": [*"aabc" * 25, "only here"]})
    study = Study.from_predictions(X, [0, 1] * 50 + [0], [0, 1, 1, 0] * 25 + [1], sample_weight=[1.0] * 100 + [0.0])
    result = stress_curves(study, taus=3)
    assert not any("only here" in name for name in result.feature_names)
    x = result.frame.query("feature == 'x' and tau == 1")
    assert set(x["target"]) == {2.0}
    assert x["ess"].to_numpy() == pytest.approx(20)
    assert np.isfinite(x[["value", "lower", "upper", "kl"]].to_numpy()).all()


@pytest.mark.parametrize(
    ("features", "names"),
    [
        ("age", ("age",)),
        (0, ("age", "age = missing")),
        ([HOSTILE, "age = missing"], (HOSTILE, "age = missing")),
        (lambda: (name for name in ("gain",)), ("gain",)),
        (QUOTED, tuple(f"{QUOTED} = {level}" for level in ("<img src=x>", "it's", "plain"))),
    ],
)
@STORED
def test_features_asked_for(store, features, names):
    named = features() if callable(features) else features
    assert stress_curves(stored(store), named, taus=3).feature_names == names


def test_a_feature_can_be_handed_back():
    feature = binary_result().features[0]
    assert stress_curves(binary_study(), feature, taus=3).features == (feature,)


@pytest.mark.parametrize("features", ["constant", ["age", "constant"], 5, ["age", 5]])
@STORED
def test_constant_feature_asked_for_is_refused(store, features):
    with pytest.raises(InputError, match="'constant': every observed value is 1"):
        stress_curves(stored(store), features)


def test_levels_without_rows_are_left_out_of_a_column():
    level = pd.Categorical(["a", "b"] * 10, categories=["a", "b", "never"])
    study = Study.from_predictions(pd.DataFrame({"c": level}), y_pred=[0, 1] * 10)
    result = stress_curves(study, "c", taus=3)
    assert result.feature_names == ("c = a", "c = b")
    assert result.skipped == (("c = never", "no row has this level"),)
    with pytest.raises(InputError, match="'c = never': no row has this level"):
        stress_curves(study, "c = never")


def test_nothing_to_stress():
    study = Study.from_predictions(pd.DataFrame({f"x{i}": np.zeros(4) for i in range(7)}), y_pred=[0, 1, 0, 1])
    with pytest.raises(InputError, match=r"'x0': every observed value is 0; .*; and 2 more"):
        stress_curves(study)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"features": "agee"}, UnknownName, "Nearest: 'age'"),
        ({"features": 1.5}, InputTypeError, "or a list of them; got 1.5"),
        ({"features": ["age", None]}, InputTypeError, "by name or position; got None"),
        ({"features": {"age": 1}}, InputTypeError, "or a list of them; got {'age': 1}"),
        ({"taus": 20}, InputError, "odd"),
        ({"taus": [0, 2]}, InputError, "got 2"),
        ({"taus": "all"}, InputTypeError, "taus must be"),
        ({"quantile": 0}, InputError, "quantile must lie strictly between 0 and 0.5; got 0. Try 0.05."),
        ({"quantile": 5}, InputError, "got 5. Try 0.05."),
        ({"quantile": 0.5}, InputError, "got 0.5"),
        ({"quantile": "5 %"}, InputTypeError, "quantile must be a number"),
        ({"confidence": 95}, InputError, "confidence must lie strictly between 0 and 1; got 95. Try 0.95."),
        ({"confidence": 1}, InputError, "got 1. Try 0.95."),
        ({"confidence": True}, InputTypeError, "got True"),
        ({"metrics": []}, InputError, "At least one metric"),
        ({"metrics": "eror_rate"}, UnknownName, "Nearest: 'error_rate'"),
        ({"metrics": "rmse"}, UnknownName, "needs a regression and y; this study is of two classes with y"),
        ({"metrics": ["f1", "f1"]}, InputError, r"\['f1'\] come more than once"),
        ({"metrics": 3}, InputTypeError, "got 3"),
        ({"interval": "bootstrap"}, InputError, "interval must be one of analytic, bootstrap-t; got 'bootstrap'"),
    ],
)
@STORED
def test_bad_input(store, options, error, words):
    with pytest.raises(error, match=words):
        stress_curves(stored(store), **options)


def test_what_is_held_is_named():
    with pytest.raises(InputTypeError, match=r"or a list of them; got 1\.5"):
        stress_curves(binary_study(), hold="means", hold_features=1.5)


def test_metric_that_needs_y():
    study = Study.from_predictions(rows(), y_pred=np.arange(300) % 2)
    assert stress_curves(study, "age", taus=3).metric_names == ("portion_1",)
    with pytest.raises(UnknownName, match=r"needs labels and y; .* two classes without y. It has: portion_0"):
        stress_curves(study, "age", metrics="error_rate")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        ("error_rate", ("error_rate",)),
        (["error_rate", "portion_no"], ("error_rate", "portion_no")),
        (["f1", "error_rate", "roc_auc"], ("f1", "error_rate", "roc_auc")),
        (sklearn.metrics.accuracy_score, ("accuracy_score",)),
        (("log_loss",), ("log_loss",)),
    ],
)
def test_metrics_in_the_order_asked(metrics, names):
    result = stress_curves(binary_study(), ["age", "gain"], taus=3, metrics=metrics)
    assert result.metric_names == names
    assert tuple(i.name for i in result._curves.metrics) == names
    assert result._curves.value.shape == (2, len(names), 3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_a_metric_agrees_with_the_index_it_equals(weighted):
    result = stress_curves(binary_study(weighted), [HOSTILE, "age"], taus=5, metrics=["error_rate", "zero_one_loss"])
    error, loss = np.moveaxis(result._curves.value, 1, 0)
    np.testing.assert_allclose(loss, error, atol=1e-9)
    assert not result._refinable
    middle = list(result.taus).index(0)
    np.testing.assert_array_less(result._curves.lower[:, 1, middle], loss[:, middle])


def test_a_regression_metric_agrees_with_rmse():
    result = stress_curves(regression_study(), ["age"], taus=3, metrics=["rmse", "root_mean_squared_error"])
    np.testing.assert_allclose(result._curves.value[:, 0], result._curves.value[:, 1], rtol=1e-9)


@pytest.mark.slow
def test_metrics_follow_to_other_taus():
    result = stress_curves(binary_study(), ["age"], taus=3, metrics="f1")
    assert result.at([0.3]).metric_names == ("f1",)
    assert result.rank(low=0, high=0.3).name == "f1"


@pytest.mark.slow
def test_widget_of_metrics_keeps_the_grid():
    result = stress_curves(binary_study(), ["age"], taus=5, metrics=["roc_auc", "error_rate"])
    view = result.widget(metric="roc_auc")
    assert view.message["taus"] == [-1, -0.5, 0, 0.5, 1]


def test_the_verb_of_a_study():
    result = binary_study().stress_curves(["age"], taus=3, metrics=["error_rate"], quantile=0.1, confidence=0.9)
    assert (result.feature_names, result.metric_names, result.quantile) == (("age",), ("error_rate",), 0.1)


def test_truth_of_one_row_apart():
    study = Study.from_predictions(pd.DataFrame({"x": [0.0, 1, 2, 3]}), [0, 0, 1, 1], [0, 1, 1, 1])
    result = stress_curves(study, taus=3, metrics="error_rate")
    assert result._curves.value[0, 0, 1] == pytest.approx(0.25)


@pytest.mark.slow
def test_bootstrap_intervals_are_repeatable_and_say_what_they_are():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2))
    study = Study.from_predictions(x, rng.integers(0, 2, 120), (x[:, 0] > 0).astype(int))
    curves = study.stress_curves(taus=3, metrics="error_rate", interval="bootstrap-t", random_state=5)
    again = study.stress_curves(taus=3, metrics="error_rate", interval="bootstrap-t", random_state=5)
    plain = study.stress_curves(taus=3, metrics="error_rate")
    np.testing.assert_array_equal(curves._curves.lower, again._curves.lower)
    np.testing.assert_array_equal(curves._curves.value, plain._curves.value)
    assert not np.array_equal(curves._curves.lower, plain._curves.lower)
    assert (curves.interval, curves.random_state, plain.random_state) == ("bootstrap-t", 5, None)
    assert isinstance(study.stress_curves(taus=3, interval="bootstrap-t").random_state, int)
    assert "bootstrap" in curves.widget().message["interval"]
    assert len(curves.widget().message["taus"]) == 3
