"""Shifts of one distance with other columns held: against a direct optimiser, and a bootstrap of rows drawn again."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.metrics import f1_score, log_loss, roc_auc_score, zero_one_loss

import tauscope as ts

N = 400
SCORES = {
    "error_rate": lambda y, score, w: zero_one_loss(y, score > 0.5, sample_weight=w),
    "f1": lambda y, score, w: f1_score(y, score > 0.5, sample_weight=w),
    "log_loss": lambda y, score, w: log_loss(y, score, sample_weight=w),
    "roc_auc": lambda y, score, w: roc_auc_score(y, score, sample_weight=w),
}
MOVED = {
    "normal": lambda rng, z: z + rng.normal(size=N),
    "lognormal": lambda rng, z: np.exp(1.5 * rng.normal(size=N) + 0.3 * z),
    "sentinel": lambda rng, z: np.where(np.arange(N) < 3, -999999.0, z + rng.normal(size=N)),
    "zero-inflated": lambda rng, z: np.where(rng.random(N) < 0.7, 0.0, rng.exponential(size=N)),
    "whole": lambda rng, z: rng.poisson(3, N) + (z > 0) * 1.0,
    "two values": lambda rng, z: (rng.random(N) < 0.3) * 1.0,
    "missing": lambda rng, z: np.where(rng.random(N) < 0.2, np.nan, z + rng.normal(size=N)),
}


def rows(kind, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=N)
    X = pd.DataFrame({"a": MOVED[kind](rng, z), "z": z, "holes": np.where(rng.random(N) < 0.1, np.nan, z**2)})
    score = 1 / (1 + np.exp(-z - 0.3 * rng.normal(size=N)))
    return X, (rng.random(N) < score).astype(int), score


def study_of(X, y, score, weight=None):
    return ts.Study.from_predictions(X, y, (score > 0.5) * 1, score, classes=(0, 1), sample_weight=weight)


def optimum(X, target, hold, v):
    """Shares nearest to v in KL: the dual, of standardised constraints written out anew, by a trust region."""
    observed = X["a"].notna().to_numpy()
    off = np.where(observed, X["a"].fillna(0) - target, 0.0)
    held = X[["z", "holes"]].assign(missing=X["holes"].isna() * 1.0)
    others = [np.where(c.notna(), c - np.average(c.dropna(), weights=v[c.notna()]), 0.0) for _, c in held.items()]
    phi = [off, *others] + ([off * each for each in others] if hold == "uncorrelated" else [])
    phi += [] if observed.all() else [observed - v @ observed]
    phi = np.stack(phi, axis=1)
    phi /= np.sqrt(v @ phi**2)

    def tilt(xi):
        weight = v * np.exp(phi @ xi - (phi @ xi).max())
        return weight / weight.sum()

    def dual(xi):
        return (phi @ xi).max() + np.log(v @ np.exp(phi @ xi - (phi @ xi).max()))

    def hessian(xi):
        share = tilt(xi)
        return (phi.T * share) @ phi - np.outer(share @ phi, share @ phi)

    found = minimize(
        dual, np.zeros(phi.shape[1]), method="trust-exact", jac=lambda xi: tilt(xi) @ phi, hess=hessian, tol=1e-12
    )
    for _ in range(3):  # to rounding
        found.x = found.x - np.linalg.solve(hessian(found.x), tilt(found.x) @ phi)
    assert np.abs(tilt(found.x) @ phi).max() < 1e-10
    return tilt(found.x)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("hold", ["means", "uncorrelated"])
@pytest.mark.parametrize("kind", MOVED)
def test_a_target_moves_the_distance_and_has_the_metric_that_stand_beside_it(kind, hold, weighted):
    X, y, score = rows(kind)
    weight = np.random.default_rng(3).exponential(size=N) * (np.arange(N) > 5) if weighted else None
    v = np.full(N, 1 / N) if weight is None else weight / weight.sum()
    counted = v > 0
    curves = study_of(X, y, score, weight).stress_curves("a", hold=hold, taus=3, metrics=[*SCORES])
    met = 0
    for metric, scored in SCORES.items():
        for distance in (0.1, 0.3, 0.5):
            for one in curves.harm(metric, distance).frame.to_dict("records"):
                assert one["before"] == pytest.approx(scored(y, score, weight), abs=1e-9)
                if one["reliability"] == "out of reach":
                    assert one["distance"] != distance
                    continue
                met += 1
                share = optimum(X[counted], one["target"], hold, v[counted])
                assert 0.5 * np.abs(share - v[counted]).sum() == pytest.approx(distance, abs=1e-8)
                assert one["value"] == pytest.approx(scored(y[counted], score[counted], share), abs=1e-8)
                assert one["lower"] <= one["change"] <= one["upper"] or np.isnan(one["lower"])
    assert met >= len(SCORES) or one["note"] == "cannot be moved while the others are held"


@pytest.mark.parametrize("hold", ["means", "uncorrelated"])
def test_with_nothing_to_hold_it_is_the_shift_without_a_hold(hold):
    X, y, score = rows("missing")
    study = study_of(X[["a"]], y, score)
    plain, held = (
        study.stress_curves(taus=3, hold=each).harm("error_rate", 0.2).frame.drop(columns="note")
        for each in (None, hold)
    )
    ends = ["lower", "upper"]
    pd.testing.assert_frame_equal(held[ends], plain[ends], rtol=0.02)  # leverage is averaged otherwise
    pd.testing.assert_frame_equal(held.drop(columns=ends), plain.drop(columns=ends), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("hold", [None, "means"])
def test_no_change_of_a_bounded_metric_ends_beyond_what_it_can_be(hold):
    rng = np.random.default_rng(0)
    z = rng.normal(size=8)
    X = pd.DataFrame({"a": z + rng.normal(size=8), "z": rng.normal(size=8)})
    y = (rng.random(8) < 0.5).astype(int)
    study = ts.Study.from_predictions(X, y, (z > 0) * 1, 1 / (1 + np.exp(-z)), classes=(0, 1))
    found = study.stress_curves(["a"], taus=3, metrics="roc_auc", hold=hold).harm("roc_auc", distance=0.25).frame
    assert found["lower"].min() >= -1
    assert found["upper"].max() <= 1
    if hold:
        assert (found["lower"].min(), found["upper"].max()) == (-1, 1)
