"""Brackets narrowed together: what pruning may and may not change."""

import numpy as np
import pytest

from boundary.problems import Problem, Spy, circle, euclidean, linear, mixed
from tauscope.boundary.bisection import bisect_each
from tauscope.boundary.detection import detect, rival_brackets
from tauscope.boundary.levels import restore_levels
from tauscope.boundary.rivals import nearest_rivals


@pytest.mark.parametrize("make", [linear, circle, mixed])
def test_pruning_changes_no_bit_and_asks_less(make) -> None:
    problem = make()
    found = {}
    for prune in (True, False):
        predictor = problem.predictor
        detection = detect(
            predictor, problem.space, problem.pool, problem.starts, problem.limits, n_rivals=40, prune=prune
        )
        found[prune] = detection, predictor.n_model_rows
    for name in ("point", "distance", "rival", "status"):
        np.testing.assert_array_equal(getattr(found[True][0], name), getattr(found[False][0], name))
    assert found[True][1] < found[False][1]


def test_the_end_of_every_bracket_is_beyond_and_the_nearest_of_them_is_the_point() -> None:
    problem = circle()
    predictor, space, starts = problem.predictor, problem.space, problem.starts
    rivals = nearest_rivals(space, problem.pool, starts.points, starts.labels, None, 30)
    brackets, _ = rival_brackets(predictor, space, problem.pool, starts, problem.limits, rivals)
    brackets = restore_levels(predictor, space, starts, brackets)
    points, distance = bisect_each(predictor, space, starts, brackets)
    assert (problem.spy.score(points) <= 0).all()
    assert (np.abs(problem.spy.score(points)) < 1e-5).all()
    nearest = np.full(starts.n, np.inf)
    np.minimum.at(nearest, brackets.start, distance)
    detection = detect(predictor, space, problem.pool, starts, problem.limits, n_rivals=30)
    np.testing.assert_array_equal(nearest, detection.distance)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6])
def test_the_tolerance_is_kept(tolerance: float) -> None:
    problem = linear()
    detection = detect(
        problem.predictor, problem.space, problem.pool, problem.starts, problem.limits, tolerance=tolerance
    )
    way = detection.point - problem.starts.points
    along = way / np.linalg.norm(way, axis=1, keepdims=True)
    assert (problem.spy.score(detection.point) <= 0).all()
    assert (problem.spy.score(detection.point - tolerance * along) > 0).all()


@pytest.mark.parametrize("tolerance", [1e-16, 1e-20, 1e-300, 5e-324])
@pytest.mark.parametrize("at", [0.0, 1e-300, 0.3, 1.0])
def test_a_tolerance_below_the_spacing_of_numbers_ends_at_the_numbers_themselves(tolerance: float, at: float) -> None:
    points = np.linspace(-1, 2, 31)[:, None]
    problem = Problem(Spy(lambda x: x[:, 0] - at, with_answers=False), points, euclidean(1), np.array([30]))
    predictor = problem.predictor
    detection = detect(predictor, problem.space, problem.pool, problem.starts, problem.limits, tolerance=tolerance)
    beyond = detection.point[0, 0]
    assert beyond <= at
    assert at - beyond <= np.spacing(2.0)  # shares of a way of this length are no finer
    assert predictor.n_model_rows < 3000


def test_a_budget_leaves_a_valid_point_that_is_not_settled() -> None:
    problem = linear()
    predictor = problem.predictor
    predictor._budget = 200
    detection = detect(predictor, problem.space, problem.pool, problem.starts, problem.limits, n_rivals=40)
    assert predictor.n_model_rows <= 200
    assert (problem.spy.score(detection.point) <= 0).all()
    assert not detection.settled.all()
