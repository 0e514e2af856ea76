import numpy as np
import pytest
from scipy.stats import genpareto

from tauscope.stress.tail import pareto_k, tail_size


def by_definition(excess):
    """Zhang and Stephens' estimate with the shrinkage of Vehtari et al., one logarithm a factor."""
    n = len(excess)
    grid = 30 + int(np.sqrt(n))
    theta = 1 / excess[-1] + (1 - np.sqrt(grid / (np.arange(1, grid + 1) - 0.5))) / (3 * excess[int(n / 4 + 0.5) - 1])
    k = np.log1p(-theta[:, None] * excess).mean(1)
    profile = n * (np.log(-theta / k) - k - 1)
    weight = np.exp(profile - profile.max())
    best = weight @ theta / weight.sum()
    return (n * np.log1p(-best * excess).mean() + 5) / (n + 10)


@pytest.mark.parametrize("n", [5, 30, 301, 3000])
@pytest.mark.parametrize("xi", [0.01, 0.5, 2.0, 5.0])
def test_agrees_with_the_definition(n, xi):
    x = np.sort(np.random.default_rng(n).normal(size=5 * n))[-n - 1 :]
    log_excess = xi * (x[1:] - x[0])
    np.testing.assert_allclose(pareto_k(log_excess), by_definition(np.expm1(log_excess)), atol=1e-9)


@pytest.mark.parametrize("shape", [0.1, 0.5, 0.9])
def test_finds_the_shape_of_pareto_weights(shape):
    excess = np.sort(genpareto.rvs(shape, size=5000, random_state=1))
    assert pareto_k(np.log1p(excess)) == pytest.approx(shape, abs=0.06)


def test_rows_are_fitted_one_by_one():
    x = np.sort(np.random.default_rng(0).exponential(size=(7, 400)), 1)
    together = pareto_k(x)
    assert together.shape == (7,)
    np.testing.assert_allclose(together, [pareto_k(row) for row in x])


def test_bounded_weights_have_no_tail():
    assert pareto_k(np.zeros(100)) == 0
    assert pareto_k(np.array([0.0, 1.0, 2.0])) == 0


def test_ties_at_the_cut_leave_the_rest_to_fit():
    over = np.sort(np.random.default_rng(2).exponential(size=60))
    tied = np.concatenate([np.zeros(40), over])
    np.testing.assert_allclose(pareto_k(tied), pareto_k(over), atol=1e-12)


def test_enormous_weights_give_a_large_value_and_no_overflow():
    assert pareto_k(np.linspace(0, 5000, 200)) > 0.7


def test_tail_size_is_the_smaller_of_a_fifth_and_three_roots():
    assert tail_size(100) == 20
    assert tail_size(10**6) == 3000


def test_ties_at_the_top_lose_no_digits():
    tied = np.sort(np.random.default_rng(3).integers(1, 4, 400)).astype(float)
    np.testing.assert_allclose(pareto_k(tied), by_definition(np.expm1(tied)), atol=1e-9)
