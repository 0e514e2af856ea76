"""Where a curve hides different ones: the spread of individual curves, and the split that tells them best apart."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tauscope.effects.curves.dependence import PartialDependence
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_share
from tauscope.weights.measures import effective_size

RegionsStatus = Literal["split", "parallel", "no other feature", "small sides", "small reduction"]
"""Whether there is a split, or why there is none."""
ROUNDING = 1e-12  # of the largest answer: less spread than this is none


@dataclass(frozen=True)
class Heterogeneity:
    """How far individual curves differ from their mean in shape.

    Attributes
    ----------
    spread : ndarray of shape (q, G)
        Weighted standard deviation over rows, at each grid point, of the curves less each one's own mean.
    overall : ndarray of shape (q,)
        Root mean square of it over the grid.
    share : ndarray of shape (q,)
        Part of the curves' movement along the grid that the mean curve does not have, in [0, 1]: 0 where all are
        parallel, as in an additive model; NaN where none moves.
    """

    spread: Floats
    overall: Floats
    share: Floats


def heterogeneity(effect: PartialDependence) -> Heterogeneity:
    """Measure how far the individual curves of one feature differ in shape."""
    shapes = _shapes(effect)
    weights = effect.sample_weight[effect.ice_rows]
    mean = np.average(shapes, axis=1, weights=weights)
    variance: Floats = np.average((shapes - mean[:, None]) ** 2, axis=1, weights=weights)
    total: Floats = np.average(shapes**2, axis=1, weights=weights).sum(axis=1)
    overall = np.sqrt(variance.mean(axis=1))
    moves = total > 1e-24 * (np.abs(effect.effect).max(axis=1) ** 2 + 1e-300) * shapes.shape[2]
    share = np.where(moves, variance.sum(axis=1) / np.where(moves, total, 1.0), np.nan)
    return Heterogeneity(np.sqrt(variance), overall, share)


def _shapes(effect: PartialDependence) -> Floats:
    """Individual curves less each one's own mean over the grid: shape (q, m, G)."""
    curves = effect.curves()
    if curves.ndim != 3:
        raise InputError("regions are of one feature's curves, got two features")
    return curves - curves.mean(axis=2, keepdims=True)


@dataclass(frozen=True)
class Region:
    """Rows on one side of a split, and their curve.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Rows of the data.
    share : float
        Of the weight.
    effect : ndarray of shape (G,)
    spread : float
        Root mean square spread of their curves' shapes, as `Heterogeneity.overall`.
    """

    rows: Ints
    share: float
    effect: Floats
    spread: float


@dataclass(frozen=True)
class Regions:
    """The split of the rows that leaves the least spread inside its two sides.

    Attributes
    ----------
    column : int or None
        None where no split was worth making.
    threshold : float or None
        The first region has values at most this; None for a split on a level.
    level : float or None
        The first region has other levels than this one, the second has it.
    missing_first : bool
        Whether rows without a value are in the first region.
    regions : tuple of Region
        Two, or none.
    spread : float
        Of all rows.
    reduction : float
        Part of the squared spread that the split removes, or the best one would, in [0, 1].
    status : {"split", "parallel", "no other feature", "small sides", "small reduction"}
        "small sides": no split leaves `min_share` of the rows on both. "small reduction": the best split removes less
        than `min_reduction`.
    min_share, min_reduction : float
        As passed to `find_regions`.
    """

    column: int | None
    threshold: float | None
    level: float | None
    missing_first: bool
    regions: tuple[Region, ...]
    spread: float
    reduction: float
    status: RegionsStatus
    min_share: float
    min_reduction: float


