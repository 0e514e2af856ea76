import json
import pickle
import time

import anywidget
import numpy as np
import pytest
import traitlets

import tauscope as ts
from results.effects import samples
from tauscope.views.effects.effect import FeatureEffectView
from tauscope.views.effects.traits import EffectTraits

WIDGET = "application/vnd.jupyter.widget-view+json"
AGE = {"taus": {"age": 0.5}, "hold": "none"}


def view_of(*args, compare=(), traits=None, **options):
    return samples.study().effect(*args, **({"grid": 6} | options)).widget(compare=compare, **(traits or {}))


@pytest.fixture
def view():
    made = view_of("age")
    yield made
    made.stop += 1
    made.wait(20)
    made.close()


def chosen(view):
    return [(tuple(part["features"]), part["kind"]) for part in view.more.get("parts", [])]


def test_first_values(view):
    assert (view.features, view.kind, view.compared, view.epsilon, view.follow) == (["age"], "pd", [], 0.1, True)
    assert (view.stress, view.target_class) == ({"taus": {}, "hold": "none"}, "probability of yes")
    assert (view.more, view.answer, view.progress, view.attacked) == ({}, {}, {}, {})
    assert view.columns_message["shipped"]
    assert view.message["columns_complete"]
    assert view.message["live"]
    assert len(view.row_weights) == 0


def test_columns_are_offered_and_not_their_levels(view):
    offered, stressed = view.message["features"], view.columns_message["features"]
    assert offered == list(samples.study().feature_names)
    of_levels = {feature["column"] for feature in stressed if feature["kind"] == "share"}
    assert of_levels
    assert of_levels <= set(offered)
    assert not {feature["name"] for feature in stressed if feature["kind"] == "share"} & set(offered)


def test_first_values_can_be_given():
    made = view_of(
        "age", compare=("ale",), traits={"compared": ["ale"], "epsilon": 0.2, "stress": AGE, "follow": False}
    )
    assert (made.compared, made.epsilon, made.stress, made.follow) == (["ale"], 0.2, AGE, False)
    assert [part["kind"] for part in made.message["parts"]] == ["pd", "ale"]


def test_state_is_strict_json(view):
    json.dumps({name: getattr(view, name) for name in ("message", "columns_message", "stress")}, allow_nan=False)


@pytest.mark.parametrize(("given", "snapped"), [(0.123, 0.12), (0, 0), (1, 1), (0.004, 0.005), (0.97, 0.95)])
def test_epsilon_goes_to_a_step(view, given, snapped):
    view.epsilon = given
    assert view.epsilon == pytest.approx(snapped)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("features", ["agee"], "no feature 'agee'. Nearest: 'age'"),
        ("features", [], "one name or two different ones"),
        ("features", ["age", "age"], "one name or two different ones"),
        ("kind", "ice", "kind"),
        ("compared", ["ice"], "compared"),
        ("target_class", "maybe", "no class 'maybe'"),
        ("epsilon", 1.5, r"epsilon must lie in \[0, 1\]; got 1.5"),
        ("stress", {"taus": {"age": 3}}, "number in"),
        ("attack", {"method": "brute"}, "method must be one of greedy, gaussian, genetic; got 'brute'"),
        ("attack", {"aim": "up"}, "aim must be one of high, low; got 'up'"),
        ("attack", {"budget": 1}, "keys 'method' and 'aim'; got 'budget'"),
    ],
)
def test_bad_values_are_refused_and_leave_the_state(view, trait, value, words):
    before = getattr(view, trait)
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(view, trait, value)
    assert getattr(view, trait) == before


def test_unknown_argument():
    with pytest.raises(traitlets.TraitError, match="Nearest: 'epsilon'"):
        view_of("age", traits={"epsilonn": 1})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("features", "kind", "rows"),
    [
        (["age"], "cd", "windows"),
        (["age"], "ale", "bins"),
        (["sex"], "pd", "curves"),
        (["fare", "age"], "pd", "curves"),
        (["fare", "age"], "ale", "none"),
    ],
)
def test_another_effect_is_computed_and_sent(view, features, kind, rows):
    view.features, view.kind = features, kind
    view.wait(30)
    assert view.progress == {}
    (part,) = view.more["parts"]
    assert (part["features"], part["kind"], part["rows"]) == (features, kind, rows)
    effect = samples.study().effect(features, kind=kind, grid=6)
    n_points = effect._computed.effect[0].size
    sent = np.frombuffer(view.more_floats, "<f4")[:n_points]
    np.testing.assert_allclose(sent, effect._computed.effect[0].ravel(), rtol=1e-6, atol=1e-7, equal_nan=True)
    view.features, view.kind = ["age"], "pd"
    view.wait(30)
    assert view.more == {}


