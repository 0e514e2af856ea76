"""What every effect result holds, whatever its kind."""

from dataclasses import dataclass
from typing import Literal

from tauscope.effects.curves.grids import Grid
from tauscope.effects.curves.intervals import Interval
from tauscope.weights.arrays import Floats, Ints

RunStatus = Literal["complete", "stopped"]
"""Whether a run came to its end, or a progress hook or an interrupt stopped it before."""


@dataclass(frozen=True)
class Effect:
    """A curve over one feature, or a surface over two, for each of q responses.

    Attributes
    ----------
    columns : tuple of int
        The feature, or the two.
    grids : tuple of Grid
        Their points.
    effect : ndarray of shape (q, G) or (q, G1, G2)
        In the response's unit; NaN at points without rows.
    lower, upper : ndarray, as effect
        Ends of the interval; NaN where it cannot be computed.
    interval : Interval
        What it is: `interval.label` says it in words.
    seed : int or None
        Seed of a bootstrap.
    n : ndarray of shape (G,) or (G1, G2)
        Rows behind each point.
    mass : ndarray, as n
        Weight behind each point: partial or conditional dependence of disjoint sets of rows on one grid are
        averaged by it.
    sample_weight : ndarray of shape (n_rows,)
        Mean 1.
    n_model_rows : int
        Rows the model was called on.
    n_done, n_total : int
        Rows reached, and rows to reach. A run stopped before its end has an even sample of them.
    notes : tuple of str
        What a reader of the curve must know.
    """

    columns: tuple[int, ...]
    grids: tuple[Grid, ...]
    effect: Floats
    lower: Floats
    upper: Floats
    interval: Interval
    seed: int | None
    n: Ints
    mass: Floats
    sample_weight: Floats
    n_model_rows: int
    n_done: int
    n_total: int
    notes: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """Rows of the data."""
        return len(self.sample_weight)

    @property
    def status(self) -> RunStatus:
        """Whether every row was reached."""
        return "complete" if self.complete else "stopped"

    @property
    def complete(self) -> bool:
        """Whether every row was reached."""
        return self.n_done == self.n_total

    @property
    def n_outputs(self) -> int:
        """Number of responses."""
        return len(self.effect)

    @property
    def grid(self) -> Grid:
        """The grid of the (first) feature."""
        return self.grids[0]
