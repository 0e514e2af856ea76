import numpy as np
import pytest
from scipy.special import betaincinv

from tauscope.stress.beta_quantile import beta_quantile


@pytest.mark.parametrize("level", [1e-4, 0.025, 0.25, 0.5, 0.9, 0.975, 0.9999])
def test_is_scipy_s_quantile(level):
    rng = np.random.default_rng(0)
    a, b = np.exp(rng.uniform(np.log(0.01), np.log(1e7), (2, 3000)))
    sd = np.sqrt(a / (a + b) * (b / (a + b)) / (a + b + 1))
    miss = np.abs(beta_quantile(a, b, level) - betaincinv(a, b, level)) / sd
    assert miss.max() < (3e-7 if 0.02 < level < 0.98 else 2e-4)
