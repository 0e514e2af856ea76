"""Walks along a direction: lengths, crossings, levels."""

from itertools import product

import numpy as np
import pytest

from boundary.problems import linear, mixed, plane_distance
from tauscope.boundary.bisection import Starts
from tauscope.boundary.paths import Walk, first_flip, walk_paths
from tauscope.boundary.space import Limits, Metric, Space


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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("metric", ["euclidean", "gower"])
def test_a_walk_with_levels_is_as_far_away_as_it_says_and_as_far_along_as_it_can_be(metric: Metric, seed: int) -> None:
    """No other point that near, its numbers moved straight, lies much farther along the direction."""
    random = np.random.default_rng(seed)
    scale = np.array([1.0, 2.0, 0.5, 0.3, 0.4, 0.5, 0.4])
    start = np.array([[0.3, -1.0, 1.0, 0.0, 0.0, 1.0, 0.0]])
    space = Space(metric, scale, ((2,), (3,), (4, 5, 6)), np.zeros(7, dtype=bool))
    direction = random.normal(size=(1, 7))
    direction /= np.linalg.norm(direction)
    starts = Starts(start, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), None)
    walk = Walk(space, Limits.none(1, 7), starts, start, direction)
    lengths = np.linspace(0, 3, 31)[None]
    way = walk.at(lengths)[0]
    assert (space.distance(start, way) <= lengths[0] + 1e-9).all()
    others = [
        np.r_[start[0, :2], flags, group]
        for flags in product((0.0, 1.0), repeat=2)
        for group in np.eye(3)
    ]  # fmt: skip
    straight = np.r_[direction[0, :2], np.zeros(5)] * scale
    for point, length in zip(way, lengths[0], strict=True):
        along = ((point - start[0]) / scale) @ direction[0]
        best = 0.0
        for other in others:
            left = length - space.distance(start[0], other)
            if metric == "euclidean" and left >= 0:
                left = np.sqrt(length**2 - space.distance(start[0], other) ** 2)
            if left >= 0:
                moved = other + straight * left / space.number_length(straight)
                best = max(best, ((moved - start[0]) / scale) @ direction[0])
        assert along >= 0.8 * best - 1e-9  # levels are chosen one after the other, the dearest may not fit


def test_no_start_no_question() -> None:
    problem = linear().some(np.empty(0, dtype=np.int64))
    walk = walk_of_none(problem)
    assert first_flip(problem.predictor, walk, np.empty((0, 3))).shape == (0,)
    assert walk_paths(problem.predictor, walk, np.empty(0), 5).answer.shape == (0, 6)
    assert not problem.spy.asked


def walk_of_none(problem) -> Walk:
    nothing = np.empty((0, 5))
    return Walk(problem.space, problem.limits, problem.starts, nothing, nothing)
