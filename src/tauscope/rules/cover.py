"""Few rules that cover many rows: greedy set cover, and the list of decisions it makes."""

from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Cover:
    """Rules chosen one after the other.

    Attributes
    ----------
    chosen : ndarray of int, shape (m,)
        Places among the rules offered, in the order chosen.
    covered : ndarray of shape (m,)
        Share of the rows' weight that the rules up to and with each cover.
    """

    chosen: Ints
    covered: Floats


def cover_rows(inside: Bools, weight: Floats, *, share: float = 0.9, max_rules: int | None = None) -> Cover:
    """Choose rules until they cover a share of the rows, each time the one that covers most of what is left.

    Parameters
    ----------
    inside : ndarray of bool, shape (r, n)
        Whether rule i holds for row j.
    weight : ndarray of shape (n,)
        Not negative.
    share : float, default 0.9
        Of the weight, in (0, 1].
    max_rules : int, optional

    Returns
    -------
    Cover
        With k rules at least 1 - (1 - 1/k)^k of what the best k rules cover (Nemhauser, Wolsey, Fisher 1978). Ends
        before `share` where no rule covers a row more.

    Raises
    ------
    InputError
        For a share outside (0, 1], or max_rules below 1.
    """
    if not 0 < share <= 1:
        raise InputError(f"share must lie in (0, 1]; got {share!r}.")
    if max_rules is not None and max_rules < 1:
        raise InputError(f"max_rules must be at least 1; got {max_rules!r}.")
    total, left = float(weight.sum()), weight.astype(np.float64).copy()
    gain = inside @ left
    chosen: list[int] = []
    covered: list[float] = []
    enough = total * (1 - share) + 1e-9 * total
    while len(chosen) < (len(inside) if max_rules is None else max_rules) and (not chosen or left.sum() > enough):
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        newly = inside[best] & (left > 0)
        gain -= inside[:, newly] @ left[newly]
        gain[best] = 0.0
        left[newly] = 0.0
        chosen.append(best)
        covered.append(1 - float(left.sum()) / total)
    return Cover(np.array(chosen, dtype=np.int64), np.array(covered))


def decide(inside: Bools, values: Floats, default: float) -> Floats:
    """Let the first rule that holds for a row decide, in order; `default` where none does.

    Parameters
    ----------
    inside : ndarray of bool, shape (m, n)
    values : ndarray of shape (m,)
        What each rule answers.
    default : float
    """
    decided = np.full(inside.shape[1], default)
    for holds, value in zip(inside[::-1], values[::-1], strict=True):
        decided[holds] = value
    return decided