def find_regions(
    effect: PartialDependence,
    features: Floats,
    *,
    output: int = 0,
    categorical: frozenset[int] = frozenset(),
    among: frozenset[int] | None = None,
    min_share: float = 0.1,
    min_reduction: float = 0.1,
) -> Regions:
    """Split the rows once, on another feature, so that curves of one side are alike in shape.

    Parameters
    ----------
    effect : PartialDependence
        Of one feature, with individual curves.
    features : ndarray of shape (n_rows, n_columns)
        Numbers, or codes of levels in the columns named; NaN where missing. The effect's own column is not split.
    output : int, default=0
        Response.
    categorical : frozenset of int
        Columns of codes: each of their levels is tried against the others.
    among : frozenset of int, optional
        Columns that may split; None: all but the effect's own.
    min_share : float, default=0.1
        Share of the rows each side must have.
    min_reduction : float, default=0.1
        Part of the squared spread a split must remove to be reported.

    Returns
    -------
    Regions

    Notes
    -----
    A tree of depth one grown on the centred curves, all grid points as targets at once: its squared error is the
    squared spread summed over the grid. It is given the ranks of numbers, which are whole, and not their values, which
    it would round to float32.
    """
    shapes = _shapes(effect)
    if not 0 <= output < len(shapes):
        raise InputError(f"output must be one of 0 … {len(shapes) - 1}, got {output}")
    if features.ndim != 2 or len(features) != effect.n_rows:
        raise InputError(f"features must have one row for each of {effect.n_rows}, got shape {features.shape}")
    check_share(min_share, "min_share", open_low=True, open_high=True)
    check_share(min_reduction, "min_reduction")
    rows, curves = effect.ice_rows, effect.curves()[output]
    weights = effect.sample_weight[rows]
    spread = _spread(shapes[output], weights)
    allowed = set(range(features.shape[1]) if among is None else among) - {effect.columns[0]}
    candidates, column_of, level_of = _candidates(features[rows], sorted(allowed), categorical)
    rounding = ROUNDING * float(np.abs(curves).max())

    def unsplit(why: RegionsStatus, left: float, reduction: float = 0.0) -> Regions:
        return Regions(None, None, None, False, (), left, reduction, why, min_share, min_reduction)

    if spread <= rounding or not column_of:
        return unsplit("parallel" if column_of else "no other feature", spread if spread > rounding else 0.0)

    from sklearn.tree import DecisionTreeRegressor

    least = max(1, int(np.ceil(min_share * len(rows))))
    stump: Any = DecisionTreeRegressor(max_depth=1, min_samples_leaf=least, random_state=0)
    stump.fit(candidates, shapes[output], sample_weight=weights)
    leaf = np.asarray(stump.apply(candidates), dtype=np.int64)
    sides = [np.flatnonzero(leaf == 1), np.flatnonzero(leaf == 2)]
    if int(stump.tree_.node_count) == 1:
        return unsplit("small sides", spread)
    regions = tuple(
        Region(
            rows[side],
            float(weights[side].sum() / weights.sum()),
            np.asarray(np.average(curves[side], axis=0, weights=weights[side]), dtype=np.float64),
            _spread(shapes[output][side], weights[side], rounding),
        )
        for side in sides
    )
    left = sum(region.share * region.spread**2 for region in regions)
    reduction = max(0.0, 1 - left / spread**2)
    if reduction < min_reduction:
        return unsplit("small reduction", spread, reduction)
    best = int(stump.tree_.feature[0])
    column, level = column_of[best], level_of[best]
    threshold = _between(features[rows][:, column], float(stump.tree_.threshold[0])) if level is None else None
    holed = np.flatnonzero(np.isnan(features[rows][:, column]))
    missing_first = bool(len(holed) and leaf[holed[0]] == 1)
    return Regions(
        column, threshold, level, missing_first, regions, spread, reduction, "split", min_share, min_reduction
    )


def _spread(shapes: Floats, weights: Floats, rounding: float = 0.0) -> float:
    if effective_size(weights) == 0:
        return 0.0
    mean = np.average(shapes, axis=0, weights=weights)
    spread = float(np.sqrt(np.average(((shapes - mean) ** 2).mean(axis=1), weights=weights)))
    return spread if spread > rounding else 0.0


def _ranks(values: Floats) -> Floats:
    """Place of each value among those that occur, NaN where missing."""
    ranks: Floats = np.searchsorted(_present(values), values).astype(np.float64)
    return np.where(np.isnan(values), np.nan, ranks)


def _between(values: Floats, rank: float) -> float:
    """Middle of the two values that occur on both sides of a rank; the lower one where no number is between."""
    present = _present(values)
    below = int(np.clip(np.floor(rank), 0, len(present) - 1))
    low, high = float(present[below]), float(present[min(below + 1, len(present) - 1)])
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def _present(values: Floats) -> Floats:
    return np.unique(values[~np.isnan(values)])


def _candidates(
    features: Floats, allowed: list[int], categorical: frozenset[int]
) -> tuple[Floats, list[int], list[float | None]]:
    """Columns to split on, a column of levels once for each level; whose they are, and of which level."""
    columns: list[Floats] = []
    column_of: list[int] = []
    level_of: list[float | None] = []
    for column in allowed:
        values = features[:, column]
        if column not in categorical:
            columns.append(_ranks(values))
            column_of.append(column)
            level_of.append(None)
            continue
        for level in np.unique(values[~np.isnan(values)]):
            columns.append((values == level).astype(np.float64))
            column_of.append(column)
            level_of.append(float(level))
    return np.column_stack(columns) if columns else np.empty((len(features), 0)), column_of, level_of
