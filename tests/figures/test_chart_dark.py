import pytest

from tauscope.figures import theme
from tauscope.figures.chart import LIGHT, on_dark

MARK = {"mark": {"type": "rule", "color": theme.INK}, "encoding": {"color": {"value": theme.ACCENT}}}


@pytest.mark.parametrize(
    "ground",
    [
        {"background": "#333"},
        {"config": {"background": "#161616"}},
        {"usermeta": {"embedOptions": {"theme": "dark"}}},
    ],
)
def test_marks_are_light_on_a_dark_ground(ground):
    drawn = on_dark({**MARK, **ground})
    assert drawn["mark"]["color"] == LIGHT[theme.INK]
    assert drawn["encoding"]["color"]["value"] == LIGHT[theme.ACCENT]


@pytest.mark.parametrize("ground", [{}, {"background": "#fff"}, {"background": "snow"}, {"config": {"view": {}}}])
def test_and_as_they_are_on_any_other(ground):
    assert on_dark({**MARK, **ground}) == {**MARK, **ground}


def test_data_and_texts_are_left_alone():
    spec = {"background": "#000000", "title": theme.INK, "data": {"values": [{"color": theme.INK}]}}
    assert on_dark(spec) == spec
    ranged = {"background": "#000", "scale": {"domain": [theme.INK], "range": [theme.INK]}}
    assert on_dark(ranged)["scale"] == {"domain": [theme.INK], "range": [LIGHT[theme.INK]]}
