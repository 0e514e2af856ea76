"""The simulations of [EVP §4.3], whose curves the paper draws, against quadrature and normal theory."""

import numpy as np
import pytest

from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes


@pytest.mark.slow
def test_portion_of_ones_in_the_linear_example():
    """[EVP §4.3.1], n = 10⁶: five independent normal features, a logistic model; by quadrature."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(10**6, 5))
    ones = rng.random(10**6) < 1 / (1 + np.exp(-(x @ np.array([-4.0, -2.0, 0.0, 2.0, 4.0]))))
    outcomes = Outcomes("binary", ones.astype(np.int64), class_names=("0", "1"))
    curves = stress_curves(x.T, outcomes, taus=np.array([-1.0, 0.0, 1.0]), metrics=["portion_1"])
    quadrature = np.array([0.841, 0.692, 0.500, 0.308, 0.159])
    np.testing.assert_allclose(curves.value[:, 0, 0], quadrature, atol=0.003)
    np.testing.assert_allclose(curves.value[:, 0, 1], 0.5, atol=0.003)
    np.testing.assert_allclose(curves.value[:, 0, 2], quadrature[::-1], atol=0.003)


@pytest.mark.slow
@pytest.mark.parametrize("tau", [-1.0, 1.0])
def test_one_constraint_shows_correlation_as_if_it_were_cause(tau):
    """[EVP §4.3.2] without its remedy: x2 alone gives .281 and .719 in normal theory."""
    portions = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        normal = rng.normal(size=(2000, 3))
        x2 = 0.5 * normal[:, 0] + np.sqrt(0.75) * normal[:, 1]
        latent = 10 * (normal[:, 0] - normal[:, 2]) + rng.normal(size=2000)
        outcomes = Outcomes("binary", (latent > 0).astype(np.int64), class_names=("0", "1"))
        curves = stress_curves([x2], outcomes, taus=np.array([tau]), metrics=["portion_1"])
        portions.append(curves.value[0, 0, 0])
    assert np.mean(portions) == pytest.approx(0.281 if tau < 0 else 0.719, abs=0.006)
