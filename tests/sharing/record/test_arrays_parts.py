import pytest

from tauscope.errors import InputError
from tauscope.sharing.record.arrays import list_of, mapping_of


def test_what_is_expected_is_returned():
    assert list_of([1], "these are") == [1]
    assert mapping_of({"a": 1}, "this is") == {"a": 1}


@pytest.mark.parametrize("value", [None, 3, "ab", (1, 2)])
def test_anything_else_is_refused(value):
    with pytest.raises(InputError, match="these are a list; got"):
        list_of(value, "these are")
    with pytest.raises(InputError, match="this is a mapping; got"):
        mapping_of(value, "this is")
