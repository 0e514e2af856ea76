"""A thousand values that stand for the rows have the rows' distribution, as they are weighted."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from chunked.effects.test_grid import N, columns
from tauscope.chunked.effects.values import DRAWN, FeatureValues


@pytest.fixture(params=list(columns(np.random.default_rng(0))))
def values(request):
    return columns(np.random.default_rng(0))[request.param]


def from_chunks(values, weight=None):
    parts = np.array_split(np.arange(N), 4)
    return reduce(add, (FeatureValues.of(values[p], None if weight is None else weight[p]) for p in parts))


def test_sample_values_have_the_distribution_of_the_rows(values):
    known, seen = from_chunks(values), values[~np.isnan(values)]
    drawn = known.sample
    assert len(drawn) == DRAWN
    assert (np.nanmin(drawn), np.nanmax(drawn)) == known.extremes == (seen.min(), seen.max())
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
    assert np.isnan(FeatureValues.of(np.full(5, np.nan), np.ones(5)).extremes).all()
