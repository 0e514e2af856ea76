"""Levels put back: few as one after the other would, many at once and none left that could go back alone."""

import numpy as np
import pytest

from boundary.problems import Problem, Spy, mixed
from tauscope.boundary.bisection import Brackets
from tauscope.boundary.levels import MANY, restore_levels
from tauscope.boundary.space import Metric, Space


def binary(p: int, metric: Metric = "euclidean", *, with_answers: bool = True) -> Problem:
    """Columns of 0 and 1, a few of which weigh most; every other pair of columns is one block."""
    rng = np.random.default_rng(p)
    points = (rng.random((60, p)) < 0.4).astype(float)
    weight = rng.normal(size=p) ** 3

    def score(x: np.ndarray) -> np.ndarray:
        return x @ weight - np.median(points @ weight)

    blocks = (*((j,) for j in range(p - 4)), (p - 4, p - 3), (p - 2, p - 1))
    space = Space(metric, np.ones(p) if metric == "jaccard" else points.std(axis=0), blocks, np.zeros(p, bool))
    return Problem(Spy(score, with_answers), points, space, np.flatnonzero(score(points) > 0)[:4])


def every_rival(problem: Problem) -> Brackets:
    rivals = np.flatnonzero(problem.labels == 0)
    start = np.repeat(np.arange(len(problem.index)), len(rivals))
    return Brackets(start, np.tile(problem.points[rivals], (len(problem.index), 1)))


def one_after_the_other(problem: Problem, start: np.ndarray, far: np.ndarray) -> np.ndarray:
    blocks = [list(block) for block in problem.space.blocks]
    every, far = [column for block in blocks for column in block], far.copy()
    for columns in [every, *blocks]:
        tried = far.copy()
        tried[columns] = start[columns]
        if problem.spy.score(tried[None])[0] <= 0:
            far = tried
    return far


@pytest.mark.parametrize("make", [mixed, lambda: binary(MANY), lambda: binary(MANY, "jaccard")])
def test_few_levels_go_back_as_one_after_the_other(make) -> None:
    problem = make()
    brackets = every_rival(problem)
    found = restore_levels(problem.predictor, problem.space, problem.starts, brackets)
    for start, far, restored in zip(brackets.start, brackets.far, found.far, strict=True):
        np.testing.assert_array_equal(restored, one_after_the_other(problem, problem.starts.points[start], far))


@pytest.mark.parametrize("with_answers", [True, False])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower", "jaccard"])
def test_of_many_levels_none_is_left_that_could_go_back_alone(metric: Metric, with_answers: bool) -> None:
    problem = binary(60, metric, with_answers=with_answers)
    space, starts, brackets = problem.space, problem.starts, every_rival(problem)
    assert (space.differing(starts.points[brackets.start], brackets.far).sum(axis=1) > MANY).any()
    problem.spy.asked.clear()
    far = restore_levels(problem.predictor, space, starts, brackets).far
    n_calls = len(problem.spy.asked)
    assert n_calls < 60
    assert (problem.spy.score(far) <= 0).all()
    near = starts.points[brackets.start]
    for block in space.blocks:
        columns = list(block)
        tried = far.copy()
        tried[:, columns] = near[:, columns]
        differs = (far[:, columns] != near[:, columns]).any(axis=1)
        assert (problem.spy.score(tried[differs]) > 0).all()
        as_before = (far[:, columns] == brackets.far[:, columns]).all(axis=1)
        assert (as_before | ~differs).all()


@pytest.mark.slow
def test_answers_lead_to_nearer_points_than_one_after_the_other() -> None:
    problem = binary(60)
    brackets = every_rival(problem)
    near = problem.starts.points[brackets.start]
    far = restore_levels(problem.predictor, problem.space, problem.starts, brackets).far
    slow = np.array([one_after_the_other(problem, *pair) for pair in zip(near, brackets.far, strict=True)])
    distance, slow_distance = problem.space.distance(near, far), problem.space.distance(near, slow)
    assert distance.mean() < 0.95 * slow_distance.mean()
    for i in range(len(problem.index)):
        of_start = brackets.start == i
        assert distance[of_start].min() <= slow_distance[of_start].min()


@pytest.mark.parametrize("budget", [1, 200, 3000, 4000])
def test_a_budget_leaves_points_that_are_decided_otherwise(budget: int) -> None:
    problem = binary(60)
    predictor = problem.predictor
    predictor._budget = budget
    far = restore_levels(predictor, problem.space, problem.starts, every_rival(problem)).far
    assert predictor.n_model_rows <= budget
    assert (problem.spy.score(far) <= 0).all()
