"""Maps of pixels: a change of a share is in percentage points."""

import numpy as np
import pytest

import tauscope as ts


@pytest.fixture(scope="module")
def image():
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (300, 2, 2)).astype(np.uint8)
    pixels[:, 0, 0] = 9
    return ts.stress_image_chunks([(pixels, pixels[:, 1, 1] > 0, pixels[:, 1, 1] > 90)], (2, 2))


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
