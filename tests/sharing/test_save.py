"""A result by the ending of its file, whatever the result."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import InputError
from tauscope.results.base import Result, records
from tauscope.sharing.save import save

FRAME = pd.DataFrame({"name": ["a", "é"], "value": [1.5, np.nan], 3: [True, False]})


@dataclass(frozen=True, repr=False, eq=False)
class Table(Result):
    """A result that has no more than a frame."""

    @property
    def title(self):
        return "T"

    @property
    def notes(self):
        return ()

    @property
    def frame(self):
        return FRAME


class WithChart(Table):
    def chart(self):
        raise AssertionError("not asked for")


class WithArrays(Table):
    def _arrays(self):
        return {"x": np.arange(3)}


class WithAll(WithArrays, WithChart):
    pass


def test_what_needs_no_chart(tmp_path):
    for ending in (".csv", ".npz"):
        save(WithAll(), str(tmp_path / f"result{ending}"))
    assert (tmp_path / "result.csv").read_text("utf-8") == "name,value,3\na,1.5,True\né,,False\n"
    assert np.array_equal(np.load(tmp_path / "result.npz")["x"], np.arange(3))


@pytest.mark.parametrize(
    ("kind", "endings"),
    [
        (Table, ".csv, .json"),
        (WithChart, ".html, .png, .svg, .pdf, .csv, .json"),
        (WithArrays, ".csv, .json, .npz"),
        (WithAll, ".html, .png, .svg, .pdf, .csv, .json, .npz"),
    ],
)
def test_only_what_is_offered_is_written(tmp_path, kind, endings):
    every = {".html", ".png", ".svg", ".pdf", ".csv", ".json", ".npz", ".txt", ""}
    for ending in every - set(endings.split(", ")):
        with pytest.raises(InputError, match=f"one of {endings}; got {ending or 'none'!r}"):
            kind().save(tmp_path / f"result{ending}")
    assert not list(tmp_path.iterdir())


def test_records_are_the_rows():
    assert records(FRAME)[0] == {"name": "a", "value": 1.5, "3": True}
    assert pd.isna(records(FRAME)[1]["value"])


def test_a_result_of_anothers_is_no_record(tmp_path):
    with pytest.raises(InputError, match=r"This WithAll cannot be saved as \.json: a .*WithAll has no form"):
        save(WithAll(), tmp_path / "result.json")
    assert not list(tmp_path.iterdir())


class Failing(WithAll):
    @property
    def frame(self):
        raise OSError("no")

    def _arrays(self):
        raise OSError("no")

    def chart(self):
        raise OSError("no")


@pytest.mark.parametrize("ending", [".html", ".png", ".svg", ".pdf", ".csv", ".json", ".npz"])
def test_a_failing_save_leaves_the_file_that_was_there(tmp_path, ending):
    path = tmp_path / f"result{ending}"
    path.write_bytes(b"old")
    with pytest.raises((OSError, InputError)):
        Failing().save(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_halves_of_surrogate_pairs_are_named_or_refused(tmp_path):
    X = pd.DataFrame({"level": ["\ud800", "b"] * 30, "a": np.arange(60.0)}, dtype=object).astype({"a": float})
    labelled = np.array(["no", "yes\udfff"] * 30, dtype=object)
    result = ts.Study.from_predictions(X, labelled, labelled).stress_surface("a", "level = b", taus=3)
    assert r"yes\udfff" in result.metric_names[0]
    for ending in (".csv", ".html"):
        result.save(tmp_path / f"result{ending}")
    with pytest.raises(InputError, match=r"text that a file can hold; got .*surrogate"):
        ts.Study.from_predictions(np.eye(60, 2), labelled, labelled, feature_names=["a", "\ud800"])
