"""Flips at values that no row has: a fare below 0, said with the bounds that keep it among the rows."""

from collections.abc import Sequence

import numpy as np

from tauscope.boundary.space import Limits
from tauscope.data.columns import Column
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.weights.arrays import Bools, Floats
from tauscope.words import agree, count

NEAR = 1e-6
"""Beyond the rows by less, in units of the distance, is rounding."""
NAMED = 3
"""Most columns named."""


def beyond_notes(
    columns: Sequence[BoundaryColumn], sources: Sequence[Column], limits: Limits, start: Floats, point: Floats
) -> tuple[str, ...]:
    """Say which points have values less or greater than all rows, where no limit was set on that side.

    Parameters
    ----------
    columns : sequence of BoundaryColumn
    sources : sequence of Column
        The same columns of the rows.
    limits : Limits
        Of each start.
    start, point : ndarray of shape (n, p)
        Points are NaN where none was found.
    """
    numbers = [j for j, column in enumerate(columns) if column.kind != "levels"]
    scale, names = np.array([columns[j].scale for j in numbers]), [columns[j].name for j in numbers]
    low, high = np.array([sources[j].lower for j in numbers]), np.array([sources[j].upper for j in numbers])
    here, there = start[:, numbers], point[:, numbers]
    below = (there < low - NEAR * scale) & (there < here) & np.isinf(limits.lower[:, numbers])
    above = (there > high + NEAR * scale) & (there > here) & np.isinf(limits.upper[:, numbers])
    beyond: Bools = below | above
    places: list[int] = np.flatnonzero(beyond.any(axis=0)).tolist()
    if not places:
        return ()
    named = places[:NAMED]
    ranges = ", ".join(f"{names[k]!r}: ({low[k]:.6g}, {high[k]:.6g})" for k in named)
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    if len(point) > 1:
        of = ", ".join(names[k] for k in named)
        n = int(beyond.any(axis=1).sum())
        said = f"{n:,} of {count(len(point), 'point')} {agree(n, 'has', 'have')} a value that no row reaches, of"
    else:
        of = ", ".join(f"{names[k]} {columns[numbers[k]].label(there[0, k])}" for k in named)
        said = "no row reaches"
    return (f"{said} {of}{more}: to stay among the rows give bounds={{{ranges}}}",)
