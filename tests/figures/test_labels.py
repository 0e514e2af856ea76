"""Names that are hard on Vega's expressions, on field paths and on XML: every chart of every result draws them."""

import re
from functools import cache
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import tauscope as ts
from tauscope.figures.chart import Styled
from tauscope.figures.labels import cut_apart, heading, in_line, in_tooltip, inline, legible, name_axis

NUMBER, OTHER, LEVEL = "a.b[0] \"q\" 'p' \\", "one\ntwo\r\u2028\u2029three\x0b ${b} \\", "</script> \\u2028 [x] \\"
LEVELS = ("q\"'", "b\\", "n\nl", "s\u2028p", "</b>", "a.b[0]", "v\x0bt")
SCENARIO = ts.Scenario('a "b" \\ </script>', {NUMBER: 0.2})
CLASSES = ('no "\\"\u2028', "yes\n\x00\\")


@cache
def rows():
    random = np.random.default_rng(0)
    X = pd.DataFrame({NUMBER: random.normal(size=280), OTHER: random.normal(size=280), LEVEL: [*LEVELS] * 40})
    sure = X[NUMBER] + X[OTHER] * np.where(X[NUMBER] > 0, 1.0, -1.0) + (X[LEVEL] == LEVELS[0])
    return X, np.array(CLASSES, dtype=object)[(sure + 0.3 * random.normal(size=280) > 0.3).astype(int)]


def learner(final):
    return make_pipeline(make_column_transformer((OneHotEncoder(), [LEVEL]), remainder="passthrough"), final)


def fitted(final):
    return learner(final).fit(*rows())


@cache
def study():
    return ts.Study(fitted(LogisticRegression()), *rows())


@cache
def several():
    X, y = rows()
    three = np.where(X[OTHER] > 1, "third\u2029 \\", y)
    return ts.Study(learner(LogisticRegression()).fit(X, three), X, three)


def effect(*features, kind="pd", grid=8):
    return study().effect(features if len(features) > 1 else features[0], kind=kind, grid=grid)


def summed(feature, **options):
    X, _ = rows()
    model = fitted(LogisticRegression())
    return ts.ChunkedStudy(model, [X[:200], X[200:]]).effect(feature, grid=8, progress=False, **options)


def image():
    random = np.random.default_rng(1)
    pixels = random.integers(0, 256, (200, 2, 2)).astype(np.uint8)
    named = np.array(CLASSES, dtype=object)[(pixels[:, 0, 0] > 99).astype(int)]
    return ts.ChunkedStudy(None, [(pixels, named, named)]).stress_image((2, 2))


def moved():
    return study().reweight((ts.Mean(NUMBER, tau=0.4)) & ts.Share(LEVEL, LEVELS[3], 0.3))


def there():
    frame, y = rows()
    return study().towards(frame[:60], y[:60])


def refits():
    options = {"n_splits": 2, "taus": 3, "random_state": 0, "progress": False}
    return study().refit_curves(learner(LogisticRegression()), *rows(), **options)


def disturbed(final, **options):
    X, y = rows()
    return ts.Study(fitted(final), X, y).randomize_model(repeats=2, grid=4, random_state=0, progress=False, **options)


def inspected(**options):
    return study().boundary(3, random_state=0, progress=False, **options)


