import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.rules.decision import SameDecision


def test_intervals_are_closed():
    same = SameDecision.within(np.array([1.0, 5]), 4.0)
    assert same.holds(np.array([-1.1, -1, 3, 3.1])).tolist() == [[False, True, True, False], [False, False, True, True]]
    same = SameDecision.within(np.array([1.0, 5]), np.array([4.0, 1]))
    assert same.upper.tolist() == [3, 6]
    assert SameDecision.between(np.array([0.0]), np.array([2.0])).holds(np.array([0.0, 2, 2.1])).tolist() == [
        [True, True, False]
    ]


def test_classes_are_equal_codes():
    same = SameDecision.of_class(np.array([0, 2]))
    assert same.n_rows == 2
    assert same.holds(np.array([0.0, 1, 2])).tolist() == [[True, False, False], [False, False, True]]
    assert same.some(slice(1, 2)).lower.tolist() == [2]


@pytest.mark.parametrize("t", [0.0, -1.0, np.nan, np.inf, np.array([1.0, 0])])
def test_t_is_above_zero(t):
    with pytest.raises(InputError, match="t must be a finite number above 0"):
        SameDecision.within(np.zeros(2), t)


@pytest.mark.parametrize("lower", [3.0, np.nan])
def test_empty_intervals_are_refused(lower):
    with pytest.raises(InputError, match="lower <= upper; row 1"):
        SameDecision.between(np.array([0.0, lower]), np.ones(2))
