"""Views whose result is computed anew in the groups picked: thresholds and calibration, and a slow one between."""

from dataclasses import replace
from threading import Event

import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.errors import InputError
from tauscope.prediction.stopping import Stopped, stoppable
from tauscope.views.regrouping import RegroupingView
from views.few_thresholds import HALF, study

STRESS = {"taus": {"a": 0.3}, "hold": "none"}
NOTHING = {"taus": {}, "hold": "none"}
MOVED = ts.Mean("a", tau=0.3)
OPTIONS = {
    "threshold_curves": {"cost": {"fp": 1, "fn": 5}, "metrics": ["error_rate", "recall"], "thresholds": [0.2, 0.5]},
    "calibration": {"n_bins": 3, "strategy": "uniform", "target_class": 0, "confidence": 0.9},
}
WORDS = {"threshold_curves": "decisions", "calibration": "shown"}


def computed(verb, study, stress=None, by=None):
    return getattr(study, verb)(stress, by=by, **OPTIONS[verb])


@pytest.fixture(params=sorted(OPTIONS))
def verb(request):
    return request.param


@pytest.fixture
def view(verb):
    made = computed(verb, study()).widget()
    yield made
    made.close()


def told(view):
    """Everything that is sent, besides the choices."""
    return {name: getattr(view, name) for name in ("message", "decisions", "shown", "numbers") if view.has_trait(name)}


def pick(view, by):
    view.by = by
    view.wait(60)


@pytest.mark.slow
def test_the_groups_picked_are_those_of_the_same_question(verb, view):
    for by in ("c", "d", ""):
        pick(view, by)
        expected = computed(verb, study(), by=by or None).widget()
        assert told(view) == told(expected)
        assert view.result.grouped_by == by
    view.stress = STRESS
    view.wait(60)
    pick(view, "c")
    under = computed(verb, study(), MOVED, "c").widget()
    words = getattr(view, WORDS[verb])
    assert words == getattr(under, WORDS[verb]) | {"stress": STRESS}
    view.stress = NOTHING
    assert told(view) == told(computed(verb, study(), by="c").widget())


def test_a_result_under_its_own_stress_stays_there(verb):
    view = computed(verb, study(), MOVED).widget()
    pick(view, "c")
    assert told(view) == told(computed(verb, study(), MOVED, "c").widget())
    view.close()


@pytest.mark.slow
def test_groups_given_are_picked_by_their_name_before_columns(verb):
    view = computed(verb, study(), by=HALF).widget(groupings={"half": HALF, "d": ["c", "d"]})
    assert (view.by, view.message["by"]) == ("group", "group")
    pick(view, "d")
    assert "c, d" in view.result.grouped_by
    pick(view, "half")
    assert view.message["groups"] == ["False", "True"]
    pick(view, "group")
    assert [group.n_rows for group in view.result.groups] == [240, 240]
    with pytest.raises(traitlets.TraitError, match="no grouping 'halff'"):
        view.by = "halff"
    view.close()


def test_choices_of_other_groups_are_let_go():
    thresholds = computed("threshold_curves", study(), by="c").widget(thresholds=[0.2, 0.5, 0.5])
    pick(thresholds, "d")
    assert thresholds.thresholds == computed("threshold_curves", study(), by="d").widget().thresholds
    thresholds.thresholds = [0.2]
    pick(thresholds, "c")
    assert thresholds.thresholds == [0.2]
    thresholds.thresholds = [0.2, 0.5, 0.2]
    calibration = computed("calibration", study(), by="c").widget(group="z")
    pick(calibration, "d")
    assert calibration.group == "0"
    calibration.group = "3"
    thresholds.close()
    calibration.close()


@pytest.mark.slow
def test_groups_that_cannot_be_had_are_said_and_the_others_stay(verb):
    view = computed(verb, study(), by="c").widget()
    if verb == "threshold_curves":
        view.thresholds = [0.2, 0.5, 0.5]
    before = told(view)
    pick(view, "many")
    words = getattr(view, WORDS[verb])
    assert words["aside"].startswith(
        ". Numbers by many cannot be shown. Rows are told apart by at most 200 groups; got "
    )
    assert words | {"aside": ""} == before[WORDS[verb]] | {"aside": ""}
    assert told(view) | {WORDS[verb]: {}} == before | {WORDS[verb]: {}}
    view.stress = STRESS
    view.wait(60)
    under = getattr(view, WORDS[verb])
    assert under["aside"] == words["aside"]
    expected = computed(verb, study(), MOVED, "c").widget()
    assert [group["ess"] for group in under["groups"]] == [group.ess for group in expected.result.groups]
    pick(view, "c")
    assert getattr(view, WORDS[verb]) == getattr(expected, WORDS[verb]) | {"stress": STRESS}
    pick(view, "many")
    pick(view, "d")
    assert "aside" not in getattr(view, WORDS[verb])
    assert view.message["by"] == "d"
    view.close()


