"""Lower bounds over all columns of a sparse matrix: those of the dense certificate, and what is not read."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.tree import DecisionTreeClassifier

from tauscope.boundary.certificates.certify import certify
from tauscope.boundary.certificates.sparse_linear import Reach, certify_sparse, room
from tauscope.boundary.space import Limits, Space

N, P = 60, 12


def rows(n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(N, P, n_informative=5, n_classes=n_classes, random_state=0)
    return np.where(np.abs(X) > 0.8, np.abs(X), 0.0), y


def bound(model: object, X: np.ndarray, labels: np.ndarray, n_classes: int = 2, **options: object):
    matrix = sparse.csr_array(X)

    def reach_of(i: int) -> Reach:
        return room(matrix[[i]], np.zeros(P), np.full(P, np.inf), options.get("whole", np.zeros(P, dtype=bool)))

    kept = {name: value for name, value in options.items() if name in ("target", "norm", "threshold", "codes")}
    settings = {"target": None, "norm": 2} | kept
    target = settings.pop("target")
    upper = np.full(len(X), np.inf)
    return certify_sparse(model, matrix, reach_of, labels, target, upper, n_classes=n_classes, **settings)


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.slow
def test_bounds_are_those_of_dense_rows(norm: int, n_classes: int) -> None:
    X, y = rows(n_classes)
    model = LogisticRegression().fit(X, y)
    labels = model.predict(X)
    space = Space("euclidean" if norm == 2 else "manhattan", np.ones(P), (), np.zeros(P, dtype=np.bool_))
    limits = Limits(np.zeros((N, P)), np.full((N, P), np.inf), {})
    dense = certify(model, "predict_proba", space, X, labels, None, limits, n_classes=n_classes)
    ours = bound(model, X, labels, n_classes, norm=norm)
    np.testing.assert_allclose(ours.distance, dense.distance, rtol=1e-9)
    assert ours.certificate == dense.certificate == "exact"


@pytest.mark.parametrize("model", [MultinomialNB(), ComplementNB(), SGDClassifier(random_state=0)])
def test_no_nearer_row_is_decided_otherwise(model: MultinomialNB) -> None:
    X, y = rows()
    model.fit(X, y)
    labels = model.predict(X)
    found = bound(model, X, labels)
    assert found.exact.all()
    random = np.random.default_rng(0)
    for i in range(10):
        away = random.normal(size=(500, P))
        away *= 0.999 * min(found.distance[i], 1e3) / np.linalg.norm(away, axis=1, keepdims=True)
        assert (model.predict(np.maximum(X[i] + away, 0)) == labels[i]).all()


@pytest.mark.slow
def test_a_search_over_parameters_is_read_through() -> None:
    X, y = rows()
    search = GridSearchCV(LogisticRegression(), {"C": [1.0]}).fit(X, y)
    one = bound(search, X, search.predict(X))
    np.testing.assert_allclose(one.distance, bound(search.best_estimator_, X, search.predict(X)).distance)


def test_a_regression_is_bounded_by_its_threshold() -> None:
    X, _ = rows()
    values = X @ np.arange(P)
    model = LinearRegression(fit_intercept=False).fit(X, values)
    labels = (values > 10).astype(int)
    found = bound(model, X, labels, threshold=10.0)
    own = np.flatnonzero(labels == 0)  # upwards no column has an end
    np.testing.assert_allclose(found.distance[own], (10 - values[own]) / np.linalg.norm(np.arange(P)), rtol=1e-9)


def test_columns_that_stay_are_left_out_and_whole_steps_are_no_exact_bound() -> None:
    X, y = rows()
    model = LogisticRegression().fit(X, y)
    stays = room(sparse.csr_array(X[[0]]), X[0], X[0], np.zeros(P, dtype=bool))
    assert not stays.below.any()
    assert not stays.above.any()
    stepwise = bound(model, X, model.predict(X), whole=np.ones(P, dtype=bool))
    assert stepwise.certificate == "linear relaxation"
    assert not stepwise.exact.any()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (DecisionTreeClassifier(), "no linear model"),
        (BernoulliNB(), "no linear model"),
        (make_pipeline(MaxAbsScaler(), LogisticRegression()), "no linear model"),
    ],
)
def test_other_models_are_not_read(model: DecisionTreeClassifier, words: str) -> None:
    X, y = rows()
    found = bound(model.fit(X, y), X, y)
    assert (found.certificate, found.distance.max()) == ("none", 0)
    assert words in found.reason


def test_answers_or_labels_that_are_others_prove_nothing() -> None:
    X, y = rows()
    model = LogisticRegression().fit(X, y)
    assert "labels are not those" in bound(model, X, 1 - model.predict(X)).reason
    assert "1 outputs for 3 classes" in bound(model, X, model.predict(X), 3).reason
    assert "not the 2" in bound(model, X, model.predict(X), codes=np.array([0, 0])).reason
    assert "own outputs" in bound(model, X, model.predict(X), threshold=0.5).reason

    class Other(LogisticRegression):
        def decision_function(self, rows: object) -> np.ndarray:
            return super().decision_function(rows) + 1

    assert "not those of the parameters" in bound(Other().fit(X, y), X, y).reason
