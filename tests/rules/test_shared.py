import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.shared import shared_sdp, sufficient_singles
from tauscope.rules.sufficient import SearchOptions, find_sufficient


def draw(regression, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 4, 240), rng.normal(size=(240, 2)), rng.integers(0, 2, 240)])
    X[rng.random(240) < 0.1, 1] = np.nan
    score = X[:, 0] + np.nan_to_num(X[:, 1]) * X[:, 3] + 0.2 * rng.normal(size=240)
    y = score if regression else np.digitize(score, [1, 2])
    kind = RandomForestRegressor if regression else RandomForestClassifier
    forest = ProjectedForest(kind(8, max_depth=4, random_state=0).fit(X, y), X, y)
    same = SameDecision.within(forest.y, 0.3) if regression else SameDecision.of_class(forest.y)
    return forest, X, same, rng.integers(0, 3, 240).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("subset", [(), (0,), (1, 3), (0, 1, 2)])
def test_rows_that_share_a_question_have_the_answers_of_each(regression, subset):
    forest, X, same, weight = draw(regression)
    few = same.some(np.arange(0, 30, 3))
    for stressed in (None, weight):
        together = shared_sdp(forest, X, subset, few, weight=stressed, min_rows=8)
        assert together.shape == (240, 10)
        for k in range(10):
            own = SameDecision(np.full(240, few.lower[k]), np.full(240, few.upper[k]))
            alone = forest.sdp(X, [subset], own, weight=stressed, min_rows=8)[:, 0]
            assert np.abs(together[:, k] - alone).max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("regression", [False, True])
def test_the_feature_that_is_enough_for_each_of_many_rows_is_that_of_a_search(regression):
    forest, X, same, weight = draw(regression)
    few, sizes = np.arange(0, 240, 6), set()
    for pi, stressed in ((0.9, None), (0.7, weight), (0.5, None)):
        options = SearchOptions(pi=pi)
        together = sufficient_singles(forest, X[few], same.some(few), options, weight=stressed)
        alone = [
            find_sufficient(forest, X[i], same.some(slice(i, i + 1)), options, weight=stressed).minimal for i in few
        ]
        assert together == [one if len(one) == 1 else () for one in alone]
        sizes |= {len(one) for one in alone}
    assert {1, 2} <= sizes
