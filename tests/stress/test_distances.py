"""Distances of weightings against SciPy, closed forms, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import wasserstein_distance

from tauscope.stress.distances import mean_shift, wasserstein


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 60), ties=st.booleans(), gaps=st.booleans())
def test_transport_agrees_with_scipy(seed, n, ties, gaps):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, n).astype(float) if ties else rng.normal(size=n)
    before, after = rng.uniform(0.1, 2, n), rng.uniform(0.1, 2, n) * rng.integers(0, 2, n)
    after[0] = 1
    if gaps:
        x[1:][rng.random(n - 1) < 0.3] = np.nan
    seen = ~np.isnan(x)
    expected = wasserstein_distance(x[seen], x[seen], before[seen], after[seen])
    assert wasserstein(x, before, after) == pytest.approx(expected, abs=1e-12)
    plain = wasserstein_distance(x[seen], x[seen], None, after[seen])
    assert wasserstein(x, None, after) == pytest.approx(plain, abs=1e-12)


def test_a_shift_travels_its_length():
    x = np.repeat([1e6, 1e6 + 3.0], 5)
    assert wasserstein(x, np.repeat([1.0, 0], 5), np.repeat([0.0, 1], 5)) == pytest.approx(3.0)
    assert wasserstein(x, None, np.ones(10)) == pytest.approx(0)


def test_of_an_indicator_it_is_the_difference_of_shares():
    x = (np.arange(10) < 3).astype(float)
    w = np.where(x == 1, 2.0, 0.5)
    share = 6 / 9.5
    assert wasserstein(x, None, w) == pytest.approx(share - 0.3)
    before, after, difference = mean_shift(x, None, w)
    assert (before, after) == pytest.approx((0.3, share))
    assert difference == pytest.approx((share - 0.3) / np.sqrt(0.3 * 0.7))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_mean_shift_is_in_standard_deviations_before(weighted):
    rng = np.random.default_rng(0)
    x, v, w = rng.normal(5, 2, 300), rng.uniform(0.5, 2, 300), rng.uniform(0, 2, 300)
    x[:30] = np.nan
    v = v if weighted else None
    mean = np.average(x[30:], weights=None if v is None else v[30:])
    sd = np.sqrt(np.average((x[30:] - mean) ** 2, weights=None if v is None else v[30:]))
    before, after, difference = mean_shift(x, v, w)
    assert before == pytest.approx(mean)
    assert after == pytest.approx(np.average(x[30:], weights=w[30:]))
    assert difference == pytest.approx((after - before) / sd)


def test_where_no_row_with_a_value_has_weight_there_is_no_distance():
    x = np.array([1.0, 2.0, np.nan])
    assert np.isnan(wasserstein(x, None, np.array([0, 0, 3.0])))
    assert np.isnan(mean_shift(x, None, np.array([0, 0, 3.0]))).all()
    assert np.isnan(wasserstein(np.full(3, np.nan), None, np.ones(3)))


def test_a_constant_column_does_not_shift():
    before, after, difference = mean_shift(np.full(4, 7.0), None, np.arange(4.0))
    assert (before, after) == (7.0, 7.0)
    assert np.isnan(difference)
