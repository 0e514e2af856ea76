"""What a set of values leaves open, as the page reads it: steps of a distribution function, or shares of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np

from tauscope.weights.arrays import Ints

if TYPE_CHECKING:
    from tauscope.results.rules.distribution import SetDistribution
    from tauscope.results.rules.rules import Rules

MOST_STEPS = 1000
"""Steps of a distribution function that are sent: what is left between them is less than a pixel."""
MOST_CLASSES = 8
"""Classes that are sent with their share, the most frequent and the row's own."""


class SameMessage(TypedDict):
    """Values of a regression that count as the same: `t` is None where an interval was given.

    `lowest` and `highest` are those of any of the forest's rows.
    """

    decided: float
    low: float
    high: float
    t: float | None
    lowest: float
    highest: float


class DistributionMessage(TypedDict):
    """Shares given the values of one set: of ascending `values`, or of the classes named; each empty for the other.

    `own` is the row's class among those named, −1 where there are none; `n_others` classes share what is left.
    `mean` is None for classes; `ess` is the effective sample size of the rows' weights.
    """

    name: str
    values: list[float]
    classes: list[str]
    shares: list[float]
    own: int
    n_others: int
    mean: float | None
    ess: float


def same_wire(result: Rules) -> SameMessage | None:
    """Say which values count as the same; None for classes."""
    one = result.distributions[0]
    if one.classes:
        return None
    return {
        "decided": one.decided,
        "low": one.low,
        "high": one.high,
        "t": None if np.isnan(one.t) else one.t,
        "lowest": one.lowest,
        "highest": one.highest,
    }


def distribution_wire(one: SetDistribution) -> DistributionMessage:
    """Fill the message.

    Parameters
    ----------
    one : SetDistribution

    Returns
    -------
    DistributionMessage
    """
    return _classes(one) if one.classes else _steps(one)


def _classes(one: SetDistribution) -> DistributionMessage:
    own = int(one.decided)
    order: list[int] = np.argsort(-one.share, kind="stable").tolist()
    named = order[:MOST_CLASSES]
    if own not in named:
        named[-1] = own
    return {
        "name": " + ".join(one.features),
        "values": [],
        "classes": [one.classes[code] for code in named],
        "shares": one.share[named].tolist(),
        "own": named.index(own),
        "n_others": len(one.classes) - len(named),
        "mean": None,
        "ess": one.ess,
    }


def _steps(one: SetDistribution) -> DistributionMessage:
    kept = _kept_steps(one)
    cumulative = one.cumulative[kept]
    return {
        "name": " + ".join(one.features),
        "values": one.values[kept].tolist(),
        "classes": [],
        "shares": np.diff(cumulative, prepend=0.0).tolist(),
        "own": -1,
        "n_others": 0,
        "mean": one.mean,
        "ess": one.ess,
    }


def _kept_steps(one: SetDistribution) -> Ints:
    """Return every step where they are few; of more, those that part the weight evenly, and those beside the span."""
    if len(one.values) <= MOST_STEPS:
        return np.arange(len(one.values))
    levels = float(one.cumulative[-1]) * np.arange(MOST_STEPS - 4) / (MOST_STEPS - 5)
    even = np.searchsorted(one.cumulative, levels)
    below = int(np.searchsorted(one.values, one.low)) - 1
    within = int(np.searchsorted(one.values, one.high, side="right")) - 1
    kept: Ints = np.unique(np.concatenate([even, np.array([below, within, 0, len(one.values) - 1])]))
    return kept[(kept >= 0) & (kept < len(one.values))]
