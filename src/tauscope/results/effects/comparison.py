"""The same effect of two models: how far apart the curves are, and how far they can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import (
    AccumulatedEffect,
    AccumulatedSurface,
    BatchOptions,
    ModelChange,
    model_change,
    sampled_distance,
)
from tauscope.errors import InputError, InputTypeError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import tidy
from tauscope.results.effects.text import centred, difference, extent
from tauscope.results.formatting import number
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.model.response import Response
    from tauscope.results.effects.effect import FeatureEffect

Supremum = Literal["rows", "box"]
DistanceSource = Literal["rows", "box", "given"]


@dataclass(frozen=True, repr=False, eq=False)
class EffectComparison(Charted):
    """One effect of two models, on the same rows and points, and the bounds on their difference.

    Made by `FeatureEffect.compare`.

    Attributes
    ----------
    effect, other : FeatureEffect
    distance_source : {"rows", "box", "given"}
        Where the largest difference of the two models comes from.
    n_samples : int
        Points of the box; 0 where the distance is not from one.
    random_state : int or None
        Seed of the box's points.
    n_model_rows : int
        Rows both models were called on for this comparison.

    Examples
    --------
    >>> study.effect("mean radius", grid=5).compare(forest, progress=False).frame.shape
    (5, 7)
    """

    effect: FeatureEffect
    other: FeatureEffect
    _computed: ModelChange
    """The engine's arrays."""

    distance_source: DistanceSource
    n_samples: int
    random_state: int | None
    n_model_rows: int

    @property
    def title(self) -> str:
        """Name the effect that is compared."""
        return self.effect.title

    @property
    def _caption(self) -> str:
        """The model, and how many rows and points."""
        return extent(self.effect)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers must know."""
        before = "changes and bounds are of the curves from their first point on, before centring"
        return (before,) if centred(self.effect) else ()

    @property
    def distance(self) -> NDArray[np.float64]:
        """Largest difference of the two models' answers, or (accumulated effects) of their slopes, per class."""
        return self._computed.distance

    @property
    def certified(self) -> bool:
        """Whether `bound` holds on these rows, as it must unless the distance given is smaller than seen there."""
        return self._computed.certified

    @property
    def covers(self) -> str:
        """What the bound covers, in words."""
        what = "slopes" if isinstance(self.effect._computed, AccumulatedEffect) else "answers"
        if self.distance_source == "rows":
            return f"certified for these rows: the largest difference of the two models' {what} on them"
        if self.distance_source == "box":
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
            self.effect._axes,
            self.effect._classes,
            {
                "effect": self.effect._computed.effect,
                "other": self.other._computed.effect,
                "change": self._computed.change,
                "bound": self._computed.bound,
                "pointwise": self._computed.pointwise,
                "mean_difference": self._computed.coupled,
            },
        )

    @property
    def sentence(self) -> str:
        """The finding for a person."""
        most = difference(self.effect, float(np.nanmax(np.abs(self._computed.change))))
        bound = difference(self.effect, float(np.nanmax(self._computed.bound)))
        certain = difference(self.effect, float(np.nanmax(self._computed.coupled)))
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
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the effect, both curves, and the bounds on their difference."""
        return self.effect._described("effect_comparison") | {
            "other_model": self.other.model_name,
            "distance": [float(value) for value in self.distance],
            "source": self.distance_source,
            "covers": self.covers,
            "certified": self.certified,
            "n_samples": self.n_samples,
            "random_state": self.random_state,
            "sentence": self.sentence,
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        lines = [
            f"{self.title}: {self.effect.model_name} beside {self.other.model_name}, "
            f"{count(self.effect.n_rows, 'row')}",
            f"  {self.sentence}",
            f"  {self.covers}: {', '.join(number(float(one)) for one in self.distance)}",
        ]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def compare(
    effect: FeatureEffect,
    other: Any,
    distance: Any,
    n_samples: int,
    random_state: Any,
    progress: bool,
) -> EffectComparison:
    """Compare an effect with another model's; see `FeatureEffect.compare`."""
    effect._check_rows_kept("a comparison of models")
    if isinstance(effect._computed, AccumulatedSurface):
        raise InputError("The interaction of two features has no bound between models. Use kind='pd'.")
    if isinstance(distance, str) and distance not in ("rows", "box"):
        raise InputError(f"distance must be 'rows', 'box' or the distance itself; got {distance!r}.")
    n_model_rows = 0
    if not isinstance(other, type(effect)):
        other = _compute_other(effect, other, progress)
        n_model_rows = other.n_model_rows
    _check_alike(effect, other)

    def build(
        change: ModelChange, distance_source: DistanceSource, n_samples: int = 0, seed: int | None = None
    ) -> EffectComparison:
        n_rows = n_model_rows + 2 * n_samples
        return EffectComparison(effect, other, change, distance_source, n_samples, seed, n_rows, source=effect.source)

    if not isinstance(distance, str):
        return build(model_change(effect._computed, other._computed, distance=distance), "given")
    change = model_change(effect._computed, other._computed)
    if distance == "rows":
        return build(change, "rows")
    if isinstance(effect._computed, AccumulatedEffect):
        raise InputError(
            "Theorem 4.5 needs the largest difference of slopes, which random points of a box do not give. "
            "Use distance='rows', or give it."
        )
    sampled, seed = _box_distance(effect, other, n_samples, random_state)
    change = model_change(effect._computed, other._computed, distance=np.maximum(sampled, change.distance))
    return build(change, "box", n_samples, seed)


def _compute_other(effect: FeatureEffect, model: Any, progress: bool) -> FeatureEffect:
    """Compute another model's effect on the same rows and points, with the options of this one."""
    if effect._moved:
        raise InputError("This effect is under a stress of its own; compare study.under(stress).effect(…) instead.")
    if hasattr(model, "_require_model"):
        model = model._require_model("has an effect to compare").model
    if hasattr(model, "_pair_with") or not (callable(model) or hasattr(model, "predict")):
        raise InputTypeError(
            "An effect is compared with another model, a Study of one, or another model's effect; got "
            f"{type(model).__name__}."
        )
    grids = effect._computed.grids
    spec = replace(effect._spec, grid=grids[0] if len(grids) == 1 else grids, gradient=None)
    return effect._require_source().with_model(model)._effect_from(spec, progress=progress)


def _box_distance(
    effect: FeatureEffect, other: FeatureEffect, n_samples: int, random_state: Any
) -> tuple[NDArray[np.float64], int]:
    """Estimate the largest difference of both models' answers over the box that the rows span."""
    if effect._moved or other._moved:
        raise InputError("An effect under a stress of its own has left its model; use distance='rows', or give it.")
    first, second = _response(effect), _response(other)
    rows = effect._require_source()._table_rows
    return sampled_distance(
        first.predict,
        second.predict,
        rows,
        n_samples=n_samples,
        sampled=rows.drawn,
        batches=BatchOptions(first.batch_rows),
        random_state=random_state,
    )


def _response(effect: FeatureEffect) -> Response:
    return effect._require_source()._response(effect._spec.response_method, effect._spec.target_class)


def _check_alike(effect: FeatureEffect, other: FeatureEffect) -> None:
    """Refuse effects of other kinds, features, or quantities."""
    for name, first, second in (
        ("kind", effect.kind, other.kind),
        ("features", effect.feature_names, other.feature_names),
        ("response", effect.response, other.response),
        ("classes", effect._classes, other._classes),
    ):
        if first != second:
            raise InputError(
                f"Effects are compared that differ in the model alone; their {name} differ: {first!r} and {second!r}. "
                "Compute both the same way, or give the other model itself."
            )
