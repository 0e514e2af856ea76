"""Margins of rows that come in chunks: `tauscope.stress.towards.margins` from sums over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.joint.products import over_rows
from tauscope.stress.sums.chunk import MapReduce
from tauscope.stress.towards.margins import Margin, Margins

Array = NDArray[np.float64]


class ValuedRows(Protocol):
    """Some of the rows."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    def values(self, name: str) -> Array:
        """Return one number per row, NaN where there is none."""
        ...

    @property
    def weight(self) -> Array | None:
        """Sample weights, some above zero; None where rows are not weighted."""
        ...


@dataclass(frozen=True)
class RowTotals:
    """How many rows there are.

    Attributes
    ----------
    n_counted : int
        Rows of weight above zero.
    total, squares : float
        Of their weights, and of the weights squared; 1 each where rows are not weighted.
    """

    n_counted: int
    total: float
    squares: float

    @classmethod
    def of(cls, chunk: ValuedRows) -> "RowTotals":
        """Count the rows of a chunk."""
        weight = weight_of(chunk)
        return cls(int(np.count_nonzero(weight)), float(weight.sum()), float(weight @ weight))

    def __add__(self, other: "RowTotals") -> "RowTotals":
        """Return the same of both sets of rows."""
        return RowTotals(self.n_counted + other.n_counted, self.total + other.total, self.squares + other.squares)

    @property
    def small_sample(self) -> float:
        """M / (m - 1) of m effective rows."""
        size = self.total**2 / self.squares
        return size / max(size - 1, 1.0)


@dataclass(frozen=True)
class FeatureSums:
    """What a pass tells of features.

    Attributes
    ----------
    rows : RowTotals
    observed, first : ndarray of shape (p,)
        Weight of the rows with a value, and Σ v x over them.
    low, high : ndarray of shape (p,)
        Of the values of rows of weight above zero; ±∞ of none.
    """

    rows: RowTotals
    observed: Array
    first: Array
    low: Array
    high: Array

    def __add__(self, other: "FeatureSums") -> "FeatureSums":
        """Return the same of both sets of rows."""
        return FeatureSums(
            self.rows + other.rows,
            self.observed + other.observed,
            self.first + other.first,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )

    @property
    def means(self) -> Array:
        """Over the rows with a value; NaN where there is none."""
        return np.where(self.observed > 0, self.first / np.where(self.observed > 0, self.observed, 1.0), np.nan)


def sum_features(chunk: ValuedRows, names: Sequence[str]) -> FeatureSums:
    """Sum features over some rows."""
    weight = weight_of(chunk)
    observed, first = np.zeros(len(names)), np.zeros(len(names))
    low, high = np.full(len(names), np.inf), np.full(len(names), -np.inf)
    for j, name in enumerate(names):
        values = chunk.values(name)
        known = ~np.isnan(values) & (weight > 0)
        if known.any():
            observed[j], first[j] = weight[known].sum(), weight[known] @ values[known]
            low[j], high[j] = values[known].min(), values[known].max()
    return FeatureSums(RowTotals.of(chunk), observed, first, low, high)


def measure_chunked_margins(
    which: Sequence[Margin], features: FeatureSums, names: Sequence[str], total: MapReduce, *, spread: bool
) -> Margins:
    """Measure margins, as `measure_margins` does from the rows.

    Parameters
    ----------
    which : sequence of Margin
    features : FeatureSums
        Of all rows, of the features named, among them those of the margins.
    names : sequence of str
    total : MapReduce
        Passes over the chunks: one for variances and covariances, one for the spread.
    spread : bool

    Returns
    -------
    Margins
    """
    means = dict(zip(names, features.means.tolist(), strict=True))
    known = dict(zip(names, features.observed.tolist(), strict=True))
    second = [margin for margin in which if margin.kind in ("variance", "covariance")]
    products = total(_sum_margins, tuple(second), means, plus=np.add) if second else np.zeros((0, 2))
    of_second = dict(zip(second, products, strict=True))
    for margin, (observed_weight, _) in of_second.items():
        if not observed_weight > 0:
            raise InputError(
                f"No row has a value in {' and in '.join(margin.features)}, so that there is no {margin.kind}. Leave "
                f"{margin.kind!r} out of moments, or name other features."
            )
    wanted = [
        float(of_second[one][1] / of_second[one][0]) if one in of_second else means[one.features[0]] for one in which
    ]
    if not spread:
        return Margins.given(which, wanted)
    weight = [float(of_second[one][0]) if one in of_second else known[one.features[0]] for one in which]
    observed = np.array(weight) / features.rows.total
    influence = MarginInfluence(tuple(which), np.array(wanted), means, observed)
    squares = total(_sum_influence, influence, features.rows.total, plus=np.add)
    return Margins(tuple(which), np.array(wanted), squares * features.rows.small_sample)


@dataclass(frozen=True)
class MarginInfluence:
    """What each row adds to margins, ψ; see `tauscope.stress.towards.margins.measure_margins`."""

    which: tuple[Margin, ...]
    wanted: Array
    means: dict[str, float]
    observed: Array

    def __call__(self, chunk: ValuedRows) -> Array:
        """Return ψ of some rows, shape (n_rows, k), 0 where a row has no value."""
        out = np.zeros((chunk.n_rows, len(self.which)))
        for j, margin in enumerate(self.which):
            about = margin.about(chunk.values, self.means.__getitem__)
            out[:, j] = np.nan_to_num((about - self.wanted[j]) / self.observed[j])
        return out


def weight_of(chunk: ValuedRows) -> Array:
    """Return the weight of each row, 1 where rows are not weighted."""
    return np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight


def _sum_margins(chunk: ValuedRows, which: Sequence[Margin], means: dict[str, float]) -> Array:
    """Sum the weight of the rows with a value, and what each margin is the mean of, shape (k, 2)."""
    weight, out = weight_of(chunk), np.zeros((len(which), 2))
    for j, margin in enumerate(which):
        about = margin.about(chunk.values, means.__getitem__)
        known = ~np.isnan(about)
        out[j] = weight[known].sum(), weight[known] @ about[known]
    return out


def _sum_influence(chunk: ValuedRows, influence: MarginInfluence, total: float) -> Array:
    psi = influence(chunk).T * (weight_of(chunk) / total)
    return over_rows(psi, psi)
