"""Fits against scikit-learn's, and what a replicate tells."""

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import LogisticRegression, Ridge

from tauscope.boundary.explainers import PENALTY, draw_blocks, fit_plane
from tauscope.weights.arrays import Bools, Floats


def sample(m: int = 400, q: int = 6, noise: float = 0.3, seed: int = 0) -> tuple[Floats, Bools, Floats]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(m, q)) * rng.uniform(0.2, 2, q)
    score = x @ rng.normal(size=q) - 0.4
    flipped = score + noise * rng.normal(size=m) > 0
    return x, flipped, -np.tanh(score)


def cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("noise", [0.0, 0.3, 3.0])
def test_ridge_on_labels_is_the_optimum_of_logistic_regression(noise: float) -> None:
    x, flipped, _ = sample(noise=noise)
    fit = fit_plane(x, flipped, None)
    oracle = LogisticRegression(C=1 / PENALTY, tol=1e-10, solver="newton-cholesky", max_iter=1000).fit(x, flipped)
    assert cosine(fit.coefficients, oracle.coef_[0]) >= 0.9997
    assert fit.intercept / np.linalg.norm(fit.coefficients) == pytest.approx(
        oracle.intercept_[0] / np.linalg.norm(oracle.coef_), abs=0.01
    )


def test_ridge_on_answers() -> None:
    x, flipped, margin = sample(noise=0)
    fit = fit_plane(x, flipped, margin)
    oracle = Ridge(alpha=PENALTY).fit(x, -margin)
    assert np.allclose(fit.coefficients, oracle.coef_, rtol=1e-8)
    assert fit.intercept == pytest.approx(oracle.intercept_, abs=0.02)
    assert fit.r2 == pytest.approx(oracle.score(x, -margin), abs=1e-8)


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_partial_least_squares(n_components: int) -> None:
    x, flipped, margin = sample()
    fit = fit_plane(x, flipped, margin, "pls", n_components=n_components)
    oracle = PLSRegression(n_components, scale=False).fit(x, -margin)
    assert np.allclose(fit.coefficients, np.ravel(oracle.coef_), rtol=1e-5)
    assert fit.r2 == pytest.approx(oracle.score(x, -margin), abs=1e-8)
    assert fit.scores is not None
    for ours, theirs in zip(fit.scores.T, oracle.x_scores_.T, strict=True):
        assert abs(cosine(ours, theirs)) == pytest.approx(1, abs=1e-6)


def test_lasso_keeps_the_features_that_matter() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 20))
    score = 2 * x[:, 3] - x[:, 7] + 0.2 * x[:, 11]
    fit = fit_plane(x, score > 0, -score, "lasso")
    assert set(np.flatnonzero(fit.coefficients)) == {3, 7, 11}
    two = fit_plane(x, score > 0, None, "lasso", n_features=2)
    assert set(np.flatnonzero(two.coefficients)) == {3, 7}


def test_one_class_only_has_no_direction() -> None:
    x, flipped, _ = sample()
    fit = fit_plane(x, np.ones_like(flipped), None)
    assert not fit.coefficients.any()
    assert np.isnan(fit.r2)


def test_answers_tell_a_direction_where_labels_cannot() -> None:
    x, flipped, margin = sample()
    fit = fit_plane(x, np.zeros_like(flipped), margin + 5)
    assert cosine(fit.coefficients, fit_plane(x, flipped, margin).coefficients) == pytest.approx(1)


@pytest.mark.slow
def test_stability_falls_with_noise_as_that_of_samples_drawn_anew() -> None:
    counts = draw_blocks(0, 0, 200)
    found = []
    for noise in (0.1, 5.0):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(400, 6))
        score = x @ np.arange(1.0, 7.0)
        noisy = score + noise * 10 * rng.normal(size=400)
        anew = []
        for seed in range(100):
            other = np.random.default_rng(seed)
            again = other.normal(size=(400, 6))
            margin = -(again @ np.arange(1.0, 7.0) + noise * 10 * other.normal(size=400))
            anew.append(fit_plane(again, margin < 0, margin).coefficients)
        unit = np.array(anew) / np.linalg.norm(anew, axis=1, keepdims=True)
        pairs = (unit @ unit.T)[np.triu_indices(len(unit), 1)]
        stability = fit_plane(x, noisy > 0, -noisy).stability(x, counts)
        assert 1 - stability == pytest.approx(1 - pairs.mean(), rel=0.8)
        found.append(stability)
    assert found[0] > found[1]


def test_no_replicates_no_stability() -> None:
    x, flipped, _ = sample()
    assert draw_blocks(0, 0, 1) is None
    assert np.isnan(fit_plane(x, flipped, None).stability(x, None))
    assert np.isnan(fit_plane(x, np.ones_like(flipped), None).stability(x, draw_blocks(0, 0, 5)))
