"""Targets on the surface of the hull: the limits of targets that approach it."""

import numpy as np
import pytest

from tauscope.errors import InfeasibleTarget
from tauscope.stress.joint.projection import project


@pytest.mark.parametrize("end", ["min", "max"])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_mean_at_its_extreme_is_spread_over_the_extreme_rows(end, weighted):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, size=300).astype(float)
    base = rng.uniform(0.5, 2, size=300) if weighted else np.ones(300)
    at = getattr(x, end)()
    projection = project(x[:, None], np.array([at]), sample_weight=base)
    expected = base * (x == at)
    np.testing.assert_allclose(projection.weights, expected / expected.mean(), rtol=1e-12)
    assert projection.status == "limit"
    assert projection.multipliers[0] == (-np.inf if end == "min" else np.inf)
    assert projection.kl == pytest.approx(-np.log(base @ (x == at) / base.sum()))
    assert projection.tv == pytest.approx(1 - base @ (x == at) / base.sum())
    assert f"{np.sum(x == at)} of 300 rows" in projection.message


def test_shares_that_leave_nothing_to_a_third_level():
    level = np.random.default_rng(0).integers(0, 3, size=600)
    phi = np.stack([level == 0, level == 1], axis=1).astype(float)
    projection = project(phi, np.array([0.7, 0.3]))
    share = [np.sum(projection.weights[level == c]) / 600 for c in range(3)]
    np.testing.assert_allclose(share, [0.7, 0.3, 0], atol=1e-12)
    assert projection.status == "limit"
    assert np.all(projection.weights[level == 2] == 0)
    assert projection.residual <= 1e-10


def test_a_corner_leaves_one_level():
    level = np.random.default_rng(0).integers(0, 3, size=600)
    phi = np.stack([level == 0, level == 1], axis=1).astype(float)
    projection = project(phi, np.array([1.0, 0.0]))
    np.testing.assert_array_equal(projection.weights > 0, level == 0)
    np.testing.assert_array_equal(projection.multipliers, [np.inf, -np.inf])


def test_the_other_constraints_are_met_among_the_rows_that_stay():
    rng = np.random.default_rng(1)
    gain = rng.exponential(size=800) * (rng.random(800) < 0.1)
    age = rng.normal(size=800) + 0.3 * (gain > 0)
    projection = project(np.column_stack([gain, age]), np.array([0.0, 0.5]))
    alone = project(age[gain == 0][:, None], np.array([0.5]))
    assert projection.status == "limit"
    np.testing.assert_allclose(projection.weights[gain == 0] / 800, alone.weights / len(alone.weights), rtol=1e-9)
    assert projection.multipliers[0] == -np.inf
    assert projection.multipliers[1] == pytest.approx(alone.multipliers[0])
    assert projection.kl == pytest.approx(alone.kl - np.log(np.mean(gain == 0)))


@pytest.mark.parametrize("inward", [1e-3, 1e-5, 1e-7])
def test_the_limit_is_approached_from_inside(inward):
    points = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [1, 1], [2, 1], [0, 1]], dtype=float)
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])  # a face along no axis
    phi = np.tile(points, (10, 1)) @ turn.T
    on_face = np.array([1.2, 0.0])
    limit = project(phi, turn @ on_face)
    near = project(phi, turn @ np.add(on_face, [0, inward]))
    assert limit.status == "limit"
    assert near.status == "solved"
    np.testing.assert_allclose(near.weights, limit.weights, atol=20 * inward)
    assert np.all(limit.weights.reshape(10, 7)[:, 4:] == 0)
    assert limit.kl >= near.kl


def test_a_face_of_a_face():
    cube = np.stack(np.meshgrid(*[[0.0, 1.0]] * 3), axis=-1).reshape(-1, 3)
    mixing = np.array([[1.0, 0.2, 0.3], [0.1, 1.0, 0.4], [0.5, 0.2, 1.0]])
    phi = np.tile(cube, (5, 1)) @ mixing.T
    edge = project(phi, mixing @ np.array([0.0, 1.0, 0.3]))
    assert edge.status == "limit"
    on_edge = (np.tile(cube, (5, 1))[:, :2] == [0, 1]).all(axis=1)
    np.testing.assert_array_equal(edge.weights > 0, on_edge)
    assert edge.residual <= 1e-10


def test_an_extreme_that_the_other_target_excludes_is_refused():
    phi = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 5.0], [2.0, 6.0]])
    with pytest.raises(InfeasibleTarget, match="the b can lie between 0 and 1"):
        project(phi, np.array([0.0, 3.0]), names=["a", "b"])
    with pytest.raises(InfeasibleTarget):
        project(phi, np.array([0.0, 6.0]), names=["a", "b"])


def test_rows_of_weight_zero_are_no_face():
    x = np.arange(6.0)
    base = np.array([0, 1, 1, 1, 1, 0.0])
    projection = project(x[:, None], np.array([1.0]), sample_weight=base)
    np.testing.assert_allclose(projection.weights, [0, 6, 0, 0, 0, 0])
    with pytest.raises(InfeasibleTarget, match="between 1 and 4"):
        project(x[:, None], np.array([0.5]), sample_weight=base)
