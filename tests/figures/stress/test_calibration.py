"""The reliability diagram."""

import pytest

from results import every
from tauscope.figures import theme


def rows(chart, part):
    """Return the data of a part, wherever they stand."""
    data = part["data"]
    return data["values"] if "values" in data else chart["datasets"][data["name"]]


@pytest.fixture(scope="module")
def chart():
    return every.result("calibration").chart().to_dict()


def test_as_tested_is_grey_and_under_the_stress_in_the_accent(chart):
    diagram, histogram = chart["vconcat"]
    scale = diagram["layer"][2]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["as tested", "under the stress"], "range": [theme.IDLE, theme.ACCENT]}
    assert {row["line"] for row in rows(chart, diagram["layer"][2])} == {"as tested", "under the stress"}
    assert len(rows(chart, histogram)) == 40
    assert rows(chart, diagram["layer"][0]) == [{"at": 0.0}, {"at": 1.0}]


def test_the_heading_has_the_measures_with_their_intervals(chart):
    words = " ".join(chart["title"]["subtitle"])
    assert "expected calibration error" in words
    assert "slope" in words


def test_unreliable_bins_are_hollow(chart):
    hollow = chart["vconcat"][0]["layer"][4]
    assert hollow["mark"]["filled"] is False
    assert hollow["transform"] == [{"filter": "datum.reliability === 'unreliable'"}]


def test_groups_have_a_line_each():
    chart = every.result("calibration by group").chart().to_dict()
    color = chart["vconcat"][0]["layer"][2]["encoding"]["color"]
    assert color["scale"]["domain"] == ["x", "y", "z"]
    assert color["title"] == "c"


def test_without_stress_there_is_one_colour_and_no_legend():
    chart = every.fitted().calibration(n_bins=3).chart().to_dict()
    assert chart["vconcat"][0]["layer"][2]["encoding"]["color"] == {"value": theme.ACCENT}
