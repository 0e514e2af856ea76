"""Bounds of an effect at every step of the slider, for a page that has neither the rows nor a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.effects import AccumulatedEffect, CurveBounds, PartialDependence

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect

Floats = NDArray[np.float64]
BUDGET = 256_000  # bytes
MOST_ANSWERS = 10_000_000  # of individual curves: their extremes are sought at each step
MOST_DIFFERENCES = 200_000  # across the bins of an accumulated effect: sorted at each step


def fits(effect: FeatureEffect, epsilons: Sequence[float]) -> bool:
    """Whether the bounds at every step are few enough to go along and quickly found.

    Those of two features are not drawn. Windows of conditional dependence are sorted anew at each step, and where
    they do not fit into a page they are too many for that.
    """
    computed = effect._computed
    if len(effect._axes) > 1 or 4 * 4 * len(epsilons) * computed.effect.size > BUDGET:
        return False
    if isinstance(computed, PartialDependence):
        return computed.ice is not None and computed.ice.size <= MOST_ANSWERS
    return isinstance(computed, AccumulatedEffect) and computed.local.values.size <= MOST_DIFFERENCES


def bands_at(effect: FeatureEffect, epsilons: Sequence[float]) -> Floats:
    """Bound an effect at several distances.

    Parameters
    ----------
    effect : FeatureEffect
        Of one feature.
    epsilons : sequence of float
        Total variations, in [0, 1].

    Returns
    -------
    ndarray of shape (q, n_epsilons, 4, G)
        For each response and distance [certified_lower, certified_upper, paper_lower, paper_upper][point], NaN where
        the paper has none.
    """
    bounds = [effect.bounds(epsilon).bounds for epsilon in epsilons]
    outputs = range(len(effect._computed.effect))
    return np.stack([np.stack([sides(one, output) for one in bounds]) for output in outputs])


def sides(bounds: CurveBounds, output: int) -> Floats:
    """Stack one response's bounds: [certified_lower, certified_upper, paper_lower, paper_upper][point]."""
    paper, certified = bounds.paper, bounds.certified
    nothing = np.full(certified.lower.shape, np.nan)
    ends = (certified.lower, certified.upper) + ((nothing, nothing) if paper is None else (paper.lower, paper.upper))
    return np.stack([end[output].ravel() for end in ends])
