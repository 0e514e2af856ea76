"""Walks along a direction: lengths, crossings, levels."""

import numpy as np
import pytest

from boundary.problems import linear, mixed, plane_distance
from tauscope.boundary.paths import Walk, first_flip, walk_paths


def walk_of(problem) -> Walk:
    direction = np.tile(-problem.normal / np.linalg.norm(problem.normal), (len(problem.index), 1))
    return Walk(problem.space, problem.limits, problem.starts, problem.starts.points, direction)


def test_a_walk_crosses_where_the_plane_is() -> None:
    problem = linear()
    lengths = np.tile(np.linspace(0.1, 6, 30), (8, 1))
    crossing = first_flip(problem.predictor, walk_of(problem), lengths)
    assert np.allclose(crossing, plane_distance(problem), atol=1e-3)


def test_a_walk_away_never_crosses() -> None:
    problem = linear()
    walk = walk_of(problem)
    away = Walk(walk.space, walk.limits, walk.starts, walk.points, -walk.direction)
    assert np.isinf(first_flip(problem.predictor, away, np.tile(np.linspace(0.1, 6, 30), (8, 1)))).all()


def test_a_path_has_the_answers_and_says_whether_it_returns() -> None:
    problem = linear()
    paths = walk_paths(problem.predictor, walk_of(problem), np.full(8, 6.0), 40)
    assert paths.length.shape == paths.answer.shape == (8, 41)
    assert (np.diff(paths.answer, axis=1) <= 0).all()
    assert not paths.returns.any()
    flat = problem.spy.score
    problem.spy.score = lambda x: np.abs(flat(x)) - 0.2  # decided otherwise only close to the plane
    again = walk_paths(problem.predictor, walk_of(problem), np.full(8, 9.0), 300)
    assert again.returns[np.isfinite(again.crossing)].all()
    assert np.isfinite(again.crossing).any()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower"])
def test_lengths_are_in_the_distance_of_the_space(metric: str) -> None:
    problem = linear()
    space = type(problem.space)(metric, problem.space.scale, (), problem.space.integer)
    walk = walk_of(problem)
    walk = Walk(space, walk.limits, walk.starts, walk.points, walk.direction)
    lengths = np.tile([0.0, 0.5, 2.0], (8, 1))
    assert np.allclose(space.distance(problem.starts.points[:, None], walk.at(lengths)), lengths)


def test_levels_are_those_of_the_start_and_then_of_the_point() -> None:
    problem = mixed()
    start = problem.starts.points
    points = start.copy()
    points[:, 2] = (start[:, 2] + 1) % 4
    direction = np.zeros_like(start)
    direction[:, 2] = 1.0
    walk = Walk(problem.space, problem.limits, problem.starts, points, direction)
    way = walk.at(np.tile(np.linspace(0, 0.5, 20), (len(start), 1)))
    assert (way[:, 0] == start).all()
    assert (way[:, -1] == points).all()
    assert ((way == start[:, None]).all(axis=2) | (way == points[:, None]).all(axis=2)).all()


def test_no_start_no_question() -> None:
    problem = linear().some(np.empty(0, dtype=np.int64))
    walk = walk_of_none(problem)
    assert first_flip(problem.predictor, walk, np.empty((0, 3))).shape == (0,)
    assert walk_paths(problem.predictor, walk, np.empty(0), 5).answer.shape == (0, 6)
    assert not problem.spy.asked


def walk_of_none(problem) -> Walk:
    nothing = np.empty((0, 5))
    return Walk(problem.space, problem.limits, problem.starts, nothing, nothing)