def test_compared_kinds_come_along(view):
    view.compared = ["ale", "cd", "pd"]
    view.wait(30)
    assert view.compared == ["pd", "cd", "ale"]
    assert chosen(view) == [(("age",), "cd"), (("age",), "ale")]


def test_what_is_not_there_is_said(view):
    view.features, view.kind = ["sex", "fare"], "ale"
    view.wait(30)
    assert "takes numbers; 'sex' holds levels" in view.progress["error"]
    view.features, view.kind = ["sex"], "pd"
    view.wait(30)
    assert view.progress == {}


def test_a_model_that_raises_is_said():
    X, _ = samples.passengers(60)
    asked = []

    def model(rows):
        asked.append(len(rows))
        if len(asked) > 3:
            raise RuntimeError("out of tokens")
        return rows["fare"].to_numpy()

    view = ts.Study(model, X, X["fare"]).effect("fare", grid=4).widget()
    asked += [0, 0, 0]
    view.features = ["age"]
    view.wait(30)
    assert "out of tokens" in view.progress["error"]


@pytest.mark.slow
def test_answers_past_the_budget_are_the_studys(monkeypatch):
    monkeypatch.setattr("tauscope.views.effects.effect.BUDGET", 1)
    view = view_of("age", traits={"compared": ["ale"]})
    view.wait(30)
    assert not view.columns_message["shipped"]
    assert {part["rows"] for part in view.message["parts"]} == {"none"}
    view.stress = AGE
    answer = view.answer
    assert (answer["stress"], answer["features"], answer["kinds"], answer["error"]) == (AGE, ["age"], ["pd", "ale"], "")
    study = samples.study()
    numbers = np.frombuffer(view.answer_floats, "<f4")
    start = 0
    for kind in ("pd", "ale"):
        effect = study.effect("age", kind=kind, grid=6)
        moved = effect.under(ts.Mean("age", tau=0.5))
        frame, after = moved.frame, study.under(ts.Mean("age", tau=0.5)).effect("age", kind=kind, grid=6).frame
        block = numbers[start : start + 11 * len(frame)].reshape(11, -1)
        start += 11 * len(frame)
        for row, name in enumerate(("effect", "lower", "upper")):
            np.testing.assert_allclose(block[row], after[name], rtol=1e-5, atol=1e-6)
        shift = 0 if kind == "pd" else float(after["effect"].iloc[0] - effect.frame["effect"].iloc[0])
        for row, name in enumerate(("certified_lower", "certified_upper", "paper_lower", "paper_upper"), 3):
            np.testing.assert_allclose(block[row], frame[name] + shift, rtol=1e-5, atol=1e-6)
        bounds = effect.bounds(0.1).frame
        for row, name in enumerate(("certified_lower", "certified_upper", "paper_lower", "paper_upper"), 7):
            np.testing.assert_allclose(block[row], bounds[name], rtol=1e-5, atol=1e-6)
        change = next(move for move in answer["moves"] if move["kind"] == kind)["change"]
        assert change == pytest.approx(frame["change"].abs().max())
    assert start == len(numbers)
    assert (answer["tv"], answer["ess"]) == pytest.approx((moved.tv, moved.ess))
    assert answer["words"].startswith("age ")


def test_a_stress_that_cannot_be_met_is_said(monkeypatch):
    monkeypatch.setattr("tauscope.views.effects.effect.BUDGET", 1)
    view = view_of("age")
    view.stress = {"taus": {"sex = female": 1.0, "sex = male": 1.0}, "hold": "none"}
    assert view.answer["error"]
    view.stress = {"taus": {"shoe": 0.5}, "hold": "none"}
    assert "no feature 'shoe'" in view.answer["error"]
    view.stress = AGE
    assert view.answer["error"] == ""


def test_without_individual_curves_the_stress_is_refused_in_words():
    view = view_of("age", ice_bytes=0)
    assert "individual curves were not kept" in view.answer["error"]
    view.stress = AGE
    assert (view.answer["stress"], view.answer["moves"]) == (AGE, [])
    assert "individual curves were not kept" in view.answer["error"]
    assert view.message["parts"][0]["breakdowns"] == [None]


def test_columns_of_numbers_go_first_where_not_all_fit(monkeypatch):
    effect = samples.study().effect("age", grid=6)
    every = len(effect.widget().columns_message["features"])
    monkeypatch.setattr("tauscope.views.effects.effect.BUDGET", 4 * 240 * 4 + 9000)
    view = effect.widget()
    shipped = [feature["name"] for feature in view.columns_message["features"]]
    assert view.columns_message["shipped"]
    assert {"age", "fare", "rooms"} <= set(shipped)
    assert len(shipped) < every
    assert not view.message["columns_complete"]
    view.stress = {"taus": {"age": 0.5}, "hold": "none"}
    assert view.answer == {}
    view.stress = {"taus": {"age": 0.5}, "hold": "means"}
    assert view.answer["weights"]
    np.testing.assert_allclose(np.frombuffer(view.answer_floats, "<f4").mean(), 1, rtol=1e-5)


