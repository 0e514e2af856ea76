"""Stress curves of a study with the other features held."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import InputError, UnknownName

N = 3000


def study():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 3))
    x[:, 1] = 0.5 * x[:, 0] + np.sqrt(0.75) * x[:, 1]
    X = pd.DataFrame(x, columns=["x1", "x2", "x3"])
    X["kind"] = rng.choice(["a", "b", "rare"], N, p=[0.5, 0.49, 0.01])
    X["flag"] = rng.random(N) < 0.3
    ones = x[:, 0] - x[:, 2] + 0.1 * rng.normal(size=N) > 0
    return ts.Study.from_predictions(X, rng.integers(0, 2, N), ones.astype(int))


def portion(curves, feature, tau):
    frame = curves.frame
    return frame[(frame.feature == feature) & (frame.tau == tau) & (frame["metric"] == "portion_1")]["value"].item()


def test_what_correlates_without_causing_is_found_out():
    one = study()
    plain = one.stress_curves(["x2"], taus=3)
    assert portion(plain, "x2", 1) - portion(plain, "x2", -1) > 0.35
    for hold in ("means", "uncorrelated"):
        held = one.stress_curves(["x2"], taus=3, hold=hold)
        assert abs(portion(held, "x2", 1) - portion(held, "x2", -1)) < 0.12
        assert held.hold == hold
        assert set(held.feature_notes) <= {"x2"}


@pytest.mark.parametrize("feature", ["x2", "kind = a", "flag = True"])
def test_a_point_is_the_reweighting_that_says_the_same(feature):
    one = study()
    held = one.stress_curves([feature], taus=[0.5], hold="means", hold_features=["x1", "x3"])
    stress = ts.Mean(feature, tau=0.5) & ts.Mean("x1", tau=0) & ts.Mean("x3", tau=0)
    weights = one.reweight(stress).weights
    assert portion(held, feature, 0.5) == pytest.approx(np.average(one.predicted, weights=weights))


def test_by_default_rare_levels_are_left_free():
    one = study()
    held = one.stress_curves(["x2"], taus=[0.5], hold="means")
    stress = ts.Mean("x2", tau=0.5)
    for name in ("x1", "x3", "kind = a", "flag = True"):  # with b as well, the rare rest would be held
        stress = stress & ts.Mean(name, tau=0)
    alone = one.reweight(stress)
    assert portion(held, "x2", 0.5) == pytest.approx(np.average(one.predicted, weights=alone.weights))
    asked = one.stress_curves(["x2"], taus=[0.5], hold="means", hold_features=["x1", "x3", "kind", "flag"])
    assert portion(asked, "x2", 0.5) != pytest.approx(portion(held, "x2", 0.5), abs=1e-6)


def test_levels_of_the_moved_column_are_not_held():
    held = study().stress_curves(["kind"], taus=[0.5], hold="uncorrelated")
    assert held.feature_names == ("kind = a", "kind = b", "kind = rare")
    assert np.isfinite(held._curves.value).all()


def test_out_of_reach_is_said():
    one = study()
    X = one.X.assign(copy=one.X["x1"] + 0.01 * np.sin(np.arange(N)))
    near = ts.Study.from_predictions(X, None, one.predicted)
    held = near.stress_curves(["x1"], taus=5, hold="means")
    frame = held.frame
    assert frame[frame.tau == 1]["value"].isna().all()
    assert frame[frame.tau == 1]["note"].str.contains("these rows cannot be weighted that far").all()
    assert frame[frame.tau == 0]["value"].notna().all()
    assert held.feature_notes["x1"] == (
        "these rows cannot be weighted that far while the others are held at τ ≤ −0.5 and τ ≥ 0.5",
    )
    near.stress_curves(["x1"], taus=5, hold="means", hold_features="x2")
    exact = ts.Study.from_predictions(one.X.assign(copy=one.X["x1"] * 2), None, one.predicted)
    assert exact.stress_curves(["x1"], taus=[0.1], hold="means")._curves.value[0, 0, 1] != 0.5


def test_the_title_says_what_is_held():
    one = study()
    assert ", other means held:" in repr(one.stress_curves(["x2"], taus=3, hold="means"))
    assert ", other features held and uncorrelated:" in repr(
        one.stress_curves(["x2"], taus=3, hold="uncorrelated", hold_features=["x1"])
    )


def test_another_grid_is_computed_the_same_way():
    held = study().stress_curves(["x2"], taus=3, hold="means")
    assert not held._refinable
    assert portion(held.at([0.5]), "x2", 0.5) == pytest.approx(
        portion(study().stress_curves(["x2"], taus=5, hold="means"), "x2", 0.5)
    )


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"hold": "all"}, InputError, "hold must be one of means, uncorrelated, or None; got 'all'"),
        ({"hold": "means", "interval": "bootstrap-t"}, InputError, "got interval='bootstrap-t'"),
        ({"hold": "means", "metrics": ["matthews_corrcoef"]}, InputError, "got another metric"),
        ({"hold_features": ["x1"]}, InputError, "say how as well"),
        ({"hold": "means", "hold_features": ["x9"]}, UnknownName, "no feature 'x9'"),
    ],
)
def test_bad_ways_to_hold_are_refused(options, error, words):
    with pytest.raises(error, match=words):
        study().stress_curves(["x2"], taus=3, **options)
