import numpy as np
import pytest
from scipy.stats import genpareto

from tauscope.weights.pareto import pareto_k, tail_size


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
    np.testing.assert_allclose(pareto_k(log_excess, 0.0), by_definition(np.expm1(log_excess)), atol=1e-9)


@pytest.mark.parametrize("shape", [0.1, 0.5, 0.9])
def test_finds_the_shape_of_pareto_weights(shape):
    excess = np.sort(genpareto.rvs(shape, size=5000, random_state=1))
    assert pareto_k(np.log1p(excess), 0.0) == pytest.approx(shape, abs=0.06)


def test_rows_are_fitted_one_by_one():
    x = np.sort(np.random.default_rng(0).exponential(size=(7, 400)), 1)
    together = pareto_k(x, 0.0)
    assert together.shape == (7,)
    np.testing.assert_allclose(together, [pareto_k(row, 0.0) for row in x])


def test_bounded_weights_have_no_tail():
    assert pareto_k(np.zeros(100), 0.01) == 0
    assert pareto_k(np.zeros((3, 0)), 1.0).tolist() == [0, 0, 0]


@pytest.mark.parametrize("n_tied", [0, 87])
def test_a_handful_that_stands_out_has_no_tail_to_fit(n_tied):
    few = np.append(np.zeros(n_tied), [3.0, 3.0])
    assert pareto_k(few, 0.0001) == 0
    assert pareto_k(few, 0.01) == np.inf
    np.testing.assert_array_equal(pareto_k(np.stack([few, few]), np.array([1e-4, 1e-2])), [0, np.inf])


def test_few_of_few_rows_hold_their_own_share_of_the_weight():
    few = np.append(np.zeros(11), np.full(4, np.log(1.05)))
    assert pareto_k(few, 0.0131) == 0
    assert pareto_k(few, 0.0131, before=0.0) == np.inf
    assert pareto_k(few + np.append(np.zeros(11), np.ones(4)), 0.0131) == np.inf


def test_ties_at_the_cut_leave_the_rest_to_fit():
    over = np.sort(np.random.default_rng(2).exponential(size=60))
    tied = np.concatenate([np.zeros(40), over])
    np.testing.assert_allclose(pareto_k(tied, 0.0), pareto_k(over, 0.0), atol=1e-12)


def test_enormous_weights_give_a_large_value_and_no_overflow():
    assert pareto_k(np.linspace(0, 5000, 200), 0.0) > 0.7


def test_tail_size_is_the_smaller_of_a_fifth_and_three_roots():
    assert tail_size(100) == 20
    assert tail_size(10**6) == 3000


def test_ties_at_the_top_lose_no_digits():
    tied = np.sort(np.random.default_rng(3).integers(1, 4, 400)).astype(float)
    np.testing.assert_allclose(pareto_k(tied, 0.0), by_definition(np.expm1(tied)), atol=1e-9)


def test_tiny_tails_beside_enormous_ones():
    x = np.sort(np.random.default_rng(4).exponential(size=200))
    together = pareto_k(np.stack([1e-9 * x, 1e3 * x, x]), 0.0)
    np.testing.assert_array_equal(together, [pareto_k(row, 0.0) for row in (1e-9 * x, 1e3 * x, x)])
    assert np.isfinite(together).all()
