"""The widget of thresholds: its numbers are the result's, it follows a stress, and says what it cannot show."""

from dataclasses import replace

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.figures.still import HTML, SVG
from tauscope.views.stress import thresholds_message as messages
from tauscope.views.stress.thresholds import ThresholdCurvesView

STRESS = {"taus": {"a": 0.3}, "hold": "none"}
MOVED = ts.Mean("a", tau=0.3)
OPTIONS = {"cost": {"fp": 1, "fn": 5}, "metrics": ["error_rate", "recall"], "thresholds": [0.2, 0.4, 0.5, 0.8]}


@pytest.fixture(scope="module")
def plain():
    return every.study().threshold_curves(**OPTIONS)


@pytest.fixture(scope="module")
def groups():
    return every.study().threshold_curves(MOVED, by="c", **OPTIONS)


@pytest.fixture
def view(plain):
    made = plain.widget()
    yield made
    made.close()


def cells(view):
    """Numbers by group, threshold and metric, and of the gaps by threshold and metric."""
    g, n, m = len(view.message["groups"]), len(view.decisions["thresholds"]), len(view.message["metrics"])
    found = np.frombuffer(view.numbers, "<f4").reshape(-1, n, m, 5)
    return found[:g], found[g:]


def assert_cells(view, frame):
    found, notes = cells(view)[0].reshape(-1, 5), view.decisions["notes"]
    np.testing.assert_allclose(found[:, :4], frame[["before", "value", "lower", "upper"]], rtol=1e-6)
    said = [(notes[int(place)]["level"], notes[int(place)]["words"]) for place in found[:, 4]]
    assert said == list(zip(frame["reliability"], frame["note"], strict=True))


def test_every_number_is_that_of_the_result(view, plain):
    assert isinstance(view, ThresholdCurvesView)
    assert_cells(view, plain.frame)
    assert cells(view)[1].size == 0
    assert view.decisions["thresholds"] == OPTIONS["thresholds"]
    assert (view.decisions["moved"], view.decisions["ess"]) == (False, pytest.approx(160))
    assert (view.thresholds, view.metric, view.busy) == ([0.5], "cost", False)
    best = view.decisions["groups"][0]["best"]
    assert best == {name: plain.best[name].item() for name in ("threshold", "lower", "upper", "cost")}
    assert view.message["costs"] == "false positive 1, false negative 5"
    assert view.message["offline"] == ""


def test_groups_have_their_rows_their_best_and_the_gaps(groups):
    view = groups.widget(thresholds=[0.2, 0.4, 0.8], metric="recall")
    assert view.message["groups"] == ["x", "y", "z"]
    assert_cells(view, groups.frame)
    reweighted = every.study().reweight(MOVED).by("c")
    assert [one["ess"] for one in view.decisions["groups"]] == pytest.approx([one.ess for one in reweighted.groups])
    assert [one["share"] for one in view.decisions["groups"]] == pytest.approx([one.share for one in reweighted.groups])
    for one, other in zip(groups.groups, reweighted.groups, strict=True):  # until both are sums over rows
        assert (one.label, one.n_rows) == (other.label, other.n_rows)
        assert (one.share_before, one.share, one.ess) == pytest.approx((other.share_before, other.share, other.ess))
    under = groups.best[groups.best["population"] == groups.population]
    assert [one["best"]["threshold"] for one in view.decisions["groups"]] == under["threshold"].tolist()
    tested = groups.best[groups.best["population"] != groups.population]
    assert [one["best_tested"]["cost"] for one in view.decisions["groups"]] == tested["cost"].tolist()
    gaps = groups.gaps
    at = gaps[(gaps["threshold"] == 0.4) & (gaps["metric"] == "recall")].iloc[0]
    largest, smallest, *numbers = cells(view)[1][0, 1, 1]
    assert [view.message["groups"][int(place)] for place in (largest, smallest)] == [at["largest"], at["smallest"]]
    assert numbers == pytest.approx([at["gap"], at["gap_lower"], at["gap_upper"]], rel=1e-6)
    view.close()


def test_it_says_of_a_best_threshold_that_no_row_reaches_it():
    dear = every.study().threshold_curves(cost={"fp": 1, "tp": 1}, by="c")
    view = dear.widget()
    above = view.message["none_reaches"]
    assert dear.best["note"].tolist() == [above] * 3
    for group in view.decisions["groups"]:
        place = view.decisions["thresholds"].index(group["best"]["threshold"])
        assert place >= group["n_reached"] > 0
        rows = every.study().X["c"] == group["name"]
        assert every.study().score[rows].max() < group["best"]["threshold"]
    assert above in view.fallback()[HTML]
    view.close()


