"""Values of some rows in some groups, and their weighted means: what windows and bins have in common."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from tauscope.effects.curves.intervals import Interval, Resampler
from tauscope.weights.arrays import Floats, Ints, sums_by

SINGLE = 1 + 1e-9  # effective rows up to which a group has but one


@dataclass(frozen=True)
class RaggedGroups:
    """m values, each of one row and one group; a row may be in none, one or many groups.

    Attributes
    ----------
    row : ndarray of shape (m,)
    group : ndarray of shape (m,)
        0 … n_groups-1.
    values : ndarray of shape (q, m)
    n_groups : int
    n_rows : int
    """

    row: Ints
    group: Ints
    values: Floats
    n_groups: int
    n_rows: int

    def counts(self) -> Ints:
        """Values in each group: shape (n_groups,)."""
        return np.bincount(self.group, minlength=self.n_groups).astype(np.int64)

    def mass(self, weights: Floats) -> Floats:
        """Weight in each group: shape (n_groups,)."""
        return sums_by(self.group, weights[self.row], self.n_groups)

    def means(self, weights: Floats) -> Floats:
        """Weighted mean of each group: shape (q, n_groups); NaN where a group has no weight."""
        mass = self.mass(weights)
        carried = weights[self.row]
        sums = np.stack([sums_by(self.group, carried * v, self.n_groups) for v in self.values])
        return sums / np.where(mass > 0, mass, np.nan)

    def sizes(self, weights: Floats) -> Floats:
        """Effective rows (Σw)²/Σw² in each group: shape (n_groups,)."""
        mass = self.mass(weights)
        squares = sums_by(self.group, weights[self.row] ** 2, self.n_groups)
        return mass**2 / np.where(squares > 0, squares, np.inf)

    def influence(self, weights: Floats) -> Floats:
        """Compute each value's share in the error of its group's mean: shape (q, m).

        w(v − mean)/Σw, enlarged by √(n/(n−1)), n the group's effective rows: the squares of a group add up to
        the variance of its mean. 0 for a group of one row.
        """
        mass, sizes, means = self.mass(weights), self.sizes(weights), self.means(weights)
        several = sizes > SINGLE
        factor = np.sqrt(sizes / np.where(several, sizes - 1, 1.0)) / np.where(mass > 0, mass, 1.0)
        factor = np.where(several, factor, 0.0)[self.group] * weights[self.row]
        return factor * (self.values - np.nan_to_num(means)[:, self.group])

    def variances(self, weights: Floats, *, pool: bool = False) -> Floats:
        """Variance of each group's mean over rows: shape (q, n_groups).

        NaN for a group of one row; with `pool`, the other groups' pooled variance of a row, as if its values
        had their spread. 0 for a group without weight under `pool`, else NaN.
        """
        squares = self.influence(weights) ** 2
        variances = np.stack([sums_by(self.group, v, self.n_groups) for v in squares])
        sizes = self.sizes(weights)
        several = sizes > SINGLE
        lonely = np.nan
        if pool and several.any():
            mass = self.mass(weights)[several]
            lonely = np.average(variances[:, several] * sizes[several], axis=1, weights=mass)[:, None]
        filled = np.where(several, variances, lonely)
        return np.where(sizes > 0, filled, 0.0 if pool else np.nan)

    @property
    def disjoint(self) -> bool:
        """Whether no row is in two groups."""
        return bool(len(self.row) == 0 or np.bincount(self.row).max() <= 1)

    def contrast_variances(self, weights: Floats, contrast: Floats) -> Floats:
        """Variances over rows of sums of the groups' means: (q, m) for a contrast of shape (m, n_groups)."""
        if self.disjoint:
            return self.variances(weights, pool=True) @ (contrast**2).T
        return np.einsum("gk,qkl,gl->qg", contrast, self.covariance(weights), contrast, optimize=True)

    def covariance(self, weights: Floats) -> Floats:
        """Covariance of the groups' means over rows: shape (q, n_groups, n_groups).

        Groups that share no row are uncorrelated. Its diagonal is `variances` with pooling.
        """
        variances, shape = self.variances(weights, pool=True), (self.n_rows, self.n_groups)
        matrices = [sparse.csr_array((v, (self.row, self.group)), shape) for v in self.influence(weights)]
        covariance = np.stack([(matrix.T @ matrix).toarray() for matrix in matrices])
        diagonal = np.arange(self.n_groups)
        covariance[:, diagonal, diagonal] = variances
        return covariance

    def resampled_means(self, weights: Floats, interval: Interval, seed: int) -> Floats:
        """Means over rows drawn again with replacement: shape (replicates, q, n_groups); NaN where empty."""
        resampler = Resampler(self.n_rows, interval.replicates, seed)
        shape = (self.n_rows, self.n_groups)
        member = sparse.csr_array((np.ones(len(self.row)), (self.row, self.group)), shape=shape)
        summed = [sparse.csr_array((v, (self.row, self.group)), shape=shape) for v in self.values]
        mass = np.zeros((interval.replicates, self.n_groups))
        sums = np.zeros((len(self.values), interval.replicates, self.n_groups))
        step = max(1, 4_000_000 // interval.replicates)
        for start in range(0, self.n_rows, step):
            rows = slice(start, min(start + step, self.n_rows))
            counts = resampler.counts(rows.stop - rows.start) * weights[rows]
            mass += counts @ member[rows]
            for response, matrix in enumerate(summed):
                sums[response] += counts @ matrix[rows]
        return np.moveaxis(sums / np.where(mass > 0, mass, np.nan), 0, 1)
