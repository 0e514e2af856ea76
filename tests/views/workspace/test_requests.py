"""What the page asks of the kernel: code that gives the numbers on screen, a page of it, scenarios side by side."""

import ast
import json
import re

import numpy as np
import pandas as pd
import pytest
import traitlets
from sklearn.ensemble import RandomForestClassifier

import tauscope as ts
from tauscope.views.workspace.workspace import Workspace

pytestmark = pytest.mark.slow
OLDER = {"name": "older", "taus": {"age": 0.2}, "hold": "none"}
FEWER = {"name": "fewer", "taus": {"sex = F": -0.3}, "hold": "means"}


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["age", "hours", "income"])
    X["sex"] = rng.choice(["F", "M"], 300)
    y = pd.Series(np.where(X["age"] + rng.normal(size=300) > 0, ">50K", "<=50K"), name="income")
    forest = RandomForestClassifier(5, max_depth=3, random_state=0)
    forest.fit(X[["age", "hours", "income"]].to_numpy(), y)
    return ts.Study(lambda rows: forest.predict_proba(rows[["age", "hours", "income"]].to_numpy())[:, 1], X, y)


class Page:
    """A page that asks, and hears the answers."""

    def __init__(self, workspace):
        self.workspace, self.heard = workspace, []
        workspace.send = lambda message, buffers=None: self.heard.append((message, buffers))

    def ask(self, what, **more):
        content = {"type": "tauscope:request", "id": f"{len(self.heard)}", "what": what, **more}
        self.workspace._handle_custom_msg(content, [])
        self.workspace.wait(60)
        message, buffers = self.heard[-1]
        assert message["id"] == content["id"]
        return {**message, "content": b"".join(buffers or [])}

    def show(self, view, **traits):
        self.workspace.view = view
        self.workspace.wait(60)
        for name, value in traits.items():
            setattr(self.workspace, f"{view}__{name}", value)
        self.workspace.inside[view].wait(60)
        return self.workspace.inside[view]

    def run(self):
        """Run the code copied, as a notebook does, and return its names and what its last line gives."""
        code = self.ask("code")["text"]
        tree = ast.parse(code)
        tree.body[-1] = ast.Assign([ast.Name("shown", ast.Store())], tree.body[-1].value)
        names = {"study": self.workspace.study, "ts": ts}
        exec(compile(ast.fix_missing_locations(tree), "cell", "exec"), names)
        return names


@pytest.fixture
def page(study):
    made = study.workspace(stress={"taus": {"age": 0.2}, "hold": "none"})
    yield Page(made)
    made.close()


def test_code_of_metrics_and_curves(page):
    answer = page.workspace.inside["joint"].result.at({"age": 0.2})
    np.testing.assert_array_equal(page.run()["shown"].weights, answer.weights)
    page.workspace.view = "curves"
    curves = page.run()["shown"]
    assert curves.feature_names == ("age",)
    assert curves.taus.tolist() == pytest.approx(page.workspace.curves__message["taus"])


def test_code_of_an_effect_of_another_kind_with_its_band(page):
    view = page.show("effect", kind="ale", follow=False, epsilon=0.2)
    found = page.run()
    assert found["effect"]._spec.kind == "ale"
    pd.testing.assert_frame_equal(found["effect"].frame, view.shown.frame)
    moved = view.shown.under(ts.Scenario("a", {"age": 0.2})).frame
    pd.testing.assert_frame_equal(found["shown"].frame, moved)
    pd.testing.assert_frame_equal(found["bounds"].frame, view.shown.bounds(0.2).frame)
    page.workspace.effect__follow = True
    assert "bounds" not in page.run()
    page.workspace.stress = {"taus": {}, "hold": "none"}
    assert page.run()["bounds"].epsilon == 0.2


def test_code_of_a_row_with_what_was_locked(page):
    view = page.show("boundary")
    view.fixed, view.bounds = ["hours"], {"age": [None, 1.5]}
    view.search += 1
    view.wait(60)
    found = page.run()["shown"]
    assert tuple(found._spec.fixed) == ("hours",)
    assert found.distance == view.result.distance


def test_code_of_the_rows_pooled(page, study, monkeypatch):
    monkeypatch.setattr("tauscope.views.workspace.opening.MOST_ROWS", 6)
    moved = ts.Scenario("older", {"age": 0.2})
    errors = page.show("pooled")
    assert "study.pooled_boundary(study.errors, max_rows=6, random_state=0)" in page.ask("code")["text"]
    pd.testing.assert_frame_equal(page.run()["shown"].frame, errors.result.under(moved).frame)
    page.workspace.selection = [4, 9, 30]
    errors.compute += 1
    errors.wait(60)
    assert "study.pooled_boundary([4, 9, 30], random_state=0)" in page.ask("code")["text"]
    pd.testing.assert_frame_equal(page.run()["shown"].frame, errors.result.under(moved).frame)


