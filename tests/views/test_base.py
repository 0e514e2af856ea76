import pytest
import traitlets

from tauscope.views.base import ResultView, check_arguments, known_name, tau_in_range


class Plain(ResultView):
    _esm = "export default {};"
    name = traitlets.Unicode().tag(sync=True)

    @traitlets.validate("name")
    def _known(self, proposal):
        return known_name("name", proposal["value"], self.result)


class Lettered(Plain):
    def _still(self):
        return {**super()._still(), "text/html": "<p>a</p>"}


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
