import json

import numpy as np
import pytest

from sharing.record.alike import same
from tauscope.errors import InputError
from tauscope.sharing.record.arrays import LONGEST_LIST, read_array, write_array

ARRAYS = {
    "floats": np.array([[0.1, -0.0], [np.nan, np.inf], [-np.inf, 5e-324]]),
    "single floats": np.array([0.1, 1e-45, np.nan], np.float32),
    "half floats": np.array([0.1, 65504], np.float16),
    "whole numbers": np.array([-(2**63), 2**63 - 1]),
    "the largest whole number": np.array([2**64 - 1], np.uint64),
    "codes": np.array([-128, 127], np.int8),
    "flags": np.array([True, False]),
    "text": np.array(["</script>", "", "é\u2028"]),
    "anything": np.array(["a", 3, None, 0.5, ("x", 1), float("nan")], dtype=object),
    "no number": np.zeros((0, 3)),
    "no text": np.zeros((2, 0), dtype="<U1"),
    "one without a shape": np.array(2.5),
    "days": np.array(["2026-02-03", "NaT"], dtype="datetime64[D]"),
    "moments": np.array(["2026-02-03T01:02:03.000000004"], dtype="datetime64[ns]"),
    "lengths of time": np.array([1, -5], dtype="timedelta64[h]"),
    "read across": np.arange(6.0).reshape(2, 3).T,
}


def there_and_back(array):
    def no_value(value):
        return list(value) if isinstance(value, tuple) else value

    def read(value):
        return tuple(value) if isinstance(value, list) else value

    return read_array(json.loads(json.dumps(write_array(array, no_value))), read)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_come_back(name):
    same(there_and_back(ARRAYS[name]), ARRAYS[name])


@pytest.mark.parametrize("dtype", [">f8", "f4", "i2", "u8", "?", "M8[s]"])
def test_long_ones_are_bytes_in_one_order(dtype):
    array = (np.arange(2 * LONGEST_LIST + 2) % 2).astype(dtype).reshape(2, -1)
    written = write_array(array, lambda value: value)
    assert "values" not in written
    read = there_and_back(array)
    assert read.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(read, array)
    read[0] = read[1]  # can be written into
    at_most = write_array(array[0, :LONGEST_LIST], lambda value: value)
    assert "base64" not in at_most


def test_bytes_keep_what_is_no_number():
    array = np.full(LONGEST_LIST + 1, np.nan)
    array[1] = -np.inf
    same(there_and_back(array), array)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"$array": "float64", "values": [1]}, "shape of an array is a list; got None"),
        ({"$array": "float64", "shape": [True], "values": [1]}, "shape of an array"),
        ({"$array": "float64", "shape": [-1], "values": [1]}, "shape of an array"),
        ({"$array": "float64", "shape": [2], "values": [1]}, r"of shape \(2,\) has 2 entries; got 1"),
        ({"$array": "float64", "shape": [10**30], "values": [1]}, "entries; got 1"),
        ({"$array": "float64", "shape": [1], "values": ["one"]}, "numbers of it alone"),
        ({"$array": "float64", "shape": [1], "values": [None]}, "numbers of it alone"),
        ({"$array": "float64", "shape": [1], "values": [True]}, "numbers of it alone"),
        ({"$array": "int64", "shape": [1], "values": [0.5]}, "numbers of it alone"),
        ({"$array": "int64", "shape": [1], "values": ["nan"]}, "numbers of it alone"),
        ({"$array": "int8", "shape": [1], "values": [300]}, "too large"),
        ({"$array": "bool", "shape": [1], "values": [1]}, "numbers of it alone"),
        ({"$array": "str", "shape": [1], "values": [1]}, "text alone"),
        ({"$array": "float64", "shape": [1], "values": 3}, "values of an array are a list; got 3"),
        ({"$array": "O", "shape": [1], "values": [3]}, "'O' is none"),
        ({"$array": "U1000000000", "shape": [1], "values": ["a"]}, "is none"),
        ({"$array": "float64", "shape": [1], "base64": "AAAA"}, "not whole"),
        ({"$array": "float64", "shape": [1], "base64": "AAAAAAAAAA*="}, "not whole"),
        ({"$array": "object", "shape": [1], "base64": "AAAAAAAA"}, "not whole"),
        ({"$array": "float64", "shape": [1], "base64": 3}, "not whole"),
    ],
)
def test_what_is_no_array_is_refused(fields, words):
    with pytest.raises(InputError, match=words):
        read_array(fields, lambda value: value)
