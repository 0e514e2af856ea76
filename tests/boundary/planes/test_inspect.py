"""The whole run against closed forms and a grid, and what must hold of it whatever the model."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from boundary.problems import Problem, Spy, circle, euclidean, linear, mixed, plane_distance
from tauscope.boundary.decision import Decision
from tauscope.boundary.detection import STATUSES
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect import inspect_boundary
from tauscope.boundary.planes.inspection import CANDIDATES
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import ArrayRows

FEW = {"n_samples": 200, "n_path_steps": 20, "n_replicates": 4}


@pytest.mark.parametrize("with_answers", [True, False])
def test_of_a_plane_the_point_is_nearest_and_the_direction_its_normal(with_answers: bool) -> None:
    problem = linear(with_answers=with_answers)
    found = problem.inspect()
    ratio = found.distance / plane_distance(problem)
    assert (ratio >= 1 - 1e-9).all()
    assert ratio.mean() <= 1.005
    cosine = found.explanation.direction @ -problem.normal / np.linalg.norm(problem.normal)
    assert (cosine >= (0.999 if with_answers else 0.99)).all()


def test_the_point_detected_lies_on_the_plane_to_the_tolerance() -> None:
    problem = linear()
    found = problem.inspect(refine="none", **FEW)
    score = problem.spy.score(found.point)
    assert (score <= 0).all()
    assert (np.abs(score) / np.linalg.norm(problem.normal) <= 1e-6).all()
    assert (found.point == found.detection.point).all()


def test_the_plane_of_an_explanation_passes_through_the_boundary() -> None:
    problem = linear()
    explanation = problem.inspect(radius=1.0, **FEW).explanation
    assert np.allclose(-explanation.intercept, plane_distance(problem), rtol=0.02)


def test_of_a_circle_the_way_out_is_straight() -> None:
    problem = circle()
    found = problem.inspect(n_samples=600)
    inside = np.hypot(*problem.points[problem.index].T)
    assert np.allclose(found.distance, 1 - inside, rtol=0.03)
    assert (found.distance >= 1 - inside - 1e-9).all()


def test_in_two_dimensions_no_point_of_a_grid_is_much_nearer() -> None:
    def score(x: np.ndarray) -> np.ndarray:
        return np.sin(2 * x[:, 0]) + x[:, 1] + 0.2

    points = np.random.default_rng(0).uniform(-2, 2, size=(150, 2))
    problem = Problem(Spy(score), points, euclidean(2), np.flatnonzero(score(points) > 0)[:10])
    found = problem.inspect(paths=False)
    axis = np.linspace(-4, 4, 400)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    grid = grid[score(grid) <= 0]
    nearest = np.array([np.linalg.norm(grid - x, axis=1).min() for x in problem.starts.points])
    assert (found.distance >= nearest - 0.03).all()
    assert (found.distance / nearest).mean() < 1.05


@pytest.mark.parametrize("make", [linear, circle, mixed])
@pytest.mark.parametrize("refine", ["line", "coordinate", "none"])
@pytest.mark.slow
def test_every_point_returned_is_decided_otherwise(make, refine: str) -> None:
    problem = make()
    found = problem.inspect(refine=refine, paths=False, **FEW)
    assert (found.detection.status == STATUSES.index("found")).all()
    assert (problem.spy.score(found.point) <= 0).all()
    assert (found.label == 0).all()
    assert np.allclose(found.distance, problem.space.distance(problem.starts.points, found.point))
    assert (found.distance <= found.detection.distance).all()


@pytest.mark.slow
@pytest.mark.parametrize("make", [linear, mixed])
def test_a_batch_equals_a_loop_bit_for_bit(make) -> None:
    problem = make()
    every = problem.inspect(refine="coordinate", **FEW)
    for i in range(len(problem.index)):
        one = problem.some(np.array([i])).inspect(refine="coordinate", **FEW)
        for part in ("explanation", "paths", "diagnostics"):
            for field in fields(getattr(every, part)):
                value = getattr(getattr(every, part), field.name)
                if isinstance(value, np.ndarray):
                    np.testing.assert_array_equal(getattr(getattr(one, part), field.name)[0], value[i])
        np.testing.assert_array_equal(one.point[0], every.point[i])


def test_chunks_of_starts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = linear()
    every = problem.inspect(**FEW)
    monkeypatch.setattr("tauscope.boundary.planes.explain.SAMPLE_BYTES", 8 * 5 * 200 * 3)
    chunked = problem.inspect(**FEW)
    np.testing.assert_array_equal(every.explanation.direction, chunked.explanation.direction)


def test_units_do_not_matter_when_scales_follow() -> None:
    problem = linear()
    unit = np.array([4.0, 0.5, 8, 1, 2])
    scaled = Problem(
        Spy(lambda x: problem.spy.score(x / unit)), problem.points * unit, euclidean(5, unit), problem.index
    )
    here, there = problem.inspect(**FEW), scaled.inspect(**FEW)
    assert np.allclose(here.distance, there.distance, rtol=1e-6)
    assert np.allclose(here.explanation.direction, there.explanation.direction, atol=1e-6)


def test_the_order_of_columns_does_not_matter_to_the_point_detected() -> None:
    problem = linear()
    order = np.array([3, 0, 4, 1, 2])
    back = np.argsort(order)
    turned = Problem(
        Spy(lambda x: problem.spy.score(x[:, back])), problem.points[:, order], euclidean(5), problem.index
    )
    here, there = problem.inspect(**FEW), turned.inspect(**FEW)
    assert np.allclose(here.detection.distance, there.detection.distance, rtol=1e-5)
    assert np.allclose(here.distance, there.distance, rtol=0.01)


def test_rows_that_stand_twice_in_the_pool_change_nothing() -> None:
    problem = linear()
    here = problem.inspect(n_rivals=200, **FEW)
    pool = type(problem.pool)(np.tile(problem.points, (2, 1)), np.tile(problem.labels, 2))
    decision, rows, space, _, starts, limits, options = problem.arguments(n_rivals=200, **FEW)
    there = inspect_boundary(decision, rows, space, pool, starts, limits, options)
    assert np.array_equal(here.point, there.point)


def test_more_rivals_than_there_are() -> None:
    problem = linear()
    found = problem.inspect(n_rivals=10_000, **FEW)
    assert (found.detection.n_rivals == np.count_nonzero(problem.labels == 0)).all()


def test_no_rival() -> None:
    problem = linear()
    decision, rows, space, pool, starts, limits, options = problem.arguments(**FEW)
    pool = type(pool)(pool.points[pool.labels == 1], pool.labels[pool.labels == 1])
    found = inspect_boundary(decision, rows, space, pool, starts, limits, options)
    assert (found.detection.status == STATUSES.index("no_rival")).all()
    assert np.isnan(found.point).all()
    assert np.isinf(found.distance).all()
    assert (found.label == -1).all()
    assert found.paths is not None
    assert np.isnan(found.paths.answer).all()


def test_nothing_to_move() -> None:
    problem = linear()
    held = problem.starts.points
    problem.limits = Limits(held, held, {})
    found = problem.inspect(**FEW)
    assert (found.detection.status == STATUSES.index("nothing_to_move")).all()


def test_a_model_that_answers_otherwise_is_found_out() -> None:
    problem = linear()
    decision, rows, space, pool, starts, limits, options = problem.arguments(**FEW)
    starts = replace(starts, labels=starts.labels ^ np.array([0, 1, 0, 0, 1, 0, 0, 0]))
    found = inspect_boundary(decision, rows, space, pool, starts, limits, options)
    assert found.unsteady.tolist() == [False, True, False, False, True, False, False, False]


@pytest.mark.parametrize("budget", [1, 10, 150, 400, 1500, 2500, 3500])
@pytest.mark.parametrize("refine", ["line", "coordinate"])
def test_a_budget_is_kept_and_no_point_is_unverified(budget: int, refine: str) -> None:
    problem = linear()
    found = problem.inspect(max_model_rows=budget, refine=refine, **FEW)
    assert found.n_model_rows == sum(len(asked) for asked in problem.spy.asked) <= budget
    assert found.spent
    there = np.isfinite(found.distance)
    assert (problem.spy.score(found.point[there]) <= 0).all()
    assert (found.label[there] == 0).all()
    assert (found.label[~there] == -1).all()


def test_a_hook_stops_the_run() -> None:
    problem = linear()
    seen: list[int] = []

    def stop(done: int, total: int) -> bool:
        seen.append(done)
        return done > 1000

    found = inspect_boundary(*problem.arguments(**FEW), batches=BatchOptions(progress=stop))
    assert found.spent
    assert found.n_model_rows < 5000
    assert (problem.spy.score(found.point) <= 0).all()


def test_several_classes_are_named_at_the_point() -> None:
    points = np.random.default_rng(0).uniform(-2, 2, size=(200, 2))

    def answers(x: np.ndarray) -> np.ndarray:
        scores = np.column_stack([x[:, 0], x[:, 1], -x[:, 0] - x[:, 1]])
        return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)

    labels = answers(points).argmax(axis=1)
    decision = Decision(lambda x: answers(x).argmax(axis=1), answers, lambda a: a.argmax(axis=1), 3)
    problem = linear(p=2)
    index = np.flatnonzero(labels == 0)[:5]
    starts = replace(problem.starts, points=points[index], labels=labels[index], base=index)
    pool = type(problem.pool)(points, labels)
    for target in (None, 2):
        found = inspect_boundary(
            decision, ArrayRows(points), euclidean(2), pool, replace(starts, target=target), Limits.none(5, 2),
            SearchOptions(**FEW),
        )  # fmt: skip
        assert (found.label == answers(found.point).argmax(axis=1)).all()
        assert (found.label == 2).all() if target else (found.label > 0).all()
        if target is None:
            away = points[index]
            exact = np.minimum(away[:, 0] - away[:, 1], (2 * away[:, 0] + away[:, 1]) * np.sqrt(2 / 5)) / np.sqrt(2)
            assert np.allclose(found.distance, exact, rtol=0.02)
    spent = inspect_boundary(
        decision, ArrayRows(points), euclidean(2), pool, starts, Limits.none(5, 2),
        SearchOptions(max_model_rows=400, **FEW),
    )  # fmt: skip
    assert spent.n_model_rows <= 400
    assert (spent.label == answers(spent.point).argmax(axis=1)).all()


def test_groups_that_are_no_partition_are_refused() -> None:
    with pytest.raises(InputError, match="exactly once"):
        linear().inspect(vertices="groups", groups=((0, 1), (1, 2, 3, 4)))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["line", "coordinate"]), st.sampled_from(["distant", "axis", "sparse"]))
def test_every_point_asked_about_lies_within_the_limits(seed: int, refine: str, vertices: str) -> None:
    problem = mixed(seed=seed)
    rng = np.random.default_rng(seed)
    start = problem.starts.points
    n, p = start.shape
    lower = np.where(rng.random((n, p)) < 0.5, start - rng.exponential(1, (n, p)), -np.inf)
    upper = np.where(rng.random((n, p)) < 0.5, start + rng.exponential(1, (n, p)), np.inf)
    held = rng.random(p) < 0.2
    lower[:, held], upper[:, held] = start[:, held], start[:, held]
    for block in problem.space.blocks:  # levels have no ends of their own
        columns = [column for column in block if not held[column]]
        lower[:, columns], upper[:, columns] = -np.inf, np.inf
    lower[:, 1] = np.minimum(np.ceil(lower[:, 1]), start[:, 1])
    allowed = {2: np.unique(np.append(rng.integers(4, size=2), start[:, 2]))}
    for i in range(n):
        one = Problem(problem.spy, problem.points, problem.space, problem.index[i : i + 1])
        one.limits = Limits(lower[i : i + 1], upper[i : i + 1], allowed)
        problem.spy.asked.clear()
        found = one.inspect(refine=refine, vertices=vertices, n_samples=60, n_path_steps=10, n_replicates=0)
        asked = np.concatenate(problem.spy.asked)
        assert ((asked >= lower[i]) & (asked <= upper[i])).all()
        assert (asked[:, 1] == np.round(asked[:, 1])).all()
        assert np.isin(asked[:, 2], allowed[2]).all()
        assert ((asked[:, 3:] == 0) | (asked[:, 3:] == 1)).all()
        assert (asked[:, 3:].sum(axis=1) == 1).all()
        if np.isfinite(found.distance[0]):
            assert problem.spy.score(found.point)[0] <= 0


@pytest.mark.slow
def test_missing_values_stay_missing() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(100, 4))
    points[rng.random((100, 4)) < 0.2] = np.nan

    def score(x: np.ndarray) -> np.ndarray:
        return np.nan_to_num(x).sum(axis=1) + 0.1

    problem = Problem(Spy(score), points, euclidean(4), np.flatnonzero(score(points) > 0)[:10])
    problem.spy.asked.clear()
    found = problem.inspect(refine="coordinate", **FEW)
    missing = np.isnan(problem.starts.points)
    there = np.isfinite(found.distance)
    assert there.any()
    assert (np.isnan(found.point) == missing)[there].all()
    assert (found.explanation.direction[there][missing[there]] == 0).all()
    for i in np.flatnonzero(there):
        one = problem.some(np.array([i]))
        one.spy.asked.clear()
        one.inspect(**FEW)
        assert (np.isnan(np.concatenate(one.spy.asked)) == missing[i]).all()


@pytest.mark.parametrize("explainer", ["ridge", "pls", "lasso"])
@pytest.mark.parametrize("fitted_on", ["labels", "probabilities"])
@pytest.mark.slow
def test_every_explainer_finds_the_normal(explainer: str, fitted_on: str) -> None:
    problem = linear()
    found = problem.inspect(explainer=explainer, fitted_on=fitted_on, radius=1.0, paths=False, n_samples=1500)
    cosine = found.explanation.direction @ -problem.normal / np.linalg.norm(problem.normal)
    assert (cosine >= (0.98 if explainer == "lasso" or fitted_on == "labels" else 0.998)).all()


def test_the_projection_comes_with_a_single_start() -> None:
    problem = linear(n_starts=1)
    projection = problem.inspect(explainer="pls", **FEW).explanation.projection
    assert projection is not None
    assert projection[0].shape == (len(projection[1]), 2)
    assert linear().inspect(explainer="pls", **FEW).explanation.projection is None


def test_a_direction_is_0_in_a_column_that_cannot_change() -> None:
    problem = linear()
    lower, upper = np.full((8, 5), -np.inf), np.full((8, 5), np.inf)
    lower[:, 2] = upper[:, 2] = problem.starts.points[:, 2]
    problem.limits = Limits(lower, upper, {})
    found = problem.inspect(**FEW)
    assert (found.explanation.direction[:, 2] == 0).all()
    exact = plane_distance(problem) * np.linalg.norm(problem.normal) / np.linalg.norm(np.delete(problem.normal, 2))
    assert np.allclose(found.distance, exact, rtol=0.01)


def test_groups_move_together() -> None:
    problem = linear()
    found = problem.inspect(vertices="groups", groups=((0, 1), (2, 3, 4)), radius=1.0, **FEW)
    direction = found.explanation.direction
    assert np.allclose(direction[:, 0], direction[:, 1])
    assert np.allclose(direction[:, 2], direction[:, 4])


def test_binary_columns_in_the_distance_of_jaccard() -> None:
    rng = np.random.default_rng(0)
    points = (rng.random((80, 6)) < 0.5).astype(float)
    blocks = tuple((j,) for j in range(6))
    space = Space("jaccard", np.ones(6), blocks, np.zeros(6, bool))

    def score(x: np.ndarray) -> np.ndarray:
        return x[:, 0] + x[:, 1] - x[:, 2] - 0.5

    problem = Problem(Spy(score), points, space, np.flatnonzero(score(points) > 0)[:8])
    found = problem.inspect(refine="coordinate", **FEW)
    assert (problem.spy.score(found.point) <= 0).all()
    assert np.isin(np.concatenate(problem.spy.asked), [0, 1]).all()
    leading = np.abs(found.explanation.direction).argmax(axis=1)
    assert np.isin(leading, [0, 1, 2]).all()


def test_the_candidate_taken_is_named() -> None:
    found = linear().inspect(**FEW)
    assert (found.explanation.candidate >= 0).all()
    assert (found.explanation.candidate < len(CANDIDATES)).all()
