"""Groups picked for the curves, in the tabs of thresholds and calibration: followed, refused, given, and saved."""

import pytest
from ipywidgets.widgets.widget import _instances

import tauscope as ts
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.workspace import Workspace
from views.few_thresholds import HALF, study
from views.workspace.opened import MOVED, opened, pick

pytestmark = pytest.mark.slow
VERBS = {"thresholds": "threshold_curves", "calibration": "calibration"}
TABS = pytest.mark.parametrize("tab", sorted(VERBS))


@pytest.fixture
def workspace():
    made = study().workspace()
    yield made
    made.close()


def words(workspace, tab):
    return getattr(workspace, f"{tab}__{'decisions' if tab == 'thresholds' else 'shown'}")


def test_both_tabs_have_the_groups_picked_for_the_curves(workspace):
    thresholds, calibration = opened(workspace, "thresholds"), opened(workspace, "calibration")
    assert (thresholds.message["by"], calibration.message["by"]) == ("", "")
    pick(workspace, "c")
    assert (workspace.calibration__message["by"], workspace.calibration__message["groups"]) == ("c", ["x", "y", "z"])
    assert workspace.calibration__group == "x"
    assert workspace.curves__groups["labels"] == ["x", "y", "z"]
    assert workspace.thresholds__message["by"] == "", "what is hidden hears of it when it is shown"
    opened(workspace, "thresholds")
    assert workspace.thresholds__message["groups"] == ["x", "y", "z"]
    workspace.thresholds__thresholds = [0.2, 0.4, 0.6]
    pick(workspace, "d")
    assert (workspace.thresholds__message["by"], len(workspace.thresholds__message["groups"])) == ("d", 4)
    assert workspace.thresholds__thresholds == [thresholds.result.present]
    assert len(workspace.thresholds__decisions["groups"]) == 4
    workspace.stress = MOVED
    thresholds.wait(60)
    expected = study().threshold_curves(ts.Mean("a", tau=0.3), by="d").groups
    assert [one["ess"] for one in workspace.thresholds__decisions["groups"]] == [one.ess for one in expected]


@TABS
def test_a_mask_is_picked_again_by_its_name(tab):
    made = study().workspace(by=HALF)
    view = opened(made, tab)
    assert view.message["groups"] == ["False", "True"]
    pick(made, "c")
    assert code_of(made) == f"study.{VERBS[tab]}(by='c')"
    pick(made, "group")
    assert (view.message["by"], view.message["groups"]) == ("group", ["False", "True"])
    assert [group.n_rows for group in view.result.groups] == [240, 240]
    made.close()


@TABS
def test_a_result_that_was_given_stays_until_other_groups_are_picked(tab):
    given = getattr(study(), VERBS[tab])(by="d", confidence=0.8)
    made = study().workspace(by=HALF, results={tab: given})
    view = opened(made, tab)
    made.stress = MOVED
    view.wait(60)
    made.view = "metrics"
    opened(made, tab)
    assert (view.result, view.message["by"], view.message["groups"]) == (given, "d", ["0", "1", "2", "3"])
    assert made.by == "group"
    pick(made, "c")
    assert (view.message["by"], view.message["confidence"]) == ("c", 0.8)
    pick(made, "group")
    assert view.message["groups"] == ["False", "True"]
    made.close()


@TABS
def test_groups_picked_while_a_tab_is_hidden_or_opened_are_those_it_shows(workspace, tab):
    opened(workspace, tab)
    workspace.view = "metrics"
    pick(workspace, "c")
    pick(workspace, "d")
    assert opened(workspace, tab).message["by"] == "d"
    second = study().workspace()
    second.view = tab
    second.by = "c"
    assert opened(second, tab).message["by"] == "c"
    second.close()


@TABS
def test_groups_that_cannot_be_had_are_said_in_the_tab_and_the_last_ones_stay(tab):
    made = study().workspace(by="c")
    view = opened(made, tab)
    before = words(made, tab)
    pick(made, "many")
    assert "Rows are told apart by at most 200 groups; got 240 by 'many'" in words(made, tab)["aside"]
    assert words(made, tab)["groups"] == before["groups"]
    assert (made.by, view.message["by"], code_of(made)) == ("many", "c", f"study.{VERBS[tab]}(by='c')")
    pick(made, "d")
    assert ("aside" in words(made, tab), view.message["by"]) == (False, "d")
    made.close()
    failed = study().workspace(by="d")
    pick(failed, "many")
    failed.view = tab
    failed.wait(60)
    assert failed.opened[tab]["state"] == "failed"
    pick(failed, "c")
    assert opened(failed, tab).message["by"] == "c"
    failed.close()


@TABS
def test_a_page_saved_has_the_groups_last_shown(workspace, tab):
    opened(workspace, tab)
    pick(workspace, "c")
    if tab == "calibration":
        workspace.calibration__group = "y"
    else:
        workspace.thresholds__thresholds = [0.2, 0.4, 0.6]
    state = saved_state(workspace)
    assert (state["by"], state["results"][tab].grouped_by) == ("c", "c")
    views = state.pop("views")
    page = Workspace.offline(study(), **state)
    for name in views:
        page.open_now(name)
    page.check_offline()
    assert getattr(page, f"{tab}__message")["groups"] == ["x", "y", "z"]
    assert (page.by, list(page.curves__message["by"])) == ("c", ["c"])
    assert page.inside[tab].by == "c"
    if tab == "calibration":
        assert page.calibration__group == "y"
    else:
        assert page.thresholds__thresholds == [0.2, 0.4, 0.6]


def test_picking_adds_no_observers_and_closing_leaves_none():
    def observers(widget):
        names = [*widget.trait_names(), traitlets_all]
        return sum(len(widget._trait_notifiers.get(name, {}).get("change", [])) for name in names)

    traitlets_all = "All"
    study().workspace().close()
    before = set(_instances)
    made = study().workspace()
    for tab in sorted(VERBS):
        opened(made, tab)
    at_first = {name: observers(view) for name, view in {"": made, **made.inside}.items()}
    for by in ("c", "d", "", "c"):
        for tab in sorted(VERBS):
            made.view = tab
            pick(made, by)
    assert {name: observers(view) for name, view in {"": made, **made.inside}.items()} == at_first
    views = made.inside
    made.close()
    assert set(_instances) == before
    assert not any(views[tab].busy for tab in VERBS)
