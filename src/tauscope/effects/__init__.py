"""Feature effects and how far perturbations can bend them, from arrays and a predict callable only."""

from tauscope.effects.accumulated import AccumulatedEffect, accumulated_effect
from tauscope.effects.asking import Asking
from tauscope.effects.bounds.balls import Ball, DensityRatio, KullbackLeibler, TotalVariation
from tauscope.effects.bounds.bands import Band, certified_band, conditional_band
from tauscope.effects.bounds.breakdown import Breakdown, breakdown, quantile_points
from tauscope.effects.bounds.changes import Coupling, ModelChange, coupling, model_change, sampled_distance
from tauscope.effects.bounds.distance import exact_distance, histogram_distance
from tauscope.effects.bounds.effect_bounds import EffectBounds, effect_bounds
from tauscope.effects.bounds.lipschitz import (
    Lipschitz,
    accumulated_bound,
    lipschitz_from_differences,
    lipschitz_from_gradient,
    lipschitz_from_weights,
    lipschitz_given,
)
from tauscope.effects.bounds.observed import Observed, observe
from tauscope.effects.bounds.published import OutputRange, PublishedBounds
from tauscope.effects.bounds.sorted_means import SortedMeans
from tauscope.effects.categories import order_by_similarity
from tauscope.effects.conditional import ConditionalDependence, conditional_dependence
from tauscope.effects.dependence import PartialDependence, partial_dependence
from tauscope.effects.derivative import derivative_effect
from tauscope.effects.effect import Effect
from tauscope.effects.grids import Grid, category_grid, given_grid, numeric_grid
from tauscope.effects.intervals import Interval
from tauscope.effects.levels import accumulated_levels
from tauscope.effects.neighbourhoods import Nearest, Window
from tauscope.effects.rows import ArrayRows, Rows
from tauscope.effects.surface import AccumulatedSurface, accumulated_surface
from tauscope.effects.trees.exact import exact_dependence, exact_dependences, threshold_grid

__all__ = [
    "AccumulatedEffect",
    "AccumulatedSurface",
    "ArrayRows",
    "Asking",
    "Ball",
    "Band",
    "Breakdown",
    "ConditionalDependence",
    "Coupling",
    "DensityRatio",
    "Effect",
    "EffectBounds",
    "Grid",
    "Interval",
    "KullbackLeibler",
    "Lipschitz",
    "ModelChange",
    "Nearest",
    "Observed",
    "OutputRange",
    "PartialDependence",
    "PublishedBounds",
    "Rows",
    "SortedMeans",
    "TotalVariation",
    "Window",
    "accumulated_bound",
    "accumulated_effect",
    "accumulated_levels",
    "accumulated_surface",
    "breakdown",
    "category_grid",
    "certified_band",
    "conditional_band",
    "conditional_dependence",
    "coupling",
    "derivative_effect",
    "effect_bounds",
    "exact_dependence",
    "exact_dependences",
    "exact_distance",
    "given_grid",
    "histogram_distance",
    "lipschitz_from_differences",
    "lipschitz_from_gradient",
    "lipschitz_from_weights",
    "lipschitz_given",
    "model_change",
    "numeric_grid",
    "observe",
    "order_by_similarity",
    "partial_dependence",
    "quantile_points",
    "sampled_distance",
    "threshold_grid",
]
