"""Metrics asked for by scikit-learn's names: its values without stress, and the same ones from every verb."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk

import tauscope as ts
from tauscope.errors import InputError
from tauscope.study.study import Study

N = 400
TAUS = [-0.5, 0.0, 0.75]
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N), "c": RNG.integers(0, 9, N) * 1.0})
NOISE = RNG.normal(size=N)
SCORE = 1 / (1 + np.exp(-(ROWS["a"] + 0.5 * ROWS["b"]).to_numpy()))
WEIGHT = RNG.uniform(0.5, 2, N)
TIED = np.round(SCORE, 2)
TRUTH = {
    "binary": (SCORE + 0.3 * NOISE > 0.5).astype(int),
    "multiclass": np.digitize(SCORE + 0.2 * NOISE, [0.35, 0.6]),
    "regression": 4 * SCORE + NOISE,
}
GUESS = {"binary": (SCORE > 0.5).astype(int), "multiclass": np.digitize(SCORE, [0.35, 0.6]), "regression": 4 * SCORE}
SCORES = np.column_stack([1 - SCORE, SCORE, 0.5 * np.ones(N)]) / 1.5
SUMMED = {
    "binary": {
        "accuracy": sk.accuracy_score,
        "accuracy_score": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "precision": sk.precision_score,
        "recall": sk.recall_score,
        "f1": sk.f1_score,
        "f1_score": sk.f1_score,
        "specificity": lambda y, p, sample_weight: sk.recall_score(y, p, pos_label=0, sample_weight=sample_weight),
        "false_negative_rate": lambda y, p, sample_weight: 1 - sk.recall_score(y, p, sample_weight=sample_weight),
        "recall_0": lambda y, p, sample_weight: sk.recall_score(y, p, pos_label=0, sample_weight=sample_weight),
        "f1_0": lambda y, p, sample_weight: sk.f1_score(y, p, pos_label=0, sample_weight=sample_weight),
        "brier_score_loss": lambda y, p, sample_weight: sk.brier_score_loss(y, SCORE, sample_weight=sample_weight),
        "calibration_in_the_large": lambda y, p, sample_weight: np.average(SCORE - y, weights=sample_weight),
        "log_loss": lambda y, p, sample_weight: sk.log_loss(y, SCORE, sample_weight=sample_weight),
    },
    "multiclass": {
        "accuracy": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "log_loss": lambda y, p, sample_weight: sk.log_loss(y, SCORES, sample_weight=sample_weight),
        **{
            f"{name}_{code}": lambda y, p, sample_weight, function=function, code=code: function(
                y, p, average=None, sample_weight=sample_weight
            )[code]
            for name, function in (("recall", sk.recall_score), ("precision", sk.precision_score), ("f1", sk.f1_score))
            for code in range(3)
        },
    },
    "regression": {
        "mean_absolute_error": sk.mean_absolute_error,
        "bias": lambda y, p, sample_weight: np.average(p - y, weights=sample_weight),
    },
}
RANKED = {
    "binary": {
        "roc_auc": lambda y, p, sample_weight: sk.roc_auc_score(y, TIED, sample_weight=sample_weight),
        "average_precision": lambda y, p, sample_weight: sk.average_precision_score(
            y, TIED, sample_weight=sample_weight
        ),
        "roc_auc_score": lambda y, p, sample_weight: sk.roc_auc_score(y, TIED, sample_weight=sample_weight),
    },
    "regression": {"r2": sk.r2_score, "r2_score": sk.r2_score},
}
CHUNKED = {
    "binary": {"target": "y", "prediction": "prediction", "score": "score"},
    "multiclass": {"target": "y", "prediction": "prediction"},
    "regression": {"target": "y", "prediction": "prediction"},
}
TASKS = pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
WEIGHTS = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])


class GuessesOfThree:
    """A classifier of the rows' own columns, with the guesses and scores of a multiclass task."""

    classes_ = np.arange(3)

    def predict_proba(self, rows):
        score = 1 / (1 + np.exp(-(rows["a"] + 0.5 * rows["b"]).to_numpy()))
        return np.column_stack([1 - score, score, 0.5 * np.ones(len(score))]) / 1.5

    def predict(self, rows):
        return np.digitize(1.5 * self.predict_proba(rows)[:, 1], [0.35, 0.6])


def study(task, weight=None):
    scores = {"binary": SCORE, "multiclass": SCORES, "regression": None}[task]
    return Study.from_predictions(ROWS, TRUTH[task], GUESS[task], scores, sample_weight=weight)


def by_sklearn(task, functions, weights):
    return {name: of(TRUTH[task], GUESS[task], sample_weight=weights) for name, of in functions.items()}


def assert_values(names, found, wanted, rtol):
    np.testing.assert_allclose(np.asarray(found, float), [wanted[name] for name in names], rtol=rtol, atol=rtol)


