"""Squared residuals by cell, against those row by row."""

import numpy as np
import pytest

from tauscope.stress.joint.cells import CellSums

N, CELLS, METRICS = 200, 5, 7


@pytest.mark.parametrize("k", [0, 1, 3])
def test_sums_by_cell_are_those_of_the_rows(k):
    rng = np.random.default_rng(k)
    cell, distance, weight = rng.integers(-1, CELLS, N), rng.normal(size=(N, k)), rng.random(N)
    values, slopes = rng.normal(size=(CELLS, METRICS)), rng.normal(size=(k, METRICS))
    residuals = np.where(cell[:, None] >= 0, values[cell], 0.0) - distance @ slopes
    sums = CellSums.of(cell, CELLS, distance, weight)
    np.testing.assert_allclose(sums.squares(values, slopes), weight @ residuals**2, rtol=1e-11)
    np.testing.assert_allclose(sums.products(values, slopes), (residuals * weight[:, None]).T @ residuals, atol=1e-11)


def test_what_is_rounding_alone_is_0():
    cell = np.arange(N) % CELLS
    sums = CellSums.of(cell, CELLS, (cell / 3)[:, None], np.full(N, 0.1))
    assert sums.squares((np.arange(CELLS) / 3)[:, None], np.ones((1, 1))).tolist() == [0.0]
