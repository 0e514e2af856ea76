"""Points of a sparse matrix in the few columns that can move: everywhere else they stay 0, as their start is."""

# SciPy's sparse containers are of two families and carry no types; scikit-learn ships none.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tauscope.boundary.diverse import N_NEIGHBOURS
from tauscope.boundary.planes.diagnostics import MAX_ROWS
from tauscope.boundary.rivals import METRICS, flips, nearest_of
from tauscope.boundary.space import Metric
from tauscope.weights.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class ActiveRows:
    """Rows of a sparse matrix in some columns; the model is asked about them in the matrix' full width.

    Attributes
    ----------
    matrix : csr_matrix or csr_array of shape (n_rows, width)
        Gives the family, the types of its values and indices, and the width.
    active : ndarray of shape (p,)
        The columns that points have, ascending.
    """

    matrix: Any
    active: Ints

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.matrix.shape[0])

    @property
    def n_columns(self) -> int:
        """Number of columns that points have."""
        return len(self.active)

    def column(self, column: int) -> Floats:
        """Values of one of the active columns, shape (n_rows,)."""
        return np.asarray(self.matrix[:, [int(self.active[column])]].toarray(), dtype=np.float64).ravel()

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Return rows that are `values` (m, k) in these of the active columns and 0 in all others, as CSR."""
        row, place = np.nonzero(values)
        indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(values)))])
        indices = self.active[np.asarray(columns)][place].astype(self.matrix.indices.dtype)
        stored = values[row, place]
        if self.matrix.dtype.kind == "f" or (stored == np.round(stored)).all():  # else between whole numbers
            stored = stored.astype(self.matrix.dtype)
        shape = (len(values), self.matrix.shape[1])
        return type(self.matrix)((stored, indices, indptr.astype(indices.dtype)), shape=shape)


def dense_part(rows: Any, active: Ints) -> Floats:
    """Return CSR rows in some columns, ascending, that hold all that is stored of them: shape (n, p)."""
    points = np.zeros((rows.shape[0], len(active)))
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    place = np.searchsorted(active, rows.indices)
    known = place < len(active)
    known[known] = active[place[known]] == rows.indices[known]
    points[row[known], place[known]] = rows.data[known]
    return points


def columns_used(rows: Any) -> Ints:
    """Return the columns in which any of CSR rows is not 0, ascending."""
    return np.unique(rows.indices[rows.data != 0]).astype(np.int64)


def nearest_sparse_rivals(
    metric: Metric, matrix: Any, pool_labels: Ints, queries: Any, labels: Ints, target: int | None, n_rivals: int
) -> list[Ints]:
    """Find the rows of a matrix decided otherwise that are nearest to each query, as `nearest_rivals` does.

    Parameters
    ----------
    metric : {"euclidean", "manhattan"}
    matrix : csr of shape (N, p)
    pool_labels : ndarray of shape (N,)
    queries : csr of shape (n, p)
    labels : ndarray of shape (n,)
        Their codes.
    target : int or None
    n_rivals : int

    Returns
    -------
    list of ndarray
        Positions in the matrix, the nearest first.
    """
    found: list[Ints] = [np.empty(0, dtype=np.int64)] * len(labels)
    for label in np.unique(labels):
        of_label = np.flatnonzero(labels == label)
        rivals = np.flatnonzero(flips(pool_labels, label, target))
        if len(rivals):
            orders = nearest_of(partial(_distances, metric), queries[of_label], matrix[rivals], n_rivals)
            for position, order in zip(of_label, orders, strict=True):
                found[position] = rivals[order]
    return found


def mean_sparse_distance(metric: Metric, matrix: Any, random_state: int) -> float:
    """Mean distance between rows of a matrix, or between some of many rows, as `mean_distance` of dense ones."""
    n = matrix.shape[0]
    if n < 2:
        return np.nan
    random = np.random.default_rng(random_state)
    rows = np.arange(n) if n <= MAX_ROWS else random.choice(n, MAX_ROWS, replace=False)
    apart = _distances(metric, matrix[rows], matrix[rows])
    return float(apart[np.triu_indices(len(rows), 1)].mean()) or np.nan


def sparse_plausibility(
    metric: Metric, matrix: Any, pool_labels: Ints, points: Any, labels: Ints
) -> tuple[Floats, Floats]:
    """Measure how near rows with the same decision are, and how dense they are there, as `plausibility`: both (m,)."""
    nearest, density = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
    for i, label in enumerate(labels):
        same = matrix[np.flatnonzero(pool_labels == label)]
        n_same = same.shape[0]
        if not n_same:
            continue
        away = _distances(metric, points[[i]], same)[0]
        nearest[i] = away.min()
        k = min(N_NEIGHBOURS, n_same - 1)
        if k < 1:
            continue
        around = np.argsort(away, kind="stable")[:k]
        theirs = np.sort(_distances(metric, same[around], same), axis=1)[:, 1 : k + 1].mean()
        own = away[around].mean()
        density[i] = theirs / own if own > 0 else np.inf
    return nearest, density


def _distances(metric: Metric, a: Any, b: Any) -> Floats:
    from sklearn.metrics import pairwise_distances  # loads pandas, which no engine may at import

    return np.asarray(pairwise_distances(a, b, metric=METRICS[metric]), dtype=np.float64)