@TASKS
@WEIGHTS
@pytest.mark.slow
def test_values_without_stress_are_those_of_scikit_learn(task, weight):
    names = list(SUMMED[task])
    curves = study(task, weight).stress_curves(metrics=names, taus=TAUS)._curves
    assert_values(names, curves.value[1, :, 1], by_sklearn(task, SUMMED[task], weight), 1e-12)
    assert ((curves.lower < curves.value) & (curves.value < curves.upper)).all()


@TASKS
@WEIGHTS
@pytest.mark.slow
def test_every_verb_answers_the_same(task, weight):
    made, names = study(task, weight), list(SUMMED[task])
    moved = ts.Mean("a", tau=0.75)
    reweighted = made.reweight(moved, metrics=names)
    wanted = by_sklearn(task, SUMMED[task], reweighted.weights)
    assert reweighted.metrics["metric"].tolist() == names
    assert_values(names, reweighted.metrics["value"], wanted, 1e-9)
    assert_values(names, made.stress_curves("a", metrics=names, taus=TAUS)._curves.value[0, :, 2], wanted, 1e-7)
    joint = made.joint_stress(metrics=names)
    assert_values(names, [one.value for one in joint._answer({"a": 0.75}).estimates], wanted, 1e-9)
    assert_values(names, joint.at({"a": 0.75}).metrics["value"], wanted, 1e-9)
    surface = made.stress_surface("a", "b", metrics=names, taus=[-0.4, 0, 0.4], progress=False)._surface
    both = made.reweight(ts.Mean("a", tau=0.4) & ts.Mean("b", tau=-0.4)).weights
    assert_values(names, surface.value[:, 2, 0], by_sklearn(task, SUMMED[task], both), 1e-7)


@pytest.mark.slow
@TASKS
@WEIGHTS
def test_rows_in_chunks_answer_the_same(task, weight, tmp_path):
    names = [*SUMMED[task], *(RANKED[task] if task == "regression" else ())]
    made, columns = study(task, weight), {"prediction": GUESS[task], "y": TRUTH[task], "w": WEIGHT, "score": SCORE}
    data = ROWS.assign(**columns).drop(
        columns=([] if task == "binary" else ["score"]) + ([] if weight is not None else ["w"])
    )
    options = CHUNKED[task] | {"sample_weight": None if weight is None else "w", "task": task, "progress": False}
    model = None
    if task == "multiclass":
        model, data = GuessesOfThree(), data.drop(columns=options.pop("prediction"))
    chunked = ts.ChunkedStudy(model, [data.iloc[:150], data.iloc[150:160], data.iloc[160:]], **options)
    want = made.stress_curves(metrics=names, taus=TAUS)._curves
    sketch = chunked.sketch(metrics=names)
    sketch.save(tmp_path / "sketch.npz")
    for one in (chunked, sketch, ts.StressSketch.load(tmp_path / "sketch.npz")):
        got = one.stress_curves(metrics=names, taus=TAUS)._curves
        for part in ("value", "lower", "upper"):
            np.testing.assert_allclose(getattr(got, part), getattr(want, part), rtol=1e-7, atol=1e-9)
    moved = ts.Mean("a", tau=0.4) & ts.Mean("b", tau=-0.3)
    got, wanted = chunked.reweight(moved, metrics=names), made.reweight(moved, metrics=names)
    pd.testing.assert_frame_equal(got.metrics, wanted.metrics, rtol=1e-6)


def test_a_sketch_says_what_it_was_not_made_for():
    data = ROWS.assign(prediction=GUESS["regression"], y=TRUTH["regression"])
    chunked = ts.ChunkedStudy(None, [data], target="y", prediction="prediction", progress=False)
    sketch = chunked.sketch()
    with pytest.raises(InputError, match=r"no sums for 'bias'.*sketch\(metrics=\['bias'\]\)"):
        sketch.stress_curves(metrics="bias")
    assert chunked.stress_curves(metrics="bias", taus=TAUS).metric_names == ("bias",)


