"""Bars of shifts: a mark for each, whiskers that are their intervals, names that cannot break out."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import tauscope as ts


@pytest.fixture(scope="module")
def harm():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(40, 10, 500), "a <b>level</b> with a name that is long, & more": rng.choice(
        ["x", "y", "z"], 500)})  # fmt: skip
    y = rng.integers(0, 2, 500)
    return ts.Study.from_predictions(X, y, np.where(rng.random(500) < X["age"] / 100, 1 - y, y)).stress_curves().harm()


def test_the_chart_has_a_bar_and_a_whisker_for_each(harm):
    spec = harm.chart(4).to_dict()
    bars, whiskers, _ = spec["layer"]
    rows = next(iter(spec["datasets"].values())) if "datasets" in spec else bars["data"]["values"]
    assert len(rows) == 4
    assert [row["change"] for row in rows] == harm.frame["change"].head(4).tolist()
    assert [(row["lower"], row["upper"]) for row in rows] == [
        tuple(ends) for ends in harm.frame[["lower", "upper"]].head(4).to_numpy().tolist()
    ]
    assert bars["mark"]["type"] == "bar"
    assert whiskers["encoding"]["x2"]["field"] == "upper"


def test_the_picture_is_svg_with_a_bar_for_each_and_escaped_names(harm):
    picture = harm._repr_mimebundle_()[0]["image/svg+xml"]
    root = ElementTree.fromstring(picture)
    bars = [one.get("d").count("M") for one in root.iter("{http://www.w3.org/2000/svg}path") if one.get("fill")]
    assert sum(bars) == len(harm.shown)
    assert "<b>" not in picture
    assert "…" in picture
