import json
from threading import Event, enumerate as threads

import ipywidgets
import pytest
import traitlets

from results.samples import HOSTILE, QUOTED, UNICODE, binary_study, regression_study
from tauscope.views.stress import joint as joint_module
from tauscope.views.stress.joint import JointStressView
from tauscope.views.stress.joint_message import joint_answer

WIDGET = "application/vnd.jupyter.widget-view+json"
NOTHING = {"taus": {}, "hold": "none"}


@pytest.fixture(scope="module")
def joint():
    return binary_study().joint_stress()


@pytest.fixture
def view(joint):
    made = joint.widget()
    yield made
    made.close()


@pytest.fixture
def in_kernel(joint):
    made = JointStressView(joint, budget=1000)
    made.wait(30)
    yield made
    made.close()


def test_first_values(view):
    assert (view.stress, view.metric) == (NOTHING, "portion_yes")
    assert view.solved_in_page


def test_first_values_can_be_given(joint):
    view = joint.widget(stress={"taus": {"age": 0.5, HOSTILE: 0}, "hold": "means"}, metric="error_rate")
    assert view.stress == {"taus": {"age": 0.5}, "hold": "means"}
    assert view.metric == "error_rate"
    assert joint.widget(layout=ipywidgets.Layout(width="400px")).layout.width == "400px"


def test_rows_go_along_within_the_budget(view, joint):
    n, p = joint.n_rows, len(joint.features)
    assert 0 < len(view.columns) <= 4 * n * p
    assert view.row_weights == b""
    assert len(view.answers) == 4 * n * 2


def test_observed_and_linked(view, joint):
    seen = []
    view.observe(lambda change: seen.append(change["new"]), "stress")
    other = joint.widget()
    ipywidgets.link((view, "stress"), (other, "stress"))
    view.stress = {"taus": {"age": -0.25}, "hold": "none"}
    assert seen == [{"taus": {"age": -0.25}, "hold": "none"}]
    assert other.stress == view.stress
    other.close()


@pytest.mark.parametrize(
    ("stress", "words"),
    [
        ({"taus": {"age": 2}}, r"in \[-1, 1\]; got 2"),
        ({"taus": {"age": float("nan")}}, "got nan"),
        ({"taus": {"age": True}}, "got True"),
        ({"taus": ["age"]}, "τ by feature"),
        ({"taus": {}, "hold": "all"}, "none, means, uncorrelated"),
        ({"tau": {}}, "'taus' and 'hold'; got 'tau'"),
    ],
)
def test_stress_is_checked(view, stress, words):
    with pytest.raises(traitlets.TraitError, match=words):
        view.stress = stress
    assert view.stress == NOTHING


def test_other_arguments_and_metrics(joint, view):
    with pytest.raises(traitlets.TraitError, match="Nearest: 'stress'"):
        joint.widget(stres={})
    with pytest.raises(traitlets.TraitError, match="error_rate"):
        view.metric = "error"


def test_a_linked_view_may_name_features_of_its_own(in_kernel):
    in_kernel.stress = {"taus": {"elsewhere": 0.5, "age": 0.5}, "hold": "none"}
    in_kernel.wait(30)
    assert in_kernel.stress["taus"] == {"elsewhere": 0.5, "age": 0.5}
    assert in_kernel.answer["status"] == "unsolved"
    assert "no feature “elsewhere” here" in in_kernel.answer["reason"]


def test_message_is_json_without_nan(view, in_kernel):
    for made in (view, in_kernel):
        json.dumps([made.message, made.columns_message, made.answer, made.ranges], allow_nan=False)


def test_kernel_answers_past_the_budget(in_kernel, joint):
    assert not in_kernel.solved_in_page
    assert (in_kernel.columns, in_kernel.answers) == (b"", b"")
    asked = {"taus": {"age": 0.3, HOSTILE: -0.2}, "hold": "none"}
    in_kernel.stress = asked
    in_kernel.wait(60)
    wanted = joint.at(asked["taus"])
    answer = in_kernel.answer
    assert (answer["stress"], answer["status"], answer["reason"]) == (asked, "solved", "")
    assert answer["ess"] == pytest.approx(wanted.ess)
    values = [row["value"] for row in answer["estimates"]]
    assert values == pytest.approx(wanted.metrics["value"].tolist())
    after = wanted.balance.set_index("feature").loc[list(joint.feature_names), "mean_after"]
    assert answer["achieved"] == pytest.approx(after.tolist())
    assert [sum(bars) for bars in answer["histograms"] if bars] == pytest.approx([1.0] * 3)
    assert in_kernel.ranges["stress"] == asked
    assert set(in_kernel.ranges["ranges"]) == set(joint.feature_names)


def test_of_a_flood_of_stresses_the_first_and_the_last_are_answered(in_kernel, monkeypatch):
    told, go, asked = Event(), Event(), []

    def answer(result, state, edges):
        asked.append(state["taus"]["age"])
        told.set()
        assert go.wait(10)
        return joint_answer(result, state, edges)

    monkeypatch.setattr(joint_module, "joint_answer", answer)
    before = set(threads())
    in_kernel.stress = {"taus": {"age": 0.5}}
    assert told.wait(10)
    for step in range(1, 501):
        in_kernel.stress = {"taus": {"age": step / 1000}}
    assert len(set(threads()) - before) == 1
    go.set()
    in_kernel.wait(30)
    last = {"taus": {"age": 0.5}, "hold": "none"}
    assert asked == [0.5, 0.5]
    assert in_kernel.stress == in_kernel.ranges["stress"] == last
    assert in_kernel.answer == joint_answer(in_kernel.result, last, in_kernel.message["edges"])[0]


def test_kernel_says_what_cannot_be(in_kernel):
    levels = {f"{QUOTED} = plain": 0.9, f"{QUOTED} = it's": 0.9}
    in_kernel.stress = {"taus": levels, "hold": "none"}
    in_kernel.wait(60)
    assert in_kernel.answer["status"] == "infeasible"
    assert "No weights on these rows" in in_kernel.answer["reason"]
    assert in_kernel.ranges["ranges"]["age"] is None
    low, high = in_kernel.ranges["ranges"][f"{QUOTED} = plain"]
    assert low == -1
    assert high < 0.9


def test_weights_and_regression_go_along():
    weighted = binary_study(weighted=True).joint_stress().widget()
    assert len(weighted.row_weights) == 4 * 300
    assert weighted.message["ess"] < 300
    regression = regression_study().joint_stress().widget()
    forms = [metric["form"] for metric in regression.message["outcomes"]["metrics"]]
    assert forms == ["mean", "variance", "root_mean"]
    assert [metric["power"] for metric in regression.message["outcomes"]["metrics"]] == [0, 0, 1]


@pytest.mark.slow
def test_shown_where_no_widget_can_be(joint):
    data, _ = joint._repr_mimebundle_()
    assert {WIDGET, "text/plain", "text/html"} <= set(data)
    assert "<script" not in data["text/html"]
    assert joint._repr_mimebundle_(include=["text/plain"]) == {"text/plain": repr(joint)}
    assert UNICODE in repr(joint)
