"""Two models in a widget: the table as tested, the kernel's answer under a stress, pages and refusals."""

from dataclasses import replace

import pytest
import traitlets

import tauscope as ts
from results.samples import binary_study
from tauscope.views.stress.comparison import ModelComparisonView

STRESS = {"taus": {"age": 0.3}, "hold": "none"}


@pytest.fixture(scope="module")
def result():
    study = binary_study()
    other = ts.Study.from_predictions(study.X, study.y, study.predicted[::-1])
    return ts.compare(study, other, metrics=["error_rate", "recall"], names=("a", "b"))


@pytest.fixture
def view(result):
    made = result.widget()
    yield made
    made.close()


def numbers(pairs):
    return [(one["first"], one["second"], one["difference"], one["lower"], one["upper"]) for one in pairs]


def rows(result, population):
    frame = result.frame[result.frame["population"] == population]
    return list(frame[["first", "second", "difference", "lower", "upper"]].itertuples(index=False, name=None))


def test_the_message_is_the_table(view, result):
    assert isinstance(view, ModelComparisonView)
    assert numbers(view.message["tested"]) == rows(result, "as tested")
    assert view.message["names"] == ["a", "b"]
    assert (view.message["offline"], view.compared, view.busy) == ("", {}, False)
    better = [["a", "b", ""][one["better"]] for one in view.message["tested"]]
    assert better == result.frame["better"].tolist()


def test_a_stress_is_answered_by_the_kernel(view, result):
    view.stress = STRESS
    view.wait(20)
    under = result.under(ts.Mean("age", tau=0.3))
    assert numbers(view.compared["pairs"]) == rows(under, "under the stress")
    assert view.compared["stress"] == STRESS
    assert "age" in view.compared["words"]
    assert view.compared["ess"] == under.population.ess


def test_a_stress_that_cannot_be_met_says_why(view):
    view.stress = {"taus": {"nowhere": 0.3}, "hold": "none"}
    view.wait(20)
    assert "There is no feature 'nowhere'" in view.compared["error"]
    with pytest.raises(ts.InputError, match="cannot open on this stress"):
        view.check_offline()


def test_what_is_no_stress_is_refused(view, result):
    with pytest.raises(traitlets.TraitError, match="hold must be one of"):
        view.stress = {"taus": {}, "hold": "some"}
    with pytest.raises(traitlets.TraitError, match="stress"):
        result.widget(stres=STRESS)


def test_a_page_has_the_stress_it_opens_on(result, tmp_path):
    made = ModelComparisonView.offline(result, stress=STRESS)
    assert len(made.compared["pairs"]) == 2
    assert made.message["offline"] == "this page has no kernel to compare the models under it"
    result.save(tmp_path / "c.html", stress=STRESS)
    assert "b against a" in (tmp_path / "c.html").read_text("utf-8")


def test_without_its_study_it_says_so(result):
    alone = replace(result, source=None).widget(stress=STRESS)
    assert "has left its study" in alone.message["offline"]
    alone.wait(20)
    assert "has left its study" in alone.compared["error"]


def test_it_opens_on_the_stress_it_was_made_under(result, tmp_path):
    own = result.under(ts.Mean("age", shift=3) & ts.Mean("gain", shift=10))
    made = own.widget()
    assert made.stress == {"taus": {}, "hold": "none"}
    assert numbers(made.compared["pairs"]) == rows(own, "under the stress")
    assert made.compared["stress"] == made.stress
    assert made.compared["words"] == own.population.words.partition(";")[0]
    assert (made.compared["ess"], made.compared["level"]) == (own.population.ess, own.population.level)
    made.stress = STRESS
    made.wait(20)
    assert made.compared["stress"] == STRESS
    made.stress = {"taus": {}, "hold": "none"}
    assert numbers(made.compared["pairs"]) == rows(own, "under the stress")
    made.close()
    own.save(tmp_path / "own.html")
    assert "age" in ModelComparisonView.offline(own).compared["words"]


def test_a_population_of_few_rows_says_so_from_the_start(result):
    few = result.under(ts.Mean("age", target=78.5))
    assert few.population.level == "unreliable"
    view = few.widget()
    assert (view.compared["level"], view.compared["doubt"]) == (few.population.level, few.population.doubt)
    assert few.population.doubt
    view.close()
