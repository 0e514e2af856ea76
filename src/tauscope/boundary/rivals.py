"""The nearest rows that are decided otherwise: where the search for the boundary starts."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist

from tauscope.boundary.space import Metric, Space
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

METRICS: dict[Metric, Literal["euclidean", "cityblock", "jaccard"]] = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "gower": "cityblock",
    "jaccard": "jaccard",
}
"""Names in SciPy; "gower" is Manhattan of the numbers alone."""
WORKING_BYTES = 64 * 2**20
MOST_COLUMNS = 100
"""Of Euclidean distances one by one, which round alike however rows are grouped."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows among which rivals are sought.

    Attributes
    ----------
    points : ndarray of shape (N, p)
    labels : ndarray of shape (N,)
        Codes of the classes decided for them.
    """

    points: Floats
    labels: Ints

    def __post_init__(self) -> None:
        if len(self.points) != len(self.labels):
            raise InputError(
                f"The pool of rivals must have one label a row; got {count(len(self.points), 'row')} and "
                f"{len(self.labels)}."
            )

    def levels(self, block: tuple[int, ...]) -> Floats:
        """Return the levels of a block that rows have and none is missing from: shape (n_levels, len(block))."""
        if block not in self._levels:
            levels = np.unique(self.points[:, list(block)], axis=0)
            self._levels[block] = levels[~np.isnan(levels).any(axis=1)]
        return self._levels[block]

    @cached_property
    def _levels(self) -> dict[tuple[int, ...], Floats]:
        return {}


def flips(labels: Ints, start: Ints, target: int | None) -> Bools:
    """Tell which labels are another decision than the start's, or the chosen one; shapes broadcast."""
    return labels != start if target is None else labels == target


def nearest_rivals(
    space: Space, pool: Pool, points: Floats, labels: Ints, target: int | None, n_rivals: int
) -> list[Ints]:
    """Find the rows of the pool decided otherwise that are nearest to each point.

    Parameters
    ----------
    space : Space
    pool : Pool
    points : ndarray of shape (n, p)
    labels : ndarray of shape (n,)
        Their codes.
    target : int or None
        The class looked for; None: any but the point's own.
    n_rivals : int
        Most rivals for each.

    Returns
    -------
    list of ndarray
        For each point positions in the pool, the nearest first; fewer than `n_rivals` where there are no more.
    """
    found: list[Ints] = [np.empty(0, dtype=np.int64)] * len(points)
    everything = space.embedded(np.concatenate([pool.points, points]))
    embedded, queries = everything[: len(pool.points)], everything[len(pool.points) :]
    for label in np.unique(labels):
        of_label = np.flatnonzero(labels == label)
        rivals = np.flatnonzero(flips(pool.labels, label, target))
        if len(rivals):
            for position, order in zip(
                of_label,
                nearest_of(partial(pairwise, space), queries[of_label], embedded[rivals], n_rivals),
                strict=True,
            ):
                found[position] = rivals[order]
    return found


def nearest_of(pairwise: Callable[[Any, Any], Floats], queries: Any, rivals: Any, n_rivals: int) -> list[Ints]:
    """Rank the nearest rivals of each query by distances of all pairs, in chunks of bounded memory."""
    n = rivals.shape[0]
    k = min(n_rivals, n)
    n_rows = max(1, WORKING_BYTES // (8 * n))
    found: list[Ints] = []
    for first in range(0, queries.shape[0], n_rows):
        distances = pairwise(queries[first : first + n_rows], rivals)
        # by distance, then by place in the pool, so that equal distances fall out alike however rows are grouped
        nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
        nearest.sort(axis=1)
        order = np.argsort(np.take_along_axis(distances, nearest, axis=1), axis=1, kind="stable")
        found.extend(np.take_along_axis(nearest, order, axis=1))
    return found


def pairwise(space: Space, queries: Floats | Bools, rivals: Floats | Bools) -> Floats:
    """Distances of all pairs of embedded points; of Euclidean ones over many columns by products of matrices."""
    if space.metric == "gower":
        n = len(space.numbers)
        numbers, n_blocks = cdist(queries[:, :n], rivals[:, :n], "cityblock"), len(space.blocks)
        if not n_blocks:
            return numbers
        return numbers + cdist(queries[:, n:], rivals[:, n:], "hamming") * (n_blocks / space.n_parts)
    if space.metric != "euclidean" or rivals.shape[1] <= MOST_COLUMNS:
        return cdist(queries, rivals, METRICS[space.metric])
    from sklearn.metrics import pairwise_distances  # loads pandas, which no engine may at import

    return pairwise_distances(queries, rivals, metric=METRICS[space.metric])
