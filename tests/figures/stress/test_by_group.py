"""Charts of metrics by group."""

import pytest

import tauscope as ts
from results import every


def found():
    return every.result("metrics by group")


def test_a_panel_for_each_metric_with_every_group():
    chart = found().chart().to_dict()
    assert [panel["title"] for panel in chart["concat"]] == [metric.label for metric in found().metrics]
    assert "marginal shift" in " ".join(chart["title"]["subtitle"])
    drawn = chart["datasets"][chart["concat"][0]["data"]["name"]]
    mine = found().frame[found().frame["metric"] == found().metrics[0].name]
    assert [row["group"] for row in drawn] == mine["group"].tolist()
    assert [row["value"] for row in drawn] == mine["value"].tolist()


def test_rows_as_they_are_stand_under_no_stress():
    unmoved = found().source.metrics_by("c", metrics="error_rate")
    said = " ".join(unmoved.chart().to_dict()["title"]["subtitle"])
    assert said == "the rows as they are Dots: with intervals; hollow ones are unreliable."


@pytest.mark.parametrize("metrics", ["error_rate", ["error_rate", "portion_1"]])
def test_metrics_are_chosen(metrics):
    assert len(found().chart(metrics).to_dict()["concat"]) == len([metrics] if isinstance(metrics, str) else metrics)


def test_a_metric_that_is_not_there_is_refused():
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        found().chart("eror_rate")
    with pytest.raises(ts.InputError, match="At least one metric"):
        found().chart([])
