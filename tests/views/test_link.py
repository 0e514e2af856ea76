import ipywidgets
import pytest
import traitlets

import tauscope as ts
from results.effects import samples as effect_samples
from results.samples import binary_result
from tauscope.errors import InputError, InputTypeError

STRESS = {"taus": {"age": 0.5}, "hold": "none"}


class Own(ipywidgets.Widget):
    """A person's own widget."""

    stress = traitlets.Dict().tag(sync=True)


class Fussy(ipywidgets.Widget):
    """One that takes no stress but none."""

    stress = traitlets.Dict().tag(sync=True)

    @traitlets.validate("stress")
    def _refuse(self, proposal):
        if proposal["value"]:
            raise traitlets.TraitError("too much")
        return proposal["value"]


def test_all_start_from_the_first():
    first, second, third = binary_result().widget(tau=0.5, feature="age"), binary_result().widget(), Own()
    link = ts.link(first, second, third)
    assert second.stress == third.stress == STRESS
    assert (second.feature, second.tau) == ("age", 0.5)
    assert link.views == (first, second, third)
    assert link.linked


def test_the_page_links_and_unlinks():
    first, second = Own(), Own()
    link = ts.link(first, second)
    (made,) = link._links
    assert (made._model_name, made.source, made.target) == ("LinkModel", (first, "stress"), (second, "stress"))
    link.unlink()
    assert not link.linked
    link.unlink()
    assert repr(link) == "Link of the stress of Own, Own (unlinked)"


def test_through_the_kernel_too():
    curves, effect = binary_result().widget(feature="age"), effect_samples.study().effect("age", grid=5).widget()
    ipywidgets.link((curves, "stress"), (effect, "stress"))
    curves.tau = 0.5
    assert effect.stress == STRESS
    effect.stress = {"taus": {"age": -0.5}}
    assert (curves.feature, curves.tau) == ("age", -0.5)
    effect.stress = {}
    assert curves.tau == 0


@pytest.mark.parametrize(
    ("views", "error", "words"),
    [
        (lambda: (Own(),), InputError, "two views at least"),
        (lambda: (Own(), ipywidgets.IntSlider()), InputTypeError, "that have a stress; got IntSlider"),
        (lambda: (Own(), binary_result()), InputTypeError, "got StressCurves. Make one with .widget()"),
        (lambda: (binary_result().widget(tau=0.5), Fussy()), InputError, "Fussy cannot take the present stress"),
    ],
)
def test_what_cannot_be_linked(views, error, words):
    with pytest.raises(error, match=words):
        ts.link(*views())


def test_a_view_twice():
    one = Own()
    with pytest.raises(InputError, match="given twice"):
        ts.link(one, one)
