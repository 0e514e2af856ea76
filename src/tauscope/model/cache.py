"""Answers of the model behind effects, kept for every study of the same rows: under a stress, or of a subgroup."""

# Decided in docs/decisions/0002-the-model-is-asked-once.md.

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tauscope.effects import Effect, Grid, Interval, PartialDependence

Ints = NDArray[np.int64]
MOST_BYTES = 2**29


@dataclass(frozen=True, eq=False)
class _Entry:
    grids: tuple[Grid, ...]
    rows: Ints | None
    effect: Effect
    size: int


class PredictionCache:
    """Effects with the answers behind them, the least used dropped once they pass the memory allowed.

    Parameters
    ----------
    most_bytes : int
        For all of them together; an effect that takes more by itself is not kept.

    Notes
    -----
    Shared by a study and those derived from it, whose rows are all or some of the first one's. Another effect of the
    same rows, feature, points, kind and response is then a weighted mean of known answers, and partial dependence of
    some of the rows, or at some of the points, too.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._entries: OrderedDict[Hashable, list[_Entry]] = OrderedDict()

    @property
    def n_bytes(self) -> int:
        """Memory the answers take."""
        return sum(entry.size for entries in self._entries.values() for entry in entries)

    def keep(self, key: Hashable, grids: tuple[Grid, ...], rows: Ints | None, effect: Effect) -> None:
        """Keep a complete effect that holds its answers.

        Parameters
        ----------
        key : hashable
            Kind, features, response and neighbourhood.
        grids : tuple of Grid
            As requested.
        rows : ndarray or None
            The study's rows among the first one's, ascending; None: all.
        effect : Effect
        """
        size = _answers(effect)
        if not effect.complete or size is None or size > self._most:
            return
        self._entries.setdefault(key, []).append(_Entry(grids, rows, effect, size))
        self._entries.move_to_end(key)
        while self.n_bytes > self._most:
            oldest = next(iter(self._entries))
            self._entries[oldest].pop(0)
            if not self._entries[oldest]:
                del self._entries[oldest]

    def find(
        self, key: Hashable, grids: tuple[Grid, ...], rows: Ints | None, weight: object, interval: Interval, n_rows: int
    ) -> Effect | None:
        """Give an effect whose answers are known, under other weights; None where they are not.

        Parameters
        ----------
        key, grids, rows
            As in `keep`.
        weight : ndarray of shape (n_rows,) or None
        interval : Interval
        n_rows : int
            Rows of the study.
        """
        from tauscope.effects import PartialDependence

        for entry in reversed(self._entries.get(key, [])):
            places = _places(entry.rows, rows)
            if places is None:
                continue
            effect: Any = entry.effect
            alike = _same_points(entry.grids, grids)
            if isinstance(effect, PartialDependence):
                points = _points_among(entry.grids, grids)
                if points is None:
                    continue
                if places.size or not alike:
                    effect = _part(effect, places if places.size else None, points, grids)
            elif places.size or not alike:
                continue
            self._entries.move_to_end(key)
            return effect.reweighted(np.ones(n_rows) if weight is None else weight, interval)
        return None


def _answers(effect: Effect) -> int | None:
    """Memory of an effect's answers; None where it holds none."""
    from tauscope.effects import AccumulatedEffect, AccumulatedSurface, ConditionalDependence, PartialDependence

    if isinstance(effect, PartialDependence):
        return None if effect.ice is None else effect.ice.nbytes
    if isinstance(effect, ConditionalDependence):
        return 3 * effect.local.values.nbytes
    if isinstance(effect, AccumulatedEffect | AccumulatedSurface):
        return 4 * effect.local.values.nbytes
    return None


def _places(cached: Ints | None, requested: Ints | None) -> Ints | None:
    """Positions of the requested rows among those cached: empty where they are the same; None where one is missing."""
    same = np.empty(0, dtype=np.int64)
    if requested is None:
        return same if cached is None else None
    if cached is None:
        return requested
    if np.array_equal(cached, requested):
        return same
    place = np.searchsorted(cached, requested).astype(np.int64)
    there = np.minimum(place, len(cached) - 1)
    return there if np.array_equal(cached[there], requested) else None


def _same_points(cached: tuple[Grid, ...], requested: tuple[Grid, ...]) -> bool:
    return all(np.array_equal(a.values, b.values, equal_nan=True) for a, b in zip(cached, requested, strict=True))


def _points_among(cached: tuple[Grid, ...], requested: tuple[Grid, ...]) -> tuple[Ints, ...] | None:
    """Positions of the requested points on each cached grid; None where one is missing."""
    places: list[Ints] = []
    for have, want in zip(cached, requested, strict=True):
        place = np.minimum(np.searchsorted(have.values, want.values), len(have) - 1).astype(np.int64)
        if not np.array_equal(have.values[place], want.values, equal_nan=True):
            return None
        places.append(place)
    return tuple(places)


def _part(
    effect: PartialDependence, rows: Ints | None, points: tuple[Ints, ...], grids: tuple[Grid, ...]
) -> PartialDependence:
    """Individual curves of some rows, at some points."""
    from tauscope.effects.curves.grids import grid_notes

    curves = effect.curves()
    curves = curves if rows is None else curves[:, rows]
    for axis, places in enumerate(points, start=2):
        curves = np.take(curves, places, axis=axis)
    n_rows, shape = curves.shape[1], curves.shape[2:]
    return replace(
        effect,
        grids=grids,
        ice=curves,
        ice_rows=np.arange(n_rows, dtype=np.int64),
        n=np.full(shape, n_rows, dtype=np.int64),
        sample_weight=np.ones(n_rows),
        notes=grid_notes(grids),
    )
