"""Student's interval."""

import numpy as np
from scipy import stats

from tauscope.weights.student import student_bounds


def test_it_is_students() -> None:
    low, high = student_bounds(np.array([1.0, 2.0]), np.array([0.25, -1e-20]), np.array([4.0, 9.0]), 0.9)
    expected = stats.t(3, loc=1, scale=0.5).interval(0.9)
    np.testing.assert_allclose([low[0], high[0]], expected)
    assert low[1] == high[1] == 2


def test_one_row_has_no_interval() -> None:
    low, high = student_bounds(np.array([1.0]), np.array([0.0]), 1.0, 0.95)
    assert np.isnan([low, high]).all()
