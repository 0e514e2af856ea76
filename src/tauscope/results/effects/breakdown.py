"""The smallest reweighting that turns an effect's direction between two points, as a number and as a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import AccumulatedEffect, Breakdown, breakdown, quantile_points
from tauscope.effects.bounds.breakdown import BreakdownStatus
from tauscope.errors import InputError
from tauscope.results.base import Result
from tauscope.results.effects.text import breakdown_message, difference
from tauscope.results.formatting import share_below
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect


@dataclass(frozen=True, repr=False, eq=False)
class EffectBreakdown(Result):
    """How much weight must move before the effect at one point no longer exceeds that at another.

    Made by `FeatureEffect.breakdown`.

    Attributes
    ----------
    effect : FeatureEffect
    low, high : str
        The two points in words.
    difference : float
        Effect at `high` minus effect at `low`, as things are.

    Examples
    --------
    >>> effect = study.effect("mean texture", grid=9)
    >>> print(effect.breakdown(15, 24).sentence)
    the direction between 14.7 and 24.5 survives any reweighting of these rows
    """

    effect: FeatureEffect
    _computed: Breakdown
    """The engine's answer."""

    low: str
    high: str
    difference: float

    @property
    def title(self) -> str:
        """Name the effect."""
        return self.effect.title

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the number must know."""
        lower = self._computed.of == "windows"
        return ("a lower bound: the reweighting that does it is not known",) if lower else ()

    @property
    def epsilon(self) -> float:
        """Total variation of all rows' weights, or (accumulated effect) of those inside each bin between the points.

        Infinite where no reweighting turns the direction.
        """
        return self._computed.epsilon

    @property
    def exact(self) -> bool:
        """Whether the reweighting in `weights` attains it; if not, nothing smaller turns the direction."""
        return self._computed.exact

    @property
    def status(self) -> BreakdownStatus:
        """Whether the effects are equal, no reweighting turns the direction, none below epsilon, or one at it does."""
        return self._computed.status

    @property
    def message(self) -> str:
        """The engine's finding in words."""
        return breakdown_message(self._computed)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The reweighting that brings the difference to zero, shape (n_rows,), mean 1; None where none is known."""
        return self._computed.weights

    @property
    def frame(self) -> pd.DataFrame:
        """The rows the direction leans on, and those against it: `row`, `before`, `weight`, `change`.

        First the rows that lose weight in the smallest turning reweighting, most first, then those that gain.
        """
        computed, before = self._computed, self.effect._computed.sample_weight
        rows = np.concatenate([computed.lost, computed.gained[::-1]])
        weight = np.full(len(before), np.nan) if computed.weights is None else computed.weights
        return pd.DataFrame(
            {"row": rows, "before": before[rows], "weight": weight[rows], "change": weight[rows] - before[rows]}
        )

    @property
    def sentence(self) -> str:
        """The finding for a person: how much of the rows' weight may move before the direction turns.

        "the direction between 25 and 55 survives any reweighting up to 3.1 % of these rows' weight"; the share is
        rounded down, so that it is one it survives.
        """
        between = f"the direction between {self.low} and {self.high}"
        if self.difference == 0:
            return f"there is no direction between {self.low} and {self.high}: the two effects are equal"
        accumulated = isinstance(self.effect._computed, AccumulatedEffect)
        where = " inside the bins between them" if accumulated else ""
        if np.isinf(self.epsilon):
            return f"{between} survives any reweighting of these rows{where}"
        weight = "these rows' weight in each" if accumulated else "these rows' weight"
        return f"{between} survives any reweighting{where} up to {share_below(self.epsilon)} of {weight}"

    def __repr__(self) -> str:
        turn = "rises" if self.difference > 0 else "falls" if self.difference < 0 else "stays"
        lines = [
            f"{self.title}: {self.sentence}",
            f"  it {turn} by {difference(self.effect, abs(self.difference))} from {self.low} to {self.high}",
        ]
        if len(self._computed.lost):
            shown = ", ".join(map(str, self._computed.lost[:5]))
            more = ", …" if len(self._computed.lost) > 5 else ""
            lines.append(
                f"  it leans most on {len(self._computed.lost):,} of {count(self.effect.n_rows, 'row')}: {shown}{more}"
            )
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def break_down(effect: FeatureEffect, low: object, high: object, target_class: object) -> EffectBreakdown:
    """Find the breakdown of an effect; see `FeatureEffect.breakdown`."""
    effect._check_rows_kept("a breakdown")
    if len(effect._axes) != 1:
        raise InputError("A breakdown compares two points of one feature; this effect is of two. Take one feature.")
    axis, output = effect._axes[0], effect._output(target_class)
    places = _default_places(effect, output) if low is None or high is None else (0, 0)
    first = places[0] if low is None else axis.place(low)
    second = places[1] if high is None else axis.place(high)
    if first == second:
        raise InputError(
            f"A breakdown compares two different points; {low!r} and {high!r} are both nearest to {axis.label(first)}. "
            "Give points farther apart, or a finer grid."
        )
    computed = breakdown(effect._computed, (first, second), output=output)
    return EffectBreakdown(
        effect, computed, axis.label(first), axis.label(second), computed.difference, source=effect.source
    )


def _default_places(effect: FeatureEffect, output: int) -> tuple[int, int]:
    """Take the 20th and 80th percentile of numbers, the lowest and highest effect of levels or where these are one."""
    axis, curve = effect._axes[0], effect._computed.effect[output]
    if axis.kind != "levels":
        try:
            return quantile_points(effect._computed.grid, axis.data)
        except InputError:
            curve = np.where(np.isnan(axis.points), np.nan, curve)
    return int(np.nanargmin(curve)), int(np.nanargmax(curve))
