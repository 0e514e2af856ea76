"""Random states that a result can store and a caller can hand back."""

import secrets
from numbers import Integral

import numpy as np

from tauscope.errors import InputTypeError

RandomState = int | np.random.RandomState | np.random.Generator | None


def seed_of(random_state: RandomState) -> int:
    """Return a seed that reproduces a run: the one given, one drawn from the generator given, or a fresh one."""
    if random_state is None:
        return secrets.randbits(32)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**32, dtype=np.uint64))
    if isinstance(random_state, bool) or not isinstance(random_state, Integral) or not 0 <= random_state < 2**32:
        raise InputTypeError(
            f"random_state must be an int of at least 0, below 2**32, a generator or None; got "
            f"{type(random_state).__name__} {random_state!r:.40}."
        )
    return int(random_state)
