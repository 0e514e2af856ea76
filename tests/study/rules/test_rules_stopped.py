"""Rules that are given up: between two batches of the model, two trees, two steps of a proof; and how far they are."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

import tauscope as ts
from tauscope.prediction.stopping import Stopped, stoppable
from tauscope.rules import probability, shared
from tauscope.rules.proofs import proof

BATCH = 50


class Counted:
    """A model that counts its calls, and its rows in each."""

    def __init__(self):
        self.calls = []

    def __call__(self, rows):
        self.calls.append(len(rows))
        return (rows["age"].to_numpy() > 0) | (rows["pay"].to_numpy() > 1)


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(300, 3)), columns=["age", "pay", "hours"])


@pytest.fixture
def model():
    return Counted()


@pytest.fixture
def study(people, model):
    return ts.Study(model, people, batch_rows=BATCH, progress=False)


def both(study):
    """A row with two minimal sets: each of two values is enough."""
    return int(np.flatnonzero((study.X["age"] > 0.5) & (study.X["pay"] > 1.5))[0])


def test_rows_drawn_are_asked_about_in_batches_and_no_further_than_told(study, model):
    calls = model.calls
    calls.clear()
    with stoppable(lambda: len(calls) > 2), pytest.raises(Stopped):
        study.rules(both(study), n_drawn=1_000)
    assert calls == [BATCH] * 3
    calls.clear()
    found = study.rules(both(study), n_drawn=1_010)
    assert calls == ([BATCH] * 20 + [10]) * len(found)
    assert found.n_model_rows == sum(calls)


@pytest.mark.parametrize(("module", "name"), [(probability, "_shares"), (shared, "_sdp_of_tree")])
def test_the_forest_is_left_between_two_trees(study, monkeypatch, module, name):
    asked, ask = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given: (asked.append(1), ask(*given))[1])
    with stoppable(lambda: len(asked) > 0), pytest.raises(Stopped):
        study.rules(both(study), n_drawn=0)
    assert len(asked) == 1


def test_a_proof_is_left_between_two_steps(people, monkeypatch):
    forest = RandomForestClassifier(30, random_state=0)
    forest.fit(people, Counted()(people) ^ (people["hours"] > 1))
    parted, part = [], proof._Search.part_lowest
    monkeypatch.setattr(proof._Search, "part_lowest", lambda self: (parted.append(1), part(self))[1])
    study = ts.Study(forest, people, progress=False)
    study.rules(both(study), n_drawn=0)
    assert len(parted) > 1
    parted.clear()
    with stoppable(lambda: len(parted) > 0), pytest.raises(Stopped):
        study.rules(both(study), n_drawn=0)
    assert len(parted) == 1


def test_each_rule_is_told_of_and_those_so_far_are_had(study):
    told = []
    whole = study.rules(both(study), n_drawn=0, callback=lambda *count: told.append(count))
    assert told == [(1, 2), (2, 2)]
    some = study.rules(both(study), n_drawn=0, callback=lambda done, total: True)
    pd.testing.assert_frame_equal(some.frame, whole.frame[whole.frame["rule"] == 0])
    assert "1 more minimal set has a rule: max_rules." in repr(some)
    assert len(some.rows.values) == len(some.distributions) == 1


def test_a_bar_counts_the_rules(study, monkeypatch):
    drawn = []

    class Drawn:
        n = 0

        def update(self, more):
            self.n += more

        def close(self):
            drawn.append(self.n)

    monkeypatch.setattr("tauscope.model.progress_bar.DELAY", 0)
    monkeypatch.setattr("tauscope.model.drawn_bar.draw_bar", lambda doing, total, unit, seconds: Drawn())
    study.rules(both(study), n_drawn=0)
    assert drawn == [2]
    study.rules(both(study), n_drawn=0, progress=False)
    assert drawn == [2]
