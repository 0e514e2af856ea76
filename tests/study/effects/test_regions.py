"""Regions, heterogeneity and centred curves of an effect, against their definitions."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError, UnknownName

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(400, 3)), columns=list("abc"))
X["level"] = RANDOM.choice(["u", "v", "w"], 400)
X["two"] = RANDOM.choice(["yes", "no"], 400)
X["flag"] = RANDOM.random(400) < 0.5
X["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(RANDOM.integers(0, 900, 400), unit="D")
X["gone"] = np.where(RANDOM.random(400) < 0.3, np.nan, X["b"])


def split_by(condition):
    return lambda rows: rows["a"] * np.where(condition(rows), 1.0, -1.0) + rows["c"]


@pytest.mark.parametrize(
    ("condition", "names", "features"),
    [
        (lambda X: X["b"] > 0, ("b ≤ 0.000489", "b > 0.000489"), None),
        (lambda X: X["level"] == "w", ("level is not w", "level is w"), None),
        (lambda X: X["two"] == "yes", ("two is no", "two is yes"), None),
        (lambda X: X["flag"], ("flag is False", "flag is True"), None),
        (lambda X: X["when"] > "2021-03-01", ("when ≤ 2021-03-01", "when > 2021-03-01"), None),
        (lambda X: X["gone"].isna(), ("gone", "gone"), ["gone"]),
    ],
)
def test_the_split_that_is_there_is_found(condition, names, features):
    study = ts.Study(split_by(condition), X)
    found = study.effect("a", grid=9).regions(features)
    first, second = found.names
    if names == ("gone", "gone"):
        assert "missing" in first + second
        assert found.feature == "gone"
        return
    assert {first, second} == set(names) or (first.startswith(names[0][:6]) and second.startswith(names[1][:6]))
    assert found.reduction == pytest.approx(1, abs=0.02)
    for which in (0, 1):
        part = study.where(found.mask(which)).effect("a", grid=found.effect.frame["value"].tolist())
        np.testing.assert_allclose(part.frame["effect"], found._computed.regions[which].effect, atol=1e-12)
    assert found.summary["rows"].tolist()[0] == 400
    assert found.summary["rows"][1:].sum() == 400
    assert "less squared spread" in found.sentence


def test_no_split_where_curves_are_parallel_or_nothing_helps():
    study = ts.Study(split_by(lambda X: X["b"] > 0), X)
    parallel = study.effect("c", grid=9).regions()
    assert parallel.names == ()
    assert parallel.frame.empty
    assert "parallel" in repr(parallel)
    hidden = study.effect("a", grid=9).regions(["c"])
    assert hidden.status == "small reduction"
    assert "less than min_reduction, 10 %" in hidden.message
    assert study.effect("a", grid=9).regions("c", min_reduction=0.0).names
    assert study.effect("a", grid=9).regions(min_share=0.45).names
    with pytest.raises(InputError, match="There are 0 regions"):
        parallel.mask(0)
    parallel.chart().to_dict()


@pytest.mark.slow
def test_spread_and_centred_curves_by_definition():
    effect = ts.Study(split_by(lambda X: X["b"] > 0), X).effect("a", grid=7)
    curves = effect.ice.to_numpy()
    shapes = curves - curves.mean(axis=1, keepdims=True)
    frame = effect.heterogeneity
    np.testing.assert_allclose(frame["spread"], shapes.std(axis=0))
    assert frame["share"].nunique() == 1
    assert 0.9 < frame["share"][0] <= 1
    np.testing.assert_allclose(effect.centred_ice().iloc[:, 0], 0)
    middle = effect.frame["value"][3]
    np.testing.assert_allclose(effect.centred_ice(at=middle), curves - curves[:, [3]])
    chart = effect.chart(centred=middle).to_dict()
    assert "from" in chart["title"]["subtitle"][1]
    effect.chart(centred=True).to_dict()


def test_charts_and_files(tmp_path):
    effect = ts.Study(split_by(lambda X: X["two"] == "yes"), X).effect("a", grid=7)
    found = effect.regions()
    assert found.chart().to_dict()["layer"]
    found.save(tmp_path / "regions.json")
    assert ts.load(tmp_path / "regions.json").feature == "two"
    levels = ts.Study(lambda X: (X["level"] == "u") * X["b"], X).effect("level").regions()
    assert levels.feature == "b"
    levels.chart().to_dict()


def test_what_is_refused():
    study = samples.study()
    effect = study.effect("age", grid=5)
    with pytest.raises(InputError, match="Regions are of kind='pd'"):
        study.effect("age", kind="ale").regions()
    with pytest.raises(InputError, match="one feature"):
        study.effect(["age", "fare"], grid=4).heterogeneity  # noqa: B018
    with pytest.raises(UnknownName, match="fare"):
        effect.regions(["fair"])
    with pytest.raises(InputError, match="min_share must lie in"):
        effect.regions(min_share=0)
    with pytest.raises(InputError, match=r"study.under\(stress\)"):
        effect.under(ts.Mean("fare", tau=0.2)).after.regions()
    with pytest.raises(InputError, match="not kept"):
        study.effect("fare", grid=5, ice_bytes=0).regions()
    model, rows, y = samples.grades()
    several = ts.Study(model, rows, y).effect("a", grid=5)
    with pytest.raises(InputError, match="One class is needed"):
        several.regions()
    assert several.regions(target_class="y", min_reduction=0.0)._output == 1
    assert several.heterogeneity["class"].unique().tolist() == ["x", "y", "z"]
    with pytest.raises(InputError, match="centred is of kind='pd'"):
        study.effect("age", kind="ale").chart(centred=True)
