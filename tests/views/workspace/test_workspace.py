import numpy as np
import pandas as pd
import pytest
import traitlets
from ipywidgets.widgets.widget import _instances
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression

import tauscope as ts
from tauscope.views.effects.effect import FeatureEffectView
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.workspace import Workspace

pytestmark = pytest.mark.slow
NOTHING = {"taus": {}, "hold": "none"}


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["age", "hours", "income"])
    X["sex"] = rng.choice(["F", "M"], 300)
    y = X["age"] + rng.normal(size=300) > 0
    forest = RandomForestClassifier(5, max_depth=3, random_state=0)
    forest.fit(X[["age", "hours", "income"]].to_numpy(), y)
    return ts.Study(lambda rows: forest.predict_proba(rows[["age", "hours", "income"]].to_numpy())[:, 1], X, y)


@pytest.fixture
def workspace(study):
    made = study.workspace()
    yield made
    made.wait(60)
    made.close()


def test_first_values(study, workspace):
    assert workspace.stress == NOTHING
    assert workspace.view == "metrics"
    assert workspace.row == study.errors[0]
    assert workspace.feature == "age"
    assert (workspace.curves__metric, workspace.second_metric) == ("portion_True", "error_rate")
    assert set(workspace.inside) == {"curves", "joint"}


def test_first_values_can_be_given(study):
    stress = {"taus": {"hours": 0.5}, "hold": "means"}
    made = study.workspace(stress=stress, feature="income", row=3, selection=[1, 2])
    assert (made.stress, made.feature, made.row, made.selection) == (stress, "income", 3, [1, 2])
    assert made.inside["joint"].stress == stress
    made.close()


def test_groups_are_those_of_the_curves(study):
    made = study.workspace(by="sex")
    assert (made.by, made.curves__groups["by"]) == ("sex", "sex")
    made.by = ""
    assert made.inside["curves"].by == ""
    with pytest.raises(traitlets.TraitError, match="no grouping 'sexx'"):
        made.by = "sexx"
    made.close()


def test_a_mask_tells_rows_apart_too_and_goes_along_in_a_page(study):
    older = study.X["age"] > 0
    made = study.workspace(by=older, inside={"curves": {"within": True}})
    assert made.by == "age"
    state = saved_state(made)
    assert state["by"] is older
    assert state["inside"]["curves"]["within"]
    made.close()


def test_views_have_no_line_of_their_own(workspace):
    assert all(view.comm is None for view in workspace.inside.values())
    assert workspace.comm is not None


def test_traits_of_a_view_are_the_workspaces(workspace):
    joint = workspace.inside["joint"]
    assert {name for name in workspace.keys if name.startswith("joint__")} >= {"joint__message", "joint__metric"}
    assert workspace.joint__message == joint.message
    workspace.joint__metric = "error_rate"
    assert joint.metric == "error_rate"
    joint.metric = "portion_True"
    assert workspace.joint__metric == "portion_True"


def test_what_a_view_sets_together_goes_to_the_page_together(workspace, monkeypatch):
    workspace.view = "rules"
    workspace.wait(60)
    rules = workspace.inside["rules"]
    sent = []
    monkeypatch.setattr(
        workspace, "send_state", lambda key=None: sent.append({key} if isinstance(key, str) else {*key})
    )
    with rules.hold_sync():
        rules.progress = {"row": 1, "pi": 0.9, "doing": "Searching", "error": ""}
        rules.agrees = b"x"
        assert not sent
    assert sent == [{"rules__progress", "rules__agrees"}]


def test_a_value_that_a_view_refuses_goes_back(workspace):
    workspace.joint__metric = "no such metric"
    assert workspace.joint__metric == workspace.inside["joint"].metric == "portion_True"


def test_one_stress_for_all(workspace):
    workspace.stress = {"taus": {"hours": 0.3}, "hold": "none"}
    assert {view.stress["taus"]["hours"] for view in workspace.inside.values()} == {0.3}
    assert workspace.feature == "hours"  # the curves follow, and the rest with them
    workspace.inside["joint"].stress = {"taus": {"age": 0.1}, "hold": "none"}
    assert workspace.stress == workspace.inside["curves"].stress == {"taus": {"age": 0.1}, "hold": "none"}


