"""Two models side by side: the text and the files."""

import json
from typing import Any

import pandas as pd

from results import every


def found() -> Any:
    return every.result("models")


def test_the_text_has_both_models_and_their_difference():
    said = repr(found()).splitlines()
    assert said[0] == "new against old: 160 rows"
    assert said[1].split() == ["metric", "old", "new", "difference", "95", "%"]
    row = found().frame.iloc[0]
    assert said[2].split()[:3] == ["as", "tested", row["metric"]]
    assert sum(line.startswith("  under the stress") for line in said) == len(found().metrics)
    assert any(line.startswith("  a ") and "on average (was " in line for line in said)
    assert said[-1].startswith("  Differences, the second model less the first")


def test_files(tmp_path):
    found().save(tmp_path / "c.json")
    document = json.loads((tmp_path / "c.json").read_text("utf-8"))["summary"]
    assert (document["schema"], document["version"]) == ("tauscope.model_comparison", 1)
    assert document["models"] == ["old", "new"]
    found().save(tmp_path / "c.csv")
    assert len(pd.read_csv(tmp_path / "c.csv")) == len(document["records"]) == len(found().frame)
