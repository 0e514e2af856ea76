"""A nearer point by a line and by columns put back."""

import numpy as np

from boundary.problems import Problem, Spy, euclidean, linear, mixed, plane_distance
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.detection import detect
from tauscope.boundary.paths import Walk
from tauscope.boundary.refine import drop_residue, restore_columns, search_line
from tauscope.prediction.rows import ArrayRows


def test_a_line_along_the_normal_ends_at_the_plane() -> None:
    problem = linear()
    found = detect(problem.predictor, problem.space, problem.pool, problem.starts, problem.limits)
    normal = -problem.normal / np.linalg.norm(problem.normal)
    directions = np.tile(normal, (8, 1, 1))
    walk = Walk(problem.space, problem.limits, problem.starts, found.point, directions[:, 0])
    points, distance = search_line(problem.predictor, walk, directions, found.distance, 1e-6)
    assert np.allclose(distance, plane_distance(problem), atol=2e-6)
    assert (problem.spy.score(points) <= 0).all()


def test_a_line_the_wrong_way_leaves_the_point() -> None:
    problem = linear()
    found = detect(problem.predictor, problem.space, problem.pool, problem.starts, problem.limits)
    directions = np.tile(problem.normal / np.linalg.norm(problem.normal), (8, 1, 1))
    walk = Walk(problem.space, problem.limits, problem.starts, found.point, directions[:, 0])
    points, distance = search_line(problem.predictor, walk, directions, found.distance, 1e-6)
    np.testing.assert_array_equal(points, found.point)
    np.testing.assert_array_equal(distance, found.distance)


def test_what_hardly_changes_goes_back_where_the_decision_stays() -> None:
    def score(x: np.ndarray) -> np.ndarray:
        return np.where((x[:, 0] < 0) & (x[:, 1] > 0), -1.0, 1.0)

    start = np.array([[1.0, 1.0, 3.0], [1.0, 0.0, 3.0], [1.0, 1.0, 3.0]])
    problem = Problem(Spy(score), start, euclidean(3), np.arange(3))
    points = np.array([[-1.0, 1.0 + 1e-7, 3.5], [-1.0, 1e-7, 3.5], [-1.0, 1.1, 3.5]])
    far = problem.space.distance(start, points)
    asked = problem.predictor
    back, distance = drop_residue(asked, problem.space, problem.starts, points, far)
    np.testing.assert_array_equal(back, [[-1.0, 1.0, 3.5], *points[1:]])  # the second needs it, the third is no residue
    np.testing.assert_array_equal(distance, problem.space.distance(start, back))
    assert asked.n_model_rows == 2

    poor = DecisionPredictor(problem.spy.decision, ArrayRows(start), budget=1)
    np.testing.assert_array_equal(drop_residue(poor, problem.space, problem.starts, points, far)[0], points)


def test_columns_that_do_not_matter_go_back_exactly() -> None:
    problem = linear(n=400)
    problem.spy.score = lambda x: x[:, 0] + 0.3
    problem.__post_init__()
    problem.index = np.flatnonzero(problem.labels == 1)[:6]
    problem.limits = problem.limits.take(np.zeros(6, dtype=np.int64))
    found = detect(problem.predictor, problem.space, problem.pool, problem.starts, problem.limits)
    points, distance = restore_columns(problem.predictor, problem.space, problem.limits, problem.starts, found.point)
    start = problem.starts.points
    np.testing.assert_array_equal(points[:, 1:], start[:, 1:])
    exact = start[:, 0] + 0.3
    assert (distance >= exact).all()
    assert (distance <= exact * 1.2).all()


def test_blocks_go_back_or_stay() -> None:
    problem = mixed()
    far = problem.pool.points[problem.labels == 0][: len(problem.index)]
    points, distance = restore_columns(problem.predictor, problem.space, problem.limits, problem.starts, far)
    start = problem.starts.points
    for block in problem.space.blocks:
        columns = list(block)
        as_start = (points[:, columns] == start[:, columns]).all(axis=1)
        as_far = (points[:, columns] == far[:, columns]).all(axis=1)
        assert (as_start | as_far).all()
    assert (problem.spy.score(points) <= 0).all()
    assert (points[:, 1] == np.round(points[:, 1])).all()
    assert (distance <= problem.space.distance(start, far)).all()
