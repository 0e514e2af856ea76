"""How fast a model's answer can change along a feature: found in the data, in gradients, in weights, or given."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats


@dataclass(frozen=True)
class Lipschitz:
    """A constant L for Theorem 4.4, and what it rests on.

    Attributes
    ----------
    value : ndarray of shape (q,)
        Change of the answer per unit of the feature.
    source : str
    certified : bool
        Whether the answer can nowhere change faster. A maximum over rows cannot say so.
    """

    value: Floats
    source: str
    certified: bool


def lipschitz_from_differences(effect: AccumulatedEffect) -> Lipschitz:
    """Take the largest change per unit across a bin, over the rows of an accumulated effect."""
    widths = _bin_widths(effect)[effect.local.group]
    steepest = np.abs(effect.local.values / widths).max(axis=1)
    return Lipschitz(steepest, "largest change per unit across a bin, over the rows", certified=False)


def lipschitz_from_gradient(gradient: Floats, column: int | None = None) -> Lipschitz:
    """Take the largest slope over rows.

    Parameters
    ----------
    gradient : ndarray of shape (n_rows,), or (n_rows, n_columns) or (q, n_rows, n_columns)
        Derivatives at the rows, along the feature alone or along every column.
    column : int or None
        With every column: the feature's, or None for the length of the gradient, which is never smaller.
    """
    slopes = np.abs(np.asarray(gradient, dtype=np.float64))
    if slopes.ndim == 1:
        return Lipschitz(np.array([slopes.max()]), "largest slope along the feature, over the rows", certified=False)
    if slopes.ndim not in (2, 3):
        raise InputError(f"gradient must have 1 to 3 dimensions, got {slopes.ndim}")
    each = slopes[None] if slopes.ndim == 2 else slopes
    if column is None:
        longest = np.sqrt((each**2).sum(axis=2)).max(axis=1)
        return Lipschitz(longest, "largest length of the gradient, over the rows", certified=False)
    if not 0 <= column < each.shape[2]:
        raise InputError(f"column must be one of 0 … {each.shape[2] - 1}, got {column}")
    return Lipschitz(each[:, :, column].max(axis=1), "largest slope along the feature, over the rows", certified=False)


def lipschitz_from_weights(layers: Sequence[Floats], *, output: float = 1.0, n_outputs: int = 1) -> Lipschitz:
    """Multiply the spectral norms of a network's layers, whose activations must not stretch distances.

    Parameters
    ----------
    layers : sequence of ndarray
        Weight matrices, in order.
    output : float, default=1.0
        Constant of what follows them: 1/4 for a logistic, 1/2 for a softmax, 1 for none.
    n_outputs : int, default=1
        Responses the constant holds for.
    """
    if not layers:
        raise InputError("layers must hold at least one weight matrix, got none")
    product = float(np.prod([np.linalg.norm(layer, 2) for layer in layers]))
    return Lipschitz(np.full(n_outputs, output * product), "product of the layers' spectral norms", certified=True)


def lipschitz_from_value(value: float, n_outputs: int = 1) -> Lipschitz:
    """Take the caller's own constant, which must be positive and finite."""
    if not 0 < float(value) < np.inf:
        raise InputError(f"a Lipschitz constant must be positive and finite, got {value}")
    return Lipschitz(np.full(n_outputs, float(value)), "given", certified=True)


def accumulated_bound(effect: AccumulatedEffect, constant: Lipschitz, distance: float) -> Floats:
    """Compute 2 L (x_s − x_min) d_TV [Theorem 4.4]: half-width around `effect.accumulated`, shape (q, G).

    Parameters
    ----------
    effect : AccumulatedEffect
        Of a numeric feature.
    constant : Lipschitz
        For as many responses as the effect has, or one for all.
    distance : float
        The largest total variation between the conditional distributions of the other features, over bins.
    """
    _bin_widths(effect)
    points = effect.grid.values
    value = np.broadcast_to(constant.value, (effect.n_outputs,))
    return 2 * value[:, None] * (points - points[0]) * distance


def _bin_widths(effect: AccumulatedEffect) -> Floats:
    if effect.grid.kind == "categorical":
        raise InputError("a Lipschitz constant needs a numeric feature, got levels: use the oscillation bound")
    return np.diff(effect.grid.values)
