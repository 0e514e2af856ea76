"""Fits against scikit-learn's, and what a replicate tells."""

import tracemalloc

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import LogisticRegression, Ridge

from tauscope.boundary.options import Explainer
from tauscope.boundary.planes.components import PENALTY, fit_logistic
from tauscope.boundary.planes.explainers import Equations, draw_blocks, fit_plane
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


def newton(design: Floats, y: Floats) -> Floats:
    """Ridge logistic regression by scikit-learn, ones first in the design."""
    oracle = LogisticRegression(C=1 / PENALTY, tol=1e-12, solver="newton-cholesky", max_iter=1000)
    oracle.fit(design[:, 1:], y)
    return np.append(oracle.intercept_, oracle.coef_[0])


@pytest.mark.parametrize("seed", range(4))
def test_logistic_partial_least_squares_takes_the_gradient_of_what_is_left(seed: int) -> None:
    x, flipped, _ = sample(noise=2.0, seed=seed)
    y, centred = flipped.astype(float), x - x.mean(axis=0)
    directions = [centred.T @ (y - y.mean())]
    for _ in range(2):
        basis = np.linalg.qr(np.array(directions).T)[0]
        solved = newton(np.column_stack([np.ones(len(x)), centred @ basis]), y)
        share = 1 / (1 + np.exp(-solved[0] - centred @ basis @ solved[1:]))
        directions.append(centred.T @ (y - share))
    fit = fit_plane(x, flipped, -np.ones(len(x)), "logistic_pls", n_components=2)
    assert cosine(fit.coefficients, basis @ solved[1:]) == pytest.approx(1, abs=1e-6)
    assert fit.intercept == pytest.approx(solved[0] - x.mean(axis=0) @ basis @ solved[1:], abs=1e-2)
    assert fit.scores is not None
    first, second = fit.scores.T
    assert abs(cosine(first, centred @ directions[0])) == pytest.approx(1)
    assert first @ second == pytest.approx(0, abs=1e-8 * len(x))
    likelihood = (y * np.log(share) + (1 - y) * np.log(1 - share)).sum()
    null = len(y) * (y.mean() * np.log(y.mean()) + (1 - y.mean()) * np.log(1 - y.mean()))
    assert fit.r2 == pytest.approx(1 - likelihood / null, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_logistic_partial_least_squares_with_components_enough_is_logistic_regression(seed: int) -> None:
    x, flipped, _ = sample(noise=2.0, seed=seed)
    fit = fit_plane(x, flipped, None, "logistic_pls", n_components=6)
    assert cosine(fit.coefficients, fit_plane(x, flipped, None).coefficients) == pytest.approx(1, abs=1e-5)


def test_logistic_regressions_side_by_side_are_each_its_own() -> None:
    x, flipped, _ = sample(noise=1.0)
    designs = np.array([np.column_stack([np.ones(len(x)), x[:, :2] * scale]) for scale in (1.0, 30.0, 1e-3)])
    counts = np.random.default_rng(0).integers(0, 3, size=(3, len(x))).astype(float)
    counts[2] = 0
    together = fit_logistic(designs, flipped.astype(float), counts)
    for i in range(3):
        alone = fit_logistic(designs[[i]], flipped.astype(float), counts[[i]])
        assert np.allclose(together[i], alone[0], rtol=1e-9, atol=1e-12)


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


def collinear(seed: int) -> tuple[Floats, Bools]:
    """A sample of few points or of features that depend on one another, some of them constant."""
    rng = np.random.default_rng(seed)
    m, q, rank = int(rng.integers(2, 40)), int(rng.integers(1, 8)), int(rng.integers(1, 4))
    x = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, q))
    x = np.round(x) if seed % 3 == 0 else x
    x[:, rng.random(q) < 0.2] = 0.0
    flipped = x @ rng.normal(size=q) + 0.1 * rng.normal(size=m) > 0
    flipped[:2] = True, False
    return x, flipped


