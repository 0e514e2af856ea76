from functools import cache

import ipywidgets
import pytest
import traitlets

import tauscope as ts
from tauscope.errors import InputError
from tauscope.views.rules.rules import RulesView
from tauscope.views.rules.stressed import stressed_wire
from wire import write_rules
from wire.write_rules import STRESS

LEVELS, MISSING = 3, 9
found = cache(write_rules.found)


def test_a_stress_is_counted_and_left_again():
    view = RulesView(found(LEVELS))
    view.stress = STRESS
    view.wait(60)
    assert (view.stressed["stress"], view.stressed["row"]) == (STRESS, LEVELS)
    assert len(view.stressed_weights) == 4 * view.answer["n_rows"]
    view.stress = {}
    view.wait(60)
    assert view.stress["taus"] == {}
    view.close()


def test_another_row_is_counted_under_the_stress_that_stays():
    view = RulesView(found(LEVELS), stress=STRESS)
    view.row = MISSING
    view.wait(60)
    assert view.stressed["row"] == view.answer["row"] == MISSING
    assert len(view.stressed["rules"]) == len(view.answer["rules"])
    assert view.stress == STRESS
    view.close()


def test_the_stress_of_curves_is_followed():
    curves = write_rules.study().stress_curves(["slope", "age"]).widget()
    view = RulesView(found(LEVELS), row=LEVELS)
    link = ts.link(curves, view)
    assert link.traits == ("stress",)
    curves.stress = STRESS  # the page carries it over; here Python does
    view.stress = curves.stress
    view.wait(60)
    assert view.stressed["rules"] == stressed_wire(found(LEVELS), STRESS)[0]["rules"]
    view.close()


class Own(ipywidgets.Widget):
    """A person's own view of rows."""

    selection = traitlets.List(traitlets.Int()).tag(sync=True)


def test_a_selection_is_linked():
    own, view = Own(selection=[5, 2]), RulesView(found(LEVELS))
    link = ts.link(own, view)
    assert link.traits == ("selection",)
    assert view.selection == [2, 5]
    view.close()


@pytest.mark.parametrize("selection", [[160], [-1, 3]])
def test_rows_that_are_not_there_cannot_be_selected(selection):
    view = RulesView.offline(found(LEVELS))
    with pytest.raises(traitlets.TraitError, match="positions between 0 and 159"):
        view.selection = selection
    view.selection = [9, 2, 9]
    assert view.selection == [2, 9]


def test_a_saved_page_carries_the_stress_it_opens_on(tmp_path):
    path = tmp_path / "rules.html"
    found(LEVELS).save(path, stress=STRESS, selection=[1])
    assert "falls below π = 0.9 under this stress" in path.read_text("utf-8")
    with pytest.raises(InputError, match=r"cannot open on this stress: .*nowhere"):
        found(LEVELS).save(path, stress={"taus": {"nowhere": 1.0}})


def test_a_closed_view_counts_no_more():
    view = RulesView(found(LEVELS))
    view.stress = STRESS
    view.close()
    view.wait(60)
    assert not view.busy
