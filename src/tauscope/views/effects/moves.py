"""How far an effect moves under a stress, and how far it could: numbers for a page that has not the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.effects import AccumulatedEffect, AccumulatedSurface
from tauscope.views.effects.bands import sides
from tauscope.views.wire import VALUES, Layout

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import EffectKind

Floats = NDArray[np.float64]
SIDES = ("certified_lower", "certified_upper", "paper_lower", "paper_upper")
OF_MOVE = (*VALUES, *SIDES, *(f"epsilon_{side}" for side in SIDES))


class MoveMessage(TypedDict):
    """How far one effect moved at most, and how far a reweighting of this distance could have moved it.

    `layout` says where the curve moved and its bounds stand in the answer's floats, those at the distance moved and
    those at `epsilon`.
    """

    kind: EffectKind
    change: float
    possible: float
    layout: Layout


def compute_move(
    effect: FeatureEffect, output: int, epsilon: float, weights: Floats | None
) -> tuple[Floats, MoveMessage]:
    """Compute what a stress makes of one effect.

    Parameters
    ----------
    effect : FeatureEffect
    output : int
        Which of its responses.
    epsilon : float
        Total variation of the second set of bounds; the first is at the distance moved, in [0, 1].
    weights : ndarray of shape (n_rows,) or None
        Of the stress, mean 1; None where nothing is moved.

    Returns
    -------
    numbers : ndarray of shape (11, G)
        `OF_MOVE`; NaN where there are none.
    move : MoveMessage
    """
    from tauscope.effects import curve_shift

    computed = effect._computed
    n_points = computed.effect[output].size
    numbers = np.full((len(OF_MOVE), n_points), np.nan)
    move: MoveMessage = {"kind": effect.kind, "change": 0.0, "possible": 0.0, "layout": []}
    if isinstance(computed, AccumulatedSurface):
        after = computed if weights is None else computed.reweighted(weights)
        numbers[:3] = [_of(a, output) for a in (after.effect, after.lower, after.upper)]
        move["change"] = float(np.nanmax(np.abs(after.effect - computed.effect)[output]))
        return numbers, move
    numbers[7:] = sides(effect.bounds(epsilon).bounds, output)
    if weights is None:
        numbers[:3] = [_of(a, output) for a in (computed.effect, computed.lower, computed.upper)]
        return numbers, move
    observed = curve_shift(computed, weights)
    after, certified = observed.after, observed.bounds.certified
    # an accumulated effect's band stands on its first point: with the moved curve, it moves to that curve's
    accumulated = isinstance(computed, AccumulatedEffect)
    shift = float(after.effect[output][0] - computed.effect[output][0]) if accumulated else 0.0
    numbers[:3] = [_of(a, output) for a in (after.effect, after.lower, after.upper)]
    numbers[3:7] = sides(observed.bounds, output) + shift
    possible = np.maximum(certified.upper - computed.effect, computed.effect - certified.lower)[output]
    move["change"] = float(np.nanmax(np.abs(observed.change[output])))
    move["possible"] = float(np.nanmax(possible))
    return numbers, move


def _of(values: Floats, output: int) -> Floats:
    return values[output].ravel()
