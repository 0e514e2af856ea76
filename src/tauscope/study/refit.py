"""A learner to be fitted anew, seeded by the number of the refit: the same whichever worker fits it."""

# scikit-learn ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np


def unit_seed(seed: int, number: int) -> int:
    """Return the seed of one unit among many that share a seed, in [0, 2**31)."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0]) >> 1


def seeded(learner: Any, seed: int) -> Any:
    """Give ints to those of a learner's parameters `random_state`, nested ones too, that are not set to one.

    Parameters
    ----------
    learner : scikit-learn estimator or Pipeline
        Its parameters are changed.
    seed : int
        In [0, 2**31).
    """
    own = {
        name: unit_seed(seed, number)
        for number, (name, value) in enumerate(sorted(learner.get_params(deep=True).items(), key=lambda item: item[0]))
        if name.split("__")[-1] == "random_state" and not isinstance(value, Integral)
    }
    return learner.set_params(**own) if own else learner
