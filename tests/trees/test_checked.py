import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

from tauscope.prediction.rows import as_rows
from tauscope.trees.adapters import read_trees
from tauscope.trees.checked import CHECKED_ROWS, FEWEST, CheckedTrees
from tauscope.trees.ties import MOST_VALUES
from tauscope.trees.tree_model import UnreadableModel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 3))
Y = X[:, 0] * (X[:, 1] > 0) + X[:, 2] ** 2
FOREST = RandomForestRegressor(5, random_state=0).fit(X, Y)
POINTS = {0: np.array([-1.0, 0.0, 1.0]), 2: np.array([0.5])}


def check(estimator, predict, rows=X, points=POINTS):
    return CheckedTrees(read_trees(estimator, "predict"), predict, as_rows(rows), points)


def test_trees_that_answer_as_the_model_does_are_taken():
    checked = check(FOREST, FOREST.predict)
    assert checked.trees.n_trees == 5
    assert checked.n_model_rows == 2 * (CHECKED_ROWS // 2 + MOST_VALUES)
    assert np.allclose(checked.trees.answers(checked.trees.raw(checked.rows)), FOREST.predict(X))


def test_rows_with_missing_values_are_compared_too():
    gapped = X.copy()
    gapped[[3, 5], 1] = np.nan
    boosted = HistGradientBoostingRegressor(max_iter=5).fit(gapped, Y)
    points = {j: np.array([0.0]) for j in range(3)}
    n_spread = 3 * (max(FEWEST, CHECKED_ROWS // 3) + 2)
    assert n_spread < check(boosted, boosted.predict, gapped, points).n_model_rows <= n_spread + 3 * MOST_VALUES

    def spoilt(rows):
        return boosted.predict(rows) + np.isnan(rows[:, 1])

    with pytest.raises(UnreadableModel, match="not those of the trees"):
        check(boosted, spoilt, gapped, {0: np.array([0.0])})


def test_what_answers_otherwise_is_refused():
    with pytest.raises(UnreadableModel, match="not those of the trees"):
        check(FOREST, lambda rows: FOREST.predict(rows) + 1e-6)
    with pytest.raises(UnreadableModel, match="fitted on 3 columns, not 2"):
        check(FOREST, FOREST.predict, X[:, :2])


def test_points_are_compared_as_the_trees_compare_values():
    values = np.array([0.1, 0.1 + 1e-12, -3.0])
    distinct, place = check(FOREST, FOREST.predict).points(0, values)
    assert distinct.dtype == np.float32
    assert distinct.tolist() == np.array([-3.0, 0.1], dtype=np.float32).tolist()
    assert place.tolist() == [1, 1, 0]
