"""Random states that a result can store and a caller can hand back."""

import operator

import numpy as np

from tauscope.errors import InputTypeError

RandomState = int | np.random.Generator | None


def seed_of(random_state: RandomState) -> int:
    """Give the seed a run uses: the integer itself, one drawn from the generator, or a fresh one for None."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    try:
        return operator.index(random_state)
    except TypeError as error:
        raise InputTypeError(
            f"random_state must be an int, a numpy Generator or None, got {type(random_state).__name__}"
        ) from error
