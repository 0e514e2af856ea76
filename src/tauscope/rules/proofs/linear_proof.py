"""What a linear model can answer in a box of rows: exactly, from the corner where its form is least."""

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.proofs.proof import Block, Proof
from tauscope.weights.arrays import Floats

ROUNDING = 1e-12
"""Of all that is added up."""


def prove_linear_class(
    coefficients: Floats,
    intercepts: Floats,
    label: int,
    lower: Floats,
    upper: Floats,
    *,
    blocks: tuple[Block, ...] = (),
) -> Proof:
    """Prove that a linear classifier answers with one class in a box, or find a row at which it does not.

    Parameters
    ----------
    coefficients : ndarray of shape (q, p)
        Of one output, the second class above 0, or of one output a class, the largest decides.
    intercepts : ndarray of shape (q,)
    label : int
        Position of the class.
    lower, upper : ndarray of shape (p,)
        Ends of the box, included; ±∞ where a side is open.
    blocks : tuple of Block
        Columns that take some tuples of values only.

    Returns
    -------
    Proof
        "open" only where the least margin is within rounding of 0.
    """
    if len(coefficients) == 1:
        sign = 1.0 if label == 1 else -1.0
        margins = [(sign * coefficients[0], sign * float(intercepts[0]))]
    else:
        others = [other for other in range(len(coefficients)) if other != label]
        margins = [
            (coefficients[label] - coefficients[other], float(intercepts[label] - intercepts[other]))
            for other in others
        ]
    return _least_of([_least(*margin, lower, upper, blocks) for margin in margins])


def prove_linear_interval(
    coefficients: Floats,
    intercept: float,
    low: float,
    high: float,
    lower: Floats,
    upper: Floats,
    *,
    blocks: tuple[Block, ...] = (),
) -> Proof:
    """Prove that a linear regression stays between low and high in a box, or find a row at which it does not.

    Parameters
    ----------
    coefficients : ndarray of shape (p,)
    intercept, low, high : float
    lower, upper : ndarray of shape (p,)
    blocks : tuple of Block
        As in `prove_linear_class`.

    Returns
    -------
    Proof
    """
    if not low < high:
        raise InputError(f"low must be less than high; got {low!r} and {high!r}.")
    sides = [(coefficients, intercept - low), (-coefficients, high - intercept)]
    return _least_of([_least(*side, lower, upper, blocks) for side in sides])


def _least(slopes: Floats, offset: float, lower: Floats, upper: Floats, blocks: tuple[Block, ...]) -> Proof:
    moved = slopes != 0
    corner = np.where(slopes > 0, lower, upper)
    for block in blocks:
        corner[block.columns] = block.values[(block.values @ slopes[block.columns]).argmin()]
    middle = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper, 0.0))
    corner = np.where(moved, corner, middle)
    terms = slopes[moved] * corner[moved]
    value = offset + float(terms.sum())
    if np.isinf(value):
        return Proof("refuted", value, value, _far_row(slopes, offset, corner, middle), 0)
    slack = ROUNDING * (abs(offset) + float(np.abs(terms).sum()))
    status = "proved" if value > slack else "refuted" if value < -slack else "open"
    return Proof(status, value, value, corner, 0)


def _far_row(slopes: Floats, offset: float, corner: Floats, middle: Floats) -> Floats:
    """Go along the open sides until the form is below 0."""
    row = np.where(np.isfinite(corner), corner, middle)
    open_ = np.flatnonzero(~np.isfinite(corner))[0]
    above = offset + float(slopes @ row)
    row[open_] -= (max(above, 0.0) + 1.0) / slopes[open_]
    return row


def _least_of(proofs: list[Proof]) -> Proof:
    return min(proofs, key=lambda one: one.low)
