import pandas as pd
import pytest
import traitlets

from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.views.boundary.edits import checked_edits, given_row, given_value

COLUMNS = {
    column.name: column
    for column in (
        BoundaryColumn("age", "number", integer=True),
        BoundaryColumn("size", "number"),
        BoundaryColumn("level", "levels", ("low", "high")),
        BoundaryColumn("flag", "levels", ("False", "True")),
        BoundaryColumn("day", "date"),
        BoundaryColumn("stay", "duration"),
    )
}


def test_edits_that_can_be_are_left_as_they_are_and_none_takes_one_back():
    given = {"age": 40, "size": 1.5, "level": "high", "flag": "True", "day": "2024-12-31", "stay": 2.5}
    assert checked_edits(given | {"size": None}, COLUMNS) == {k: v for k, v in given.items() if k != "size"}
    assert checked_edits({"flag": True, "day": pd.Timestamp("2024-12-31")}, COLUMNS) == {
        "flag": "True",
        "day": "2024-12-31",
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"agee": 1}, "no feature 'agee'. Nearest: 'age'"),
        ({"level": "hih"}, "Nearest: 'high'"),
        ({"age": "40"}, "'age' holds numbers; got '40'"),
        ({"age": True}, "got True"),
        ({"size": float("inf")}, "finite number"),
        ({"size": float("nan")}, "finite number"),
        ({"day": "31.12."}, "holds dates, as '2024-12-31'; got '31.12.'"),
    ],
)
def test_others_are_refused(given, words):
    with pytest.raises(traitlets.TraitError, match=words):
        checked_edits(given, COLUMNS)


@pytest.mark.parametrize(
    ("name", "edit", "value"),
    [
        ("age", 40.0, 40),
        ("age", 40.5, 40.5),
        ("size", 2, 2.0),
        ("level", "low", "low"),
        ("flag", "False", False),
        ("day", "2024-12-31", pd.Timestamp("2024-12-31")),
        ("stay", 2.5, pd.Timedelta(days=2.5)),
    ],
)
def test_the_study_gets_what_a_person_would_give_it(name, edit, value):
    found = given_value(COLUMNS[name], edit)
    assert (found, type(found)) == (value, type(value))


def test_a_point_is_a_row():
    start = {"age": 40.0, "size": 1.5, "level": 1.0, "flag": 0.0, "day": float("nan"), "stay": 2.0}
    expected = {"age": 40, "size": 1.5, "level": "high", "flag": False, "day": None, "stay": pd.Timedelta(days=2)}
    assert given_row(COLUMNS, start) == expected
