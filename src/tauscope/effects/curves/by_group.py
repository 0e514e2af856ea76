"""The curve of a group of rows: from the answers behind the curve of all, or from sums over the group's rows."""

# Decided in docs/decisions/0039-an-effect-by-group-is-the-same-answers-under-other-weights.md.

from dataclasses import dataclass, replace

import numpy as np

from tauscope.effects.curves.accumulated import AccumulatedEffect
from tauscope.effects.curves.conditional import ConditionalDependence, point_notes
from tauscope.effects.curves.dependence import PartialDependence
from tauscope.effects.curves.effect import Effect
from tauscope.effects.curves.grids import grid_notes
from tauscope.effects.curves.intervals import no_interval_notes
from tauscope.effects.curves.neighbourhoods import Nearest
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.effects.curves.sums import BinSums, ChunkedEffect, GroupSums
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.measures import effective_size

CurveWithRows = PartialDependence | ConditionalDependence | AccumulatedEffect


@dataclass(frozen=True)
class GroupCurve:
    """The curve of some rows.

    Attributes
    ----------
    effect, lower, upper : ndarray of shape (q, G)
        As of `Effect`; NaN where the group has no row, or no weight.
    n : ndarray of shape (G,)
        Rows of the group behind each point.
    ess : ndarray of shape (G,)
        Effective number (Σw)²/Σw² of these; of an accumulated effect, as `n`, those of the bin that ends there.
    notes : tuple of str
        What a reader must know of this curve, and need not of that of all rows.
    """

    effect: Floats
    lower: Floats
    upper: Floats
    n: Ints
    ess: Floats
    notes: tuple[str, ...] = ()


class CurveOfRows:
    """The answers of some rows, for their curve under any weights and at any level.

    Parameters
    ----------
    effect : Effect
        Of one feature and all rows, with the answers behind it.
    inside : ndarray of bool of shape (n_rows,)

    Raises
    ------
    InputError
        For an effect of two features, one whose answers were not kept, and conditional dependence of nearest rows: the
        nearest of a group are others than its rows among the nearest of all.
    """

    def __init__(self, effect: Effect, inside: Bools) -> None:
        self._of_all = check_by_rows(effect)
        self._part = _part(self._of_all, np.flatnonzero(inside).astype(np.int64))

    def under(self, weights: Floats, confidence: float | None = None) -> GroupCurve:
        """Return the curve under weights of these rows, of shape (m,) and any mean; by default at the effect's level.

        All NaN where they have no weight.
        """
        part = self._part
        if not weights.any() or not _has_answers(part):
            return empty_curve(part.effect.shape, part.n)
        level = part.interval.confidence if confidence is None else confidence
        moved = part.reweighted(weights, replace(part.interval, confidence=level))
        notes = tuple(note for note in moved.notes if note not in self._of_all.notes)
        return GroupCurve(moved.effect, moved.lower, moved.upper, part.n, _sizes(moved), notes)


def check_by_rows(effect: Effect) -> CurveWithRows:
    """Return an effect that has a curve for some of its rows; errors as of `CurveOfRows`."""
    if not isinstance(effect, CurveWithRows) or len(effect.grids) != 1:
        raise InputError("curves by group are of one feature; got an effect of two, or of rows in chunks")
    if isinstance(effect, PartialDependence):
        effect.curves()
    if isinstance(effect, ConditionalDependence) and isinstance(effect.neighbourhood, Nearest):
        raise InputError(
            "The nearest rows of a group are others than its rows among the nearest of all, so that n_neighbors has no "
            "curve by group. Use window=…, or study.where(…) for each group."
        )
    return effect


def empty_curve(shape: tuple[int, ...], n: Ints) -> GroupCurve:
    """Return the curve (q, G) of rows that have none, so many of them behind each point."""
    nothing = np.full(shape, np.nan)
    return GroupCurve(nothing, nothing.copy(), nothing.copy(), n, np.zeros(n.shape))


def curve_of_sums(
    sums: GroupSums | BinSums, of_all: ChunkedEffect, confidence: float | None = None, *, weighted: bool = True
) -> GroupCurve:
    """Return the curve of a group of rows in chunks, as `CurveOfRows` does of rows in memory.

    Parameters
    ----------
    sums : GroupSums or BinSums
        Over the group's rows, with their weights of any sum.
    of_all : ChunkedEffect
        Of one feature and all rows, on the same points.
    confidence : float, optional
        By default the effect's level.
    weighted : bool, default True
        Whether the group has any weight; all NaN where it has none.
    """
    interval = of_all.interval if confidence is None else replace(of_all.interval, confidence=confidence)
    cells = sums.changes if isinstance(sums, BinSums) else sums
    before = (len(of_all.grid) - len(cells.n), 0)  # no bin ends at the first point
    n = np.pad(cells.n, before)
    if not weighted or not cells.n.any():
        return empty_curve(of_all.effect.shape, n)
    if isinstance(sums, BinSums):
        curve, notes = sums.interval(interval.confidence), (*grid_notes(of_all.grids), *sums.notes)
    else:
        curve = sums.interval(interval)
        notes = (*point_notes(sums.n, sums.weight, of_all.grids), *no_interval_notes(curve[0], curve[1]))
    own = tuple(note for note in notes if note not in of_all.notes)
    return GroupCurve(*curve, n, np.pad(cells.sizes, before), own)


def _part(effect: CurveWithRows, rows: Ints) -> CurveWithRows:
    """Keep the answers of some rows, ascending; weights are put on later."""
    place = np.full(effect.n_rows, -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    ones, shape = np.ones(len(rows)), effect.n.shape
    if isinstance(effect, PartialDependence):
        kept = place[effect.ice_rows] >= 0
        n = np.full(shape, np.count_nonzero(kept), dtype=np.int64)
        own, ice = place[effect.ice_rows[kept]], effect.curves()[:, kept]
        return replace(effect, ice=ice, ice_rows=own, n=n, sample_weight=ones)
    local = effect.local
    kept = place[local.row] >= 0
    own = RaggedGroups(place[local.row[kept]], local.group[kept], local.values[:, kept], local.n_groups, len(rows))
    if isinstance(effect, ConditionalDependence):
        return replace(effect, local=own, n=own.counts().reshape(shape), sample_weight=ones)
    position = effect.position[rows]
    return replace(effect, local=own, position=position, n=_rows_at(effect, own, position), sample_weight=ones)


def _rows_at(effect: AccumulatedEffect, local: RaggedGroups, position: Floats) -> Ints:
    """Count the rows of each bin, at its end, or of each level."""
    if effect.grid.kind != "categorical":
        return np.append(0, local.counts())
    return np.bincount(position[~np.isnan(position)].astype(np.int64), minlength=len(effect.grid)).astype(np.int64)


def _has_answers(effect: CurveWithRows) -> bool:
    return len(effect.ice_rows if isinstance(effect, PartialDependence) else effect.local.row) > 0


def _sizes(effect: CurveWithRows) -> Floats:
    """Return the effective rows behind each point."""
    weights = effect.sample_weight
    if isinstance(effect, PartialDependence):
        return np.full(effect.n.shape, effective_size(weights[effect.ice_rows]))
    if isinstance(effect, ConditionalDependence):
        return effect.local.sizes(weights)
    if effect.grid.kind != "categorical":
        return np.append(0.0, effect.local.sizes(weights))
    return np.array([effective_size(weights[effect.position == place]) for place in range(len(effect.grid))])
