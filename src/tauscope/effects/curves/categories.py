"""Levels without an order, put in one: neighbours are levels whose rows resemble each other."""

import numpy as np

from tauscope.effects.curves.grids import Grid
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints


def order_by_similarity(rows: Rows, column: int, grid: Grid, categorical: frozenset[int]) -> Ints:
    """Order the levels of a feature by how alike the other features are.

    The distance of two levels is the sum, over the other features, of the Kolmogorov-Smirnov distance (numeric)
    or half the L1 distance of level shares (categorical, missing a level), between the rows of one and of the
    other. The order is that along the first axis of classical scaling. Row weights take no part, so that a
    curve under stress keeps its axis.

    Parameters
    ----------
    rows : Rows
    column : int
        The feature.
    grid : Grid
        Its levels, in any order; a NaN stands for missing.
    categorical : frozenset of int
        Columns whose values are codes of levels.

    Returns
    -------
    ndarray of shape (G,)
        Positions in `grid.values`; the lower code first where the two directions are equal.
    """
    levels = level_positions(rows.column(column), grid.values)
    distance = np.zeros((len(grid), len(grid)))
    for other in range(rows.n_columns):
        if other == column:
            continue
        values = rows.column(other)
        if other in categorical:
            distance += _share_distances(values, levels, len(grid))
        else:
            distance += _step_distances(values, levels, len(grid))
    return _first_axis(distance)


def level_positions(values: Floats, levels: Floats) -> Ints:
    """Position of each row's level among `levels`; −1 for a level that is not there."""
    positions = np.full(len(values), -1, dtype=np.int64)
    for position, level in enumerate(levels):
        positions[np.isnan(values) if np.isnan(level) else values == level] = position
    return positions


def _shares(table: Floats) -> Floats:
    totals = table.sum(axis=1, keepdims=True)
    return table / np.where(totals > 0, totals, 1.0)


def _counts(codes: Ints, levels: Ints, n_levels: int) -> Floats:
    """Rows of each level with each code: shape (n_levels, n_codes)."""
    n_codes = int(codes.max()) + 1
    present = levels >= 0
    flat = np.bincount(levels[present] * n_codes + codes[present], minlength=n_levels * n_codes)
    return flat.reshape(n_levels, n_codes).astype(np.float64)


def _share_distances(values: Floats, levels: Ints, n_levels: int) -> Floats:
    _, codes = np.unique(values, return_inverse=True)
    shares = _shares(_counts(codes.astype(np.int64), levels, n_levels))
    return 0.5 * np.stack([np.abs(shares - row).sum(axis=1) for row in shares])


def _step_distances(values: Floats, levels: Ints, n_levels: int) -> Floats:
    present = ~np.isnan(values)
    if not present.any():
        return np.zeros((n_levels, n_levels))
    edges = np.unique(values[present])
    if len(edges) > 1_000:  # the distance is read at these points: exact below, within 0.001 above
        edges = np.unique(np.quantile(values[present], np.linspace(0, 1, 1_000), method="inverted_cdf"))
    codes = np.searchsorted(edges, values[present]).astype(np.int64)
    codes = np.minimum(codes, len(edges) - 1)
    steps = np.cumsum(_shares(_counts(codes, levels[present], n_levels)), axis=1)
    return np.stack([np.abs(steps - row).max(axis=1) for row in steps])


def _first_axis(distance: Floats) -> Ints:
    """Order along the axis of classical scaling that keeps most of the squared distances."""
    n = len(distance)
    centre = np.eye(n) - 1.0 / n
    _, vectors = np.linalg.eigh(-0.5 * centre @ distance**2 @ centre)
    axis = vectors[:, -1]
    order = np.argsort(axis, kind="stable")
    if order[0] > order[-1]:
        order = np.argsort(-axis, kind="stable")
    return order.astype(np.int64)
