"""Scenarios side by side: the table, the text and the files."""

import json

import pandas as pd

from results import every


def found():
    return every.result("scenarios")


def test_the_table_has_a_row_for_each_metric():
    table, frame = found().table, found().frame
    assert table.index.tolist() == [metric.name for metric in found().metrics]
    assert list(dict.fromkeys(table.columns.get_level_values(0))) == ["as tested", "more a", "less d"]
    mine = frame[(frame["scenario"] == "less d") & (frame["metric"] == "error_rate")].iloc[0]
    for name in ("value", "lower", "upper", "reliability"):
        assert table.loc["error_rate", ("less d", name)] == mine[name]


def test_the_text_says_what_moves_and_how_much_is_left():
    said = repr(found()).splitlines()
    assert said[0] == f"Scenarios of {found().model_name}: more a, less d; 160 rows"
    assert said[1].split() == ["metric", "as", "tested", "more", "a", "less", "d"]
    effective = next(line for line in said if "effective rows" in line).split()
    assert effective[2:] == ["160", *(f"{one.ess:.0f}" for one in found().populations)]
    assert any(line.startswith("  more a: a ") and "on average (was " in line for line in said)
    assert "not of differences" in said[-1]


def test_files(tmp_path):
    found().save(tmp_path / "s.json")
    document = json.loads((tmp_path / "s.json").read_text("utf-8"))["summary"]
    assert (document["schema"], document["version"]) == ("tauscope.scenario_comparison", 1)
    assert [one["name"] for one in document["scenarios"]] == ["more a", "less d"]
    assert document["scenarios"][1]["taus"] == {"d": -0.3, "c = x": 0.2}
    found().save(tmp_path / "s.csv")
    assert len(pd.read_csv(tmp_path / "s.csv")) == len(document["records"]) == len(found().frame)
