"""The distance to the nearest hyperplane, within the ends of the columns."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.moves import Moves
from tauscope.prediction.batches import Over
from tauscope.weights.arrays import Bools, Floats

ROUNDING = 8 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class LinearMargins:
    """A model whose outputs are coefficients · z + intercepts, z = matrix · x + offset.

    Attributes
    ----------
    coefficients : ndarray of shape (q, d)
    intercepts : ndarray of shape (q,)
    matrix : ndarray of shape (d, p)
    """

    coefficients: Floats
    intercepts: Floats
    matrix: Floats

    def outputs(self, seen: Floats) -> Floats:
        """Compute outputs at points as the model sees them (n, d): shape (n, q)."""
        return seen @ self.coefficients.T + self.intercepts

    def lower_bounds(
        self,
        moves: Moves,
        seen: Floats,
        contrasts: list[Contrasts],
        upper: Floats,
        budget: float,
        over: Over = map,
    ) -> tuple[Floats, Bools]:
        """Compute the distance of each point's nearest flip; ∞ where the ends of the columns leave none.

        Exact for a flip to any class, or to the one other; of a chosen class among several the farthest hyperplane
        that has to be crossed. Whole numbers, and levels, are taken as numbers.
        """
        forms = np.stack([one.forms for one in contrasts])
        size = np.abs(seen) @ np.abs(self.coefficients).T + np.abs(self.intercepts)
        margins = np.einsum("nkq,nq->nk", forms, self.outputs(seen)) + np.stack([one.offsets for one in contrasts])
        margins -= ROUNDING * np.einsum("nkq,nq->nk", np.abs(forms), size)
        slopes = forms @ (self.coefficients @ self.matrix) * moves.unit[:, None]
        room = _room(moves)[:, None], _room(moves, downwards=True)[:, None]
        ends = np.where(slopes < 0, *room)
        each = least_length(np.abs(slopes), ends, np.maximum(margins, 0.0), moves.norm)
        every = contrasts[0].every if contrasts else False
        alone = not every or forms.shape[1] == 1
        stepwise = (moves.whole & (moves.unit > 0) & (np.abs(slopes) > 0).any(axis=1)).any(axis=1)
        return each.max(axis=1) if every else each.min(axis=1), alone & ~stepwise & ~moves.relaxed


def least_length(slopes: Floats, ends: Floats, margins: Floats, norm: int) -> Floats:
    """Length of the shortest 0 ≤ u ≤ ends with slopes · u = margin, ∞ if there is none.

    Parameters
    ----------
    slopes : ndarray of shape (..., p)
        Not negative.
    ends : ndarray of shape (..., p)
        Not negative, ∞ for none.
    margins : ndarray of shape (...)
        Not negative.
    norm : {1, 2}

    Returns
    -------
    ndarray of shape (...)

    Notes
    -----
    Norm 1 fills the steepest columns first. Norm 2 has u = min(λ · slopes, ends), and λ lies between two of the values
    at which a column meets its end.
    """
    ends = np.where(slopes > 0, ends, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = np.where(slopes > 0, ends / slopes, np.inf)
        order = np.argsort(-slopes if norm == 1 else meets, axis=-1, kind="stable")
        slopes, ends, meets = (np.take_along_axis(one, order, axis=-1) for one in (slopes, ends, meets))
        filled = _before(slopes * ends)
        left = np.maximum(margins[..., None] - filled, 0.0)
        if norm == 1:
            reaches = (slopes > 0) & (filled + slopes * ends >= margins[..., None])
            length = _before(ends) + left / slopes
        else:
            squares = np.cumsum((slopes * slopes)[..., ::-1], axis=-1)[..., ::-1]
            reaches = (slopes > 0) & (filled + meets * squares >= margins[..., None])
            length = np.sqrt(_before(ends * ends) + left * left / squares)
    first = np.argmax(reaches, axis=-1)[..., None]
    length = np.take_along_axis(np.where(reaches, length, np.inf), first, axis=-1)[..., 0]
    return np.where(margins <= 0, 0.0, length)


def _before(values: Floats) -> Floats:
    """Sum of all values before each."""
    sums = np.cumsum(values, axis=-1)
    return np.concatenate([np.zeros_like(sums[..., :1]), sums[..., :-1]], axis=-1)


def _room(moves: Moves, *, downwards: bool = False) -> Floats:
    """How far each column may go before its end, in its unit."""
    with np.errstate(divide="ignore", invalid="ignore"):
        length = (moves.points - moves.lower if downwards else moves.upper - moves.points) / moves.unit
    return np.where(moves.unit > 0, np.maximum(np.nan_to_num(length, nan=0.0, posinf=np.inf), 0.0), 0.0)