def test_another_feature_than_the_one_moved_is_shown_and_not_moved(study):
    first, second = "age", "income"
    stress = {"taus": {first: 0.4}, "hold": "none"}
    made = study.workspace(feature=second, stress=stress, view="effect")
    made.wait(20)
    assert (made.stress, made.feature) == (stress, second)
    assert made.effect__features == [second]
    assert (made.inside["curves"].feature, made.inside["curves"].tau) == (first, 0.4)
    made.stress = {"taus": {second: 0.2}, "hold": "none"}
    made.feature = first
    assert made.stress["taus"] == {second: 0.2}
    made.close()


def test_a_feature_picked_in_the_effect_stays_while_the_sliders_move(study):
    made = study.workspace(feature="age", view="effect")
    made.wait(20)
    effect = made.inside["effect"]
    effect.features = ["sex"]
    effect.wait(20)
    made.stress = {"taus": {"age": 0.3}, "hold": "none"}
    assert effect.features == ["sex"]
    made.feature = "income"
    assert effect.features == ["income"]
    effect.wait(20)
    made.close()


def test_an_effect_given_is_shown_until_another_feature_is_chosen(study):
    made = study.workspace(feature="age", view="effect", results={"effect": study.effect("sex")})
    made.wait(20)
    assert made.inside["effect"].features == ["sex"]
    made.feature = "income"
    assert made.inside["effect"].features == ["income"]
    made.inside["effect"].wait(20)
    made.close()


def test_no_model_is_asked_before_a_view_is_shown(study, workspace):
    before = study.n_model_rows
    workspace.stress = {"taus": {"hours": 0.3}, "hold": "none"}
    assert study.n_model_rows == before
    workspace.view = "effect"
    workspace.wait(60)
    assert study.n_model_rows > before


def test_a_view_opens_when_it_is_shown(workspace):
    workspace.feature = "income"
    workspace.view = "effect"
    workspace.wait(60)
    assert workspace.opened["effect"]["state"] == "open"
    effect = workspace.inside["effect"]
    assert isinstance(effect, FeatureEffectView)
    assert effect.features == ["income"]
    assert workspace.effect__message["live"]


def test_what_is_hidden_hears_of_it_when_it_is_shown_again(workspace):
    workspace.view = "effect"
    workspace.wait(60)
    effect = workspace.inside["effect"]
    workspace.view = "metrics"
    workspace.stress = {"taus": {"hours": 0.3}, "hold": "none"}
    assert effect.stress == NOTHING
    workspace.view = "effect"
    assert effect.stress == workspace.stress
    assert effect.features == ["hours"]


def test_boundary_and_rules_are_of_one_row(workspace):
    workspace.view = "boundary"
    workspace.wait(60)
    workspace.view = "rules"
    workspace.wait(60)
    assert {workspace.inside[name].row for name in ("boundary", "rules")} == {workspace.row}
    workspace.inside["rules"].row = 7
    workspace.inside["rules"].wait(60)
    assert workspace.row == 7
    workspace.view = "boundary"
    assert workspace.inside["boundary"].row == 7
    workspace.inside["boundary"].wait(60)


def test_a_row_chosen_in_the_table_is_the_row_explained(workspace):
    workspace.view = "table"
    workspace.wait(60)
    table = workspace.inside["table"]
    assert table.row == workspace.row
    table.row = 11
    table.selection = [3, 11]
    assert (workspace.row, workspace.selection) == (11, [3, 11])
    workspace.view = "rules"
    workspace.wait(60)
    assert (workspace.inside["rules"].row, workspace.inside["rules"].selection) == (11, [3, 11])


