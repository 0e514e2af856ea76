"""Images in chunks: labels from a model, from columns, from scores; partitions; many classes."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts

SHAPE = (8, 8)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X = X.astype(np.uint8)
    return X, y, LogisticRegression(max_iter=100, tol=0.1).fit(X / 16, y)


class Scaled:
    """A model of bytes that takes images as they come."""

    def __init__(self, model):
        self.model = model

    def predict(self, rows):
        return self.model.predict(np.asarray(rows).reshape(len(rows), -1) / 16)

    def predict_proba(self, rows):
        raise AssertionError("scores have no place on a map")


def pairs(X, y, size=200, shape=SHAPE):
    return [(X[i : i + size].reshape(-1, *shape), y[i : i + size]) for i in range(0, len(X), size)]


def assert_same_maps(got, want):
    for name in ("value", "lower", "upper", "ess", "pareto_k"):
        np.testing.assert_array_equal(getattr(got._curves, name), getattr(want._curves, name), err_msg=name)
    assert (got.metric_names, got.n_rows, got.task) == (want.metric_names, want.n_rows, want.task)


@pytest.fixture(scope="module")
def want(digits):
    X, y, model = digits
    return ts.Study.from_predictions(X, y, Scaled(model).predict(X)).stress_image(SHAPE)


def test_a_model_is_called_for_labels_alone(digits, want):
    X, y, model = digits
    got = ts.ChunkedStudy(Scaled(model), pairs(X, y)).stress_image(SHAPE)
    assert_same_maps(got, want)
    assert got.model_name == "Scaled"


def test_a_classifier_in_scikit_learn(digits):
    X, y, _ = digits
    model = LogisticRegression(max_iter=100, tol=0.1).fit(X, y)
    got = ts.ChunkedStudy(model, pairs(X, y, shape=(64,))).stress_image(SHAPE)
    assert_same_maps(got, ts.Study(model, X, y).stress_image(SHAPE))


@pytest.mark.slow
def test_frames_of_pixels(digits, want):
    X, y, model = digits
    frame = pd.DataFrame(X, columns=[f"p{j}" for j in range(64)]).assign(y=y, p=Scaled(model).predict(X))
    parts = [frame[:700], frame[frame.columns[::-1]][700:]]
    got = ts.ChunkedStudy(None, parts, target="y", prediction="p").stress_image(SHAPE)
    assert_same_maps(got, want)
    partitions = dd.from_pandas(frame, npartitions=3)
    study = ts.ChunkedStudy.from_dask(None, partitions, target="y", prediction="p")
    assert_same_maps(study.stress_image(SHAPE), want)


def test_partitions_of_different_classes(digits, want):
    X, y, model = digits
    order = np.argsort(Scaled(model).predict(X), kind="stable")
    frame = pd.DataFrame(X, columns=[f"p{j}" for j in range(64)]).assign(y=y).iloc[order]
    partitions = dd.from_pandas(frame, npartitions=4, sort=False)
    assert_same_maps(ts.ChunkedStudy.from_dask(Scaled(model), partitions, target="y").stress_image(SHAPE), want)


@pytest.mark.slow
def test_scores_name_the_labels(digits):
    X, y, _ = digits
    truth, score = np.where(y > 4, "high", "low"), np.random.default_rng(0).random(len(y))
    chunks = [(X[i : i + 300], truth[i : i + 300], None, score[i : i + 300]) for i in range(0, len(y), 300)]
    got = ts.ChunkedStudy(None, chunks, pos_label="high").stress_image(SHAPE)
    want = ts.Study.from_predictions(X, truth, np.where(score > 0.5, "high", "low"), pos_label="high")
    assert_same_maps(got, want.stress_image(SHAPE))

    def probability(images):
        return images.reshape(len(images), -1).sum(1) / (64 * 16)

    got = ts.ChunkedStudy(probability, pairs(X, truth), pos_label="high").stress_image(SHAPE)
    assert_same_maps(got, ts.Study(probability, X, truth, pos_label="high").stress_image(SHAPE))


@pytest.mark.parametrize("pos_label", ["a", "b"])
def test_the_positive_class(digits, pos_label):
    X, y, _ = digits
    truth, predicted = np.where(y > 4, "b", "a"), np.where(X[:, 20] > 3, "b", "a")
    chunks = [(X[i : i + 300], truth[i : i + 300], predicted[i : i + 300]) for i in range(0, len(y), 300)]
    got = ts.ChunkedStudy(None, iter(chunks), pos_label=pos_label).stress_image(SHAPE)
    assert_same_maps(got, ts.Study.from_predictions(X, truth, predicted, pos_label=pos_label).stress_image(SHAPE))


@pytest.mark.slow
def test_more_classes_than_fit_in_a_byte_together(digits):
    X, _, _ = digits
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 20, (2, len(X)))
    got = ts.ChunkedStudy(None, [(X, truth, predicted)]).stress_image(SHAPE, metrics="error_rate")
    want = ts.Study.from_predictions(X, truth, predicted).stress_image(SHAPE, metrics="error_rate")
    assert_same_maps(got, want)


@pytest.mark.slow
def test_images_are_counted_once(digits):
    X, y, model = digits
    times = []

    def chunks():
        times.append(1)
        return iter(pairs(X, y))

    study = ts.ChunkedStudy(Scaled(model), chunks)
    first = study.stress_image(SHAPE)
    other = study.stress_image(SHAPE, taus=5, quantile=0.1, metrics="error_rate")
    assert (len(times), other.metric_names) == (1, ("error_rate",))
    assert_same_maps(study.stress_image(SHAPE), first)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (None, {"task": "regression"}, "of a regression"),
        (LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0]), {}, "of a regression"),
        (lambda images: images.mean(axis=(1, 2)), {}, "of a regression"),
        (None, {"sample_weight": "w"}, "need to be in memory"),
    ],
)
def test_what_has_no_maps(digits, model, options, message):
    X, y, _ = digits
    with pytest.raises(ts.InputError, match=message):
        ts.ChunkedStudy(model, pairs(X, y + 0.5), **options).stress_image(SHAPE)


@pytest.mark.slow
def test_metrics_of_counts_on_request(digits):
    X, y, model = digits
    predicted, names = Scaled(model).predict(X), ["balanced_accuracy", "recall_3", "precision_3", "f1_3", "accuracy"]
    chunked = ts.ChunkedStudy(None, [(X[:900], y[:900], predicted[:900]), (X[900:], y[900:], predicted[900:])])
    whole = ts.Study.from_predictions(X, y, predicted)
    got = chunked.stress_image(SHAPE, metrics=names)
    assert got.metric_names == tuple(names)
    assert_same_maps(got, whole.stress_image(SHAPE, metrics=names))
    pixel = next(j for j in range(64) if np.isfinite(got._curves.ess[j]).all())
    curves = whole.stress_curves(f"x{pixel}", taus=[-1, 0, 1], metrics=names)._curves
    for part in ("value", "lower", "upper"):
        np.testing.assert_allclose(getattr(got._curves, part)[pixel], getattr(curves, part)[0], rtol=1e-7)
    assert_same_maps(chunked.stress_image(SHAPE), whole.stress_image(SHAPE))


@pytest.mark.parametrize("chunks", [False, True], ids=["in memory", "in chunks"])
def test_metrics_of_two_classes_on_request(digits, chunks):
    X, y, model = digits
    truth, predicted = y > 4, Scaled(model).predict(X) > 4
    names = ["balanced_accuracy", "f1", "specificity", "precision", "false_negative_rate"]
    whole = ts.Study.from_predictions(X, truth, predicted)
    asked = ts.ChunkedStudy(None, [(X, truth, predicted)]) if chunks else whole
    got = asked.stress_image(SHAPE, metrics=names)
    pixel = next(j for j in range(64) if np.isfinite(got._curves.ess[j]).all())
    want = whole.stress_curves(f"x{pixel}", taus=[-1, 0, 1], metrics=names)._curves
    np.testing.assert_allclose(got._curves.value[pixel], want.value[0], rtol=1e-7)
    for name in ("log_loss", "roc_auc", "mean_score"):
        with pytest.raises(ts.UnknownName, match=rf"counted by prediction and truth; '{name}'.*f1.*stress_curves"):
            asked.stress_image(SHAPE, metrics=["f1", name])
    with pytest.raises(ts.UnknownName, match="got 'f2'"):
        asked.stress_image(SHAPE, metrics="f2")
