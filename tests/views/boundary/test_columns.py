"""The view of a sparse row: words of any row can be locked and edited, and no row is made dense."""

from dataclasses import replace

import numpy as np
import pytest
import traitlets

from study.boundary import bags
from tauscope.data.sparse import SparseTable
from tauscope.views.boundary.boundary import BoundaryView
from tauscope.views.boundary.columns import columns_by_name, row_values

ROW, OTHER = 7, 12


@pytest.fixture
def view(monkeypatch):
    def refused(table, column):
        raise AssertionError(f"column {column} was read")

    monkeypatch.setattr(SparseTable, "column", refused)
    made = bags.study().boundary(ROW, **bags.QUIET).widget(text=f"{bags.WORDS[3]} and more")
    yield made
    made.stop += 1
    made.wait(20)
    made.close()


def searched(view: BoundaryView, **traits):
    view.set_state(traits)
    view.wait(20)
    assert "error" not in view.progress
    return view.answer["answers"][0]


def elsewhere(view: BoundaryView) -> str:
    """A word of another row that this one's boundary does not list."""
    return next(name for name in row_values(bags.study(), OTHER) if name not in view.result.feature_names)


def test_columns_are_those_of_the_matrix(view):
    columns = columns_by_name(view.result)
    assert list(columns) == list(bags.WORDS)
    assert len(columns) == bags.P
    assert not columns[bags.WORDS[3]].integer
    assert columns_by_name(bags.counted().boundary(ROW, **bags.QUIET))["word 3"].integer
    with pytest.raises(traitlets.TraitError, match="Nearest: 'word 3'"):
        view.fixed = ["wrod 3"]


def test_without_its_study_a_boundary_names_what_it_lists_and_was_held(view):
    held = bags.study().boundary(ROW, fixed=[elsewhere(view)], bounds={"word 59": (0, 9)}, **bags.QUIET)
    alone = replace(held, source=None)
    assert set(columns_by_name(alone)) == {*alone.feature_names, elsewhere(view), "word 59"}
    assert alone.widget().fixed == held.widget().fixed == [elsewhere(view)]


def test_a_row_is_what_is_not_zero():
    values = row_values(bags.study(), OTHER)
    row = bags.weights()[0][[OTHER]].toarray()[0]
    assert values == {bags.WORDS[j]: row[j] for j in np.flatnonzero(row)}


def test_words_of_another_row_can_be_locked_and_edited(view):
    word = elsewhere(view)
    answer = searched(view, row=OTHER, fixed=[word])
    assert (answer["row"], answer["fixed"]) == (OTHER, [word])
    assert searched(view, row=ROW, fixed=[])["row"] == ROW
    searched(view, edits={word: 2.5})
    decided = bags.study().predict_row(ROW, {word: 2.5})
    assert decided.sentence in view.decision["sentence"]


@pytest.mark.slow
def test_the_edited_row_can_be_inspected_searched_or_not(view):
    edits = {elsewhere(view): 2.5}
    expected = bags.study().boundary(row_values(bags.study(), OTHER) | edits, **bags.QUIET)
    view.set_state({"row": OTHER})  # its search is overtaken
    view.set_state({"edits": edits})
    assert searched(view, inspect=1)["headline"] == f"{expected.sentence}."
    assert (view.row, view.edits) == (-1, {})
    again = row_values(bags.study(), OTHER) | edits | {"word 59": 1.0}
    searched(view, edits={"word 59": 1.0})
    answer = searched(view, inspect=2)
    assert answer["headline"] == f"{bags.study().boundary(again, **bags.QUIET).sentence}."


def test_a_text_stays_with_its_row_whatever_columns_a_search_lists(view):
    assert view.answer["answers"][0]["words"]["pieces"]
    locked = view.result.frame["feature"][0]
    assert searched(view, fixed=[locked], search=1)["words"]["pieces"]
    assert searched(view, row=OTHER, fixed=[])["words"] is None
