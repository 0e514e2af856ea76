import json
import pickle
from contextlib import suppress
from decimal import Decimal
from functools import cache
from threading import Event

import anywidget
import numpy as np
import pandas as pd
import pytest
import traitlets
from scipy import sparse

import tauscope as ts
from tauscope.errors import TauscopeError
from tauscope.views.boundary.boundary import BoundaryView
from tauscope.views.boundary.traits import BoundaryTraits
from wire import write_boundary

WIDGET = "application/vnd.jupyter.widget-view+json"
ROW = 7
OTHER = 12


study = cache(write_boundary.study)


@cache
def searched_once(n_classes, row):
    return study(n_classes).boundary(row, random_state=0, progress=False, n_samples=40)


def found(n_classes=2, row=ROW, **options):
    if not options and isinstance(row, int):
        return searched_once(n_classes, row)
    return study(n_classes).boundary(row, random_state=0, progress=False, n_samples=40, **options)


@pytest.fixture
def view():
    made = found().widget()
    yield made
    made.stop += 1
    made.wait(20)
    made.close()


def answer_of(view):
    return view.answer["answers"][0]


def feature(view, name):
    return next(one for one in answer_of(view)["features"] if one["name"] == name)


def searched(view, **traits):
    """Set traits as a page does, together, and wait."""
    view.set_state(traits)
    view.wait(20)
    return answer_of(view)


def test_first_values(view):
    assert (view.row, view.target, view.fixed, view.bounds) == (ROW, "", [], {})
    assert (view.search, view.stop, view.query, view.listed, view.progress) == (0, 0, {}, {}, {})
    assert (view.edits, view.inspect, view.decision, view.pictures) == ({}, 0, {}, b"")
    assert view.message["live"]
    assert view.message["offline"] == ""
    assert not view.busy


def test_first_values_are_those_of_the_search():
    made = found(fixed=["site"], bounds={"age": (20, 60), "<b>level</b>": ["low", "middle", "high"]}).widget()
    assert (made.fixed, made.bounds) == (["site"], {"age": [20, 60]})
    assert made.progress == {}


def test_first_values_can_be_given():
    made = found().widget(row=OTHER)
    made.wait(20)
    assert answer_of(made)["row"] == OTHER


