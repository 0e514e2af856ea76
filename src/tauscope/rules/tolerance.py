"""How far a value may lie from a row's own and still be the same decision: a quantile of the squared test error."""

import re

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.forest import ProjectedForest
from tauscope.weights.arrays import Floats


def squared_tolerance(
    forest: ProjectedForest, t: str | float = "q95", *, held_out: tuple[Floats, Floats] | None = None
) -> float:
    """Tell the largest squared difference that counts as the same decision.

    Parameters
    ----------
    forest : ProjectedForest
        Of a regressor.
    t : str or float
        "q95" for the 95 % quantile of the squared errors, any level likewise ("q90", "q99.5"); a number above 0 is
        taken as it is, in the target's unit squared.
    held_out : (rows, y) or None
        Rows the forest was not fitted on, and their targets; None: the training rows, predicted out of bag.

    Returns
    -------
    float
        Above 0.

    Raises
    ------
    InputError
        Where t is neither, the forest predicts classes, has no bootstrap and nothing was held out, or makes no errors.
    """
    if forest.classes is not None:
        raise InputError("t is for numbers; this forest predicts classes, where the same decision is the same class.")
    if not isinstance(t, str):
        if not (np.isfinite(t) and t > 0):
            raise InputError(f't must be a finite number above 0 or a quantile such as "q95", got {t}.')
        return float(t)
    squares = squared_errors(forest, held_out=held_out)
    value = float(np.quantile(squares, _level(t)))
    if value <= 0:
        raise InputError(
            f"The {t} of the squared test error is 0: the forest predicts these rows exactly. Give t as a number above "
            "0, in the target's unit squared."
        )
    return value


def squared_errors(forest: ProjectedForest, *, held_out: tuple[Floats, Floats] | None = None) -> Floats:
    """Squared errors of the forest on rows held out, or on the training rows out of bag."""
    if held_out is not None:
        rows, y = held_out
        return (forest.predict(rows) - np.asarray(y, dtype=np.float64)) ** 2
    index, prediction = forest.out_of_bag()
    return (prediction - forest.y[index]) ** 2


def _level(name: str) -> float:
    digits = re.fullmatch(r"q(\d{1,2}(?:\.\d+)?)", name)
    level = float(digits.group(1)) / 100 if digits else 0.0
    if level <= 0:
        raise InputError(f't must be a number above 0 or a quantile such as "q95", got {name!r}.')
    return level
