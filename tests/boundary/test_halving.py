"""Brackets halved several times a call, against halving one by one."""

from collections.abc import Callable

import numpy as np
import pytest

from boundary.problems import Problem, circle, linear
from tauscope.boundary.bisection import Starts, bisect_each
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import detect, rival_brackets
from tauscope.boundary.halving import tree_of
from tauscope.boundary.rivals import nearest_rivals
from tauscope.prediction.rows import ArrayRows

TOLERANCE = 1e-6


def misleading(score: np.ndarray) -> np.ndarray:
    """Probabilities whose largest is right, and which say nothing of how far away the boundary is."""
    sure = 0.5 + 0.5 * np.abs(np.sin(1e4 * score))
    own = np.where(score > 0, sure, 1 - sure)
    return np.column_stack([1 - own, own])


def likely(score: np.ndarray) -> np.ndarray:
    p = 1 / (1 + np.exp(-np.clip(5 * score, -30, 30)))
    return np.column_stack([1 - p, p])


def signed(score: np.ndarray) -> np.ndarray:
    return np.column_stack([-score, score])


ANSWERS = {"probabilities": likely, "scores": signed, "misleading": misleading, "none": None}


def asked_by(
    problem: Problem, answers: Callable[[np.ndarray], np.ndarray] | None
) -> tuple[DecisionPredictor, list[int]]:
    calls: list[int] = []

    def counted(work: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
        def call(points: np.ndarray) -> np.ndarray:
            calls.append(len(points))
            return work(problem.spy.score(points))

        return call

    def labels(score: np.ndarray) -> np.ndarray:
        return (score > 0).astype(np.int64)

    if answers is None:
        decision = Decision(counted(labels), None, None, 2)
    else:
        decision = Decision(counted(labels), counted(answers), lambda a: (a[:, 1] > a[:, 0]).astype(np.int64), 2)
    return DecisionPredictor(decision, ArrayRows(problem.points)), calls


def one_by_one(problem: Problem, starts: Starts, start: int, far: np.ndarray) -> np.ndarray:
    near, length = starts.points[start], np.linalg.norm(far - starts.points[start])
    low, high = 0.0, 1.0
    while (high - low) * length > TOLERANCE:
        middle = (low + high) / 2
        beyond = problem.spy.score((near + middle * (far - near))[None])[0] <= 0
        low, high = (low, middle) if beyond else (middle, high)
    return far if high == 1 else near + high * (far - near)


@pytest.mark.parametrize("n_starts", [1, 8])
@pytest.mark.parametrize("answers", ANSWERS)
@pytest.mark.parametrize("make", [linear, circle])
def test_points_are_those_of_halving_one_by_one_to_the_last_bit(make, answers: str, n_starts: int) -> None:
    problem = make(n_starts=n_starts)
    predictor, _ = asked_by(problem, ANSWERS[answers])
    space, starts = problem.space, problem.starts
    rivals = nearest_rivals(space, problem.pool, starts.points, starts.labels, None, 3)
    brackets, _ = rival_brackets(predictor, space, problem.pool, starts, problem.limits, rivals)
    points, _ = bisect_each(predictor, space, starts, brackets, tolerance=TOLERANCE)
    slow = [one_by_one(problem, starts, *each) for each in zip(brackets.start, brackets.far, strict=True)]
    np.testing.assert_array_equal(points, slow)


def test_answers_that_tell_the_way_save_calls_and_few_rows_are_lost_to_those_that_do_not() -> None:
    problem = linear(n_starts=1)
    n_calls, n_rows = {}, {}
    for name, answers in ANSWERS.items():
        predictor, calls = asked_by(problem, answers)
        detect(predictor, problem.space, problem.pool, problem.starts, problem.limits, n_rivals=30)
        n_calls[name], n_rows[name] = len(calls), sum(calls)
    assert max(n_calls["probabilities"], n_calls["scores"]) <= n_calls["none"] / 2
    assert max(n_rows["probabilities"], n_rows["scores"]) <= n_rows["none"]
    assert n_rows["misleading"] <= 1.3 * n_rows["none"]


def test_middles_of_all_outcomes_cut_into_equal_parts() -> None:
    np.testing.assert_array_equal(tree_of(2).shares, [0.25, 0.5, 0.75])
    np.testing.assert_array_equal(tree_of(2).halves, [0.5, 1, 0.5])
    np.testing.assert_array_equal(tree_of(1).shares, [0.5])
