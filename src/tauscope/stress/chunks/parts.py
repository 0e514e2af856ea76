"""Rows in parts: what a part must tell, and how parts are added."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.indices import Quantities
from tauscope.stress.joint.constraints import Moment

Array = NDArray[np.float64]
T = TypeVar("T")


class Part(Protocol):
    """Some of the rows.

    Attributes
    ----------
    n_rows : int
    """

    n_rows: int

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model, NaN where there is none."""
        ...

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        ...

    @property
    def quantities(self) -> Quantities:
        """What indices are made of."""
        ...

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        ...


class Total(Protocol):
    """Applies a function to every part and adds what it returns."""

    def __call__(self, function: Callable[..., T], *given: Any, plus: Callable[[T, T], T]) -> T:
        """Return the sum of function(part, *given) over the parts."""
        ...
