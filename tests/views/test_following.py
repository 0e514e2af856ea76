"""A view that follows a stress on a worker: only the last answer is shown, and none after the stress is let go."""

from threading import Event

import pytest
import traitlets

import tauscope as ts
from results.every import study
from tauscope.views.following import FollowingView


class Slow(FollowingView):
    """Waits to be let go before it answers."""

    shown = traitlets.List().tag(sync=True)

    def __init__(self, result, **state):
        self.go, self.begun = Event(), Event()
        super().__init__(result, **state)

    def _answer(self, result, stress):
        self.begun.set()
        self.go.wait(10)
        return stress["taus"]

    def _show(self, answer):
        self.shown = [*self.shown, answer]

    def _rest(self):
        self.shown = [*self.shown, "rest"]

    def _problem(self):
        return "no" if self.shown == [{"a": 1.0}] else ""


def moved(tau):
    return {"taus": {"a": tau}, "hold": "none"}


@pytest.fixture
def view():
    made = Slow.hosted(study())
    yield made
    made.go.set()
    made.close()


def test_an_answer_of_a_stress_that_was_left_is_not_shown(view):
    view.stress = moved(0.2)
    assert view.begun.wait(10)
    assert view.busy
    view.stress = moved(0.5)
    view.go.set()
    view.wait(10)
    assert (view.shown, view.busy) == ([{"a": 0.5}], False)


def test_letting_go_shows_the_own_population_at_once(view):
    view.stress = moved(0.2)
    assert view.begun.wait(10)
    view.stress = {"taus": {}, "hold": "none"}
    view.go.set()
    view.wait(10)
    assert view.shown == ["rest"]


def test_a_closed_view_answers_no_more(view):
    view.stress = moved(0.2)
    assert view.begun.wait(10)
    view.close()
    view.go.set()
    view.wait(10)
    assert view.shown == []


def test_a_page_waits_for_the_answer_it_opens_on_and_refuses_a_problem():
    class Quick(Slow):
        def _answer(self, result, stress):
            return stress["taus"]

    made = Quick.offline(study(), stress=moved(0.4))
    assert (made.shown, made.busy) == ([{"a": 0.4}], False)
    made.check_offline()
    with pytest.raises(ts.InputError, match="cannot open on this stress: no"):
        Quick.offline(study(), stress=moved(1.0)).check_offline()
