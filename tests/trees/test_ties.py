import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

from tauscope.prediction.rows import as_rows
from tauscope.trees import adapters, checked, scikit_learn
from tauscope.trees.adapters import read_trees
from tauscope.trees.ties import MOST_ROWS, at_thresholds, rows_at_thresholds
from tauscope.trees.tree_model import UnreadableModel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
Y = X[:, 0] * (X[:, 1] > 0)
READ = read_trees(HistGradientBoostingRegressor(max_iter=4).fit(X, Y), "predict")


def test_thresholds_and_the_numbers_above_them_those_near_the_root_first():
    values = at_thresholds(READ.trees, 0, X[:, 0], 10)
    assert len(values) == 10
    assert (values[1::2] == np.nextafter(values[::2], np.inf)).all()
    roots = READ.trees.threshold[READ.trees.roots[:-1]][READ.trees.feature[READ.trees.roots[:-1]] == 0]
    assert set(roots) <= set(values)
    assert len(at_thresholds(READ.trees, 2, X[:, 2], 10)) <= 10


def test_values_are_of_the_column_s_type():
    assert at_thresholds(READ.trees, 0, np.array([1.0, np.nan, 7.0])).tolist() == [
        float(np.floor(value)) for value in at_thresholds(READ.trees, 0, np.array([np.pi]))
    ]
    single = np.float32(np.pi)
    values = at_thresholds(READ.trees, 0, np.array([float(single)]))
    assert (values.astype(np.float32) == values).all()


def test_each_row_is_moved_in_one_column():
    rows = rows_at_thresholds(READ, X[:20])
    assert 0 < len(rows) <= MOST_ROWS
    source = X[:20][np.resize(np.arange(20), len(rows))]
    assert ((rows != source).sum(axis=1) <= 1).all()


def test_a_reader_that_takes_less_for_at_most_is_found_out(monkeypatch):
    model = RandomForestRegressor(4, random_state=0).fit(X, Y)
    rounded = scikit_learn._rounded_down
    below = lambda thresholds: np.nextafter(rounded(thresholds).astype(np.float32), np.float32(-9)).astype(float)  # noqa: E731
    points = {0: np.array([0.0, 1.0])}
    checked.CheckedTrees(read_trees(model, "predict"), model.predict, as_rows(X), points)
    monkeypatch.setattr(scikit_learn, "_rounded_down", below)
    assert adapters.reader_of(model) is scikit_learn.read_forest
    with pytest.raises(UnreadableModel, match="not those of the trees"):
        checked.CheckedTrees(read_trees(model, "predict"), model.predict, as_rows(X), points)
