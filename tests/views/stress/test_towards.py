"""The widget of a way to another population: its numbers are the result's, at every amount, and linked views follow."""

import time
from dataclasses import replace

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.views.stress import towards as module
from tauscope.views.stress.towards import TargetPopulationView


@pytest.fixture(scope="module")
def result():
    X, y = every.rows()
    return every.study().towards(X[:60], y[:60], features=["a", "c"], metrics=["error_rate", "recall"])


@pytest.fixture
def view(result):
    made = result.widget()
    made.wait(60)
    yield made
    made.close()


def numbers_of(view):
    """By amount: ess, tv, kl, k̂, then metrics, differences and balance as tables."""
    m, p = len(view.message["metrics"]) + len(view.message["observed"]), len(view.message["features"])
    steps = view.path["steps"]
    rows = np.frombuffer(view.numbers, "<f4").reshape(len(steps), 4 + 3 * m + 2 * p)
    return {
        step["amount"]: (row[:4], row[4 : 4 + 3 * m].reshape(m, 3), row[4 + 3 * m :].reshape(p, 2))
        for step, row in zip(steps, rows, strict=True)
    }


def test_every_amount_is_that_of_the_result(view, result):
    assert isinstance(view, TargetPopulationView)
    found = numbers_of(view)
    assert list(found) == view.message["amounts"] == pytest.approx(np.arange(11) / 10)
    for step, (whole, metrics, balance) in zip(view.path["steps"], found.values(), strict=True):
        there = result.at(step["amount"])
        np.testing.assert_allclose(whole, [there.ess, there.tv, there.kl, there.pareto_k], rtol=1e-5, atol=1e-6)
        both = [["value", "lower", "upper"], ["difference", "difference_lower", "difference_upper"]]
        tables = np.concatenate([there.metrics[columns] for columns in both])
        np.testing.assert_allclose(metrics, tables, rtol=1e-5, atol=1e-6)
        assert step["beyond"] == there.metrics["beyond_chance"].tolist()
        assert step["compared"] == " ".join(there._compared)
        by_name = there.balance.set_index("feature").loc[[one["name"] for one in view.message["features"]]]
        np.testing.assert_allclose(balance, by_name[["mean_after", "smd_after"]], rtol=1e-4, atol=1e-5)
        assert step["reliability"] == there.metrics["reliability"].tolist()
        assert step["population"] == there.population
        assert f"{step['met']}." == there.message
    assert (view.path["done"], view.path["total"], view.path["problem"], view.busy) == (11, 11, "", False)


def test_the_message_has_what_stays(view, result):
    frame = result.metrics
    message = view.message
    assert [one["value"] for one in message["observed"]] == frame["observed"].tolist()
    assert [one["upper"] for one in message["observed"]] == frame["observed_upper"].tolist()
    assert message["before"] == frame["before"].astype("<f4").tolist()  # as the numbers of the steps are
    assert [one["name"] for one in message["features"]] == result.balance["feature"].tolist()
    assert [one["smd"] for one in message["features"]] == result.balance["smd_before"].tolist()
    assert (message["n_rows"], message["n_new"], message["there"]) == (160, 60, "60 new rows")
    assert "these rows, and with them the new ones" in message["interval"]
    plain = result.source.towards({"a": 0.3}).widget()
    assert plain.message["observed"] == []
    assert plain.path["steps"][-1]["beyond"] == []
    assert plain.path["steps"][-1]["compared"] == ""
    assert "the new ones" not in plain.message["interval"]
    plain.close()


def test_the_amount_is_the_nearest_there_is(result):
    view = result.at(0.33).widget()
    assert view.amount == 0.33
    assert 0.33 in view.message["amounts"]
    view.amount = 0.48
    assert view.amount == 0.5
    with pytest.raises(traitlets.TraitError, match=r"amount must lie between 0 and 1; got 1\.2"):
        view.amount = 1.2
    with pytest.raises(traitlets.TraitError, match="amount"):
        result.widget(amuont=0.5)
    assert result.widget(amount=0.2).amount == 0.2
    view.close()


def test_amount_and_shared_stress_are_one(view, result):
    assert view.stress == result.stress_at(1.0)
    view.amount = 0.5
    assert view.stress == result.stress_at(0.5)
    view.stress = result.stress_at(0.2)
    assert view.amount == 0.2
    view.stress = {"taus": {}, "hold": "none"}
    assert view.amount == 0
    view.stress = {"taus": {"a": 0.9}, "hold": "means"}
    assert view.amount == 0  # it is not on the way, and the page says so
    assert result.widget(stress=result.stress_at(0.3)).amount == 0.3


def test_linked_views_are_moved_along(view, result):
    joint = result.source.joint_stress().widget()
    together = ts.link(view, joint)
    assert together.traits == ("stress",)
    assert joint.stress == result.stress_at(1.0)


def test_where_sliders_cannot_say_it_the_stress_is_left_alone(result):
    view = result.source.towards({"a": 0.3}, price=2.0).widget()
    assert view.message["unsaid"] == "not every margin is met, and sliders meet theirs"
    assert view.message["taus"] == {}
    assert view.stress == {"taus": {}, "hold": "none"}
    view.amount = 0.5
    assert view.stress == {"taus": {}, "hold": "none"}
    view.stress = {"taus": {"a": 0.3}, "hold": "none"}
    assert view.amount == 0.5
    assert view.path["steps"][-1]["missed"][0].startswith("mean of a, ")
    view.close()


def test_what_takes_longer_follows(result, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    view = result.widget()
    assert view.path["total"] == 11
    view.wait(60)
    assert (view.path["done"], len(view.path["steps"]), view.busy) == (11, 11, False)
    assert list(numbers_of(view)) == view.message["amounts"]


def test_a_view_that_is_closed_computes_no_more(result, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    encode, encoded = module.encode_step, []

    def slowly(there, features):
        time.sleep(0.1)
        encoded.append(there.amount)
        return encode(there, features)

    monkeypatch.setattr(module, "encode_step", slowly)
    view = result.widget()
    assert view.busy
    view.close()
    view.wait(60)
    assert len(encoded) < 5
    assert len(view.path["steps"]) == 1


def test_an_error_on_the_way_is_said(result, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)

    def refuse(given, features):
        if given is not result:
            raise ts.InputError("these rows are gone")
        return kept(given, features)

    kept = module.encode_step
    monkeypatch.setattr(module, "encode_step", refuse)
    view = result.widget()
    view.wait(60)
    assert view.path["problem"] == "these rows are gone"
    assert len(view.path["steps"]) == 1
    view.close()


def test_without_its_study_it_has_its_own_amount(result):
    alone = replace(result, source=None).widget()
    assert alone.message["amounts"] == [1.0]
    assert "has left its study" in alone.path["problem"]
    assert "has left its study" in alone.message["unsaid"]
    alone.close()


def test_a_saved_page_has_all_of_the_way(result, tmp_path):
    result.save(tmp_path / "there.html", amount=0.4)
    text = (tmp_path / "there.html").read_text("utf-8")
    assert "4 margins of 60 new rows" in text
    offline = TargetPopulationView.offline(result, amount=0.4)
    assert (offline.amount, len(offline.path["steps"])) == (0.4, 11)
    assert "60 new rows" in offline.fallback()["text/html"]