CHARTS = {
    "curves": (lambda: study().stress_curves(taus=5).chart(), ()),
    "curves of many": (
        lambda: study().stress_curves(taus=3).chart(highlight=[f"{LEVEL} = {one}" for one in LEVELS]),
        (),
    ),
    "harm": (lambda: study().stress_curves(taus=5).harm(distance=0.05).chart(), ()),
    "roc": (lambda: study().stress_curves(taus=5).roc_chart(), ()),
    "surface": (lambda: study().stress_surface(NUMBER, OTHER, taus=3).chart(), ()),
    "surface of levels": (
        lambda: study().stress_surface(f"{LEVEL} = {LEVELS[2]}", f"{LEVEL} = {LEVELS[3]}", taus=3).chart(),
        (),
    ),
    "image": (lambda: image().chart(), ()),
    "refit curves": (lambda: refits().chart(), ()),
    "balance": (lambda: moved().chart(), ()),
    "by group": (lambda: moved().by(LEVEL).chart(), LEVELS),
    "curves by group": (lambda: study().stress_curves(taus=3).by(LEVEL).chart(), LEVELS),
    "scenarios": (lambda: study().compare_scenarios([SCENARIO]).chart(), (SCENARIO.name,)),
    "models": (lambda: ts.compare(study(), study(), names=(LEVELS[3], "b")).chart(), (LEVELS[3],)),
    "models along": (
        lambda: ts.compare(study(), study(), names=(LEVELS[3], "b")).chart("error_rate", along=NUMBER, taus=3),
        (LEVELS[3],),
    ),
    "balance there": (lambda: there().chart(), LEVELS),
    "metrics there": (lambda: there().chart("metrics"), ()),
    "histograms": (lambda: moved().chart("histograms"), (LEVELS[3],)),
    "effect": (lambda: effect(NUMBER).chart(), ()),
    "effect, centred": (lambda: effect(OTHER).chart(centred=True), ()),
    "effect of levels": (lambda: effect(LEVEL).chart(), LEVELS),
    "accumulated effect": (lambda: effect(LEVEL, kind="ale").chart(), LEVELS),
    "effect of two": (lambda: effect(NUMBER, OTHER).chart(), ()),
    "effect of levels and numbers": (lambda: effect(LEVEL, OTHER).chart(), LEVELS),
    "effect of numbers and levels": (lambda: effect(OTHER, LEVEL).chart(), LEVELS),
    "effect on classes": (lambda: several().effect(LEVEL).chart(), LEVELS),
    "effect on classes of two": (lambda: several().effect([NUMBER, OTHER], grid=4).chart(), ()),
    "effects": (lambda: study().effects(grid=8).chart(), LEVELS),
    "bounds": (lambda: effect(OTHER).bounds(0.1).chart(), ()),
    "bounds of levels": (lambda: effect(LEVEL).bounds(0.1).chart(), LEVELS),
    "bounds of two": (lambda: effect(NUMBER, LEVEL).bounds(0.1).chart(), LEVELS),
    "moved": (lambda: effect(NUMBER).under(ts.Mean(OTHER, tau=0.4)).chart(), ()),
    "moved levels": (lambda: effect(LEVEL).under(ts.Mean(OTHER, tau=0.4)).chart(), LEVELS),
    "compared": (lambda: effect(NUMBER).compare(fitted(LogisticRegression(C=0.1))).chart(), ()),
    "compared levels": (lambda: effect(LEVEL).compare(fitted(LogisticRegression(C=0.1))).chart(), LEVELS),
    "attacked": (lambda: study().attack(LEVEL, columns=[NUMBER], random_state=0, progress=False).chart(), LEVELS),
    "regions": (lambda: effect(OTHER, grid=9).regions().chart(), ()),
    "regions of levels": (lambda: effect(LEVEL).regions().chart(), LEVELS),
    "refits": (lambda: disturbed(LogisticRegression()).chart(), ()),
    "layers": (lambda: disturbed(MLPClassifier((3,), max_iter=5), sigma=0.5).chart(), ()),
    "boundary": (lambda: inspected().chart(), ()),
    "path to the boundary": (lambda: inspected().chart("path"), ()),
    "projection": (lambda: inspected(explainer="pls").chart("projection"), ()),
    "boundaries": (lambda: study().boundaries(range(12), random_state=0, progress=False).chart(), ()),
    "pooled boundary": (lambda: study().pooled_boundary(range(12), random_state=0, progress=False).chart(), ()),
    "summed": (lambda: summed(NUMBER).chart(), ()),
    "summed levels": (lambda: summed(LEVEL).chart(), LEVELS),
    "summed over two": (lambda: summed([OTHER, LEVEL]).chart(), LEVELS),
    "sufficient values": (lambda: study().sufficient(3).chart(), ()),
    "rule list": (lambda: study().rule_list(n_rows=40, share=0.5).chart(), ()),
    "rules": (lambda: study().rules(3, pi=0.6, n_drawn=100).chart(), ()),
    "distribution of a rule": (lambda: study().rules(3, pi=0.6, n_drawn=100).chart("distribution"), ()),
    "rules under a stress": (lambda: study().rules(3, pi=0.6, n_drawn=0).under(ts.Mean(OTHER, tau=0.4)).chart(), ()),
    "sufficient values under a stress": (lambda: study().sufficient(3).under(ts.Mean(OTHER, tau=0.4)).chart(), ()),
    "swing rules": (lambda: study().swing_rules(3, pi=0.6, n_drawn=0).chart(), ()),
    "sufficient values of rows": (lambda: study().sufficient([3, 5, 8]).chart(), ()),
    "rules of rows": (lambda: study().rules([3, 5, 8, 13, 21], pi=0.6, n_drawn=0).chart(), ()),
    "distribution": (lambda: study().distribution(3, [NUMBER, LEVEL]).chart(), ()),
    "distribution of rows": (lambda: study().distribution([3, 5], [NUMBER, LEVEL]).chart(), ()),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_drawn(name):
    make, levels = CHARTS[name]
    chart = make()
    assert isinstance(chart, Styled)
    assert chart["config"] is chart["padding"] is alt.Undefined  # charts with these do not combine
    assert "</" not in chart.to_json(validate=False)
    drawn = ElementTree.fromstring(vl_convert.vegalite_to_svg(chart.to_dict()))
    said = plainly("\n".join(drawn.itertext()))
    assert [level for level in levels if plainly(legible(level)) not in said] == []
    assert len(drawn.findall(".//{*}path")) > 4


def plainly(text):
    return re.sub(r"\s+", " ", text)


def test_every_result_with_a_chart_is_among_them():
    with_charts = {name for name in ts.__all__ if hasattr(getattr(ts, name), "chart")}
    assert len(with_charts) == 35
    assert len(CHARTS) >= len(with_charts)


@pytest.mark.parametrize(
    ("text", "drawn", "title", "tip"),
    [
        ("plain Ünï", "plain Ünï", "plain Ünï", "plain Ünï"),
        ("a\u2028b\n\nc", "a\u00a0b\n\nc", "a\u00a0b c", "a\u00a0b c"),
        ("\x00\x0b\ud800\uffff", "····", "····", "····"),
        ("a\\b", "a\\b", "a\\b", "a\\\\b"),
        (
            "</b> a < b <!--",
            "<\u2060/b> a < b <\u2060!--",
            "<\u2060/b> a < b <\u2060!--",
            "<\u2060/b> a < b <\u2060!--",
        ),
    ],
)
def test_text(text, drawn, title, tip):
    assert (legible(text), in_line(text), in_tooltip(text)) == (drawn, title, tip)
    assert inline([{"n": 1.5, "t": text, "none": None}]).to_dict() == {"values": [{"n": 1.5, "t": drawn, "none": None}]}
    assert heading(text, ["", text]).to_dict() == {"text": title, "subtitle": [title], "offset": 12}


def test_long_texts_keep_their_ends_and_stay_apart():
    one, other = (legible(f"{'a' * 999}{middle}{'b' * 999}") for middle in "xy")
    assert one != other
    assert len(one) < 400
    assert (one[:150], one[-150:]) == ("a" * 150, "b" * 150)
    assert legible(one) == one
    assert len(heading("t", map(str, range(1, 99))).to_dict()["subtitle"]) == 30


STEM = "average_number_of_rooms_per_dwelling_before_"
ALIKE = {
    "end": [f"{STEM}{end}" for end in ("renovation", "demolition", "1", "2")],
    "start": [f"{start}_of_{STEM}{STEM}" for start in ("mean", "least", "a", "b")],
    "middle": [f"{STEM}{middle}_{STEM}{STEM}" for middle in ("x", "y", "xx", "ä")],
    "several places": [f"{STEM}{a}{STEM}{b}{STEM}" for a in "xy" for b in "vw"],
    "capitals": [f"{STEM.upper()}{end}" for end in "AB"],
    "wide": [f"{'部屋の平均数' * 12}{end}" for end in ("前", "後")],
    "emoji": [f"{'🏠' * 60}{end}" for end in "🏡🏢"],
}


@pytest.mark.parametrize("room", [60, 140, 180, 320])
@pytest.mark.parametrize("names", ALIKE.values(), ids=[*ALIKE])
def test_long_names_stay_apart_where_they_are_cut(names, room):
    cut = cut_apart(["age", *names], room)
    assert cut["age"] == "age"
    assert len(set(cut.values())) == len(names) + 1
    assert max(map(len, cut.values())) <= max(12, room / 6)


@pytest.mark.parametrize("names", ALIKE.values(), ids=[*ALIKE])
def test_axes_draw_long_names_apart(names):
    values = [{"name": legible(name), "value": k} for k, name in enumerate(names)]
    y = name_axis("name", [record["name"] for record in values], 180)
    chart = alt.Chart(alt.InlineData(values=values)).mark_point().encode(x="value:Q", y=y)
    drawn = set(re.findall(r"<text[^>]*>([^<]*…[^<]*)</text>", vl_convert.vegalite_to_svg(chart.to_dict())))
    assert len(drawn) == len(names)


@pytest.mark.parametrize("name", [NUMBER, OTHER, LEVEL, *LEVELS, *CLASSES], ids=repr)
def test_axes_cut_names_that_are_hard_to_draw(name):
    names = [legible(f"{name * 30} {end}") for end in "ab"]
    chart = alt.Chart(inline([{"name": each} for each in names])).mark_point().encode(y=name_axis("name", names, 180))
    assert vl_convert.vegalite_to_svg(chart.to_dict()).count("…") >= 2
