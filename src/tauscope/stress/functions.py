"""The user's functions, as metrics and moments are: results name them, and the study that was given them keeps them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputTypeError


@dataclass(frozen=True)
class NamedFunction:
    """A function of the user's, by the name under which its study keeps it; data, where the function is none.

    Attributes
    ----------
    key : str
        Tells functions of one name apart.
    name : str
        The function's own, "<lambda>" among them.
    """

    key: str
    name: str

    @property
    def __name__(self) -> str:
        return self.name


def ask_function(function: Callable[[Any], Any], rows: Any, quantity: str) -> NDArray[np.float64]:
    """Return what a function gives for rows, as floats; it may write into the copy it gets.

    Raises
    ------
    InputTypeError
        For an answer that is no real numbers; `quantity` names it.
    """
    # frames and arrays that can be written into have copy; those of Arrow and polars cannot be
    result: Any = function(rows.copy() if hasattr(rows, "copy") else rows)
    return read_numbers(result, quantity)


def read_numbers(result: Any, quantity: str) -> NDArray[np.float64]:
    """Return numbers as floats, refusing what is none, or complex."""
    try:
        if np.iscomplexobj(np.asarray(result)):
            raise TypeError
        return np.asarray(result, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputTypeError(f"The {quantity} must be numbers, one per row; got {result!r:.80}.") from None
