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
    spec = result.chart().to_dict()
    return spec, next(iter(spec["datasets"].values()))


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_a_curve_has_its_numbers_and_its_interval(kind):
    result = made("fare", kind=kind)
    spec, records = drawn(result)
    got = pd.DataFrame(records)
    np.testing.assert_allclose(got[["effect", "lower", "upper"]], result.frame[["effect", "lower", "upper"]])
    assert got["n"].tolist() == result.frame["n"].tolist()
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["area", "line", "point"]
    words = " ".join(spec["title"]["subtitle"])
    assert "240 rows in chunks" in words
    assert "95 % interval of the mean" in words
    assert spec["layer"][1]["encoding"]["y"]["title"] == result.response + (", centred" if kind == "ale" else "")


def test_missing_values_are_said():
    spec, records = drawn(made("age"))
    assert all(record["value"] is not None for record in records)
    assert any(line.startswith("Where age is missing: ") for line in spec["title"]["subtitle"])


def test_weights_say_what_they_leave():
    result = replace(made("fare"), ess=120.4)
    assert "240 rows in chunks (effective sample 120)" in drawn(result)[0]["title"]["subtitle"][0]


def test_levels_are_points_in_their_order():
    result = made("grade")
    spec, records = drawn(result)
    assert [record["value"] for record in records] == list(result.axes[0].labels)
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rule", "point"]
    assert spec["layer"][0]["encoding"]["y"]["sort"] is None


def test_two_features_are_a_map():
    result = made(["fare", "sex"], grid=4)
    spec, records = drawn(result)
    assert len(records) == result.effect.size
    assert {record["second"] for record in records} == {"female", "male"}
    assert sum(record["n"] for record in records) == result.n.sum()
    assert "y2" not in spec["hconcat"][0]["encoding"]


def test_classes_have_their_colours_and_maps():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    y = np.digitize(X["a"] + X["b"], [-0.7, 0.7])
    from sklearn.linear_model import LogisticRegression

    study = ts.ChunkedStudy(LogisticRegression().fit(X, y), [X[:150], X[150:]])
    curve = study.effect("a", grid=5).chart().to_dict()
    assert curve["layer"][1]["encoding"]["color"]["scale"]["domain"] == ["0", "1", "2"]
    maps = study.effect(["a", "b"], grid=4).chart().to_dict()
    assert [one["title"] for one in maps["hconcat"]] == ["0", "1", "2"]
