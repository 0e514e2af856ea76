"""Sufficient sets under a stress: the same sets, counted by weights, and those that stop reaching π."""

import pickle
from functools import cache

import numpy as np
import pytest

import tauscope as ts
from tauscope.errors import InputError
from tauscope.weights.measures import effective_size


def says(X):
    odd = (X[:, 0] > 0.75) & (X[:, 1] > 0.92)  # few, decided otherwise: a stress can make them many
    return ((X[:, 0] > 0.5) & ~odd).astype(int)


@cache
def study():
    X = np.random.default_rng(0).uniform(size=(400, 3))
    return ts.Study(says, X), X


def explained(**options):
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    options = {"features": ["x0"], "pi": 0.8, "min_rows": 40, "n_estimators": 8} | options
    return one.sufficient(row, **options)


def test_before_and_after() -> None:
    found = explained()
    same, far = (found.under(ts.Mean("x1", target=target)) for target in (study()[1][:, 1].mean(), 0.9))
    assert same.frame["sdp"].tolist() == pytest.approx(same.frame["sdp_before"].tolist())
    assert (same.reaches.tolist(), far.reaches.tolist()) == ([True], [False])
    assert far.frame[["features", "size", "reached_before", "reaches"]].to_numpy().tolist() == [
        [("x0",), 1, True, False]
    ]
    assert far.sdp[0] < far.sdp_before[0] == pytest.approx(found.sdp)
    assert "x0: probability" in repr(far)
    assert "No longer enough at π = 80 %." in repr(far)
    assert "Still enough." in repr(same)
    assert repr(pickle.loads(pickle.dumps(far))) == repr(far)


def test_as_the_weighted_study_s_own_search_has_it() -> None:
    stress = ts.Mean("x1", target=0.7)
    under = explained().under(stress, quantile=0.1)
    one, _ = study()
    moved = one.under(stress, quantile=0.1)
    anew = moved.sufficient(under.before.row, features=["x0"], pi=0.8, min_rows=40, n_estimators=8)
    assert under.sdp[0] == pytest.approx(anew.sdp)
    np.testing.assert_allclose(under.weight, moved.sample_weight)
    assert under.ess == pytest.approx(effective_size(moved.sample_weight))
    assert f"weigh as much as {under.ess:.0f}" in " ".join(under.notes)


def test_where_none_reached_the_best_is_counted() -> None:
    found = explained(pi=1.0, features=["x1", "x2"], min_rows=None)
    assert found.status == "none reaches π"
    under = found.under(ts.Mean("x0", tau=0.5))
    assert [tuple(one) for one in under.frame["features"]] == [found.best]
    assert under.frame["reached_before"].tolist() == [False]
    assert "Does not reach π = 100 %." in repr(under)


def test_all_minimal_sets_are_counted() -> None:
    found = explained(features=None, pi=0.75, min_rows=None)
    under = found.under(ts.Mean("x1", tau=-0.2))
    assert [tuple(one) for one in under.frame["features"]] == found.all


def test_new_values_are_refused() -> None:
    one, X = study()
    found = one.sufficient(X[:1], features=["x0"], pi=0.8, n_estimators=8)
    with pytest.raises(InputError, match="sufficient values of new values"):
        found.under(ts.Mean("x1", tau=0.5))
