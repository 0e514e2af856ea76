"""Stretches of a boundary told apart."""

import numpy as np
import pytest

from boundary.problems import Problem, Spy, euclidean, linear, mixed
from tauscope.boundary.regions import cluster_directions, find_regions
from tauscope.errors import InputError


def slab() -> Problem:
    """Decided otherwise on both sides of a slab: left at −1, right at 2."""
    points = np.random.default_rng(0).uniform(-4, 4, size=(300, 2))

    def score(x: np.ndarray) -> np.ndarray:
        return np.minimum(x[:, 0] + 1, 2 - x[:, 0])

    inside = np.flatnonzero((np.abs(points[:, 0]) < 0.5) & (np.abs(points[:, 1]) < 1))[:1]
    return Problem(Spy(score), points, euclidean(2), inside)


def test_two_sides_are_two_regions_with_their_distances() -> None:
    problem = slab()
    found = find_regions(*problem.arguments(n_samples=300, n_rivals=300), n_regions=2)
    x = problem.starts.points[0, 0]
    assert np.allclose(found.distance, np.sort([x + 1, 2 - x]), rtol=0.02)
    assert np.isclose(found.share.sum(), 1)
    assert np.allclose(found.direction[:, 0], [-1, 1], atol=0.02)
    assert (problem.spy.score(found.point) <= 0).all()
    assert found.n_model_rows == sum(len(asked) for asked in problem.spy.asked)


def test_a_plane_is_one_region() -> None:
    problem = linear(n_starts=1)
    found = find_regions(*problem.arguments(n_samples=400), n_regions=4)
    assert len(found.distance) == 1
    assert found.share[0] == pytest.approx(1)


def test_clusters_of_directions_ignore_the_lengths() -> None:
    points = np.array([[1.0, 0], [3, 0.1], [0, 2], [0.1, 9]])
    assert cluster_directions(euclidean(2), np.zeros(2), points, 3).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])


def test_levels_and_a_budget() -> None:
    problem = mixed().some(np.array([1]))
    found = find_regions(*problem.arguments(n_samples=100, refine="coordinate"), n_regions=3)
    assert (problem.spy.score(found.point) <= 0).all()
    spent = find_regions(*problem.arguments(n_samples=100, max_model_rows=60), n_regions=3)
    assert spent.n_model_rows <= 60
    assert (problem.spy.score(spent.point) <= 0).all()


def test_one_row_at_a_time() -> None:
    with pytest.raises(InputError, match="one row"):
        find_regions(*linear().arguments(), n_regions=2)
    with pytest.raises(InputError, match="n_regions"):
        find_regions(*linear(n_starts=1).arguments(), n_regions=0)
