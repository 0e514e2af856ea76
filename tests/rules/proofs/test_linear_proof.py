import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression

from tauscope.errors import InputError
from tauscope.rules.proofs.linear_proof import prove_linear_class, prove_linear_interval


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("open_sides", [False, True])
@pytest.mark.slow
def test_the_least_margin_is_the_corner_s(n_classes, open_sides):
    X, y = make_classification(
        300, 4, n_informative=3, n_redundant=0, n_classes=n_classes, n_clusters_per_class=1, random_state=0
    )
    model = LogisticRegression().fit(X, y)
    rng, statuses = np.random.default_rng(0), []
    for row in X[:60]:
        width = rng.exponential(0.4, (2, 4))
        lower, upper = row - width[0], row + width[1]
        if open_sides:
            upper[rng.random(4) < 0.2] = np.inf
        label = int(model.predict([row])[0])
        proof = prove_linear_class(model.coef_, model.intercept_, label, lower, upper)
        statuses.append(proof.status)
        drawn = rng.uniform(lower, np.minimum(upper, 20), (400, 4))
        corners = np.where(rng.random((400, 4)) < 0.5, lower, np.minimum(upper, 20))
        if proof.status == "proved":
            assert (model.predict(np.concatenate([drawn, corners])) == label).all()
        else:
            assert (lower <= proof.row).all()
            assert (proof.row <= upper).all()
            assert model.predict([proof.row])[0] != label
    assert {"proved", "refuted"} == set(statuses)


def test_a_regression_s_range_is_exact():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model = LinearRegression().fit(X, X @ [1.0, -2.0, 0.5] + 3)
    lower, upper = np.array([0.0, -1.0, 2.0]), np.array([1.0, 1.0, 4.0])
    least, most = 3 + 0 - 2 + 1.0, 3 + 1 + 2 + 2.0
    for low, high, status in ((least - 0.1, most + 0.1, "proved"), (least + 0.1, 99.0, "refuted"), (0, 7, "refuted")):
        proof = prove_linear_interval(model.coef_, float(model.intercept_), low, high, lower, upper)
        assert proof.status == status
        assert proof.low == pytest.approx(min(least - low, high - most))
        if status == "refuted":
            assert not low <= model.predict([proof.row])[0] <= high


def test_an_empty_interval_is_refused():
    with pytest.raises(InputError, match="low must be less than high"):
        prove_linear_interval(np.ones(1), 0.0, 2.0, 1.0, np.zeros(1), np.ones(1))
