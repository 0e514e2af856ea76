"""Charts of metrics over thresholds."""

import pytest

import tauscope as ts
from results import every


def rows(chart, layer):
    """Return the data of a layer, wherever they stand."""
    data = layer["data"]
    return data["values"] if "values" in data else chart["datasets"][data["name"]]


@pytest.fixture(scope="module")
def result():
    return every.result("thresholds")


def test_a_panel_for_each_metric_with_a_line_for_each_group(result):
    chart = result.chart(["cost", "error_rate"]).to_dict()
    assert [panel["title"] for panel in chart["concat"]] == ["cost per row", "error rate"]
    assert chart["concat"][0]["layer"][2]["encoding"]["color"]["field"] == "group"
    assert {row["group"] for row in rows(chart, chart["concat"][0]["layer"][0])} == {"x", "y", "z"}
    # the interval of the best, of each group, in the panel of the cost alone
    bars = chart["concat"][0]["layer"][-3:]
    assert len(chart["concat"][0]["layer"]) == len(chart["concat"][1]["layer"]) + len(bars)
    assert [rows(chart, bar)[0]["group"] for bar in bars] == ["x", "y", "z"]
    assert len({bar["encoding"]["y"]["value"] for bar in bars}) == 3


def test_without_groups_there_is_one_line_and_the_present_threshold():
    curves = every.fitted().threshold_curves(metrics="recall")
    chart = curves.chart("recall").to_dict()
    panel = chart["concat"][0]
    assert panel["layer"][2]["encoding"]["color"] == {"value": panel["layer"][0]["encoding"]["color"]["value"]}
    assert rows(chart, panel["layer"][3]) == [{"threshold": 0.5}]


@pytest.mark.parametrize(("by", "where"), [(None, "at "), ("c", "x at ")])
def test_a_best_threshold_above_every_score_is_said(by, where):
    above = "Least cost above every score of these rows, so that none is decided positive: "
    dear, cheap = (every.study().threshold_curves(cost={"fp": 1, name: 1}, by=by) for name in ("tp", "fn"))
    assert dear.chart("cost").to_dict()["title"]["subtitle"][-1].startswith(above + where)
    assert above not in " ".join(cheap.chart("cost").to_dict()["title"]["subtitle"])


def test_metrics_that_are_not_there_are_refused(result):
    with pytest.raises(ts.errors.UnknownName, match="'recal'"):
        result.chart("recal")
