import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from boundary.certificates.models import held, random_in_ball, space
from tauscope.boundary.certificates.certify import certify
from tauscope.boundary.certificates.linear import least_length
from tauscope.boundary.space import Limits

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(200, 4)) * [1, 10, 0.1, 3] + [0, 50, 1, -4]
SCORE = ((X - X.mean(0)) / X.std(0)) @ [1.0, -2, 0.5, 0] + 0.3 * RANDOM.normal(size=200)
Y, Y3 = (SCORE > 0).astype(int), np.digitize(SCORE, [-1, 1])
SCALE = X.std(axis=0)
POINTS = X[:15]
DUAL = {"euclidean": 2, "manhattan": np.inf}


def bounds(model, geometry, limits=None, target=None, n_classes=2, labels=None, **options):
    labels = model.predict(POINTS) if labels is None else labels
    limits = Limits.none(*POINTS.shape) if limits is None else limits
    return certify(model, "predict", geometry, POINTS, labels, target, limits, n_classes=n_classes, **options)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(max_iter=5000),
        LinearSVC(),
        SGDClassifier(random_state=0),
        RidgeClassifier(),
        LinearDiscriminantAnalysis(),
        SVC(kernel="linear"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_closed_form_behind_a_scaler(model, metric):
    pipeline = make_pipeline(StandardScaler(), model).fit(X, Y)
    got = bounds(pipeline, space(4, metric, SCALE))
    weights = np.ravel(model.coef_) / pipeline[0].scale_ * SCALE
    wanted = np.abs(pipeline.decision_function(POINTS)) / np.linalg.norm(weights, DUAL[metric])
    np.testing.assert_allclose(got.distance, wanted, rtol=1e-9)
    assert got.certificate == "exact"


def test_gower_is_a_mean_of_differences():
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    gower, manhattan = (bounds(model, space(4, metric, SCALE)).distance for metric in ("gower", "manhattan"))
    np.testing.assert_allclose(gower, manhattan / 4, rtol=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.slow
def test_several_classes_by_their_nearest_hyperplane(metric):
    model = LogisticRegression(max_iter=5000).fit(X, Y3)
    geometry = space(4, metric, SCALE)
    got = bounds(model, geometry, n_classes=3)
    scores, own = model.decision_function(POINTS), model.predict(POINTS)
    for row, (point, label) in enumerate(zip(POINTS, own, strict=True)):
        wanted = min(
            (scores[row, label] - scores[row, other])
            / np.linalg.norm((model.coef_[label] - model.coef_[other]) * SCALE, DUAL[metric])
            for other in range(3)
            if other != label
        )
        assert got.distance[row] == pytest.approx(wanted, rel=1e-9)
        tried = random_in_ball(RANDOM, geometry, point, got.distance[row] * (1 - 1e-9), 2000)
        assert (model.predict(tried) == label).all()
    assert got.certificate == "exact"


def test_a_chosen_class_is_bounded_by_every_hyperplane():
    model = LogisticRegression(max_iter=5000).fit(X, Y3)
    got = bounds(model, space(4, scale=SCALE), target=2, n_classes=3)
    assert got.certificate == "linear relaxation"
    own = model.predict(POINTS)
    assert (got.distance[own == 2] == 0).all()
    for row in np.flatnonzero(own != 2):
        differences = np.delete(model.coef_, 2, axis=0) - model.coef_[2]
        constants = np.delete(model.intercept_, 2) - model.intercept_[2]
        found = minimize(
            lambda u: u @ u,
            np.zeros(4),
            jac=lambda u: 2 * u,
            constraints={
                "type": "ineq",
                "fun": lambda u, a=differences, b=constants, point=POINTS[row]: -(a @ (point + u * SCALE) + b),
                "jac": lambda u, a=differences: -a * SCALE,
            },
        )
        assert 0 < got.distance[row] <= np.sqrt(found.fun) * (1 + 1e-6)


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.slow
def test_least_length_within_ends(norm):
    for _ in range(40):
        slopes = np.abs(RANDOM.normal(size=5)) * (RANDOM.random(5) < 0.8)
        ends = np.where(RANDOM.random(5) < 0.3, np.inf, RANDOM.exponential(size=5))
        margin = RANDOM.exponential() * 2
        got = float(least_length(slopes, ends, np.array(margin), norm))
        if norm == 1:
            limits = [(0, None if np.isinf(end) else end) for end in ends]
            found = linprog(np.ones(5), A_eq=slopes[None], b_eq=[margin], bounds=limits)
            wanted = found.fun if found.success else np.inf
        else:
            # by bisection of the multiplier
            low, high = 0.0, 1e9
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (low, middle) if slopes @ np.minimum(middle * slopes, ends) >= margin else (middle, high)
            wanted = np.linalg.norm(np.minimum(high * slopes, ends)) if high < 1e8 else np.inf
        assert got == pytest.approx(wanted, rel=1e-9)


def test_columns_that_stay_and_ends_are_exact_too():
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    geometry = space(4, scale=SCALE)
    fixed = bounds(model, geometry, held(POINTS, [1]))
    weights = np.delete(model.coef_[0] * SCALE, 1)
    wanted = np.abs(model.decision_function(POINTS)) / np.linalg.norm(weights)
    np.testing.assert_allclose(fixed.distance, wanted, rtol=1e-9)
    assert fixed.certificate == "exact"
    near = bounds(model, geometry, Limits(POINTS - 0.2 * SCALE, POINTS + 0.2 * SCALE, {}))
    assert (near.distance >= bounds(model, geometry).distance * (1 - 1e-9)).all()
    unreachable = np.abs(model.decision_function(POINTS)) > 0.2 * np.abs(model.coef_[0] * SCALE).sum()
    np.testing.assert_array_equal(np.isinf(near.distance), unreachable)
    assert 0 < unreachable.sum() < len(POINTS)


def test_whole_numbers_are_a_relaxation():
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    got = bounds(model, space(4, scale=SCALE, integer=[3]))
    assert got.certificate == "linear relaxation"
    assert not got.exact.any()
    np.testing.assert_array_equal(got.distance, bounds(model, space(4, scale=SCALE)).distance)
    assert bounds(model, space(4, scale=SCALE, integer=[3]), held(POINTS, [3])).certificate == "exact"


def test_a_regression_by_its_threshold():
    model = LinearRegression().fit(X, SCORE)
    labels = (model.predict(POINTS) > 0.3).astype(int)
    got = bounds(model, space(4, scale=SCALE), labels=labels, threshold=0.3)
    wanted = np.abs(model.predict(POINTS) - 0.3) / np.linalg.norm(model.coef_ * SCALE)
    np.testing.assert_allclose(got.distance, wanted, rtol=1e-9)
    assert got.certificate == "exact"
