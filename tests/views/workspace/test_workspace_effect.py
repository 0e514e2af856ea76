"""Groups picked for the curves, over the effect of a workspace: followed, of another feature, and saved."""

from contextlib import closing

import numpy as np
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.workspace import Workspace
from views.workspace.opened import opened, pick

STRESS = {"taus": {"age": 0.5}, "hold": "none"}
HALF = np.arange(samples.study().n_rows) % 2 == 0


@pytest.fixture
def workspace():
    made = samples.study().workspace()
    yield made
    made.close()


def test_the_effect_has_the_groups_picked_for_the_curves(workspace):
    opened(workspace, "effect")
    assert workspace.effect__groups == {}
    pick(workspace, "sex")
    assert workspace.curves__groups["labels"] == ["female", "male"]
    assert [one["label"] for one in workspace.effect__groups["groups"]] == ["female", "male"]
    workspace.stress = STRESS
    workspace.inside["effect"].wait(60)
    assert workspace.effect__groups["stress"] == STRESS
    workspace.feature = "fare"
    opened(workspace, "effect")
    assert workspace.effect__groups["features"] == ["fare"]
    workspace.view = "metrics"
    pick(workspace, "")
    opened(workspace, "effect")
    assert workspace.inside["effect"].by == ""


def test_groups_picked_over_the_effect_are_those_of_the_curves(workspace):
    opened(workspace, "effect")
    workspace.inside["effect"].by = "port"
    pick(workspace, workspace.by)
    assert (workspace.by, workspace.curves__groups["by"]) == ("port", "port")


def test_a_mask_is_there_by_its_name():
    with closing(samples.study().workspace(by=HALF)) as made:
        opened(made, "effect")
        assert made.inside["effect"].by == "group"
        assert [one["label"] for one in made.effect__groups["groups"]] == ["False", "True"]


def test_code_of_the_effect_has_its_groups(workspace):
    opened(workspace, "effect")
    pick(workspace, "sex")
    assert code_of(workspace).splitlines()[-1] == "effect.by(by='sex')"
    workspace.inside["effect"].features = ["age", "fare"]
    assert "by" not in code_of(workspace)
    with closing(samples.study().workspace(by=HALF)) as made:
        opened(made, "effect")
        with pytest.raises(ts.InputError, match="Code has numbers, text"):
            code_of(made)


def test_a_saved_page_has_them(workspace):
    opened(workspace, "effect")
    pick(workspace, "sex")
    workspace.stress = STRESS
    state = saved_state(workspace)
    with closing(Workspace.offline(samples.study(), **{k: v for k, v in state.items() if k != "views"})) as saved:
        saved.open_now("effect")
        assert (saved.inside["effect"].by, saved.effect__groups["stress"]) == ("sex", STRESS)
        assert len(saved.effect__groups["groups"]) == 2
