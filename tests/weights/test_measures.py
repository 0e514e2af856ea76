import numpy as np
import pytest
from scipy.stats import gamma, lognorm, norm, uniform

from tauscope.weights.measures import (
    divergence_ratio,
    effective_size,
    effective_size_of_shares,
    kullback_leibler,
    kullback_leibler_of_shares,
    total_variation,
    total_variation_of_shares,
)


def test_distances_by_hand():
    base, moved = np.ones(4), np.array([2.0, 2.0, 0.0, 0.0])
    assert total_variation(moved, base) == 0.5
    assert kullback_leibler(moved, base) == pytest.approx(np.log(2))
    assert kullback_leibler(base, moved) == np.inf
    assert kullback_leibler(base, base) == 0
    assert effective_size(moved) == 2
    assert effective_size(np.zeros(2)) == 0


def test_shares_are_measured_as_they_are():
    base, moved = np.full(4, 0.25), np.array([0.5, 0.5, 0.0, 0.0])
    assert total_variation_of_shares(moved, base) == total_variation_of_shares(moved, 0.25) == 0.5
    assert kullback_leibler_of_shares(moved, base) == pytest.approx(np.log(2))
    assert kullback_leibler_of_shares(base, moved) == np.inf
    assert effective_size_of_shares(moved) == 2


@pytest.mark.parametrize("observed", [1.0, 0.3])
def test_a_normal_shift_of_any_size_has_a_divergence_ratio_of_one(observed):
    sizes = np.linspace(0.01, 4, 50)
    kl, tv = sizes**2 / 2, 2 * norm.cdf(sizes / 2) - 1
    np.testing.assert_allclose(divergence_ratio(observed * kl, observed * tv, observed), 1, atol=0.07)
    assert divergence_ratio(0.0, 0.0) == divergence_ratio(1e-18, 1e-12) == 1
    assert np.isfinite(divergence_ratio(50.0, 1.0))


def test_tilts_of_long_tails_have_a_divergence_ratio_above_those_of_short_ones():
    at = (np.arange(20_000) + 0.5) / 20_000
    for x, low, high in ((uniform.ppf(at), 0.5, 1), (gamma(2).ppf(at), 1, 1.4), (lognorm(1).ppf(at), 2, 10)):
        share = np.exp(0.3 * (x - x.max()) / x.std())
        share /= share.sum()
        kl, tv = (
            kullback_leibler_of_shares(share, np.full(len(x), 1 / len(x))),
            total_variation_of_shares(share, 1 / len(x)),
        )
        assert low < divergence_ratio(kl, tv) < high
