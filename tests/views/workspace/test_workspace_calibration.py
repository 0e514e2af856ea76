"""Calibration in the workspace: opened when first shown, under the one stress, saved and as code."""

import numpy as np
import pytest

import tauscope as ts
from results import every
from tauscope.sharing.rows import choose_rows
from tauscope.views.workspace.code import code_of
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.workspace import Workspace
from views.workspace.opened import MOVED, opened


@pytest.fixture
def workspace():
    made = every.study().workspace(by="c")
    yield made
    made.close()


def test_it_is_computed_when_first_shown_and_follows_the_stress(workspace):
    assert {"name": "calibration", "label": "Calibration", "refused": ""} in workspace.message["views"]
    assert "calibration" not in workspace.inside
    view = opened(workspace, "calibration")
    assert (view.shown["moved"], view.message["by"], view.message["groups"]) == (False, "c", ["x", "y", "z"])
    workspace.stress = MOVED
    view.wait(60)
    expected = every.study().calibration(ts.Mean("a", tau=0.3), by="c")
    assert workspace.calibration__shown["stress"] == MOVED
    assert workspace.calibration__shown["ess"] == pytest.approx(expected.ess)
    workspace.calibration__group = "z"
    assert view.group == "z"


def test_while_hidden_it_hears_of_no_stress(workspace):
    view = opened(workspace, "calibration")
    workspace.view = "metrics"
    workspace.stress = MOVED
    view.wait(60)
    assert view.stress["taus"] == {}
    workspace.view = "calibration"
    view.wait(60)
    assert view.shown["stress"] == MOVED


def test_code_gives_it_again(workspace):
    study = every.study()
    opened(workspace, "calibration")
    workspace.stress = MOVED
    code = code_of(workspace)
    assert code.splitlines()[-1] == "study.calibration(ts.Mean('a', tau=0.3), by='c')"
    assert eval(code.splitlines()[-1], {"study": study, "ts": ts}).grouped_by == "c"
    given = study.workspace(results={"calibration": study.calibration(n_bins=4, target_class=0)})
    opened(given, "calibration")
    assert code_of(given) == "study.calibration(n_bins=4, target_class=0)"
    given.close()
    assert study.to_code(view="calibration", strategy="uniform") == "study.calibration(strategy='uniform')"


def test_a_page_has_it_anew_of_the_rows_drawn(workspace, tmp_path):
    view = opened(workspace, "calibration")
    workspace.calibration__group = "y"
    state = saved_state(workspace)
    assert (state["views"], state["view"]) == (["calibration"], "calibration")
    assert state["inside"]["calibration"] == {"group": "y"}
    rows = choose_rows(every.study(), 120, 0, {})
    here = rows.here({"results": {"calibration": view.result}})["results"]["calibration"]
    levels = every.rows()[0]["c"].iloc[rows.positions]
    assert here.n_rows == 120
    assert {group.label: group.n_rows for group in here.groups} == levels.value_counts().to_dict()
    every.study().save(tmp_path / "page.html", views=["calibration"], by="c", stress=MOVED)
    assert "the curves of every feature, calibration" in (tmp_path / "page.html").read_text("utf-8")
    page = Workspace.offline(every.study(), stress=MOVED)
    page.open_now("calibration")
    assert page.calibration__shown["stress"] == MOVED


def refused(study):
    made = study.workspace()
    found = next(one["refused"] for one in made.message["views"] if one["name"] == "calibration")
    if found:
        with pytest.raises(ts.InputError, match="calibration cannot be shown"):
            made.open_now("calibration")
    made.close()
    return found


def test_what_has_no_probabilities_of_two_classes_says_why():
    X, y = every.rows()
    assert refused(ts.Study.from_predictions(X, y_pred=y)).startswith("This compares with true values")
    assert refused(ts.Study.from_predictions(X, y, y)).startswith("Calibration is of probabilities")
    assert refused(ts.Study.from_predictions(X, X["a"], X["b"])).startswith("Calibration is of probabilities")
    beyond = ts.Study.from_predictions(X, y, y, 4.0 * X["a"].to_numpy())
    assert refused(beyond).startswith("Calibration is of probabilities")


def test_of_several_classes_it_is_there_where_one_was_named():
    X, _ = every.rows()
    scores = np.random.default_rng(0).dirichlet([2, 2, 2], len(X))
    study = ts.Study.from_predictions(X, X["c"], y_score=scores, classes=["x", "y", "z"])
    assert "study.calibration(target_class=…)" in refused(study)
    made = study.workspace(results={"calibration": study.calibration(target_class="y")})
    view = opened(made, "calibration")
    assert view.message["target_class"] == "y"
    assert code_of(made) == "study.calibration(target_class='y')"
    made.close()
