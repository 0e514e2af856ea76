import numpy as np
import pytest

from tauscope.errors import InputTypeError
from tauscope.weights.seeds import seed_of


def test_every_random_state_gives_a_seed_to_keep():
    assert seed_of(7) == 7
    assert seed_of(np.int64(7)) == 7
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    assert seed_of(np.random.RandomState(1)) == seed_of(np.random.RandomState(1))
    assert seed_of(None) != seed_of(None)
    for bad in ("seed", -1, True, 1.5):
        with pytest.raises(InputTypeError, match="random_state must be an int of at least 0"):
            seed_of(bad)
    with pytest.raises(InputTypeError, match="got str"):
        seed_of("a")


def test_a_generators_seed_stays_the_one_it_was():
    assert seed_of(np.random.default_rng(1)) == int(np.random.default_rng(1).integers(2**32))
    assert seed_of(np.random.RandomState(1)) == int(np.random.RandomState(1).randint(2**32, dtype=np.uint64))
