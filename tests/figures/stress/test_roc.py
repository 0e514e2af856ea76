"""Paths of true against false positive rate: one per feature, crossing where nothing is stressed."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from tauscope.errors import InputError, UnknownName


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 4))
    y = X[:, 0] - X[:, 1] + rng.normal(size=800) > 0
    return ts.Study(LogisticRegression().fit(X, y), X, y, feature_names=list("abcd")).stress_curves()


def test_every_path_has_the_rates_of_its_curve_and_crosses_the_others_at_zero(curves):
    records = curves.roc_chart().data.values
    frame = curves.frame.set_index(["feature", "tau", "metric"])["value"]
    for record in records:
        key = record["feature"], record["tau"]
        assert record["true"] == frame[(*key, "true_positive_rate")]
        assert record["false"] == frame[(*key, "false_positive_rate")]
    at_zero = {(record["true"], record["false"]) for record in records if record["tau"] == 0}
    assert np.ptp(np.array(list(at_zero)), axis=0).max() < 1e-12
    assert {record["feature"] for record in records} == set("abcd")


def test_what_is_asked_for_is_drawn(curves):
    records = curves.roc_chart(["a", "c"], highlight="c").data.values
    assert {(record["feature"], record["chosen"]) for record in records} == {("a", False), ("c", True)}
    assert sum("label" in record for record in records) == 1
    with pytest.raises(UnknownName, match="'e'"):
        curves.roc_chart("e")


def test_both_rates_are_needed(curves):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    with pytest.raises(InputError, match="need true_positive_rate and false_positive_rate"):
        ts.Study.from_predictions(X, y_pred=X[:, 0] > 0).stress_curves().roc_chart()


@pytest.mark.slow
def test_it_can_be_written(curves, tmp_path):
    curves.roc_chart().save(tmp_path / "roc.svg")
    assert "false positive rate" in (tmp_path / "roc.svg").read_text()
