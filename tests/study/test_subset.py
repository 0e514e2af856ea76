"""Subgroups of a study, in every container."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from tauscope.errors import InputError, InputTypeError

N = 200


def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": np.where(np.arange(N) % 9 == 0, np.nan, rng.integers(18, 80, N)),
            "sex": rng.choice(["F", "M", "X"], N),
            "flag": rng.random(N) < 0.4,
        }
    )


def model(rows):
    age = np.asarray(rows["age"], dtype=float)
    return np.clip(np.nan_to_num(age, nan=40) / 80, 0, 1)


def truth():
    return (np.random.default_rng(1).random(N) < 0.5).astype(int)


CONTAINERS = {"pandas": lambda X: X, "polars": lambda X: pl.from_pandas(X)}


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_subgroup_is_the_study_of_its_rows(container, weighted):
    X, y = frame(), truth()
    weight = np.random.default_rng(2).uniform(0.2, 2, N) if weighted else None
    study = ts.Study(model, CONTAINERS[container](X), y, sample_weight=weight)
    mask = (X["sex"] == "F").to_numpy()
    asked = study.n_model_rows
    part = study.where(mask)
    alone = ts.Study(
        model, CONTAINERS[container](X[mask]), y[mask], sample_weight=None if weight is None else weight[mask]
    )
    assert type(part.X) is type(study.X)
    assert part.n_rows == mask.sum()
    assert part.n_model_rows == asked
    np.testing.assert_array_equal(part.predicted, alone.predicted)
    np.testing.assert_array_equal(part._true_values, alone._true_values)
    np.testing.assert_array_equal(part.score, alone.score)
    np.testing.assert_array_equal(part.y, y[mask])
    if weighted:
        np.testing.assert_allclose(part.sample_weight, alone.sample_weight)
    else:
        assert part.sample_weight is None
    pd.testing.assert_frame_equal(
        part.stress_curves(["age", "flag"], taus=5).frame, alone.stress_curves(["age", "flag"], taus=5).frame
    )


def test_columns_know_their_new_range_and_gaps():
    X = frame()
    study = ts.Study(model, X, truth())
    old = study.where(X["age"] > 60)
    age, sex = old._columns[0], old._columns[1]
    assert age.lower > 60
    assert age.n_missing == 0
    assert sex.levels == ("F", "M", "X")
    assert study.where(X["age"].isna())._columns[0].n_missing == X["age"].isna().sum()
    assert np.isnan(study.where(X["age"].isna())._columns[0].lower)


def test_arrays_and_several_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(N, 3)), rng.integers(0, 3, N)
    study = ts.Study(LogisticRegression().fit(X, y), X, y)
    part = study.where(X[:, 0] > 0)
    np.testing.assert_array_equal(part.X, X[X[:, 0] > 0])
    np.testing.assert_array_equal(part.score, study.score[X[:, 0] > 0])


def test_a_function_chooses_on_the_rows_as_given():
    X = frame()
    study = ts.Study(model, X, truth())
    assert study.where(lambda rows: rows["flag"]).n_rows == X["flag"].sum()
    assert study.where(X["flag"].tolist()).n_rows == X["flag"].sum()


def test_a_subgroup_can_be_narrowed_stressed_and_asked():
    X = frame()
    study = ts.Study(model, X, truth())
    part = study.where(X["flag"]).where(lambda rows: rows["sex"] == "F")
    assert part.n_rows == (X["flag"] & (X["sex"] == "F")).sum()
    assert part.reweight(ts.Mean("age", tau=0.3)).status == "solved"
    np.testing.assert_array_equal(part.predict(X.head(3)).predicted, study.predicted[:3])


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        (np.zeros(N, bool), InputError, "keeps none of 200"),
        (np.ones(5, bool), InputError, "mask must have one entry per row of X; got 5"),
        (np.ones((N, 2), bool), InputError, "must be one column"),
        (np.arange(N), InputTypeError, "one bool per row; got int64"),
        ("sex", InputTypeError, "one value per row"),
        (lambda rows: rows["flag"].sort_values(), InputError, "order"),
        (lambda rows: rows["constant"] == 2, KeyError, "constant"),
    ],
)
def test_bad_masks_are_refused_in_words(rows, error, words):
    with pytest.raises(error, match=words):
        ts.Study(model, frame(), truth()).where(rows)


def test_a_subgroup_without_weight_is_refused():
    weight = np.where(np.arange(N) < 50, 0.0, 1.0)
    study = ts.Study(model, frame(), truth(), sample_weight=weight)
    with pytest.raises(InputError, match="weights of all its rows are 0"):
        study.where(np.arange(N) < 50)


def test_a_subgroup_of_one_class_is_refused():
    y = truth()
    with pytest.raises(InputError, match="class"):
        ts.Study(model, frame(), y).where(y == 1)
