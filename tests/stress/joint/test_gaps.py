"""The gap between groups: its interval is the difference's own, and covers at its level."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri

from tauscope.stress.joint.gaps import difference_ends, measure_gaps, ratio_ends

NONE = np.zeros(())


def ends_of(values, errors):
    return lambda level: (
        np.asarray(values) - ndtri(0.5 + level / 2) * np.asarray(errors),
        np.asarray(values) + ndtri(0.5 + level / 2) * np.asarray(errors),
    )


def correlated(n, rho):
    return np.where(np.eye(n) > 0, 1.0, rho)


@pytest.mark.parametrize("rho", [-0.4, 0.0, 0.6])
def test_two_groups_have_the_interval_of_a_normal_difference(rho):
    gap = measure_gaps(np.array([0.2, 0.5]), ends_of([0.2, 0.5], [0.03, 0.04]), correlated(2, rho), 0.9)
    error = np.sqrt(0.03**2 + 0.04**2 - 2 * rho * 0.03 * 0.04)
    assert (gap.largest, gap.smallest) == (1, 0)
    assert gap.gap == pytest.approx(0.3)
    assert gap.gap_lower == pytest.approx(0.3 - ndtri(0.95) * error)
    assert gap.gap_upper == pytest.approx(0.3 + ndtri(0.95) * error)


def test_lopsided_intervals_stay_lopsided():
    lower, upper = difference_ends((0.01, 0.0, 0.05), (0.3, 0.25, 0.37), NONE)
    assert lower == pytest.approx(-0.29 - np.hypot(0.01, 0.07))
    assert upper == pytest.approx(-0.29 + np.hypot(0.04, 0.05))


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.7])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((0.2, 0.15, 0.3), (0.5, 0.4, 0.55)),
        ((0.2, 0.05, 0.5), (0.3, 0.1, 0.8)),
        ((0.0, 0.0, 0.1), (0.3, 0.2, 0.4)),
    ],
)
def test_a_ratio_holds_what_the_difference_from_so_many_times_the_other_holds(a, b, rho):
    lower, upper = ratio_ends(*(tuple(map(np.array, each)) for each in (a, b)), np.array(rho))

    def end(side):
        return lambda times: difference_ends(a, tuple(times * np.array(b)), np.array(rho))[side]

    point = a[0] / b[0]
    assert lower == pytest.approx(brentq(end(0), 0, point) if point else 0.0, abs=1e-9)
    assert upper == pytest.approx(brentq(end(1), point, 1000), rel=1e-9)


def test_a_ratio_to_what_may_be_nothing_has_no_upper_end():
    lower, upper = ratio_ends((np.array(0.2), np.array(0.1), np.array(0.3)), (np.array(0.1), NONE, np.array(0.2)), NONE)
    assert 0 < lower < 2
    assert upper == np.inf


@pytest.mark.parametrize("values", [[-0.1, 0.5], [0.0, 0.0], [-2.0, -1.0]])
def test_no_ratio_of_negative_values_nor_of_zeros(values):
    gap = measure_gaps(np.array(values), ends_of(values, [0.1, 0.1]), correlated(2, 0.0), 0.95)
    assert np.isnan([gap.ratio, gap.ratio_lower, gap.ratio_upper]).all()
    assert np.isfinite([gap.gap, gap.gap_lower, gap.gap_upper]).all()


def test_an_end_that_is_not_known_leaves_the_gap_open():
    gap = measure_gaps(np.array([0.2, 0.5]), ends_of([0.2, 0.5], [np.nan, 0.1]), correlated(2, 0.0), 0.95)
    assert np.isnan([gap.gap_lower, gap.gap_upper, gap.ratio_lower, gap.ratio_upper]).all()
    assert gap.gap == pytest.approx(0.3)


def test_groups_without_a_value_are_left_out_and_one_alone_has_no_gap():
    three, two = np.array([0.2, np.nan, 0.5]), np.array([0.2, 0.5])
    without = measure_gaps(three, ends_of(three, [0.1, np.nan, 0.1]), correlated(3, 0.0), 0.95)
    alone = measure_gaps(two, ends_of(two, [0.1, 0.1]), correlated(2, 0.0), 0.95)
    np.testing.assert_allclose(without[2:], alone[2:])
    assert (without.largest, without.smallest) == (2, 0)
    nothing = measure_gaps(np.array([0.2, np.nan]), ends_of([0.2, np.nan], [0.1, np.nan]), correlated(2, 0.0), 0.95)
    assert (nothing.largest, nothing.smallest) == (-1, -1)
    assert np.isnan(nothing[2:]).all()


def test_groups_that_cannot_be_the_largest_do_not_widen_the_gap_of_the_others():
    values, errors = [0.1, 0.5, 0.3, 0.31], [0.01, 0.01, 0.01, 0.01]
    far = measure_gaps(np.array(values), ends_of(values, errors), correlated(4, 0.0), 0.95)
    two = measure_gaps(np.array(values[:2]), ends_of(values[:2], errors[:2]), correlated(2, 0.0), 0.95)
    np.testing.assert_allclose(far[2:], two[2:])
    near = [0.1, 0.5, 0.49, 0.31]
    wider = measure_gaps(np.array(near), ends_of(near, errors), correlated(4, 0.0), 0.95)
    assert wider.gap_upper > two.gap_upper


def test_cells_are_measured_each_by_itself():
    random = np.random.default_rng(0)
    values, errors = random.random((4, 3, 5)), 0.02 + 0.1 * random.random((4, 3, 5))
    rho = np.broadcast_to(correlated(4, 0.3)[..., None, None], (4, 4, 3, 5))
    together = measure_gaps(values, ends_of(values, errors), rho, 0.9)
    for i, j in np.ndindex(3, 5):
        one = measure_gaps(values[:, i, j], ends_of(values[:, i, j], errors[:, i, j]), correlated(4, 0.3), 0.9)
        np.testing.assert_allclose([part[i, j] for part in together], one, rtol=1e-12)


@pytest.mark.parametrize(
    ("truth", "least", "most"),
    [([0.3, 0.5], 0.94, 0.96), ([0.1, 0.5, 0.3, 0.3, 0.3], 0.94, 0.96), ([0.1, 0.5, 0.48, 0.46], 0.94, 0.992),
     ([0.3, 0.3], 0.94, 0.96), ([0.3] * 5, 0.94, 0.992)],
)  # fmt: skip
def test_it_covers_the_gap_of_the_truth(truth, least, most):
    """Of 20,000 draws from a normal distribution whose correlation is .4; several that tie are covered more often."""
    random, n, draws = np.random.default_rng(1), len(truth), 20_000
    errors = np.linspace(0.02, 0.04, n)
    root = np.linalg.cholesky(correlated(n, 0.4) * errors[:, None] * errors)
    values = np.array(truth)[:, None] + root @ random.normal(size=(n, draws))
    rho = np.broadcast_to(correlated(n, 0.4)[..., None], (n, n, draws))
    gap = measure_gaps(values, ends_of(values, np.broadcast_to(errors[:, None], values.shape)), rho, 0.95)
    of_gap = np.mean((gap.gap_lower <= np.ptp(truth)) & (np.ptp(truth) <= gap.gap_upper))
    ratio = min(truth) / max(truth)
    of_ratio = np.mean((gap.ratio_lower <= ratio) & (ratio <= gap.ratio_upper))
    assert least < of_gap < most, of_gap
    assert least < of_ratio < most, of_ratio
