"""The view of the rows: what it ships, what the kernel answers past the budget, and what it refuses."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
import traitlets

import tauscope as ts
from results import every
from tauscope.errors import InputError
from tauscope.views.workspace.requests import saved_state
from tauscope.views.workspace.sampled import draw_rows, sampled_wire
from tauscope.views.workspace.table import RowTableView

STRESS = {"taus": {"a": 0.5}, "hold": "none"}
NOTHING = {"taus": {}, "hold": "none"}


@pytest.fixture(scope="module")
def table():
    return every.study().table()


def weights() -> np.ndarray:
    return every.study().reweight(ts.Mean("a", tau=0.5)).weights


def places(view: RowTableView) -> list[int]:
    return np.frombuffer(view.window[: 4 * view.listed["n_sent"]], "<u4").tolist()


def test_rows_go_along_and_the_kernel_weighs_them(table):
    view = table.widget()
    assert view.shipped
    assert len(view.entries) == 160 * (1 + 1 + 4 + 4 + 4 + 1 + 4)
    assert view.weighed == {}
    view.stress = STRESS
    view.wait(20)
    np.testing.assert_allclose(np.frombuffer(view.weighed_weights, "<f4"), weights(), rtol=1e-5)
    assert view.weighed["words"].startswith("a 0.7")
    assert view.listed == {}
    view.close()


def test_past_the_budget_the_kernel_lists_a_window(table):
    view = RowTableView(table, budget=100, sort="a", descending=True)
    assert view.entries == b""
    view.wait(20)
    order = table.frame["a"].sort_values(ascending=False).index.tolist()
    assert places(view) == order
    assert view.listed["found"]["share"] == 1
    view.start = 100
    view.wait(20)
    assert places(view) == order[100:]
    view.filter, view.start = "errors", 0
    view.wait(20)
    errors = every.study().errors
    assert sorted(places(view)) == errors.tolist()
    assert view.listed["found"]["share"] == pytest.approx(len(errors) / 160)
    view.stress = STRESS
    view.wait(20)
    assert view.listed["stressed"]
    assert view.listed["found"]["share_after"] == pytest.approx(weights()[errors].sum() / 160)
    assert view.weighed_weights == b""
    view.choose = 1
    assert view.selection == errors.tolist()
    view.wait(20)
    assert view.listed["selected"]["errors"] == 1
    view.stress, view.filter = NOTHING, "selected"
    view.wait(20)
    assert view.listed["found"]["share_after"] is None
    assert view.listed["n"] == len(errors)
    view.close()


def drawn(view: RowTableView) -> list[int]:
    return np.frombuffer(view.sample[: 4 * view.sampled["n_sent"]], "<u4").tolist()


def test_past_the_budget_the_scatter_draws_rows_that_the_kernel_sends(table, monkeypatch):
    monkeypatch.setattr("tauscope.views.workspace.table.sampled_wire", partial(sampled_wire, most=50))
    view = RowTableView(table, budget=100)
    view.wait(20)
    assert view.sampled == {}  # not before it is shown
    view.display = "scatter"
    view.wait(20)
    told = {"search": "", "filter": "all", "n": 160, "n_sent": 50, "seed": 0, "stress": NOTHING, "stressed": False}
    assert view.sampled == told
    first = drawn(view)
    assert first == sorted(set(first))
    assert len(view.sample) == 50 * (4 + 4 + 1 + 1 + 4 + 4 + 4 + 1 + 4)
    a = [column.name for column in table.columns].index("a")
    before = sum(column.itemsize for column in view._listing.columns[:a])
    values = np.frombuffer(view.sample[50 * (8 + before) :][: 50 * 4], "<f4")
    np.testing.assert_allclose(values, table.frame["a"].to_numpy()[first], rtol=1e-6)
    view.stress, view.sort = STRESS, "a"
    view.wait(20)
    assert drawn(view) == first
    assert view.sampled["stressed"]
    np.testing.assert_allclose(np.frombuffer(view.sample_weights, "<f4"), weights()[first], rtol=1e-5)
    view.filter = "errors"
    view.wait(20)
    errors = every.study().errors.tolist()
    assert view.sampled["n"] == len(errors) < 50
    assert drawn(view) == errors
    view.close()


def test_a_row_that_is_drawn_stays_so_where_fewer_are_found():
    found = np.arange(10_000)
    first = draw_rows(found, 10_000, 2000)
    assert len(set(first.tolist())) == 2000
    assert abs(first.mean() - 5000) < 4 * 10_000 / np.sqrt(12 * 2000)
    fewer = draw_rows(found[::-2], 10_000, 2000)
    assert len(fewer) == 2000
    assert set(first[first % 2 == 1].tolist()) <= set(fewer.tolist())
    assert draw_rows(found[::-2], 10_000, 5000).tolist() == list(range(1, 10_000, 2))


def test_rows_in_the_page_are_drawn_there(table):
    view = table.widget(display="scatter", stress=STRESS)
    view.wait(20)
    assert (view.sampled, view.sample) == ({}, b"")
    view.close()


def test_a_stress_that_no_weights_meet_is_said(table):
    view = RowTableView(table, budget=100, stress={"taus": {"elsewhere": 0.5}, "hold": "none"})
    view.wait(20)
    assert "elsewhere" in view.weighed["error"]
    assert not view.listed["stressed"]
    view.close()


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("row", 160, "between 0 and 159"),
        ("row", -2, "-1 for none"),
        ("selection", [3, 160], "got 160"),
        ("selection", [-1], "got -1"),
        ("filter", "error", "errors"),
        ("sort", "aa", "'a'"),
        ("stress", {"taus": 3}, "taus must be"),
        ("serch", "x", "search"),
    ],
)
def test_traits_are_checked(table, trait, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        table.widget(**{trait: value})


def test_a_selection_is_kept_ascending(table):
    assert table.widget(selection=[5, 3, 5]).selection == [3, 5]


def test_filters_that_say_nothing_are_not_there():
    study = ts.Study.from_predictions(pd.DataFrame({"a": np.arange(30.0)}), y_pred=np.arange(30) / 7)
    view = study.table().widget()
    assert view.message["filters"] == ["all", "selected"]
    with pytest.raises(traitlets.TraitError, match="errors"):
        view.filter = "errors"


def test_many_features_are_cut_with_a_note():
    X = pd.DataFrame(np.arange(700.0).reshape(10, 70))
    X.columns = [f"f{k}" for k in range(70)]
    view = ts.Study.from_predictions(X, y_pred=np.arange(10) % 2).table().widget()
    assert len(view.message["columns"]) == 1 + 60
    assert view.message["notes"] == ["The first 60 of 70 features; name others: study.table([…])."]


def test_a_saved_page_carries_rows_and_weights(table, tmp_path):
    table.save(tmp_path / "t.html", stress=STRESS, row=3)
    assert "<table>" in (tmp_path / "t.html").read_text()
    view = RowTableView.offline(table, stress=STRESS)
    assert len(view.weighed_weights) == 4 * 160
    assert not view.message["live"]
    with pytest.raises(InputError, match="elsewhere"):
        table.save(tmp_path / "t.html", stress={"taus": {"elsewhere": 0.5}, "hold": "none"})
    with pytest.raises(InputError, match="at most 4 MB"):
        RowTableView.offline(table, budget=100).check_offline()


def test_without_a_study_no_stress_is_shown(table):
    from dataclasses import replace

    view = replace(table, source=None).widget(stress=STRESS)
    view.wait(20)
    assert "left its study" in view.weighed["error"]
    assert not view.message["live"]


def test_other_readers_see_the_first_rows(table):
    words = table.widget().fallback()
    assert words["text/html"].count("<tr>") == 13
    assert "and 148 more rows, in .frame" in words["text/html"]


def test_the_scatter_is_a_trait_and_its_columns_are_checked(table):
    view = table.widget(display="scatter", x="a", y="weight under the stress", feature="a")
    assert (view.display, view.x, view.y) == ("scatter", "a", "weight under the stress")
    for trait, value in (("display", "pie"), ("x", "nothing"), ("y", "b2"), ("feature", "score")):
        with pytest.raises(traitlets.TraitError, match=trait):
            setattr(view, trait, value)
    assert (view.display, view.x, view.y) == ("scatter", "a", "weight under the stress")
    view.close()


def test_a_workspace_hands_the_feature_on_and_saves_how_rows_are_shown():
    with_rows = every.study().workspace(view="table")
    with_rows.wait(30)
    view = with_rows.inside["table"]
    assert view.feature == with_rows.column
    with_rows.table__display = "scatter"
    assert saved_state(with_rows)["inside"]["table"]["display"] == "scatter"
    with_rows.close()
