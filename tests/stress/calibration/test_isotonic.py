"""The parts of the Brier score: scikit-learn's isotonic regression, and what they are of models that are known."""

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from tauscope.stress.calibration.isotonic import decompose

N = 500
RNG = np.random.default_rng(0)
SCORE = np.round(RNG.random(N), 2)
TRUTH = (RNG.random(N) < SCORE**2).astype(int)
WEIGHT = RNG.random(N) * (RNG.random(N) > 0.1)


def test_the_parts_are_those_of_the_weighted_fit():
    found = decompose(SCORE, TRUTH, WEIGHT)
    risen = IsotonicRegression().fit(SCORE, TRUTH, sample_weight=WEIGHT).predict(SCORE)

    def brier(score):
        return np.average((score - TRUTH) ** 2, weights=WEIGHT)

    overall = brier(np.average(TRUTH, weights=WEIGHT))
    want = [brier(SCORE), brier(SCORE) - brier(risen), overall - brier(risen), overall]
    assert list(found) == pytest.approx(want, rel=1e-9)
    assert found.brier_score == pytest.approx(found.miscalibration - found.discrimination + found.uncertainty)


def test_scores_that_rise_with_the_truth_have_no_more_to_gain_than_their_values():
    risen = IsotonicRegression().fit(SCORE, TRUTH).predict(SCORE)
    assert decompose(risen, TRUTH, np.ones(N)).miscalibration == pytest.approx(0, abs=1e-12)
    one = decompose(np.full(N, 0.9), TRUTH, np.ones(N))
    assert one.discrimination == pytest.approx(0, abs=1e-12)
    assert one.miscalibration == pytest.approx((0.9 - TRUTH.mean()) ** 2)
