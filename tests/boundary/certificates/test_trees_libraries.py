"""Certificates of boosted trees of other libraries, against every cell between their thresholds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from boundary.certificates.models import Cells, held, random_in_ball, space
from boundary.certificates.test_trees import ROWS, SCORE, Y3, X, Y, bounds
from tauscope.trees.adapters import read_trees
from tauscope.trees.tree_model import classifies
from trees.libraries import lightgbm, xgboost

SMALL = {"n_estimators": 5, "max_depth": 2}
MODELS = {"lightgbm": lightgbm, "xgboost": xgboost}


def thresholds(model):
    trees = read_trees(model, "predict_proba" if classifies(model) else "predict").trees
    return [trees.threshold[trees.feature == column].tolist() for column in range(3)]


def distances(model, flips, points=X[ROWS]):
    cells = Cells(model.predict, thresholds(model))
    return np.array([cells.distance(space(3), point, flips(cells.answers, model, point)) for point in points])


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("library", MODELS)
def test_never_above_the_exact_distance_and_near_it(library, n_classes):
    model = MODELS[library](n_classes, **SMALL).fit(X, Y if n_classes == 2 else Y3)
    wanted = distances(model, lambda answers, model, point: answers != model.predict(point[None])[0])
    got = bounds(model, space(3), n_classes=n_classes)
    assert got.certificate == "trees: boxes"
    assert (got.distance <= wanted * (1 + 3e-6) + 1e-7).all()
    assert np.median(got.distance / wanted) > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("objective", [{}, {"objective": "reg:gamma"}, {"objective": "reg:logistic"}])
def test_a_regression_by_a_threshold_whatever_its_link(objective):
    y = 1 / (1 + np.exp(-SCORE))
    model = xgboost(**SMALL, **objective).fit(X, y)
    answers = np.unique(model.predict(X)).astype(float)
    cut = float(answers[len(answers) // 2 :][:2].mean())  # between two answers: at one, rounding decides
    labels = (model.predict(X[ROWS]) > cut).astype(int)
    got = bounds(model, space(3), labels=labels, threshold=cut)
    wanted = distances(model, lambda answers, model, point: (answers > cut) != (model.predict(point[None])[0] > cut))
    assert got.certificate == "trees: boxes"
    assert (got.distance <= wanted * (1 + 3e-6) + 1e-7).all()
    assert np.median(got.distance / wanted) > 0.95


@pytest.mark.slow
def test_beyond_all_answers_nothing_is_certified():
    model = xgboost(objective="reg:logistic", **SMALL).fit(X, Y)
    labels = np.zeros(len(ROWS), dtype=int)
    got = bounds(model, space(3), labels=labels, threshold=2.0)
    assert (got.certificate, got.reason) == ("none", "every answer of it is below the threshold")


@pytest.mark.slow
@pytest.mark.parametrize("library", MODELS)
def test_no_row_inside_is_decided_otherwise(library):
    gapped = X.copy()
    gapped[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = MODELS[library](2, n_estimators=20).fit(gapped, Y)
    points = gapped[ROWS]
    got = bounds(model, space(3), points)
    assert got.certificate == "trees: boxes"
    assert np.isinf(bounds(model, space(3), points, held(points, [0, 1, 2])).distance).all()
    random = np.random.default_rng(1)
    for point, own, bound in zip(points, model.predict(points), got.distance, strict=True):
        free = ~np.isnan(point)
        tried = random_in_ball(random, space(3), np.nan_to_num(point), min(bound, 50.0) * (1 - 1e-9), 300, free)
        tried[:, ~free] = np.nan
        assert (model.predict(tried) == own).all()


@pytest.mark.slow
def test_behind_a_scaler_and_fitted_on_a_frame():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), lightgbm(2, **SMALL)).fit(frame, Y)
    labels = model.predict(frame.iloc[ROWS])
    got = bounds(model, space(3), labels=labels)
    assert got.certificate == "trees: boxes"
    assert (got.distance > 0).all()


@pytest.mark.slow
def test_zeros_taken_for_missing_values_make_no_boxes():
    zeros = np.where(np.abs(X) < 0.5, 0.0, X)
    model = lightgbm(2, zero_as_missing=True).fit(zeros, Y)
    got = bounds(model, space(3), zeros[ROWS])
    assert got.certificate == "none"
    assert "takes zeros for missing" in got.reason
