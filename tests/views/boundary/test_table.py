from tauscope.views.boundary.table import boundary_table
from views.boundary.test_boundary import found


def test_changes_are_told_and_names_escaped():
    result = found()
    text = boundary_table(result)
    assert text.startswith("<table><caption>Boundary at row 7: Model. Row 7 is predicted b; it becomes a")
    assert "<b>" not in text
    assert text.count("<tr>") == 1 + (result.frame["change_scaled"] != 0).sum()


def test_nothing_found_is_a_sentence():
    text = boundary_table(found(fixed=["age", "<b>level</b>", "slope", "site"]))
    assert text.startswith("<p>Boundary at row 7: Model. Row 7 is predicted b; not found: ")
