"""Swing rules by brute force: the nearest row decided otherwise, and how far its box is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingRegressor

import tauscope as ts
from tauscope.errors import InputError


def says(X):
    return np.where((X["hours"] >= 45) | (X["job"] == "chief"), "rich", "poor")


def people(n=900):
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "hours": random.integers(20, 60, n),
            "job": random.choice(["cook", "chief", "clerk"], n, p=[0.4, 0.2, 0.4]),
            "noise": random.normal(size=n),
        }
    )
    return ts.Study(says, X, says(X)), X


def test_the_nearest_box_is_that_of_the_nearest_row_decided_otherwise() -> None:
    study, X = people()
    row = int(np.flatnonzero((X["hours"] == 40) & (X["job"] == "cook"))[0])
    (swing,) = study.swing_rules(row, n_estimators=10)
    assert swing.moved == ("hours",)
    assert swing.rule.answer == "predicted rich"
    assert "hours ≥ 45 instead of 40" in str(swing)
    assert "Least change: hours by 5" in str(swing)
    training = study.rules(row, n_estimators=10).explanation
    assert training.minimal == [("hours", "job")]
    spread = next(iter(study._forests.values())).table.rows[next(iter(study._forests.values())).training, 0].std()
    assert swing.distance == pytest.approx(5 / spread)
    assert swing.rule.precision == 1
    assert swing.rule.sdp_min >= 0.95
    # brute force: of all rows decided otherwise the nearest in hours and job
    others = X[(says(X) == "rich")].copy()
    distance = np.hypot((others["hours"] - 40) / spread, others["job"] != "cook")
    nearest = others.loc[distance.idxmin()]
    inside = [one.holds(np.array([one.entry]))[0] for one in swing.rule.conditions]
    assert all(inside)
    assert distance.min() - 1e-9 <= np.hypot((X["hours"][swing.rule.row] - 40) / spread, 0)
    assert nearest["job"] == "cook"


def test_a_level_that_has_to_change() -> None:
    study, X = people()
    row = int(np.flatnonzero((X["hours"] == 22) & (X["job"] == "clerk"))[0])
    (swing,) = study.swing_rules(row, n_estimators=10)
    assert swing.moved == ("job",)
    assert swing.distance == 1
    assert "job is chief instead of clerk" in str(swing)
    assert "job to another level" in str(swing)


def test_the_table_and_the_proof() -> None:
    study, X = people()
    row = int(np.flatnonzero((X["hours"] == 40) & (X["job"] == "cook"))[0])
    found = study.swing_rules(row, n_estimators=10, prove=True, n_drawn=100, proof_budget=1000, max_rules=1)
    assert found.frame["moves"].tolist() == [True, False]
    assert found.frame["value"].tolist() == [40, "cook"]
    assert found.frame["gap"].iloc[0] == 5
    assert found[0].rule.proof.n_differ == 0
    assert found[0].rule.proof.n_drawn == 100
    assert found.title == f"Swing rules of row {row}"
    assert any("of held-out rows" in note for note in found.notes)
    with pytest.raises(InputError, match="max_rules"):
        study.swing_rules(row, max_rules=0)


@pytest.mark.slow
def test_values_of_a_regression_swing_out_of_the_interval() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(700, 3))
    model = GradientBoostingRegressor(random_state=0).fit(X, 10.0 * (X[:, 0] > 0.5))
    study = ts.Study(model, X)
    row = int(np.flatnonzero(X[:, 0] < 0.3)[0])
    value = float(study.predicted[row])
    for t in (4.0, (value - 2, value + 2)):
        (swing,) = study.swing_rules(row, t=t, n_estimators=10)
        assert swing.moved == ("x0",)
        (condition,) = swing.rule.conditions
        assert condition.lower == pytest.approx(0.5, abs=0.05)
        assert swing.moves[0].gap == pytest.approx(condition.lower - X[row, 0])
        assert swing.rule.answer != study.rules(row, t=t, n_estimators=10, n_drawn=0)[0].answer


def test_no_row_decided_otherwise_as_surely_is_said() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(400, 2))
    flips = np.where((X[:, 0] > 0) & (random.random(400) < 0.5), 1, 0)
    study = ts.Study.from_predictions(X, y_pred=flips)
    row = int(np.flatnonzero(X[:, 0] < -0.5)[0])
    found = study.swing_rules(row, features=["x0"], min_rows=60)
    assert len(found) == 0
    assert "No row is decided otherwise as surely" in repr(found)
    assert found.frame.empty


@pytest.mark.slow
def test_one_box_that_two_sets_lead_to_is_named_once() -> None:
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(0, 10, 400), random.uniform(size=(400, 2))])
    X[0] = [4, 0.9, 0.9]
    one = ts.Study(lambda rows: ((rows[:, 0] > 3) & (rows[:, 1:] > 0.5).any(axis=1)).astype(int), X, progress=False)
    swings = one.swing_rules(0, pi=0.9, n_drawn=0)
    assert {("x0", "x1"), ("x0", "x2")} <= set(swings.explanation.minimal)
    assert swings.frame.groupby("rule")["conditions"].first().tolist() == ["x0 ≤ 3"]
