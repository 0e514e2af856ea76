import numpy as np
import pytest

from tauscope.errors import InputError, InputTypeError
from tauscope.weights.checks import check_memory, check_share, check_weight_range, check_weights, memory, read_weights


def test_weights_have_mean_one():
    assert check_weights(None, 3).tolist() == [1, 1, 1]
    assert check_weights([1, 3], 2).tolist() == [0.5, 1.5]
    assert read_weights([1, 3], 2).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"one weight per row, shape \(2,\); got shape \(1,\)"),
        ([1.0, -1.0], "zero or more; 1 are negative, the least -1"),
        ([np.nan, np.inf], "2 of 2 are missing, NaN or infinite, first in row 0"),
        ([0.0, 0.0], "above zero in some row; all are zero"),
    ],
)
def test_weights_are_checked(weights, message):
    with pytest.raises(InputError, match=message):
        check_weights(weights, 2)


def test_weights_are_numbers():
    with pytest.raises(InputTypeError, match="sample_weight must be numbers"):
        check_weights(["a", "b"], 2)


def test_weights_whose_fourth_powers_are_no_numbers_are_refused():
    check_weight_range(np.array([0.0, 1e-60, 1e60]))
    with pytest.raises(InputError, match="between 1e-60 and 1e60; got 1e\\+61"):
        check_weight_range(np.array([1.0, 1e61]))


def test_a_share_lies_between_its_ends():
    assert check_share(0, "epsilon") == 0.0
    with pytest.raises(InputError, match=r"epsilon must lie in \[0, 1\], got 1.5"):
        check_share(1.5, "epsilon")
    with pytest.raises(InputError, match=r"level must lie in \(0, 1\), got 1"):
        check_share(1, "level", open_low=True, open_high=True)


def test_what_is_more_than_the_memory_is_refused():
    most = memory()
    assert 1e8 < most < np.inf
    check_memory(most, "It", "Do less.")
    with pytest.raises(InputError, match=r"It takes [\d,]+ GB of memory; there are \d+ GB. Do less."):
        check_memory(2 * most + 1e9, "It", "Do less.")
