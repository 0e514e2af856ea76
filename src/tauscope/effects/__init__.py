"""Feature effects and how far perturbations can bend them, from arrays and a predict callable only."""

from tauscope.effects.attacks.attacked import Attack, AttackTarget, BoundCheck
from tauscope.effects.attacks.gaussian import gaussian_attack
from tauscope.effects.attacks.genetic import GeneticSearch, genetic_attack
from tauscope.effects.attacks.greedy import greedy_attack
from tauscope.effects.attacks.perturbed import PerturbedRows
from tauscope.effects.bounds.balls import Ball, DensityRatio, KullbackLeibler, TotalVariation
from tauscope.effects.bounds.bands import Band, certified_band, conditional_band
from tauscope.effects.bounds.breakdown import Breakdown, breakdown, quantile_points
from tauscope.effects.bounds.changes import Coupling, ModelChange, coupling, model_change, sampled_distance
from tauscope.effects.bounds.distance import exact_distance, histogram_distance
from tauscope.effects.bounds.effect_bounds import CurveBounds, effect_bounds
from tauscope.effects.bounds.lipschitz import (
    Lipschitz,
    accumulated_bound,
    lipschitz_from_differences,
    lipschitz_from_gradient,
    lipschitz_from_value,
    lipschitz_from_weights,
)
from tauscope.effects.bounds.observed import CurveShift, curve_shift
from tauscope.effects.bounds.published import OutputRange, PublishedBounds
from tauscope.effects.curves.accumulated import AccumulatedEffect, accumulated_effect
from tauscope.effects.curves.by_group import CurveOfRows, GroupCurve
from tauscope.effects.curves.categories import order_by_similarity
from tauscope.effects.curves.conditional import ConditionalDependence, conditional_dependence
from tauscope.effects.curves.dependence import PartialDependence, partial_dependence
from tauscope.effects.curves.derivative import derivative_effect
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import Grid, category_grid, custom_grid, numeric_grid
from tauscope.effects.curves.intervals import Interval
from tauscope.effects.curves.levels import accumulated_levels
from tauscope.effects.curves.neighbourhoods import Nearest, Window
from tauscope.effects.curves.regions import Heterogeneity, Region, Regions, find_regions, heterogeneity
from tauscope.effects.curves.sorted_means import SortedMeans
from tauscope.effects.curves.sums import ChunkedEffect
from tauscope.effects.curves.surface import AccumulatedSurface, accumulated_surface
from tauscope.effects.randomisation import (
    Layer,
    Randomisation,
    disturb_layers,
    disturb_parameters,
    mlp_layers,
    mlp_with_layers,
    randomisation_test,
    resample_rows,
)
from tauscope.effects.trees.exact import exact_dependence, exact_dependences, sums_leaves, threshold_grid
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import ArrayRows, Rows

__all__ = [
    "AccumulatedEffect",
    "AccumulatedSurface",
    "ArrayRows",
    "Attack",
    "AttackTarget",
    "Ball",
    "Band",
    "BatchOptions",
    "BoundCheck",
    "Breakdown",
    "ChunkedEffect",
    "ConditionalDependence",
    "Coupling",
    "CurveBounds",
    "CurveOfRows",
    "CurveShift",
    "DensityRatio",
    "Effect",
    "GeneticSearch",
    "Grid",
    "GroupCurve",
    "Heterogeneity",
    "Interval",
    "KullbackLeibler",
    "Layer",
    "Lipschitz",
    "ModelChange",
    "Nearest",
    "OutputRange",
    "PartialDependence",
    "PerturbedRows",
    "PublishedBounds",
    "Randomisation",
    "Region",
    "Regions",
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
    "curve_shift",
    "custom_grid",
    "derivative_effect",
    "disturb_layers",
    "disturb_parameters",
    "effect_bounds",
    "exact_dependence",
    "exact_dependences",
    "exact_distance",
    "find_regions",
    "gaussian_attack",
    "genetic_attack",
    "greedy_attack",
    "heterogeneity",
    "histogram_distance",
    "lipschitz_from_differences",
    "lipschitz_from_gradient",
    "lipschitz_from_value",
    "lipschitz_from_weights",
    "mlp_layers",
    "mlp_with_layers",
    "model_change",
    "numeric_grid",
    "order_by_similarity",
    "partial_dependence",
    "quantile_points",
    "randomisation_test",
    "resample_rows",
    "sampled_distance",
    "sums_leaves",
    "threshold_grid",
]
