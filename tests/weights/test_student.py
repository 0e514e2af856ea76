"""Student's interval."""

import numpy as np
import pytest
from scipy import stats

from tauscope.weights.student import student_bounds


def test_it_is_students() -> None:
    low, high = student_bounds(np.array([1.0, 2.0]), np.array([0.25, -1e-20]), np.array([4.0, 9.0]), 0.9)
    expected = stats.t(3, loc=1, scale=0.5).interval(0.9)
    np.testing.assert_allclose([low[0], high[0]], expected)
    assert low[1] == high[1] == 2


@pytest.mark.parametrize("size", [1.0, 1 + 2e-9, 1.001, 1.1, 1.5, 1.99])
def test_fewer_than_two_effective_rows_have_no_interval(size: float) -> None:
    low, high = student_bounds(np.array([1.0, 2.0]), np.array([0.0, 1.0]), size, 0.95)
    assert np.isnan([low, high]).all()


def test_two_effective_rows_have_one() -> None:
    for size in (2.0, 2 - 1e-12):
        low, high = student_bounds(np.array([1.0]), np.array([1.0]), size, 0.95)
        np.testing.assert_allclose([low[0], high[0]], stats.t(1, loc=1).interval(0.95))