@pytest.mark.parametrize("first", ["rules", "table"])
def test_the_table_lists_the_rows_inside_the_rule_shown(study, workspace, first):
    for name in (first, "table" if first == "rules" else "rules"):
        workspace.view = name
        workspace.wait(60)
    rules, table = workspace.inside["rules"], workspace.inside["table"]
    frame = rules.result.rows
    rule = rules.result[0]
    meets = np.logical_and.reduce([c.holds(frame.values[0][:, k]) for k, c in enumerate(rule.conditions)])
    wanted = sorted(frame.position[meets].tolist())
    assert 0 < len(wanted) < study.n_rows
    assert np.frombuffer(table.inside_rows, "<u4").tolist() == wanted
    assert rule.conditions[0].column.name in table.inside["words"]
    assert workspace.table__inside == table.inside
    workspace.table__filter = "inside"
    table.choose += 1
    assert workspace.selection == wanted
    other = next(row for row in range(study.n_rows) if row not in wanted and len(study.rules(row)))
    workspace.view, workspace.row = "rules", other
    rules.wait(60)
    assert other in np.frombuffer(table.inside_rows, "<u4").tolist()


def test_a_table_without_rules_has_no_rows_inside(study):
    view = study.table().widget()
    with pytest.raises(traitlets.TraitError, match="inside"):
        view.filter = "inside"
    view.follow_rule("age > 1", np.array([3, 4]))
    view.filter = "inside"
    view.follow_rule("", np.empty(0, dtype=int))
    assert (view.filter, view.inside) == ("all", {})
    view.close()


def test_the_kernel_lists_rows_inside_where_the_page_has_none(study):
    view = type(study.table().widget())(study.table(), budget=100)
    view.follow_rule("age > 1", np.array([3, 40]))
    view.filter = "inside"
    view.wait(20)
    assert (view.listed["filter"], view.listed["n"]) == ("inside", 2)
    view.close()


def test_what_cannot_be_opened_says_why():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    made = ts.Study(LinearRegression().fit(X, X["a"]), X, X["a"]).workspace(view="boundary")
    assert made.opened["boundary"]["state"] == "failed"
    assert "predicts a number" in made.opened["boundary"]["words"]
    assert made.row == 0
    made.close()
    made = ts.Study.from_predictions(X, X["a"] > 0, X["b"] > 0).workspace(view="effect")
    assert "needs a model" in made.opened["effect"]["words"]
    made.close()


def test_an_error_of_the_model_is_said():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    asked = []

    def model(rows):
        asked.append(len(rows))
        if len(asked) > 1:
            raise RuntimeError("out of order")
        return rows["a"] > 0

    made = ts.Study(model, X, X["b"] > 0).workspace(view="effect")
    made.wait(60)
    assert made.opened["effect"]["state"] == "failed"
    assert "out of order" in made.opened["effect"]["words"]
    made.close()


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("view", "curve", "curves"),
        ("feature", "agee", "age"),
        ("row", 300, "between 0 and 299"),
        ("row", -1, "between 0 and 299"),
        ("stress", {"taus": {"age": 2}}, r"\[-1, 1\]"),
    ],
)
def test_bad_values_are_refused(study, workspace, trait, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(workspace, trait, value)
    with pytest.raises(traitlets.TraitError, match=words):
        study.workspace(**{trait: value})


def test_an_unknown_argument_names_the_nearest(study):
    with pytest.raises(traitlets.TraitError, match="feature"):
        study.workspace(featur="age")


def test_closing_closes_all(study):
    made = study.workspace()
    inside = list(made.inside.values())
    made.close()
    assert made.comm is None
    assert all(view.comm is None for view in inside)


def test_workspaces_opened_and_closed_leave_no_widget_behind(study):
    study.workspace().close()
    before = set(_instances)
    for _ in range(5):
        study.workspace().close()
    assert set(_instances) == before


def test_offline_opens_nothing(study):
    made = Workspace.offline(study, view="effect")
    assert set(made.inside) == {"curves", "joint"}
    assert "effect" not in made.opened
    made.close()


def test_other_readers_see_the_curves(study, workspace):
    words = workspace.fallback()
    assert words["text/plain"] == repr(study)
    assert "<table" in words["text/html"]
