"""A view of the workspace while it is computed: how far, cancelled, failed, given up for another."""

import threading
import time

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.views.workspace.opening import Asked

pytestmark = pytest.mark.slow


class Gate:
    """A model that waits inside each call of more than a few rows, until it is let go on."""

    def __init__(self):
        self.held, self.begun, self.error = False, threading.Event(), None
        self.gate = threading.Event()

    def hold(self):
        self.held = True
        self.gate.clear()
        self.begun.clear()

    def let_go(self):
        self.held = False
        self.gate.set()

    def __call__(self, rows):
        if self.held:
            self.begun.set()
            assert self.gate.wait(30)
        if self.error is not None:
            raise self.error
        return 1 / (1 + np.exp(-rows["age"].to_numpy() - 0.3 * rows["hours"].to_numpy()))


@pytest.fixture
def model():
    return Gate()


@pytest.fixture
def workspace(model):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)), columns=["age", "hours"])
    made = ts.Study(model, X, X["age"] + rng.normal(size=200) > 0, batch_rows=100).workspace()
    yield made
    model.let_go()
    made.close()


def opened(workspace, name):
    return {key: value for key, value in workspace.opened[name].items() if key in ("state", "words")}


def test_it_says_what_is_asked_and_how_far(model, workspace):
    heard = []
    workspace.observe(lambda change: heard.append(dict(change["new"].get("effect", {}))), "opened")
    model.hold()
    workspace.view = "effect"
    assert model.begun.wait(30)
    assert opened(workspace, "effect") == {"state": "working", "words": "Asking Gate about age"}
    time.sleep(0.15)  # the next word may be said
    model.let_go()
    workspace.wait(30)
    assert workspace.opened["effect"]["state"] == "open"
    counts = [(one["done"], one["total"]) for one in heard if one.get("state") == "working" and one["total"]]
    assert counts
    assert all(0 < done <= total for done, total in counts)


@pytest.mark.parametrize("view", ["effect", "boundary", "pooled"])
def test_cancelled_it_says_so_and_can_be_computed_after_all(model, workspace, view):
    model.hold()
    workspace.view = view
    assert model.begun.wait(30)
    workspace.stop += 1
    assert workspace.opened[view]["state"] == "cancelled"
    assert workspace.opened[view]["words"].startswith("Cancelled: Asking ")
    model.let_go()
    workspace.wait(30)
    assert workspace.opened[view]["state"] == "cancelled"
    assert view not in workspace.inside
    workspace.compute += 1
    workspace.wait(30)
    assert workspace.opened[view]["state"] == "open"
    assert view in workspace.inside


def test_rules_say_how_many_there_are_and_stop_within_a_batch(model, workspace):
    heard = []
    workspace.observe(lambda change: heard.append(dict(change["new"].get("rules", {}))), "opened")
    workspace.row = int(workspace.study.X["age"].argmax())  # which is decided by its age
    model.hold()
    workspace.view = "rules"
    assert model.begun.wait(30)
    workspace.stop += 1
    asked = workspace.study.n_model_rows
    model.let_go()
    workspace.wait(30)
    words = f"Searching the rules of row {workspace.row}"
    assert opened(workspace, "rules") == {"state": "cancelled", "words": f"Cancelled: {words}."}
    assert workspace.study.n_model_rows == asked + 100
    workspace.compute += 1
    workspace.wait(30)
    n_rules = len(workspace.inside["rules"].result)
    counts = {(one["done"], one["total"], one["unit"]) for one in heard if one.get("total")}
    assert (1, n_rules, "rules") in counts


def test_an_error_is_said_as_python_would_and_tried_again(model, workspace):
    model.error = RuntimeError("the server is <down>")
    workspace.view = "effect"
    workspace.wait(30)
    said = workspace.opened["effect"]
    assert said["state"] == "failed"
    assert said["words"] == "Your model raised RuntimeError: the server is <down>"
    assert said["again"]
    model.error = None
    workspace.compute += 1
    workspace.wait(30)
    assert workspace.opened["effect"]["state"] == "open"


def test_compute_does_nothing_where_nothing_is_to_be_computed_again(workspace):
    workspace.compute += 1
    assert "metrics" not in workspace.opened
    assert set(workspace.opened) == {"curves", "joint"}


def test_another_feature_takes_the_place_of_the_one_under_way(model, workspace):
    model.hold()
    workspace.view = "effect"
    assert model.begun.wait(30)
    workspace.feature = "hours"
    assert "hours" in workspace.opened["effect"]["words"]
    model.let_go()
    workspace.wait(30)
    assert workspace.inside["effect"].features == ["hours"]


def test_another_view_takes_the_place_and_the_first_is_computed_when_shown_again(model, workspace):
    model.hold()
    workspace.view = "effect"
    assert model.begun.wait(30)
    workspace.view = "table"
    assert "effect" not in workspace.opened
    model.let_go()
    workspace.wait(30)
    assert set(workspace.inside) == {"curves", "joint", "table"}
    workspace.view = "effect"
    workspace.wait(30)
    assert "effect" in workspace.inside


def test_what_makes_a_result_another():
    effect = Asked("effect", "age", 3)
    assert effect.same(effect._replace(row=4))
    assert not effect.same(effect._replace(column="hours"))
    rules = Asked("rules", "age", 3)
    assert rules.same(rules._replace(column="hours"))
    assert not rules.same(rules._replace(row=4))
    assert not rules.same(rules._replace(name="boundary"))
    calibration = Asked("calibration", "age", 3, by="sex")
    assert not calibration.same(calibration._replace(by=""))
    assert rules.same(rules._replace(by="sex"))
    pooled = Asked("pooled", "age", 3, [1, 2])
    assert pooled.same(Asked("pooled", "hours", 4, [5]))


def test_words(workspace):
    study = workspace.study
    assert Asked("boundary", "age", 1234).words(study) == "Asking Gate about row 1,234"
    assert Asked("pooled", "age", 0, range(1234)).words(study) == "Asking Gate about 200 of 1,234 rows"
    assert Asked("table", "age", 0).words(study) == "Listing the rows"
