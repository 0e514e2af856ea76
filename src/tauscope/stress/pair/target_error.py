"""How far the targets of a surface would lie elsewhere in other rows, and how many rows lie at or beyond them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.influence import (
    Influence,
    count_beyond,
    of_mean,
    target_covariance,
    tau_basis,
    tau_coefficients,
)
from tauscope.stress.pair.pairs import Pairs

Array = NDArray[np.float64]

OF_COLUMN = 4
"""ψ of a column: of its mean, of either end of τ, and of the share of rows with a value."""


@dataclass(frozen=True)
class PairTargets:
    """What the two columns' targets of every τ rest on.

    Attributes
    ----------
    taus : ndarray of shape (T,)
    covariance : ndarray of shape (8, 8)
        Of the four ψ of either column.
    n_beyond : ndarray of shape (2, T)
        Rows at or beyond each target; effective ones where rows are weighted; ∞ at τ = 0.
    in_doubt : bool ndarray of shape (2, T)
    """

    taus: Array
    covariance: Array
    n_beyond: Array
    in_doubt: NDArray[np.bool_]

    @classmethod
    def of(cls, pairs: Pairs, columns: Sequence[Array], taus: Array, sample_weight: Array | None) -> "PairTargets":
        """Sum over the rows, and count them.

        Parameters
        ----------
        pairs : Pairs
        columns : two ndarrays of shape (n_rows,)
        taus : ndarray of shape (T,)
        sample_weight : ndarray of shape (n_rows,) or None
            Positive.
        """
        base = None if sample_weight is None else sample_weight / sample_weight.sum()
        influences: list[Influence | None] = []
        n_beyond: list[list[float]] = []
        in_doubt: list[NDArray[np.bool_]] = []
        for column, around, n_missing in zip(columns, pairs.around, pairs.n_missing, strict=True):
            observed = np.where(np.isnan(column), 0.0, 1.0) if n_missing else None
            share = None if observed is None else of_mean(observed, float(np.average(observed, weights=base)))
            influences += [*tau_basis(column, around), share]
            targets = around.target(taus).tolist()
            n_beyond.append([count_beyond(column, around.mean, target, base) for target in targets])
            in_doubt.append(around.in_doubt(taus))
        covariance = target_covariance(influences, len(columns[0]), base)
        return cls(taus, covariance, np.where(taus == 0, np.inf, n_beyond), np.stack(in_doubt))

    def of_cells(self, pairs: Pairs, cells: NDArray[np.integer]) -> Array:
        """Return the covariance of the means that φ shall have in some cells, shape (C, d, d)."""
        at = np.divmod(cells, len(self.taus))
        means = [around.target(self.taus)[places] for around, places in zip(pairs.around, at, strict=True)]
        z = [scale(mean) for scale, mean in zip(pairs.scale, means, strict=True)]
        rows, observed = np.zeros((2, len(cells), 2 * OF_COLUMN)), np.zeros((2, len(cells), 2 * OF_COLUMN))
        for j in (0, 1):
            first = OF_COLUMN * j
            rows[j, :, first : first + 3] = tau_coefficients(self.taus[at[j]]) / pairs.scale[j].unit
            observed[j, :, first + 3] = 1.0
        for j, follows in enumerate(pairs.observed_share[:, 1]):
            if follows:  # the share of rows with a value is what the other column says it is
                observed[j] = follows * rows[1 - j]
        for j in (0, 1):
            rows[j] += z[j][:, None] * observed[j]
        coordinates = np.einsum("jk,kcq->cjq", pairs.transform, rows)
        indicators = observed[list(pairs.indicator_columns)].transpose(1, 0, 2)
        influence = np.concatenate([coordinates, indicators], axis=1)
        return np.matmul(influence @ self.covariance, influence.transpose(0, 2, 1))

    def beyond_of_cells(self) -> Array:
        """Return the fewest rows at or beyond either target of each cell, shape (T, T)."""
        return np.minimum(self.n_beyond[0][:, None], self.n_beyond[1][None, :])

    def doubt_of_cells(self) -> NDArray[np.bool_]:
        """Return whether an end of τ is in doubt in each cell, shape (T, T)."""
        return self.in_doubt[0][:, None] | self.in_doubt[1][None, :]

    def unstressed(self) -> NDArray[np.bool_]:
        """Return where both columns keep their means, shape (T, T)."""
        still = self.taus == 0
        return still[:, None] & still[None, :]
