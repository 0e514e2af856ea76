"""Effects as files."""

import json
from dataclasses import replace
from datetime import date
from io import StringIO

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError
from tauscope.sharing import save as export

HEADS = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "html": b"<!doctype html>"}
STRESS = ts.Mean("age", tau=0.5)


def results(name="fare"):
    found = samples.study().effect(name)
    return {"effect": found, "effect_bounds": found.bounds(0.1), "effect_under_stress": found.under(STRESS)}


@pytest.mark.slow
@pytest.mark.parametrize("which", results())
@pytest.mark.parametrize("kind", HEADS)
def test_pictures_and_pages(tmp_path, which, kind):
    path = tmp_path / f"effect.{kind.upper()}"
    results("sex")[which].save(str(path))
    assert path.read_bytes().startswith(HEADS[kind])


@pytest.mark.parametrize("which", results())
@pytest.mark.slow
def test_csv_is_the_frame(tmp_path, which):
    result = results("age")[which]
    result.save(tmp_path / "effect.csv")
    read = pd.read_csv(StringIO((tmp_path / "effect.csv").read_text("utf-8")))
    pd.testing.assert_frame_equal(read, result.frame, check_dtype=False)


def strict(path):
    return json.loads(path.read_text("utf-8"), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


@pytest.mark.parametrize("which", results())
@pytest.mark.slow
def test_json_says_what_it_is_and_holds_the_frame(tmp_path, which):
    result = results("age")[which]
    path = tmp_path / "effect.json"
    result.save(path)
    document = strict(path)["summary"]
    assert (document["schema"], document["version"]) == (f"tauscope.{which}", 1)
    assert document["features"] == ["age"]
    assert document["response"] == "probability of yes"
    assert document["records"][-1]["value"] is None  # missing
    records = pd.DataFrame(document["records"]).replace({None: np.nan}).astype(float)
    pd.testing.assert_frame_equal(records, result.frame, check_dtype=False)
    if which == "effect_bounds":
        assert document["epsilon"] == 0.1
    if which == "effect_under_stress":
        assert document["tv"] == result.tv


def test_json_of_dates(tmp_path):
    X = pd.DataFrame({"day": [*pd.date_range("2020-01-01", periods=9), pd.NaT], "b": np.arange(10.0)})
    path = tmp_path / "effect.json"
    ts.Study(lambda rows: rows["b"], X, X["b"] / 3).effect("day").save(path)
    records = strict(path)["summary"]["records"]
    assert records[0]["value"] == "2020-01-01T00:00:00"
    assert records[-1]["value"] is None


@pytest.mark.slow
def test_names_in_a_page_stay_text(tmp_path):
    X = pd.DataFrame({samples.HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "effect.html"
    ts.Study(lambda rows: rows["b"], X, X["b"] / 3).effect(samples.HOSTILE).save(path)
    text = path.read_text("utf-8")
    assert samples.HOSTILE not in text
    assert text.count("</script>") == 4
    assert "unsafe-eval" not in text
    assert "default-src 'none'" in text
    held = text.split('id="state">')[1].split("</script>")[0]
    traits = json.loads(held)["traits"]
    assert traits["features"] == [samples.HOSTILE]
    assert traits["message"]["live"] is False


@pytest.mark.slow
def test_names_in_a_chart_page_stay_text(tmp_path):
    X = pd.DataFrame({samples.HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "bounds.html"
    ts.Study(lambda rows: rows["b"], X, X["b"] / 3).effect(samples.HOSTILE).bounds(0.1).save(path)
    text = path.read_text("utf-8")
    assert samples.HOSTILE not in text
    held = text.split('id="spec">')[1].split("</script>")[0]
    assert samples.HOSTILE in json.loads(held)["title"]["text"].replace("\u2060", "")


@pytest.mark.slow
@pytest.mark.parametrize("which", results())
def test_pages_say_the_day_of_their_numbers(tmp_path, which):
    result = replace(results()[which], computed_on=date(2026, 2, 3))
    result.save(tmp_path / "effect.html")
    assert "Static copy, computed 2026-02-03: " in (tmp_path / "effect.html").read_text("utf-8")


@pytest.mark.parametrize("ending", ["", ".txt"])
def test_unknown_endings_are_refused(tmp_path, ending):
    with pytest.raises(InputError, match=r"one of \.html, \.png"):
        results()["effect"].save(tmp_path / f"effect{ending}")


@pytest.mark.parametrize("kind", HEADS)
@pytest.mark.slow
def test_pictures_without_vl_convert_name_the_extra(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(export, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'pip install "tauscope\[export\]"'):
        results()["effect_bounds"].save(tmp_path / f"effect.{kind}")
    assert not list(tmp_path.iterdir())
