"""Labels -1 and 1, and the hinge loss of a decision value under stress [EVB §3.1]."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from tauscope import Mean, Study


def test_hinge_loss_is_the_weighted_mean_of_its_definition():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 3))
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(size=240) > 0, 1, -1)
    model = LinearSVC(random_state=0).fit(X, y)
    study = Study(model, X, y)
    frame = study.stress_curves("x0", taus=3, metrics=["hinge_loss", "portion_1", "portion_-1"]).frame
    found = frame[frame["tau"] == 1].set_index("metric")
    weights = study.reweight(Mean("x0", tau=1)).weights
    loss = np.average(np.maximum(0, 1 - y * model.decision_function(X)), weights=weights)
    assert found.loc["hinge_loss", "value"] == pytest.approx(loss, rel=1e-9)
    assert found.loc["hinge_loss", "lower"] < loss < found.loc["hinge_loss", "upper"]
    assert found.loc["portion_1", "value"] + found.loc["portion_-1", "value"] == pytest.approx(1)
    assert study.classes == (-1, 1)
