"""What a study keeps of labels: codes of its own, from which they are told as they were given."""

import numpy as np
import pandas as pd
import pytest

from tauscope.study.study import Study

X = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (np.array([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]), "regression"),
        (np.array([1, 2, 3, 4, 5, 9], np.int32), "regression"),
        (np.array([0, 1, 1, 0, 1, 0], np.int8), "binary"),
        (np.array([True, False, True, False, False, True]), "binary"),
        (np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0]), "binary"),
        (np.array(["a", "b", "c", "a", "b", "c"]), "multiclass"),
        (pd.Series(["a", "b", "a", "b", "b", "b"], dtype="category"), "binary"),
    ],
)
def test_labels_are_told_as_given_whatever_becomes_of_the_array(y, task):
    study = Study.from_predictions(X, y, np.array(y), task=task)
    before = np.array(y, copy=True)
    if isinstance(y, np.ndarray):
        y[:] = y[0]
    assert study.y.tolist() == before.tolist()
    assert not study.y.flags.writeable
    assert study.where([True, True, True, False, True, True]).y.tolist() == before[[0, 1, 2, 4, 5]].tolist()


def test_codes_are_wide_where_they_are_shown():
    study = Study.from_predictions(X, [0, 1, 1, 0, 1, 0], [0, 1, 1, 0, 1, 0])
    assert study._true_values.dtype == study.predicted.dtype == np.int64
    assert study._outcomes.truth.dtype == study._outcomes.predicted.dtype == np.int8


def test_many_classes_have_codes_wide_enough():
    labels = np.arange(300)
    study = Study.from_predictions(np.arange(300.0)[:, None], labels, labels[::-1], task="multiclass")
    assert study._outcomes.truth.dtype == np.int16
    assert study.y.tolist() == labels.tolist()
    assert study.predicted.tolist() == labels[::-1].tolist()


def test_a_predictions_codes_are_wide():
    study = Study(lambda rows: np.where(rows[:, 0] > 5, 1.0, 0.0), X, [0, 1, 1, 0, 1, 0], task="binary")
    assert study.predict(X).predicted.dtype == np.int64
