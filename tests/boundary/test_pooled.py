"""Directions pooled."""

import numpy as np
import pytest

from tauscope.boundary.pooled import pool_directions
from tauscope.errors import InputError


def test_the_sum_of_directions_each_over_its_largest_part() -> None:
    directions = np.array([[0.6, 0.8], [0.0, -1.0], [np.nan, np.nan]])
    start = np.array([[1.0, 0], [2, 3], [1, 1]])
    weights = np.array([1.0, 0.5, 9])
    pooled = pool_directions(directions, start, weights)
    total = 1.0 * directions[0] / 0.8 + 0.5 * directions[1]
    assert np.allclose(pooled.direction, total / np.linalg.norm(total))
    assert pooled.n == 2
    assert np.allclose(pooled.present + pooled.absent, pooled.direction)
    assert np.allclose(pooled.absent * np.linalg.norm(total), [0, 1])  # the first row lacks the second feature


def test_weights_scale_out() -> None:
    directions = np.random.default_rng(0).normal(size=(6, 3))
    once, thrice = (pool_directions(directions, directions, np.full(6, w)) for w in (1.0, 3.0))
    assert np.allclose(once.direction, thrice.direction)


def test_nothing_to_pool_is_said() -> None:
    with pytest.raises(InputError, match="a direction and a weight"):
        pool_directions(np.full((2, 3), np.nan), np.zeros((2, 3)))
