import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.weights.rows import check_weights, effective_size, kullback_leibler, total_variation


def test_weights_have_mean_one():
    assert check_weights(None, 3).tolist() == [1, 1, 1]
    assert check_weights([1, 3], 2).tolist() == [0.5, 1.5]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "one weight per row"),
        ([1.0, -1.0], "1 of 2"),
        ([np.nan, np.inf], "2 of 2"),
        ([0.0, 0.0], "all zero"),
    ],
)
def test_weights_are_checked(weights, message):
    with pytest.raises(InputError, match=message):
        check_weights(weights, 2)


def test_distances_by_hand():
    base, moved = np.ones(4), np.array([2.0, 2.0, 0.0, 0.0])
    assert total_variation(moved, base) == 0.5
    assert kullback_leibler(moved, base) == pytest.approx(np.log(2))
    assert kullback_leibler(base, moved) == np.inf
    assert kullback_leibler(base, base) == 0
    assert effective_size(moved) == 2
    assert effective_size(np.zeros(2)) == 0
