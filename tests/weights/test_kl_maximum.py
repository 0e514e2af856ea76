"""The highest mean within a KL distance: what its multiplier says (the maximum itself: `tests/effects/bounds`)."""

import numpy as np
import pytest

from tauscope.weights.kl_maximum import maximize_mean


def test_weights_are_the_tilt_of_the_multiplier():
    rng = np.random.default_rng(0)
    values, base = 40 * rng.normal(size=50) + 7, rng.random(50)
    found = maximize_mean(values, base, 0.3)
    tilted = base * np.exp(found.multiplier * (values - values.max()))
    assert found.mass == pytest.approx(tilted / tilted.sum(), rel=1e-9)


def test_the_multiplier_is_none_where_nothing_moves_and_infinite_at_the_end():
    values, base = np.array([0.0, 1.0]), np.ones(2)
    assert maximize_mean(values, base, 0.0).multiplier == 0
    assert maximize_mean(np.ones(2), base, 0.5).multiplier == 0
    assert maximize_mean(values, base, 5.0).multiplier == np.inf