@pytest.mark.slow
def test_where_no_kernel_or_study_or_rows_are_there_only_the_own_groups_are(verb):
    result = computed(verb, study(), by="c")
    chunked = getattr(every.chunked(), verb)(by="c")
    for view in (type(result.widget()).offline(result), replace(result, source=None).widget(), chunked.widget()):
        assert (view.by, list(view.groupings)) == ("c", ["c"])
        with pytest.raises(traitlets.TraitError, match="no grouping 'd'"):
            view.by = "d"
        view.close()
    alone = replace(result, source=None).widget()
    pick(alone, "")
    assert "Numbers of all rows together cannot be shown. This" in getattr(alone, WORDS[verb])["aside"]
    alone.close()


@pytest.mark.parametrize("verb", ["threshold_curves", "calibration", "metrics_by"])
def test_groups_that_were_left_are_given_up_between_two_of_them(verb):
    given = {"by": "c"} if verb != "metrics_by" else {"by": "c", "metrics": "error_rate"}
    asked = []

    def after(n):
        return lambda: asked.append(0) or len(asked) > n

    with pytest.raises(Stopped), stoppable(after(2)):
        getattr(study(), verb)(**given)
    assert len(asked) == 3


class Result:
    source = None

    def __init__(self, grouped_by=""):
        self.grouped_by = grouped_by


class Slow(RegroupingView):
    """Waits to be let go before it has other groups."""

    _population = "shown"
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, result):
        self.go, self.begun = Event(), Event()
        self._own = {"of": ""}
        given = {name: name for name in ("x", "y", "no", "odd")}
        super().__init__(result, groupings=given, shown=self._own)

    def _regroup(self, by):
        self.begun.set()
        assert self.go.wait(10)
        if by == "no":
            raise InputError("There is no such thing.")
        if by == "odd":
            raise ZeroDivisionError
        return Result(by or "")

    def _own_answer(self, result):
        return {"of": result.grouped_by}

    def _renew(self):
        pass

    def _answer(self, result, stress):
        return {"of": result.grouped_by, "taus": stress["taus"]}

    def _show(self, answer):
        self.shown = {**answer, **self._beside()}


@pytest.fixture
def slow():
    made = Slow.hosted(Result())
    made.by = "x"
    assert made.begun.wait(10)
    yield made
    made.go.set()
    made.close()


def test_meanwhile_the_page_has_what_was_there_and_says_so(slow):
    assert slow.shown == {"of": "", "aside": " (before; the kernel computes numbers by x…)"}
    assert slow.busy
    slow.go.set()
    slow.wait(10)
    assert (slow.shown, slow.result.grouped_by) == ({"of": "x"}, "x")


def test_a_stress_that_comes_or_goes_meanwhile_does_not_lose_the_groups(slow):
    slow.stress = STRESS
    slow.go.set()
    slow.wait(10)
    assert slow.shown == {"of": "x", "taus": {"a": 0.3}}
    slow.go.clear()
    slow.by = "y"
    slow.stress = NOTHING
    slow.go.set()
    slow.wait(10)
    assert slow.shown == {"of": "y"}


def test_going_back_to_the_groups_there_are_gives_up_the_others(slow):
    slow.by = ""
    assert slow.shown == {"of": ""}
    slow.go.set()
    slow.wait(10)
    assert (slow.shown, slow.result.grouped_by) == ({"of": ""}, "")


def test_the_last_groups_picked_are_shown(slow):
    slow.by = "no"
    slow.by = "y"
    slow.go.set()
    slow.wait(10)
    assert slow.shown == {"of": "y"}


def test_what_goes_wrong_otherwise_is_said_too(slow):
    slow.go.set()
    slow.by = "odd"
    slow.wait(10)
    assert slow.shown == {"of": "", "aside": ". Numbers by odd cannot be shown. ZeroDivisionError"}


def test_what_was_refused_is_not_tried_again(slow):
    slow.go.set()
    slow.by = "no"
    slow.wait(10)
    said = {"aside": ". Numbers by no cannot be shown. There is no such thing."}
    assert slow.shown == {"of": "", **said}
    slow.begun.clear()
    slow.stress = STRESS
    slow.wait(10)
    assert slow.shown == {"of": "", "taus": {"a": 0.3}, **said}
    assert not slow.begun.is_set()


def test_a_closed_view_takes_in_no_groups(slow):
    slow.close()
    slow.go.set()
    slow.wait(10)
    assert slow.shown["of"] == ""
