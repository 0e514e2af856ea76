import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from boundary.certificates.models import random_in_ball, space
from tauscope.boundary.bisection import Starts
from tauscope.boundary.certificates.certify import certify
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import detect
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits
from tauscope.errors import InputError
from tauscope.prediction.rows import as_rows

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(200, 3))
Y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
POINTS = X[:6]


def bounds(model, points=POINTS, labels=None, geometry=None, n_classes=2, target=None, **options):
    labels = model.predict(points) if labels is None else labels
    geometry = space(points.shape[1]) if geometry is None else geometry
    limits = Limits.none(*points.shape)
    return certify(model, "predict", geometry, points, labels, target, limits, n_classes=n_classes, **options)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (KNeighborsClassifier(), "KNeighborsClassifier is no linear model, tree or network"),
        (GaussianNB(), "GaussianNB is no linear"),
        (SVC(), "SVC is"),
        (AdaBoostClassifier(n_estimators=3), "AdaBoostClassifier is no"),
        (CalibratedClassifierCV(LogisticRegression(), cv=2), "CalibratedClassifierCV is no"),
        (FixedThresholdClassifier(LogisticRegression(), threshold=0.3), "FixedThresholdClassifier is no"),
        (make_pipeline(Normalizer(), LogisticRegression()), "Normalizer is no affine step"),
        (DecisionTreeRegressor(max_depth=2), "no threshold"),
    ],
    ids=str,
)
def test_other_models_have_none_and_say_so(model, reason):
    model.fit(X, Y)
    got = bounds(model, labels=np.round(model.predict(POINTS)).astype(int))
    assert got.certificate == "none"
    assert reason in got.reason
    assert (got.distance == 0).all()
    assert not got.exact.any()


def test_binary_columns_by_jaccard_have_none():
    geometry = space(2, "jaccard", blocks=[(0,), (1,)])
    points = (X[:, :2] > 0).astype(float)
    got = bounds(LogisticRegression().fit(points, Y), points[:4], geometry=geometry)
    assert got.certificate == "none"
    assert "jaccard" in got.reason


def test_labels_that_are_not_the_largest_output_have_none():
    model = LogisticRegression().fit(X, Y)
    got = bounds(model, labels=1 - model.predict(POINTS))
    assert got.certificate == "none"
    assert "labels" in got.reason


def test_a_model_that_answers_otherwise_than_its_parameters_has_none():
    class Bent(LogisticRegression):
        def decision_function(self, X):
            return super().decision_function(X) ** 3

    assert "not those of the parameters" in bounds(Bent().fit(X, Y)).reason


def test_other_columns_have_none():
    model = LogisticRegression().fit(X, Y)
    assert "3 columns, not 2" in bounds(model, X[:4, :2], labels=np.zeros(4, dtype=int)).reason
    assert "classes" in bounds(model, n_classes=3).reason


def test_codes_name_the_classes_in_another_order():
    names = np.array(["b", "a", "c"])[np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])]
    model = LogisticRegression().fit(X, names)  # classes_ are a, b, c
    codes = np.array([2, 0, 1])
    predicted = model.predict(POINTS)
    plain = np.searchsorted(model.classes_, predicted)
    wanted = bounds(model, labels=plain, n_classes=3)
    got = bounds(model, labels=codes[plain], n_classes=3, codes=codes)
    np.testing.assert_array_equal(got.distance, wanted.distance)
    chosen = bounds(model, labels=codes[plain], n_classes=3, codes=codes, target=2)
    assert (chosen.distance[predicted == "a"] == 0).all()
    assert (chosen.distance[predicted != "a"] > 0).all()


def test_a_search_and_names_of_columns_are_unwrapped():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    steps = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(steps, {"logisticregression__C": [0.1, 1]}, cv=2).fit(frame, Y)
    labels = search.predict(frame[:6])
    got = bounds(search, labels=labels)
    assert got.certificate == "exact"
    np.testing.assert_array_equal(got.distance, bounds(search.best_estimator_, labels=labels).distance)
    forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(frame, Y)
    assert bounds(forest, labels=forest.predict(frame[:6])).certificate == "trees: boxes"


