"""The pooled boundary inside the workspace: of which rows, when it is computed, and what it shares."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts

pytestmark = pytest.mark.slow
STRESS = {"taus": {"age": 0.3}, "hold": "none"}


def made(*, truth=True, wrong=True):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["age", "hours", "income"])
    y = (X["age"] + X["hours"] + (rng.normal(size=200) if wrong else 0) > 0).to_numpy()
    if wrong:
        model = LogisticRegression().fit(X, y)
        return ts.Study(model, X, y if truth else None, progress=False)
    return ts.Study(lambda rows: rows["age"] + rows["hours"] > 0, X, y, progress=False)


@pytest.fixture(scope="module")
def study():
    return made()


@pytest.fixture
def workspace(study):
    made = study.workspace()
    yield made
    made.close()


def show(workspace):
    workspace.view = "pooled"
    workspace.wait(60)
    return workspace.inside["pooled"]


def rows_of(view):
    return view.result.boundaries._numbers.row.tolist()


def test_it_opens_on_the_rows_misclassified(study, workspace):
    heard = []
    workspace.observe(lambda change: heard.append(change["new"].get("pooled", {}).get("words")), "opened")
    view = show(workspace)
    n = len(study.errors)
    assert heard[0] == f"Asking LogisticRegression about {n} rows"
    assert rows_of(view) == study.errors.tolist()
    assert (view.message["given"], view.message["n_errors"], view.row) == ("errors", n, workspace.row)
    assert view.message["rows"] == f"the {n} rows that the model misclassifies"


def test_it_opens_on_the_rows_selected(workspace):
    workspace.selection = [3, 8, 20]
    view = show(workspace)
    assert rows_of(view) == [3, 8, 20]
    assert (view.message["given"], view.selection) == ("rows", [3, 8, 20])


def test_at_most_some_rows_are_drawn(study, monkeypatch):
    monkeypatch.setattr("tauscope.views.workspace.opening.MOST_ROWS", 5)
    made = study.workspace(selection=list(range(50)))
    view = show(made)
    again = study.pooled_boundary(range(50), max_rows=5, random_state=0, progress=False)
    assert rows_of(view) == again.boundaries._numbers.row.tolist()
    assert view.message["rows"] == "5 drawn from 50 of 200 rows"
    made.close()


def test_the_columns_are_those_of_the_sliders(study, workspace):
    view = show(workspace)
    assert view.pooled_in_page
    assert view.columns is workspace.joint__columns
    assert not any(workspace.has_trait(f"pooled__{name}") for name in ("columns", "columns_message", "row_weights"))
    assert workspace.pooled__directions == view.directions
    past = ts.Study(study._require_model("").model, study.X, study.y, progress=False)
    made = past.workspace(inside={"joint": {"budget": 100}})
    unshipped = show(made)
    assert (unshipped.pooled_in_page, unshipped.message["listed"]) == (False, True)
    made.stress = STRESS
    unshipped.wait(20)
    assert made.pooled__answer["words"].startswith("age ")
    made.close()


def test_selecting_asks_nothing_of_the_model_until_that_is_wanted(study, workspace):
    view = show(workspace)
    asked = study.n_model_rows
    workspace.selection = [1, 2]
    workspace.wait(20)
    assert (view.selection, study.n_model_rows) == ([1, 2], asked)
    assert view.message["given"] == "errors"
    workspace.pooled__compute += 1
    view.wait(30)
    assert rows_of(view) == [1, 2]
    assert workspace.pooled__message["n_chosen"] == 2
    workspace.selection = []
    assert rows_of(view) == [1, 2]
    workspace.pooled__compute += 1
    view.wait(30)
    assert view.message["given"] == "errors"


def test_what_is_pooled_goes_to_the_page_in_one_message(workspace, monkeypatch):
    view = show(workspace)
    workspace.selection = [1, 2]
    sent = []
    monkeypatch.setattr(workspace, "send_state", lambda key: sent.append({key} if isinstance(key, str) else {*key}))
    workspace.pooled__compute += 1
    view.wait(30)
    whole = next(names for names in sent if "pooled__message" in names)
    assert whole >= {"pooled__pooled", "pooled__places", "pooled__directions", "pooled__given_rows", "pooled__progress"}


def test_one_row_and_one_stress(workspace):
    view = show(workspace)
    view.row = 9
    assert workspace.row == 9
    workspace.stress = STRESS
    assert view.stress == STRESS
    workspace.view = "boundary"
    workspace.wait(60)
    assert workspace.inside["boundary"].row == 9


def test_without_errors_it_waits_for_rows_to_be_selected():
    study = made(truth=False)
    workspace = study.workspace(view="pooled")
    asked = study.n_model_rows

    def said():
        return {name: workspace.opened["pooled"][name] for name in ("state", "words", "again")}

    assert said()["words"].startswith("Select rows, in the table or the confusion matrix")
    assert said()["words"].endswith("Without true labels nobody knows which rows are misclassified.")
    workspace.compute += 1
    assert (said()["state"], said()["again"]) == ("waiting", True)
    workspace.selection = [5]
    assert said() == {"state": "waiting", "words": "1 row is selected.", "again": True}
    workspace.selection = [5, 6, 7]
    assert said()["words"] == "3 rows are selected."
    workspace.view = "metrics"
    workspace.view = "pooled"
    workspace.wait(20)
    assert (said()["state"], study.n_model_rows) == ("waiting", asked)
    workspace.compute += 1
    workspace.wait(60)
    assert rows_of(workspace.inside["pooled"]) == [5, 6, 7]
    workspace.close()
    perfect = made(wrong=False).workspace(view="pooled")
    assert "None of the 200 rows is misclassified" in perfect.opened["pooled"]["words"]
    perfect.close()


def test_a_result_given_is_shown_as_it_is():
    study = made(truth=False)
    given = study.pooled_boundary([4, 5], random_state=0, n_samples=100, progress=False)
    workspace = study.workspace(view="pooled", results={"pooled": given}, inside={"pooled": {"order": "change"}})
    asked = study.n_model_rows
    workspace.wait(60)
    assert workspace.inside["pooled"].result is given
    assert (workspace.pooled__order, study.n_model_rows) == ("change", asked)
    workspace.close()


def test_what_has_no_flips_says_why():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    made = ts.Study(LinearRegression().fit(X, X["a"]), X, X["a"]).workspace(view="pooled")
    assert (made.opened["pooled"]["state"], made.opened["pooled"]["again"]) == ("failed", False)
    assert "predicts a number" in made.opened["pooled"]["words"]
    made.close()
    made = ts.Study.from_predictions(X, X["a"] > 0, X["b"] > 0).workspace(view="pooled")
    assert "needs a model" in made.opened["pooled"]["words"]
    made.close()
