"""Charts of the package as a notebook meets them: combined, restyled, shown without a network."""

import base64
import json
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd

import tauscope as ts
from results import every
from tauscope.figures import chart as charts, theme

CODE = "</script><img src=x onerror=alert(1)><!--<script>"


def drawn(name):
    return every.result(name).chart()


def parts(spec):
    """Every dictionary within a specification."""
    if isinstance(spec, dict):
        yield spec
        for value in spec.values():
            yield from parts(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from parts(value)


@cache
def ways():
    curves, effect, surface = drawn("curves of other metrics"), drawn("effect"), drawn("surface")
    rule = alt.Chart(alt.InlineData(values=[{"x": 0}])).mark_rule().encode(x="x:Q")
    return {
        "|": curves | effect,
        "| of several": surface | effect | curves,
        "&": surface & curves,
        "& of several": surface & effect & curves,
        "+": surface + rule,
        "properties": surface.properties(title="Mine"),
        "configure": surface.configure_axis(labelColor="red"),
    }


def test_combinations_are_drawn_with_the_look_and_shown_offline():
    for name, chart in ways().items():
        assert chart.to_dict()["config"]["background"] == theme.PAPER, name
        shown = chart._repr_mimebundle_()
        assert set(shown) == {"text/plain", "image/svg+xml"}, name
        ElementTree.fromstring(shown["image/svg+xml"])
        assert "http" not in shown["image/svg+xml"].replace("http://www.w3.org/", ""), name


def test_several_are_put_beside_each_other_and_not_into_each_other():
    assert [
        len(ways()[name].to_dict()[kind]) for name, kind in (("| of several", "hconcat"), ("& of several", "vconcat"))
    ] == [3, 3]
    of_levels = drawn("effect of levels")  # itself two panels under one title
    assert [len(part.get("hconcat", ())) for part in (of_levels | of_levels).to_dict()["hconcat"]] == [2, 2]


def test_altair_combines_them_too():
    combined = alt.hconcat(drawn("effect"), drawn("curves of other metrics"))
    assert len(combined.to_dict()["hconcat"]) == 2
    with alt.theme.enable("tauscope"):
        assert combined.to_dict()["config"] == alt.Config(**theme.vega_config()).to_dict()


def test_a_theme_is_followed_and_left_as_it_was():
    surface = drawn("surface")
    with alt.theme.enable("dark"):
        dark = surface.to_dict()
        assert dark["usermeta"]["embedOptions"]["theme"] == "dark"
        assert "background" not in dark["config"]
        assert theme.INK not in json.dumps(dark["layer"])
        surface._repr_mimebundle_()
    assert alt.theme.active == "default"
    assert theme.INK in json.dumps(surface.to_dict()["layer"])
    assert alt.theme.active == "default"


def test_a_renderer_that_was_chosen_draws():
    with alt.renderers.enable("mimetype"):
        shown, _ = drawn("surface")._repr_mimebundle_()
    assert "application/vnd.vegalite" in ",".join(shown)


def test_a_saved_chart_has_the_look(tmp_path):
    drawn("surface").save(tmp_path / "chart.json")
    assert json.loads((tmp_path / "chart.json").read_text("utf-8"))["config"]["background"] == theme.PAPER


def test_without_vl_convert_the_words_stand_in(monkeypatch):
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    shown = drawn("surface")._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "<strong>Stress surface of a function: a and b</strong>" in shown["text/html"]
    assert "pip install &quot;tauscope[export]&quot;" in shown["text/html"]
    assert "<script" not in shown["text/html"]


def test_a_shell_gets_words_alone(monkeypatch):
    shell = SimpleNamespace(display_formatter=SimpleNamespace(active_types=["text/plain"]))
    monkeypatch.setitem(__import__("sys").modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert list(drawn("surface")._repr_mimebundle_()) == ["text/plain"]


def test_what_is_large_becomes_points(monkeypatch):
    monkeypatch.setattr(charts, "LARGE", 10)
    shown = drawn("surface")._repr_mimebundle_()
    assert base64.b64decode(shown["image/png"]).startswith(b"\x89PNG")


class Elements(HTMLParser):
    """The elements of a page as a browser finds them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)


def test_html_in_names_stays_text_in_pages_of_altair():
    random = np.random.default_rng(0)
    X = pd.DataFrame({CODE: random.normal(size=60), "b": random.choice([CODE, "x"], 60)})
    study = ts.Study.from_predictions(X, [CODE, "no"] * 30, [CODE, "no"] * 30)
    for chart in (study.stress_curves(taus=3).chart(), study.reweight(ts.Mean(CODE, tau=0.3)).chart("histograms")):
        assert "img" not in Elements(chart.to_html()).found


def test_a_name_of_a_hundred_thousand_characters_is_drawn():
    names = ["n" * 100_000, "n" * 99_999 + "m"]
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=names)
    curves = ts.Study.from_predictions(X, [0, 1] * 30, [0, 1] * 30).stress_curves(taus=3, metrics="error_rate")
    shown = curves.chart()._repr_mimebundle_()["image/svg+xml"]
    assert len(shown) < 200_000
    spec = curves.chart().to_dict()
    assert len({part["feature"] for part in parts(spec) if "feature" in part}) == 2
