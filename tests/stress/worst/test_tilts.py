"""The family of tilts: derivatives by differences, and means of columns that follow from others."""

import numpy as np
import pytest

from tauscope.stress.worst.tilts import TiltFamily

RNG = np.random.default_rng(1)
N = 200
LEVEL = RNG.integers(0, 3, N)
PHI = np.column_stack([RNG.normal(size=N), RNG.exponential(3, N), *(k == LEVEL for k in range(3))]).astype(float)
BASE = RNG.random(N)
BASE /= BASE.sum()
BAD = RNG.random(N)


def measure(share):
    value = float(share @ BAD)
    return value, BAD - value


@pytest.fixture
def family():
    return TiltFamily(PHI, BASE, measure)


def test_columns_that_follow_from_others_add_no_direction(family):
    assert family.n_free == 4
    point = family.at(0.3 * np.ones(4))
    moved = point.share @ PHI - BASE @ PHI
    assert family.shifts(point) * family.sd == pytest.approx(moved, abs=1e-12)
    assert family.shifts(point, np.array([1])) * family.sd[1] == pytest.approx(moved[[1]], abs=1e-12)
    assert family.at(np.zeros(4)).share == pytest.approx(BASE, rel=1e-13)


def test_derivatives_are_those_of_differences(family):
    at = np.array([0.4, -0.2, 0.1, 0.3])
    point, step = family.at(at), 1e-6
    for j, direction in enumerate(np.eye(4)):
        up, down = (family.at(at + side * step * direction) for side in (1, -1))
        assert point.slope[j] == pytest.approx((up.value - down.value) / (2 * step), abs=1e-8)
        assert point.kl_slope[j] == pytest.approx((up.kl - down.kl) / (2 * step), abs=1e-8)
        assert point.tv_slope[j] == pytest.approx((up.tv - down.tv) / (2 * step), abs=1e-6)
        shifts = (family.shifts(up) - family.shifts(down)) / (2 * step)
        assert family.shift_slopes(point)[:, j] == pytest.approx(shifts, abs=1e-7)


def test_a_row_of_no_weight_leaves_the_others_theirs():
    phi, base = np.vstack([PHI, [[1e5, 0, 0, 0, 0], [-1e5, 0, 0, 0, 0]]]), np.append(BASE, [0.0, 0.0])
    more = TiltFamily(phi, base, lambda share: (float(share[:-2] @ BAD), np.append(BAD, [0.0, 0.0])))
    point = more.at(np.array([3.0, 0.1, 0.0, 0.2]))
    assert np.isfinite([point.value, point.kl, point.tv]).all()
    assert point.share == pytest.approx(
        np.append(TiltFamily(PHI, BASE, measure).at(point.multipliers).share, [0.0, 0.0])
    )


def test_distances_are_those_of_the_weights(family):
    point = family.at(np.array([0.4, -0.2, 0.1, 0.3]))
    assert point.kl == pytest.approx(float(point.share @ np.log(point.share / BASE)), rel=1e-10)
    assert point.tv == pytest.approx(0.5 * np.abs(point.share - BASE).sum(), rel=1e-12)
    far = family.at(np.full(4, 1e4))
    assert np.isfinite(far.share).all()
    assert far.kl > 0
