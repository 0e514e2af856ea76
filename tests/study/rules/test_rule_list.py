"""A rule list recovers a concept that is known, says how well it decides, and reads new rows as the study's own."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingRegressor

import tauscope as ts
from tauscope.errors import InputError, UnknownName

LEVELS = ["baker", "clerk", "driver", "nurse"]


def rows(n, seed):
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, n),
            "job": random.choice(LEVELS, n),
            "income": random.normal(size=n).round(3),
            "noise": random.normal(size=n),
        }
    )
    X.loc[random.random(n) < 0.05, "noise"] = np.nan
    return X


def says(X):
    """Follow a decision list: the young yes, nurses no, high incomes yes, others no."""
    return np.select([X["age"] < 40, X["job"] == "nurse", X["income"] > 0.5], ["yes", "no", "yes"], "no")


@cache
def study():
    X = rows(1600, 0)
    y = says(X)
    y[::20] = "no"
    return ts.Study(says, X, y)


@cache
def found(**options):
    return study().rule_list(**{"n_rows": 120, "share": 0.97, "n_estimators": 10, **options})


@pytest.mark.slow
def test_a_decision_list_is_recovered() -> None:
    new = rows(2000, 7)
    assert (found().predict(new) == says(new)).mean() >= 0.97
    assert found().covered[-1] >= 0.97
    assert len(found()) <= 12
    assert "noise" not in {feature for rule in found() for feature in rule.features}


def test_agreement_is_that_of_held_out_rows() -> None:
    one, true = found().agreements
    assert (one.against, true.against) == ("model", "truth")
    assert one.held_out
    assert one.n_rows == 400
    assert one.lower < one.value <= one.upper
    assert one.value >= 0.97
    assert true.value < one.value  # the truth has wrong labels
    frame = found().agreement
    assert frame["against"].tolist() == ["model", "truth"]
    assert (frame["covered"] > 0.9).all()


def test_the_table_counts_what_the_rules_hold_for() -> None:
    frame, holds = found().frame, found().holds(study().X)
    assert (np.diff(frame["cumulative_coverage"]) > 0).all()
    assert frame["coverage"].iloc[0] == pytest.approx(frame["cumulative_coverage"].iloc[0])
    n = [rule.training.n_inside + rule.held_out.n_inside for rule in found()]
    assert holds.sum(axis=1).tolist() == n
    assert (frame["precision_lower"] <= frame["precision"]).all()
    assert set(frame["decision"]) == {"yes", "no"}
    assert (frame["sdp_min"] >= 0.95).all()
    assert frame["rule"].iloc[0] in repr(found())


def test_new_rows_are_decided_by_the_first_rule_that_holds() -> None:
    new = rows(200, 3)[["job", "noise", "age", "income"]]  # in another order
    holds, decided = found().holds(new), found().predict(new)
    for i in range(200):
        first = np.flatnonzero(holds[:, i])
        expected = found().decisions[first[0]] if len(first) else found().default_decision
        assert decided[i] == expected
    with pytest.raises(UnknownName, match="pilot"):
        found().predict(new.assign(job="pilot"))
    with pytest.raises(InputError, match="all columns"):
        found().predict(new.drop(columns="age"))


def test_a_list_pickles_and_still_predicts() -> None:
    again = pickle.loads(pickle.dumps(found()))
    assert repr(again) == repr(found())
    new = rows(50, 4)
    assert (again.predict(new) == found().predict(new)).all()
    assert again._document()["default"] == found().default_decision


@pytest.mark.slow
def test_few_rules_and_a_smaller_share() -> None:
    assert len(found(max_rules=2)) == 2
    half = found(share=0.5)
    assert half.covered[-1] >= 0.5
    assert len(half) < len(found())
    assert found(n_rows=5).n_explained == 5
    assert found(n_rows=5, share=1.0).covered[-1] < 1
    assert "cover no more" in found(n_rows=5, share=1.0).notes[2]


def test_rules_are_proved_where_that_is_asked_for() -> None:
    assert {rule.proof.reason for rule in found()} == {"it was not asked for"}
    assert found().n_model_rows == 0
    proved = found(max_rules=1, prove=True, n_drawn=50, proof_budget=1000)
    assert proved[0].proof.n_drawn == 50
    assert proved.n_model_rows >= 50


@pytest.mark.slow
def test_values_of_a_regression_are_means_of_the_rows_inside() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(900, 4))
    model = GradientBoostingRegressor(random_state=0).fit(X, 10.0 * (X[:, 0] > 0.5) + 3.0 * (X[:, 1] > 0.5))
    study = ts.Study(model, X)
    values = study.rule_list(t=1.0, n_rows=60, n_estimators=10, share=0.7)
    assert set(values.values[:4].round().tolist()) == {0, 3, 10, 13}
    assert values.agreements[0].measure == "R²"
    assert values.agreements[0].lower < values.agreements[0].value < values.agreements[0].upper
    covered = values.holds(X).any(axis=0)
    assert np.abs(values.predict(X) - study.predicted)[covered].mean() < 0.5
    assert (values.predict(X)[~covered] == values.default).all()
    assert "with R²" in values.notes[0]
    with pytest.raises(InputError, match="an interval is around one row"):
        study.rule_list(t=(0.0, 1.0))


def test_rows_count_by_their_weights_under_a_stress() -> None:
    stressed = study().under(ts.Mean("age", target=60)).rule_list(n_rows=60, n_estimators=10)
    assert stressed.covered[-1] >= 0.9
    assert stressed[0].training.coverage != found()[0].training.coverage


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"share": 0.0}, "share"),
        ({"share": 1.5}, "share"),
        ({"max_rules": 0}, "max_rules must be at least 1"),
        ({"n_rows": 0}, "n_rows must be at least 1"),
        ({"features": ["noise"], "pi": 1.0}, "None of the 120 rows drawn"),
        ({"t": 3.0}, "t says which values"),
        ({"proof_budget": -1}, "proof_budget"),
    ],
)
def test_options_that_do_not_hold(options, words) -> None:
    with pytest.raises(InputError, match=words):
        study().rule_list(**{"n_rows": 120, **options})


@pytest.mark.slow
def test_no_rows_held_out() -> None:
    alone = found(held_out=0.0)
    assert not alone.agreements[0].held_out
    assert np.isnan(alone.agreements[0].lower)
    assert alone[0].held_out is None
    assert "rows the forest was fitted on" in alone.notes[0]
