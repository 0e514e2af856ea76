"""Rules under a stress: the same boxes, counted by weights, and those that stop holding."""

import pickle

import numpy as np
import pytest

import tauscope as ts
from tauscope.errors import InputError
from tauscope.rules.decision import SameDecision


def says(X):
    odd = (X[:, 0] > 0.75) & (X[:, 1] > 0.92)  # few, decided otherwise: a stress can make them many
    return ((X[:, 0] > 0.5) & ~odd).astype(int)


def study():
    X = np.random.default_rng(0).uniform(size=(900, 3))
    return ts.Study(says, X), X


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_second_stress_reuses_the_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    rules = one.rules(row, features=["x0", "x1"], pi=0.8, min_rows=60, n_drawn=0, proof_budget=0, n_estimators=10)
    first = rules.under(ts.Mean("x1", target=0.6))
    forest = next(iter(one._forests.values()))
    known = dict(forest.recounted)
    assert len(known) == len(rules)
    second, again = rules.under(ts.Mean("x1", target=0.8)), rules.under(ts.Mean("x1", target=0.6))
    assert forest.recounted == known
    assert second.after[0].sdp_min != first.after[0].sdp_min
    anew = one.rules(row, features=["x0", "x1"], pi=0.8, min_rows=60, n_drawn=0, proof_budget=0, n_estimators=10)
    monkeypatch.setattr("tauscope.study.rules.rules_under.MOST_BYTES", 1)
    assert [rule.sdp_min for rule in again.after] == [
        rule.sdp_min for rule in anew.under(ts.Mean("x1", target=0.6)).after
    ]
    assert len(forest.recounted) == 1


def test_probabilities_are_those_of_every_row_inside_under_the_weights() -> None:
    one, X = study()
    row = int(np.flatnonzero((X[:, 0] > 0.8) & (X[:, 1] < 0.5))[0])
    rules = one.rules(row, features=["x0"], pi=0.8, min_rows=60, n_estimators=10)
    after = rules.under(ts.Mean("x1", target=0.8)).after[0]
    forest = next(iter(one._forests.values()))
    weight = one.under(ts.Mean("x1", target=0.8)).sample_weight[forest.training]
    rows = X[forest.training]
    inside = rows[rules[0].conditions[0].holds(rows[:, 0])]
    same = SameDecision.of_class(np.ones(len(inside)))
    sdp = forest.projected.sdp(inside, [(0,)], same, weight=weight, min_rows=60)[:, 0]
    assert after.sdp_min == pytest.approx(min(sdp.min(), after.sdp))
