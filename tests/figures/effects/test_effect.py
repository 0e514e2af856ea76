"""Charts of effects: the data drawn are the result's, every mark that is promised is there, vl-convert draws them."""

import json
from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert

import tauscope as ts
from results.effects import samples
from stores import study_in
from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.effects.effect import sampled_curves


def spec(chart):
    found = chart.to_dict()
    vl_convert.vegalite_to_vega(found)  # what cannot be compiled raises
    return found


def units(found, data=None):
    """Every mark of a chart, with the data of the nearest group around it."""
    data = found.get("data", data)
    for key in ("layer", "vconcat", "hconcat"):
        if key in found:
            return [unit for part in found[key] for unit in units(part, data)]
    return [found | {"data": data}]


def rows(found, unit):
    data = unit["data"]
    return data["values"] if "values" in data else found["datasets"][data["name"]]


def marks(found):
    return [unit["mark"]["type"] for unit in units(found)]


def effect(name="fare", store="memory", **options):
    study = samples.study() if store == "memory" else study_in(store, *samples.fitted())
    return study.effect(name, **options)


in_every_store = pytest.mark.parametrize("store", ["memory", "chunks"])


@pytest.mark.slow
def test_curve_interval_rows_and_individual_curves():
    found = effect()
    drawn = spec(found.chart(n_ice=7))
    assert marks(drawn) == ["line", "area", "line", "point", "rect"]
    lines, band = (rows(drawn, unit) for unit in units(drawn)[:2])
    assert len({row["row"] for row in lines}) == 7
    frame = found.frame
    for name in ("value", "effect", "lower", "upper", "n"):
        assert [row[name] for row in band] == pytest.approx(frame[name].tolist())
    assert sum(row["share"] for row in rows(drawn, units(drawn)[-1])) == pytest.approx(1)
    assert drawn["title"]["text"] == "Partial dependence of probability of yes on fare"
    assert "Grey: 7 of 240 rows, one by one." in drawn["title"]["subtitle"]
    assert drawn["config"]["font"] == theme.FONT


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cd", "ale"])
def test_other_kinds_have_no_individual_curves(kind):
    drawn = spec(effect(kind=kind).chart())
    assert marks(drawn) == ["area", "line", "point", "rect"]
    y = units(drawn)[1]["encoding"]["y"]
    assert ("centred" in str(y["title"])) == (kind == "ale")
    assert y["axis"]["labelExpr"] == (theme.AXIS_POINTS if kind == "ale" else theme.AXIS_SHARE)


@pytest.mark.slow
def test_differences_of_probabilities_are_in_points():
    changes = (
        effect("port", kind="ale").chart(),
        effect().chart(centred=True),
        effect("port", kind="ale").bounds(0.1).chart(),
    )
    for chart, channel in zip(changes, ("x", "y", "x"), strict=True):
        axis = next(unit["encoding"][channel] for unit in units(spec(chart)) if "axis" in unit["encoding"][channel])
        assert axis["title"][1] == "percentage points"
        assert axis["axis"]["labelExpr"] == theme.AXIS_POINTS
    line = ts.Study(*samples.line()).effect("a", kind="ale").chart()
    y = units(spec(line))[1]["encoding"]["y"]
    assert (y["title"], y["axis"]["labelExpr"]) == ("prediction, centred", theme.AXIS_VALUE)


@pytest.mark.slow
def test_maps_of_differences_of_probabilities_are_in_points():
    pair = ("fare", "rooms")
    for chart, words in (
        (effect(pair, kind="ale").chart(), theme.AXIS_POINTS),
        (effect(pair).under(ts.Mean("age", tau=0.5)).chart(), theme.AXIS_POINTS),
        (effect(pair).compare(samples.boosted()[0]).chart(), theme.AXIS_POINTS),
        (effect(pair).bounds(0.1).chart(), theme.AXIS_WIDTH),
    ):
        legend = units(spec(chart))[0]["encoding"]["color"]["legend"]
        assert legend["title"].endswith(", percentage points")
        assert legend["labelExpr"] == words
    legend = units(spec(effect(pair).chart()))[0]["encoding"]["color"]["legend"]
    assert (legend["title"], legend["labelExpr"]) == ("probability of yes", theme.AXIS_SHARE)


