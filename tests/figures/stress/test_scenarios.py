"""Charts of scenarios side by side."""

import pytest

import tauscope as ts
from results import every


def found():
    return every.result("scenarios")


def test_a_panel_for_each_metric_with_every_population():
    chart = found().chart().to_dict()
    assert [panel["title"] for panel in chart["concat"]] == [metric.label for metric in found().metrics]
    assert "Rings: as tested" in " ".join(chart["title"]["subtitle"])
    drawn = chart["datasets"][chart["concat"][0]["data"]["name"]]
    mine = found().frame[found().frame["metric"] == found().metrics[0].name]
    assert [row["group"] for row in drawn] == ["as tested", "more a", "less d"]
    assert [(row["value"], row["lower"], row["before"]) for row in drawn] == list(
        zip(mine["value"], mine["lower"], mine["before"], strict=True)
    )


def test_metrics_are_chosen():
    assert len(found().chart("error_rate").to_dict()["concat"]) == 1
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        found().chart("eror_rate")
    with pytest.raises(ts.InputError, match="At least one metric"):
        found().chart([])