def test_code_of_rows_not_pooled_yet_and_of_what_was_given(study):
    before = Page(study.workspace(selection=[4, 9]))
    before.workspace.set_trait("view", "pooled")
    before.workspace.stop += 1
    before.workspace.wait(60)
    assert before.ask("code")["text"] == "study.pooled_boundary([4, 9], max_rows=200, random_state=0)"
    given = study.pooled_boundary(max_rows=7, random_state=3, fixed=["hours"], confidence=0.9, progress=False)
    made = Page(study.workspace(view="pooled", results={"pooled": given}))
    made.workspace.wait(60)
    code = "study.pooled_boundary(max_rows=7, confidence=0.9, fixed=['hours'], random_state=3)"
    assert made.ask("code")["text"] == code
    pd.testing.assert_frame_equal(made.run()["shown"].frame, given.frame)
    new = study.pooled_boundary(study.X.head(4), random_state=0, progress=False)
    other = Page(study.workspace(view="pooled", results={"pooled": new}))
    other.workspace.wait(60)
    assert "new rows" in other.ask("code")["words"]
    for one in (before, made, other):
        one.workspace.close()


def test_code_of_values_typed(page, study):
    values = {"age": 0.1, "hours": float("nan"), "income": 0.0, "sex": "F"}
    code = study.to_code(view="rules", row=values, pi=0.9)
    assert code == "study.rules({'age': 0.1, 'hours': float('nan'), 'income': 0.0, 'sex': 'F'}, pi=0.9)"
    with pytest.raises(ts.InputError, match="shows rows of the study; got values"):
        study.to_code(view="rows", row=values)


def test_code_of_rules_at_another_pi(page):
    view = page.show("rules", pi=0.9)
    moved = view.result.under(ts.Scenario("older", {"age": 0.2}))
    assert view.result._spec.pi == 0.9
    pd.testing.assert_frame_equal(page.run()["shown"].frame, moved.frame)


def test_code_of_the_rows(page):
    page.show("table")
    assert len(page.run()["shown"]) == 300


@pytest.mark.parametrize(
    "query",
    [
        {"search": "F", "filter": "all", "sort": "", "descending": True},
        {"search": "", "filter": "errors", "sort": "age", "descending": True},
        {"search": "", "filter": "near", "sort": "sex", "descending": False},
        {"search": "", "filter": "all", "sort": "weight under the stress", "descending": False},
    ],
)
@pytest.mark.parametrize("taus", [{}, {"age": 0.2}, {"age": 0.1, "hours": 0.1, "income": 0.1, "sex = F": 0.1}])
def test_code_of_the_rows_listed_in_their_order(page, query, taus):
    page.workspace.stress = {"taus": taus, "hold": "none"}
    view = page.show("table", **query)
    try:
        shown = page.run()["shown"]
        assert shown["row"].tolist() == view.found().tolist()
        if taus:
            np.testing.assert_allclose(shown["weight under the stress"], view.after[view.found()], rtol=1e-6)
    finally:
        page.workspace.stress = {"taus": {}, "hold": "none"}
        page.show("table", search="", filter="all", sort="", descending=False)


def test_code_of_rows_is_of_pandas_where_that_says_them(page):
    page.show("table", filter="errors", sort="age")
    assert page.ask("code")["text"].splitlines()[-1] == "rows.sort_values('age', ascending=True, kind='stable')"
    page.show("table", filter="all", sort="")


def test_what_cannot_be_written_is_said(page):
    page.show("boundary")
    page.workspace.study.to_code = lambda *args, **options: (_ for _ in ()).throw(ts.InputError("Not so."))
    try:
        assert page.ask("code")["words"] == "Not so."
        page.workspace.study.to_code = lambda *args, **options: 1 / 0
        answer = page.ask("code")
        assert (answer["state"], answer["words"]) == ("failed", "ZeroDivisionError: division by zero")
    finally:
        del page.workspace.study.to_code


def state_of(content):
    return json.loads(re.search(r'id="state">(.*?)</script>', content.decode(), re.S)[1])["traits"]


