"""Bounds of a whole curve: what reweightings can do to it exactly, and what the paper's theorems allow."""

from dataclasses import dataclass

import numpy as np

from tauscope.effects.bounds.balls import TotalVariation
from tauscope.effects.bounds.bands import (
    Band,
    accumulate,
    accumulated_band,
    certified_band,
    check_accumulated,
    conditional_band,
    group_members,
)
from tauscope.effects.bounds.lipschitz import Lipschitz, accumulated_bound, lipschitz_from_differences
from tauscope.effects.bounds.published import (
    OutputRange,
    PublishedBounds,
    check_output_range,
    observed_range,
    published_bounds,
)
from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_share


@dataclass(frozen=True)
class CurveBounds:
    """A curve's bounds at one distance.

    Attributes
    ----------
    epsilon : float
        Total variation: of all rows' weights, or of the weights of the rows in each bin (accumulated effect) or
        window (conditional dependence, on request).
    certified : Band
        The sharp band for reweightings.
    oscillation : Band
        From the spread of the answers, or local effects, alone: the sharp band lies inside it.
    paper : Band or None
        Theorem 4.2 with both remarks, or Theorem 4.4; None for levels.
    published : PublishedBounds or None
        Half-widths of Theorem 4.2, Remark 1 and Remark 2, each separately; None for an accumulated effect.
    output : OutputRange or None
        What the answers' range was taken to be; None for an accumulated effect.
    lipschitz : Lipschitz or None
        What Theorem 4.4 used.
    notes : tuple of str
    """

    epsilon: float
    certified: Band
    oscillation: Band
    paper: Band | None
    published: PublishedBounds | None
    output: OutputRange | None
    lipschitz: Lipschitz | None
    notes: tuple[str, ...]


def effect_bounds(
    effect: Effect,
    epsilon: float,
    *,
    output_range: tuple[float, float] | None = None,
    lipschitz: Lipschitz | None = None,
    within_window: bool = False,
) -> CurveBounds:
    """Bound a curve against every reweighting within total variation ε, and as the paper does.

    Parameters
    ----------
    effect : PartialDependence, ConditionalDependence or AccumulatedEffect
    epsilon : float
        In [0, 1].
    output_range : (float, float), optional
        Known lowest and highest answers, such as (0, 1). The paper's bounds use them, and the sharp band of
        partial dependence then covers replacing a share ε of the rows by any others. None: the extremes over the
        rows, said in the notes.
    lipschitz : Lipschitz, optional
        For Theorem 4.4; None: the largest change per unit across a bin, over the rows.
    within_window : bool, default=False
        Conditional dependence: True takes ε as the distance inside each window, as the paper's theorem does;
        False as that of all rows' weights, which a window can multiply.

    Returns
    -------
    CurveBounds

    Raises
    ------
    InputError
        Where ε is outside [0, 1], individual curves were not kept, or an answer lies outside `output_range`.
    InputTypeError
        For an accumulated effect of two features.
    """
    check_share(epsilon, "epsilon")
    ball = TotalVariation(epsilon)
    if isinstance(effect, PartialDependence):
        certified = certified_band(effect, ball, output_range=output_range)
        return bound_dependence(effect, epsilon, epsilon, certified, output_range)
    if isinstance(effect, ConditionalDependence):
        certified = certified_band(effect, ball) if within_window else conditional_band(effect, epsilon)
        return bound_dependence(effect, epsilon, epsilon, certified, output_range)
    accumulated = check_accumulated(effect)
    distances = np.full(accumulated.local.n_groups, float(epsilon))
    return bound_accumulated(accumulated, epsilon, distances, lipschitz)


def bound_dependence(
    effect: PartialDependence | ConditionalDependence,
    epsilon: float,
    distance: Floats | float,
    certified: Band,
    output_range: tuple[float, float] | None,
) -> CurveBounds:
    """Combine a sharp band with the paper's bounds at `distance`, one number or one for each grid point."""
    lowest, highest = answer_extremes(effect)
    notes: list[str] = []
    if output_range is None:
        output = observed_range(lowest, highest)
        largest = ", ".join(f"{value:g}" for value in output.overall)
        notes.append(f"B is the largest answer seen on these rows ({largest}); elsewhere the model may answer more")
        covers = "reweightings of these rows, at this total variation"
    else:
        output = check_output_range(output_range, lowest, highest)
        covers = "every change of the other features' distribution at this total variation"
    published = published_bounds(effect.effect, output, distance)
    if isinstance(effect, ConditionalDependence):
        covers += " inside each window"
    return CurveBounds(
        epsilon=float(epsilon),
        certified=certified,
        oscillation=_band_around(effect.effect, published.oscillation, covers),
        paper=_band_around(effect.effect, published.half_width, covers),
        published=published,
        output=output,
        lipschitz=None,
        notes=tuple(notes),
    )


def bound_accumulated(
    effect: AccumulatedEffect, epsilon: float, distances: Floats, lipschitz: Lipschitz | None
) -> CurveBounds:
    """Bound an accumulated effect at a distance for each bin."""
    spread = np.zeros((effect.n_outputs, effect.local.n_groups))
    for group, members in group_members(effect.local):
        spread[:, group] = np.ptp(effect.local.values[:, members], axis=1)
    inside = "reweightings of the rows of each bin, at this total variation"
    paper, constant, notes = None, None, ()
    if effect.grid.kind != "categorical":
        constant = lipschitz_from_differences(effect) if lipschitz is None else lipschitz
        half = accumulated_bound(effect, constant, float(distances.max()))
        paper = _band_around(effect.effect, half, inside, certified=constant.certified)
        notes = (f"L of Theorem 4.4: {constant.source}",)
    return CurveBounds(
        epsilon=float(epsilon),
        certified=accumulated_band(effect, [TotalVariation(float(distance)) for distance in distances]),
        oscillation=_band_around(effect.effect, accumulate(spread * distances), inside),
        paper=paper,
        published=None,
        output=None,
        lipschitz=constant,
        notes=notes,
    )


def answer_extremes(effect: PartialDependence | ConditionalDependence) -> tuple[Floats, Floats]:
    """Lowest and highest answer at each grid point, over the rows behind it: each as the effect."""
    if isinstance(effect, PartialDependence):
        return effect.curves().min(axis=1), effect.curves().max(axis=1)
    ends = np.full((2, effect.n_outputs, effect.local.n_groups), np.nan)
    for group, members in group_members(effect.local):
        values = effect.local.values[:, members]
        ends[:, :, group] = values.min(axis=1), values.max(axis=1)
    return ends[0].reshape(effect.effect.shape), ends[1].reshape(effect.effect.shape)


def _band_around(curve: Floats, half: Floats, covers: str, *, certified: bool = True) -> Band:
    return Band(curve - half, curve + half, covers, certified=certified, attained=False)