def test_state_is_strict_json(view):
    json.dumps({name: getattr(view, name) for name in ("message", "answer")}, allow_nan=False)


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("row", 60, "row must lie between 0 and 59; got 60"),
        ("row", -1, "got -1"),
        ("target", "z", "no class 'z'"),
        ("fixed", ["agee"], "no feature 'agee'. Nearest: 'age'"),
        ("bounds", {"agee": [0, 1]}, "no feature 'agee'"),
        ("bounds", {"age": [3, 1]}, "in order; got 3 above 1"),
        ("bounds", {"age": [3]}, "two ends"),
        ("query", {"filter": "wrong"}, "no filter 'wrong'"),
        ("edits", {"agee": 3}, "no feature 'agee'. Nearest: 'age'"),
        ("edits", {"age": "old"}, "'age' holds numbers; got 'old'"),
    ],
)
def test_what_is_not_there_is_refused(view, trait, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(view, trait, value)


def test_unknown_arguments_are_refused():
    with pytest.raises(traitlets.TraitError, match="no argument 'rows'"):
        found().widget(rows=3)


@pytest.mark.slow
def test_another_row_is_searched_as_the_study_does(view):
    answer = searched(view, row=OTHER)
    expected = found(row=OTHER)
    assert answer["headline"] == f"{expected.sentence}."
    assert answer["n_model_rows"] == expected.n_model_rows
    assert view.result.row == OTHER
    assert view.progress == {}


@pytest.mark.slow
def test_locks_and_bounds_wait_for_the_search(view):
    before = view.answer
    free = feature(view, "slope")
    searched(view, fixed=["age"], bounds={"slope": [None, free["start"]]})
    assert view.answer == before
    answer = searched(view, search=1)
    assert (answer["fixed"], answer["bounds"]) == (["age"], {"slope": (None, free["start"])})
    assert not feature(view, "age")["changed"]
    expected = found(fixed=["age"], bounds={"slope": (None, free["start"])})
    assert answer["headline"].startswith(expected.sentence if expected.status == "found" else "Row 7 is predicted")


@pytest.mark.slow
def test_what_was_freed_stays_free_and_bounds_of_levels_are_kept():
    made = found(bounds={"<b>level</b>": ["low", "middle", "high"]}).widget()
    start = feature(made, "slope")["start"]
    assert searched(made, bounds={"slope": [None, start]}, search=1)["bounds"] == {"slope": (None, start)}
    assert searched(made, bounds={}, search=2)["bounds"] == {}
    assert dict(made.result._spec.bounds) == {"<b>level</b>": ["low", "middle", "high"]}
    assert made.progress == {}


def test_nothing_found_says_what_was_tried(view):
    answer = searched(view, fixed=["age", "<b>level</b>", "slope", "site"], search=1)
    assert not answer["found"]
    assert answer["status"] == "Not found: the constraints leave nothing to move."
    assert answer["headline"] == "Row 7 is predicted b."


def test_what_python_would_raise_is_said(view):
    start = feature(view, "slope")["start"]
    before = view.answer
    searched(view, bounds={"slope": [start + 1, None]}, search=1)
    assert "'slope'" in view.progress["error"]
    assert view.answer == before


@pytest.mark.slow
def test_a_class_is_searched():
    made = found(3).widget()
    other = next(name for name in made.message["targets"] if name not in (made.result.predicted, made.result.reached))
    answer = searched(made, target=other)
    expected = found(3, target=other)
    assert (answer["target"], answer["found"]) == (other, expected.status == "found")
    assert answer["labels"]["point"] == (expected.reached or "")
    assert searched(made, target="")["labels"]["point"] == made.result.reached == found(3).reached


def test_going_back_ends_the_search_for_another(view):
    view.set_state({"row": OTHER})
    assert searched(view, row=ROW)["row"] == ROW
    assert view.progress == {}


EDITS = {"age": 50, "<b>level</b>": "high"}


def test_values_typed_are_answered_by_the_model(view):
    searched(view, edits=EDITS)
    decided = study(2).predict_row(ROW, EDITS)
    assert view.decision["sentence"] == f"With these values: {decided.sentence}, as the row itself."
    assert (view.decision["row"], view.decision["edits"]) == (ROW, EDITS)
    assert view.decision["n_model_rows"] == decided.n_model_rows
    assert answer_of(view)["row"] == ROW
    searched(view, edits={})
    assert view.decision == {}


def test_another_decision_is_called_one(view):
    point = {name: value for name, value in found().point.items() if name != "site"}
    edits = {name: value for name, value in point.items() if found().value[name] != value}
    searched(view, edits=edits)
    assert view.decision["flipped"]
    assert view.decision["sentence"].endswith("in place of b.")


@pytest.mark.slow
def test_edits_of_a_row_not_searched_yet_are_of_that_row(view):
    own = study(2).predict_row(OTHER).label
    edits = {"age": 50, "slope": -1.0 if own == "b" else 2.0}
    view.row = OTHER
    view.edits = edits
    view.wait(20)
    decided = study(2).predict_row(OTHER, edits)
    assert view.decision["sentence"].startswith(f"With these values: {decided.sentence}")
    assert view.decision["flipped"] == (decided.label != own)
    view.row = ROW
    view.edits = EDITS
    answer = searched(view, inspect=1)
    assert answer["headline"] == f"{found(row=write_boundary.rows().iloc[ROW].to_dict() | EDITS).sentence}."


def test_first_edits_are_answered_too():
    made = found().widget(edits={"age": 50})
    made.wait(20)
    assert made.decision["sentence"].startswith("With this value: ")


def test_another_row_has_no_edits(view):
    searched(view, edits=EDITS)
    searched(view, row=OTHER)
    assert (view.edits, view.decision) == ({}, {})


@pytest.mark.slow
def test_the_edited_row_can_be_inspected(view):
    searched(view, edits=EDITS)
    answer = searched(view, inspect=1)
    values = write_boundary.rows().iloc[ROW].to_dict() | EDITS
    expected = found(row=values)
    assert (view.row, view.edits, view.decision, view.progress) == (-1, {}, {}, {})
    assert answer["headline"] == f"{expected.sentence}."
    again = {"age": 22}
    searched(view, edits=again)
    assert view.decision["sentence"] == (
        f"With this value: {study(2).predict_row(values | again).sentence}, as the row itself."
    )
    assert searched(view, row=OTHER)["row"] == OTHER


def test_what_python_refuses_of_an_edit_is_said(view):
    searched(view, fixed=["age"], edits={"age": 50})
    assert view.decision["error"] == "A locked feature keeps its value; 'age' is locked. Unlock it first."


def test_an_edit_waits_for_the_search_and_a_new_one_takes_its_place():
    model = Waits()
    whole = ts.Study(model, write_boundary.rows(), np.resize(["a", "b"], write_boundary.N_ROWS))
    made = whole.boundary(ROW, random_state=0, progress=False, n_samples=40).widget()
    model.gate.clear()
    made.edits = {"age": 30}
    made.edits = {"age": 50}
    assert made.busy
    assert made.decision["doing"] == "Asking Waits about the row as edited"
    model.gate.set()
    made.wait(20)
    assert made.decision["edits"] == {"age": 50}
    assert model.together == 1


@pytest.mark.slow
def test_pictures_and_words_come_along_where_asked_for():
    wordy = write_boundary.word_study().boundary(ROW, random_state=0, progress=False, n_samples=40)
    made = wordy.widget(shape=write_boundary.IMAGE, text=write_boundary.MESSAGE)
    assert made.message["image"] == [4, 5, 1]
    assert answer_of(made)["pictures"]["first"] == 0
    assert answer_of(made)["words"]["pieces"][0]["text"] == "FREE"
    assert "data:image/png" in made.fallback()["text/html"]
    other = searched(made, row=OTHER)
    assert (other["words"], other["pictures"] is None) == (None, False)
    plain = wordy.widget()
    assert (plain.message["image"], plain.pictures, answer_of(plain)["words"]) == (None, b"", None)


@pytest.mark.parametrize(
    ("options", "words"), [({"shape": (3, 3)}, "shape must account for every column"), ({"text": 3}, "text must be")]
)
def test_shapes_and_texts_that_are_none_are_refused(options, words):
    with pytest.raises(TauscopeError, match=words):
        found().widget(**options)


class Waits:
    """A model that waits at a gate, and counts how many threads are with it at once."""

    classes_ = np.array(["a", "b"])

    def __init__(self):
        self.gate = Event()
        self.gate.set()
        self.inside = self.together = 0

    def predict_proba(self, X):
        self.inside += 1
        self.together = max(self.together, self.inside)
        self.gate.wait(20)
        self.inside -= 1
        return write_boundary.Model(2).predict_proba(X)

    def predict(self, X):
        return self.classes_[write_boundary.Model(2).predict_proba(X).argmax(axis=1)]


class Stops:
    """A model that asks to be stopped, and counts the rows it was asked about afterwards."""

    classes_ = np.array(["a", "b"])

    def __init__(self):
        self.asked = None
        self.after = 0

    def predict_proba(self, X):
        if self.asked is not None:
            self.asked()
            self.after += len(X)
        return write_boundary.Model(2).predict_proba(X)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


@pytest.mark.slow
def test_a_search_can_be_stopped():
    model = Stops()
    whole = ts.Study(model, write_boundary.rows(), np.resize(["a", "b"], write_boundary.N_ROWS))
    made = whole.boundary(ROW, random_state=0, progress=False).widget()
    before, n_model_rows = made.answer, made.result.n_model_rows
    model.asked = lambda: setattr(made, "stop", made.stop + 1)
    searched(made, row=OTHER)
    assert made.answer == before
    assert made.progress == {}
    assert model.after < n_model_rows


@pytest.mark.slow
def test_progress_counts_model_rows(view):
    told = []
    view.observe(lambda change: told.append(change["new"]), "progress")
    searched(view, row=OTHER)
    assert told[0] == {"row": OTHER, "doing": "Asking Model about row 12", "n_model_rows": 0, "error": ""}
    assert told[-1] == {}


@pytest.mark.slow
def test_new_values_are_searched_again():
    values = write_boundary.rows().iloc[ROW].to_dict() | {"slope": 0.4}
    made = found(row=values).widget()
    assert (made.row, answer_of(made)["row"]) == (-1, -1)
    answer = searched(made, fixed=["age"], search=1)
    assert answer["fixed"] == ["age"]
    assert answer["headline"].startswith("The row given is predicted")


def test_without_a_model_it_says_so():
    left = pickle.loads(pickle.dumps(found()))
    made = left.widget()
    assert not made.message["live"]
    assert "left behind" in made.message["offline"]
    searched(made, row=OTHER)
    assert made.progress["error"] == made.message["offline"]


def test_an_offline_copy_has_no_kernel_and_refuses_what_was_not_searched():
    made = BoundaryView.offline(found())
    made.check_offline()
    assert not made.message["live"]
    assert (made.message["rows_shipped"], made.rows) == (False, b"")
    other = BoundaryView.offline(found(), fixed=["age"])
    with pytest.raises(TauscopeError, match="Search it first"):
        other.check_offline()
    edited = BoundaryView.offline(found(), edits={"age": 50})
    assert edited.decision["error"] == edited.message["offline"]
    with pytest.raises(TauscopeError, match="predict_row"):
        edited.check_offline()


def test_rows_are_listed_on_request(view):
    view.query = {"filter": "errors", "text": "b"}
    assert view.listed["filter"] == "errors"
    assert all(row["predicted"] != row["truth"] for row in view.listed["rows"])


def test_a_notebook_gets_widget_table_and_text(view):
    data = view._repr_mimebundle_()[0]
    assert WIDGET in data
    assert data["text/plain"].startswith("Row 7 is predicted")
    assert "<table>" in data["text/html"]
    assert isinstance(view, anywidget.AnyWidget)


def test_traits_are_documented():
    for name, trait in BoundaryTraits.class_traits(sync=True).items():
        if name in vars(BoundaryTraits):
            assert trait.help, name


def test_saved_page(tmp_path):
    path = tmp_path / "b.html"
    found().save(path)
    text = path.read_text()
    assert "Row 7 is predicted" in text
    assert "<b>level</b>" not in text.partition("<script")[0]


ODD_VALUES = (
    *(None, True, -1, 10**400, 1.5, np.nan, np.inf, 5e-324, "", "x", "\x00", b"x", 1j, object(), type, range(2)),
    *([], [None], [1, 2], [2, 1], [1, "x"], ["x", "y"], [[1], 2], [10**400, None], [np.nan, 1], (), (None, None)),
    *({}, {"a": 1}, set(), np.array(3), np.array([1, 2]), np.int64(3), np.float32(1), Decimal("NaN"), Decimal(1)),
    *(pd.NA, pd.NaT, pd.Series([1, 2]), pd.Timestamp("2024-01-01"), pd.Timedelta(days=1), sparse.eye_array(2)),
)


@pytest.mark.parametrize("trait", sorted(BoundaryTraits.class_own_traits()))
def test_every_trait_takes_a_value_or_says_why_it_does_not(view, trait):
    by_name = [{name: value} for name in ("age", "site", "<b>level</b>", "agee") for value in ODD_VALUES]
    by_key = [{key: [0, 1]} for key in ODD_VALUES if getattr(key, "__hash__", None) and not isinstance(key, tuple)]
    texts = [{"filter": value, "text": value} for value in ODD_VALUES]
    for value in (*ODD_VALUES, *([value] for value in ODD_VALUES), *by_name, *by_key, *texts):
        before = getattr(view, trait)
        with suppress(traitlets.TraitError):
            setattr(view, trait, value)
        setattr(view, trait, before)


@pytest.mark.parametrize(
    "bounds",
    [
        *(
            {"age": ends}
            for ends in (0.5, None, ["x", "y"], [np.nan, 1], [True, 2], [1, 2, 3], {1, 2}, pd.NA, [[1], 2])
        ),
        *({"<b>level</b>": ends} for ends in ([1, 2], ["low", "high"], [None, 1])),
    ],
)
def test_bounds_that_are_no_two_ends_of_a_number_are_refused(view, bounds):
    with pytest.raises(traitlets.TraitError, match="bounds"):
        view.bounds = bounds
    assert view.bounds == {}
