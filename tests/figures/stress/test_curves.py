import json
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest
import vl_convert

from results.samples import HOSTILE, binary_result, made_by_hand, metric, reasons
from tauscope.errors import UnknownName
from tauscope.figures import chart as styled, theme
from tauscope.figures.labels import legible


def panels(chart):
    spec = chart.to_dict()
    for panel in spec["concat"]:
        data = panel.get("data", spec.get("data"))
        panel["rows"] = data["values"] if "values" in data else spec["datasets"][data["name"]]
    return spec, spec["concat"]


def marks(panel):
    return [layer["mark"]["type"] for layer in panel["layer"]]


@pytest.mark.slow
def test_one_panel_per_metric():
    result = binary_result()
    spec, drawn = panels(result.chart())
    assert [panel["title"] for panel in drawn] == [i.label.capitalize() for i in result._curves.metrics]
    assert spec["title"]["text"] == "Stress curves of predictions"
    assert "300 rows, 8 features" in spec["title"]["subtitle"][0]
    assert "5th percentile and 95th percentile" in spec["title"]["subtitle"][0]
    assert "95 % interval" in spec["title"]["subtitle"][1]


@pytest.mark.slow
def test_chosen_metrics_in_the_order_asked():
    _, drawn = panels(binary_result().chart(metrics=["error_rate", "portion_yes"]))
    assert [panel["title"] for panel in drawn] == ["Error rate", "Share predicted yes"]
    _, (one,) = panels(binary_result().chart(metrics="error_rate"))
    assert one["title"] == "Error rate"


@pytest.mark.slow
def test_data_are_the_results():
    result = binary_result()
    _, (panel,) = panels(result.chart(metrics="error_rate", features=["age", HOSTILE], highlight="age"))
    frame = result.frame.set_index(["feature", "metric", "tau"]).sort_index()
    names = {legible(name): name for name in ("age", HOSTILE)}
    assert {row["feature"] for row in panel["rows"]} == set(names)
    for row in panel["rows"]:
        expected = frame.loc[(names[row["feature"]], "error_rate", row["tau"])]
        assert row["value"] == expected["value"]
        assert row["chosen"] == (row["feature"] == "age")
        if row["chosen"]:
            assert [row["lower"], row["upper"], row["note"]] == list(expected[["lower", "upper", "note"]])


def test_few_features_are_named_at_their_ends():
    _, (panel,) = panels(binary_result().chart(metrics="error_rate", features=["age", HOSTILE]))
    assert "text" in marks(panel)
    named = [row["feature"] for row in panel["rows"] if row["label_y"] is not None]
    assert named == ["age", legible(HOSTILE)]


@pytest.mark.slow
def test_many_features_get_a_legend():
    names = {f"x{i}": [0.0, 1, 2] for i in range(9)}
    _, (panel,) = panels(made_by_hand(names).chart(features=list(names)))
    assert "text" not in marks(panel)
    colors = [layer["encoding"]["color"] for layer in panel["layer"] if "color" in layer.get("encoding", {})]
    assert all(color["legend"]["title"] == "feature" for color in colors)
    assert len(panel["rows"]) == 9 * 5


@pytest.mark.slow
def test_what_is_wide_or_unreliable_is_drawn_apart():
    result = made_by_hand(reason=reasons(["", "", "", "few_events", "few_rows_beyond"], [""] * 5))
    _, (panel,) = panels(result.chart(features="a"))
    assert [row["run"] for row in panel["rows"]] == [0, 0, 0, -1, -1]
    assert [row["band"] for row in panel["rows"]] == [0, 0, 0, 0, -1]
    assert [row["reliability"] for row in panel["rows"]] == ["reliable"] * 3 + ["wide", "unreliable"]
    assert panel["rows"][3]["note"] == "wide: 7 effective events: read the interval, not the number"
    wide = [layer for layer in panel["layer"] if {"filter": "datum.band >= 0"} in layer.get("transform", [])]
    assert [layer["mark"]["type"] for layer in wide] == ["area", "line"]
    solid = [layer for layer in panel["layer"] if {"filter": "datum.run >= 0"} in layer.get("transform", [])]
    assert [layer["mark"]["type"] for layer in solid] == ["line", "line"]
    dotted = [layer["mark"] for layer in panel["layer"] if layer["mark"].get("strokeDash") == [1, 3]]
    assert [mark["type"] for mark in dotted] == ["line", "rule", "line"]
    _, (panel,) = panels(result.chart(features=["a", "b"], highlight="b"))
    assert [row["run"] for row in panel["rows"] if row["feature"] == "a"] == [0, 0, 0, -1, -1]
    grey = [layer["mark"] for layer in panel["layer"] if {"filter": "!datum.chosen"} in layer["transform"]]
    assert [mark.get("opacity") for mark in grey] == [theme.FADED_LINE, None]


