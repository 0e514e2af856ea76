"""Rows of weight 0 are not there: every number is that of the study without them."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from sklearn.linear_model import LogisticRegression

import tauscope as ts

RNG = np.random.default_rng(0)
N, N_OTHERS = 200, 40


def rows(n):
    return pd.DataFrame(
        {
            "number": RNG.normal(size=n),
            "count": RNG.integers(0, 9, n).astype(float),
            "skewed": RNG.exponential(size=n),
            "flag": RNG.choice([0.0, 1.0], n),
        }
    )


X = rows(N)
Y = (X["number"] + X["flag"] + RNG.normal(size=N) > 0.5).astype(int).to_numpy()
WEIGHT = RNG.uniform(0.5, 2, N)
ORDER = RNG.permutation(N + N_OTHERS)
BOTH = pd.concat([X, 3 * rows(N_OTHERS) + 20], ignore_index=True).iloc[ORDER].reset_index(drop=True)
MODEL = LogisticRegression().fit(X, Y)
NEW = rows(60) + 0.3
WITHOUT = ts.Study(MODEL, X, Y, sample_weight=WEIGHT)
WITH = ts.Study(
    MODEL,
    BOTH,
    np.append(Y, RNG.integers(0, 2, N_OTHERS))[ORDER],
    sample_weight=np.append(WEIGHT, np.zeros(N_OTHERS))[ORDER],
)

VERBS = {
    "curves": lambda study: study.stress_curves(taus=5).frame,
    "any metric": lambda study: study.stress_curves("count", taus=3, metrics=["f1", "balanced_accuracy"]).frame,
    "curves by": lambda study: study.stress_curves(taus=3).by(study.X["count"] > 4).frame,
    "surface": lambda study: study.stress_surface("number", "skewed", taus=3).frame,
    "reweight": lambda study: study.reweight(ts.Mean("number", tau=0.5) & ts.Mean("skewed", tau=0)).achieved,
    "thresholds": lambda study: study.threshold_curves().frame,
    "costs": lambda study: study.threshold_curves(cost={"fp": 1, "fn": 3}).best,
    "calibration": lambda study: study.calibration().frame,
    "calibration error": lambda study: study.calibration().summary,
    "even bins": lambda study: study.calibration(strategy="uniform").frame,
    "worst case": lambda study: study.worst_case("error_rate", within={"tv": 0.1}).frame,
    "towards": lambda study: study.towards(NEW).balance,
}


@pytest.mark.parametrize("verb", VERBS)
def test_rows_of_weight_0_change_nothing(verb):
    assert_frame_equal(VERBS[verb](WITH), VERBS[verb](WITHOUT), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("verb", ["sufficient", "rules", "rule_list", "swing_rules"])
def test_rules_say_that_their_forest_was_fitted_without_the_weights(verb):
    answer = getattr(WITHOUT, verb)(*([] if verb == "rule_list" else [0]), pi=0.7, n_estimators=10, random_state=0)
    assert "Rows count by their weights; the forest was fitted without them." in str(answer)
