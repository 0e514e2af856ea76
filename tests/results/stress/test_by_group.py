"""Metrics by group as a result: its words, tables and files."""

import json

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results import every


def found():
    return every.result("metrics by group")


def test_words():
    text = repr(found())
    assert found().title == "Metrics of a function by c, d"
    assert text.startswith("Metrics of a function by c, d: a ")
    assert "The population moves as a whole (a marginal shift); shares of groups follow." in text
    assert "and 48 more in .frame" in text
    assert text.count(", worst ") == sum(found().gaps["worst"] != "")


def test_a_gap_says_how_reliable_it_is():
    said = {line.partition(":")[0].strip(): line for line in repr(found()).splitlines() if " − " in line}
    for row in found().gaps.itertuples():
        assert said[row.metric].endswith(f", {row.reliability}") == (row.reliability != "reliable")
    assert {"wide", "unreliable"} & set(found().gaps["reliability"])


def test_gaps_follow_from_the_frame():
    frame, gaps = found().frame, found().gaps.set_index("metric")
    for name, mine in frame.groupby("metric"):
        known = mine[mine["value"].notna()].set_index("group")["value"]
        row = gaps.loc[name]
        assert (row["largest"], row["smallest"]) == (known.idxmax(), known.idxmin())
        assert row["gap"] == pytest.approx(np.ptp(known))
        assert row["gap_lower"] <= row["gap"] <= row["gap_upper"] or np.isnan(row["gap_upper"])
    assert gaps.loc["error_rate", "worst"] == gaps.loc["error_rate", "largest"]
    assert gaps.loc["true_positive_rate", "worst"] == gaps.loc["true_positive_rate", "smallest"]
    assert gaps.loc["portion_1", "worst"] == ""


def test_tables_are_fresh():
    for table, name in ((found().frame, "value"), (found().gaps, "gap")):
        table[name] = 0.0
    assert found().frame["value"].nunique() > 1
    assert found().gaps["gap"].nunique() > 1


def test_files(tmp_path):
    found().save(tmp_path / "by.csv")
    read = pd.read_csv(tmp_path / "by.csv", keep_default_na=False, na_values=[""])
    np.testing.assert_allclose(read["value"], found().frame["value"])
    found().save(tmp_path / "by.json")
    document = json.loads((tmp_path / "by.json").read_text())["summary"]
    assert document["by"] == "c, d"
    assert len(document["records"]) == len(found().frame)


def test_without_a_study_it_says_so():
    moved = every.study().reweight(ts.Mean("a", tau=0.4))
    with pytest.raises(ts.InputError, match="refers to no study"):
        ts.Reweighting.by(type(moved)(**{**vars(moved), "source": None}), "c")
