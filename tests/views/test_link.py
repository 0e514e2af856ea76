import ipywidgets
import pytest
import traitlets
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from results.effects import samples as effect_samples
from results.samples import binary_result
from study.boundary.cases import QUIET, above, plane
from tauscope.errors import InputError, InputTypeError, UnknownName

STRESS = {"taus": {"age": 0.5}, "hold": "none"}


class Own(ipywidgets.Widget):
    """A person's own widget."""

    stress = traitlets.Dict().tag(sync=True)


class Inspector(Own):
    """One with a row too."""

    row = traitlets.Int(3).tag(sync=True)


class Picker(ipywidgets.Widget):
    """One with a row alone."""

    row = traitlets.Int(5).tag(sync=True)

    @traitlets.validate("row")
    def _refuse(self, proposal):
        if proposal["value"] > 90:
            raise traitlets.TraitError("row must lie below 90")
        return proposal["value"]


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


@pytest.mark.slow
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
        (
            lambda: (Own(), ipywidgets.IntSlider()),
            InputTypeError,
            "that have a stress, a row or a selection; got IntSlider",
        ),
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


def ends(link):
    return {(one.source, one.target) for one in link._links}


def test_every_trait_that_two_share_is_linked():
    first, second, third, fourth = Own(stress=STRESS), Inspector(row=7), Picker(), Inspector()
    link = ts.link(first, second, third, fourth)
    assert link.traits == ("stress", "row")
    assert repr(link) == "Link of the stress and row of Own, Inspector, Picker, Inspector"
    assert (second.stress, fourth.stress) == (STRESS, STRESS)
    assert (third.row, fourth.row) == (7, 7), "what the first has not comes from the next"
    stress, row = ((first, "stress"), (second, "row"))
    assert ends(link) == {
        (stress, (second, "stress")),
        (stress, (fourth, "stress")),
        (row, (third, "row")),
        (row, (fourth, "row")),
    }
    link.unlink()
    assert not link.linked


def test_one_of_both_alone():
    first, second = Inspector(stress=STRESS, row=7), Inspector()
    assert ts.link(first, second, traits="stress").traits == ("stress",)
    assert (second.stress, second.row) == (STRESS, 3)
    assert ts.link(first, second, traits=["row", "row"]).traits == ("row",)
    assert second.row == 7


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ts.link(Own(), Inspector(), Picker(), traits=["stress"]), InputTypeError, "have a stress; got Picker"),
        (lambda: ts.link(Own(), Picker()), InputError, "Own shares none with the others"),
        (lambda: ts.link(Own(), Inspector(), traits=["stess"]), UnknownName, "stress"),
        (lambda: ts.link(Own(), Inspector(), traits=[]), InputError, "got none"),
        (lambda: ts.link(Inspector(row=99), Picker()), InputError, "Picker cannot take the present row: row must"),
    ],
)
def test_rows_that_cannot_be_linked(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_inspectors_of_two_models_stay_at_one_row():
    X = plane()
    models = (LogisticRegression().fit(X, above(X)), LogisticRegression(C=0.01).fit(X[["a"]].assign(b=0.0), above(X)))
    found = [
        ts.Study(model, X, above(X), progress=False).boundary(row, **QUIET)
        for model, row in zip(models, (3, 9), strict=True)
    ]
    first, second = (boundary.widget() for boundary in found)
    link = ts.link(first, second)
    second.wait(20)
    assert link.traits == ("row",)
    assert (second.row, second.answer["answers"][0]["row"]) == (3, 3)
    second.close()


@pytest.mark.slow
def test_a_link_shows_its_views_in_a_row():
    first, second = binary_result().widget(), binary_result().widget()
    link = ts.link(first, second, Inspector())
    data, metadata = link._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == link._row.model_id
    assert isinstance(link._row, ipywidgets.HBox)
    assert link._row.children == link.views
    assert data["text/plain"].startswith(
        "Link of the stress of StressCurvesView, StressCurvesView, Inspector\n\nStress curves"
    )
    assert data["text/html"] == first.still() + second.still()
    assert data["application/vnd.tauscope.view+json"] == {}
    assert metadata == {}


@pytest.mark.slow
def test_views_share_a_row_alike():
    view = binary_result().widget()
    assert (view.layout.flex, view.layout.min_width) == ("1 1 0", "0")
    assert binary_result().widget(layout={"flex": "2 1 0"}).layout.flex == "2 1 0"
