"""Directions pooled."""

import numpy as np
import pytest

from tauscope.boundary.pooled import pool_directions, pool_sparse_directions
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


def test_directions_in_columns_of_their_own_pool_to_the_same() -> None:
    random = np.random.default_rng(0)
    directions = random.normal(size=(5, 8)) * (random.random((5, 8)) < 0.6)
    start = random.random((5, 8)) * (random.random((5, 8)) < 0.5)
    directions[4] = np.nan
    weights = np.array([1.0, 2.0, 0.0, 3.0, 1.0])
    places = [np.flatnonzero((row != 0) | (own != 0)) for row, own in zip(directions, start, strict=True)]
    parts = [row[place] for row, place in zip(directions, places, strict=True)]
    starts = [row[place] for row, place in zip(start, places, strict=True)]
    ours, n_present = pool_sparse_directions(parts, starts, places, weights, 8)
    theirs = pool_directions(directions, start, weights)
    for name in ("direction", "present", "absent"):
        assert np.allclose(getattr(ours, name), getattr(theirs, name))
    assert ours.n == theirs.n == 3
    assert n_present.tolist() == (start[[0, 1, 3]] != 0).sum(axis=0).tolist()
    with pytest.raises(InputError, match="a direction and a weight"):
        pool_sparse_directions(parts, starts, places, np.zeros(5), 8)
