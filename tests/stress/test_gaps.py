"""The gap between groups: its ends are the worst case within the groups' own intervals."""

import numpy as np
import pytest

from tauscope.stress.gaps import measure_gap, single_level


def test_no_values_within_their_intervals_are_further_apart_or_nearer():
    random = np.random.default_rng(0)
    for _ in range(50):
        ends = np.sort(random.random((4, 3)), axis=1)
        gap = measure_gap(ends[:, 1], ends[:, 0], ends[:, 2])
        drawn = ends[:, 0] + random.random((4000, 4)) * (ends[:, 2] - ends[:, 0])
        apart, ratio = np.ptp(drawn, axis=1), drawn.min(1) / drawn.max(1)
        assert gap.gap_lower <= apart.min()
        assert apart.max() <= gap.gap_upper
        assert gap.ratio_lower <= ratio.min()
        assert ratio.max() <= gap.ratio_upper
        assert gap.gap == pytest.approx(np.ptp(ends[:, 1]))
        assert (gap.largest, gap.smallest) == (np.argmax(ends[:, 1]), np.argmin(ends[:, 1]))
        widest = ends[:, 2].max() - ends[:, 0].min()
        assert gap.gap_upper == pytest.approx(widest)


def test_by_hand():
    gap = measure_gap(np.array([0.2, 0.5]), np.array([0.1, 0.4]), np.array([0.3, 0.6]))
    assert gap[2:] == pytest.approx((0.3, 0.1, 0.5, 0.4, 1 / 6, 0.75))
    assert single_level(0.95, 2) == pytest.approx(0.975)


@pytest.mark.parametrize("values", [[-0.1, 0.5], [0.0, 0.0], [-2.0, -1.0]])
def test_no_ratio_of_negative_values_nor_of_zeros(values):
    gap = measure_gap(np.array(values), np.array(values) - 0.1, np.array(values) + 0.1)
    assert np.isnan([gap.ratio, gap.ratio_lower, gap.ratio_upper]).all()
    assert np.isfinite(gap[2:5]).all()


def test_an_end_that_is_not_known_leaves_the_gap_open():
    gap = measure_gap(np.array([0.2, 0.5]), np.array([np.nan, 0.4]), np.array([np.nan, 0.6]))
    assert np.isnan([gap.gap_lower, gap.gap_upper, gap.ratio_lower, gap.ratio_upper]).all()
    assert gap.gap == pytest.approx(0.3)


def test_largest_of_zero_and_more():
    gap = measure_gap(np.array([0.0, 0.1]), np.array([0.0, 0.0]), np.array([0.0, 0.2]))
    assert (gap.ratio, gap.ratio_lower, gap.ratio_upper) == (0.0, 0.0, 1.0)
