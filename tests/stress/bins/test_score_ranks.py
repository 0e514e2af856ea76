"""Steps of the score: few scores each alone, many in small shares of either class, heaps alone."""

import numpy as np
import pytest

from tauscope.stress.bins.score_ranks import ScoreRanks
from tauscope.stress.outcomes import Outcomes

RANDOM = np.random.default_rng(0)


def rank(score, truth, weight=None):
    outcomes = Outcomes("binary", np.zeros(len(score), int), np.asarray(truth), np.asarray(score, float), ("0", "1"))
    return ScoreRanks.of(outcomes, weight)


@pytest.mark.parametrize("score", [[0.5, 0.5, 0.5], [0.0, -0.0, 1.0], [0.1, 0.2, np.nextafter(0.2, 1)]])
def test_few_scores_have_a_step_each(score):
    steps = rank(score, [0, 1, 0]).lay_out(256)
    assert steps.tied[steps(np.array(score))].all()
    assert len(np.unique(steps(np.array(score)))) == len(np.unique(score))


@pytest.mark.parametrize("most", [32, 256])
@pytest.mark.parametrize("n", [400, 60_000])
def test_chunks_give_steps_of_small_shares(most, n):
    score = np.round(RANDOM.lognormal(sigma=3, size=n), 12)
    truth = (RANDOM.uniform(size=n) < 0.02).astype(int)
    score[: n // 3] = 1.5
    half = n // 2
    steps = (rank(score[:half], truth[:half]) + rank(score[half:], truth[half:])).lay_out(most)
    assert most / 3 < steps.n <= most
    assert steps.tied[steps(np.array([1.5]))[0]]
    for code in (0, 1):
        of_class = steps(score[(truth == code) & (score != 1.5)])
        assert np.bincount(of_class).max() / np.count_nonzero(truth == code) < 2 * np.pi / most + 3 / len(of_class)


def test_rows_without_weight_and_classes_that_do_not_come_lay_out_nothing():
    score, truth = RANDOM.uniform(size=1000), np.ones(1000, int)
    assert rank(score, truth).lay_out(32).n <= 32
    weight = (score < 0.5).astype(float)
    assert rank(score, truth, weight).lay_out(32).edges.max() < 0.5
    assert rank(score, truth, np.zeros(1000)).lay_out(32).n == 1
