"""Effects whose formulas are known: a line, a product of correlated features, and the exclusive or of the paper."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import tauscope as ts

N, RHO = 40_000, 0.6
RANDOM = np.random.default_rng(0)
A = RANDOM.normal(size=N)
X = pd.DataFrame({"a": A, "b": RHO * A + np.sqrt(1 - RHO**2) * RANDOM.normal(size=N)})
POINTS = [-1.5, -0.75, 0.0, 0.75, 1.5]


def effect(model, kind, **options):
    return ts.Study(model, X, task="regression").effect("a", kind=kind, **options).frame


def test_a_line_has_its_slope_whatever_the_kind():
    def line(rows):
        return 3 * rows["a"] - 2 * rows["b"]

    np.testing.assert_allclose(np.diff(effect(line, "pd", grid=POINTS)["effect"]), 3 * 0.75, atol=1e-9)
    np.testing.assert_allclose(np.diff(effect(line, "ale", grid=POINTS)["effect"]), 3 * 0.75, atol=1e-9)
    moved = effect(line, "cd", grid=POINTS, window=0.1)["effect"]
    np.testing.assert_allclose(moved, (3 - 2 * RHO) * np.array(POINTS), atol=0.15)


def test_a_product_of_correlated_features():
    def product(rows):
        return rows["a"] * rows["b"]

    np.testing.assert_allclose(effect(product, "pd", grid=POINTS)["effect"], 0, atol=0.03)
    moved = effect(product, "cd", grid=POINTS, window=0.1)["effect"]
    np.testing.assert_allclose(moved, RHO * np.square(POINTS), atol=0.08)
    for kind in ("ale", "dale"):
        frame = effect(product, kind, grid=60)
        inner = frame[frame["value"].abs() < 2]
        np.testing.assert_allclose(inner["effect"], RHO / 2 * (inner["value"] ** 2 - 1), atol=0.06)


@pytest.mark.parametrize("point", POINTS)
def test_the_exclusive_or(point):
    def exclusive(rows):
        return ((rows["a"] > 0) != (rows["b"] > 0)).to_numpy(float)

    held = 1.0 if point > 0 else 0.0
    assert effect(exclusive, "pd", grid=[point])["effect"][0] == pytest.approx(0.5, abs=0.01)
    below = norm.cdf(0, loc=RHO * point, scale=np.sqrt(1 - RHO**2))
    expected = below if held else 1 - below
    assert effect(exclusive, "cd", grid=[point], window=0.05)["effect"][0] == pytest.approx(expected, abs=0.05)
