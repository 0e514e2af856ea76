"""Which training rows count as decided like a row: the same class, or a value close enough to the row's own."""

from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class SameDecision:
    """Intervals of y, ends included, in which a decision counts as that of the row.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_rows,)
        In y's unit; for classes both are the row's class code.
    """

    lower: Floats
    upper: Floats

    @classmethod
    def of_class(cls, codes: Floats) -> "SameDecision":
        """Rows of the same class.

        Parameters
        ----------
        codes : ndarray of shape (n_rows,)
            Class of each explained row, as coded in `ProjectedForest.y`.
        """
        return cls(codes.astype(np.float64), codes.astype(np.float64))

    @classmethod
    def within(cls, centre: Floats, t: float | Floats) -> "SameDecision":
        """Rows with (y − centre)² ≤ t [CSE, definition of the SDP for regression].

        Parameters
        ----------
        centre : ndarray of shape (n_rows,)
            The prediction, or the value, of each explained row.
        t : float or ndarray of shape (n_rows,)
            Above 0, in y's unit squared.

        Raises
        ------
        InputError
            Where t is not a number above 0.
        """
        squares = np.broadcast_to(np.asarray(t, dtype=np.float64), np.shape(centre))
        bad = ~(np.isfinite(squares) & (squares > 0))
        if bad.any():
            raise InputError(
                f"t must be a finite number above 0, the largest squared difference that counts as the same decision; "
                f'got {float(squares[bad][0]):g}. Give a value in the target\'s unit squared, or "q95".'
            )
        return cls(centre - np.sqrt(squares), centre + np.sqrt(squares))

    @classmethod
    def between(cls, lower: Floats, upper: Floats) -> "SameDecision":
        """Rows with lower ≤ y ≤ upper, an interval for each explained row.

        Raises
        ------
        InputError
            Where an end is missing or the interval is empty.
        """
        bad = ~(lower <= upper)
        if bad.any():
            first = int(np.argmax(bad))
            raise InputError(
                f"Each interval must have lower <= upper; row {first} has [{lower[first]:g}, {upper[first]:g}]. "
                "Exchange the ends, or widen the interval."
            )
        return cls(lower.astype(np.float64), upper.astype(np.float64))

    @property
    def n_rows(self) -> int:
        """Number of explained rows."""
        return len(self.lower)

    def some(self, index: slice | Ints) -> "SameDecision":
        """Return those of some of the rows."""
        return SameDecision(self.lower[index], self.upper[index])

    def holds(self, y: Floats) -> Bools:
        """Whether each of y is decided as each row: shape (n_rows, len(y))."""
        return (self.lower[:, None] <= y) & (y <= self.upper[:, None])
