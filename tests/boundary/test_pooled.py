"""Directions pooled, and how far another draw of rows would pool them elsewhere."""

from dataclasses import fields

import numpy as np
import pytest
from scipy import stats

from tauscope.boundary.pooled import PooledDirection, pool_directions, present
from tauscope.boundary.pooled_rows import DirectionTable, SparseDirections
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats


def pool_table(
    directions: Floats, is_present: Bools, weights: Floats | None = None, confidence: float = 0.95
) -> PooledDirection:
    return pool_directions(DirectionTable.scaled(directions, is_present), weights, confidence)


def test_the_sum_of_directions_each_over_its_largest_part() -> None:
    directions = np.array([[0.6, 0.8], [0.0, -1.0], [np.nan, np.nan]])
    start = np.array([[1.0, 0], [2, 3], [1, 1]])
    weights = np.array([1.0, 0.5, 9])
    pooled = pool_table(directions, present(start), weights)
    total = 1.0 * directions[0] / 0.8 + 0.5 * directions[1]
    assert np.allclose(pooled.direction, total / np.linalg.norm(total))
    assert pooled.n == 2
    assert pooled.size == pytest.approx(1.5**2 / 1.25)
    assert np.allclose(pooled.present + pooled.absent, pooled.direction)
    assert np.allclose(pooled.absent * np.linalg.norm(total), [0, 1])  # the first row lacks the second feature


def drawn(n: int, noise: float, random: np.random.Generator) -> Floats:
    """Unit directions around one, as far apart as the noise has them."""
    directions = np.array([1, 0.5, -0.3, 0, 0]) + noise * random.normal(size=(n, 5))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def test_weights_scale_out() -> None:
    directions = drawn(6, 1.0, np.random.default_rng(0))
    once, thrice = (pool_table(directions, directions > 0, np.full(6, w)) for w in (1.0, 3.0))
    for name in ("direction", "direction_ends", "present_ends", "absent_ends", "agreement", "wobble"):
        np.testing.assert_allclose(getattr(once, name), getattr(thrice, name))


@pytest.mark.slow
def test_the_interval_is_students_around_the_jackknife() -> None:
    n, confidence = 400, 0.9
    directions = drawn(n, 1.0, np.random.default_rng(1))
    is_present = directions[:, ::-1] > 0
    pooled = pool_table(directions, is_present, confidence=confidence)
    without = [pool_table(np.delete(directions, i, 0), np.delete(is_present, i, 0)) for i in range(n)]
    for name in ("direction", "present", "absent"):
        left = np.array([getattr(one, name) for one in without])
        error = np.sqrt((n - 1) ** 2 / n * left.var(axis=0, ddof=1))
        half = stats.t(n - 1).ppf(0.5 + confidence / 2) * error
        expected = getattr(pooled, name) + np.array([-1, 1])[:, None] * half
        np.testing.assert_allclose(getattr(pooled, f"{name}_ends"), expected, atol=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("tilt", [0.0, 1.0])
@pytest.mark.parametrize(("n", "noise"), [(12, 0.3), (30, 0.3), (100, 1.0)])
def test_the_intervals_cover_what_all_rows_would_pool(n: int, noise: float, tilt: float) -> None:
    random = np.random.default_rng(2)

    def pool(n: int) -> PooledDirection:
        directions = drawn(n, noise, random)
        return pool_table(directions, random.random(directions.shape) < 0.6, np.exp(tilt * directions[:, 0]))

    truth, replicates = pool(200_000), [pool(n) for _ in range(800)]
    assert np.median([one.wobble for one in replicates]) < 0.25
    for name in ("direction", "present", "absent"):
        low, high = np.array([getattr(one, f"{name}_ends") for one in replicates]).transpose(1, 0, 2)
        covered = ((low <= getattr(truth, name)) & (getattr(truth, name) <= high)).mean(axis=0)
        assert 0.92 < covered.mean() < 0.98, (name, covered)
        assert covered.min() > 0.88, (name, covered)


def test_what_cannot_be_settled_is_measured() -> None:
    alike = pool_table(np.tile([0.6, 0.8], (5, 1)), np.ones((5, 2), bool))
    assert alike.agreement == pytest.approx(1)
    assert alike.wobble == pytest.approx(0, abs=1e-7)
    np.testing.assert_allclose(alike.direction_ends, np.tile([0.6, 0.8], (2, 1)), atol=1e-7)
    apart = pool_table(drawn(10, 4.0, np.random.default_rng(0)), np.ones((10, 5), bool))
    assert apart.agreement < 0.5 < 2 * apart.wobble
    opposite = pool_table(np.array([[1.0, 0], [-1, 0]]), np.ones((2, 2), bool))
    assert (opposite.direction == 0).all()
    assert np.isnan(opposite.direction_ends).all()
    assert np.isnan(opposite.wobble)
    alone = pool_table(np.array([[1.0, 0]]), np.ones((1, 2), bool))
    assert np.isnan(alone.present_ends).all()


def test_nothing_to_pool_is_said() -> None:
    with pytest.raises(InputError, match="a direction and a weight"):
        pool_table(np.full((2, 3), np.nan), np.zeros((2, 3), bool))


@pytest.mark.parametrize("n", [5, 1, 40])
def test_directions_in_columns_of_their_own_pool_to_the_same(n: int) -> None:
    random = np.random.default_rng(0)
    directions = random.normal(size=(n + 1, 8)) * (random.random((n + 1, 8)) < 0.6) + (np.arange(8) == 2)
    start = random.random((n + 1, 8)) * (random.random((n + 1, 8)) < 0.5)
    directions[-1] = np.nan
    weights = 1 + random.random(n + 1)
    weights[2:3] = 0
    places = [np.flatnonzero((row != 0) | (own != 0)) for row, own in zip(directions, start, strict=True)]
    parts = [row[place] for row, place in zip(directions, places, strict=True)]
    has = [present(row[place]) for row, place in zip(start, places, strict=True)]
    sparse, table = SparseDirections.scaled(parts, has, places, 8), DirectionTable.scaled(directions, present(start))
    ours, theirs = pool_directions(sparse, weights, 0.9), pool_directions(table, weights, 0.9)
    assert np.isnan(theirs.wobble) == (n == 1)
    for name in (field.name for field in fields(PooledDirection)):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-7, err_msg=name)
    used = sparse.usable & (weights > 0)
    assert ours.n == used.sum() == max(1, n - 1)
    np.testing.assert_array_equal(sparse.n_present(used), (start[used] != 0).sum(axis=0))
    np.testing.assert_array_equal(sparse.weighs_absent(), table.weighs_absent())
    np.testing.assert_array_equal(sparse.table().value, table.value)
    np.testing.assert_array_equal(sparse.table().is_present[:-1], table.is_present[:-1])
    with pytest.raises(InputError, match="a direction and a weight"):
        pool_directions(sparse, np.zeros(n + 1))


def test_rows_alike_in_columns_of_their_own_do_not_wobble() -> None:
    alike = SparseDirections.scaled([np.array([0.6, 0.8])] * 5, [np.ones(2, bool)] * 5, [np.array([1, 4])] * 5, 6)
    pooled = pool_directions(alike)
    assert pooled.agreement == pytest.approx(1)
    assert pooled.wobble == pytest.approx(0, abs=1e-7)
    np.testing.assert_allclose(pooled.direction_ends, np.tile([0, 0.6, 0, 0, 0.8, 0], (2, 1)), atol=1e-7)