def test_under_a_stress_of_its_own_it_follows_no_other():
    moved = samples.study().effect("age", grid=6).under(ts.Mean("age", tau=0.5)).after
    view = moved.widget(stress=AGE)
    assert not view.message["live"]
    assert view.message["weighted"]
    assert "stress of its own" in view.message["unstressable"]
    assert view.answer == {}
    with pytest.raises(traitlets.TraitError, match="no feature 'fare'"):
        view.features = ["fare"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"method": "greedy"}, {"method": "gaussian"}, {"method": "greedy", "aim": "low"}])
def test_an_attack_is_run_and_judged(view, asked):
    view.attack = asked
    view.wait(60)
    found = view.attacked
    assert (view.progress, found["feature"], found["kind"]) == ({}, "age", "pd")
    assert {verdict["status"] for verdict in found["verdicts"]} == {"certified", "estimated"}
    assert all(verdict["holds"] for verdict in found["verdicts"] if verdict["status"] == "certified")
    assert len(found["before"]) == len(found["after"]) == len(found["labels"])
    json.dumps(found, allow_nan=False)
    if asked.get("aim") == "low":
        assert found["change"] < 0
    view.attack = {}
    assert view.attacked == {}


@pytest.mark.slow
def test_an_attack_is_stopped(view):
    view.attack = {"method": "genetic"}
    time.sleep(0.3)
    view.stop += 1
    view.wait(30)
    assert not view.busy
    assert (view.attacked, view.progress) == ({}, {})


@pytest.mark.slow
def test_several_classes():
    model, X, y = samples.grades()
    view = ts.Study(model, X, y).effect("a", grid=5).widget(target_class="y")
    assert view.message["classes"] == ["x", "y", "z"]
    assert view.message["responses"][1] == "probability of y"
    view.attack = {"method": "greedy"}
    view.wait(60)
    assert view.attacked["target_class"] == "y"


@pytest.mark.slow
def test_display_adds_what_other_readers_show(view):
    data, _ = view._repr_mimebundle_()
    assert data[WIDGET]["model_id"] == view.model_id
    assert data["text/plain"] == repr(view.result)
    assert "<table>" in data["text/html"]
    assert "<script" not in data["text/html"]


@pytest.mark.slow
def test_the_result_is_shown_as_its_widget():
    effect = samples.study().effect("age", grid=5)
    data, _ = effect._repr_mimebundle_()
    assert WIDGET in data
    assert effect._repr_mimebundle_(include=["text/plain"]) == {"text/plain": repr(effect)}


def test_no_bundle_without_a_view(view, monkeypatch):
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda self, **kwargs: None)
    assert view._repr_mimebundle_() is None


def test_traits_are_documented():
    own = [name for name in EffectTraits.class_own_traits() if not name.startswith("_")]
    assert own
    assert all(FeatureEffectView.class_traits()[name].help for name in own)


def test_a_pickled_effect_shows_what_it_kept_and_says_what_it_lacks():
    before = samples.study().effect("fare", grid=8)
    first, view = before.widget(), pickle.loads(pickle.dumps(before)).widget()
    assert view.message == first.message
    assert (view.floats, view.integers, view.columns) == (first.floats, first.integers, first.columns)
    view.kind = "ale"
    view.wait(20)
    assert "was left behind" in view.progress["error"]
    view.kind = "pd"
    view.stress = {"taus": {"age": 0.5}, "hold": "none"}
    assert not view.answer.get("error")
    assert not view.progress


@pytest.mark.slow
def test_another_feature_has_the_neighbours_of_the_first():
    view = samples.study().effect("fare", kind="cd", n_neighbors=50, grid=8).widget()
    view.features = ["age"]
    view.wait(20)
    (part,) = view.more["parts"]
    expected = samples.study().effect("age", kind="cd", n_neighbors=50, grid=8)
    shown = np.frombuffer(view.more_floats, "<f4")[: len(expected._axes[0])]
    np.testing.assert_allclose(shown, expected._computed.effect[0], rtol=1e-6)
    assert part["notes"] == list(expected.notes)
    view = samples.study().effect("fare", kind="cd", window=20, grid=8).widget()
    view.features = ["age"]
    view.wait(20)
    assert "window=20 is in the unit of fare" in view.more["parts"][0]["notes"][0]
