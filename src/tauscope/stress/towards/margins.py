"""What is known of another population: means, shares, variances and covariances, and how precisely."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.products import over_rows
from tauscope.weights.measures import effective_size_of_shares

Array = NDArray[np.float64]
MarginKind = Literal["mean", "share", "variance", "covariance"]
Values = Callable[[str], Array]


class Margin(NamedTuple):
    """One of them: its kind, and the one feature, or two, that it is about."""

    kind: MarginKind
    features: tuple[str, ...]

    @property
    def subject(self) -> str:
        """Return "age", "sex = Female", or "age and hours"."""
        return " and ".join(self.features)

    @property
    def name(self) -> str:
        """Return "mean of age"."""
        return f"{self.kind} of {self.subject}"

    def about(self, values: Values, centre: Callable[[str], float]) -> Array:
        """Return what the margin is the mean of, shape (n_rows,): x, (x - m)² or (a - m_a)(b - m_b); NaN is missing."""
        first, last = self.features[0], self.features[-1]
        if self.kind in ("mean", "share"):
            return values(first)
        return (values(first) - centre(first)) * (values(last) - centre(last))


@dataclass(frozen=True, eq=False)
class Margins:
    """Numbers that a population shall have.

    Attributes
    ----------
    which : tuple of Margin
        Each once; the means of those with a variance or covariance are among them.
    wanted : ndarray of shape (k,)
        Over the rows that have a value.
    covariance : ndarray of shape (k, k)
        Of `wanted`, as other samples of the same size would put them; 0 where they are given as they are.
    """

    which: tuple[Margin, ...]
    wanted: Array
    covariance: Array

    @classmethod
    def given(cls, which: Sequence[Margin], wanted: Sequence[float]) -> "Margins":
        """Return margins that are known without error, as those of a census or a plan."""
        return cls(tuple(which), np.array(wanted, np.float64), np.zeros((len(which), len(which))))


def measure_margins(
    which: Sequence[Margin], values: Values, n_rows: int, sample_weight: Array | None, *, spread: bool = True
) -> Margins:
    """Measure margins of a sample.

    Parameters
    ----------
    which : sequence of Margin
        Each has rows with a value; the means of those with a variance or covariance are among them.
    values : callable
        Name of a feature → ndarray of shape (n_rows,), NaN where a row has no value.
    n_rows : int
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    spread : bool
        Whether the covariance is measured, which takes k² products a row; else it is 0.

    Returns
    -------
    Margins

    Notes
    -----
    Row j of share v adds v_j ψ_j to a margin, ψ = (g - wanted) / (share of the rows with a value), g as `Margin.about`
    has it. The covariance is Σ v² ψψᵀ, times m / (m - 1) for m effective rows.
    """
    share = _shares(n_rows, sample_weight)
    wanted, influence = margin_influence(which, values, share, spread=spread)
    if influence is None:
        return Margins.given(which, wanted)
    influence *= share
    covariance = over_rows(influence, influence) * small_sample(share)
    return Margins(tuple(which), np.array(wanted), covariance)


def margin_influence(
    which: Sequence[Margin], values: Values, share: Array, *, spread: bool = True
) -> tuple[list[float], Array | None]:
    """Return margins of a sample, and ψ of each row, 0 where it has no value; `share` sums to 1.

    Returns
    -------
    wanted : list of float
    influence : ndarray of shape (k, n_rows), or None
        None without `spread`.
    """
    wanted: list[float] = []
    influence = np.zeros((len(which) if spread else 0, len(share)))
    means: dict[str, float] = {}
    for j, margin in enumerate(which):
        about = margin.about(values, means.__getitem__)
        observed = ~np.isnan(about)
        weight = share[observed]
        total = float(weight.sum())
        wanted.append(float(weight @ about[observed]) / total)
        if spread:
            influence[j, observed] = (about[observed] - wanted[-1]) / total
        if margin.kind in ("mean", "share"):
            means[margin.features[0]] = wanted[-1]
    return wanted, influence if spread else None


def small_sample(share: Array) -> float:
    """Return m / (m - 1) of m effective rows."""
    size = effective_size_of_shares(share)
    return size / max(size - 1, 1.0)


def _shares(n_rows: int, sample_weight: Array | None) -> Array:
    return np.full(n_rows, 1 / n_rows) if sample_weight is None else sample_weight / sample_weight.sum()
