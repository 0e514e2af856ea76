"""Groups over an effect: sent as Python has them, followed under the stress, refused, and kept in saved pages."""

from contextlib import closing
from time import sleep

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results.effects import samples
from tauscope.stress.reliability import LEVELS
from tauscope.views.effects.effect import FeatureEffectView
from tauscope.views.effects.groups_message import EffectGroupsWire
from tauscope.views.packing import unpack

AGE = {"taus": {"age": 0.5}, "hold": "none"}
N_ROWS = samples.study().n_rows
HALF = np.arange(N_ROWS) % 2 == 0


def effect_of(*args, **options):
    return samples.study().effect(*args, **({"grid": 6} | options))


@pytest.fixture
def view():
    made = effect_of("age").widget()
    yield made
    made.wait(20)
    made.close()


def numbers(view, n_groups, n_points, n_classes=1):
    """Return curves, [class][group][field][point], and gaps, [class][field][point]."""
    sent = np.frombuffer(unpack(view.group_numbers), "<f4")
    n = n_classes * n_groups * 4 * n_points
    return sent[:n].reshape(n_classes, n_groups, 4, n_points), sent[n:].reshape(n_classes, 5, n_points)


def pick(view, by):
    """Pick groups as the page does, and wait for them."""
    view.set_state({"by": by})
    view.wait(20)


@pytest.mark.parametrize("kind", ["pd", "ale"])
@pytest.mark.parametrize("stress", [None, AGE])
def test_groups_are_those_of_python(kind, stress):
    effect = effect_of("fare", kind=kind)
    view = effect.widget(**({"stress": stress} if stress else {}))
    pick(view, "port")
    found = effect.by("port", None if stress is None else ts.Mean("age", tau=0.5))
    assert [one["label"] for one in view.groups["groups"]] == [group.label for group in found.groups]
    assert [one["n_rows"] for one in view.groups["groups"]] == [group.n_rows for group in found.groups]
    assert [one["ess"] for one in view.groups["groups"]] == pytest.approx([group.ess for group in found.groups])
    curves, gaps = numbers(view, len(found.groups), len(effect._axes[0]))
    for k, sent in enumerate([*found.curves[:3]]):
        np.testing.assert_allclose(curves[0, :, k], sent[:, 0], rtol=1e-5, atol=1e-6)
    assert np.array(LEVELS, object)[curves[0, :, 3].astype(int)].tolist() == found._point_levels.tolist()
    apart = found.gaps_of_curves
    for k, sent in enumerate([apart.largest, apart.smallest, apart.gap, apart.gap_lower, apart.gap_upper]):
        np.testing.assert_allclose(gaps[0, k], sent[0], rtol=1e-5, atol=1e-5)
    assert set(view.groups["notes"]) == set(found.notes) - set(effect.notes)
    assert (view.groups["words"] == "") is (stress is None)
    view.close()


def test_of_several_classes_all_are_sent():
    X, y = samples.passengers()
    model = samples.pipeline().fit(X, np.resize(["a", "b", "c"], len(y)))
    effect = ts.Study(model, X, progress=False).effect("age", grid=4)
    with closing(effect.widget(by="sex", target_class="b")) as view:
        view.wait(20)
        curves, _ = numbers(view, 2, len(effect._axes[0]), 3)
        np.testing.assert_allclose(curves[:, :, 0].swapaxes(0, 1), effect.by("sex").curves.effect, rtol=1e-5)
        sent = view.groups
        view.target_class = "c"
        view.wait(20)
        assert view.groups is sent, "another class needs no other numbers"


def test_groups_follow_the_stress_the_feature_and_the_kind(view):
    assert view.groups == {}
    pick(view, "sex")
    assert (view.groups["by"], view.groups["stress"]["taus"], view.groups["error"]) == ("sex", {}, "")
    view.stress = AGE
    view.wait(20)
    assert view.groups["stress"] == AGE
    assert view.groups["words"].startswith("age ")
    view.features = ["fare"]
    view.wait(20)
    assert (view.groups["features"], view.groups["kind"], view.groups["stress"]) == (["fare"], "pd", AGE)
    view.kind = "ale"
    view.wait(20)
    assert (view.groups["features"], view.groups["kind"]) == (["fare"], "ale")
    kept = view.groups
    view.features = ["fare", "age"]
    view.wait(20)
    view.by = ""
    view.wait(20)
    assert view.groups is kept, "two features have none, and nothing is computed for none"


