"""Values of some rows in some groups, and their weighted means: what windows and bins have in common."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from tauscope.effects.curves.intervals import Interval, Resampler
from tauscope.weights.arrays import Floats, Ints, sums_by
from tauscope.weights.measures import effective_size

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
        return self.summed(weights[self.row] * self.values) / np.where(mass > 0, mass, np.nan)

    def sizes(self, weights: Floats) -> Floats:
        """Effective rows (Σw)²/Σw² in each group: shape (n_groups,)."""
        return self._mass_and_sizes(weights[self.row])[1]

    def _mass_and_sizes(self, carried: Floats) -> tuple[Floats, Floats]:
        mass, squares = (sums_by(self.group, w, self.n_groups) for w in (carried, carried**2))
        return mass, mass**2 / np.where(squares > 0, squares, np.inf)

    def influence(self, weights: Floats) -> Floats:
        """Compute each value's share in the error of its group's mean: shape (q, m).

        w(v − mean)/Σw, enlarged by √(n/(n−1)), n the group's effective rows: the squares of a group add up to
        the variance of its mean. 0 for a group of one row.
        """
        carried = weights[self.row]
        return self._influence(carried, *self._mass_and_sizes(carried))

    def _influence(self, carried: Floats, mass: Floats, sizes: Floats) -> Floats:
        positive = np.where(mass > 0, mass, 1.0)
        means = self.summed(carried * self.values) / positive
        several = sizes > SINGLE
        factor = np.where(several, np.sqrt(sizes / np.where(several, sizes - 1, 1.0)) / positive, 0.0)
        return factor[self.group] * carried * (self.values - means[:, self.group])

    def variances(self, weights: Floats, *, pool: bool = False) -> Floats:
        """Variance of each group's mean over rows: shape (q, n_groups).

        NaN for a group of one row; with `pool`, the other groups' pooled variance of a row, as if its values
        had their spread. 0 for a group without weight under `pool`, else NaN.
        """
        carried = weights[self.row]
        mass, sizes = self._mass_and_sizes(carried)
        return self._variances(self._influence(carried, mass, sizes), mass, sizes, pool=pool)

    def _variances(self, influence: Floats, mass: Floats, sizes: Floats, *, pool: bool) -> Floats:
        variances = self.summed(influence**2)
        several = sizes > SINGLE
        lonely = np.nan
        if pool and several.any():
            lonely = np.average(variances[:, several] * sizes[several], axis=1, weights=mass[several])[:, None]
        filled = np.where(several, variances, lonely)
        return np.where(sizes > 0, filled, 0.0 if pool else np.nan)

    @property
    def disjoint(self) -> bool:
        """Whether no row is in two groups."""
        return bool(len(self.row) == 0 or np.bincount(self.row).max() <= 1)

    def contrast_variances(self, weights: Floats, contrast: Floats, centring: Floats | None = None) -> Floats:
        """Variances over rows of sums of the groups' means: (q, m) for a contrast of shape (m, n_groups).

        `centring` (q, n_rows) is each row's share in the error of a mean that is subtracted from all of them.
        """
        carried = weights[self.row]
        mass, sizes = self._mass_and_sizes(carried)
        influence = self._influence(carried, mass, sizes)
        variances = self._variances(influence, mass, sizes, pool=True)
        if self.disjoint:
            variance = variances @ (contrast**2).T
        else:
            covariance = self._covariance(influence, variances)
            variance = np.einsum("gk,qkl,gl->qg", contrast, covariance, contrast, optimize=True)
        if centring is None:
            return variance
        influence *= centring[:, self.row]
        return variance + np.einsum("qn,qn->q", centring, centring)[:, None] - 2 * self.summed(influence) @ contrast.T

    def summed(self, values: Floats) -> Floats:
        """Add up one number (q, m) for each value, group by group: shape (q, n_groups)."""
        return np.stack([sums_by(self.group, v, self.n_groups) for v in values])

    def covariance(self, weights: Floats) -> Floats:
        """Covariance of the groups' means over rows: shape (q, n_groups, n_groups).

        Groups that share no row are uncorrelated. Its diagonal is `variances` with pooling.
        """
        return self._covariance(self.influence(weights), self.variances(weights, pool=True))

    def _covariance(self, influence: Floats, variances: Floats) -> Floats:
        shape = (self.n_rows, self.n_groups)
        matrices = [sparse.csr_array((v, (self.row, self.group)), shape) for v in influence]
        covariance = np.stack([(matrix.T @ matrix).toarray() for matrix in matrices])
        diagonal = np.arange(self.n_groups)
        covariance[:, diagonal, diagonal] = variances
        return covariance

    def resampled_means(self, weights: Floats, interval: Interval, seed: int) -> Floats:
        """Means over rows drawn again with replacement: shape (replicates, q, n_groups); NaN where empty."""
        return self.resampled(weights, interval, seed)[0]

    def resampled(
        self, weights: Floats, interval: Interval, seed: int, shares: sparse.csr_array | None = None
    ) -> tuple[Floats, Floats]:
        """Compute `resampled_means`, and the weight that the same draws put on other groups.

        Parameters
        ----------
        weights, interval, seed
            As in `resampled_means`.
        shares : sparse array of shape (n_rows, k), optional
            How much of each row is in each of k other groups.

        Returns
        -------
        means : ndarray of shape (replicates, q, n_groups)
        mass : ndarray of shape (replicates, k)
        """
        resampler = Resampler(self.n_rows, interval.replicates, seed)
        shape = (self.n_rows, self.n_groups)
        member = sparse.csr_array((np.ones(len(self.row)), (self.row, self.group)), shape=shape)
        summed = [sparse.csr_array((v, (self.row, self.group)), shape=shape) for v in self.values]
        mass = np.zeros((interval.replicates, self.n_groups))
        sums = np.zeros((len(self.values), interval.replicates, self.n_groups))
        other = np.zeros((interval.replicates, 0 if shares is None else shares.shape[1]))
        step = max(1, 4_000_000 // interval.replicates)
        for start in range(0, self.n_rows, step):
            rows = slice(start, min(start + step, self.n_rows))
            counts = resampler.counts(rows.stop - rows.start) * weights[rows]
            mass += counts @ member[rows]
            for response, matrix in enumerate(summed):
                sums[response] += counts @ matrix[rows]
            if shares is not None:
                other += counts @ shares[rows]
        return np.moveaxis(sums / np.where(mass > 0, mass, np.nan), 0, 1), other


def mean_influence(values: Floats, weights: Floats) -> Floats:
    """Compute each row's share in the error of the weighted mean of (q, m) values over all m rows: shape (q, m).

    As `RaggedGroups.influence` of one group that holds them all.
    """
    size = effective_size(weights)
    if size <= SINGLE:
        return np.zeros_like(values)
    share = weights / weights.sum()
    return np.sqrt(size / (size - 1)) * share * (values - (values @ share)[:, None])
