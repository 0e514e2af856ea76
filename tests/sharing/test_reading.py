import pytest

from results import every
from tauscope.sharing.reading import BOUNDARY, EFFECTS, ROOMS, RULES, STRESS, fold, how_to_read


@pytest.mark.parametrize("terms", ROOMS.values())
def test_five_lines_a_room(terms):
    assert len(terms) == 5
    assert all(words.endswith(".") and len(words) < 120 for _, words in terms)


@pytest.mark.parametrize(
    ("name", "terms"), [("joint", STRESS), ("effect", EFFECTS), ("boundary not found", BOUNDARY), ("rules", RULES)]
)
def test_a_result_is_read_by_its_room(name, terms):
    assert how_to_read(every.result(name)) == fold(terms)
    assert fold(terms).count("<dt>") == 5


@pytest.mark.slow
def test_a_page_has_a_heading_and_the_fold(tmp_path):
    every.result("joint").save(tmp_path / "joint.html")
    page = (tmp_path / "joint.html").read_text("utf-8")
    assert "<h1>Joint stress of a function</h1>" in page
    assert fold(STRESS) in page


def test_nothing_to_say_is_no_fold():
    assert fold(()) == ""
