"""Bins of a column that a few values dwarf: as wide as they are far from where most of its rows lie."""

import numpy as np

from tauscope.stress.column.sketch import Bins, Scale
from tauscope.stress.column.target import TauRange

PER_ZONE = 8
"""Bins of a zone, each zone twice as long as the one before it."""


def doubling_bins(scale: Scale, around: TauRange) -> Bins:
    """Choose bins about the centre of a scale, so that those rows and the ones far off are told apart alike.

    In memory the rows of such a column are summed themselves; bins of one width would hold most of them in one.

    Parameters
    ----------
    scale : Scale
    around : TauRange
        Its extremes end the bins.
    """
    lowest, highest = scale(np.array([around.minimum, around.maximum])).tolist()
    below, above = _lengths(-lowest, scale.near), _lengths(highest, scale.near)
    starts = [-stop for _, stop in reversed(below)] + [start for start, _ in above]
    stops = [-start for start, _ in reversed(below)] + [stop for _, stop in above]
    zones = tuple((start, PER_ZONE / (stop - start), PER_ZONE) for start, stop in zip(starts, stops, strict=True))
    middles = np.arange(PER_ZONE) + 0.5
    half = np.repeat([0.5 / per_unit for _, per_unit, _ in zones], PER_ZONE)
    centres = np.concatenate([start + middles / per_unit for start, per_unit, _ in zones])
    return Bins(centres.astype(np.float64, copy=False), half, zones)


def _lengths(reach: float, near: float) -> list[tuple[float, float]]:
    """Cut the way from 0 to where values end into a first zone and others twice as long each."""
    zones: list[tuple[float, float]] = []
    start, stop = 0.0, near
    while start < reach:
        zones.append((start, min(stop, reach)))
        start, stop = stop, 2 * stop
    return zones
