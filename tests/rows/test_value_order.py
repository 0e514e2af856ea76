"""The order of a feature's values in chunks gives the grid of the rows, and values with their distribution."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from tauscope.effects import custom_grid, numeric_grid
from tauscope.effects.curves.grids import SortedValues
from tauscope.rows.value_order import DRAWN, FeatureValues, SketchedValues
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow

N = 60_000


def columns(rng):
    normal = rng.normal(size=N)
    return {
        "normal": normal,
        "zeros": np.where(rng.random(N) < 0.5, 0.0, normal),
        "two atoms among others": np.where(rng.random(N) < 0.3, 0.25, np.where(rng.random(N) < 0.2, -0.5, normal)),
        "heavy tails": rng.standard_cauchy(N),
        "missing": np.where(rng.random(N) < 0.1, np.nan, rng.lognormal(0, 2, N)),
        "whole": rng.poisson(1e6, N).astype(float),
        "few": rng.integers(0, 9, N).astype(float),
    }


@pytest.fixture(params=list(columns(np.random.default_rng(0))))
def values(request):
    return columns(np.random.default_rng(0))[request.param]


@pytest.mark.slow
@pytest.mark.parametrize("spacing", ["quantile", "equidistant"])
@pytest.mark.parametrize("size", [2, 50])
def test_the_grid_is_that_of_the_rows(values, size, spacing):
    parts = np.array_split(values, 4)
    ranks = reduce(add, map(QuantileSketch.of, parts))

    def look(intervals):
        found = [[QuantileWindow.of(np.sort(p[~np.isnan(p)]), *ends) for ends in intervals] for p in parts]
        return [reduce(add, of_one) for of_one in zip(*found, strict=True)]

    order = SketchedValues(ranks, look)
    for got, want in (
        (numeric_grid(order, size, spacing=spacing), numeric_grid(values, size, spacing=spacing)),
        (custom_grid([-1e9, 0.0, 3.0, np.nan], order), custom_grid([-1e9, 0.0, 3.0, np.nan], values)),
    ):
        np.testing.assert_array_equal(got.values, want.values)
        np.testing.assert_array_equal(got.outside, want.outside)
        assert (got.kind, got.exact) == (want.kind, want.exact)
    known = SortedValues(values)
    assert (order.n, order.n_missing, order.low, order.high, order.whole) == (
        known.n, known.n_missing, known.low, known.high, known.whole
    )  # fmt: skip


def from_chunks(values, weight=None):
    parts = np.array_split(np.arange(N), 4)
    return reduce(add, (FeatureValues.of(values[p], None if weight is None else weight[p]) for p in parts))


def test_sample_values_have_the_distribution_of_the_rows(values):
    known, seen = from_chunks(values), values[~np.isnan(values)]
    drawn = known.sample
    assert len(drawn) == DRAWN
    assert (np.nanmin(drawn), np.nanmax(drawn)) == (seen.min(), seen.max())
    assert np.isnan(drawn).mean() == pytest.approx(np.isnan(values).mean(), abs=0.01)
    for level in (0.1, 0.5, 0.9):
        assert (seen <= np.nanquantile(drawn, level)).mean() >= level - 0.01


@pytest.mark.slow
def test_sample_values_follow_the_weights(values):
    weight = np.where(values > np.nanmedian(values), 9.0, 1.0)
    weight[::7] = 0
    drawn, there = from_chunks(values, weight).sample, ~np.isnan(values)
    assert len(drawn) == DRAWN
    assert np.isnan(drawn).mean() == pytest.approx(weight[~there].sum() / weight.sum(), abs=0.01)
    for level in (0.1, 0.5, 0.9):
        below = values[there] <= np.nanquantile(drawn, level)
        assert np.average(below, weights=weight[there]) >= level - 0.01


def test_rows_without_any_value():
    assert np.isnan(FeatureValues.of(np.full(5, np.nan), None).sample).all()
    order = SketchedValues(FeatureValues.of(np.full(5, np.nan), np.ones(5)).ranks)
    assert np.isnan([order.low, order.high]).all()
