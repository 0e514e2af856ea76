"""A result by the ending of its file, whatever the result."""

import json

import numpy as np
import pandas as pd
import pytest

from tauscope.errors import InputError
from tauscope.sharing.save import plain, records, write_result

FRAME = pd.DataFrame({"name": ["a", "é"], "value": [1.5, np.nan], 3: [True, False]})
ALL = {"document": lambda: {"a": np.nan}, "chart": lambda: None, "page": lambda: "<p>é</p>"}


def test_what_needs_no_chart(tmp_path):
    for ending in (".csv", ".JSON", ".html"):
        write_result(tmp_path / f"result{ending}", frame=lambda: FRAME, **ALL)
    assert (tmp_path / "result.csv").read_text("utf-8") == "name,value,3\na,1.5,True\né,,False\n"
    assert (tmp_path / "result.JSON").read_text("utf-8") == '{"a": null}\n'
    assert (tmp_path / "result.html").read_text("utf-8") == "<p>é</p>"


@pytest.mark.parametrize(
    ("offered", "endings"),
    [
        ((), ".csv"),
        (("page",), ".html, .csv"),
        (("chart", "document"), ".png, .svg, .pdf, .csv, .json"),
        (("document", "chart", "page"), ".html, .png, .svg, .pdf, .csv, .json"),
    ],
)
def test_only_what_is_offered_is_written(tmp_path, offered, endings):
    chosen = {name: ALL[name] for name in offered}
    every = {".html", ".png", ".svg", ".pdf", ".csv", ".json", ".txt", ""}
    for ending in every - set(endings.split(", ")):
        with pytest.raises(InputError, match=f"one of {endings}; got {ending or 'none'!r}"):
            write_result(tmp_path / f"result{ending}", frame=lambda: FRAME, **chosen)
    assert not list(tmp_path.iterdir())


def test_endings_the_caller_sees_to_are_named(tmp_path):
    with pytest.raises(InputError, match=r"one of \.csv, \.npz; got 'none'"):
        write_result(tmp_path / "result", frame=lambda: FRAME, others=(".npz",))


def test_records_are_the_rows():
    assert records(FRAME)[0] == {"name": "a", "value": 1.5, "3": True}
    assert pd.isna(records(FRAME)[1]["value"])
    json.dumps(plain(records(FRAME)), allow_nan=False)


def test_plain_values():
    given = {"a": [np.float64(2), np.nan, np.inf], 1: (None, pd.NaT), "day": pd.Timestamp("2020-01-02"), "n": 3}
    assert plain(given) == {"a": [2.0, None, None], "1": [None, None], "day": "2020-01-02T00:00:00", "n": 3}
