"""Questions that wait for the next call of the model, and what a budget makes of them."""

import numpy as np
import pytest

from boundary.problems import circle, linear
from tauscope.boundary.decision import DecisionPredictor
from tauscope.prediction.rows import ArrayRows

POINTS = np.random.default_rng(0).normal(size=(7, 5))
BASE = np.arange(7)


def test_questions_are_answered_by_the_next_call() -> None:
    problem = linear()
    predictor, direct = problem.predictor, problem.predictor
    one, two = (predictor.ask_with_next(BASE[part], POINTS[part]) for part in (slice(0, 2), slice(2, 6)))
    assert not problem.spy.asked
    labels = predictor.labels(BASE[6:], POINTS[6:])
    assert [len(points) for points in problem.spy.asked] == [7]
    settled = predictor.settle(one), predictor.settle(two)
    assert len(problem.spy.asked) == 1
    assert predictor.n_model_rows == 7
    codes, answers = direct.labels_and_answers(BASE, POINTS)
    np.testing.assert_array_equal(np.concatenate([settled[0][0], settled[1][0], labels]), codes)
    np.testing.assert_array_equal(np.concatenate([settled[0][1], settled[1][1]]), answers[:6])


def test_the_first_settled_takes_the_others_along() -> None:
    problem = linear()
    predictor = problem.predictor
    one, two = predictor.ask_with_next(BASE[:2], POINTS[:2]), predictor.ask_with_next(BASE[2:], POINTS[2:])
    assert len(predictor.settle(two)[0]) == 5
    assert len(predictor.settle(one)[0]) == 2
    assert [len(points) for points in problem.spy.asked] == [7]


def test_labels_alone_wait_for_nobody() -> None:
    problem = linear(with_answers=False)
    predictor = problem.predictor
    question = predictor.ask_with_next(BASE[:2], POINTS[:2])
    predictor.labels(BASE[2:], POINTS[2:])
    codes, answers = predictor.settle(question)
    assert [len(points) for points in problem.spy.asked] == [5, 2]
    np.testing.assert_array_equal(answers, np.eye(2)[codes])


def test_a_budget_is_kept_in_the_order_in_which_questions_are_settled() -> None:
    problem = linear()
    predictor = DecisionPredictor(problem.spy.decision, ArrayRows(problem.points), budget=6)
    question = predictor.ask_with_next(BASE[:2], POINTS[:2])
    predictor.labels(BASE[2:], POINTS[2:])
    assert predictor.settle(question) is None
    assert predictor.spent
    assert predictor.n_model_rows == 5


@pytest.mark.parametrize("make", [linear, circle])
def test_what_is_asked_together_is_what_is_asked_in_turn(make) -> None:
    together, in_turn = make(n_starts=2), make(n_starts=2)
    options = {"n_rivals": 10, "n_samples": 60}
    one, other = together.inspect(**options), in_turn.inspect(max_model_rows=10**6, **options)
    assert len(in_turn.spy.asked) == len(together.spy.asked) + 2
    np.testing.assert_array_equal(one.point, other.point)
    np.testing.assert_array_equal(one.paths.answer, other.paths.answer)
    np.testing.assert_array_equal(one.diagnostics.crossing_ratio, other.diagnostics.crossing_ratio)
    np.testing.assert_array_equal(one.diagnostics.derivative, other.diagnostics.derivative)
    assert one.n_model_rows == other.n_model_rows
