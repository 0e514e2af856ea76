"""A stress in numbers: the columns of Φ, their targets, and what each stands for."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MomentKind = Literal["mean", "share", "variance", "covariance", "moment", "rows"]


@dataclass(frozen=True)
class Term:
    """What one column of Φ stands for.

    Attributes
    ----------
    kind : {"mean", "share", "variance", "covariance", "moment", "rows"}
        "rows" is the share of the rows that have a value at all.
    subject : str
        What it is the mean, share, … of: "age", "sex = Female", "age and hours", or a moment's own name.
    required : float
        What the quantity, over the rows with a value, shall be.
    present : float
        What it is without stress.
    observed : float
        Share of the weight of the rows with a value.
    held : bool
        True where no constraint names it but another one rests on it.
    """

    kind: MomentKind
    subject: str
    required: float
    present: float
    observed: float = 1.0
    held: bool = False

    @property
    def quantity(self) -> str:
        """The quantity in words, such as "mean of age"."""
        if self.kind == "moment":
            return self.subject
        return f"share of rows with {self.subject}" if self.kind == "rows" else f"{self.kind} of {self.subject}"

    @property
    def name(self) -> str:
        """The quantity in words; a held one says so."""
        return f"{self.quantity} (held)" if self.held else self.quantity


@dataclass(frozen=True)
class Moments:
    """A stress in numbers.

    Attributes
    ----------
    terms : tuple of Term
        Those of the constraints, in their order, then the held ones.
    phi : ndarray of shape (n_rows, k)
        Fortran order. A row without a value has the required one, so that it does not move the mean.
    target : ndarray of shape (k,)
    notes : tuple of str
        Where τ does not stand for the plain quantile.
    """

    terms: tuple[Term, ...]
    phi: Array
    target: Array
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities in words."""
        return tuple(term.name for term in self.terms)

    def to_quantities(self, achieved: Array) -> Array:
        """Turn means of Φ over all rows into the quantities over the rows with a value.

        Parameters
        ----------
        achieved : ndarray of shape (k,)

        Returns
        -------
        ndarray of shape (k,)
        """
        observed = np.array([term.observed for term in self.terms])
        return self.target + (achieved - self.target) / observed
