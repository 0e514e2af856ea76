"""The direction chosen among the candidates."""

import numpy as np
import pytest

from boundary.problems import Problem, Spy, euclidean, linear
from tauscope.boundary.paths import Walk
from tauscope.boundary.planes.inspection import CANDIDATES
from tauscope.boundary.planes.tuned import HALFWAY, N_COMPARED, N_POINTS, TOWARDS, choose, plan_samples


@pytest.mark.parametrize("n_samples", [20, 200, 1000])
def test_samples_and_comparison_together_are_as_many_as_asked_for(n_samples: int) -> None:
    plan = plan_samples("tuned", n_samples)
    assert len(plan.radius) >= n_samples / 2
    assert len(plan.radius) + min(n_samples // 2, N_COMPARED * N_POINTS) == n_samples
    assert len(np.unique(plan.parts[2])) == len(plan.radius)


def test_a_number_is_one_radius() -> None:
    plan = plan_samples(0.5, 30)
    assert (plan.radius == 0.5).all()
    assert len(plan.parts) == 1


def test_the_steepest_is_chosen_and_the_way_between_two_where_that_is_steeper() -> None:
    problem = linear(p=2, n_starts=3)
    problem.normal = np.array([-1.0, 0])
    problem.spy.score = lambda x: 3 - x[:, 0] - problem.points[0, 0]
    directions = np.full((3, len(CANDIDATES), 2), np.nan)
    directions[:, 0] = [0.6, 0.8]
    directions[:, 1] = [0.6, -0.8]
    directions[:, TOWARDS] = [-1, 0]
    walk = Walk(problem.space, problem.limits, problem.starts, problem.starts.points, directions[:, 0])
    two, best = choose(problem.predictor, walk, directions, np.full(3, 4.0))
    assert (np.sort(two) == [0, 1]).all()
    assert (best == HALFWAY).all()
    assert np.allclose(directions[:, HALFWAY], [1, 0])


@pytest.mark.slow
def test_tuning_lowers_the_answer_along_the_path() -> None:
    def score(x: np.ndarray) -> np.ndarray:
        return np.where(np.floor(3 * x[:, 0]) + np.floor(3 * x[:, 1]) > 0, 0.8, -0.8) + 0.5 * x[:, 0]

    points = np.random.default_rng(0).uniform(-2, 2, size=(200, 2))
    problem = Problem(Spy(score), points, euclidean(2), np.flatnonzero(score(points) > 0)[:20])
    tuned = problem.inspect(n_path_steps=20)
    near = problem.inspect(n_path_steps=20, radius=0.3)
    assert tuned.paths is not None
    assert near.paths is not None
    assert tuned.paths.answer.mean() <= near.paths.answer.mean()
