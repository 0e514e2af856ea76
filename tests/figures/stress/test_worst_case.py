"""Charts of a worst case."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import vl_convert

import tauscope as ts
from results import every
from tauscope.errors import InputError


def rows(chart, layer):
    """Return the data of a layer, wherever they stand."""
    data = layer["data"]
    return data["values"] if "values" in data else chart["datasets"][data["name"]]


@pytest.fixture(scope="module")
def result():
    return every.result("worst case")


def test_margins_are_those_of_the_frame(result):
    chart = result.chart().to_dict()
    drawn = rows(chart, chart["layer"][2])
    assert [row["feature"] for row in drawn] == result.frame["feature"].tolist()
    assert [row["smd"] for row in drawn] == pytest.approx(result.frame["smd"].tolist())
    assert result.allowed in chart["title"]["subtitle"]
    assert any("held out" in line for line in chart["title"]["subtitle"])


@pytest.mark.parametrize("made_by", ["reweight", "towards", "worst_case"])
def test_differences_of_means_leave_room_between_their_labels(made_by):
    age = np.linspace(20, 80, 200)
    study = ts.Study.from_predictions(pd.DataFrame({"age": age}), np.arange(200) % 2, np.arange(200) % 3 % 2)
    older = 0.25 * float(age.std())
    made = {
        "reweight": lambda: study.reweight(ts.Mean("age", shift=older)),
        "towards": lambda: study.towards({"age": 50 + older}),
        "worst_case": lambda: study.worst_case("error_rate", within={"age": older}, held_out=0),
    }[made_by]()
    drawn = ElementTree.fromstring(vl_convert.vegalite_to_svg(made.chart().to_dict()))
    (axis,) = (g for g in drawn.iter() if g.get("aria-label", "").startswith("X-axis titled"))
    labels = axis.findall(".//{*}g[@class='mark-text role-axis-label']/{*}text")
    places = np.array([float(label.get("transform", "").removeprefix("translate(").split(",")[0]) for label in labels])
    assert len(places) > 3
    assert np.diff(places).min() > 8 * max(len(label.text or "") for label in labels)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "field", "title"),
    [
        ("worst case", "amount", "part of the moves allowed"),
        ("worst case over rows", "tv", "total variation, share of the weight moved"),
        ("worst case reached", "kl", "KL, nats"),
    ],
)
def test_the_path_is_over_the_distance(name, field, title):
    chart = every.result(name).chart("path").to_dict()
    x = chart["layer"][1]["encoding"]["x"]
    assert (x["field"], x["title"]) == (f"{field}:Q".split(":")[0], title)
    drawn = rows(chart, chart["layer"][1])
    assert len(drawn) == 11
    assert [row["value"] for row in drawn] == pytest.approx(every.result(name).path()["value"].tolist())
    assert len(rows(chart, chart["layer"][0])) == 10  # the rows as they are have no interval here


def test_another_kind_is_refused(result):
    with pytest.raises(InputError, match="kind must be one of margins, path; got 'bars'"):
        result.chart("bars")
