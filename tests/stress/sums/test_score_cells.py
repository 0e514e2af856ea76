"""Sums over cells of the score: the Brier score's parts as of the rows, within the bound where cells are wide."""

import numpy as np
import pytest

from tauscope.stress.calibration.isotonic import decompose
from tauscope.stress.sums.score_cells import ScoreCells
from tauscope.stress.sums.score_order import ScoreCuts, ScoreOrder

N = 600
EDGES = np.linspace(0, 1, 5)


def sums(score: np.ndarray, truth: np.ndarray, share: np.ndarray, codes: np.ndarray, cuts: ScoreCuts) -> ScoreCells:
    rows = score, np.log(score / (1 - score)), truth
    parts = [
        ScoreCells.of(cuts, EDGES, tuple(each[own] for each in rows), codes[own], 2, share[own])
        for own in np.array_split(np.arange(N), 3)
    ]
    return parts[0] + parts[1] + parts[2]


@pytest.mark.parametrize("most", [4, 30, N])
@pytest.mark.parametrize("seed", range(4))
def test_parts_of_the_brier_score_are_short_by_at_most_the_bound(most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    score = np.clip(random.beta(0.6, 0.9, N), 1e-6, 1 - 1e-6)
    truth = (random.random(N) < score ** random.uniform(0.4, 3)).astype(float)
    share, codes = random.dirichlet(np.ones(N)), random.integers(0, 2, N)
    cuts = ScoreOrder.of(score, None).cut(most)
    found = sums(score, truth, share, codes, cuts)
    bound = found.bound(cuts, [0, 1])
    assert (bound == 0) == (most == N)
    for group in (0, 1):
        own = codes == group
        want, got = decompose(score[own], truth[own], share[own]), found.decompose(group)
        assert got.brier_score == pytest.approx(want.brier_score, rel=1e-12)
        assert got.uncertainty == pytest.approx(want.uncertainty, rel=1e-12)
        for name in ("miscalibration", "discrimination"):
            short = getattr(want, name) - getattr(got, name)
            assert -1e-12 <= short <= bound + 1e-12
            assert most < N or short == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(found.bars[group], np.histogram(score[own], EDGES, weights=share[own])[0])


def test_classes_that_a_threshold_parts_have_an_intercept_and_no_slope() -> None:
    random = np.random.default_rng(0)
    score, codes = random.uniform(0.1, 0.9, N), np.arange(N) % 2
    truth = (score > 0.5).astype(float)
    cuts = ScoreOrder.of(score, None).cut(2)  # whose cells part less than the rows
    intercept, slope = sums(score, truth, np.full(N, 1 / N), codes, cuts).start(0)
    assert intercept is not None
    assert slope is None
