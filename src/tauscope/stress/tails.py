"""How heavy the tail of the squares is that a variance or an RMSE is the mean of, over rows that count once each.

Where its Pareto k̂ is near 1/2 the squares have no variance to speak of, and no interval for their mean is to be had.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metric_forms import Definition, Form, PowerDefinition, Unit
from tauscope.stress.outcomes import Outcomes
from tauscope.weights.concentration import pareto_khat

Array = NDArray[np.float64]
Tails = Mapping[tuple[str, Form], float]
"""Pareto k̂ by the name of a quantity and the form of its metric."""


def spreads_of(metric_definitions: Sequence[Definition]) -> list[PowerDefinition]:
    """Return the variances and roots of means among definitions, one for each quantity and form."""
    by_key = {
        (each.quantity.name, each.form): each
        for each in metric_definitions
        if isinstance(each, PowerDefinition) and each.form in ("variance", "root_mean")
    }
    return list(by_key.values())


def measure_tails(
    metric_definitions: Sequence[Definition], outcomes: Outcomes, units: Mapping[str, Unit]
) -> dict[tuple[str, Form], float]:
    """Return Pareto k̂ of the squares of each spread, from all rows; units are those of the rows themselves."""
    out: dict[tuple[str, Form], float] = {}
    for each in spreads_of(metric_definitions):
        values = each.quantity.standardise(outcomes, units[each.quantity.name], slice(None))
        out[each.quantity.name, each.form] = pareto_khat(squares(each, values))
    return out


def squares(definition: PowerDefinition, values: Array) -> Array:
    """Return what a spread is the mean of, from the standardised values of its quantity."""
    return values**2 if definition.form == "variance" else values
