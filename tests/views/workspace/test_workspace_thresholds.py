"""Thresholds in the workspace: opened when first shown, under the one stress, saved and as code."""

import numpy as np
import pytest

import tauscope as ts
from results import every
from tauscope.sharing.rows import choose_rows
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.workspace import Workspace
from views.few_thresholds import HALF, study
from views.workspace.opened import MOVED, opened


@pytest.fixture
def workspace():
    made = study().workspace(by=HALF)
    yield made
    made.close()


def test_they_are_computed_when_first_shown_and_follow_the_stress(workspace):
    assert {"name": "thresholds", "label": "Threshold", "refused": ""} in workspace.message["views"]
    assert "thresholds" not in workspace.inside
    view = opened(workspace, "thresholds")
    assert (view.decisions["moved"], view.message["by"]) == (False, "group")
    assert [one["name"] for one in view.decisions["groups"]] == ["False", "True"]
    workspace.stress = MOVED
    view.wait(60)
    expected = study().threshold_curves(ts.Mean("a", tau=0.3), by=HALF)
    assert workspace.thresholds__decisions["stress"] == MOVED
    assert workspace.thresholds__decisions["ess"] == pytest.approx(expected.ess)
    workspace.thresholds__thresholds = [0.4]
    assert view.thresholds == [0.4]


def test_code_gives_them_again():
    made = study().workspace(results={"thresholds": study().threshold_curves(cost={"fp": 1, "fn": 5})}, stress=MOVED)
    opened(made, "thresholds")
    code = code_of(made)
    assert code.splitlines()[-1] == "study.threshold_curves(ts.Mean('a', tau=0.3), cost={'fp': 1.0, 'fn': 5.0})"
    assert eval(code.splitlines()[-1], {"study": study(), "ts": ts}).costs.fn == 5
    made.close()
    assert study().to_code(view="thresholds") == "study.threshold_curves()"
    assert study().to_code(view="thresholds", by="c", cost={"fn": 2}) == (
        "study.threshold_curves(by='c', cost={'fn': 2})"
    )


def test_groups_of_a_mask_have_no_code(workspace):
    opened(workspace, "thresholds")
    with pytest.raises(ts.InputError, match="got by="):
        code_of(workspace)


def test_a_page_has_them_anew_of_the_rows_drawn(workspace, tmp_path):
    view = opened(workspace, "thresholds")
    workspace.thresholds__thresholds = [0.4]
    state = saved_state(workspace)
    assert (state["views"], state["view"]) == (["thresholds"], "thresholds")
    assert state["inside"]["thresholds"]["thresholds"] == [0.4]
    rows = choose_rows(study(), 120, 0, {})
    here = rows.here({"by": HALF, "results": {"thresholds": view.result}})
    np.testing.assert_array_equal(here["by"], HALF[rows.positions])
    assert here["results"]["thresholds"].n_rows == 120
    assert [group.n_rows for group in here["results"]["thresholds"].groups] == np.bincount(here["by"]).tolist()
    study().save(tmp_path / "page.html", views=["thresholds"], by=HALF, stress=MOVED)
    page = Workspace.offline(study(), stress=MOVED)
    page.open_now("thresholds")
    assert page.thresholds__decisions["stress"] == MOVED


def test_without_a_score_they_are_refused():
    made = ts.Study.from_predictions(every.rows()[0], every.rows()[1], every.rows()[1]).workspace()
    refused = next(one["refused"] for one in made.message["views"] if one["name"] == "thresholds")
    assert refused.startswith("A threshold is of the score of one of two classes")
    with pytest.raises(ts.InputError, match="thresholds cannot be shown"):
        made.open_now("thresholds")
    made.close()