@pytest.mark.slow
def test_individual_curves_are_spread_over_their_height():
    found = effect()
    chosen = sampled_curves(found, 5)
    means = found.ice.mean(axis=1)
    assert chosen.mean(axis=1)[[0, -1]] == pytest.approx([means.min(), means.max()])
    assert len(sampled_curves(found, 1000)) == 240
    assert len(sampled_curves(effect(ice_bytes=0), 5)) == 0
    assert "Grey" not in json.dumps(spec(found.chart(n_ice=0))["title"])
    with pytest.raises(InputError, match="zero or more"):
        found.chart(n_ice=-1)


@pytest.mark.slow
def test_shares_keep_to_their_range_and_others_do_not():
    y = units(spec(effect().chart()))[2]["encoding"]["y"]
    assert 0 <= y["scale"]["domain"][0] < y["scale"]["domain"][1] <= 1
    assert y["axis"]["labelExpr"] == theme.AXIS_SHARE
    line = units(spec(ts.Study(*samples.line()).effect("a").chart()))[2]["encoding"]["y"]
    assert line["scale"]["domain"][0] < 0
    assert line["axis"]["labelExpr"] == theme.AXIS_VALUE


@pytest.mark.slow
@in_every_store
def test_missing_has_its_line_of_words(store):
    drawn = spec(effect("age", store).chart())
    assert any(line.startswith("Where age is missing: ") for line in drawn["title"]["subtitle"])
    assert all(row["value"] is not None for row in rows(drawn, units(drawn)[1]))


@pytest.mark.slow
def test_few_points_are_marked():
    assert marks(spec(effect("rooms").chart(n_ice=0))) == ["area", "line", "point", "point", "rect"]


@pytest.mark.slow
def test_levels_are_points_beside_the_share_of_rows():
    found = effect("port")
    drawn = spec(found.chart())
    assert marks(drawn) == ["rule", "point", "bar"]
    assert [row["value"] for row in rows(drawn, units(drawn)[0])] == ["C", "Q", "S", "missing"]
    shares = {row["value"]: row["share"] for row in rows(drawn, units(drawn)[2])}
    expected = samples.fitted()[1]["port"].value_counts(normalize=True, dropna=False)
    assert shares["S"] == pytest.approx(expected["S"])
    assert shares["missing"] == pytest.approx(expected[expected.index.isna()].iloc[0])


@pytest.mark.slow
def test_weights_are_in_the_histogram_and_in_words():
    study = samples.study().under(ts.Mean("fare", tau=0.9))
    drawn = spec(study.effect("fare").chart())
    plain = spec(effect().chart())
    shares, unweighted = ([row["share"] for row in rows(one, units(one)[-1])] for one in (drawn, plain))
    assert shares != unweighted
    assert any("effective sample" in line for line in drawn["title"]["subtitle"])


@pytest.mark.parametrize(("store", "method"), [("memory", "chart"), ("memory", "bounds"), ("chunks", "chart")])
def test_classes_have_colours(store, method):
    found = study_in(store, *samples.grades()).effect("a", grid=8)
    drawn = spec(found.chart() if method == "chart" else found.bounds(0.1).chart())
    color = units(drawn)[0]["encoding"]["color"]
    assert color["scale"]["domain"] == ["x", "y", "z"]
    assert {row["class"] for row in rows(drawn, units(drawn)[0])} == {"x", "y", "z"}