def test_the_page_is_of_what_is_on_screen(page):
    page.show("effect", kind="ale", epsilon=0.2)
    page.show("rules", pi=0.9)
    page.workspace.scenarios = [OLDER]
    page.workspace.second_metric = "f1"
    page.workspace.view = "effect"
    answer = page.ask("page")
    assert answer["name"] == "audit.html"
    traits = state_of(answer["content"])
    assert traits["stress"] == {"taus": {"age": 0.2}, "hold": "none"}
    assert (traits["view"], traits["second_metric"], traits["scenarios"]) == ("effect", "f1", [OLDER])
    assert (traits["effect__kind"], traits["effect__epsilon"]) == ("ale", pytest.approx(0.2))
    assert traits["rules__answer"]["pi"] == 0.9
    assert set(traits["opened"]) == {"curves", "joint", "effect", "rules"}
    assert not traits["message"]["live"]
    assert "has no kernel" in traits["message"]["offline"]


def test_a_page_of_a_sample_computes_its_own(study, tmp_path):
    effect = study.effect("hours", kind="ale")
    study.save(tmp_path / "a.html", rows=150, random_state=0, views="effect", results={"effect": effect})
    traits = state_of((tmp_path / "a.html").read_bytes())
    assert (traits["effect__kind"], traits["effect__message"]["n_rows"]) == ("ale", 150)


def test_code_of_two_models_names_the_next_step(study):
    made = study.workspace(beside=study, view="models")
    made.wait(60)
    answer = Page(made).ask("code")
    made.close()
    assert answer["words"].endswith("Write ts.compare(study, other).")


def test_two_scenarios_are_compared_as_the_study_does(page, study):
    answer = page.ask("compare", scenarios=[OLDER, FEWER])
    compared = study.compare_scenarios([ts.Scenario(**OLDER), ts.Scenario(**FEWER)])
    assert [one["value"] for one in answer["records"]] == compared.frame["value"].tolist()
    assert answer["notes"] == list(compared.notes)


def test_what_is_refused_is_said_in_the_page(page):
    answer = page.ask("compare", scenarios=[{**OLDER, "taus": {"agee": 1}}])
    assert answer["state"] == "failed"
    assert "no feature 'agee'" in answer["words"]
    assert "has a name, taus and a hold" in page.ask("compare", scenarios=[3])["words"]


def test_messages_of_others_are_left_to_them(page):
    page.workspace._handle_custom_msg({"type": "another"}, [])
    page.workspace._handle_custom_msg("text", [])
    assert page.heard == []


def test_scenarios_are_kept_as_a_trait(page):
    workspace = page.workspace
    workspace.scenarios = [ts.Scenario("older", {"age": 0.2}), FEWER]
    assert workspace.scenarios == [OLDER, FEWER]
    assert ts.Scenario(**workspace.scenarios[1]).hold == "means"
    workspace.scenarios = []
    for wrong, words in (
        ([{**OLDER, "taus": {"agee": 0.2}}], "no feature 'agee'"),
        ([OLDER, OLDER], "a name of its own"),
        ([3], "got 3"),
        ([{**OLDER, "colour": 1}], "'colour' is none of them"),
        ([{"name": "older"}], "taus is not there"),
        ([{**OLDER, "taus": {"age": 2}}], r"\[-1, 1\]"),
    ):
        with pytest.raises(traitlets.TraitError, match=words):
            workspace.scenarios = wrong


def test_the_title_names_the_target(study):
    def title(y, **options):
        X = pd.DataFrame({"a": np.arange(12.0)})
        made = ts.Study.from_predictions(X, y, np.asarray(y), **options)
        return Workspace.offline(made).message["title"]

    assert title(pd.Series([">50K", "<=50K"] * 6, name="income")) == "income >50K"
    assert title(pd.Series(["yes", "no"] * 6, name="spam")) == "spam = yes"
    assert title(pd.Series(["a", "b", "c"] * 4, name="species")) == "species, one of 3 classes"
    assert title(pd.Series(np.arange(12.0) + 0.5, name="price")) == "price"
    assert title(["yes", "no"] * 6) == "Predicted yes"
    assert study.where(np.arange(300) < 200)._target_name == "income"


def test_results_and_choices_of_views_can_be_given(study):
    effect = study.effect("hours", kind="ale")
    made = study.workspace(view="effect", results={"effect": effect}, inside={"effect": {"epsilon": 0.2}})
    made.wait(60)
    assert (made.effect__kind, made.effect__epsilon) == ("ale", pytest.approx(0.2))
    made.close()
    with pytest.raises(traitlets.TraitError, match="no view 'efect'"):
        study.workspace(results={"efect": effect})
