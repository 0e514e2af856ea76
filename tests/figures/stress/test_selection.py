import pytest

from results.samples import made_by_hand
from tauscope.errors import UnknownName
from tauscope.figures.stress.selection import MOST_CHOSEN, MOST_LINES, select


@pytest.fixture(scope="module")
def many():
    return made_by_hand({f"x{i}": [0.0, 1, 2] for i in range(40)})


def test_by_default_those_that_move_most(many):
    selection = select(many, "portion_1")
    assert selection.chosen == ("x39", "x38", "x37", "x36", "x35")
    assert len(selection.chosen) == MOST_CHOSEN
    assert len(selection.shown) == MOST_LINES
    assert selection.rest[0] == "x34"


def test_those_asked_for_are_in_colour(many):
    selection = select(many, "portion_1", features=["x3", "x1", "x3"])
    assert (selection.chosen, selection.rest) == (("x3", "x1"), ())


def test_highlight_among_those_asked_for(many):
    selection = select(many, "portion_1", features=["x3", "x1"], highlight="x1")
    assert (selection.chosen, selection.rest) == (("x1",), ("x3",))


def test_highlight_alone_joins_those_that_move_most(many):
    selection = select(many, "portion_1", highlight="x0")
    assert selection.chosen == ("x0",)
    assert "x39" in selection.rest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"features": "x99"}, "no feature 'x99'"),
        ({"highlight": ["y"]}, "no feature 'y'"),
        ({"features": ["x1"], "highlight": "x2"}, "must be drawn"),
    ],
)
def test_names_that_are_not_there(many, options, words):
    with pytest.raises(UnknownName, match=words):
        select(many, "portion_1", **options)
