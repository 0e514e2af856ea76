import numpy as np
import pytest
from scipy.stats import beta

from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import interval, on_scale, student_interval
from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes

SHARE, MEAN, RMSE = (
    define_quantities(Outcomes("binary", np.array([0, 1]), class_names=("0", "1")))[1][1],
    define_quantities(Outcomes("regression", np.array([0.0, 1.0])))[1][0],
    define_quantities(Outcomes("regression", np.array([0.0, 1.0]), np.array([1.0, 1.0])))[1][2],
)


def estimate(value, error=0.1, df=1e9, ess=50.0):
    return Estimate(*(np.array([a]) for a in (value, error, df, ess)))


def test_scales_of_the_intervals():
    low, high = student_interval(MEAN, estimate(2.0), 0.95)
    np.testing.assert_allclose([low, high], [[2 - 0.196], [2 + 0.196]], rtol=1e-3)
    low, high = student_interval(RMSE, estimate(2.0), 0.95)
    np.testing.assert_allclose(low * high, 4.0)
    low, high = student_interval(SHARE, estimate(0.97), 0.95)
    assert 0 < low < 0.97 < high < 1


def test_few_degrees_of_freedom_widen_it():
    few, many = (np.subtract(*student_interval(MEAN, estimate(0.0, df=f), 0.95)) for f in (3.0, 300.0))
    assert few < many < 0


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_shares_at_the_edge_get_the_exact_binomial_end(share):
    low, high = student_interval(SHARE, estimate(share, error=0.0), 0.95)
    limit = beta.ppf(0.975, 1, 50)
    np.testing.assert_allclose([low[0], high[0]], [0, limit] if share == 0 else [1 - limit, 1], rtol=1e-12)


def test_skewed_quantiles_give_a_skewed_interval():
    low, high = interval(MEAN, estimate(1.0), np.array([-3.0]), np.array([1.0]), 0.95)
    np.testing.assert_allclose([low, high], [[0.9], [1.3]])


def test_undefined_stays_undefined():
    assert np.isnan(student_interval(SHARE, estimate(np.nan), 0.95)).all()


def test_scale_carries_the_error_along():
    step = 1e-6
    for metric in (SHARE, RMSE, MEAN):
        a, s = on_scale(metric, np.array([0.3]), np.array([1.0]))
        b, _ = on_scale(metric, np.array([0.3 + step]), np.array([1.0]))
        np.testing.assert_allclose((b - a) / step, s, rtol=1e-4)


def test_a_value_of_two_rows_has_no_interval_and_a_share_has_the_binomial_one():
    assert np.isnan(student_interval(MEAN, estimate(190.0, error=0.0, ess=2.0), 0.95)).all()
    assert np.isnan(student_interval(RMSE, estimate(9.0, error=0.0, ess=1.0), 0.95)).all()
    low, high = student_interval(SHARE, estimate(1.0, error=0.0, ess=1.0), 0.95)
    np.testing.assert_allclose([low[0], high[0]], [0.025, 1.0])
