"""Points beyond the boundary that differ."""

import numpy as np
import pytest

from boundary.problems import circle, euclidean, linear, mixed
from tauscope.boundary.diverse import find_diverse, plausibility, spread_out
from tauscope.boundary.rivals import Pool
from tauscope.errors import InputError


@pytest.mark.parametrize("make", [linear, circle, mixed])
@pytest.mark.parametrize("refine", ["line", "none"])
def test_they_are_flipped_differ_and_start_with_the_nearest(make, refine: str) -> None:
    problem = make().some(np.array([0]))
    found = find_diverse(*problem.arguments(refine=refine), n=3)
    assert (problem.spy.score(found.point) <= 0).all()
    assert found.distance[0] == found.distance.min()
    assert (found.label == 0).all()
    assert np.allclose(found.distance, problem.space.distance(problem.starts.points, found.point))
    apart = problem.space.distance(found.point[:, None], found.point[None])
    assert (apart[np.triu_indices(len(apart), 1)] > 0).all()
    assert len(found.distance) == 3
    assert found.n_model_rows == sum(len(asked) for asked in problem.spy.asked)


def test_they_lie_on_several_sides_of_a_circle() -> None:
    problem = circle(n_starts=30)
    inside = int(np.hypot(*problem.starts.points.T).argmin())
    problem = problem.some(np.array([inside]))
    found = find_diverse(*problem.arguments(refine="none", n_rivals=150), n=3)
    way = found.point - problem.starts.points
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    assert (way @ way.T)[np.triu_indices(3, 1)].max() < 0.5


def test_greedy_max_min_is_its_definition() -> None:
    points = np.array([[1.0, 0], [1.1, 0], [0, 1.2], [-1.5, 0], [0, -9]])
    distance = np.linalg.norm(points, axis=1)
    assert spread_out(euclidean(2), points, distance, 3).tolist() == [0, 3, 2]  # the last is too far away
    assert spread_out(euclidean(2), points[[0, 0]], distance[[0, 0]], 3).tolist() == [0]
    assert len(spread_out(euclidean(2), points[:0], distance[:0], 3)) == 0


def test_changes_count_numbers_and_blocks() -> None:
    problem = mixed()
    start = problem.points[0]
    other = start.copy()
    other[0] += 1
    other[3:] = np.roll(other[3:], 1)
    assert problem.space.changed(start, np.stack([start, other])).sum(axis=1).tolist() == [0, 2]


def test_plausibility_is_high_in_a_crowd_and_low_apart() -> None:
    points = np.random.default_rng(0).normal(size=(300, 2))
    pool = Pool(points, np.zeros(300, dtype=np.int64))
    nearest, density = plausibility(euclidean(2), pool, np.array([[0.0, 0], [9, 9]]), np.array([0, 0]))
    assert nearest[1] == pytest.approx(np.linalg.norm(points - 9, axis=1).min())
    assert density[0] > 0.6 > 0.2 > density[1]
    assert np.isnan(plausibility(euclidean(2), pool, points[:1], np.array([1]))).all()


def test_a_number_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        find_diverse(*linear(n_starts=1).arguments(), n=0)


def test_a_budget_is_kept() -> None:
    problem = linear(n_starts=1)
    found = find_diverse(*problem.arguments(max_model_rows=300), n=3)
    assert found.n_model_rows <= 300
    assert (problem.spy.score(found.point) <= 0).all()
