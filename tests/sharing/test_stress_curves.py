import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from ipywidgets.widgets.widget import _instances

from results.samples import DAY, HOSTILE, binary_result, made_by_hand
from tauscope.errors import InputError
from tauscope.sharing import save as export

HEADS = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADS)
@pytest.mark.parametrize("as_text", [True, False])
def test_pictures(tmp_path, kind, as_text):
    path = tmp_path / f"curves.{kind}"
    made_by_hand().save(str(path) if as_text else path)
    assert path.read_bytes().startswith(HEADS[kind])


@pytest.mark.slow
def test_endings_in_capitals(tmp_path):
    made_by_hand().save(tmp_path / "curves.PNG")
    assert (tmp_path / "curves.PNG").read_bytes().startswith(HEADS["png"])


@pytest.mark.parametrize("kind", HEADS)
def test_pictures_without_vl_convert_name_the_extra(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(export, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'pip install "tauscope\[export\]"'):
        made_by_hand().save(tmp_path / f"curves.{kind}")
    assert not list(tmp_path.iterdir())


def test_csv_is_the_frame(tmp_path):
    result = binary_result()
    path = tmp_path / "curves.csv"
    result.save(path)
    read = pd.read_csv(StringIO(path.read_text("utf-8")), keep_default_na=False, na_values={"value": [""]})
    assert list(read["feature"]) == list(result.frame["feature"])
    np.testing.assert_allclose(read["value"], result.frame["value"])
    assert list(read["note"]) == list(result.frame["note"])


def strict(text):
    return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_json_says_what_it_is_and_holds_the_frame(tmp_path):
    result = replace(binary_result(), computed_on=DAY)
    path = tmp_path / "curves.json"
    result.save(path)
    document = strict(path.read_text("utf-8"))["summary"]
    assert (document["schema"], document["version"]) == ("tauscope.stress_curves", 1)
    assert {name: document[name] for name in ("model", "task", "n_rows", "quantile", "confidence", "computed")} == {
        "model": "predictions", "task": "binary", "n_rows": 300, "quantile": 0.05, "confidence": 0.95,
        "computed": "2026-02-03",
    }  # fmt: skip
    assert [i["name"] for i in document["metrics"]] == list(result.metric_names)
    assert [f["name"] for f in document["features"]] == list(result.feature_names)
    assert document["skipped"] == [{"name": "constant", "reason": "every observed value is 1"}]
    assert document["notes"] == {name: list(words) for name, words in result.feature_notes.items()}
    pd.testing.assert_frame_equal(pd.DataFrame(document["records"]), result.frame, check_dtype=False)


def test_json_has_null_where_there_is_no_number(tmp_path):
    path = tmp_path / "curves.json"
    made_by_hand(value=np.full((2, 1, 5), np.nan), pareto_k=np.full((2, 5), np.inf)).save(path)
    record = strict(path.read_text("utf-8"))["summary"]["records"][0]
    assert (record["value"], record["pareto_k"]) == (None, None)


def test_page_says_of_what_and_of_when_it_is(tmp_path):
    result = replace(binary_result(), computed_on=DAY)
    path = tmp_path / "curves.html"
    before = set(_instances)
    result.save(path)
    html = path.read_text("utf-8")
    assert "Static copy, computed 2026-02-03: Stress curves of predictions, 300 rows" in html
    assert "<title>Stress curves of predictions</title>" in html
    assert "data:image/svg+xml;base64," in html
    assert HOSTILE not in html
    assert set(_instances) == before


@pytest.mark.slow
def test_same_result_same_page(tmp_path):
    result = binary_result()
    for name in ("a.html", "b.html"):
        result.save(tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize("name", ["curves.xlsx", "curves", "curves.pickle"])
def test_other_endings(tmp_path, name):
    with pytest.raises(InputError, match=r"one of \.html, \.png, \.svg, \.pdf, \.csv, \.json"):
        made_by_hand().save(tmp_path / name)
