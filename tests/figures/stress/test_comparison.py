"""Charts of two models side by side."""

import pytest

import tauscope as ts
from results import every


def drawn(result):
    chart = result.chart().to_dict()
    place = [metric.name for metric in result.metrics].index("error_rate")
    return chart["datasets"][chart["concat"][place]["data"]["name"]]


def test_a_line_for_each_model_with_where_it_was():
    result = every.result("models")
    mine = result.frame[result.frame["metric"] == "error_rate"].set_index("population")
    under, tested = mine.loc["under the stress"], mine.loc["as tested"]
    rows = drawn(result)
    assert [row["group"] for row in rows] == ["old", "new"]
    assert [row["value"] for row in rows] == [under["first"], under["second"]]
    assert [row["before"] for row in rows] == [tested["first"], tested["second"]]
    assert [row["upper"] for row in rows] == [under["first_upper"], under["second_upper"]]
    assert len(result.chart().to_dict()["concat"]) == len(result.metrics)


def test_without_a_stress_it_is_as_tested():
    rows = drawn(ts.compare(every.study(), every.other()))
    assert [row["before"] for row in rows] == [row["value"] for row in rows]


def test_metrics_are_chosen():
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        every.result("models").chart("eror_rate")
