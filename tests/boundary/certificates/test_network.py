import warnings

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from boundary.certificates.models import held, random_in_ball, space
from tauscope.boundary.bisection import Starts
from tauscope.boundary.certificates.certify import certify
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import detect
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits
from tauscope.prediction.rows import as_rows

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=(250, 3)) * [1, 5, 0.2] + 2
Z = (X - X.mean(0)) / X.std(0)
SCORE = Z[:, 0] * Z[:, 1] + Z[:, 2]
Y, Y3 = (SCORE > 0).astype(int), np.digitize(SCORE, [-0.6, 0.6])
SCALE = X.std(axis=0)
ROWS = np.arange(10)
POINTS = X[ROWS]


def fitted(model, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make_pipeline(StandardScaler(), model).fit(X, y)


def bounds(model, geometry, limits=None, labels=None, target=None, n_classes=2, **options):
    labels = model.predict(POINTS) if labels is None else labels
    limits = Limits.none(*POINTS.shape) if limits is None else limits
    return certify(model, "predict", geometry, POINTS, labels, target, limits, n_classes=n_classes, **options)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("layers", [(12,), (10, 8)], ids=str)
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
def test_no_flip_nearer_than_the_bound(activation, layers, metric):
    geometry = space(3, metric, SCALE)
    model = fitted(MLPClassifier(layers, activation=activation, max_iter=400, alpha=1e-2, random_state=0), Y)
    got = bounds(model, geometry)
    assert got.certificate == "linear relaxation"
    labels = model.predict(POINTS)
    for point, own, bound in zip(POINTS, labels, got.distance, strict=True):
        assert (model.predict(random_in_ball(RANDOM, geometry, point, bound * (1 - 1e-9), 3000)) == own).all()
    predictor = DecisionPredictor(Decision(model.predict, None, None, 2), as_rows(X))
    found = detect(
        predictor,
        geometry,
        Pool(X, model.predict(X)),
        Starts(POINTS, labels, ROWS, None),
        Limits.none(*POINTS.shape),
    )
    assert (got.distance <= found.distance).all()
    # dense enough a cloud of points tells the distance to a few percent
    cloud = random_in_ball(RANDOM, geometry, np.zeros(3), 1.0, 20000)
    for point, own, bound, reach in zip(POINTS, labels, got.distance, found.distance, strict=True):
        shares = np.linspace(0.02, 1, 50)[:, None, None] * reach
        flips = model.predict((point + shares * cloud[:400]).reshape(-1, 3)) != own
        lengths = (shares[:, :, 0] * geometry.distance(np.zeros(3), cloud[:400])).ravel()
        assert bound > 0.25 * lengths[flips].min(initial=reach)


@pytest.mark.slow
def test_several_classes_and_a_chosen_one():
    model = fitted(MLPClassifier((8,), activation="tanh", max_iter=300, random_state=0), Y3)
    geometry, own = space(3, scale=SCALE), model.predict(POINTS)
    anyone, chosen = bounds(model, geometry, n_classes=3), bounds(model, geometry, target=1, n_classes=3)
    assert (anyone.distance > 0).all()
    assert (chosen.distance[own == 1] == 0).all()
    assert (chosen.distance[own != 1] >= anyone.distance[own != 1] - 1e-3).all()
    for point, label, bound, other in zip(POINTS, own, anyone.distance, chosen.distance, strict=True):
        assert (model.predict(random_in_ball(RANDOM, geometry, point, bound * (1 - 1e-9), 1000)) == label).all()
        if label != 1:
            assert (model.predict(random_in_ball(RANDOM, geometry, point, other * (1 - 1e-9), 1000)) != 1).all()


@pytest.mark.slow
def test_without_an_activation_it_is_linear():
    model = fitted(MLPClassifier((6,), activation="identity", max_iter=300, random_state=0), Y)
    got = bounds(model, space(3, scale=SCALE))
    assert got.certificate == "exact"
    first, second = model[-1].coefs_
    weights = (first @ second)[:, 0] / model[0].scale_ * SCALE
    probability = model.predict_proba(POINTS)[:, 1]
    wanted = np.abs(np.log(probability / (1 - probability))) / np.linalg.norm(weights)
    np.testing.assert_allclose(got.distance, wanted, rtol=1e-9)


@pytest.mark.slow
def test_a_regression_fixed_columns_and_a_known_flip():
    model = fitted(MLPRegressor(hidden_layer_sizes=(10,), max_iter=400, random_state=0), SCORE)
    labels = (model.predict(POINTS) > 0.1).astype(int)
    geometry = space(3, scale=SCALE)
    free = bounds(model, geometry, labels=labels, threshold=0.1)
    fixed = bounds(model, geometry, held(POINTS, [0]), labels, threshold=0.1)
    assert (fixed.distance >= free.distance * (1 - 1e-3)).all()
    assert (fixed.distance > 1.1 * free.distance).any()
    near = bounds(model, geometry, labels=labels, threshold=0.1, upper=free.distance / 2)
    np.testing.assert_array_equal(near.distance, free.distance / 2)
    for point, label, bound in zip(POINTS, labels, fixed.distance, strict=True):
        mask = np.array([False, True, True])
        tried = random_in_ball(RANDOM, geometry, point, min(bound, 50) * (1 - 1e-9), 1000, mask)
        assert ((model.predict(tried) > 0.1) == label).all()


@pytest.mark.slow
def test_radii_tried_at_once_are_those_tried_one_by_one():
    model, geometry = fitted(MLPClassifier((6,), random_state=0), Y), space(3, "euclidean", SCALE)
    labels = model.predict(POINTS)
    together = bounds(model, geometry).distance
    for i in ROWS:
        limits = Limits.none(1, 3)
        alone = certify(model, "predict", geometry, POINTS[[i]], labels[[i]], None, limits, n_classes=2)
        assert alone.distance[0] == pytest.approx(together[i], rel=1e-9)
