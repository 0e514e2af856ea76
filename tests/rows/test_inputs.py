import re

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import InputError, InputTypeError
from tauscope.rows.inputs import read_inputs, read_predictions

X = np.arange(8.0).reshape(4, 2)
FRAME = pd.DataFrame(X, columns=["a", "b"])


@pytest.mark.parametrize(
    ("rows", "options", "names"),
    [
        (X, {}, ["x0", "x1"]),
        (X, {"feature_names": ["u", "v"]}, ["u", "v"]),
        (X, {"fitted_names": np.array(["u", "v"], dtype=object)}, ["u", "v"]),
        (X, {"fitted_names": ["u", "v", "w"]}, ["x0", "x1"]),
        (FRAME, {}, ["a", "b"]),
        (FRAME, {"feature_names": ("u", "v")}, ["u", "v"]),
        (FRAME, {"fitted_names": ["u", "v"]}, ["a", "b"]),
        (FRAME.set_axis([0, 1], axis=1), {}, ["0", "1"]),
    ],
)
def test_columns_are_named(rows, options, names):
    assert [column.name for column in read_inputs(rows, **options).columns] == names


@pytest.mark.parametrize("weight", [[1, 2, 3, 0], np.array([10.0, 20, 30, 0]), [1e300, 2e300, 3e300, 0]])
def test_weights_have_mean_one(weight):
    inputs = read_inputs(X, sample_weight=weight)
    assert inputs.sample_weight == pytest.approx([4 / 6, 8 / 6, 2, 0])


def test_weights_may_be_bools_or_series():
    assert read_inputs(X, sample_weight=[True, False, True, False]).sample_weight.tolist() == [2, 0, 2, 0]
    assert read_inputs(FRAME, sample_weight=pd.Series([1, 1, 1, 1])).sample_weight.tolist() == [1] * 4


INFINITE = np.array([[np.inf, 1.0], [-np.inf, 2.0], [0.0, np.nan]])


