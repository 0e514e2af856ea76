import numpy as np

from tauscope.weights.arrays import BufferPool


def test_a_name_has_one_place():
    room = BufferPool()
    first = room.empty("sums", (3, 4))
    first[:] = 1.0
    again = room.empty("sums", (2, 2))
    assert again.shape == (2, 2)
    assert np.shares_memory(first, again)
    assert not np.shares_memory(first, room.empty("weights", (3, 4)))
    assert room.empty("sums", (10, 10)).shape == (10, 10)
