import numpy as np
import pytest

from tauscope.views.boundary import message as module
from tauscope.views.boundary.message import RowTable, list_rows, row_table
from views.boundary.test_boundary import found
from wire import write_boundary

LABELS = ["benign", "malignant"]
TABLE = RowTable(np.arange(200) % 2, np.where(np.arange(200) < 100, np.arange(200) % 2, 0), np.full(200, np.nan))


@pytest.mark.parametrize(
    ("row_filter", "text", "n"),
    [
        ("all", "", 200),
        ("errors", "", 50),
        ("all", "19", 11),
        ("all", " 19 ", 11),
        ("all", "MALIG", 100),
        ("errors", "malig", 50),
        ("errors", "19", 5),
        ("all", "nothing", 0),
    ],
)
def test_rows_by_number_and_label(row_filter, text, n):
    listed = list_rows(TABLE, LABELS, row_filter, text)
    assert (listed["n"], listed["filter"], listed["text"]) == (n, row_filter, text)
    assert len(listed["rows"]) == min(n, module.WINDOW)
    assert all(row["answer"] is None for row in listed["rows"])


def test_rows_of_a_classifier():
    result = found()
    table = row_table(result)
    np.testing.assert_array_equal(table.predicted, result.source._outcomes.predicted)
    np.testing.assert_array_equal(table.truth, result.source._outcomes.truth)
    assert len(table.bytes()) == 12 * write_boundary.N_ROWS


def test_rows_past_the_budget_stay_with_the_kernel(monkeypatch):
    monkeypatch.setattr(module, "ROW_BUDGET", 100)
    view = found().widget()
    assert (view.message["rows_shipped"], view.rows) == (False, b"")
    view.query = {"text": "1"}
    assert view.listed["n"] == 11
