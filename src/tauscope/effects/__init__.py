"""Feature effects and how far perturbations can bend them, from arrays and a predict callable only."""

from tauscope.effects.accumulated import AccumulatedEffect, accumulated_effect
from tauscope.effects.asking import Asking
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

__all__ = [
    "AccumulatedEffect",
    "AccumulatedSurface",
    "ArrayRows",
    "Asking",
    "ConditionalDependence",
    "Effect",
    "Grid",
    "Interval",
    "Nearest",
    "PartialDependence",
    "Rows",
    "Window",
    "accumulated_effect",
    "accumulated_levels",
    "accumulated_surface",
    "category_grid",
    "conditional_dependence",
    "derivative_effect",
    "given_grid",
    "numeric_grid",
    "order_by_similarity",
    "partial_dependence",
]
