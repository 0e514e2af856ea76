import numpy as np
import pytest
from scipy.stats import beta, t as student

from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import analytic_interval, on_scale, rate_interval, studentised_interval
from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes

SHARE, MEAN, RMSE = (
    define_quantities(Outcomes("binary", np.array([0, 1]), class_names=("0", "1")))[1][1],
    define_quantities(Outcomes("regression", np.array([0.0, 1.0])))[1][0],
    define_quantities(Outcomes("regression", np.array([0.0, 1.0]), np.array([1.0, 1.0])))[1][2],
)


N_ROWS = 50


def estimate(value, error=0.1, df=1e9, ess=50.0, denominator=None, events=np.inf):
    rows = ess if denominator is None else denominator
    return Estimate(*(np.array([a]) for a in (value, error, df, ess, rows, events, events)))


def ends_of(metric, *args, **options):
    return analytic_interval(metric, estimate(*args, **options), 0.95, N_ROWS)


def test_scales_of_the_intervals():
    low, high = ends_of(MEAN, 2.0)
    np.testing.assert_allclose([low, high], [[2 - 0.196], [2 + 0.196]], rtol=1e-3)
    low, high = ends_of(RMSE, 2.0)
    np.testing.assert_allclose(low * high, 4.0)
    low, high = ends_of(SHARE, 0.97, error=0.02)
    assert 0 < low < 0.97 < high < 1


def test_few_degrees_of_freedom_widen_it():
    few, many = (np.subtract(*ends_of(MEAN, 0.0, df=f)) for f in (3.0, 300.0))
    assert few < many < 0
    few, many = (np.subtract(*ends_of(SHARE, 0.4, df=f)) for f in (3.0, 300.0))
    assert few < many < 0


def test_a_spread_made_of_few_rows_has_as_few_degrees_of_freedom():
    half = np.log(ends_of(RMSE, 2.0, df=60.0, events=100.0)[1] / 2)
    np.testing.assert_allclose(half, student.ppf(0.975, 10) * 0.05, rtol=1e-9)


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("rows", [4, 50])
def test_shares_at_the_edge_get_the_exact_binomial_end_of_their_denominator(share, rows):
    low, high = ends_of(SHARE, share, error=0.0, df=N_ROWS, denominator=rows)
    limit = beta.ppf(0.975, 1, rows)
    np.testing.assert_allclose([low[0], high[0]], [0, limit] if share == 0 else [1 - limit, 1], rtol=1e-12)


@pytest.mark.parametrize("hits", [1, 7, 25, 49])
def test_equal_weights_give_the_exact_binomial_interval(hits):
    p = hits / N_ROWS
    low, high = ends_of(SHARE, p, error=np.sqrt(p * (1 - p) / N_ROWS), df=N_ROWS)
    expected = beta.ppf(0.025, hits, N_ROWS - hits + 1), beta.ppf(0.975, hits + 1, N_ROWS - hits)
    np.testing.assert_allclose([low[0], high[0]], expected, rtol=1e-9)


def test_no_rows_below_the_line_leave_every_share():
    low, high = ends_of(SHARE, 0.5, error=np.inf, denominator=0.0)
    np.testing.assert_allclose([low[0], high[0]], [0, 1], atol=1e-6)


def test_skewed_quantiles_give_a_skewed_interval():
    low, high = studentised_interval(MEAN, *np.array([[1.0], [0.1], [50.0], [-3.0], [1.0]]))
    np.testing.assert_allclose([low, high], [[0.9], [1.3]])


def test_undefined_stays_undefined():
    assert np.isnan(ends_of(SHARE, np.nan)).all()


def test_scale_carries_the_error_along():
    step = 1e-6
    for metric in (SHARE, RMSE, MEAN):
        a, s = on_scale(metric, np.array([0.3]), np.array([1.0]))
        b, _ = on_scale(metric, np.array([0.3 + step]), np.array([1.0]))
        np.testing.assert_allclose((b - a) / step, s, rtol=1e-4)


def test_no_error_at_all_beside_a_large_spread_of_it_has_no_scale():
    error = on_scale(RMSE, np.array([0.0, 1e140]), np.array([1e280, 1e139]))[1]
    np.testing.assert_allclose(error, [0.0, 0.1])


def test_a_value_of_two_rows_has_no_interval_and_a_share_has_the_binomial_one():
    assert np.isnan(ends_of(MEAN, 190.0, error=0.0, ess=2.0)).all()
    assert np.isnan(ends_of(RMSE, 9.0, error=0.0, ess=1.0)).all()
    low, high = rate_interval(estimate(1.0, error=0.0, df=N_ROWS, ess=1.0), 0.95, N_ROWS)
    np.testing.assert_allclose([low[0], high[0]], [0.025, 1.0])
