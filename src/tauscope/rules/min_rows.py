"""The fewest training rows of a projected cell."""

from math import floor, log, sqrt
from typing import Literal

from tauscope.errors import InputError

MIN_ROWS = 5
"""Rows of a cell, where none are asked for: the least leaf of the authors' package."""
MinRows = int | Literal["paper"] | None


def paper_min_rows(n_rows: int) -> int:
    """Return the fewest rows of a cell in the experiments of [CSE §5]: t_n = ⌊√n · (ln n)^1.5 / 250⌋, at least 1.

    It grows as √n (ln n)^β with β > 1, which the consistency of projected forests asks of their cells [CSE, assumption
    3]: more and more rows, and a vanishing share of all.

    Parameters
    ----------
    n_rows : int
        Training rows.
    """
    return max(1, floor(sqrt(n_rows) * log(n_rows) ** 1.5 / 250))


def settle_min_rows(min_rows: MinRows, n_rows: int, n_grown: int) -> int:
    """Return the number that `min_rows` stands for, None for the usual one or all rows of a tree.

    Raises
    ------
    InputError
        For a text other than "paper".
    """
    if min_rows is None:
        return min(MIN_ROWS, n_grown)
    if isinstance(min_rows, str):
        if min_rows != "paper":
            raise InputError(f'min_rows must be a number of rows or "paper", got {min_rows!r}. Give one of these.')
        return paper_min_rows(n_rows)
    return min_rows
