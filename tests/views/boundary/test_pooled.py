"""The pooled view: what it ships, what the kernel answers past the budget, and what it refuses."""

import pickle
import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import traitlets
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from study.boundary import bags
from study.boundary.cases import QUIET, above, plane
from tauscope.boundary.pooled_rows import SparseDirections
from tauscope.errors import InputError, UnknownName
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.views.boundary.pooled import PooledBoundaryView
from tauscope.views.boundary.pooled_table import pooled_table

STRESS = {"taus": {"a": 0.5}, "hold": "none"}
KINDS = {"places": "<u4", "presence": "u1", "decisions": "<u4", "given_rows": "<u4"}


def study() -> ts.Study:
    """A curved model of numbers and of a count that is often 0."""
    X = plane(word=np.tile([0, 1, 0, 2], 50))
    y = above(X) ^ (X["word"] == 1)
    return ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)


def new_rows(n: int) -> pd.DataFrame:
    return plane(word=np.tile([0, 1, 0, 2], 50)).head(n).assign(a=lambda X: X["a"] + 0.25)


@pytest.fixture(scope="module")
def pooled() -> PooledBoundary:
    return study().pooled_boundary(range(40), **QUIET)


def read(view: PooledBoundaryView, name: str) -> np.ndarray:
    return np.frombuffer(getattr(view, name), KINDS.get(name, "<f4"))


def test_directions_go_along_with_the_columns(pooled: PooledBoundary) -> None:
    view = pooled.widget()
    assert view.pooled_in_page
    assert view.message["rows"] == "40 of 200 rows"
    p, parted = len(view.message["features"]), view.message["parted"]
    assert [view.message["features"][k] for k in parted] == ["word"]
    np.testing.assert_array_equal(read(view, "places"), np.arange(40))
    directions = read(view, "directions").reshape(40, p)
    np.testing.assert_allclose(np.abs(directions).max(axis=1), 1)
    np.testing.assert_array_equal(read(view, "presence"), np.tile([0, 1, 0, 1], 10))
    shipped = read(view, "pooled").reshape(3, 3, p)
    np.testing.assert_allclose(shipped[0, 0], pooled.direction, rtol=1e-5)
    np.testing.assert_allclose(shipped[2, 1:], pooled.absent_ends, rtol=1e-5, atol=1e-6)
    view.stress = STRESS
    assert view.answer == {}, "the page answers itself"


def test_past_the_budget_the_kernel_answers(pooled: PooledBoundary) -> None:
    view = PooledBoundaryView(pooled, budget=100, stress=STRESS)
    assert not view.pooled_in_page
    assert view.directions == view.columns == b""
    view.wait(20)
    stressed = pooled.under(ts.Mean("a", tau=0.5))
    np.testing.assert_allclose(read(view, "answer_pooled").reshape(3, 3, -1)[0, 0], stressed.direction, rtol=1e-5)
    assert view.answer["facts"]["size"] == pytest.approx(stressed.ess)
    assert view.answer["words"].startswith("a ")
    view.stress = {"taus": {"elsewhere": 0.5}, "hold": "none"}
    view.wait(20)
    assert "elsewhere" in view.answer["error"]
    view.stress = {"taus": {}, "hold": "none"}
    view.close()


def test_what_is_weighed_by_no_stress_says_so(pooled: PooledBoundary) -> None:
    new = study().pooled_boundary(new_rows(12), **QUIET).widget()
    assert new.message["rows"] == "12 new rows"
    assert "new rows" in new.message["unstressable"]
    assert new.message["facts"]["share"] is None
    alone = PooledBoundary._of(replace(pooled.boundaries, source=None), None, 0.95)
    view = alone.widget(stress=STRESS)
    assert "left its study" in view.message["unstressable"]
    assert view.message["n_rows"] == 0
    assert view.columns_message == {}


@pytest.mark.slow
def test_the_rows_are_named() -> None:
    one = study()
    assert one.pooled_boundary(**QUIET).widget().message["rows"] == "all 200 rows"
    words = one.pooled_boundary(one.errors, **QUIET).widget().message["rows"]
    assert words == f"the {len(one.errors)} rows that the model misclassifies"


def test_traits_are_checked(pooled: PooledBoundary) -> None:
    view = pooled.widget(order="change", n_features=2)
    assert (view.order, view.n_features) == ("change", 2)
    with pytest.raises(traitlets.TraitError, match="change"):
        view.order = "chnge"
    with pytest.raises(traitlets.TraitError, match="at least 1"):
        view.n_features = 0
    with pytest.raises(traitlets.TraitError, match="hold must be"):
        view.stress = {"taus": {}, "hold": "all"}
    with pytest.raises(traitlets.TraitError, match="stress"):
        pooled.widget(stres=STRESS)


