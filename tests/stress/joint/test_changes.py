"""What a stress changes in a metric, with the interval of the difference."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import tauscope as ts

NAMES = ("calibration_in_the_large", "calibration_intercept", "calibration_slope")


def study(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    score = expit(1.2 * X["a"] + 0.5 * X["b"]).to_numpy()
    y = (rng.random(n) < expit(0.8 * X["a"] + X["b"])).astype(int)
    return ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score)


def test_nothing_moved_changes_nothing():
    changes = study(200, 0).calibration(ts.Mean("a", shift=0)).changes
    assert changes[["change", "lower", "upper"]].to_numpy() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("stress", [ts.Mean("a", tau=0.3), ts.Mean("a", target=0.3) & ts.Mean("b", tau=-0.2)])
def test_the_change_is_the_difference_of_the_values_in_groups_too(stress):
    made = study(300, 1)
    moved = made.reweight(stress, metrics=NAMES)
    found, table = made.calibration(stress).changes, moved.metrics
    assert found["change"].tolist() == pytest.approx((table["value"] - table["before"]).tolist(), rel=1e-9)
    inside = made.X["b"].to_numpy() > 0
    of_group, found = moved.by(inside).frame, made.calibration(stress, by=inside).changes
    assert found["change"].tolist() == pytest.approx((of_group["value"] - of_group["before"]).tolist(), rel=1e-9)
    assert (found["lower"] < found["change"]).all()
    assert (found["change"] < found["upper"]).all()


def test_pairs_are_narrower_than_either_value():
    made, stress = study(300, 2), ts.Mean("a", target=0.2)
    table, changes = made.reweight(stress, metrics=NAMES).metrics, made.calibration(stress).changes
    assert (changes["upper"] - changes["lower"] < 0.7 * (table["upper"] - table["lower"])).all()


def test_next_to_no_rows_have_no_interval():
    made = study(300, 3)
    changes = made.calibration(ts.Mean("a", tau=0.2), by=np.where(np.arange(300) < 2, "two", "rest")).changes
    of_two = changes[changes["group"] == "two"].iloc[0]
    assert np.isfinite(of_two["change"])
    assert np.isnan([of_two["lower"], of_two["upper"]]).all()
