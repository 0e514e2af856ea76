import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.rules.fitting import fit_forest

random = np.random.default_rng(0)
X = random.normal(size=(400, 4))
X[random.random(X.shape) < 0.02] = np.nan
KNOWN = np.nan_to_num(X)


def test_numbers_are_fitted_and_their_quality_said():
    fitted = fit_forest(X, KNOWN[:, 0] + 0.1 * KNOWN[:, 1], classes=False, random_state=3)
    assert fitted.measure == "r2"
    assert 0.7 < fitted.quality < 1
    assert 390 < fitted.n_out_of_bag <= 400
    assert fitted.projected.n_trees == 20
    assert fitted.random_state == 3
    index, prediction = fitted.projected.out_of_bag()
    rest = fitted.projected.y[index] - prediction
    assert fitted.quality == pytest.approx(1 - rest.var() / fitted.projected.y[index].var(), abs=0.02)
    again = fit_forest(X, KNOWN[:, 0] + 0.1 * KNOWN[:, 1], classes=False, random_state=3, n_jobs=1)
    assert again.quality == fitted.quality


def test_classes_are_fitted_and_their_accuracy_said():
    labels = np.where(KNOWN[:, 2] > 0, "yes", "no")
    fitted = fit_forest(X, labels, classes=True, n_trees=10, groups=[[0, 1], [2], [3]])
    assert fitted.measure == "accuracy"
    index, prediction = fitted.projected.out_of_bag()
    assert fitted.quality == pytest.approx(np.mean(fitted.projected.y[index] == prediction))
    assert fitted.projected.n_features == 3
    assert fitted.projected.classes.tolist() == ["no", "yes"]


def test_a_class_for_each_row_is_fitted_without_a_warning():
    fitted = fit_forest(X[:20], np.arange(20).astype(str), classes=True, n_trees=5)
    assert fitted.quality < 0.1


def test_noise_has_no_quality():
    fitted = fit_forest(X, random.normal(size=400), classes=False)
    assert fitted.quality < 0.1


def test_weights_are_used():
    weight = np.where(np.arange(400) < 200, 1.0, 3.0)
    y = KNOWN[:, 0]
    fitted = fit_forest(X, y, classes=False, sample_weight=weight)
    assert 0.7 < fitted.quality < 1
    heavy = fitted.projected.weights(X[:1], [()])[0, 0, 200:].sum()
    assert heavy == pytest.approx(0.75, abs=0.03)  # drawn, or counted, three times as often


def test_one_tree_is_refused():
    with pytest.raises(InputError, match="n_trees must be at least 2"):
        fit_forest(X, KNOWN[:, 0], classes=False, n_trees=1)


def test_targets_without_a_spread_have_no_quality():
    assert fit_forest(X, KNOWN[:, 0] * 1e-310, classes=False).quality < 0.1


def test_a_column_without_any_value_is_taken():
    empty = np.column_stack([X, np.full(len(X), np.nan)])
    assert fit_forest(empty, KNOWN[:, 0], classes=False).quality > 0.5
