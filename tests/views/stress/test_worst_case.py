"""The widget of a worst case: its numbers are the result's, each amount is searched, sliders make it where they can."""

from dataclasses import replace

import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.views.stress.worst_case import AMOUNTS, WorstCaseView


@pytest.fixture(scope="module")
def means():
    return every.study().worst_case("error_rate", within={"kl": 0.02}, features=["a", "b"])


@pytest.fixture
def view(means):
    made = means.widget()
    made.wait(20)
    yield made
    made.close()


def test_each_amount_is_the_worst_case_within_so_much(view, means):
    assert isinstance(view, WorstCaseView)
    assert (view.amount, view.busy, view.path["problem"]) == (1.0, False, "")
    assert [step["amount"] for step in view.path["steps"]] == list(AMOUNTS)
    for step in view.path["steps"]:
        there = means.at(step["amount"])
        assert (step["value"], step["lower"], step["upper"]) == (there.value, there.lower, there.upper)
        assert (step["ess"], step["kl"], step["leans_on"]) == (there.ess, there.kl, there.leans_on)
        assert step["kl"] == pytest.approx(0.02 * step["amount"], rel=1e-5)
        told = [one.feature for one in there.margins if not one.twin]
        assert [one["feature"] for one in step["margins"]] == told
    held = view.message["held_out"]
    assert (held["value"], held["upper"]) == (means.held_out.estimate.value, means.held_out.estimate.upper)
    assert view.message["before"] == means.before


def test_sliders_make_the_worst_case_shown(view, means):
    for step in view.path["steps"]:
        assert step["unsaid"] == ""
        scenario = ts.Scenario("worst", step["taus"])
        found = every.study().reweight(scenario, metrics="error_rate").metrics["value"].item()
        assert found == pytest.approx(step["value"], abs=1e-9)
    assert view.path["steps"][-1]["taus"] == dict(means.scenario("worst").taus)


def test_the_stress_it_gives_moves_a_linked_view(view, means):
    joint = every.study().joint_stress().widget()
    traitlets.link((view, "stress"), (joint, "stress"))
    view.stress = {"taus": view.path["steps"][-1]["taus"], "hold": "none"}
    assert joint.stress["taus"] == pytest.approx(view.path["steps"][-1]["taus"])
    joint.close()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"within": {"tv": 0.1}}, "described by none"),
        ({"within": {"c": 0.05}, "held_out": 0}, ""),
        ({"reach": 0.3, "features": "a", "held_out": 0}, ""),
    ],
)
def test_where_sliders_cannot_make_it_that_is_said(asked, words):
    step = every.study().worst_case("error_rate", **asked).widget().path["steps"][-1]
    assert words in step["unsaid"]
    assert bool(step["taus"]) == (step["unsaid"] == "")


def test_a_way_to_a_value_goes_part_of_it():
    found = every.study().worst_case("error_rate", reach=0.3, features=["a", "b"], held_out=0)
    view = WorstCaseView.offline(found, amount=0.5)
    assert view.amount in (0.4, 0.6)
    assert view.message["held_out"] is None
    for step in view.path["steps"]:
        assert step["value"] == pytest.approx(found.before + step["amount"] * (0.3 - found.before), abs=1e-6)


def test_without_its_study_it_shows_what_it_has(means):
    alone = replace(means, source=None).widget()
    assert [step["amount"] for step in alone.path["steps"]] == [1.0]
    assert "left its study" in alone.path["problem"]
    assert "left its study" in alone.path["steps"][0]["unsaid"]
    alone.close()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("amount", 0.0, "above 0 and at most 1; got 0"),
        ("amount", 1.5, "above 0 and at most 1; got 1.5"),
        ("stress", {"taus": {}, "hold": "some"}, "hold must be one of"),
        ("amonut", 1.0, "amount"),
    ],
)
def test_what_cannot_be_is_refused(means, name, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        means.widget(**{name: value})
    with pytest.raises(ts.InputError, match="at most 1, all that was allowed; got 2"):
        means.at(2)


def test_a_page_has_every_amount(means, tmp_path):
    made = WorstCaseView.offline(means)
    assert len(made.path["steps"]) == len(AMOUNTS)
    means.save(tmp_path / "w.html", amount=0.4)
    assert "Highest error rate" in (tmp_path / "w.html").read_text("utf-8")
