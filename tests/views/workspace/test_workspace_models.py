"""Two models in one workspace: a view of its own, under the same sliders, and on pages."""

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results.samples import binary_study
from tauscope.views.packing import unpack
from tauscope.views.workspace.requests import saved_state

STRESS = {"taus": {"age": 0.3}, "hold": "none"}


@pytest.fixture(scope="module")
def pair():
    study = binary_study()
    return study, ts.Study.from_predictions(study.X, study.y, study.predicted[::-1])


@pytest.fixture
def workspace(pair):
    made = pair[0].workspace(beside=pair[1])
    yield made
    made.close()


def test_both_models_follow_the_sliders_once_they_are_shown(workspace, pair):
    assert workspace.message["views"][-1] == {"name": "models", "label": "Models", "refused": ""}
    assert "models" not in workspace.inside
    workspace.view = "models"
    workspace.wait(20)
    workspace.stress = STRESS
    workspace.inside["models"].wait(20)
    under = ts.compare(*pair, ts.Mean("age", tau=0.3)).frame
    last = under[under["population"] == "under the stress"]
    assert [one["difference"] for one in workspace.models__compared["pairs"]] == last["difference"].tolist()
    assert workspace.models__compared["stress"] == STRESS


def test_without_a_second_model_there_is_no_such_view(pair):
    alone = pair[0].workspace()
    assert "models" not in [one["name"] for one in alone.message["views"]]
    with pytest.raises(traitlets.TraitError, match="models"):
        alone.view = "models"
    alone.close()


def test_other_rows_are_refused(pair):
    with pytest.raises(ts.InputError, match="their rows are 300 and 50"):
        pair[0].workspace(beside=pair[1].where(np.arange(300) < 50))


def test_a_page_takes_the_comparison_along(workspace, pair, tmp_path):
    workspace.view = "models"
    workspace.wait(20)
    workspace.stress = STRESS
    state = saved_state(workspace)
    assert (state["views"], state["view"]) == (["models"], "models")
    pair[0].save(tmp_path / "two.html", **state)
    assert "the comparison of both models" in (tmp_path / "two.html").read_text("utf-8")


def test_curves_of_both_share_their_axes(workspace, pair):
    first, second = pair
    assert workspace.curves__message["beside"] == second._model_name
    names = [metric["name"] for metric in workspace.curves__message["metrics"]]
    there = np.frombuffer(unpack(workspace.curves__beside), "<f4").reshape(
        -1, len(names), len(workspace.curves__message["taus"]), 3
    )
    place = workspace.curves__message["taus"].index(0)
    wrong = (second.predicted != first._true_values).mean()
    assert there[0, names.index("error_rate"), place, 0] == pytest.approx(wrong)
    assert saved_state(workspace)["results"]["curves"] is workspace.beside