@pytest.mark.parametrize("explainer", ["ridge", "pls", "logistic_pls", "lasso"])
@pytest.mark.parametrize("on_labels", [True, False])
def test_features_that_depend_on_one_another_have_a_plane(explainer: Explainer, on_labels: bool) -> None:
    for seed in range(100):
        x, flipped = collinear(seed)
        margin = None if on_labels else np.where(flipped, -1.0, 1.0) - 0.2 * x.sum(axis=1)
        fit = fit_plane(x, flipped, margin, explainer, n_components=1 + seed % 4)
        assert np.isfinite(fit.coefficients).all()
        stability = fit.stability(x, draw_blocks(seed, 0, 10))
        assert np.isnan(stability) or -1 / 9 - 1e-9 <= stability <= 1 + 1e-9


def test_partial_least_squares_with_components_enough_is_least_squares() -> None:
    for seed in range(60):
        x, flipped = collinear(seed)
        margin = np.where(flipped, -1.0, 1.0) - 0.2 * x.sum(axis=1)
        fit = fit_plane(x, flipped, margin, "pls", n_components=8)
        design = np.column_stack([np.ones(len(x)), x])
        oracle = design @ np.linalg.lstsq(design, -margin, rcond=1e-9)[0]
        fitted = x @ fit.coefficients
        assert np.allclose(fitted - fitted.mean(), oracle - oracle.mean(), atol=1e-5 * np.ptp(margin))


@pytest.mark.parametrize("explainer", ["ridge", "pls", "logistic_pls"])
@pytest.mark.parametrize("on_labels", [True, False])
def test_more_features_than_points_are_fitted_as_they_are_themselves(explainer: Explainer, on_labels: bool) -> None:
    few, flipped, margin = sample(40, 30)
    fitted_on = None if on_labels else margin
    directly, counts = fit_plane(few, flipped, fitted_on, explainer), draw_blocks(0, 0, 20)
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(90, 30)))[0]
    turned = fit_plane(few @ rotation.T, flipped, fitted_on, explainer)
    assert np.allclose(turned.coefficients @ rotation, directly.coefficients, rtol=1e-5, atol=1e-7)
    assert turned.intercept == pytest.approx(directly.intercept, abs=1e-6)
    assert turned.stability(few @ rotation.T, counts) == pytest.approx(directly.stability(few, counts), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("n_features", [300, 1000, 3000])
@pytest.mark.parametrize("explainer", ["ridge", "pls", "logistic_pls", "lasso"])
def test_memory_grows_as_the_sample_not_as_its_square(explainer: Explainer, n_features: int) -> None:
    x, flipped, margin = sample(200, n_features)
    tracemalloc.start()
    try:
        fit_plane(x, flipped, margin, explainer).stability(x, draw_blocks(0, 0, 20))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 12 * x.nbytes + 30 * 2**20


@pytest.mark.parametrize(("n_points", "n_features"), [(12, 60), (90, 40), (90, 70), (90, 200)])
@pytest.mark.parametrize("on_labels", [True, False])
def test_replicates_are_fits_of_the_points_that_they_draw(n_points: int, n_features: int, on_labels: bool) -> None:
    x, flipped, margin = sample(n_points, n_features)
    flipped[:2] = True, False
    fit, counts = fit_plane(x, flipped, None if on_labels else margin), draw_blocks(0, 0, 10)
    assert counts is not None
    assert isinstance(fit.equations, Equations)
    blocks = np.array_split(np.arange(n_points), len(counts[0]))
    fits = []
    for one in counts:
        drawn = np.concatenate([np.tile(block, int(n)) for block, n in zip(blocks, one, strict=True)])
        oracle = Ridge(alpha=PENALTY, solver="cholesky")
        oracle.fit(x[drawn], fit.equations.response[drawn], sample_weight=fit.equations.weight[drawn])
        fits.append(oracle.coef_ / np.linalg.norm(oracle.coef_))
    pairs = (np.array(fits) @ np.array(fits).T)[np.triu_indices(len(fits), 1)]
    assert fit.stability(x, counts) == pytest.approx(pairs.mean(), abs=1e-7)
