"""A scenario wherever a stress is taken: the constraints of the sliders at the same place."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import tauscope as ts
from results.samples import HOSTILE, QUOTED, UNICODE, binary_study

HOLDS = ("none", "means", "uncorrelated")
TAUS = {f"{UNICODE} = True": -0.3, "age": 0.2, HOSTILE: 0.1}


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.slow
def test_it_is_solved_as_the_sliders_are(hold):
    study = binary_study()
    expected = study.joint_stress().at(TAUS, hold)
    found = study.reweight(ts.Scenario("a", TAUS, hold))
    assert repr(found.stress) == repr(expected.stress)
    np.testing.assert_array_equal(found.weights, expected.weights)
    pd.testing.assert_frame_equal(found.metrics, expected.metrics)


def test_it_is_taken_where_a_stress_is():
    study, one = binary_study(), ts.Scenario("a", TAUS)
    weights = study.reweight(one).weights
    np.testing.assert_array_equal(study.under(one).sample_weight, weights)
    narrow = study.reweight(one, quantile=0.2)
    assert narrow.values[0] != study.reweight(one).values[0]
    assert narrow.values[0] == study.joint_stress(quantile=0.2).at(TAUS).values[0]


def test_a_level_of_many_is_moved_and_the_others_held():
    n = 400
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=n), "town": [f"t{k % 80}" for k in range(n)], "b": random.normal(size=n)})
    study = ts.Study.from_predictions(X, X["a"] > 0, X["b"] > 0)
    one = ts.Scenario("a", {"town = t7": 0.5}, hold="means")
    assert repr(study.reweight(one).stress).count("tau=0)") == 2


@pytest.mark.parametrize("name", ["agee", "age = 3", "town"])
def test_a_feature_that_is_not_there_is_refused_with_the_nearest(name):
    with pytest.raises(ts.UnknownName, match=f"There is no feature '{name}'"):
        binary_study().reweight(ts.Scenario("a", {name: 0.5}))
    with pytest.raises(ts.UnknownName, match="Nearest: 'age'"):
        binary_study().under(ts.Scenario("a", {"agee": 0.5}, hold="means"))


def test_what_cannot_be_moved_is_refused():
    with pytest.raises(ts.InputError, match="constant"):
        binary_study().reweight(ts.Scenario("a", {"constant": 0.5}))
    with pytest.raises(ts.UnknownName, match="no feature"):
        binary_study().reweight(ts.Scenario("a", {QUOTED: 0.5}))  # a column of levels has a feature for each


def test_of_a_sparse_matrix_nothing_else_is_held():
    random = np.random.default_rng(0)
    X = sparse.csr_matrix(random.integers(0, 2, (80, 5)) * random.normal(size=(80, 5)))
    study = ts.Study.from_predictions(X, np.arange(80) % 2, np.arange(80) % 3 == 0)
    found = study.reweight(ts.Scenario("a", {"x3": 0.2, "x1": -0.2}))
    assert repr(found.stress) == "ts.Mean('x1', tau=-0.2) & ts.Mean('x3', tau=0.2)"
    with pytest.raises(ts.InputError, match=r"hold='means' keeps .* sparse matrix has too many; use hold='none'"):
        study.reweight(ts.Scenario("a", {"x3": 0.2}, hold="means"))
