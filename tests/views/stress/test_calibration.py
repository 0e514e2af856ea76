"""The widget of calibration: its numbers are the result's, it follows a stress, and says what it cannot show."""

from dataclasses import replace

import numpy as np
import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.figures.still import HTML, SVG
from tauscope.views.stress.calibration import CalibrationView

STRESS = {"taus": {"a": 0.3}, "hold": "none"}
MOVED = ts.Mean("a", tau=0.3)


@pytest.fixture(scope="module")
def plain():
    return every.study().calibration(n_bins=4)


@pytest.fixture(scope="module")
def groups():
    return every.study().calibration(MOVED, n_bins=3, by="c", strategy="uniform", target_class=0, confidence=0.9)


@pytest.fixture
def view(plain):
    made = plain.widget()
    yield made
    made.close()


def of(table, population, label):
    """Return the rows of a table of one population and group."""
    return table[(table["population"] == population) & ((table["group"] == label) if label else True)]


def assert_shown(view, result):
    first, last = result.populations[0], result.populations[-1]
    for label, group in zip(view.message["groups"], view.shown["groups"], strict=True):
        for name, population in {"tested": first, "bins": last}.items():
            rows = of(result.frame, population, label)
            columns = ["left", "right", "predicted", "observed", "lower", "upper", "ess", "share", "n_rows"]
            told = [[np.nan if one[c] is None else one[c] for c in columns] for one in group[name]]
            np.testing.assert_array_equal(told, rows[columns].to_numpy(float))
            assert [one["why"] for one in group[name]] == rows["note"].tolist()
        now, before = of(result.summary, last, label), of(result.summary, first, label)
        assert [one["value"] for one in group["measures"]] == now["value"].tolist()
        assert [one["lower"] for one in group["measures"]] == now["lower"].tolist()
        assert [one["before_upper"] for one in group["measures"]] == before["upper"].tolist()
        assert [one["if_calibrated"] for one in group["measures"]] == now["if_calibrated"].tolist()
        assert group["scores"] == of(result.scores, last, label)["share"].tolist()
        assert group["tested_scores"] == of(result.scores, first, label)["share"].tolist()


def test_every_number_is_that_of_the_result(view, plain):
    assert isinstance(view, CalibrationView)
    assert_shown(view, plain)
    assert (view.group, view.busy, view.message["offline"]) == ("", False, "")
    assert (view.shown["moved"], view.shown["gaps"]) == (False, [])
    assert view.shown["ess"] == pytest.approx(160)
    assert [one["change"] for one in view.shown["groups"][0]["measures"]] == [None] * 4


def test_groups_have_their_rows_their_changes_and_the_gaps(groups):
    view = groups.widget(group="y")
    assert view.message["groups"] == ["x", "y", "z"]
    assert_shown(view, groups)
    reweighted = every.study().reweight(MOVED).by("c")
    assert [one["ess"] for one in view.shown["groups"]] == pytest.approx([one.ess for one in reweighted.groups])
    changes = groups.changes[groups.changes["group"] == "y"]
    told = view.shown["groups"][1]["measures"]
    assert [one["change_upper"] for one in told] == [*changes["upper"], None]
    gap, row = view.shown["gaps"][0], groups.gaps.iloc[0]
    assert [view.message["groups"][gap[side]] for side in ("largest", "smallest")] == [row["largest"], row["smallest"]]
    assert (gap["gap"], gap["upper"]) == (row["gap"], row["gap_upper"])
    view.close()


def test_a_stress_is_answered_by_the_kernel_and_left_again(view, plain):
    view.stress = STRESS
    view.wait(20)
    under = plain.under(MOVED)
    assert_shown(view, under)
    assert (view.shown["stress"], view.shown["ess"]) == (STRESS, under.ess)
    assert "on average" in view.shown["words"]
    view.stress = {"taus": {}, "hold": "none"}
    assert_shown(view, plain)
    assert view.shown["words"] == "the data as they are"


def test_under_keeps_every_option(groups):
    again = groups.under(MOVED)
    assert again.frame.equals(groups.frame)
    assert again.gaps.equals(groups.gaps)
    back = groups.under(None)
    assert back.reweighting is None
    assert (back.strategy, back.target_class, back.confidence, len(back.edges)) == ("uniform", "0", 0.9, 4)
    assert [group.label for group in back.groups] == ["x", "y", "z"]


def test_a_stress_that_cannot_be_met_says_why(view):
    view.stress = {"taus": {"nowhere": 0.3}, "hold": "none"}
    view.wait(20)
    assert "There is no feature 'nowhere'" in view.shown["error"]
    with pytest.raises(ts.InputError, match="cannot open on this stress"):
        view.check_offline()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("group", "w", "group 'w'"), ("stress", {"taus": {}, "hold": "some"}, "hold must be one of")],
)
def test_what_cannot_be_is_refused(groups, name, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        groups.widget(**{name: value})
    with pytest.raises(traitlets.TraitError, match="group"):
        groups.widget(groups="x")


def test_a_group_without_one_of_the_classes_says_so():
    study = every.study()
    lone = np.where((study._true_values == 0) & (np.arange(160) % 2 == 0), "lone", "rest")
    shown = study.calibration(n_bins=2, by=lone).widget().shown
    slope = shown["groups"][0]["measures"][2]
    assert (slope["value"], slope["level"]) == (None, "unreliable")
    assert slope["why"] == "unreliable: it is not defined on these rows"


def test_a_page_has_the_stress_it_opens_on(plain, tmp_path):
    made = CalibrationView.offline(plain, stress=STRESS)
    assert made.shown["stress"] == STRESS
    assert made.message["offline"] == "this page has no kernel to compare the probabilities under it"
    plain.save(tmp_path / "c.html", stress=STRESS)
    assert "Calibration of a function" in (tmp_path / "c.html").read_text("utf-8")


def test_without_its_study_it_says_so(plain):
    alone = replace(plain, source=None).widget(stress=STRESS)
    alone.wait(20)
    assert "has left its study" in alone.message["offline"]
    assert "has left its study" in alone.shown["error"]


@pytest.mark.slow
def test_a_reader_without_scripts_sees_the_diagram_and_the_measures(plain):
    shown = plain.widget().fallback()
    assert "<svg" in shown[SVG]
    assert "expected calibration error" in shown[HTML]
