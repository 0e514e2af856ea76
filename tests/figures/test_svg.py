"""Still pictures: the marks where Vega puts them, in its colours; text of the data as text, in every chart."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import tauscope as ts
from figures.vega import OTHER, chart_of, colors_in_vega, hex_of, near, places_in_vega, scene_of
from results import every
from results.effects import samples
from results.samples import HOSTILE, UNICODE, binary_result, made_by_hand, metric, reasons
from tauscope.figures import theme
from tauscope.figures.labels import legible
from tauscope.figures.scales import Scale
from tauscope.figures.specification import ChartLayer, layers_of, panels_of
from tauscope.figures.stress.curves import picture
from tauscope.figures.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"
KNOWN = {
    "align", "binSpacing", "clip", "color", "dx", "fill", "fillOpacity", "filled", "fontSize", "height", "interpolate",
    "opacity", "shape", "size", "stroke", "strokeDash", "strokeWidth", "thickness", "type", "width",
}  # fmt: skip
"""What a mark may say: the renderers leave out what they do not read."""
STEP = re.compile(r"([MLhvz])([-\d.]*),?([-\d.]*)")


def drawn(result, **options):
    chosen = result.chart(**options).to_dict(validate=False)
    return ElementTree.fromstring(draw_svg(chosen, result.title))


def panels_in(root):
    """The groups of panels, each with what is drawn in it."""
    return [group for group in root if group.tag == f"{SVG}g"]


def marks_in(group):
    """What is drawn of the data, without axes, words and keys."""
    return [one for one in group.iter() if one.tag in (f"{SVG}path", f"{SVG}circle")]


def shift_of(mark):
    moved = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", mark.get("transform", ""))
    return None if moved is None else (float(moved[1]), float(moved[2]))


def places_in(mark):
    """Vertices of a path, and the place of a symbol, in pixels of the panel."""
    if mark.tag.endswith("circle"):
        yield float(mark.get("cx")), float(mark.get("cy"))
        return
    if shift_of(mark):
        yield shift_of(mark)
        return
    x = y = 0.0
    for kind, first, second in STEP.findall(mark.get("d")):
        if kind in "ML":
            x, y = float(first), float(second)
        x += float(first) if kind == "h" else 0
        y += float(first) if kind == "v" else 0
        yield x, y


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def lines_of(root, color=theme.ACCENT):
    """The lines of a colour, each as its stretches of vertices, with how it is dashed."""
    return [
        (mark.get("stroke-dasharray"), [len(run.split("L")) for run in mark.get("d").split("M")[1:]])
        for mark in root.iter(f"{SVG}path")
        if mark.get("stroke") == color and mark.get("fill") == "none"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*every.MADE, *OTHER])
def test_marks_stand_where_vega_puts_them_in_its_colours(name):
    chart = chart_of(name)
    if chart is None:
        return
    spec = chart.to_dict(validate=False)
    assert {key for panel in panels_of(spec)[0] for layer in layers_of(panel, spec.get("datasets", {}), [], {})
            for key in layer.mark} <= KNOWN  # fmt: skip
    groups = panels_in(ElementTree.fromstring(draw_svg(spec, name)))
    scene = scene_of(spec)
    assert len(groups) == len(scene)
    for group, (width, height, marks) in zip(groups, scene, strict=True):
        there = np.array([place for mark in marks_in(group) for place in places_in(mark)])
        for place in places_in_vega(1, 1, marks):
            pixels = np.array([place[0], 1 - place[1]])
            assert np.abs(there - pixels).max(axis=1).min() < 0.006 * max(width, height), pixels
        keys = {one.get(key) for one in group.iter() for key in ("fill", "stroke")} - {None, "none"}
        ours = {hex_of(color) for color in keys}
        assert [color for color in colors_in_vega(marks) if not any(near(color, one) for one in ours)] == []
        said = [item["text"] for mark in marks if mark["marktype"] == "text" for item in mark["items"]]
        assert set(said) <= set(texts(group))


@pytest.mark.parametrize("name", every.MADE)
def test_is_a_document_that_fetches_nothing(name):
    result = every.result(name)
    bundle = result._repr_mimebundle_()
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    if "image/svg+xml" in bundle:
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
            "svg", "g", "rect", "text", "line", "path", "circle",
        }  # fmt: skip
        assert "href" not in bundle["image/svg+xml"]
        assert (root[0].get("fill"), root.get("aria-label")) == (theme.PAPER, legible(result.title))


def test_says_what_it_shows():
    words = texts(ElementTree.fromstring(draw_svg(picture(binary_result()), "")))
    assert words[:2] == ["Stress curves of predictions", "Share predicted yes"]
    assert any("Dotted: unreliable." in one for one in words)
    assert {"−1", "−0.5", "0", "+0.5", "+1", "τ"} <= set(words)


def test_text_from_the_data_is_escaped():
    spec = picture(binary_result())
    assert "<script" not in draw_svg(spec, HOSTILE)
    said = texts(drawn(made_by_hand({UNICODE: [0.0, 1, 2], "<b>": [0.0, 1], "tab\x0bbed": [0.0, 1, 2, 3, 4]})))
    assert {"<b>", "tab·bed"} <= set(said)
    assert any(text.startswith("<\u2060/script><") for text in texts(drawn(binary_result())))


def test_reliability_is_drawn():
    codes = reasons(["", "", "", "few_events", "few_rows_beyond"])
    root = drawn(made_by_hand({"a": [0.0, 1, 2]}, reason=codes))
    assert lines_of(root) == [(None, [4]), ("1 3", [5]), (None, [3])]


def test_gaps_and_nothing_are_drawn():
    value = np.array([[[0.1, 0.2, np.nan, 0.4, 0.5]]])
    assert {tuple(runs) for _, runs in lines_of(drawn(made_by_hand({"a": [0.0, 1, 2]}, value=value)))} == {(2, 2)}
    assert lines_of(drawn(made_by_hand(value=np.full((2, 1, 5), np.nan)))) == []


def test_colours_without_names_at_the_lines_have_keys():
    names = [f"x{i}" for i in range(12)]
    root = drawn(made_by_hand({name: [0.0, 1, 2] for name in names}), features=names)
    assert {"feature", *names} <= set(texts(root))
    assert len({line.get("stroke") for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "3"}) == 12


def test_names_too_wide_to_stand_beside_each_other_are_turned():
    rows = [{"name": f"a level of {k} words", "value": k} for k in range(8)]
    spec = {
        "data": {"values": rows}, "mark": "bar", "width": 200, "height": 60,
        "encoding": {"x": {"field": "name", "type": "nominal"}, "y": {"field": "value", "type": "quantitative"}},
    }  # fmt: skip
    root = ElementTree.fromstring(draw_svg(spec, "bars"))
    turned = {one.text for one in root.iter(f"{SVG}text") if "rotate(-90" in one.get("transform", "")}
    assert {row["name"] for row in rows} <= turned
    assert float(root.get("height")) > 60 + 6 * len("a level of 8 words")


def axis(kind, low, high, **options):
    shown = {"field": "v", "type": kind, "scale": {"domain": [low, high], "nice": False, **options}}
    return Scale([ChartLayer({}, {"x": shown}, [])], "x")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-1, 1, [-1, -0.5, 0, 0.5, 1]), (3.2, 17, [4, 6, 8, 10, 12, 14, 16]),
     (0, 0.04, [0, 0.01, 0.02, 0.03, 0.04])],
)  # fmt: skip
def test_ticks_are_round(low, high, expected):
    assert [at for at, _ in axis("quantitative", low, high).ticks(200)] == pytest.approx(expected)


def test_ticks_of_a_logarithm_are_powers():
    assert [at for at, _ in axis("quantitative", 0.01, 1000, type="log").ticks(200)] == pytest.approx(
        [0.01, 0.1, 1, 10, 100, 1000]
    )


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [("2019-05-02", "2022-08-01", ["2020", "2021", "2022"]),
     ("2020-01-15", "2020-05-02", [f"2020-0{k}" for k in (2, 3, 4, 5)]),
     ("2020-01-01T02:30", "2020-01-01T05:10", ["2020-01-01 03", "2020-01-01 04", "2020-01-01 05"])],
)  # fmt: skip
def test_ticks_of_dates_are_calendar_ones(low, high, expected):
    ends = [pd.Timestamp(one).value / 1e6 for one in (low, high)]
    ticks = axis("temporal", *ends).ticks(400)
    assert [text for _, text in ticks] == expected
    days = [pd.Timestamp(text if "-" in text else f"{text}-01-01").value / 86400e9 for text in expected]
    assert [at for at, _ in ticks] == pytest.approx(days)


@pytest.mark.slow
def test_dates_are_drawn():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40, freq="30D"), "b": np.arange(40.0)})
    study = ts.Study(lambda rows: rows["day"].dt.year + rows["b"], X, X["b"] / 3, progress=False)
    assert {"2021", "2022", "2023"} & set(texts(drawn(study.effect("day", grid=6))))


def test_values_have_their_own_scale():
    result = made_by_hand(
        metrics=(metric("mean", "value"),), value=1000 + 500 * np.ones((2, 1, 1)) * np.linspace(-1, 1, 5)
    )
    assert "1,500" in texts(drawn(result))


def test_a_map_of_many_cells_is_small():
    result = every.result("image of many values")
    assert len(draw_svg(result.chart().to_dict(validate=False), "")) < 40 * len(json.dumps(result.frame.to_dict()))


def test_classes_have_keys_once():
    model, X, y = samples.grades()
    root = drawn(ts.Study(model, X, y).effect("a", grid=8, progress=False))
    assert [text for text in texts(root) if text in "xyz"].count("x") == 1


@pytest.mark.slow
def test_a_distribution_function_goes_by_steps():
    rows = np.random.default_rng(0).normal(size=(80, 2))
    study = ts.Study(lambda X: np.round(X["a"], 1), pd.DataFrame(rows, columns=list("ab")), rows[:, 0], progress=False)
    found = study.distribution(0, "a")
    line = next(mark for mark in marks_in(drawn(found)) if mark.get("stroke") == theme.INK)
    x, y = np.array([*places_in(line)]).T
    assert len(x) > 3
    assert ((np.diff(x) == 0) | (np.diff(y) == 0)).all()
    (ax,) = [found.plot()]
    across, up = ax.lines[0].get_xydata().T
    assert ((np.diff(across) == 0) | (np.diff(up) == 0)).all()
    pyplot.close("all")
