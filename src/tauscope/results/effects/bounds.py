"""How far reweightings can bend an effect: the band that is attained, and the paper's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import (
    AccumulatedSurface,
    Ball,
    ConditionalDependence,
    CurveBounds,
    DensityRatio,
    KullbackLeibler,
    Lipschitz,
    certified_band,
    conditional_band,
    effect_bounds,
    lipschitz_from_value,
)
from tauscope.effects.bounds.effect_bounds import bound_dependence
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import tidy
from tauscope.results.effects.text import difference, extent
from tauscope.results.formatting import number, share
from tauscope.weights.checks import check_share

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect

EPSILON = 0.1


@dataclass(frozen=True, repr=False, eq=False)
class EffectBounds(Charted):
    """An effect with its bounds at one distance.

    Made by `FeatureEffect.bounds`.

    Attributes
    ----------
    effect : FeatureEffect
    bounds : tauscope.effects.CurveBounds
        The engine's bands, with what each covers.
    distance : str
        Which reweightings are meant: "total variation 0.1".
    epsilon : float
        Total variation in [0, 1]: as given, or the most that the distance given allows, which is what the paper's
        bound is drawn for.

    Examples
    --------
    >>> bounds = study.effect("mean radius", grid=5).bounds(0.1)
    >>> bounds.frame.columns.tolist()[:5]
    ['value', 'effect', 'certified_lower', 'certified_upper', 'paper_lower']
    """

    effect: FeatureEffect
    bounds: CurveBounds
    distance: str
    epsilon: float

    @property
    def title(self) -> str:
        """Name the effect that is bounded."""
        return self.effect.title

    @property
    def _caption(self) -> str:
        """The model, and how many rows and points."""
        return extent(self.effect)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the bounds rest on."""
        return self.bounds.notes

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point: value, effect, certified_lower, certified_upper, paper_lower, paper_upper.

        The certified band holds for every reweighting within the distance, and some reach it at each point by
        itself; the paper's is NaN for levels of an accumulated effect.
        """
        curve = self.effect._computed.effect
        certified, paper = self.bounds.certified, self.bounds.paper
        nothing = np.full(curve.shape, np.nan)
        columns: dict[str, NDArray[np.generic]] = {
            "effect": curve,
            "certified_lower": certified.lower,
            "certified_upper": certified.upper,
            "paper_lower": nothing if paper is None else paper.lower,
            "paper_upper": nothing if paper is None else paper.upper,
        }
        return tidy(self.effect._axes, self.effect._classes, columns)

    @property
    def covers(self) -> str:
        """Which perturbations the certified band covers, in words."""
        return self.bounds.certified.covers

    def chart(self) -> alt.LayerChart | alt.HConcatChart:
        """Draw the effect in its certified band, the paper's bound as an outline; two features: the band's width.

        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the effect, the distance, and the bands at each point."""
        return self.effect._described("effect_bounds") | {
            "epsilon": self.epsilon,
            "distance": self.distance,
            "covers": self.covers,
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        certified, paper = self.bounds.certified, self.bounds.paper
        lines = [f"{self.title}, bounded at {self.distance}: {extent(self.effect)}"]
        widest = difference(self.effect, float(np.nanmax(certified.upper - certified.lower)))
        attained = "attained at each point separately" if certified.attained else "not left by any"
        lines.append(f"  certified band at most {widest} wide, {attained}: {certified.covers}")
        if paper is not None:
            lines.append(
                f"  the paper's at most {difference(self.effect, float(np.nanmax(paper.upper - paper.lower)))}"
            )
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def bound(
    effect: FeatureEffect,
    epsilon: float | None,
    *,
    kl: float | None,
    ratio: float | None,
    output_range: tuple[float, float] | None,
    lipschitz: Lipschitz | float | None,
    within_window: bool,
) -> EffectBounds:
    """Compute the bounds of an effect; see `FeatureEffect.bounds`."""
    effect._check_rows_kept("bounds")
    check_boundable(effect)
    distances = [name for name, value in (("epsilon", epsilon), ("kl", kl), ("ratio", ratio)) if value is not None]
    if len(distances) > 1:
        raise InputError(f"A bound is for one distance; got {' and '.join(distances)}. Give one of them.")
    computed = effect._computed
    constant = lipschitz if isinstance(lipschitz, Lipschitz) or lipschitz is None else lipschitz_from_value(lipschitz)
    ball: Ball | None = None
    distance, tv = "", EPSILON if epsilon is None else float(epsilon)
    if kl is not None:
        ball, tv = KullbackLeibler(float(kl)), compute_largest_tv(float(kl))
        distance = f"{number(float(kl))} nats (total variation at most {number(tv)})"
    elif ratio is not None:
        ball, tv = DensityRatio(float(ratio)), 1 - 1 / max(float(ratio), 1.0)
        distance = f"weights growing at most {number(float(ratio))} times (total variation at most {number(tv)})"
    if ball is not None or within_window or not isinstance(computed, ConditionalDependence):
        bounds = effect_bounds(
            computed, tv, output_range=output_range, lipschitz=constant, within_window=within_window or ball is not None
        )
        if ball is not None:
            bounds = replace(bounds, certified=certified_band(computed, ball, output_range=output_range))
    else:
        check_share(tv, "epsilon")
        bounds = bound_dependence(
            computed, tv, compute_window_tv(computed, tv), conditional_band(computed, tv), output_range
        )
    distance = distance or f"total variation {number(tv)} ({share(tv)} of the weight)"
    return EffectBounds(effect, bounds, distance, tv, source=effect.source)


def compute_window_tv(effect: ConditionalDependence, epsilon: float) -> NDArray[np.float64]:
    """Return the most total variation inside each window when all rows' weights move by epsilon; as the grid.

    A window with a share p of the weight feels at most epsilon / p.
    """
    mass = effect.local.mass(effect.sample_weight) / effect.sample_weight.sum()
    distance = np.divide(epsilon, mass, out=np.ones_like(mass), where=mass > 0)
    return np.minimum(distance, 1.0).reshape(effect.effect.shape[1:])


def check_boundable(effect: FeatureEffect) -> None:
    """Refuse what there are no bounds of: the interaction of two features."""
    if isinstance(effect._computed, AccumulatedSurface):
        raise InputError(
            "Bounds are of partial and conditional dependence and of one feature's accumulated effect; this is the "
            "interaction of two. Use kind='pd'; under a stress, study.under(stress).effect(…)."
        )


def compute_largest_tv(kl: float) -> float:
    """Return the most total variation within a Kullback-Leibler divergence (nats): Pinsker's or Bretagnolle's."""
    kl = max(kl, 0.0)
    return float(min(np.sqrt(kl / 2), np.sqrt(-np.expm1(-kl))))
