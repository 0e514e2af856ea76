"""The features of a study that can be moved together, and what τ means for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import UnknownName
from tauscope.results.stress.notes import FeatureNotes
from tauscope.stress.column.tau_end import TauEnd

if TYPE_CHECKING:
    from tauscope.data.features import Feature

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StressColumns:
    """The features that sliders offer, with the means that τ = -1, 0 and 1 stand for.

    Attributes
    ----------
    features : tuple of Feature
        Each can be moved; in the order of the study's columns unless requested in another.
    low, mean, high : ndarray of shape (n_features,)
        Means over the rows with a value at τ = -1, 0 and 1, in each feature's unit; low < mean < high.
    ends : tuple of pairs of TauEnd
        How each feature's `low` and `high` follow the rows.
    sd : ndarray of shape (n_features,)
        Standard deviations without stress over the same rows; positive.
    n_missing : ndarray of int, shape (n_features,)
        Rows without a value.
    held : frozenset of str
        Features whose means stay where others' means shall, unless a feature of their own column is moved; see
        `tauscope.study.stress.adjusted`.
    notes : tuple of FeatureNotes
        What is unusual about each feature's τ.
    skipped : tuple of (str, str)
        Features left out, with the reason.
    quantile : float
        τ = -1 and τ = 1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise.
    n_rows : int
    sample_weight : ndarray of shape (n_rows,) or None
        Mean 1.
    """

    features: tuple[Feature, ...]
    low: Array
    mean: Array
    high: Array
    ends: tuple[tuple[TauEnd, TauEnd], ...]
    sd: Array
    n_missing: NDArray[np.int64]
    held: frozenset[str]
    notes: tuple[FeatureNotes, ...]
    skipped: tuple[tuple[str, str], ...]
    quantile: float
    n_rows: int
    sample_weight: Array | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    def place(self, name: str) -> int:
        """Position of a feature.

        Raises
        ------
        UnknownName
            For a name that is not there, with the nearest ones.
        """
        if name not in self.names:
            raise UnknownName.among("feature", name, self.names)
        return self.names.index(name)

    def target(self, name: str, tau: float) -> float:
        """Return the mean that τ in [-1, 1] asks of a feature, in its unit."""
        k = self.place(name)
        end = self.low[k] if tau < 0 else self.high[k]
        return float(end if abs(tau) == 1 else self.mean[k] + abs(tau) * (end - self.mean[k]))

    def standardised(self, which: int) -> Array:
        """Values of a feature less its mean, in standard deviations; shape (n_rows,), NaN where there is none."""
        return (self.features[which].values() - self.mean[which]) / self.sd[which]
