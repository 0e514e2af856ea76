import numpy as np
import pandas as pd
import pytest

from results.samples import HOSTILE, QUOTED, UNICODE
from sharing.record.alike import same
from sharing.record.test_values import there_and_back
from tauscope.errors import InputError
from tauscope.sharing.record.values import Reader

COLUMNS = {
    "numbers": pd.Series([0.1, np.nan, np.inf]),
    "whole numbers": pd.Series([1, 2, 3], dtype="int8"),
    "text": pd.Series(["a", HOSTILE, None], dtype="str"),
    "text with NA": pd.Series(["a", pd.NA, ""], dtype="string"),
    "anything": pd.Series(["a", 3, (1, 2)], dtype=object),
    "text as objects": pd.Series(["a", "b", "c"], dtype=object),
    "levels": pd.Series(pd.Categorical(["b", None, "b"], categories=["b", QUOTED], ordered=True)),
    "levels of numbers": pd.Series(pd.Categorical([3, 1, 3])),
    "whole or missing": pd.Series([1, None, 2**62 + 1], dtype="Int64"),
    "numbers or missing": pd.Series([0.5, None, 1], dtype="Float64"),
    "true, false or missing": pd.Series([True, None, False], dtype="boolean"),
    "moments": pd.Series(pd.to_datetime(["2026-02-03T00:00:00", None, "2026-02-03T04:05:06"])),
    "moments somewhere": pd.to_datetime(pd.Series(["2026-03-29", None, "2026-10-25"])).dt.tz_localize("Europe/Paris"),
    "lengths of time": pd.to_timedelta(pd.Series(["1 day", None, "2 h"])),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_come_back(name):
    same(there_and_back(COLUMNS[name].rename(HOSTILE)), COLUMNS[name].rename(HOSTILE))
    same(there_and_back(COLUMNS[name].iloc[:0]), COLUMNS[name].iloc[:0])


def test_frames_come_back():
    frame = pd.DataFrame(COLUMNS).set_axis([HOSTILE, UNICODE, 3, "", *list(COLUMNS)[4:]], axis=1)
    for each in (
        frame,
        frame.iloc[:0],
        frame.iloc[:, :0],
        pd.DataFrame(),
        frame.set_index(UNICODE),
        frame.set_index("moments somewhere"),
        frame.set_index([HOSTILE, 3]),
        frame.iloc[::2],
        frame.iloc[:, [0, 0, 1]],
        frame[[HOSTILE]].T,
    ):
        same(there_and_back(each), each)


def test_columns_of_columns_come_back():
    names = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["scenario", None])
    frame = pd.DataFrame(np.eye(3), columns=names)
    same(there_and_back(frame), frame)


def test_an_index_comes_back_by_itself():
    for index in (pd.RangeIndex(3, 9, 2, name=HOSTILE), pd.Index(["b", "a"], name="c"), pd.Index([], dtype="str")):
        same(there_and_back(index), index)


@pytest.mark.parametrize("dtype", ["complex128", "period[M]", "Sparse[float64]", "interval"])
def test_other_columns_are_refused(dtype):
    columns = {
        "complex128": pd.Series([1j]),
        "period[M]": pd.Series(pd.period_range("2026-01", periods=2, freq="M")),
        "Sparse[float64]": pd.Series([0.0, 1.0]).astype("Sparse[float64]"),
        "interval": pd.Series(pd.interval_range(0, 2)),
    }
    with pytest.raises(InputError, match="has no form in JSON here"):
        there_and_back(columns[dtype])


def numbers(*values):
    return {"$array": "float64", "shape": [len(values)], "values": list(values)}


RANGE = {"range": [0, 2, 1], "name": None}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"$series": numbers(1, 2, 3), "name": None, "index": RANGE},
            "beside 2 entries of an index has as many; got 3",
        ),
        ({"$series": 3, "name": None, "index": RANGE}, "values of a column are a mapping; got 3"),
        ({"$series": {"$dtype": "pickle"}, "name": None, "index": RANGE}, "'pickle' is none"),
        ({"$series": {"$dtype": "str", "values": [1, "a"]}, "name": None, "index": RANGE}, "values of it alone"),
        ({"$series": {"$dtype": "Int64", "values": [0.5, 1]}, "name": None, "index": RANGE}, "values of it alone"),
        ({"$series": {"$dtype": "Int64", "values": 3}, "name": None, "index": RANGE}, "are a list; got 3"),
        ({"$series": {"$dtype": "category"}, "name": None, "index": RANGE}, "cannot be read"),
        ({"$series": {"$dtype": "zoned", "zone": "Nowhere/At all"}, "name": None, "index": RANGE}, "cannot be read"),
        ({"$series": numbers(1), "name": None, "index": 3}, "an index is a mapping; got 3"),
        ({"$series": numbers(1), "name": None, "index": {"range": [0, 1, 0]}}, "positions run from"),
        ({"$frame": [numbers(1, 2)], "names": {"range": [0, 2, 1]}, "index": RANGE}, "1 column has as many names"),
        ({"$frame": 3, "names": RANGE, "index": RANGE}, "columns of a frame are a list"),
    ],
)
def test_what_is_no_frame_is_refused(fields, words):
    with pytest.raises(InputError, match=words):
        Reader([], None).read(fields)
