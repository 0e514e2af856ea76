"""Samples of the hull: where they lie, what they depend on."""

import numpy as np
import pytest

from boundary.problems import Problem, linear, mixed
from tauscope.boundary.options import Vertices
from tauscope.boundary.planes.simulation import simulate
from tauscope.weights.arrays import Floats


def samples_of(problem: Problem, points: Floats, n: int = 2000, **options) -> Floats:
    distance = problem.space.distance(problem.starts.points, points)
    return simulate(
        problem.space, problem.limits, problem.starts, points, distance, problem.pool, np.ones(n), **options
    )


@pytest.mark.parametrize("p", [3, 30])
def test_distant_vertices_put_samples_071_distances_away_whatever_the_columns(p: int) -> None:
    problem = linear(p=p, n_starts=2)
    points = problem.starts.points + 1.0
    away = np.linalg.norm(samples_of(problem, points) - points[:, None], axis=2) / np.sqrt(p)
    assert np.allclose(np.sqrt((away**2).mean(axis=1)), np.sqrt(p / (2 * p + 1)), rtol=0.03)


def test_axis_vertices_are_the_published_hull() -> None:
    problem = linear(p=4, n_starts=1)
    points = problem.starts.points + 0.5
    moves = (samples_of(problem, points, vertices="axis") - points[:, None])[0]
    assert (np.abs(moves).sum(axis=1) <= 1.0).all()  # the hull of ± d·e_j, d = 1
    # uniform spacings over 2p vertices: the variance of a difference of two is 2 / (2p)(2p + 1) · …
    assert np.allclose(moves.std(axis=0), np.sqrt(2 / (8 * 9)), rtol=0.06)


@pytest.mark.parametrize("vertices", ["distant", "sparse"])
def test_a_start_has_the_same_samples_alone(vertices: Vertices) -> None:
    problem = mixed()
    points = problem.points[[20, 21, 22, 23, 24, 25]]
    every = samples_of(problem, points, n=50, vertices=vertices)
    alone = samples_of(problem.some(np.array([3])), points[3:4], n=50, vertices=vertices)
    np.testing.assert_array_equal(every[3], alone[0])


def test_another_state_gives_other_samples() -> None:
    problem = linear()
    points = problem.starts.points + 1
    assert not np.array_equal(samples_of(problem, points), samples_of(problem, points, random_state=1))


def test_levels_switch_as_a_whole() -> None:
    problem = mixed()
    points = problem.points[[20, 21, 22, 23, 24, 25]]
    samples = samples_of(problem, points)
    levels = {tuple(row) for row in problem.points[:, 3:]}
    assert {tuple(row) for row in samples[..., 3:].reshape(-1, 3)} <= levels
    as_start = (samples[..., 2] == problem.starts.points[:, None, 2]).mean(axis=1)
    assert (as_start > 0.35).all()


def test_sparse_vertices_move_what_is_not_zero_at_the_point_or_not_the_starts() -> None:
    problem = linear()
    problem.points[:, 1] = 0
    points = problem.starts.points + 1
    points[:, 1:3] = 0
    samples = samples_of(problem, points, vertices="sparse")
    assert (samples[..., 1] == 0).all()
    assert (samples[..., [0, 2]].std(axis=1) > 0).all()


def test_groups_move_together() -> None:
    problem = linear()
    points = problem.starts.points + 1
    moves = samples_of(problem, points, vertices="groups", groups=((0, 3), (1, 2, 4))) - points[:, None]
    assert np.allclose(moves[..., 0], moves[..., 3])
    assert np.allclose(moves[..., 1], moves[..., 4])