@pytest.mark.slow
def test_dates_have_an_axis_of_time():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40, freq="30D"), "b": np.arange(40.0)})
    found = ts.Study(lambda rows: rows["day"].dt.year + rows["b"], X, X["b"] / 3).effect("day", grid=6)
    for chart in (found.chart(), found.bounds(0.1).chart()):
        unit = units(spec(chart))[-1]
        assert unit["encoding"]["x"]["type"] == "temporal"
    first = rows(spec(found.chart()), units(spec(found.chart()))[1])[0]
    assert pd.Timestamp(first["value"], unit="ms") == X["day"][0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fare", "port"])
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_bounds_are_drawn_as_they_are(name, kind):
    bounded = effect(name, kind=kind).bounds(0.05)
    drawn = spec(bounded.chart())
    frame, shown = bounded.frame, rows(drawn, units(drawn)[0])
    for column in ("effect", "certified_lower", "certified_upper"):
        assert [row[column] for row in shown] == pytest.approx(frame[column].tolist())
    has_paper = frame["paper_upper"].notna().all()
    assert ("paper_upper" in shown[0]) == has_paper
    dashed = [unit for unit in units(drawn) if unit["mark"].get("strokeDash")]
    assert len(dashed) == (0 if not has_paper else 1 if name == "port" else 2)
    assert any("certified for every reweighting" in line for line in drawn["title"]["subtitle"])


@pytest.mark.parametrize("name", ["fare", "sex"])
def test_before_and_after_a_stress(name):
    moved = effect(name).under(ts.Mean("age", tau=0.5))
    drawn = spec(moved.chart())
    shown = rows(drawn, units(drawn)[0])
    assert [row["moved"] for row in shown] == pytest.approx(moved.frame["moved"].tolist())
    assert any("Grey: before the stress" in line for line in drawn["title"]["subtitle"])


@in_every_store
def test_two_features_are_a_heat_map(store):
    found = effect(("fare", "sex"), store, grid=6)
    drawn = spec(found.chart())
    assert marks(drawn) == ["rect"]
    shown = rows(drawn, units(drawn)[0])
    assert [row["effect"] for row in shown] == pytest.approx(found.frame["effect"].tolist())
    assert {row["second"] for row in shown} == {"female", "male"}
    assert sum(row["n"] for row in shown) == found._computed.n.sum()
    assert "x2" in units(drawn)[0]["encoding"]
    assert "y2" not in units(drawn)[0]["encoding"]
    cells = sorted({(row["x"], row["x2"]) for row in shown})
    assert all(a[1] == b[0] for a, b in pairwise(cells))
    assert units(drawn)[0]["encoding"]["color"]["scale"]["scheme"] == "blues"


def test_cells_without_rows_have_a_stroke():
    drawn = spec(effect(("fare", "age"), grid=9).chart())
    rect, halo, stroke = units(drawn)
    assert [one["mark"]["type"] for one in (rect, halo, stroke)] == ["rect", "point", "point"]
    assert {"filter": "datum.here === 0"} in stroke["transform"]
    here = np.array([row["here"] for row in rows(drawn, rect)])
    assert (here == 0).any()
    assert "Cells with a stroke hold no rows." in drawn["title"]["subtitle"]


@pytest.mark.slow
def test_interactions_have_a_middle_and_moves_too():
    drawn = spec(effect(("fare", "age"), kind="ale").chart())
    low, high = units(drawn)[0]["encoding"]["color"]["scale"]["domain"]
    assert low == -high
    moved = effect(("fare", "sex")).under(ts.Mean("age", tau=0.5))
    assert units(spec(moved.chart()))[0]["encoding"]["color"]["scale"]["scheme"] == "blueorange"
    bounded = effect(("fare", "age")).bounds(0.1)
    legend = units(spec(bounded.chart()))[0]["encoding"]["color"]["legend"]["title"]
    assert legend == "width of the certified band, percentage points"
    assert "no place on the map" in json.dumps(spec(effect(("fare", "age")).chart())["title"])


@in_every_store
def test_several_classes_have_a_map_each(store):
    found = study_in(store, *samples.grades()).effect(("a", "b"), grid=4)
    assert isinstance(found.chart(), alt.HConcatChart)
    assert [part["title"] for part in spec(found.chart())["hconcat"]] == ["x", "y", "z"]


@pytest.mark.slow
def test_a_flat_effect_can_be_drawn():
    X = pd.DataFrame({"a": np.arange(30.0), "b": np.arange(30.0), "c": np.arange(30.0)})
    study = ts.Study(lambda rows: rows["c"] * 0 + 2.5, X, X["c"] / 7)
    for chart in (study.effect("a").chart(), study.effect("a").bounds(0.1).chart(), study.effect(("a", "b")).chart()):
        assert vl_convert.vegalite_to_svg(spec(chart)).startswith("<svg")
