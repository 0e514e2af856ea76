"""What a constraint can be made of: checks of its numbers and names."""

import math
from datetime import date, timedelta
from numbers import Real
from typing import cast

import numpy as np

from tauscope.arguments import check_size
from tauscope.errors import InputError, InputTypeError


def check_feature(kind: str, feature: object) -> None:
    """Ask for the name of a feature, or the whole number of one, which the study that is asked names."""
    if not isinstance(feature, str | int | np.integer) or isinstance(feature, bool):
        raise InputTypeError(f"{kind} takes the name of a feature; got {feature!r}. Try ts.{kind}('age', …).")


def check_one_of(kind: str, **arguments: object) -> None:
    """Ask for exactly one of some arguments."""
    present = [name for name, value in arguments.items() if value is not None]
    if len(present) != 1:
        received = " and ".join(present) if present else "none"
        *first, last = arguments
        raise InputError(
            f"{kind} needs exactly one of {', '.join(first)}{' and ' if first else ''}{last}; got {received}."
        )


def check_real(
    name: str, value: object, low: float = -math.inf, high: float = math.inf, *, above_low: bool = False
) -> None:
    """Ask for a finite number within bounds, where one was given.

    Parameters
    ----------
    name : str
        Of the argument, for messages.
    value : object
        None passes.
    low, high : float
        Bounds, included.
    above_low : bool
        Whether `low` itself is excluded.
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} must be a number; got {value!r}.")
    check_size(name, cast(float, value))
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{name} must be finite; got {number}.")
    if not low <= number <= high or (above_low and number == low):
        bounds = f"above {low:g}" if above_low else f"in [{low:g}, {high:g}]"
        raise InputError(f"{name} must be {bounds}; got {number:g}.")


def check_date(name: str, value: object) -> None:
    """Ask for a date, where one was given that is no number."""
    if isinstance(value, date | np.datetime64):
        if value != value:  # as no missing time equals itself
            raise InputError(f"{name} must be a date; got a missing one.")
        return
    check_real(name, value)


def check_duration(name: str, value: object) -> None:
    """Ask for a length of time, where one was given that is no number."""
    if isinstance(value, timedelta | np.timedelta64):
        if value != value:
            raise InputError(f"{name} must be a length of time; got a missing one.")
        return
    check_real(name, value)