@pytest.mark.slow
def test_a_saved_page_opens_on_what_it_can_show(pooled: PooledBoundary, tmp_path) -> None:
    pooled.save(tmp_path / "p.html", stress=STRESS)
    text = (tmp_path / "p.html").read_text()
    assert pooled_table(pooled) in text
    with pytest.raises(UnknownName, match="a"):
        pooled.save(tmp_path / "p.html", stress={"taus": {"aa": 0.5}})
    view = PooledBoundaryView.offline(pooled, budget=100, stress=STRESS)
    with pytest.raises(InputError, match="at most 4 MB"):
        view.check_offline()
    with pytest.raises(InputError, match="new rows"):
        study().pooled_boundary(new_rows(5), **QUIET).save(tmp_path / "p.html", stress=STRESS)


@pytest.mark.slow
def test_sparse_rows_go_along_where_they_fit_with_the_words_that_weigh_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tauscope.views.boundary.pooled_message.MOST_SPARSE", 4)
    pooled = bags.study().pooled_boundary(range(8), **bags.QUIET)
    view = pooled.widget()
    heaviest = pooled.frame["feature"].head(4).tolist()
    assert view.pooled_in_page
    assert [feature["name"] for feature in view.columns_message["features"]] == heaviest
    p = len(pooled.boundaries.feature_names)
    scaled = read(view, "directions").reshape(8, p)
    turned = np.where(bags.study().predicted[:8] == 1, -1, 1)[:, None] * pooled.boundaries.directions.sparse.to_dense()
    np.testing.assert_allclose(scaled, turned / np.abs(turned).max(axis=1).to_numpy()[:, None], rtol=1e-5, atol=1e-6)
    has = bags.weights()[0][:8].toarray() != 0
    at = [bags.WORDS.index(pooled.boundaries.feature_names[j]) for j in view.message["parted"]]
    assert at
    np.testing.assert_array_equal(read(view, "presence").reshape(8, -1), has[:, at])
    stress = {"taus": {heaviest[0]: 0.5}, "hold": "none"}
    kernel = PooledBoundaryView(pooled, budget=100, stress=stress)
    assert kernel.directions == kernel.columns == b""
    kernel.wait(20)
    stressed = pooled.under(ts.Mean(heaviest[0], tau=0.5))
    answered = read(kernel, "answer_pooled").reshape(3, 3, p)
    np.testing.assert_allclose(answered[0], [stressed.direction, *stressed.direction_ends], rtol=1e-4, atol=1e-6)
    kernel.close()


def test_past_the_budget_no_table_of_sparse_directions_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(directions: object) -> None:
        raise AssertionError("made dense")

    monkeypatch.setattr(SparseDirections, "table", refused)
    pooled = bags.study().pooled_boundary(range(4), **bags.QUIET)
    assert not PooledBoundaryView(pooled, budget=500).pooled_in_page
    with pytest.raises(AssertionError, match="made dense"):
        pooled.widget()


def test_a_sparse_column_that_never_changes_is_not_stressed() -> None:
    X, y = bags.weights()
    X = sparse.csr_array(sparse.hstack([X, np.ones((len(y), 1))]))
    one = ts.Study(LogisticRegression().fit(X, y), X, y, feature_names=(*bags.WORDS, "one"), progress=False)
    view = one.pooled_boundary(range(4), **bags.QUIET).widget()
    assert not view.message["unstressable"]
    assert "one" not in [feature["name"] for feature in view.columns_message["features"]]


def test_the_rows_pooled_go_along_with_what_is_decided_of_them(pooled: PooledBoundary) -> None:
    view = pooled.widget()
    np.testing.assert_allclose(read(view, "distances"), pooled.boundaries._numbers.inspection.distance, rtol=1e-6)
    labels = [view.message["labels"][code] for code in read(view, "decisions")]
    assert labels == pooled.boundaries.frame["predicted"].tolist()
    assert (view.message["given"], view.message["n_given"], view.message["n_errors"]) == ("rows", 40, 0)
    np.testing.assert_array_equal(read(view, "given_rows"), np.arange(40))
    alone = PooledBoundaryView(pooled, budget=columns_and(pooled) - 1)
    assert (alone.pooled_in_page, alone.message["listed"], alone.columns) == (False, True, b"")
    np.testing.assert_array_equal(read(alone, "places"), np.arange(40))
    alone.close()


def columns_and(pooled: PooledBoundary) -> int:
    """The budget that holds just columns and directions."""
    view = pooled.widget()
    n, p = pooled.source.n_rows, len(view.columns_message["features"])
    return 4 * n * p + len(view.directions) + len(view.presence) + 12 * 40


@pytest.mark.slow
def test_what_was_asked_to_be_pooled_is_named() -> None:
    one = study()
    whole = one.pooled_boundary(max_rows=5, **QUIET).widget()
    assert (whole.message["given"], whole.message["n_given"], whole.given_rows) == ("all", 200, b"")
    assert whole.message["rows"] == "5 drawn from all 200 rows"
    assert "5 of 200 rows were drawn, with random_state=0" in whole.message["notes"]
    errors = one.pooled_boundary(one.errors, **QUIET).widget()
    assert errors.message["given"] == "errors"
    np.testing.assert_array_equal(read(errors, "given_rows"), one.errors)
    new = one.pooled_boundary(new_rows(3), **QUIET).widget()
    assert (new.message["given"], new.message["listed"], new.row) == ("new", False, -1)


