"""Effects of rows in chunks as charts: what is drawn, and what is said."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples


def made(feature, **options):
    model, X, _ = samples.fitted()
    return ts.ChunkedStudy(model, [X[:100], X[100:]]).effect(feature, **({"grid": 6} | options))


def drawn(result):
    """The chart, and the records of its curve: those with both ends of the interval."""
    spec = result.chart().to_dict()
    return spec, next(records for records in spec["datasets"].values() if "effect" in records[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_a_curve_has_its_numbers_and_its_interval(kind):
    result = made("fare", kind=kind)
    spec, records = drawn(result)
    got = pd.DataFrame(records)
    np.testing.assert_allclose(got[["effect", "lower", "upper"]], result.frame[["effect", "lower", "upper"]])
    assert got["n"].tolist() == result.frame["n"].tolist()
    curve, strip = spec["vconcat"]
    assert [layer["mark"]["type"] for layer in curve["layer"]][:3] == ["area", "line", "point"]
    words = " ".join(spec["title"]["subtitle"])
    assert "240 rows in chunks" in words
    assert "95 % interval of the mean" in words
    assert curve["layer"][1]["encoding"]["y"]["title"] == drawn_title(result)
    bars = spec["datasets"][strip["data"]["name"]]
    seen = ~np.isnan(result._axes[0].data)
    assert sum(bar["share"] for bar in bars) == pytest.approx(seen.mean())


def drawn_title(result):
    """What stands at the axis of the effect, as that of the same effect from rows in memory."""
    model, X, _ = samples.fitted()
    spec = ts.Study(model, X).effect(result.feature_names[0], kind=result.kind, grid=6).chart(n_ice=0).to_dict()
    return spec["vconcat"][0]["layer"][1]["encoding"]["y"]["title"]


def test_weights_say_what_they_leave():
    result = replace(made("fare"), ess=120.4, _weighted=True)
    assert "Weighted rows: effective sample 120 of 240." in drawn(result)[0]["title"]["subtitle"]


def test_levels_are_points_in_their_order():
    result = made("grade")
    spec, records = drawn(result)
    assert [record["value"] for record in records] == list(result._axes[0].labels)
    points, shares = spec["hconcat"]
    assert [layer["mark"]["type"] for layer in points["layer"]] == ["rule", "point"]
    assert sum(bar["share"] for bar in spec["datasets"][shares["data"]["name"]]) == pytest.approx(1)