@pytest.mark.parametrize(
    ("rows", "options", "kind", "message"),
    [
        (np.zeros((0, 2)), {}, InputError, "at least one row and one column; got shape (0, 2)"),
        (np.zeros((2, 0)), {}, InputError, "at least one row and one column; got shape (2, 0)"),
        (X, {"feature_names": ["u"]}, InputError, "one name per column; got 1 for 2"),
        (X, {"feature_names": ["u", "u"]}, InputError, "['u'] come more than once"),
        (X, {"feature_names": "uv"}, InputTypeError, "must be a list of str; got 'uv'"),
        (X, {"feature_names": ["u", 1]}, InputTypeError, "must be a list of str"),
        (FRAME.set_axis([0, "0"], axis=1), {}, InputError, "['0'] come more than once"),
        (INFINITE, {}, InputError, "got infinite ones: 2 in 'x0'. Replace them"),
        (pd.DataFrame(INFINITE, columns=["a", "b"]), {}, InputError, "2 in 'a'"),
        (np.full((2, 12), np.inf), {}, InputError, "and in 2 more columns"),
        (X, {"y": [0, 1]}, InputError, "y must have one entry per row of X; got 2 for 4 rows"),
        (X, {"y": np.zeros((4, 2))}, InputError, "y must be one column; got shape (4, 2)"),
        (X, {"y": [0.0, np.nan, np.inf, 1]}, InputError, "2 of 4 are missing, NaN or infinite, first in row 1. Drop"),
        (X, {"y": ["a", None, "b", "b"]}, InputError, "1 of 4 are missing"),
        (FRAME, {"y": pd.Series([0, 1, 2, 3])[::-1]}, InputError, "y must be in the order of X"),
        (FRAME, {"sample_weight": pd.Series([0, 1, 2, 3])[::-1]}, InputError, "Use sample_weight.loc[X.index]"),
        (
            FRAME.set_axis([7, 8, 9, 4]),
            {"y": pd.Series([0, 1, 2, 3], index=[7, 1, 2, 3])},
            InputError,
            "y must be of the rows of X, in their order; 3 of the 4 rows of its index are not in X's. Take both from",
        ),
        (X, {"sample_weight": [1, 2]}, InputError, "sample_weight must have one entry per row of X; got 2 for 4"),
        (X, {"sample_weight": [1, -2, -3, 4]}, InputError, "2 are negative, the least -3"),
        (X, {"sample_weight": [0, 0, 0, 0]}, InputError, "all are zero"),
        (X, {"sample_weight": [1, np.nan, 1, 1]}, InputError, "1 of 4 are missing"),
        (X, {"sample_weight": ["a", "b", "c", "d"]}, InputTypeError, "sample_weight must be numbers"),
        (X, {"sample_weight": np.ones((4, 2))}, InputError, "sample_weight must be one column"),
    ],
)
def test_what_cannot_be_studied(rows, options, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        read_inputs(rows, **options)


def test_zero_weights_and_missing_numbers_are_fine():
    inputs = read_inputs(np.array([[np.nan, 1.0], [2.0, 3.0]]), sample_weight=[0, 5])
    assert inputs.sample_weight.tolist() == [0, 2]
    assert inputs.columns[0].n_missing == 1


def test_predictions_are_answers():
    inputs = read_inputs(FRAME)
    answers, method = read_predictions(inputs, FRAME, ["a", "b", "a", "b"], np.full((4, 2), 0.5))
    assert (answers.first.tolist(), answers.scores.shape, method) == (["a", "b", "a", "b"], (4, 2), "auto")
    answers, method = read_predictions(inputs, FRAME, None, [0, 0.2, 0.3, 1])
    assert (answers.first.tolist(), answers.scores, method) == ([0, 0.2, 0.3, 1], None, "predict_proba")
    assert read_predictions(inputs, FRAME, None, [0, 0.2, 0.3, 1.1])[1] == "decision_function"


@pytest.mark.parametrize(
    ("y_pred", "y_score", "kind", "message"),
    [
        (None, None, InputError, "got neither"),
        ([1, 2, 3], None, InputError, "y_pred must have one entry per row of X; got 3 for 4"),
        ([1, 2, np.nan, 3], None, InputError, "1 of 4 are missing, NaN or infinite, first in row 2. Drop those rows"),
        (np.zeros((4, 2)), None, InputError, "y_pred must be one column"),
        (pd.Series([0, 1, 2, 3])[::-1], None, InputError, "y_pred must be in the order of X"),
        ([0, 1, 1, 0], ["a", "b", "c", "d"], InputTypeError, "y_score must be numbers"),
    ],
)
def test_predictions_that_do_not_fit(y_pred, y_score, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        read_predictions(read_inputs(FRAME), FRAME, y_pred, y_score)


@pytest.mark.parametrize("size", [1.7e308, -1e200, 1e71])
def test_numbers_whose_powers_are_none_are_refused(size):
    x = np.arange(20.0)[:, None].copy()
    x[3] = size
    with pytest.raises(ts.InputError, match=r"within ±1e\+70; 1 in 'x0' lies beyond, up to"):
        ts.Study.from_predictions(x, np.arange(20) % 2, np.arange(20) % 2)


def test_numbers_too_close_to_each_other_are_refused():
    with pytest.raises(ts.InputError, match="spread over"):
        ts.Study.from_predictions(np.arange(20.0)[:, None] * 1e-310, np.arange(20) % 2, np.arange(20) % 2)


def test_weights_over_two_hundred_orders_of_magnitude_are_refused():
    weight = np.logspace(-100, 100, 20)
    with pytest.raises(ts.InputError, match="within 60 orders of magnitude"):
        ts.Study.from_predictions(np.arange(20.0)[:, None], np.arange(20) % 2, np.arange(20) % 2, sample_weight=weight)
