"""Where the values of an effect's feature lie in all rows, and a thousand of them that stand for these."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_sketch import QuantileSketch

Array = NDArray[np.float64]

DRAWN = 1000
"""Values that stand for the rows where a feature is drawn or described."""


@dataclass(frozen=True)
class FeatureValues:
    """The values of one feature, from chunks.

    Attributes
    ----------
    ranks : QuantileSketch
        Rows by value; the grid follows from these, whatever the rows weigh.
    masses : QuantileSketch or None
        Weight by value, rows of weight zero left out; None where rows are not weighted.
    missing : float
        Weight of the rows without a value; their number where rows are not weighted.
    """

    ranks: QuantileSketch
    masses: QuantileSketch | None
    missing: float

    @classmethod
    def of(cls, values: Array, weight: Array | None) -> "FeatureValues":
        """Read some rows; NaN marks one without a value."""
        missing = np.isnan(values)
        if weight is None:
            return cls(QuantileSketch.of(values), None, float(np.count_nonzero(missing)))
        counted = weight > 0
        masses = QuantileSketch.of(values[counted], weight[counted])
        return cls(QuantileSketch.of(values), masses, float(weight[missing].sum()))

    def __add__(self, other: "FeatureValues") -> "FeatureValues":
        """Return the values of both row sets."""
        masses = None if self.masses is None or other.masses is None else self.masses + other.masses
        return FeatureValues(self.ranks + other.ranks, masses, self.missing + other.missing)

    @property
    def extremes(self) -> tuple[float, float]:
        """Smallest and largest value; NaN without any."""
        ranks = self.ranks
        return (float(ranks.low[0]), float(ranks.high[-1])) if ranks.n else (np.nan, np.nan)

    @property
    def sample(self) -> Array:
        """A thousand values with the distribution of the rows as they are weighted; NaN for missing."""
        return sample_values(self.ranks if self.masses is None else self.masses, self.missing)


def sample_values(cells: QuantileSketch, missing: float) -> Array:
    """Return a thousand values with the distribution of cells, each of few different ones among them.

    Parameters
    ----------
    cells : QuantileSketch
    missing : float
        What rows without a value count, in the unit of the cells' counts; they are NaN.
    """
    total = cells.total + missing
    if not len(cells.low) or total <= 0:
        return np.full(DRAWN, np.nan)
    n = max(DRAWN - int(np.ceil(DRAWN * missing / total)), 2)
    if cells.n_distinct is not None and len(cells.low) <= DRAWN // 4:
        times = np.maximum(np.round(n * cells.count / cells.total), 1).astype(np.int64)
        times[np.argmax(times)] += n - times.sum()
        present = np.repeat(cells.low, np.maximum(times, 1))[:n]
    else:
        places = np.searchsorted(np.cumsum(cells.count), np.linspace(0, cells.total, n), side="right")
        present = cells.means[places.clip(max=len(cells.low) - 1)]
        present[[0, -1]] = cells.low[0], cells.high[-1]
    return np.append(present, np.full(DRAWN - len(present), np.nan))