def test_a_stress_is_answered_by_the_kernel_and_left_again(view, plain):
    view.stress = STRESS
    view.wait(20)
    under = plain.under(MOVED)
    assert_cells(view, under.frame)
    assert (view.decisions["stress"], view.decisions["ess"]) == (STRESS, under.ess)
    assert "on average" in view.decisions["words"]
    view.stress = {"taus": {}, "hold": "none"}
    assert_cells(view, plain.frame)
    assert view.decisions["words"] == "the data as they are"


def test_under_keeps_every_option(groups):
    again = groups.under(MOVED)
    assert again.frame.equals(groups.frame)
    assert again.gaps.equals(groups.gaps)
    assert again.reweighting is not None
    back = groups.under(None)
    assert back.reweighting is None
    assert (back.grouped_by, back.costs, back.confidence) == (groups.grouped_by, groups.costs, groups.confidence)
    plain = every.study().threshold_curves(confidence=0.8, quantile=0.1)
    assert plain.under(MOVED)._options["thresholds"] is None
    assert (plain.under(MOVED).confidence, plain._options["quantile"]) == (0.8, 0.1)


def test_a_stress_that_cannot_be_met_says_why(view):
    view.stress = {"taus": {"nowhere": 0.3}, "hold": "none"}
    view.wait(20)
    assert "There is no feature 'nowhere'" in view.decisions["error"]
    with pytest.raises(ts.InputError, match="cannot open on this stress"):
        view.check_offline()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("thresholds", [], "one finite number for all rows; got"),
        ("thresholds", [0.1, 0.2], "one finite number for all rows; got"),
        ("thresholds", [float("nan")], "one finite number"),
        ("metric", "recal", "Nearest: 'recall'"),
        ("stress", {"taus": {}, "hold": "some"}, "hold must be one of"),
    ],
)
def test_what_cannot_be_is_refused(view, name, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(view, name, value)


def test_groups_take_one_threshold_or_one_each(groups):
    view = groups.widget()
    view.thresholds = [0.1, 0.2, 0.3]
    with pytest.raises(traitlets.TraitError, match="or 3, one for each group"):
        view.thresholds = [0.1, 0.2]
    with pytest.raises(traitlets.TraitError, match="thresholds"):
        groups.widget(threshold=0.4)
    view.close()


def test_it_opens_where_there_is_something_to_decide(plain):
    study = every.study()
    follows_none = ts.Study.from_predictions(study.X, study._true_values, (np.arange(160) % 2), study.score)
    found = follows_none.threshold_curves()
    assert found.present is None
    assert found.widget().thresholds == [found.best["threshold"].item()]
    untold = ts.Study.from_predictions(study.X, None, follows_none.predicted, study.score).threshold_curves()
    view = untold.widget()
    assert view.thresholds == [untold.thresholds[len(untold.thresholds) // 2]]
    assert (view.metric, view.message["costs"]) == (untold.metrics[0].name, "")
    assert view.decisions["groups"][0]["best"] is None


def test_a_page_has_the_stress_it_opens_on(plain, tmp_path):
    made = ThresholdCurvesView.offline(plain, stress=STRESS)
    assert made.decisions["stress"] == STRESS
    assert made.message["offline"] == "this page has no kernel to count decisions under it"
    plain.save(tmp_path / "t.html", stress=STRESS, thresholds=[0.4])
    assert "Thresholds of a function" in (tmp_path / "t.html").read_text("utf-8")


def test_without_its_study_it_says_so(plain):
    alone = replace(plain, source=None).widget(stress=STRESS)
    alone.wait(20)
    assert "have left their study" in alone.message["offline"]
    assert "have left their study" in alone.decisions["error"]


@pytest.mark.slow
def test_a_reader_without_scripts_sees_the_curves_and_the_best(plain):
    shown = plain.widget().fallback()
    assert "<svg" in shown[SVG]
    assert f"{plain.best['threshold'].item():.3g}" in shown[HTML]


def test_costs_are_said(plain):
    assert messages.cost_words(plain.costs) == "false positive 1, false negative 5"
    assert messages.cost_words(type(plain.costs)()) == "nothing"
    assert messages.cost_words(type(plain.costs)(tp=-0.5)) == "true positive −0.5"
