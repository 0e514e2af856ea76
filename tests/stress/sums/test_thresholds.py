"""The threshold of least cost from cells of the score: the rows' own where cells are of one score, else bounded."""

import numpy as np
import pytest

from tauscope.stress.sums.score_order import ScoreOrder
from tauscope.stress.sums.thresholds import least_of_masses
from tauscope.stress.thresholds import Costs, least_cost

N = 400
COSTS = {"errors": Costs(fp=1, fn=1), "gains": Costs(tp=-4, fp=1), "uneven": Costs(fn=7, fp=1, tn=-0.5)}


def cost_at(threshold: float, score: np.ndarray, truth: np.ndarray, weight: np.ndarray, costs: Costs) -> float:
    by_truth = np.array([[costs.tn, costs.fp], [costs.fn, costs.tp]])
    return float(weight @ by_truth[truth, (score >= threshold).astype(int)] / weight.sum())


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("most", [3, 20, N])
@pytest.mark.parametrize("seed", range(3))
def test_no_score_costs_less_by_more_than_the_bound(costs: str, most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    score = random.normal(size=N)
    truth = (random.normal(size=N) < score).astype(int)
    weight = random.gamma(1, size=N) * (random.random(N) < 0.8)
    cuts = ScoreOrder.of(score, weight).cut(most)
    masses = np.bincount(truth * cuts.n + cuts(score), weight, 2 * cuts.n).reshape(2, cuts.n)
    found = least_of_masses(masses, COSTS[costs], cuts)
    rows = score, truth, weight, COSTS[costs]
    best = least_cost(*rows)
    over = cost_at(found.threshold, *rows) - cost_at(best, *rows)
    assert -1e-12 <= over <= found.short + 1e-12
    assert found.threshold in score
    if most == N:
        assert found.threshold == best
        assert found.short == pytest.approx(0, abs=1e-15)


def test_what_lies_between_is_bounded_against_deciding_none_positive_too() -> None:
    random = np.random.default_rng(0)
    score, truth = random.normal(size=N), (random.random(N) < 0.1).astype(int)
    cuts = ScoreOrder.of(score, None).cut(3)
    masses = np.bincount(truth * cuts.n + cuts(score), minlength=2 * cuts.n).reshape(2, cuts.n) / N
    costs = Costs(fp=5, fn=1)
    least, above = least_of_masses(masses, costs, cuts), float(truth.mean())
    between = cost_at(least_cost(score, truth, np.ones(N), costs), score, truth, np.ones(N), costs)
    assert above - between <= least.short + 1e-12
    assert least.short < cost_at(least.threshold, score, truth, np.ones(N), costs) - above


def test_the_lowest_of_several_that_cost_the_same() -> None:
    score, truth = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1, 0, 1, 0])
    cuts = ScoreOrder.of(score, None).cut(9)
    masses = np.bincount(truth * cuts.n + cuts(score), np.full(4, 0.1), 2 * cuts.n).reshape(2, cuts.n)
    assert least_of_masses(masses, Costs(fp=1, fn=1), cuts).threshold == 0.1
    assert least_cost(score, truth, np.ones(4), Costs(fp=1, fn=1)) == 0.1
