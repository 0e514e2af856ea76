"""Charts of the way to another population."""

import numpy as np
import pytest

import tauscope as ts
from results import every


def found() -> ts.TargetPopulation:
    return every.result("towards")


def test_a_love_plot_has_each_feature_before_and_after() -> None:
    chart = found().chart().to_dict()
    drawn = chart["datasets"][chart["layer"][2]["data"]["name"]]
    balance = found().balance
    assert [row["feature"] for row in drawn] == balance["feature"].tolist()
    assert [row["smd_before"] for row in drawn] == balance["smd_before"].tolist()
    assert [row["smd_after"] for row in drawn] == balance["smd_after"].tolist()
    assert "Every margin is met." in chart["title"]["subtitle"]


def test_many_features_are_the_farthest_and_it_says_so() -> None:
    X = np.random.default_rng(0).normal(size=(200, 40))
    study = ts.Study.from_predictions(X, X[:, 0] > 0, X[:, 1] > 0)
    chart = study.towards(X[:90] + np.linspace(0, 0.4, 40), features=["x0"]).chart().to_dict()
    drawn = chart["datasets"][chart["layer"][2]["data"]["name"]]
    assert len(drawn) == 30
    assert any("The 30 features farthest before, of 40." in line for line in chart["title"]["subtitle"])


def test_metrics_have_what_was_expected_and_what_is_observed() -> None:
    chart = found().chart("metrics").to_dict()
    titles = [panel["title"] for panel in chart["concat"]]
    assert titles == [metric.label for metric in found()._metric_definitions]
    drawn = chart["datasets"][chart["concat"][1]["data"]["name"]]
    row = found().metrics.iloc[1]
    assert [one["group"] for one in drawn] == ["expected", "observed"]
    assert [one["value"] for one in drawn] == [row["value"], row["observed"]]
    assert drawn[1]["before"] is None
    alone = every.study().towards(every.rows()[0][:60]).chart("metrics").to_dict()
    assert len(alone["datasets"][alone["concat"][0]["data"]["name"]]) == 1


def test_few_new_rows_are_drawn_as_doubtful() -> None:
    X, y = every.rows()
    chart = every.study().towards(X[:9], y[:9]).chart("metrics").to_dict()
    levels = [chart["datasets"][one["data"]["name"]][1]["reliability"] for one in chart["concat"]]
    assert set(levels) - {"reliable"}


def test_differences_of_shares_stand_on_one_scale_and_each_value_on_its_own() -> None:
    there = found()
    chart = there.chart("difference").to_dict()
    metrics = there.metrics.assign(kind=[metric.kind for metric in there._metric_definitions])
    n_shares = int((metrics["kind"] == "share").sum())
    assert len(chart["concat"]) == 1 + len(metrics) - n_shares
    drawn = chart["datasets"][chart["concat"][0]["layer"][1]["data"]["name"]]
    shares = metrics[metrics["kind"] == "share"]
    assert [row["metric"] for row in drawn] == [m.label for m in there._metric_definitions if m.kind == "share"]
    for name in ("difference", "difference_lower", "difference_upper"):
        assert [row[name] for row in drawn] == shares[name].tolist()
    assert {row["beyond"] for row in drawn} <= {"yes", "no"}
    assert chart["concat"][0]["layer"][1]["encoding"]["x"]["axis"]["title"] == "difference in percentage points"


def test_without_labels_there_is_no_difference_to_draw() -> None:
    with pytest.raises(ts.InputError, match="known of new rows with labels alone"):
        every.study().towards(every.rows()[0][:60]).chart("difference")


def test_another_kind_is_refused() -> None:
    with pytest.raises(ts.InputError, match="kind must be one of balance, metrics, difference; got 'love'"):
        found().chart("love")  # type: ignore[arg-type]
