"""Rules under a stress: the same boxes, counted by weights, and those that stop holding."""

import pickle

import numpy as np
import pytest

import tauscope as ts
from tauscope.errors import InputError


def says(X):
    odd = (X[:, 0] > 0.75) & (X[:, 1] > 0.92)  # few, decided otherwise: a stress can make them many
    return ((X[:, 0] > 0.5) & ~odd).astype(int)


def study():
    X = np.random.default_rng(0).uniform(size=(900, 3))
    return ts.Study(says, X), X


def test_before_and_after() -> None:
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    rules = one.rules(row, features=["x0"], pi=0.8, min_rows=60)
    same = rules.under(ts.Mean("x1", tau=0))
    assert same.holds == (True,)
    assert same.frame["sdp"].tolist() == pytest.approx(same.frame["sdp_before"].tolist())
    assert same.frame["sdp_min"].tolist() == pytest.approx(same.frame["sdp_min_before"].tolist())
    assert same.frame["coverage"].tolist() == pytest.approx(same.frame["coverage_before"].tolist())
    far = rules.under(ts.Mean("x1", target=0.9))
    assert far.holds == (False,)
    assert far.frame["sdp"][0] < far.frame["sdp_before"][0]
    assert far.frame["precision"][0] < far.frame["precision_before"][0]
    assert "No longer holds at π = 80 %" in repr(far)
    assert "Still holds." in repr(same)
    again = pickle.loads(pickle.dumps(far))
    assert repr(again) == repr(far)
    assert far.after[0].bounds == rules[0].bounds


def test_coverage_and_precision_are_shares_of_the_weight() -> None:
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    rules = one.rules(row, features=["x0"], pi=0.8, min_rows=60, held_out=0.0)
    after = rules.under(ts.Mean("x1", target=0.8)).after[0]
    weight = one.under(ts.Mean("x1", target=0.8)).sample_weight
    inside = rules[0].conditions[0].holds(X[:, 0])
    assert after.coverage == pytest.approx(weight[inside].sum() / weight.sum())
    assert after.precision == pytest.approx(weight[inside & (says(X) == 1)].sum() / weight[inside].sum())
    assert after.training.n_inside == inside.sum()
    assert after.held_out is None


def test_as_the_weighted_study_s_own_explanation_has_it() -> None:
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    rules = one.rules(row, features=["x0"], pi=0.9)
    moved = one.under(
        ts.Mean(
            "x1",
            target=0.7,
        ),
        quantile=0.1,
    )
    anew = moved.sufficient(row, features=["x0"], pi=0.9)
    assert rules.under(ts.Mean("x1", target=0.7), quantile=0.1).after[0].sdp == pytest.approx(anew.sdp)


def test_rules_of_new_values_are_refused() -> None:
    one, X = study()
    rules = one.rules(X[:1], features=["x0"], pi=0.8)
    with pytest.raises(InputError, match="rules of new values"):
        rules.under(ts.Mean("x1", tau=0.5))
