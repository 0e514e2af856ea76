"""Counts with their noun, levels that read as none, and names that run from right to left."""

import json
import string
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.base import Result
from tauscope.words import agree, count, escape, isolated, label_of_missing, listed, quoted_level

CASES = Path(__file__).parent / "wire" / "isolated.json"
HEBREW, ARABIC = "גיל", "دخل"
NAMES = [HEBREW, ARABIC, f"{HEBREW} ({HEBREW})", f"{HEBREW} {ARABIC}", f"{HEBREW}_1", f"age_{ARABIC}", "a\u202eb"]
FRAMES = [
    "21.2 < {} ≤ 22.4", "{}: 2 → 3", "{} is a or missing", "{}, {}", "{} 45.0 on average (was 38.6)", "20 % of {}",
]  # fmt: skip


@pytest.mark.parametrize(("n", "words"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1082, "1,082 rows")])
def test_a_count_agrees_with_its_noun(n, words):
    assert count(n, "row") == words
    assert count(n, "row is", "rows are") == words + agree(n, " is", " are")


def test_names_are_listed():
    assert [listed(list(string.ascii_lowercase[:n]), "or") for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_isolated_and_nothing_else(name, frame):
    text = frame.format(*[name] * frame.count("{}"))
    found = isolated(text)
    assert found.replace("\u2068", "").replace("\u2069", "") == text
    assert found == frame.format(*[f"\u2068{name}\u2069"] * frame.count("{}")) == isolated(found)
    assert escape(text) == isolated(escape(text))


def test_other_texts_are_as_they_were():
    for text in ("age ≤ 26, naïve 年齢 → −3 %", "", "é" * 100_000):
        assert isolated(text) is text or isolated(text) == text


def test_the_page_isolates_the_same():
    texts = [frame.format(*[name] * frame.count("{}")) for frame in FRAMES for name in NAMES]
    wanted = [{"text": text, "isolated": isolated(text)} for text in texts]
    assert json.loads(CASES.read_text("utf-8")) == wanted


@pytest.mark.parametrize("level", ["good, paid", "bad or late", "one and two", "a; b"])
def test_a_level_that_reads_as_several_is_one_in_every_sentence(level):
    assert listed([*map(quoted_level, ["x", level, "y"])], "or") == f"x, “{level}” or y"
    X = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0] * 20, "note": [level, "x", "y", level] * 20})
    study = ts.Study(lambda Z: (Z.note == level).to_numpy().astype(int), X, np.arange(80) % 2, progress=False)
    assert f"“note = {level}” for " in study.reweight(ts.Share("note", level, 0.4)).population
    assert f"note = {level}" in study.stress_curves(taus=3).feature_names
    assert f"“{level}”" in str(study.sufficient(0))
    assert f"“{level}”" in str(study.rules(0))


@pytest.mark.parametrize("level", ["missing", "nan", "None", "", " ", "NA", "no value", " a"])
def test_a_level_that_reads_as_none_is_quoted(level):
    assert quoted_level(level) == f"“{level}”"


def test_other_levels_are_as_they_are():
    assert [quoted_level(level) for level in ("a", "other", "1", "True")] == ["a", "other", "1", "True"]
    assert [label_of_missing(levels) for levels in (["a"], ["missing"], ["missing", "no value"])] == [
        "missing", "no value", "(no value)",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("level", ["missing", "nan", "None", "", " ", "other", "1"])
def test_no_value_and_a_level_have_conditions_of_their_own(level):
    random = np.random.default_rng(1)
    note = pd.Series([level, None, "a", "b"] * 30, dtype=object)
    X = pd.DataFrame({"age": random.integers(18, 80, 120), "note": note})

    def score(rows):
        return 1 / (1 + np.exp(3.0 * rows.note.isna() - 3.0 * (rows.note == level)))

    study = ts.Study(score, X, np.arange(120) % 2, progress=False)
    for ask in (study.sufficient, study.rules):
        said = [str(ask(row, features=["note"])).split("\n")[1].split(":")[0] for row in (0, 1)]
        assert said[0] != said[1]


@pytest.mark.slow
def test_every_sentence_of_a_study_isolates_its_names():
    random = np.random.default_rng(0)
    X = pd.DataFrame({HEBREW: random.normal(size=80), ARABIC: random.choice(["א", "ב"], 80)})
    study = ts.Study(lambda Z: (Z[HEBREW] > 0).to_numpy().astype(int), X, (X[HEBREW] > 0.1).astype(int), progress=False)
    results: list[Result] = [
        study.stress_curves(), study.reweight(ts.Mean(HEBREW, shift=0.2)), study.boundary(0), study.effect(HEBREW),
        study.metrics_by(ARABIC),
    ]  # fmt: skip
    for text in map(repr, results):
        assert HEBREW not in text.replace(f"\u2068{HEBREW}", ""), text
    with pytest.raises(ts.UnknownName, match=f"\u2068{HEBREW}x?\u2069|\u2068'"):
        study.effect(f"{HEBREW}x")
