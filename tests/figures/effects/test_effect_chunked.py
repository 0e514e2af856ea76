"""Effects of rows in chunks as charts: what is drawn, and what is said."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

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


@pytest.mark.slow
def test_missing_values_are_said():
    spec, records = drawn(made("age"))
    assert all(record["value"] is not None for record in records)
    assert any(line.startswith("Where age is missing: ") for line in spec["title"]["subtitle"])


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


def test_two_features_are_a_map():
    result = made(["fare", "sex"], grid=4)
    records = drawn(result)[1]
    assert len(records) == result._computed.effect.size
    assert {record["second"] for record in records} == {"female", "male"}
    assert sum(record["n"] for record in records) == result._computed.n.sum()


@pytest.mark.slow
def test_classes_have_their_colours_and_maps():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    y = np.digitize(X["a"] + X["b"], [-0.7, 0.7])
    study = ts.ChunkedStudy(LogisticRegression().fit(X, y), [X[:150], X[150:]])
    curve = study.effect("a", grid=5).chart().to_dict()["vconcat"][0]
    assert curve["layer"][1]["encoding"]["color"]["scale"]["domain"] == ["0", "1", "2"]
    maps = study.effect(["a", "b"], grid=4).chart().to_dict()
    assert [one["title"] for one in maps["hconcat"]] == ["0", "1", "2"]
