import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.samples import HOSTILE, QUOTED, UNICODE
from sharing.record.alike import same
from tauscope.data.columns import Column
from tauscope.errors import InputError
from tauscope.sharing.record.values import Reader, Writer
from tauscope.weights.carriers import Carriers

VALUES = {
    "nothing": None,
    "flags": (True, False),
    "whole numbers": (0, -1, 2**80),
    "numbers": (0.1, -0.0, 1e-310, 1.7976931348623157e308, 1.0),
    "not finite": (float("nan"), float("inf"), float("-inf")),
    "text": ("", HOSTILE, QUOTED, UNICODE, "\x00\t\r\n", "$class", "nan", "\ud800"),
    "tuples in lists": [(), (1, [2, (3,)])],
    "mappings": {"a": 1, "$class": 2, 3: "b", (4, 5): {}, None: None, 0.5: float("nan")},
    "sets": (frozenset({"b", "a"}), {1, 2}, frozenset()),
    "days": (date(2026, 2, 3), datetime(2026, 2, 3, 4, 5, 6, 7, UTC), timedelta(-1, 2, 3)),
    "moments of pandas": (
        pd.Timestamp("2026-02-03T04:05:06.789", tz="Europe/Paris"),
        pd.Timestamp("2026-02-03").as_unit("s"),
        pd.Timedelta("-1 days 2 h"),
        pd.NaT,
        pd.NA,
    ),
    "scalars of NumPy": (
        np.float64(0.1), np.float32(0.1), np.float16("inf"), np.float64("nan"), np.int8(-3), np.uint64(2**64 - 1),
        np.bool_(True), np.str_(HOSTILE), np.datetime64("2026-02-03", "D"), np.timedelta64(5, "h"),
        np.datetime64("NaT", "s"),
    ),
    "a named tuple": Carriers(3, 0.25),
    "a stress": ts.Mean("age", shift=5) & ts.Share(HOSTILE, QUOTED, odds=2.0) & ts.Covariance("a", "b", 0.0),
}  # fmt: skip


def there_and_back(value):
    writer = Writer(None)
    written = writer.write(value)
    text = json.dumps([written, writer.shared], allow_nan=False)
    read, shared = json.loads(text)
    return Reader(shared, None).read(read)


@pytest.mark.parametrize("name", VALUES)
def test_values_come_back(name):
    same(there_and_back(VALUES[name]), VALUES[name])


def test_one_zero_is_not_the_other():
    assert str(there_and_back(-0.0)) == "-0.0"
    assert str(there_and_back(np.array([-0.0]))[0]) == "-0.0"


def test_a_mapping_that_cannot_be_changed_is_read_as_one_that_can():
    assert there_and_back(MappingProxyType({"a": 1})) == {"a": 1}
    scenario = ts.Scenario("older", {"age": 0.5})
    assert isinstance(there_and_back(scenario).taus, MappingProxyType)


def test_what_stands_in_two_places_is_written_once_and_is_one():
    column = Column(HOSTILE, "numeric", np.arange(3000.0))
    writer = Writer(None)
    text = json.dumps(writer.write((column, column, column.numbers, replace(column, name="b"))))
    assert len(writer.shared) == 2
    assert len(text) < 1000
    first, second, numbers, other = there_and_back((column, column, column.numbers, replace(column, name="b")))
    assert first is second
    assert first.numbers is numbers is other.numbers
    same(first, column)


@pytest.mark.parametrize("value", [object(), lambda: 0, 1j, b"bytes", np.array([1j])])
def test_what_has_no_form_is_refused(value):
    with pytest.raises(InputError, match="has no form in JSON here"):
        there_and_back((1, [value]))


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"$class": "os.system"}, "names 'os.system', which is no class"),
        ({"$class": "Study"}, "names 'Study', which is no class"),
        ({"$class": 3}, "names 3, which is no class"),
        ({"$class": ["Column"]}, "which is no class"),
        ({"$class": "Carriers", "n": 3}, "a Carriers has share, which is missing"),
        ({"$class": "Carriers", "n": 3, "share": 0.5, "more": 1}, "a Carriers has no 'more'"),
        ({"$class": "Carriers", "n": "three", "share": 0.5}, "Carriers.n cannot be 'three'"),
        ({"$class": "Mean", "feature": "a", "tau": 45, "target": None, "shift": None}, "τ|tau"),
        ({"__reduce__": []}, "begins with '__reduce__'"),
        ({}, "begins with ''"),
        ({"$shared": 0}, "no shared value 0"),
        ({"$shared": -1}, "no shared value -1"),
        ({"$shared": True}, "no shared value True"),
        ({"$float": "1"}, r"what stands under '\$float'"),
        ({"$date": "yesterday"}, r"what stands under '\$date'"),
        ({"$mapping": [[[{"$list": []}], 1]]}, r"what stands under '\$mapping'"),
        ({"$mapping": [[1, 2, 3]]}, r"what stands under '\$mapping'"),
        ({"$set": 3}, r"what stands under '\$set'"),
        ({"$scalar": "float64", "value": "one"}, "has numbers of it alone"),
        ({"$scalar": "complex128", "value": 1}, "none that a record has"),
    ],
)
def test_what_no_writer_wrote_is_refused(written, words):
    with pytest.raises(InputError, match=words):
        Reader([], None).read([written])


def test_a_value_that_holds_itself_is_refused():
    with pytest.raises(InputError, match="no shared value 0"):
        Reader([{"$list": [{"$shared": 0}]}], None).read({"$shared": 0})