def test_levels_under_gower_cap_the_bound():
    codes = np.column_stack([X[:, :2], RANDOM.integers(0, 3, 200)])
    model = LogisticRegression().fit(codes, Y)
    geometry = space(3, "gower", [10, 10, 1], blocks=[(2,)])
    got = bounds(model, codes[:10], geometry=geometry)
    # along the numbers alone in closed form; another level costs a third
    numbers = np.abs(model.decision_function(codes[:10])) / np.abs(model.coef_[0, :2] * 30).max()
    np.testing.assert_allclose(got.distance, np.minimum(numbers, 1 / 3), rtol=1e-9)
    np.testing.assert_array_equal(got.exact, numbers < 1 / 3)


MIXED = [
    LogisticRegression(),
    RandomForestClassifier(8, max_depth=4, random_state=0),
]


@pytest.mark.slow
@pytest.mark.parametrize("model", MIXED, ids=lambda model: type(model).__name__)
def test_levels_that_a_pipeline_encodes_are_taken_under_gower(model):
    levels = np.array(["high", "low", "none"])
    codes = RANDOM.integers(0, 3, 200)
    frame = pd.DataFrame({"a": X[:, 0], "level": levels[codes], "b": X[:, 1]})
    encoder = ColumnTransformer([("n", StandardScaler(), ["a", "b"]), ("l", OneHotEncoder(), ["level"])])
    pipeline = make_pipeline(encoder, model).fit(frame, (X[:, 0] + X[:, 1] + codes > 1).astype(int))

    def rows_of(points):
        return pd.DataFrame({"a": points[:, 0], "level": levels[points[:, 1].astype(int)], "b": points[:, 2]})

    points = np.column_stack([X[:8, 0], codes[:8], X[:8, 1]])
    labels = pipeline.predict(frame[:8])
    geometry = space(3, "gower", [6, 1, 6], blocks=[(1,)])
    got = bounds(pipeline, points, labels, geometry, rows_of=rows_of)
    assert got.certificate in ("exact", "trees: boxes", "linear relaxation")
    assert ((got.distance > 0) & (got.distance <= 1 / 3)).all()
    numbers = np.array([True, False, True])
    for point, own, bound in zip(points, labels, got.distance, strict=True):
        tried = random_in_ball(RANDOM, geometry, point, bound * (1 - 1e-9), 500, numbers)
        assert (pipeline.predict(rows_of(tried)) == own).all()
    # where levels move as numbers, what encodes them is not affine
    euclidean = bounds(pipeline, points, labels, space(3, blocks=[(1,)]), rows_of=rows_of)
    assert euclidean.certificate == "none"
    assert "OneHotEncoder is no affine step" in euclidean.reason


def test_what_does_not_match_is_refused():
    model = LogisticRegression().fit(X, Y)
    with pytest.raises(InputError, match="one entry a point; got 6, 5 and 6"):
        bounds(model, labels=np.zeros(5, dtype=int))


@pytest.mark.slow
def test_enclosed_from_both_sides_on_real_rows():
    X, y = load_breast_cancer(return_X_y=True)
    geometry, rows = space(30, scale=X.std(axis=0)), np.arange(0, 569, 70)
    for model in (
        RandomForestClassifier(30, random_state=0),
        HistGradientBoostingClassifier(max_iter=30, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ):
        model.fit(X, y)
        labels = model.predict(X)
        predictor = DecisionPredictor(Decision(model.predict, None, None, 2), as_rows(X))
        limits = Limits.none(len(rows), 30)
        found = detect(predictor, geometry, Pool(X, labels), Starts(X[rows], labels[rows], rows, None), limits)
        got = bounds(model, X[rows], labels[rows], geometry, budget=50_000)
        assert (got.distance <= found.distance).all()
        assert (got.distance > 0.1 * found.distance).all()
        for point, own, bound in zip(X[rows], labels[rows], got.distance, strict=True):
            tried = random_in_ball(RANDOM, geometry, point, bound * (1 - 1e-9), 2000)
            assert (model.predict(tried) == own).all()
