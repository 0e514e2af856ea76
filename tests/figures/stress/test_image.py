"""Maps of pixels: a change of a share is in percentage points, marks on what is unreliable."""

import math

import numpy as np
import pytest

import tauscope as ts


@pytest.fixture(scope="module")
def image():
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (300, 2, 2)).astype(np.uint8)
    pixels[:, 0, 0] = 9
    return ts.ChunkedStudy(None, [(pixels, pixels[:, 1, 1] > 90, pixels[:, 1, 1] > 0)]).stress_image((2, 2))


def test_changes_are_in_points(image):
    spec = image.chart("portion_True").to_dict()
    colours, (cells,) = spec["concat"][0]["layer"][1], spec["datasets"].values()
    assert cells[3]["points"] == pytest.approx(100 * image.map("portion_True")[1, 1])
    assert (cells[0]["change"], cells[0]["points"]) == (None, None)
    legend, tip = colours["encoding"]["color"]["legend"], colours["encoding"]["tooltip"][2]
    assert (legend["title"], tip["field"], tip["title"]) == ("percentage points", "points", "percentage points")
    assert "%" not in legend["labelExpr"] + tip["format"]


def test_colours_lie_around_no_change(image):
    color = image.chart().to_dict()["concat"][0]["layer"][1]["encoding"]["color"]
    low, high = color["scale"]["domain"]
    assert low == -high
    assert color["scale"]["clamp"]
    assert color["legend"]["values"] == [low, 0, high]


def test_unreliable_pixels_are_circled_in_their_colour(image):
    rng = np.random.default_rng(1)
    rare = np.where(rng.random((300, 3, 4)) < 0.02, 255, rng.integers(0, 9, (300, 3, 4))).astype(np.uint8)
    rare[:, 0, 0], rare[:, 0, 1] = 9, rng.integers(0, 256, 300)
    doubted = ts.ChunkedStudy(None, [(rare, rare[:, 0, 1] > 90, rare[:, 0, 1] > 0)]).stress_image((3, 4))
    spec = doubted.chart("portion_True").to_dict()
    _, colours, circles = spec["concat"][0]["layer"]
    assert "opacity" not in colours["encoding"]
    assert circles["transform"] == [{"filter": "isValid(datum.change) && !datum.usable"}]
    assert circles["mark"]["shape"] == "circle"
    assert math.sqrt(circles["mark"]["size"] / math.pi) == pytest.approx(150 / 4 / 6)
    (cells,) = spec["datasets"].values()
    assert {(cell["row_middle"] - cell["row"], cell["column_middle"] - cell["column"]) for cell in cells} == {
        (0.5, 0.5)
    }
    assert 0 < sum(cell["change"] is not None and not cell["usable"] for cell in cells) < 12
    assert spec["title"]["subtitle"][1:] == [
        "Small circles: unreliable at either τ.",
        "Grey: the pixel has one value in every image.",
    ]


def test_only_marks_that_are_there_are_explained(image):
    assert image.chart(low=-0.1, high=0.1).to_dict()["title"]["subtitle"][1:] == [
        "Grey: the pixel has one value in every image."
    ]
