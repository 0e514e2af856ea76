import anywidget
import ipywidgets
import numpy as np
import pytest
import traitlets

from results.samples import QUOTED, UNICODE, binary_result, binary_study, made_by_hand, regression_study
from tauscope.errors import InputError, UnknownName
from tauscope.results.stress.numbers.first_step import first_feature
from tauscope.study.stress.curves import stress_curves
from tauscope.views.stress.curves import StressCurvesView

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def view():
    made = binary_result().widget()
    yield made
    made.close()


def test_first_values(view):
    assert (view.tau, view.metric, view.rank_by) == (0, "portion_yes", "difference")
    assert view.feature == first_feature(binary_result())
    chosen = next(one for one in view.message["features"] if one["name"] == view.feature)
    place = [metric["name"] for metric in view.message["metrics"]].index(view.metric)
    assert chosen["first"][place] >= 0


def test_first_values_can_be_given():
    view = binary_result().widget(tau=0.501, feature="age", metric="roc", rank_by="slope")
    assert (view.tau, view.feature, view.metric, view.rank_by) == (0.5, "age", "roc", "slope")


def test_layout_is_the_hosts():
    assert binary_result().widget(layout=ipywidgets.Layout(width="400px")).layout.width == "400px"


@pytest.mark.parametrize(("given", "snapped"), [(0.333, 0.34), (-1, -1), (1.0, 1), (-0.004, 0), (np.float64(0.5), 0.5)])
def test_tau_goes_to_the_grid(view, given, snapped):
    view.tau = given
    assert view.tau == snapped
    assert view.tau in view.message["taus"]


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("tau", 1.5, r"tau must lie in \[-1, 1\]; got 1.5"),
        ("tau", float("nan"), r"tau must lie in \[-1, 1\]; got nan"),
        ("tau", "far", "tau"),
        ("feature", "agee", "no feature 'agee'. Nearest: 'age'"),
        ("metric", "eror_rate", "no metric 'eror_rate'. Nearest: 'error_rate'"),
        ("rank_by", "name", "rank_by"),
    ],
)
def test_bad_values_are_refused_and_leave_the_state(view, trait, value, words):
    before = getattr(view, trait)
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(view, trait, value)
    assert getattr(view, trait) == before


@pytest.mark.parametrize("traits", [{"feature": "agee"}, {"metric": "roq"}, {"tau": 2}, {"colour": 1}, {"message": {}}])
@pytest.mark.slow
def test_bad_first_values_are_refused(traits):
    with pytest.raises(traitlets.TraitError):
        binary_result().widget(**traits)


def test_unknown_trait_gets_the_nearest():
    with pytest.raises(traitlets.TraitError, match="Nearest: 'feature'"):
        binary_result().widget(features="age")
    with pytest.raises(traitlets.TraitError, match=r"n_taus; got taus=3. Try n_taus=3\."):
        binary_result().widget(taus=3)
    with pytest.raises(traitlets.TraitError, match=r"got taus=\[0, 1\]. Try n_taus=21\."):
        binary_result().widget(taus=[0, 1])
    with pytest.raises(traitlets.TraitError, match="Nearest: 'n_taus'"):
        binary_result().widget(n_tauss=3)


def test_roc_needs_both_rates():
    with pytest.raises(traitlets.TraitError, match="no metric 'roc'"):
        stress_curves(regression_study(), ["age"], taus=3).widget(metric="roc")
    result = binary_result()
    assert result.widget(metric="roc").metric == "roc"


def test_traits_are_observed(view):
    seen = []
    view.observe(lambda change: seen.append((change.name, change.new)), ["tau", "feature", "metric"])
    view.tau, view.feature, view.metric = 0.2, "gain", "error_rate"
    assert seen == [("tau", 0.2), ("feature", "gain"), ("metric", "error_rate")]


def test_traits_are_linked(view):
    slider, other = ipywidgets.FloatSlider(min=-1, max=1, step=0.02), binary_result().widget()
    ipywidgets.link((view, "tau"), (slider, "value"))
    ipywidgets.link((view, "feature"), (other, "feature"))
    slider.value, view.feature = 0.4, "age"
    assert (view.tau, other.feature) == (0.4, "age")


def test_state_that_travels(view):
    state = view.get_state()
    own = {"tau", "feature", "metric", "rank_by", "message", "curves", "population", "histograms"}
    assert own <= set(state)
    assert {"result"}.isdisjoint(state)
    assert state["_esm"].strip()
    assert state["_css"].strip()
    assert [view.traits()[name].metadata.get("sync") for name in own] == [True] * len(own)
    assert all(view.traits()[name].help for name in own)
    assert own <= {line.strip().split(" ")[0].strip(",") for line in StressCurvesView.__doc__.splitlines()} | {
        "population", "histograms",
    }  # fmt: skip


def test_display_adds_what_other_readers_show(view):
    data, _ = view._repr_mimebundle_()
    assert data[WIDGET]["model_id"] == view.model_id
    assert data["text/plain"] == repr(view.result)
    assert data["image/svg+xml"].startswith("<svg")
    assert "<table>" in data["text/html"]
    assert "data:image/svg+xml;base64," in data["text/html"]
    assert "<script" not in data["text/html"] + data["image/svg+xml"]


def test_no_bundle_without_a_view(view, monkeypatch):
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda self, **kwargs: None)
    assert view._repr_mimebundle_() is None


def test_sliders_move_in_the_steps_asked_for():
    view = binary_result().widget(n_taus=5, tau=0.4)
    assert (view.message["taus"], view.tau) == ([-1, -0.5, 0, 0.5, 1], 0.5)


def test_result_of_its_own_grid():
    view = made_by_hand().widget(tau=0.3)
    assert view.tau == 0.5


