"""What a stress changes in a metric, with the interval of the difference."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import tauscope as ts
from tauscope.stress.joint.changes import metric_changes
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose, define_quantities
from tauscope.study.stress.quantities import reweighted_moments

NAMES = ("calibration_in_the_large", "calibration_intercept", "calibration_slope")


def study(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    score = expit(1.2 * X["a"] + 0.5 * X["b"]).to_numpy()
    y = (rng.random(n) < expit(0.8 * X["a"] + X["b"])).astype(int)
    return ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score)


def changes(made, stress, within=None, weights=None):
    quantities, every = define_quantities(made.outcomes, names=NAMES)
    base = np.ones(made.n_rows)
    if stress is None:
        moments, under = Moments.none(made.n_rows), base
    else:
        found = made.reweight(stress)
        moments, under = reweighted_moments(made, found), found.weights
    return metric_changes(quantities, choose(every, NAMES), moments, under, base, 0.95, within)


def test_nothing_moved_changes_nothing():
    for change in changes(study(200, 0), None):
        assert tuple(change) == pytest.approx((0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("stress", [ts.Mean("a", tau=0.3), ts.Mean("a", target=0.3) & ts.Mean("b", tau=-0.2)])
def test_the_change_is_the_difference_of_the_values_in_groups_too(stress):
    made = study(300, 1)
    table = made.reweight(stress, metrics=NAMES).metrics
    found = changes(made, stress)
    assert [each.value for each in found] == pytest.approx((table["value"] - table["before"]).tolist(), rel=1e-9)
    inside = made.X["b"].to_numpy() > 0
    of_group = made.reweight(stress, metrics=NAMES).by(inside).frame
    of_group = of_group[of_group["group"] == "True"]
    found = changes(made, stress, inside)
    assert [each.value for each in found] == pytest.approx((of_group["value"] - of_group["before"]).tolist(), rel=1e-9)
    assert all(each.lower < each.value < each.upper for each in found)


def test_pairs_are_narrower_than_either_value():
    made, stress = study(300, 2), ts.Mean("a", target=0.2)
    table = made.reweight(stress, metrics=NAMES).metrics
    for change, width in zip(changes(made, stress), table["upper"] - table["lower"], strict=True):
        assert change.upper - change.lower < 0.7 * width


def test_next_to_no_rows_have_no_interval():
    made = study(300, 3)
    inside = np.arange(300) < 2
    change = changes(made, ts.Mean("a", tau=0.2), inside)[0]
    assert np.isfinite(change.value)
    assert np.isnan([change.lower, change.upper]).all()
