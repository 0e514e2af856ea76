"""The heat map: colours that a share can have, marks on what is unreliable."""

import math

import numpy as np
import pandas as pd
import pytest

from tauscope.figures.stress.surface import SIDE
from tauscope.study.study import Study


def scored(n):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    X["c"] = X["a"] + 0.05 * rng.normal(size=n)
    score = 1 / (1 + np.exp(-3 * X["a"] - 1))
    return Study.from_predictions(X, (rng.random(n) < score).astype(int), (score > 0.5).astype(int), score)


@pytest.fixture(scope="module")
def study():
    return scored(200)


def drawn(surface, metric=None):
    spec = surface.chart(metric).to_dict()
    cells = spec["datasets"][spec["layer"][1]["data"]["name"]]
    return spec, cells, spec["layer"][1]["encoding"]["color"]["scale"]


@pytest.mark.slow
def test_colours_lie_around_the_unstressed_value(study):
    surface = study.stress_surface("a", "b", taus=5)
    for place, metric in enumerate(surface.metric_names):
        value = surface._surface.value[place]
        _, _, scale = drawn(surface, metric)
        (low, high), (start, end) = scale["domain"], scale["scheme"]["extent"]
        unit = (high - low) / (end - start)
        assert low + (0.5 - start) * unit == pytest.approx(value[2, 2])
        assert low <= np.nanmin(value) + 1e-12
        assert high >= np.nanmax(value) - 1e-12
        assert np.nanmax(np.abs(value - value[2, 2])) == pytest.approx(unit / 2)


def test_a_share_keeps_to_what_it_can_be(study):
    surface = study.stress_surface("a", "b", taus=5)
    assert surface._leading_metric.name == "portion_1"
    _, _, scale = drawn(surface)
    low, high = scale["domain"]
    assert 0 <= low < high == 1
    assert scale["scheme"]["extent"][1] < 1


def test_a_value_may_be_anything():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
    surface = Study.from_predictions(X, X["a"], X["a"] + X["b"]).stress_surface("a", "b", taus=3)
    _, _, scale = drawn(surface, "mean")
    assert scale["domain"][0] < 0
    assert scale["scheme"]["extent"] == pytest.approx([0, 1])


def test_unreliable_cells_are_circled_in_their_colour():
    surface = scored(40).stress_surface("a", "c", taus=7)
    spec, cells, _ = drawn(surface)
    colours, circles = spec["layer"][1], spec["layer"][2]
    assert "opacity" not in colours["encoding"]
    assert circles["transform"] == [{"filter": "isValid(datum.value) && datum.reliability == 'unreliable'"}]
    assert circles["mark"]["shape"] == "circle"
    place = surface._metric_place(surface._leading_metric.name)
    seen = np.isfinite(surface._surface.value[place])
    unreliable = seen & (surface.reliability[place] == "unreliable")
    assert unreliable.any()
    drawn_so = [cell["value"] is not None and cell["reliability"] == "unreliable" for cell in cells]
    assert sum(drawn_so) == unreliable.sum()
    whole = [max(c["x2"] for c in cells) - min(c["x"] for c in cells), max(c["y2"] for c in cells) - cells[0]["y"]]
    for cell in cells:
        assert cell["x"] < cell["x_middle"] < cell["x2"]
        assert cell["y"] < cell["y_middle"] < cell["y2"]
        narrow = SIDE * min((cell["x2"] - cell["x"]) / whole[0], (cell["y2"] - cell["y"]) / whole[1])
        assert math.sqrt(cell["area"] / math.pi) == pytest.approx(max(1.5, narrow / 6))


def test_only_marks_that_are_there_are_explained(study):
    words = scored(40).stress_surface("a", "c", taus=7).chart().to_dict()["title"]["subtitle"]
    assert words[1:] == [
        "Small circles: unreliable.",
        "Grey: these rows cannot be weighted so that both means are met.",
    ]
    assert len(study.stress_surface("a", "b", taus=[-0.01, 0, 0.01]).chart().to_dict()["title"]["subtitle"]) == 1
