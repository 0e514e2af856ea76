from xml.etree import ElementTree

import numpy as np
import pytest

from results.samples import HOSTILE, UNICODE, binary_result, made_by_hand, metric, reasons
from tauscope.figures import theme
from tauscope.figures.labels import legible
from tauscope.figures.stress.curves_picture import _ticks, draw_picture

SVG = "{http://www.w3.org/2000/svg}"


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def test_is_an_svg_document_that_fetches_nothing():
    picture = draw_picture(binary_result())
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "rect", "text", "line", "polyline", "polygon",
    }  # fmt: skip
    assert "href" not in picture
    assert root[0].get("fill") == theme.PAPER


def test_says_what_it_shows():
    words = texts(ElementTree.fromstring(draw_picture(binary_result())))
    assert "Stress curves of predictions" in words
    assert "share predicted yes · 300 rows, 8 features, 11 τ, 6 metrics" in words
    assert any("Dotted: unreliable." in one for one in words)
    assert {"−1", "−0.5", "0", "+0.5", "+1", "τ"} <= set(words)


def test_text_from_the_data_is_escaped():
    picture = draw_picture(binary_result())
    assert "<script" not in picture
    root = ElementTree.fromstring(picture)
    assert any(text.startswith("<\u2060/script><") and text.endswith(HOSTILE[-6:]) for text in texts(root))
    hostile = ElementTree.fromstring(draw_picture(made_by_hand({UNICODE: [0.0, 1, 2], "<b>": [0.0, 1]})))
    assert {legible(UNICODE), "<b>"} <= set(texts(hostile))


def test_what_xml_cannot_hold_is_a_dot():
    picture = draw_picture(made_by_hand({"tab\x0bbed": [0.0, 1, 2, 3, 4], "b": [5.0, 6, 7, 8, 9]}))
    assert "tab·bed" in texts(ElementTree.fromstring(picture))


def test_one_line_for_each_feature_and_one_band():
    root = ElementTree.fromstring(draw_picture(made_by_hand({f"x{i}": [0.0, 1, 2] for i in range(9)})))
    lines = [line.get("stroke") for line in root.iter(f"{SVG}polyline")]
    assert {color: lines.count(color) for color in set(lines)} == {theme.IDLE: 2 * 8, theme.ACCENT: 2}
    assert [band.get("fill") for band in root.iter(f"{SVG}polygon")] == [theme.ACCENT]


def test_the_highlighted_feature_alone_has_the_accent_and_five_are_named():
    result = made_by_hand({f"x{i}": [0.0, 1, 2] for i in range(9)})
    (leading, *others) = result.influence(result._leading_metric.name).index[:5]
    root = ElementTree.fromstring(draw_picture(result))
    named = {text.text: (text.get("fill"), text.get("font-weight")) for text in root.iter(f"{SVG}text")}
    assert named[leading] == (theme.ACCENT, "600")
    assert {named[name] for name in others} == {(None, None)}
    assert root.get("fill") == theme.MUTED
    assert sum(f"x{i}" in named for i in range(9)) == 5


def test_what_is_not_reliable_stays_dotted_or_thin():
    codes = reasons(["", "", "", "few_events", "few_rows_beyond"])
    root = ElementTree.fromstring(draw_picture(made_by_hand({"a": [0.0, 1, 2]}, reason=codes)))
    dotted, thin, solid = (len(line.get("points").split()) for line in root.iter(f"{SVG}polyline"))
    assert (dotted, thin, solid) == (5, 2, 3)
    (band,) = root.iter(f"{SVG}polygon")
    assert len(band.get("points").split()) == 2 * 4


def test_grey_curves_stay_inside_and_are_dotted_where_unreliable():
    value = np.vstack([[[0.4, 0.45, 0.5, 0.55, 0.6]] for _ in range(6)])[:, None]
    value[5] = [0.45, 0.5, 0.5, 0.52, 1.0]
    codes = reasons(*[[""] * 5] * 5, ["", "", "", "few_rows_beyond", "few_rows_beyond"])
    drawn = draw_picture(made_by_hand({f"x{i}": [0.0, 1, 2] for i in range(6)}, value=value, reason=codes))
    grey = [line for line in ElementTree.fromstring(drawn).iter(f"{SVG}polyline") if line.get("stroke") == theme.IDLE]
    grey = grey[-2:]
    assert [(len(line.get("points").split()), line.get("stroke-dasharray")) for line in grey] == [(4, "1 3"), (3, None)]


def test_gap_where_an_metric_is_not_defined():
    value = np.array([[[0.1, 0.2, np.nan, 0.4, 0.5]]])
    root = ElementTree.fromstring(draw_picture(made_by_hand({"a": [0.0, 1, 2]}, value=value)))
    assert [len(line.get("points").split()) for line in root.iter(f"{SVG}polyline")] == [2, 2, 2, 2]


def test_nothing_but_gaps():
    picture = draw_picture(made_by_hand(value=np.full((2, 1, 5), np.nan)))
    assert not list(ElementTree.fromstring(picture).iter(f"{SVG}polyline"))


def test_values_have_their_own_scale():
    result = made_by_hand(
        metrics=(metric("mean", "value"),), value=1000 + 500 * np.ones((2, 1, 1)) * np.linspace(-1, 1, 5)
    )
    assert "1,500" in texts(ElementTree.fromstring(draw_picture(result)))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-1, 1, [-1, -0.5, 0, 0.5, 1]), (3.2, 17, [5, 10, 15]), (0, 0.04, None)],
)
def test_ticks_are_round(low, high, expected):
    ticks = _ticks(low, high)
    assert 3 <= len(ticks) <= 7
    assert expected is None or ticks == pytest.approx(expected)
