from functools import reduce
from operator import add

import numpy as np
import pytest

from tauscope.chunked.effects.grid import chunked_grid
from tauscope.data.columns import Column
from tauscope.effects import numeric_grid
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

    seen = values[~np.isnan(values)]
    column = Column("x", "numeric", numbers=values, lower=seen.min(), upper=seen.max())
    grid, notes = chunked_grid(column, ranks, size, spacing, look)
    want = numeric_grid(values, size, spacing=spacing)
    np.testing.assert_array_equal(grid.values, want.values)
    np.testing.assert_array_equal(grid.outside, want.outside)
    assert (grid.kind, grid.exact, notes) == (want.kind, want.exact, ())
