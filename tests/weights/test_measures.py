import numpy as np
import pytest

from tauscope.weights.measures import (
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
