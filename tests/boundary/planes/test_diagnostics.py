"""Diagnostics against what a plane must give."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from boundary.problems import linear, plane_distance
from tauscope.boundary.planes.diagnostics import mean_distance
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Space


def test_of_a_plane() -> None:
    problem = linear()
    found = problem.inspect(radius=1.0)
    d = found.diagnostics
    assert (np.abs(d.balance - 0.5) < 0.06).all()
    assert (d.faithfulness > 0.97).all()
    assert np.allclose(d.crossing_ratio, plane_distance(problem) / found.detection.distance, rtol=0.01)
    assert np.allclose(d.cosine, d.crossing_ratio, rtol=0.01)  # of a plane the two are one
    assert (d.stability > 0.99).all()
    assert (d.r2 > 0.8).all()
    score = problem.spy.score(problem.starts.points)
    share = 1 / (1 + np.exp(-score))
    assert np.allclose(d.derivative, -share * (1 - share) * np.linalg.norm(problem.normal), rtol=0.05)


def test_a_model_of_labels_has_no_derivative() -> None:
    assert np.isnan(linear(with_answers=False).inspect(n_samples=100).diagnostics.derivative).all()


def test_scaled_distance_is_by_the_mean_over_pairs() -> None:
    problem = linear()
    mean = mean_distance(problem.space, problem.pool, 0)
    assert np.isclose(mean, pdist(problem.points).mean())
    found = problem.inspect(n_samples=100)
    assert np.allclose(found.diagnostics.scaled_distance, found.detection.distance / mean)
    many = linear(n=300)
    assert np.isclose(mean_distance(many.space, many.pool, 0), pdist(many.points).mean(), rtol=0.02)
    assert np.isnan(mean_distance(problem.space, Pool(problem.points[:1], problem.labels[:1]), 0))


@pytest.mark.parametrize("metric", ["manhattan", "gower", "jaccard"])
def test_the_mean_over_pairs_is_in_the_space_s_own_distance(metric: str) -> None:
    random = np.random.default_rng(0)
    points = random.integers(0, 2 if metric == "jaccard" else 4, (30, 3)).astype(float)
    blocks = ((0,), (1,), (2,)) if metric == "jaccard" else ((2,),) if metric == "gower" else ()
    space = Space(metric, np.array([1.0, 2.0, 3.0]), blocks, np.zeros(3, dtype=bool))
    first, second = np.triu_indices(30, 1)
    slow = space.distance(points[first], points[second]).mean()
    assert np.isclose(mean_distance(space, Pool(points, np.zeros(30, dtype=np.int64)), 0), slow)