def test_classes_that_do_not_come_have_no_part_in_the_balanced_accuracy():
    made = Study.from_predictions(ROWS, np.where(ROWS["a"] > 0, "x", "y"), np.where(ROWS["b"] > 0, "x", "z"))
    curves = made.stress_curves("c", metrics="balanced_accuracy", taus=[0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        wanted = sk.balanced_accuracy_score(made._true_values, made.predicted)
    assert curves._curves.value[0, 0, 0] == pytest.approx(wanted, abs=1e-12)


def test_labels_are_the_words_of_the_field():
    labels = {
        one.name: one.label for one in study("binary").stress_curves(metrics=list(SUMMED["binary"]))._curves.metrics
    }
    assert labels["f1"] == "F1"
    assert labels["brier_score_loss"] == "Brier score"
    assert study("regression").stress_curves(metrics="mean_absolute_error")._curves.metrics[0].label == "MAE"


def ranked(task, weight=None):
    score = TIED if task == "binary" else None
    return Study.from_predictions(ROWS, TRUTH[task], GUESS[task], score, sample_weight=weight)


@pytest.mark.parametrize("task", list(RANKED))
@WEIGHTS
@pytest.mark.slow
def test_metrics_of_all_rows_at_once_are_those_of_scikit_learn(task, weight):
    made, names = ranked(task, weight), list(RANKED[task])
    curves = made.stress_curves(metrics=names, taus=TAUS)._curves
    assert_values(names, curves.value[1, :, 1], by_sklearn(task, RANKED[task], weight), 1e-12)
    assert ((curves.lower < curves.value) & (curves.value < curves.upper) & (curves.upper < 1)).all()
    reweighted = made.reweight(ts.Mean("a", tau=0.75), metrics=names)
    wanted = by_sklearn(task, RANKED[task], reweighted.weights)
    assert_values(names, reweighted.metrics["value"], wanted, 1e-9)
    assert_values(names, curves.value[0, :, 2], wanted, 1e-7)
    np.testing.assert_allclose(curves.lower[0, :, 2], reweighted.metrics["lower"].astype(float), rtol=1e-6)
    joint = made.joint_stress(metrics=names)
    assert_values(names, [one.value for one in joint._answer({"a": 0.75}).estimates], wanted, 1e-9)
    mixed = [*names, "error_rate" if task == "binary" else "rmse"]
    surface = made.stress_surface("a", "c", metrics=mixed, taus=[-0.4, 0, 0.4], progress=False)._surface
    both = made.reweight(ts.Mean("a", tau=0.4) & ts.Mean("c", tau=-0.4), metrics=mixed)
    assert_values(names, surface.value[:-1, 2, 0], by_sklearn(task, RANKED[task], both.weights), 1e-7)
    np.testing.assert_allclose(surface.upper[:, 2, 0], both.metrics["upper"].astype(float), rtol=1e-3)


def test_the_page_leaves_ranks_to_the_kernel():
    view = ranked("binary").joint_stress(metrics=["roc_auc", "error_rate"]).widget()
    assert not view.message["outcomes"]["metrics"][0]["power"] >= 0
    assert not view.columns_message["shipped"]
    view.close()


def test_a_sample_of_chunks_ranks():
    class Binary(GuessesOfThree):
        classes_ = np.arange(2)

        def predict_proba(self, rows):
            score = super().predict_proba(rows)[:, :2]
            return score / score.sum(1, keepdims=True)

        def predict(self, rows):
            return self.predict_proba(rows).argmax(1)

    chunked = ts.ChunkedStudy(Binary(), [ROWS.assign(y=TRUTH["binary"])], target="y", progress=False)
    whole = chunked.sample(20_000)
    assert whole.n_rows == N
    assert whole.stress_curves(metrics="roc_auc", taus=TAUS).metric_names == ("roc_auc",)


def test_a_truth_that_does_not_vary_has_no_r_squared_in_chunks():
    data = ROWS.assign(prediction=GUESS["regression"], y=0.1)
    chunked = ts.ChunkedStudy(None, [data[:200], data[200:]], target="y", prediction="prediction", progress=False)
    curves = chunked.stress_curves("a", metrics="r2", taus=TAUS)
    assert np.isnan(curves._curves.value).all()
    assert curves.frame["reliability"].eq("unreliable").all()


def test_chunks_with_scores_that_are_no_probabilities_have_no_log_loss():
    class Margins(GuessesOfThree):
        def predict_proba(self, rows):
            return 3 * super().predict_proba(rows) - 1

    chunked = ts.ChunkedStudy(Margins(), [ROWS.assign(y=TRUTH["multiclass"])], target="y", progress=False)
    with pytest.raises(InputError, match=r"'log_loss' cannot be summed.*a probability"):
        chunked.stress_curves(metrics="log_loss")


def test_precision_without_a_positive_prediction_is_not_defined_and_says_so():
    made = Study.from_predictions(ROWS, TRUTH["binary"], np.zeros(N, int), classes=(0, 1))
    curves = made.stress_curves("a", metrics=["precision", "recall"], taus=[0.0])
    assert np.isnan(curves._curves.value[0, 0, 0])
    assert curves._curves.value[0, 1, 0] == 0
    assert curves.frame["reliability"].tolist()[0] == "unreliable"
    assert any("precision" in note and "not defined" in note for note in curves.notes)
    moved = made.reweight(ts.Mean("a", tau=0.5), metrics=["precision"]).metrics
    assert "not defined" in moved["note"][0]
