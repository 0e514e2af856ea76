"""Forests and their bootstraps, read from scikit-learn."""

import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from tauscope.errors import InputError, InputTypeError
from tauscope.rules.reading import read_forest

random = np.random.default_rng(0)
X = random.normal(size=(150, 3))
Y = X[:, 0] + 0.2 * random.normal(size=150)


@pytest.mark.parametrize("max_samples", [None, 0.4, 77])
def test_counts_are_those_of_the_bootstrap(max_samples):
    forest = RandomForestRegressor(8, max_samples=max_samples, random_state=1).fit(X, Y)
    counts = read_forest(forest, X).counts
    size = {None: 150, 0.4: 60, 77: 77}[max_samples]
    assert counts.sum(axis=1).tolist() == [size] * 8
    for tree, count in zip(forest.estimators_, counts, strict=True):
        assert tree.tree_.n_node_samples[0] == (count > 0).sum()
        assert tree.tree_.weighted_n_node_samples[0] == pytest.approx(size)
        assert tree.tree_.value[0, 0, 0] == pytest.approx(np.average(Y, weights=count))


def test_without_bootstrap_each_row_counts_once():
    read = read_forest(ExtraTreesClassifier(3, random_state=0).fit(X, Y > 0), X)
    assert (read.counts == 1).all()
    assert read.classifies
    assert not read.bootstrap


@pytest.mark.parametrize("bootstrap", [True, False])
def test_sample_weights_count_once(bootstrap):
    weight = random.integers(1, 4, 150).astype(float)
    forest = RandomForestRegressor(5, bootstrap=bootstrap, random_state=0).fit(X, Y, sample_weight=weight)
    read = read_forest(forest, X, weight)
    for tree, count in zip(forest.estimators_, read.counts, strict=True):
        assert tree.tree_.value[0, 0, 0] == pytest.approx(np.average(Y, weights=count * read.row_weight))


def test_rows_without_weight_are_known():
    weight = np.where(np.arange(150) % 3, 1.0, 0.0)
    forest = ExtraTreesClassifier(3, random_state=0).fit(X, Y > 0, sample_weight=weight)
    assert (read_forest(forest, X, weight).row_weight == 0).sum() == 50


def test_class_weights_leave_the_counts():
    forest = RandomForestClassifier(3, class_weight="balanced_subsample", random_state=0).fit(X, Y > 0.5)
    assert read_forest(forest, X).counts.sum(axis=1).tolist() == [150] * 3


def test_what_is_no_such_forest_is_refused():
    with pytest.raises(InputTypeError, match="fit_forest"):
        read_forest(GradientBoostingRegressor().fit(X, Y), X)
    with pytest.raises(InputError, match="Call its fit first"):
        read_forest(RandomForestRegressor(), X)
    two = RandomForestRegressor(2).fit(X, np.stack([Y, Y], axis=1))
    with pytest.raises(InputError, match="more than one target"):
        read_forest(two, X)


def test_other_rows_and_columns_are_refused():
    forest = RandomForestRegressor(3, random_state=0).fit(X, Y)
    with pytest.raises(InputError, match="fitted on 3 columns, got 2"):
        read_forest(forest, X[:, :2])
    with pytest.raises(InputError, match="fitted on 150 rows, got 149"):
        read_forest(forest, X[:149])
    with pytest.raises(InputError, match="not the rows the forest was fitted on: leaf"):
        read_forest(forest, X[::-1])
    with pytest.raises(InputError, match="not the rows the forest was fitted on: leaf"):
        read_forest(forest, X[:, [1, 0, 2]])
