import numpy as np
import pytest
from scipy.special import betaincinv, stdtrit

from tauscope.stress.quantiles import MANY_DF, beta_quantile, t_quantile


@pytest.mark.parametrize("level", [1e-4, 0.025, 0.25, 0.5, 0.9, 0.975, 0.9999])
def test_is_scipy_s_quantile(level):
    rng = np.random.default_rng(0)
    a, b = np.exp(rng.uniform(np.log(0.01), np.log(1e7), (2, 3000)))
    sd = np.sqrt(a / (a + b) * (b / (a + b)) / (a + b + 1))
    miss = np.abs(beta_quantile(a, b, level) - betaincinv(a, b, level)) / sd
    assert miss.max() < (3e-7 if 0.02 < level < 0.98 else 2e-4)


def test_counts_that_no_float_tells_apart_are_answered():
    a, b = 10.0 ** np.random.default_rng(0).uniform(1, 300, (2, 2000))
    sd = np.sqrt(a / (a + b) / (a + b + 1)) * np.sqrt(b / (a + b))
    found = beta_quantile(a, b, 0.975)
    miss = np.abs(found - a / (a + b))
    assert (miss <= 5 * sd + 1e-15).all()


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_student_s_t_is_scipy_s(confidence):
    df = np.exp(np.random.default_rng(0).uniform(0, np.log(1e7), 3000))
    miss = np.abs(t_quantile(df, confidence) / stdtrit(df, 0.5 + confidence / 2) - 1)
    assert miss[df < MANY_DF].max() == 0
    assert miss.max() < 5e-9
    assert t_quantile(np.float64(9), confidence) == stdtrit(9, 0.5 + confidence / 2)
