import numpy as np
import pytest

from tauscope.trees import bits
from tauscope.trees.bits import Weights, as_bytes, count, members, pack

random = np.random.default_rng(0)


@pytest.mark.parametrize("n", [1, 7, 64, 65, 200])
@pytest.mark.parametrize("share", [0.02, 0.9])
def test_sets_of_rows(n, share):
    flags = random.random((9, n)) < share
    sets = pack(flags)
    assert sets.shape == (9, -(-n // 64))
    assert count(sets).tolist() == flags.sum(axis=1).tolist()
    weights = random.exponential(size=n)
    assert Weights(weights).total(sets) == pytest.approx(flags @ weights, abs=1e-12)
    found = members(sets)
    assert np.array_equal(found, np.nonzero(flags))


def test_no_sets():
    nothing = np.empty((0, 3), dtype=np.uint64)
    assert count(nothing).shape == Weights(np.ones(192)).total(nothing).shape == (0,)
    assert members(nothing)[0].shape == (0,)


def test_the_other_byte_order_is_handled(monkeypatch):
    flags = random.random((2, 100)) < 0.5
    words = pack(flags)
    monkeypatch.setattr(bits.sys, "byteorder", "big")
    # what a big-endian machine would hold in memory, read by this one
    assert np.array_equal(pack(flags), words.byteswap())
    assert np.array_equal(as_bytes(words.byteswap()), words.view(np.uint8))