def test_columns_that_tell_rows_apart_are_offered_beside_what_is_given(view):
    offered = view.message["by"]
    assert {"sex", "port", "grade", "member", "rooms"} <= set(offered)
    assert "age" not in offered
    with pytest.raises(traitlets.TraitError, match=r"no grouping 'sexx'.*Nearest: 'sex'"):
        view.by = "sexx"
    with closing(effect_of("age").widget(by=HALF)) as given:
        given.wait(20)
        assert (given.by, given.message["by"]) == ("group", [*offered, "group"])
        assert [one["label"] for one in given.groups["groups"]] == ["False", "True"]
        pick(given, "sex")
        assert given.groups["by"] == "sex"
    with closing(effect_of("age").widget(by=["sex", "member"])) as crossed:
        crossed.wait(20)
        assert (crossed.by, len(crossed.groups["groups"])) == ("sex, member", 4)


@pytest.mark.parametrize(
    ("by", "error", "words"),
    [
        ("sexx", ts.UnknownName, "Nearest: 'sex'"),
        (HALF[:5], ts.InputError, f"{N_ROWS}"),
        ([f"group {k % 13}" for k in range(N_ROWS)], ts.InputError, r"2 to 12 groups; 'group' makes 13.*study\.effect"),
        (["one"] * N_ROWS, ts.InputError, r"makes 1\."),
    ],
)
def test_groups_that_cannot_be_are_refused(by, error, words):
    with pytest.raises(error, match=words):
        effect_of("age").widget(by=by)


def test_groups_that_an_effect_cannot_have_are_said_in_the_page():
    with closing(effect_of("age", kind="cd", n_neighbors=20).widget(by="sex")) as view:
        view.wait(20)
        assert "nearest rows of a group" in view.groups["error"]
        assert (view.group_numbers, view.groups.get("groups")) == (b"", None)


def test_a_stress_that_nothing_meets_is_said(view):
    pick(view, "sex")
    view.stress = {"taus": {"shoe": 0.5}, "hold": "none"}
    view.wait(20)
    assert "shoe" in view.groups["error"]
    view.stress = {"taus": {}, "hold": "none"}
    view.wait(20)
    assert view.groups["error"] == ""


def test_an_effect_that_has_left_its_study_offers_none():
    moved = effect_of("age").under(ts.Mean("age", tau=0.5)).after
    with closing(moved.widget()) as view:
        assert view.message["by"] == []
        with pytest.raises(traitlets.TraitError, match="no grouping 'sex'"):
            view.by = "sex"


def test_a_saved_page_has_the_groups_it_opens_on_in_its_population():
    with closing(FeatureEffectView.offline(effect_of("age"), by="sex", stress=AGE)) as view:
        assert (view.message["by"], view.message["live"], view.by) == (["sex"], False, "sex")
        assert (view.groups["stress"], len(view.groups["groups"])) == (AGE, 2)
    assert FeatureEffectView.offline(effect_of("age")).message["by"] == []


def test_groupings_are_picked_by_their_names():
    with closing(FeatureEffectView.offline(effect_of("age"), groupings={"half": HALF}, by="half")) as view:
        assert [one["n_rows"] for one in view.groups["groups"]] == [N_ROWS // 2, N_ROWS // 2]
        view.by = ""
        view.by = "half"
        assert view.groups["error"] == ""


def test_closing_stops_what_is_under_way(view, monkeypatch):
    begun = []

    def slow(effect, by, name, stress, moved):
        begun.append(name)
        sleep(0.2)
        return EffectGroupsWire({"by": name}, b"")

    monkeypatch.setattr("tauscope.views.effects.effect.effect_groups_wire", slow)
    view.by = "sex"
    assert view.busy
    view.close()
    view.wait(20)
    assert (begun in (["sex"], []), view.groups, view.busy) == (True, {}, False)