def test_unreliable_grey_curves_do_not_set_the_axis():
    value = np.array([[[0.4, 0.45, 0.5, 0.55, 0.6]], [[0.45, 0.5, 0.5, 0.5, 1.0]]])
    chart = made_by_hand(value=value, reason=reasons([""] * 5, ["", "", "", "", "few_rows_beyond"])).chart(
        highlight="a"
    )
    _, (panel,) = panels(chart)
    domains = [
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in panel["layer"]
        if "scale" in layer["encoding"].get("y", {})
    ]
    assert domains
    assert all(domain == pytest.approx([0.35, 0.65]) for domain in domains)


@pytest.mark.slow
def test_labels_have_the_room_they_were_measured_for():
    with alt.theme.enable(styled.THEME):
        spec = binary_result().chart(metrics="error_rate").to_dict()
    padding = spec["config"]["padding"]
    assert padding["right"] >= padding["left"] + 20

    def width(font):
        svg = vl_convert.vegalite_to_svg(json.dumps(spec).replace(json.dumps(theme.FONT), json.dumps(font)))
        return ElementTree.fromstring(svg).get("width")

    assert theme.FONT.split(", ")[:2] == ["Arial", "Helvetica"]
    assert width(theme.FONT) == width("Liberation Sans")


def test_baseline_stands_at_tau_zero():
    _, (panel,) = panels(made_by_hand().chart())
    rules = [layer for layer in panel["layer"] if layer["mark"]["type"] == "rule"]
    assert [set(layer["encoding"]) for layer in rules] == [{"y"}, {"x"}]
    assert all({"filter": "datum.tau == 0"} in layer["transform"] for layer in rules)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "words"), [("share", theme.AXIS_SHARE), ("value", theme.AXIS_VALUE)])
def test_axis_reads_as_the_metric_does(kind, words):
    _, (panel,) = panels(made_by_hand(metrics=(metric("i", kind),)).chart())
    axes = [layer["encoding"]["y"]["axis"] for layer in panel["layer"] if "axis" in layer["encoding"].get("y", {})]
    assert axes
    assert {axis["labelExpr"] for axis in axes} == {words}


def test_numbers_that_are_not_finite_become_null():
    value = np.full((2, 1, 5), np.nan)
    chart = made_by_hand(value=value, upper=np.full((2, 1, 5), np.inf)).chart()
    json.dumps(chart.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_more_rows_than_altairs_limit():
    names = {f"x{i}": [0.0, 1, 2] for i in range(30)}
    result = made_by_hand(names, taus=np.linspace(-1, 1, 201))
    _, (panel,) = panels(result.chart())
    assert len(panel["rows"]) == 30 * 201 > 5000


@pytest.mark.slow
def test_chart_can_be_restyled():
    chart = binary_result().chart(metrics="error_rate")
    assert isinstance(chart, alt.ConcatChart)
    styled = chart.configure_axis(labelColor="red").properties(title="Mine").to_dict()
    assert (styled["config"]["axis"]["labelColor"], styled["title"]) == ("red", "Mine")


@pytest.mark.slow
def test_chart_compiles_and_draws():
    svg = vl_convert.vegalite_to_svg(binary_result().chart(metrics=["portion_yes", "error_rate"]).to_json())
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_names_that_are_not_there():
    with pytest.raises(UnknownName, match="no metric 'eror'"):
        binary_result().chart(metrics="eror")
    with pytest.raises(UnknownName, match="Nearest: 'age'"):
        binary_result().chart(features=["agee"])
