import pytest
import traitlets

from results.effects import samples as effect_samples
from results.samples import binary_study
from tauscope.views.base import ResultView, check_arguments, check_name, tau_in_range
from tauscope.views.packing import unpack


class Plain(ResultView):
    _esm = "export default {};"
    name = traitlets.Unicode().tag(sync=True)

    @traitlets.validate("name")
    def _check(self, proposal):
        return check_name("name", proposal["value"], self.result)


class Lettered(Plain):
    def fallback(self):
        return {**super().fallback(), "text/html": "<p>a</p>"}


def test_the_result_is_there_when_traits_are_checked():
    view = Plain(["a", "b"], name="b")
    assert (view.result, view.name) == (["a", "b"], "b")
    with pytest.raises(traitlets.TraitError, match="Nearest: 'bc'"):
        Plain(["a", "bc"], name="b")


def test_other_readers_are_shown_what_a_view_says():
    data, metadata = Lettered(["a"], name="a")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert (data["text/plain"], data["text/html"]) == ("['a']", "<p>a</p>")
    assert metadata == {}


def test_an_offline_view_has_the_same_state_and_no_comm(monkeypatch):
    opened = []
    monkeypatch.setattr("ipywidgets.Widget.open", lambda self: opened.append(self))
    view = Plain.offline(["a", "b"], name="b")
    assert isinstance(view, Plain)
    assert (view.result, view.name, view.comm) == (["a", "b"], "b", None)
    assert opened == []
    online = Plain(["a"], name="a")
    assert opened == [online]


def test_buffers_are_packed_on_their_way_to_the_page_alone():
    class Carrying(Plain):
        rows = traitlets.Bytes().tag(sync=True)

    plain = bytes(range(4)) * 1000
    view = Carrying.offline(["a"], name="a", rows=plain)
    assert view.rows == plain
    sent = view.get_state("rows")["rows"]
    assert len(sent) < 100
    assert unpack(sent) == plain
    assert view.get_state()["rows"] == sent


def test_arguments():
    check_arguments({"layout": None, "tau": 1}, ("tau", "metric"))
    with pytest.raises(traitlets.TraitError, match=r"no argument 'taus'.*Nearest: 'tau'"):
        check_arguments({"tau": 1, "taus": 3}, ("tau", "metric"))


@pytest.mark.parametrize("tau", [-1.0, 0.0, 1.0])
def test_taus_from_end_to_end(tau):
    assert tau_in_range(tau) == tau


@pytest.mark.parametrize("tau", [-1.01, 2.0, float("nan"), float("inf")])
def test_other_taus_are_refused(tau):
    with pytest.raises(traitlets.TraitError, match=rf"in \[-1, 1\]; got {tau:g}"):
        tau_in_range(tau)


MADE = {
    "curves": lambda: binary_study().stress_curves(taus=5),
    "surface": lambda: binary_study().stress_surface("age", "gain", taus=3),
    "joint": lambda: binary_study().joint_stress(),
    "effect": lambda: effect_samples.study().effect("age", grid=5),
}
ELSEWHERE = {"taus": {"of another study": 0.5}, "hold": "none"}


@pytest.mark.slow
@pytest.mark.parametrize("which", MADE)
def test_one_way_of_all(which):
    result = MADE[which]()
    view = result.widget()
    assert view.stress == {"taus": {}, "hold": "none"}
    view.stress = ELSEWHERE
    assert view.stress == ELSEWHERE
    view.stress = {"taus": {"age": -0.5, "gain": 0}}
    assert view.stress == {"taus": {"age": -0.5}, "hold": "none"}
    with pytest.raises(traitlets.TraitError, match="got 2"):
        view.stress = {"taus": {"age": 2}}
    assert result.widget(stress=ELSEWHERE).stress == ELSEWHERE