@pytest.mark.slow
def test_the_rows_selected_are_pooled_when_that_is_asked_for(pooled: PooledBoundary) -> None:
    view = PooledBoundaryView(pooled)
    before = pooled.source.n_model_rows
    view.selection = [7, 3, 50]
    assert (view.selection, view.result, pooled.source.n_model_rows) == ([3, 7, 50], pooled, before)
    said = []
    view.observe(lambda change: said.append(change["new"].get("doing")), "progress")
    view.compute += 1
    view.wait(30)
    assert said[0] == "Asking LogisticRegression about 3 rows"
    assert (view.progress, view.message["n_chosen"]) == ({}, 3)
    again = pooled.source.pooled_boundary([3, 7, 50], **QUIET)
    np.testing.assert_allclose(view.result.direction, again.direction, atol=1e-12)
    np.testing.assert_array_equal(read(view, "places"), [3, 7, 50])
    np.testing.assert_array_equal(read(view, "given_rows"), [3, 7, 50])
    assert view.result.confidence == pooled.confidence
    view.close()


@pytest.mark.slow
def test_of_many_rows_selected_some_are_drawn(pooled: PooledBoundary, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pooled", "pooled_rows", "pooled_message"):
        monkeypatch.setattr(f"tauscope.views.boundary.{module}.MOST_ROWS", 4)
    view = PooledBoundaryView(pooled, selection=list(range(20)))
    said = []
    view.observe(lambda change: said.append(change["new"].get("doing")), "progress")
    view.compute += 1
    view.wait(30)
    assert said[0] == "Asking LogisticRegression about 4 of 20 rows"
    assert (view.message["n_chosen"], view.message["n_given"], view.message["max_rows"]) == (4, 20, 4)
    assert view.message["rows"] == "4 drawn from 20 of 200 rows"
    view.close()


@pytest.mark.slow
def test_the_answer_to_a_stress_is_of_the_rows_pooled_now(pooled: PooledBoundary) -> None:
    view = PooledBoundaryView(pooled, budget=100, stress=STRESS, selection=[3, 7, 50, 90])
    view.wait(20)
    before = view.answer_pooled
    view.compute += 1
    view.wait(30)
    assert view.answer_pooled != before
    stressed = pooled.source.pooled_boundary([3, 7, 50, 90], **QUIET).under(ts.Mean("a", tau=0.5))
    np.testing.assert_allclose(read(view, "answer_pooled").reshape(3, 3, -1)[0, 0], stressed.direction, rtol=1e-5)
    view.close()


@pytest.mark.slow
def test_pooling_that_is_given_up_or_fails_leaves_what_is_shown() -> None:
    asked, gate = threading.Event(), threading.Event()

    def model(rows: pd.DataFrame) -> np.ndarray:
        if asked.is_set():
            raise RuntimeError("the server is down")
        return (rows["a"] > 0).to_numpy()

    X = plane()
    one = ts.Study(model, X, above(X), progress=False)
    view = PooledBoundaryView(one.pooled_boundary([1, 2], **QUIET), selection=[4])
    asked.set()
    view.compute += 1
    view.wait(30)
    assert view.progress["error"].startswith("Your model raised RuntimeError: the server is down")
    assert view.message["n_chosen"] == 2

    def held(*given: object, callback: Callable[[int, int], bool], **options: object) -> None:
        gate.wait(20)
        assert callback(1, 2)

    view.result.source._pooled_boundary_from = held
    view.compute += 1
    assert view.progress["doing"]
    view.stop += 1
    gate.set()
    view.wait(30)
    assert (view.progress, view.message["n_chosen"]) == ({}, 2)
    view.close()


def test_what_cannot_be_pooled_says_why(pooled: PooledBoundary) -> None:
    offline = PooledBoundaryView.offline(pooled, selection=[3])
    offline.compute += 1
    assert "no kernel" in offline.progress["error"]
    left = PooledBoundaryView(pickle.loads(pickle.dumps(pooled)), selection=[3])
    left.compute += 1
    assert "left behind" in left.progress["error"]
    alone = PooledBoundary._of(replace(pooled.boundaries, source=None), None, 0.95)
    assert "left its study" in PooledBoundaryView(alone).message["offline"]
    with pytest.raises(traitlets.TraitError, match="between 0 and 199; got 200"):
        pooled.widget(selection=[200])
    with pytest.raises(traitlets.TraitError, match="between 0 and 199, or be -1 for none; got -2"):
        pooled.widget(row=-2)


def test_one_row_for_the_pooled_and_the_inspector(pooled: PooledBoundary) -> None:
    one = pooled.source
    pool, inspector = PooledBoundaryView(pooled), one.boundary(0, n_samples=50, random_state=0).widget()
    assert pool.row == 0
    assert ts.link(pool, inspector).traits == ("row",)
