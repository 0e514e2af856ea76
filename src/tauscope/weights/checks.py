"""What row weights, and shares of them, must be; a message has the rule, the value received and the next step."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError
from tauscope.weights.arrays import Floats

TINY = 1e-12
"""A share above 0 that counts as none, since ½ less half of it has hardly another quantile than ½."""


def check_weights(sample_weight: object, n_rows: int) -> Floats:
    """Check row weights and scale them to mean 1.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,) or None
        Non-negative; None means equal weights.
    n_rows : int

    Returns
    -------
    ndarray of shape (n_rows,)
        Non-negative, mean 1.

    Raises
    ------
    InputError, InputTypeError
        As in `read_weights`.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    weights = read_weights(sample_weight, n_rows)
    return weights * (n_rows / float(weights.sum()))


def read_weights(sample_weight: object, n_rows: int) -> Floats:
    """Check row weights and return them as they are.

    Raises
    ------
    InputError, InputTypeError
        Where their number is not that of the rows, or a weight is no number, missing, infinite or negative, or all
        are zero.
    """
    weights = np.asarray(sample_weight)
    if weights.shape != (n_rows,):
        raise InputError(f"sample_weight must have one weight per row, shape ({n_rows},); got shape {weights.shape}.")
    check_weight_values(weights)
    check_some_weight(bool((weights > 0).any()))
    return weights.astype(np.float64)


def check_weight_values(sample_weight: NDArray[Any]) -> None:
    """Ask for finite weights of at least zero."""
    if sample_weight.dtype.kind not in "biuf":
        raise InputTypeError(f"sample_weight must be numbers; got dtype {sample_weight.dtype}.")
    check_finite("sample_weight", sample_weight, "Use zero for a row that should not count.")
    if (sample_weight < 0).any():
        raise InputError(
            f"sample_weight must be zero or more; {int((sample_weight < 0).sum())} are negative, "
            f"the least {float(sample_weight.min()):g}. Use zero for a row that should not count."
        )


def check_weight_range(sample_weight: NDArray[Any]) -> None:
    """Ask for weights whose fourth powers are numbers: those of rows in chunks are summed unscaled."""
    odd = (sample_weight != 0) & ((sample_weight < 1e-60) | (sample_weight > 1e60))
    if odd.any():
        raise InputError(
            f"sample_weight of rows in chunks must be zero or between 1e-60 and 1e60; got {sample_weight[odd][0]:g}. "
            "Divide all weights by a number."
        )


def check_weight_ratio(sample_weight: NDArray[np.float64]) -> None:
    """Ask for weights whose ratios have fourth powers that are numbers: those are part of every interval."""
    positive = sample_weight[sample_weight > 0]
    if float(positive.min()) / float(positive.max()) < 1e-60:
        raise InputError(
            f"sample_weight must be zero, or within 60 orders of magnitude of the largest; got {positive.min():g} "
            f"beside {positive.max():g}. Use zero for a row that should not count."
        )


def check_some_weight(some: bool) -> None:
    """Ask for a weight above zero in some row."""
    if not some:
        raise InputError("sample_weight must be above zero in some row; all are zero. Leave it out to count all alike.")


def check_finite(what: str, values: NDArray[Any], next_step: str) -> None:
    """Refuse missing and infinite numbers, with how many there are and where the first is."""
    bad = ~np.isfinite(values)
    if bad.any():
        raise InputError(
            f"{what} must have a finite value in every row; {int(bad.sum())} of {len(values)} are missing, NaN or "
            f"infinite, first in row {int(np.argwhere(bad)[0][0])}. {next_step}"
        )


def check_share(value: float, name: str, *, open_low: bool = False, open_high: bool = False) -> float:
    """Check that a number lies in [0, 1], without an end where that end is open; return it as a float."""
    number = float(value)
    low = number > TINY if open_low else number >= 0
    high = number < 1 - TINY if open_high else number <= 1
    if not (low and high):
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        least = TINY if open_low and 0 < number <= TINY else 0
        raise InputError(
            f"{name} must lie in {left}{least:g}, 1{right}, got {value}: give a share, such as 0.05 for 5 %"
        )
    return number


def check_memory(n_bytes: float, what: str, instead: str) -> None:
    """Refuse what takes more memory than there is, before it is taken: a machine that swaps answers nobody.

    Parameters
    ----------
    n_bytes : float
        Estimate.
    what : str
        What takes it, the subject of the message.
    instead : str
        What to do.
    """
    most = memory()
    if n_bytes > most:
        raise InputError(f"{what} takes {n_bytes / 1e9:,.0f} GB of memory; there are {most / 1e9:,.0f} GB. {instead}")


def memory() -> float:
    """Return the bytes that this process may take: the machine's, its container's or its own limit; ∞ if unknown."""
    limits = [np.inf]
    try:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (AttributeError, OSError, ValueError):  # another system, or "max"
        pass
    try:
        import resource
    except ImportError:
        return float(min(limits))
    own, _ = resource.getrlimit(resource.RLIMIT_AS)
    return float(min(limits if own == resource.RLIM_INFINITY else [*limits, own]))
