import json
from datetime import date
from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

import tauscope as ts
from results import every
from results.every import MADE
from results.samples import HOSTILE, QUOTED, UNICODE, binary_study
from results.test_data import drawn
from sharing.record.alike import same
from tauscope.errors import InputError
from tauscope.results.base import records
from tauscope.results.stress.curves import StressCurves
from tauscope.sharing.record.load import read_record
from tauscope.sharing.record.record import RecordDocument, digest_of, plain, record_of, text_of

SCHEMA = json.loads(files("tauscope.sharing.record").joinpath("record.schema.json").read_text("utf-8"))


@cache
def text(name):
    return text_of(record_of(every.result(name)))


def study_of(name):
    """The study that a result was made of, if its data have a hash."""
    source = every.result(name).source
    return source if hasattr(source, "data_hash") else None


def told(result):
    """What a result says by itself."""
    if getattr(result, "weights", ()) is None:
        return result.title, result.notes, result._caption, repr(result)
    return result.title, result.notes, result._caption, result.frame, repr(result._document())


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_every_result_comes_back(name):
    result, study = every.result(name), study_of(name)
    read = read_record(text(name), "r.json", study)
    same(read, result)
    assert read.source is study
    same(told(read), told(result))
    if name == "joint":
        with pytest.raises(InputError, match=r"reads what it says from its study\. Give load the study"):
            read_record(text(name), "r.json", None)
        return
    alone = read_record(text(name), "r.json", None)
    same(alone, result)
    assert alone.source is None
    same(told(alone), told(result))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["joint", "effect", "boundaries", "pooled boundary", "bounds"])
def test_a_result_with_its_study_answers_as_before(name):
    read = read_record(text(name), "r.json", study_of(name))
    same(every.ASK[name](read), every.ASK[name](every.result(name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["metrics by group", "boundary", "rules"])
def test_a_result_that_stands_alone_is_drawn_as_before(name):
    alone = read_record(text(name), "r.json", None)
    assert drawn(alone) == drawn(every.result(name))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "curves",
        "harm",
        "surface",
        "image",
        "image of many values",
        "models",
        "towards",
        "effect",
        "boundary",
        "rules",
        "pooled boundary",
    ],
)
def test_a_result_that_stands_alone_has_its_widget(name):
    read_record(text(name), "r.json", None).widget().close()


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_every_record_fits_the_schema(name):
    document = json.loads(text(name))
    Draft202012Validator(SCHEMA).validate(document)
    assert list(document) == list(RecordDocument.__annotations__) == SCHEMA["required"]
    assert document["kind"] == type(every.result(name)).__name__
    assert document["summary"]


def test_the_schema_is_one_and_refuses_what_is_no_record():
    Draft202012Validator.check_schema(SCHEMA)
    document = record_of(binary_study().stress_curves("age", taus=3))
    valid = Draft202012Validator(SCHEMA).is_valid
    assert valid(document)
    for changed in (
        {"version": 2}, {"schema": "tauscope.scenarios"}, {"digest": "0"}, {"made": "today"}, {"result": {"a": 1}},
        {"result": 3}, {"shared": [{"$array": "float64"}]}, {"data": {}}, {"more": 1}, {"seed": "0"},
    ):  # fmt: skip
        assert not valid(document | changed), changed


def test_it_says_of_what_it_is_and_what_made_it():
    study = binary_study()
    curves = study.stress_curves(["age", HOSTILE], taus=3)
    document = record_of(curves)
    assert document["data"] == {
        "hash": study.data_hash, "n_rows": 300, "columns": list(study.feature_names), "seed": None,
    }  # fmt: skip
    assert (document["schema"], document["version"], document["kind"]) == ("tauscope.result", 1, "StressCurves")
    assert (document["title"], document["notes"]) == (curves.title, list(curves.notes))
    assert document["packages"]["pandas"] == pd.__version__
    assert document["packages"]["tauscope"] == ts.__version__
    assert date.fromisoformat(document["made"]) >= curves.computed_on
    assert document["seed"] is None
    assert document["summary"] == plain(curves._document())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"),
    [("attack", 0), ("boundary", 0), ("curves, bootstrap", 3), ("refits", 0), ("rules", 0), ("curves", None)],
)
def test_the_seed_is_that_of_what_was_drawn(name, seed):
    assert json.loads(text(name))["seed"] == seed


def test_where_the_data_are_unknown_it_says_so():
    alone = json.loads(text("refits"))["data"]
    assert (alone["hash"], alone["columns"]) == (None, None)
    chunks = json.loads(text("curves of chunks"))["data"]
    assert (chunks["hash"], chunks["n_rows"], chunks["columns"]) == (None, 160, ["a", "b", "c", "d"])


def test_rows_that_were_drawn_have_their_seed():
    study = ts.Study.from_ranges(
        lambda X: X["a"] > 0, {"a": (-1, 1), "b": (0, 2)}, n=50, random_state=7, progress=False
    )
    assert record_of(study.effect("a", grid=3))["data"]["seed"] == 7


def test_a_file_is_a_line_for_each_part_and_stays_data(tmp_path):
    result = binary_study().stress_curves([HOSTILE, UNICODE], taus=3)
    result.save(tmp_path / "r.json")
    lines = (tmp_path / "r.json").read_bytes().splitlines()
    assert len(lines) == len(RecordDocument.__annotations__) + 2
    assert lines[1] == b' "schema": "tauscope.result",'
    read = ts.load(tmp_path / "r.json", binary_study())
    assert isinstance(read, StressCurves)
    assert read.feature_names == result.feature_names
    assert any(QUOTED in name for name in binary_study().stress_curves(QUOTED, taus=3).feature_names)


def test_the_digest_is_of_the_content_alone():
    document = record_of(binary_study().stress_curves("age", taus=3))
    other_way = json.loads(json.dumps(dict(reversed(document.items())), indent=4))
    assert digest_of(other_way) == document["digest"]
    assert digest_of(document | {"seed": 3}) != document["digest"]


def test_classes_of_the_user_are_refused():
    class Label:
        pass

    from dataclasses import replace

    curves = binary_study().stress_curves("age", taus=3)
    odd = replace(curves, model_name=Label())
    with pytest.raises(InputError, match=r"This StressCurves cannot be saved as \.json: a .*Label has no form.*\.csv"):
        record_of(odd)


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    from dataclasses import replace

    odd = replace(binary_study().stress_curves("age", taus=3), n_rows="many")
    with pytest.raises(InputError, match=r"cannot be saved as \.json: StressCurves\.n_rows cannot be 'many'"):
        odd.save(tmp_path / "r.json")
    assert not list(tmp_path.iterdir())


def test_plain_values():
    given = {
        "a": (2.0, np.nan, pd.NaT), 1: [float("inf"), None], "day": pd.Timestamp(2020, 1, 2), "n": 3,
    }  # fmt: skip
    assert plain(given) == {"a": [2.0, None, None], "1": [None, None], "day": "2020-01-02T00:00:00", "n": 3}
    json.dumps(plain(records(pd.DataFrame({3: [1.5, np.nan]}))), allow_nan=False)
