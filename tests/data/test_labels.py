import numpy as np
import pytest

from tauscope.data import labels


@pytest.mark.parametrize(
    ("arrays", "expected"),
    [
        (([2, 1, 2],), (1, 2)),
        ((np.array(["b", "a"]), ["c"]), ("a", "b", "c")),
        ((np.array([True, False]),), (False, True)),
        ((np.array([1.0, 0.0]),), (0.0, 1.0)),
        ((np.array([1, 0]), np.array([1.0, 2.0])), (0, 1, 2.0)),
        ((np.array(["b", 1, None, "a"], dtype=object),), (1, "a", "b")),
    ],
)
def test_distinct_is_sorted_and_plain(arrays, expected):
    found = labels.distinct(*arrays)
    assert found == expected
    assert [type(one) for one in found] == [type(one) for one in expected]


def test_encode_uses_pythons_equality():
    codes, strangers = labels.encode(np.array([1.0, 0.0, 1.0]), (0, 1))
    assert codes.tolist() == [1, 0, 1]
    assert strangers == []
    codes, strangers = labels.encode(np.array(["1", "0"]), (0, 1))
    assert codes.tolist() == [-1, -1]
    assert strangers == ["1", "0"]


def test_encode_marks_missing():
    codes, strangers = labels.encode(np.array(["a", None, np.nan], dtype=object), ("a",))
    assert codes.tolist() == [0, -1, -1]
    assert strangers == []


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ((0, 1), ("0", "1")),
        ((0.0, 1.0), ("0", "1")),
        ((0.5, 1e20), ("0.5", "1e+20")),
        ((False, True), ("False", "True")),
        ((-1, 1), ("-1", "1")),
        ((1, "1", "a"), ("1", "'1'", "a")),
        (("", " ", "x"), ("''", "' '", "x")),
        (("a\ud800", "\udfffb"), ("a\\ud800", "\\udfffb")),
        (("\ud800", "\\ud800"), ("'\\ud800'", "'\\\\ud800'")),
    ],
)
def test_names_are_distinct_and_visible(given, shown):
    assert labels.names(given) == shown


def test_lists_are_no_labels():
    with pytest.raises(TypeError, match="unhashable"):
        labels.distinct(np.array([[1], [2, 3]], dtype=object))
