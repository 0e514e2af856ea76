"""The columns of Φ for rows in chunks: what each is made of, its values in a chunk, and a summary over all chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.column.far_values import SAMPLE
from tauscope.stress.column.target import TauRange
from tauscope.stress.joint.constraints import Constraint, Covariance, Mean, Moment, Share, Variance
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.influence import NO_MOVE
from tauscope.stress.joint.moments import feature_of
from tauscope.stress.joint.products import over_rows
from tauscope.stress.joint.terms import Term
from tauscope.stress.sums.chunk import CountedRows, RowChunk

Array = NDArray[np.float64]

MOST_SAMPLED = 16 * SAMPLE
"""Rows of Φ kept of all chunks."""


@dataclass(frozen=True)
class MomentColumn:
    """One column of Φ before gaps are filled.

    Attributes
    ----------
    term : Term
    features : tuple of str
        Features it is made of.
    about : tuple of float
        Means that a variance or covariance is taken about.
    moment : tuple of (Moment, int), or None
        The function and its output that give the column.
    around : TauRange or None
        What τ means, where it moves a mean.
    tau : float
    present_mean : float
        Of a variance that is moved by a factor, the mean it has now.
    slope : float
        How the target follows the present mean.
    """

    term: Term
    features: tuple[str, ...]
    about: tuple[float, ...] = ()
    moment: tuple[Moment, int] | None = None
    around: TauRange | None = None
    tau: float = 0.0
    present_mean: float = 0.0
    slope: float = 1.0

    def raw(self, chunk: RowChunk) -> Array:
        """Return the column for some rows, NaN where a row has no value."""
        values = (
            chunk.values(self.features[0]) if self.moment is None else chunk.moment(self.moment[0])[:, self.moment[1]]
        )
        match self.term.kind:
            case "variance":
                return (values - self.about[0]) ** 2
            case "covariance":
                return (values - self.about[0]) * (chunk.values(self.features[1]) - self.about[1])
            case "rows":
                return np.where(np.isnan(values), 0.0, 1.0)
            case _:
                return values

    def influence(self, chunk: RowChunk) -> Array:
        """Return what each row adds to the target, ψ, NaN where a row has no value; 0 for a target in units."""
        if self.term.aim == "given":
            return np.zeros(chunk.n_rows)
        if self.around is not None:
            return self.around.influence(chunk.values(self.features[0]), self.tau)
        if self.term.kind == "variance":
            squared = (chunk.values(self.features[0]) - self.present_mean) ** 2
            return self.term.required / self.term.present * (squared - self.term.present)
        return self.slope * (self.raw(chunk) - self.term.present)


def phi_of(chunk: RowChunk, columns: Sequence[MomentColumn]) -> Array:
    """Return Φ for some rows, shape (n_rows, k), gaps filled with the required value."""
    phi = np.empty((chunk.n_rows, len(columns)), order="F")
    for j, moment_column in enumerate(columns):
        values = moment_column.raw(chunk)
        phi[:, j] = np.where(np.isnan(values), moment_column.term.required, values)
    return phi


def columns_of(
    constraint: Constraint,
    means: dict[str, float],
    present_means: dict[str, float],
    products: dict[tuple[str, str], Array],
    ranges: Mapping[str, TauRange],
) -> list[MomentColumn]:
    """Return the columns of one constraint; means that it is taken about are added to `means`."""
    if isinstance(constraint, Mean | Share):
        name = feature_of(constraint)
        kind = "mean" if isinstance(constraint, Mean) else "share"
        term = Term(kind, name, means[name], present_means[name])
        moved = constraint._from_present(term.present)
        if moved is not None:
            aim = "moved" if term.required != term.present else "kept"
            return [MomentColumn(replace(term, aim=aim), (name,), slope=moved[1])]
        if constraint.tau is None:
            return [MomentColumn(term, (name,))]
        aim = "moved" if constraint.tau else "kept"
        tau, around = float(constraint.tau), ranges.get(name)
        return [MomentColumn(replace(term, aim=aim), (name,), around=around, tau=tau)]
    if isinstance(constraint, Variance):
        name = constraint.feature
        total_weight, product_sum = products[name, name].tolist()
        present, required, aim = product_sum / total_weight, constraint.target, "given"
        if required is None:
            assert constraint.scale is not None
            required, aim = constraint.scale * present, "kept" if constraint.scale == 1 else "moved"
        about = means.setdefault(name, present_means[name])
        term = Term("variance", name, float(required), present, aim=aim)
        return [MomentColumn(term, (name,), (about,), present_mean=present_means[name])]
    if isinstance(constraint, Covariance):
        a, b = constraint.a, constraint.b
        total_weight, product_sum = products[a, b].tolist()
        about = means.setdefault(a, present_means[a]), means.setdefault(b, present_means[b])
        present = product_sum / total_weight if total_weight else float("nan")
        return [MomentColumn(Term("covariance", f"{a} and {b}", float(constraint.target), present), (a, b), about)]
    assert isinstance(constraint, Moment)
    return [
        MomentColumn(Term("moment", name, target, present_means[name]), (name,), (), (constraint, j))
        for j, (name, target) in enumerate(zip(moment_names(constraint), constraint.targets, strict=True))
    ]


def moment_names(constraint: Moment) -> list[str]:
    """Name the columns of a moment."""
    several = len(constraint.targets) > 1
    return [f"{constraint.quantity}[{j}]" if several else constraint.quantity for j in range(len(constraint.targets))]


def fill_observed_shares(
    columns: list[MomentColumn],
    ranks: dict[str, QuantileSketch],
    products: dict[tuple[str, str], Array],
    total: float,
    required: set[str],
) -> list[MomentColumn]:
    """Note in each column which share of all weight has a value, and return columns that hold these shares."""
    missing_features: list[str] = []
    for j, column in enumerate(columns):
        with_missing = [name for name in column.features if ranks[name].n_missing]
        missing_features += [name for name in with_missing if name not in missing_features]
        if with_missing:
            observed_weight = (
                ranks[column.features[0]].total
                if len(column.features) == 1
                else products[column.features[0], column.features[1]][0]
            )
            columns[j] = replace(column, term=replace(column.term, observed=float(observed_weight / total)))
    out: list[MomentColumn] = []
    for name in missing_features:
        if not required & {f"{name} = missing", f"{name} = missing (no value)"}:
            share = ranks[name].total / total
            moment = next(
                (column.moment for column in columns if column.features == (name,) and column.moment is not None), None
            )
            out.append(MomentColumn(Term("rows", name, share, share, held=True, aim="kept"), (name,), (), moment))
    return out


@dataclass(frozen=True)
class MomentTotals:
    """Mean, covariance and range of Φ over some rows, to be added.

    Attributes
    ----------
    total : float
        Weight of the rows; their number where they are not weighted.
    summary : MomentSummary
    observed_range : ndarray of shape (k, 2)
        Smallest and largest value of each column before gaps were filled.
    observed : ndarray of shape (k, 3)
        Σ v, Σ v (x - p) and Σ v (x - p)² over the rows with a value, p being the present mean of the column.
    influence : ndarray of shape (k, k)
        Σ v² ψψᵀ of what rows of weight v add to the targets.
    beyond : ndarray of shape (k, 2, 2)
        Σ v and Σ v² of the rows at or below each target, and of those at or above.
    sample : ndarray of shape (n, k)
        Some rows of Φ, as many of each chunk.
    """

    total: float
    summary: MomentSummary
    observed_range: Array
    observed: Array
    influence: Array
    beyond: Array
    sample: Array

    def __add__(self, other: "MomentTotals") -> "MomentTotals":
        """Return the same of both sets of rows."""
        total = self.total + other.total
        summary = merge_summaries(self.summary, other.summary, other.total / total)
        low, high = (
            np.fmin(self.observed_range[:, 0], other.observed_range[:, 0]),
            np.fmax(self.observed_range[:, 1], other.observed_range[:, 1]),
        )
        return MomentTotals(
            total,
            summary,
            np.stack([low, high], 1),
            self.observed + other.observed,
            self.influence + other.influence,
            self.beyond + other.beyond,
            _thin(np.concatenate([self.sample, other.sample])),
        )

    def deviations(self) -> Array:
        """Return the standard deviation of each column over the rows with a value, shape (k,)."""
        weight, first, second = self.observed.T
        return np.sqrt(np.maximum(second / weight - (first / weight) ** 2, 0.0))

    def n_beyond(self, terms: Sequence[Term]) -> float:
        """Return the rows at or beyond a target in the direction of its move, the fewest of several; ∞ without one."""
        fewest = np.inf
        for term, mean, sums in zip(terms, self.summary.mean.tolist(), self.beyond, strict=True):
            # with gaps filled by the required value the mean is off, but on the same side
            if term.aim != "kept" and abs(term.required - mean) > NO_MOVE * max(1.0, abs(term.required)):
                total, squared = sums[int(term.required > mean)].tolist()
                fewest = min(fewest, total**2 / squared if squared else 0.0)
        return float(fewest)


def total_moments(chunk: RowChunk, columns: Sequence[MomentColumn]) -> MomentTotals:
    """Summarise Φ over some rows."""
    counted = CountedRows.of(chunk)
    phi = phi_of(chunk, columns)[counted.rows]
    weight = np.ones(len(phi)) if counted.weight is None else counted.weight
    observed_range, beyond = np.full((len(columns), 2), np.nan), np.zeros((len(columns), 2, 2))
    sums = np.zeros((len(columns), 3))
    for j, moment_column in enumerate(columns):
        values = moment_column.raw(chunk)[counted.rows]
        observed = ~np.isnan(values)
        if observed.any():
            observed_range[j] = values[observed].min(), values[observed].max()
            v, away = weight[observed], values[observed] - moment_column.term.present
            sums[j] = v.sum(), v @ away, v @ away**2
        required = moment_column.term.required
        slack = NO_MOVE * max(1.0, abs(required))
        for side, there in enumerate((values <= required + slack, values >= required - slack)):
            beyond[j, side] = weight[there].sum(), np.square(weight[there]).sum()
    psi = np.stack([moment_column.influence(chunk)[counted.rows] for moment_column in columns])
    psi = np.where(np.isnan(psi), 0.0, psi) * weight
    return MomentTotals(
        counted.total,
        summarise_moments(phi, counted.base),
        observed_range,
        sums,
        over_rows(psi, psi),
        beyond,
        phi[:: max(1, len(phi) // SAMPLE)],
    )


def merge_summaries(a: MomentSummary, b: MomentSummary, share: float) -> MomentSummary:
    """Return the summary of both row sets, of which the second has a share of the weight."""
    mean_shift = b.mean - a.mean
    covariance = (
        (1 - share) * a.covariance + share * b.covariance + share * (1 - share) * np.outer(mean_shift, mean_shift)
    )
    return MomentSummary(
        a.mean + share * mean_shift,
        np.sqrt(np.maximum(np.diag(covariance), 0.0)),
        np.minimum(a.low, b.low),
        np.maximum(a.high, b.high),
        covariance,
    )


def _thin(sample: Array) -> Array:
    return sample[:: 1 + len(sample) // MOST_SAMPLED]
