import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

from tauscope.errors import InputError
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.tolerance import squared_errors, squared_tolerance


def fitted(kind=RandomForestRegressor, **options):
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = X[:, 0] + random.normal(size=200)
    if kind is RandomForestClassifier:
        y = y > 0
    forest = kind(30, random_state=0, **options).fit(X, y)
    return forest, ProjectedForest(forest, X, y), X, y


def test_quantiles_are_of_out_of_bag_errors():
    forest, projected, _, y = fitted(oob_score=True)
    squares = (forest.oob_prediction_ - y) ** 2
    assert squared_errors(projected) == pytest.approx(squares)
    assert squared_tolerance(projected) == pytest.approx(np.quantile(squares, 0.95))
    assert squared_tolerance(projected, "q52.5") == pytest.approx(np.quantile(squares, 0.525))


def test_quantiles_are_of_rows_held_out():
    forest, projected, _, _ = fitted(ExtraTreesRegressor)
    random = np.random.default_rng(1)
    X, y = random.normal(size=(50, 3)), random.normal(size=50)
    expected = np.quantile((forest.predict(X) - y) ** 2, 0.9)
    assert squared_tolerance(projected, "q90", held_out=(X, y)) == pytest.approx(expected)


def test_a_number_is_taken_as_it_is():
    assert squared_tolerance(fitted()[1], 2.5) == 2.5


@pytest.mark.slow
def test_bad_input_is_refused():
    _, projected, X, _ = fitted()
    for t in ("95", "q0", "q100", "median", 0, -1.0, float("nan")):
        with pytest.raises(InputError, match="t must be"):
            squared_tolerance(projected, t)
    with pytest.raises(InputError, match="bootstrap=True"):
        squared_tolerance(fitted(ExtraTreesRegressor)[1])
    with pytest.raises(InputError, match="this forest predicts classes"):
        squared_tolerance(fitted(RandomForestClassifier)[1])
    with pytest.raises(InputError, match="squared test error is 0"):
        squared_tolerance(projected, held_out=(X, projected.predict(X)))
