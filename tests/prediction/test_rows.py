import numpy as np
import pytest

from tauscope.errors import InputError, InputTypeError
from tauscope.prediction.rows import ArrayRows, Rows, as_rows, check_columns, distinct_rows


def test_an_array_is_rows_and_copies_are_fresh():
    X = np.arange(12.0).reshape(4, 3)
    rows = as_rows(X)
    assert isinstance(rows, ArrayRows)
    assert (rows.n_rows, rows.n_columns) == (4, 3)
    copies = rows.substituted(np.array([2, 2, 0]), (1,), np.array([[7.0], [8.0], [9.0]]))
    assert np.array_equal(copies, [[6, 7, 8], [6, 8, 8], [0, 9, 2]])
    copies[:] = -1
    assert np.array_equal(X, np.arange(12.0).reshape(4, 3))


def test_dtype_of_floats_is_kept_and_whole_numbers_become_floats():
    single = np.ones((2, 2), dtype=np.float32)
    assert as_rows(single).substituted(np.array([0]), (0,), np.array([[0.5]])).dtype == np.float32
    whole = as_rows(np.ones((2, 2), dtype=int))
    assert whole.substituted(np.array([0]), (0,), np.array([[0.5]]))[0, 0] == 0.5
    assert whole.column(0).dtype == np.float64


def test_anything_with_the_four_members_is_rows():
    class Mine:
        n_rows, n_columns = 2, 1

        def column(self, column):
            return np.zeros(2)

        def substituted(self, index, columns, values):
            return [(int(i), v.tolist()) for i, v in zip(index, values, strict=True)]

    mine = Mine()
    assert as_rows(mine) is mine
    assert isinstance(mine, Rows)


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (np.zeros(3), InputTypeError, "2-D array of numbers"),
        (np.array([["a"]], dtype=object), InputTypeError, "encode text"),
        ([[1.0]], InputTypeError, "follow the Rows protocol, got list"),
        (np.zeros((0, 3)), InputError, "got 0 rows"),
    ],
)
def test_what_is_not_rows_is_said(rows, error, message):
    with pytest.raises(error, match=message):
        as_rows(rows)


@pytest.mark.parametrize(("columns", "message"), [((3,), "one of 0 … 2, got 3"), ((1, 1), "must differ")])
def test_columns_are_checked(columns, message):
    with pytest.raises(InputError, match=message):
        check_columns(columns, 3)


def test_rows_alike_outside_the_feature_are_found():
    X = np.array([[1, 5, 0.0], [2, 5, -0.0], [3, np.nan, 1], [4, np.nan, 1], [5, 5, 1]])
    representatives, slot = distinct_rows(as_rows(X), (0,))
    assert representatives.tolist() == [0, 2, 4]
    assert slot.tolist() == [0, 0, 1, 1, 2]
    representatives, slot = distinct_rows(as_rows(X), ())
    assert representatives.tolist() == [0, 1, 2, 3, 4]
    assert slot.tolist() == [0, 1, 2, 3, 4]


def test_rows_that_only_share_a_fingerprint_stay_apart(monkeypatch):
    from tauscope.prediction import rows as module

    monkeypatch.setattr(module, "_fingerprints", lambda rows, columns: np.zeros(rows.n_rows, dtype=np.uint64))
    representatives, slot = distinct_rows(as_rows(np.array([[1.0, 2], [1, 3]])), (0,))
    assert representatives.tolist() == slot.tolist() == [0, 1]
