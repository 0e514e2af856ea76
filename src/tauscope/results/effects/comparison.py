"""The same effect of two models: how far apart the curves are, and how far they can be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import AccumulatedEffect, AccumulatedSurface, ModelChange, model_change, sampled_distance
from tauscope.errors import InputError, InputTypeError
from tauscope.results.effects.frame import tidy
from tauscope.results.effects.text import centred, difference, title
from tauscope.results.formatting import number

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect

Supremum = Literal["rows", "box"]


@dataclass(frozen=True, repr=False, eq=False)
class EffectComparison:
    """One effect of two models, on the same rows and points, and the bounds on their difference.

    Made by `FeatureEffect.compare`.

    Attributes
    ----------
    effect, other : FeatureEffect
    found : tauscope.effects.ModelChange
        The engine's arrays.
    source : {"rows", "box", "given"}
        Where the largest difference of the two models comes from.
    n_samples : int
        Points of the box; 0 for other sources.
    random_state : int or None
        Seed of the box's points.
    n_model_rows : int
        Rows both models were asked about for this comparison.
    """

    effect: FeatureEffect
    other: FeatureEffect
    found: ModelChange
    source: Literal["rows", "box", "given"]
    n_samples: int
    random_state: int | None
    n_model_rows: int

    @property
    def distance(self) -> NDArray[np.float64]:
        """Largest difference of the two models' answers, or (accumulated effects) of their slopes, per class."""
        return self.found.distance

    @property
    def certified(self) -> bool:
        """Whether `bound` holds on these rows, as it must unless the distance given is smaller than seen there."""
        return self.found.certified

    @property
    def covers(self) -> str:
        """What the bound speaks of, in words."""
        what = "slopes" if isinstance(self.effect.computed, AccumulatedEffect) else "answers"
        if self.source == "rows":
            return f"certified for these rows: the largest difference of the two models' {what} on them"
        if self.source == "box":
            return (
                f"estimated for all rows in the box these span: the largest difference of the two models' {what} at "
                f"{self.n_samples:,} random points of it and on the rows, approached from below"
            )
        if self.certified:
            return f"as given: the two models' {what} nowhere differ more"
        return f"contradicted: on these rows the two models' {what} differ more than the distance given"

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point: value, effect, other, change, bound, pointwise, mean_difference.

        `change` is the other's curve less this one's (of accumulated effects without their centring); `bound` is that
        of Lemma 2, or Theorem 4.5; `pointwise` the same with the largest difference at each point alone;
        `mean_difference` the mean over the rows of how far their own answers differ, which is certified for these
        rows and never wider.
        """
        return tidy(
            self.effect.axes,
            self.effect.classes,
            {
                "effect": self.effect.computed.effect,
                "other": self.other.computed.effect,
                "change": self.found.change,
                "bound": self.found.bound,
                "pointwise": self.found.pointwise,
                "mean_difference": self.found.coupled,
            },
        )

    @property
    def sentence(self) -> str:
        """The finding for a person."""
        most = difference(self.effect, float(np.nanmax(np.abs(self.found.change))))
        bound = difference(self.effect, float(np.nanmax(self.found.bound)))
        certain = difference(self.effect, float(np.nanmax(self.found.coupled)))
        return (
            f"the curves are {most} apart at most; row by row the answers are {certain} apart on average at most, and "
            f"{bound} by the paper's bound"
        )

    def chart(self) -> alt.LayerChart | alt.HConcatChart:
        """Draw both curves, this one's pointwise band filled and the paper's bound dashed; of two features the change.

        Returns
        -------
        altair.LayerChart or altair.HConcatChart

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        from tauscope.figures.effects.comparison import comparison_chart

        return comparison_chart(self)

    def save(self, path: str | Path) -> None:
        """Write to a file, by its ending, as `FeatureEffect.save`."""
        from tauscope.sharing.effects import save_comparison

        save_comparison(self, Path(path))

    def __repr__(self) -> str:
        lines = [
            f"{title(self.effect)}: {self.effect.model_name} beside {self.other.model_name}, "
            f"{self.effect.n_rows:,} rows",
            f"  {self.sentence}",
            f"  {self.covers}: {', '.join(number(float(one)) for one in self.distance)}",
        ]
        if centred(self.effect):
            lines.append("  changes and bounds are of the curves from their first point on, before centring")
        return "\n".join(lines)


def compare(
    effect: FeatureEffect,
    other: Any,
    distance: Any,
    n_samples: int,
    random_state: Any,
    progress: bool,
) -> EffectComparison:
    """Compare an effect with another model's; see `FeatureEffect.compare`."""
    from tauscope.results.effects.effect import FeatureEffect

    if isinstance(effect.computed, AccumulatedSurface):
        raise InputError("The interaction of two features has no bound between models. Use kind='pd'.")
    if isinstance(distance, str) and distance not in ("rows", "box"):
        raise InputError(f"distance must be 'rows', 'box' or the distance itself; got {distance!r}.")
    origin, asked = effect.origin, 0
    if not isinstance(other, FeatureEffect):
        if origin is None:
            raise InputError("This effect is under a stress of its own; compare study.under(stress).effect(…) instead.")
        if not (callable(other) or hasattr(other, "predict")):
            raise InputTypeError(
                f"An effect is compared with another model, or another model's effect; got {type(other).__name__}."
            )
        other = origin.of_model(other, progress)
        asked = other.n_model_rows
    _check_alike(effect, other)
    if not isinstance(distance, str):
        return EffectComparison(
            effect, other, model_change(effect.computed, other.computed, distance=distance), "given", 0, None, asked
        )
    found = model_change(effect.computed, other.computed)
    if distance == "rows":
        return EffectComparison(effect, other, found, "rows", 0, None, asked)
    if isinstance(effect.computed, AccumulatedEffect):
        raise InputError(
            "Theorem 4.5 needs the largest difference of slopes, which random points of a box do not give. "
            "Use distance='rows', or give it."
        )
    second = other.origin
    if origin is None or second is None:
        raise InputError("An effect under a stress of its own has left its model; use distance='rows', or give it.")
    sampled, seed = sampled_distance(
        origin.predict,
        second.predict,
        origin.rows,
        n_samples=n_samples,
        sampled=origin.drawn,
        batches=origin.batches,
        random_state=random_state,
    )
    found = model_change(effect.computed, other.computed, distance=np.maximum(sampled, found.distance))
    return EffectComparison(effect, other, found, "box", n_samples, seed, asked + 2 * n_samples)


def _check_alike(effect: FeatureEffect, other: FeatureEffect) -> None:
    """Refuse effects of other kinds, features, or quantities."""
    for name, one, two in (
        ("kind", effect.kind, other.kind),
        ("features", effect.feature_names, other.feature_names),
        ("response", effect.response, other.response),
        ("classes", effect.classes, other.classes),
    ):
        if one != two:
            raise InputError(
                f"Effects are compared that differ in the model alone; their {name} differ: {one!r} and {two!r}. "
                "Compute both the same way, or give the other model itself."
            )
