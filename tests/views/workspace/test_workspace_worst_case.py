"""The worst case in the workspace: searched when first shown, its sliders taken over, saved and as code."""

import numpy as np
import pytest

import tauscope as ts
from results import every
from tauscope.results.stress.harm import moved_together
from tauscope.sharing.rows import choose_rows
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.opening import worst_together
from tauscope.views.workspace.requests import saved_state
from views.workspace.opened import MOVED, opened


@pytest.fixture
def workspace():
    made = every.study().workspace()
    yield made
    made.close()


@pytest.mark.slow
def test_it_is_searched_when_first_shown_and_moves_the_sliders_when_asked(workspace):
    assert {"name": "worst_case", "label": "Worst case", "refused": ""} in workspace.message["views"]
    assert "worst_case" not in workspace.inside
    view = opened(workspace, "worst_case")
    assert view.path["done"] == view.path["total"]
    harm = every.study().stress_curves().harm()
    expected = every.study().worst_case("error_rate", within={"tv": 0.1}, features=moved_together(harm))
    assert view.path["steps"][-1]["value"] == pytest.approx(expected.value)
    workspace.stress = MOVED
    assert workspace.worst_case__path["steps"][-1]["value"] == pytest.approx(expected.value)
    # what the button of the page sets
    view.stress = {"taus": view.path["steps"][-1]["taus"], "hold": "none"}
    assert workspace.stress["taus"] == view.path["steps"][-1]["taus"]
    moved = every.study().reweight(ts.Scenario("worst", workspace.stress["taus"]), metrics="error_rate").metrics
    assert moved["value"].iloc[-1] == pytest.approx(expected.value, abs=1e-6)


def test_features_that_follow_from_one_another_count_once():
    X, y = every.rows()
    twins = X[["a", "b"]].assign(twin=X["a"] * 2)
    study = ts.Study.from_predictions(twins, y, every.study().predicted)
    harm = study.stress_curves().harm()
    assert {"a", "twin"} <= set(moved_together(harm))
    found = worst_together(study, harm)
    assert {name for name, _, _ in found.moved} == {"a", "b"}
    assert found.value > found.before


@pytest.mark.slow
def test_code_searches_again(workspace):
    study = every.study()
    view = opened(workspace, "worst_case")
    code = code_of(workspace)
    assert code == (
        "study.worst_case('error_rate', within={'tv': 0.1}, "
        f"features={moved_together(study.stress_curves().harm())!r})"
    )
    assert eval(code, {"study": study}).value == pytest.approx(view.path["steps"][-1]["value"])
    workspace.worst_case__amount = 0.2
    assert eval(code_of(workspace), {"study": study}).value == pytest.approx(view.path["steps"][0]["value"])


@pytest.mark.slow
def test_code_of_a_value_to_be_reached_has_the_part_of_the_way():
    study = every.study()
    reached = study.worst_case("error_rate", reach=0.3, features=["a", "b"], held_out=0)
    made = study.workspace(results={"worst_case": reached})
    opened(made, "worst_case")
    made.worst_case__amount = 0.4
    again = eval(code_of(made), {"study": study})
    assert again.reach == pytest.approx(reached.before + 0.4 * (0.3 - reached.before))
    made.close()


@pytest.mark.slow
def test_a_page_has_it_anew_of_the_rows_drawn(workspace, tmp_path):
    view = opened(workspace, "worst_case")
    workspace.worst_case__amount = 0.6
    state = saved_state(workspace)
    assert (state["views"], state["view"]) == (["worst_case"], "worst_case")
    assert state["inside"]["worst_case"] == {"amount": 0.6}
    rows = choose_rows(every.study(), 120, 0, {})
    here = rows.here({"results": {"worst_case": view.result}})["results"]["worst_case"]
    assert here.n_rows == 120
    assert np.isclose(here.within.distance.limit, 0.1)
    assert [name for name, _, _ in here.moved] == [name for name, _, _ in view.result.moved]
    every.study().save(tmp_path / "page.html", views=["worst_case"])
    assert "the worst case within parts of what was allowed" in (tmp_path / "page.html").read_text("utf-8")


def test_without_the_truth_it_is_refused():
    X, y = every.rows()
    made = ts.Study.from_predictions(X, y_pred=y).workspace()
    refused = next(one["refused"] for one in made.message["views"] if one["name"] == "worst_case")
    assert refused.startswith("This compares with true values")
    with pytest.raises(ts.InputError, match="worst_case cannot be shown"):
        made.open_now("worst_case")
    made.close()
