"""The highest mean within a total variation: the linear program, and how ties share."""

import numpy as np
import pytest
from scipy.optimize import linprog

from tauscope.weights.measures import total_variation
from tauscope.weights.tv_maximum import tv_maximum


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.4, 1.0])
def test_it_is_the_maximum_of_the_linear_program(epsilon):
    rng = np.random.default_rng(0)
    values, base = rng.integers(0, 5, 30).astype(float), rng.random(30)
    share = base / base.sum()
    weights = tv_maximum(values, base, epsilon)
    # w = share + up - down, sums of both at most ε
    n = len(values)
    cost = -np.concatenate([values, -values])
    found = linprog(
        cost,
        A_ub=np.kron(np.eye(2), np.ones(n)),
        b_ub=[epsilon, epsilon],
        A_eq=[np.r_[np.ones(n), -np.ones(n)]],
        b_eq=[0],
        bounds=[(0, None)] * n + [(0, s) for s in share],
    )
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    assert total_variation(weights, base) <= epsilon + 1e-12
    assert weights @ values == pytest.approx(share @ values - found.fun, abs=1e-9)


def test_rows_of_one_value_gain_and_lose_in_proportion():
    values, base = np.array([0.0, 0, 1, 1, 1]), np.array([3.0, 1, 2, 2, 4])
    weights = tv_maximum(values, base, 0.1)
    # a third of the mass stands on 0, of which a tenth of all goes to 1
    before = base / base.sum()
    assert (weights / before).tolist() == pytest.approx([0.7, 0.7, 1.15, 1.15, 1.15])


def test_the_highest_value_counts_where_it_has_no_weight():
    assert tv_maximum(np.array([0.0, 5, 5]), np.array([1.0, 0, 0]), 0.3).tolist() == pytest.approx([0.7, 0.15, 0.15])
