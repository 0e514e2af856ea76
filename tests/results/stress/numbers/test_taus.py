import numpy as np
import pytest

from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.numbers.taus import tau_grid


@pytest.mark.parametrize("n", [3, 21, 41, 101, np.int64(21)])
def test_steps_hit_decimals_exactly(n):
    grid = tau_grid(n)
    assert len(grid) == n
    assert (grid[0], grid[n // 2], grid[-1]) == (-1, 0, 1)
    np.testing.assert_array_equal(grid, -grid[::-1])


def test_twenty_one_steps_are_tenths():
    assert tau_grid(21).tolist() == [k / 10 for k in range(-10, 11)]


@pytest.mark.parametrize("given", [[0.3, -0.2, 0.3], (0.3, -0.2), np.array([0.3, -0.2], np.float64)])
def test_values_are_sorted_once_and_zero_is_added(given):
    assert tau_grid(given).tolist() == [-0.2, 0, 0.3]


def test_negative_zero_is_zero():
    grid = tau_grid([-0.0, 1])
    assert not np.signbit(grid[0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (20, "Try taus=21"), (1, "Try taus=3"), (-5, "Try taus=3"),
        ([], "at least one value"), ([[0.1]], "shape"), ([0.5, 1.2], "got 1.2"), ([np.nan], "got nan"),
    ],
)  # fmt: skip
def test_values_out_of_range(given, words):
    with pytest.raises(InputError, match=words):
        tau_grid(given)


@pytest.mark.parametrize("given", ["many", True, None, object(), ["a"]])
def test_other_kinds(given):
    with pytest.raises(InputTypeError, match="taus must be"):
        tau_grid(given)
