"""Rows of another sample that no row here is like: farther from all of them than these are from each other."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Array = NDArray[np.float64]

MOST = 2_000
"""Rows of each sample that are compared."""
RARE = 0.01
"""Share of the rows here that lie as far from the others."""


class Unlike(NamedTuple):
    """How many rows of a new sample no row here is like.

    Attributes
    ----------
    share : float
        Of the new rows compared, those whose nearest row here is farther than all but `RARE` of the rows here are from
        their nearest other; about `RARE` where both samples are of one population. NaN of fewer than 3 rows.
    rows : ndarray of int
        Their positions in the new sample, the farthest first.
    n_compared : int
        New rows compared, a seeded sample where there are more than `MOST`.
    """

    share: float
    rows: NDArray[np.int64]
    n_compared: int


def find_unlike(here: Array, new: Array, *, random_state: int = 0) -> Unlike:
    """Compare the rows of two samples by their nearest rows here.

    Parameters
    ----------
    here : ndarray of shape (n_rows, d)
        Coordinates in which distances are Euclidean.
    new : ndarray of shape (n_new, d)
        In the same.
    random_state : int
        Seed of the rows compared.

    Returns
    -------
    Unlike
    """
    rng = np.random.default_rng(random_state)
    # both are looked up in the same rows: in fewer, neighbours lie farther
    chosen, others = _split(len(here), rng)
    if len(chosen) < 3:
        return Unlike(float("nan"), np.zeros(0, np.int64), 0)
    tree = cKDTree(here[chosen])
    own = _nearest(tree, here[others], 1) if len(others) else _nearest(tree, here[chosen], 2)
    limit = float(np.quantile(own, 1 - RARE, method="higher"))
    asked = np.sort(rng.choice(len(new), min(len(new), MOST), replace=False))
    distance = _nearest(tree, new[asked], 1)
    far = np.flatnonzero(distance > limit * (1 + 1e-9))
    order = far[np.argsort(-distance[far], kind="stable")]
    return Unlike(len(far) / len(asked), asked[order], len(asked))


def _nearest(tree: cKDTree, rows: Array, which: int) -> Array:
    """Return the distance of each row to the nearest in the tree, or with 2 to the nearest but itself."""
    return np.asarray(tree.query(rows, k=[which])[0], np.float64)[:, 0]


def _split(n_rows: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows to look up in, and others to look up; no others where all rows are few enough."""
    if n_rows <= MOST:
        return np.arange(n_rows), np.zeros(0, np.int64)
    drawn = rng.permutation(n_rows)
    return drawn[:MOST], drawn[MOST : 2 * MOST]