def test_stress_follows_tau_and_feature(view):
    assert view.stress == {"taus": {}, "hold": "none"}
    view.tau = 0.5
    assert view.stress == {"taus": {view.feature: 0.5}, "hold": "none"}
    view.feature = "age"
    assert view.stress == {"taus": {"age": 0.5}, "hold": "none"}
    view.tau = 0
    assert view.stress == {"taus": {}, "hold": "none"}


def test_tau_and_feature_follow_the_stress(view):
    view.stress = {"taus": {"age": 0.333}}
    assert (view.feature, view.tau) == ("age", 0.34)
    assert view.stress == {"taus": {"age": 0.333}, "hold": "none"}
    view.stress = {}
    assert (view.feature, view.tau) == ("age", 0)


@pytest.mark.parametrize(
    "stress",
    [
        {"taus": {"age": 0.5, "gain": 0.5}, "hold": "none"},
        {"taus": {"shoe size": 0.5}, "hold": "none"},
        {"taus": {"age": 0.5}, "hold": "means"},
    ],
)
def test_stress_of_others_is_kept_and_not_shown(view, stress):
    view.tau = 0.5
    view.stress = stress
    assert (view.stress, view.tau) == (stress, 0)
    view.metric = "error_rate"
    assert view.stress == stress
    view.tau = 0.2
    assert view.stress == {"taus": {view.feature: 0.2}, "hold": "none"}


def test_first_stress():
    assert binary_result().widget(tau=0.5, feature="age").stress["taus"] == {"age": 0.5}
    view = binary_result().widget(stress={"taus": {"age": -0.5}, "hold": "none"})
    assert (view.feature, view.tau) == ("age", -0.5)


@pytest.mark.parametrize(
    ("stress", "words"),
    [
        ({"taus": {"age": 2}}, r"τ of 'age' must be a number in \[-1, 1\]; got 2"),
        ({"tau": 1}, "keys 'taus' and 'hold'; got 'tau'"),
        ({"hold": "all"}, "hold must be one of none, means, uncorrelated"),
    ],
)
def test_bad_stress_is_refused(view, stress, words):
    with pytest.raises(traitlets.TraitError, match=words):
        view.stress = stress
    assert view.stress == {"taus": {}, "hold": "none"}


def test_stress_of_a_held_result():
    view = stress_curves(regression_study(), ["age"], taus=5, hold="means").widget(tau=0.5)
    assert view.stress == {"taus": {"age": 0.5}, "hold": "means"}


def test_groups_are_followed_when_they_are_picked(view):
    assert (view.by, view.groups, view.message["live"]) == ("", {}, True)
    assert {QUOTED, UNICODE} <= set(view.message["by"])
    assert "age" not in view.message["by"]
    view.by = UNICODE
    view.wait()
    assert (view.groups["by"], view.groups["labels"], view.busy) == (UNICODE, ["False", "True"], False)
    assert {block["shift"] for block in view.groups["blocks"]} == {"marginal"}
    view.within = True
    view.wait()
    assert {block["shift"] for block in view.groups["blocks"]} == {"within"}


def test_a_feature_without_numbers_by_group_is_followed_when_chosen(view, monkeypatch):
    monkeypatch.setattr("tauscope.views.stress.groups_message.AT_ONCE", 0)
    view.by = QUOTED
    view.wait()
    assert [block["feature"] for block in view.groups["blocks"]] == [view.feature]
    view.feature = "gain"
    view.wait()
    assert [block["feature"] for block in view.groups["blocks"]] == ["gain"]


def test_groups_can_be_given_as_labels_or_a_mask():
    view = binary_result().widget(by=np.arange(300) < 100)
    assert (view.by, view.groups["labels"], view.groups["group_rows"]) == ("group", ["False", "True"], [200, 100])
    assert view.grouping is not view.by
    assert view.message["by"][-1] == "group"
    assert binary_result().widget(by=[QUOTED, UNICODE]).by == f"{QUOTED}, {UNICODE}"


@pytest.mark.parametrize(
    ("by", "error", "words"),
    [
        ("agee", UnknownName, "no column 'agee'"),
        (np.arange(300).astype(str), InputError, "200 groups"),
        ([f"group {k % 13}" for k in range(300)], InputError, r"2 to 12 groups; 'group' makes 13"),
        (["one"] * 300, InputError, r"2 to 12 groups; 'group' makes 1\."),
    ],
)
def test_groups_that_cannot_be_are_refused(by, error, words):
    with pytest.raises(error, match=words):
        binary_result().widget(by=by)


def test_groups_of_held_features_are_not_offered_and_refused():
    held = stress_curves(binary_study(), taus=3, hold="means")
    assert held.widget().message["by"] == []
    with pytest.raises(InputError, match="hold nothing"):
        held.widget(by=QUOTED)


def test_a_column_of_too_many_levels_is_offered_and_the_page_says_why_not(view, monkeypatch):
    monkeypatch.setattr("tauscope.views.grouped.MOST_GROUPS", 2)
    view.by = QUOTED
    view.wait()
    assert "2 to 2 groups" in view.groups["error"]
    assert view.group_numbers == b""


def test_a_name_that_tells_nothing_apart_is_refused(view):
    with pytest.raises(traitlets.TraitError, match="no grouping 'agee'"):
        view.by = "agee"
    assert view.by == ""


def test_a_saved_view_has_the_groups_it_opens_on_under_both_shifts():
    view = StressCurvesView.offline(binary_result(), by=QUOTED)
    assert (view.message["by"], view.message["live"]) == ([QUOTED], False)
    assert {block["shift"] for block in view.groups["blocks"]} == {"marginal", "within"}
    assert StressCurvesView.offline(binary_result()).message["by"] == []
