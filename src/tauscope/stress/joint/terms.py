"""A stress in numbers: the columns of Φ, their targets, and what each stands for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.measures import divergence_ratio

Array = NDArray[np.float64]
MomentKind = Literal["mean", "share", "variance", "covariance", "moment", "rows"]
Reading = Literal["", "year", "days", "0/1"]
"""What a column's numbers are: decimal years of dates, days, zeros and ones whose mean is a share, or as they are."""
Aim = Literal["given", "moved", "kept"]


class Described(Protocol):
    """A feature, as far as its numbers are read."""

    @property
    def unit(self) -> str:
        """What its numbers are: "year" of dates, "days" of durations, else ""."""
        ...

    @property
    def reading(self) -> Reading:
        """How their mean is to be read."""
        ...

    @property
    def ends(self) -> tuple[float, float]:
        """Least and greatest."""
        ...


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
    aim : {"given", "moved", "kept"}
        Where the required value comes from. "given": in units, the same whatever the rows. Else it is estimated from
        the rows: "moved", by τ or a factor; "kept", their present value.
    reading : {"", "year", "days", "0/1"}
        Of the mean of a column, how it is to be read.
    """

    kind: MomentKind
    subject: str
    required: float
    present: float
    observed: float = 1.0
    held: bool = False
    aim: Aim = "given"
    reading: Reading = ""

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


def subjects_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """Return the features that terms are of, each once."""
    return tuple(dict.fromkeys(name for term in terms for name in term.subject.split(" and ")))


def moved_share(terms: Iterable[Term]) -> float:
    """Return the share of the weight that has a value of what is moved, the largest of several columns."""
    moved = (term.observed for term in terms if not term.held and term.aim != "kept" and term.kind != "rows")
    return max(moved, default=1.0)


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
    target_covariance : ndarray of shape (k, k)
        Of the targets, as other rows of the same population would put them; 0 for those given in units.
    n_beyond : float
        Rows at or beyond the target in the direction of the move, the fewest of several; ∞ where nothing moves.
        Effective ones, (Σv)²/Σv², where rows are weighted.
    in_doubt : bool
        Whether other rows might put an end of τ elsewhere.
    penalty : ndarray of shape (k,) or None
        What is added to the variances of Φ under the weights where means are met at a price; None: they are met.
    """

    terms: tuple[Term, ...]
    phi: Array
    target: Array
    notes: tuple[str, ...]
    target_covariance: Array
    n_beyond: float
    in_doubt: bool
    penalty: Array | None = None

    @classmethod
    def none(cls, n_rows: int) -> "Moments":
        """Return those of no stress: nothing is asked of the weights."""
        return cls((), np.zeros((n_rows, 1), order="F"), np.zeros(1), (), np.zeros((1, 1)), float("inf"), False)

    @property
    def unstressed(self) -> bool:
        """Whether every quantity keeps its present value."""
        return all(term.aim == "kept" for term in self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities in words."""
        return tuple(term.name for term in self.terms)

    def divergence_ratio(self, kl: float, tv: float) -> Array:
        """Return that of the rows with a value, as `tauscope.weights.measures.divergence_ratio`."""
        return divergence_ratio(kl, tv, moved_share(self.terms))

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
