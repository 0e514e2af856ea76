"""Curves along τ adjusted for the other columns, so that a correlated column is not mistaken for the cause."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.prediction.batches import Over
from tauscope.stress.column.sketch import Scale
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.curves import OF_METRICS, Curves
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.feasibility import select_independent
from tauscope.stress.joint.influence import Influence, count_beyond, target_covariance, tau_basis, tau_coefficients
from tauscope.stress.joint.solver import Solution, shares, solve
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import CODES, Support, judge
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import divergence_ratio, effective_size_of_shares, total_variation_of_shares

Array = NDArray[np.float64]
Hold = Literal["means", "uncorrelated"]
_Adjusted = tuple[dict[str, NDArray[Any]], NDArray[np.str_], tuple[int, ...]]


@dataclass(frozen=True)
class AdjustedCurves:
    """Curves under joint stresses, and which of those the rows allow.

    Attributes
    ----------
    curves : Curves
        NaN where no weights meet all constraints.
    status : ndarray of shape (p, T), of str
        "solved"; "limit", on the surface of what the rows allow; "outside", beyond it; "unconverged".
    tied : tuple of tuple of int, length p
        For each moved column, the held columns that are linear functions of it and others, so that it cannot
        move at all.
    """

    curves: Curves
    status: NDArray[np.str_]
    tied: tuple[tuple[int, ...], ...]


def adjusted_curves(
    columns: Sequence[Array],
    outcomes: Outcomes,
    *,
    hold: Hold,
    taus: Array,
    moved: Sequence[int] | None = None,
    adjusted_for: Sequence[int] | None = None,
    groups: Sequence[object] | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: Sequence[str] | None = None,
    sample_weight: Array | None = None,
    over: Over = map,
) -> AdjustedCurves:
    """Move one column's mean at a time while the others' means stay, and compute every metric.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        float64, NaN where a row has no value; it then keeps its share of the weight.
    outcomes : Outcomes
    hold : {"means", "uncorrelated"}
        "means" holds the means of all other columns; "uncorrelated" also makes their covariance with the moved
        one zero.
    taus : ndarray of shape (T,)
        In [-1, 1].
    moved : sequence of int or None
        Columns to move, one after another; all by default.
    adjusted_for : sequence of int or None
        Columns to hold; all by default. The moved one is not.
    groups : sequence or None
        One label per column. Columns that share one (the levels of a categorical) are not held while one of them
        moves. By default each column is its own.
    quantile, confidence, metrics, sample_weight
        As in `tauscope.stress.curves.stress_curves`.
    over : callable
        Applies a function to the moved columns as `map` does; it can show them, stop, and work on several cores.

    Returns
    -------
    AdjustedCurves

    Raises
    ------
    InputError
        A moved column with fewer than two different values.

    Notes
    -----
    One projection per column and τ with Φ = (x_j, x_l, (x_j - m_j)(x_l - m_l)) over all l ≠ j: the means of x_l
    are held, so that a zero mean of the product is a zero covariance at every mean of x_j. Each starts from the
    multipliers of its neighbours along τ. What the rows allow is convex: beyond the first τ out of reach, all are.
    Held columns that follow from others (one level of several) say nothing new and are left out.

    The means that are held are estimated from the rows, as is the target of τ, and both are part of the intervals; a
    covariance of 0 is 0 in any rows. With "means" τ = 0 is no stress at all, and has the plain interval.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", §4.3.2 and Figure 6.
    """
    columns, outcomes, base = read_rows(columns, outcomes, sample_weight)
    quantities, available = define_quantities(outcomes, names=metrics or ())
    selected = choose(available, metrics)
    labels = list(range(len(columns))) if groups is None else list(groups)
    moved = range(len(columns)) if moved is None else moved
    adjusted_for = range(len(columns)) if adjusted_for is None else adjusted_for
    if not len(moved):
        raise InputError("Curves need at least one column; got none.")
    taus = np.asarray(taus, np.float64)
    others_of = [[i for i in adjusted_for if i != j and labels[i] != labels[j]] for j in moved]
    adjust = partial(_adjust_one_column, columns, hold, base, taus, quantile, confidence, quantities, selected)
    by_column: list[_Adjusted] = list(over(adjust, list(zip(moved, others_of, strict=True))))
    joined = {name: np.stack([result[0][name] for result in by_column]) for name in by_column[0][0]}
    return AdjustedCurves(
        Curves(taus, selected, **joined),  # pyright: ignore[reportArgumentType]
        np.stack([result[1] for result in by_column]),
        tuple(result[2] for result in by_column),
    )


def read_rows(
    columns: Sequence[Array], outcomes: Outcomes, sample_weight: Array | None
) -> tuple[Sequence[Array], Outcomes, Array | None]:
    """Return the rows that count, and the shares of their weight; None where these are equal."""
    if sample_weight is None:
        return columns, outcomes, None
    rows = np.flatnonzero(sample_weight > 0)
    if len(rows) < len(sample_weight):
        columns, outcomes, sample_weight = [c[rows] for c in columns], outcomes.take(rows), sample_weight[rows]
    return columns, outcomes, sample_weight / sample_weight.sum()


def tau_range_of(column: Array, quantile: float, base: Array | None) -> TauRange:
    """Return the means that τ stands for, over the rows with a value."""
    observed = ~np.isnan(column)
    return tau_range(column[observed], quantile, None if base is None else base[observed])


class AdjustedMoments:
    """Φ of one moved column and those it is adjusted for, at every mean of the moved one."""

    def __init__(
        self, moved: Array, adjusted_for: Sequence[Array], hold: Hold, base: Array | None, around: TauRange
    ) -> None:
        n = len(moved)
        self.moved, self.adjusted_for = moved, adjusted_for
        gaps = np.isnan(moved)
        observed = np.where(gaps, 0.0, 1.0)
        centred = [_centre_column(column, base) for column in adjusted_for]
        self.observed = 1.0 if not gaps.any() else _mean(observed, base)
        self.centre = Scale.of(moved[~gaps], around, None if base is None else base[~gaps]).centre
        of_moved = [np.where(gaps, 0.0, moved - self.centre)]
        of_moved += [observed - self.observed] if gaps.any() else []
        n_columns = len(of_moved) + len(centred) * (2 if hold == "uncorrelated" else 1)
        phi = np.empty((n, n_columns), order="F")
        for column, values in enumerate(of_moved + centred):
            phi[:, column] = values
        self.products = slice(len(of_moved) + len(centred), n_columns)
        for column, values in enumerate(centred[: n_columns - self.products.start], self.products.start):
            np.multiply(of_moved[0], values, out=phi[:, column])
        self.product_slopes = None
        # (x_l - m_l)(x_j - m) is linear in the mean m: one base and one slope give every target without new products
        if gaps.any() and hold == "uncorrelated":  # with gaps, E[x_l] over the rows with x_j is not held at 0
            self.product_slopes = np.asfortranarray(np.stack(centred, axis=1) * observed[:, None]) if centred else None
            self.base_products = phi[:, self.products].copy(order="F")
        self.base = base
        summary = summarise_moments(phi, base)
        self.selected, tied = select_independent(summarise_bulk(phi, summary.mean, base, summary))
        first = len(of_moved)
        self.tied = tuple(sorted({(j - first) % max(len(centred), 1) for j in tied if j >= first}))
        self.phi = phi if len(self.selected) == n_columns else np.asfortranarray(phi[:, self.selected])
        self.summary = summarise_moments(self.phi, base)
        basis = tau_basis(moved, around)
        basis += [_of_centred(observed - self.observed)] if gaps.any() else []
        self.n_of_moved, self.n_others = len(basis), len(centred)
        self.covariance = target_covariance([*basis, *map(_of_centred, centred)], n, base)
        self.keeps_products = self.product_slopes is None and hold == "uncorrelated"
        self.holds_only = hold == "means" or not centred

    def target_covariance(self, tau: float, mean: float) -> Array:
        """Return the covariance of the targets at a τ, which stands for a mean; shape (k, k)."""
        move, n_of_moved = mean - self.centre, self.n_of_moved
        of_moved = np.zeros((n_of_moved - 2, n_of_moved))
        of_moved[0, :3] = tau_coefficients(np.array(tau))
        if n_of_moved > 3:  # the share of rows with a value
            of_moved[0, 3], of_moved[1, 3] = move, 1.0
        others = np.eye(self.n_others)
        rows = np.zeros((self.products.stop, n_of_moved + self.n_others))
        rows[: len(of_moved), :n_of_moved] = of_moved
        rows[len(of_moved) : self.products.start, n_of_moved:] = others
        if self.keeps_products:  # products about m_j, not about the mean that is required of the column
            rows[self.products, n_of_moved:] = move * others
        rows = rows[self.selected]
        return rows @ self.covariance @ rows.T

    def slope(self, share: Array) -> Array:
        """Return the derivative of the targets by the mean of the moved column; of shape (k,)."""
        out = np.zeros(self.products.stop)
        out[0] = self.observed
        if self.product_slopes is not None:
            out[self.products] = share @ self.product_slopes
        return out[self.selected]

    def of_held(self, mean: float, slopes: Array) -> Array:
        """Return ⟨b, ψ⟩ of each row, what it adds to the targets but for a mean that is given; b of shape (k,)."""
        of_targets, move = np.zeros(self.products.stop), mean - self.centre
        of_targets[self.selected] = slopes
        first = self.products.start - self.n_others
        out = np.zeros(len(self.moved))
        if first > 1:
            out += (of_targets[0] * move + of_targets[1]) * (np.where(np.isnan(self.moved), 0.0, 1.0) - self.observed)
        of_others = of_targets[first : self.products.start].copy()
        if self.keeps_products:
            of_others += move * of_targets[self.products]
        for slope, column in zip(of_others.tolist(), self.adjusted_for, strict=True):
            out += slope * _centre_column(column, self.base)
        return out

    def at_mean(self, mean: float) -> tuple[Array, Array, MomentSummary]:
        """Return Φ, its targets and its summary for a mean of the moved column."""
        target = np.zeros(len(self.selected))
        target[0] = (mean - self.centre) * self.observed
        if self.product_slopes is not None:
            products = self.base_products - (mean - self.centre) * self.product_slopes
            for place, column in enumerate(self.selected):
                if column >= self.products.start:
                    self.phi[:, place] = products[:, column - self.products.start]
            self.summary = summarise_moments(self.phi, self.base)
        return self.phi, target, self.summary


def _adjust_one_column(
    columns: Sequence[Array],
    hold: Hold,
    base: Array | None,
    taus: Array,
    quantile: float,
    confidence: float,
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    unit: tuple[int, Sequence[int]],
) -> _Adjusted:
    """Return the curves of one moved column, their status, and the columns it depends on."""
    j, others = unit
    x = columns[j]
    around = tau_range_of(x, quantile, base)
    moments = AdjustedMoments(x, [columns[i] for i in others], hold, base, around)
    targets = around.target(taus)
    per_tau, per_metric = (len(taus),), (len(metrics), len(taus))
    out: dict[str, NDArray[Any]] = {
        name: np.full(per_tau, np.nan) for name in ("multiplier", "ess", "pareto_k", "kl", "tv")
    }
    out |= {"n_carriers": np.zeros(per_tau), "carried": np.zeros(per_tau)}
    out |= {name: np.full(per_metric, np.nan) for name in OF_METRICS}
    out |= {"reason": np.full(per_metric, CODES["undefined"], np.int8), "amount": np.zeros(per_metric)}
    status = np.full(len(taus), "outside", dtype="U11")
    for t, solution, phi, target in _solve_along_taus(moments, taus, targets):
        status[t] = solution.status
        if solution.status not in ("solved", "limit"):
            continue
        share = shares(solution.log_tilt, base)
        unstressed = 1 / len(share) if base is None else base
        positive = share > 0
        out["multiplier"][t] = solution.multipliers[0]
        out["ess"][t] = effective_size_of_shares(share)
        out["kl"][t] = max(float(share[positive] @ solution.log_tilt[positive]), 0.0)
        out["tv"][t] = total_variation_of_shares(share, unstressed)
        out["pareto_k"][t] = pareto_khat(share, base)
        out["n_carriers"][t], out["carried"][t] = few_carriers(share, base)
        tau = float(taus[t])
        estimates = joint_estimates(
            quantities,
            metrics,
            phi,
            target,
            share,
            moments.target_covariance(tau, float(targets[t])),
            unstressed=tau == 0 and moments.holds_only,
        )
        support = Support(
            np.array(np.inf if tau == 0 else count_beyond(x, around.mean, float(targets[t]), base)),
            around.in_doubt(taus[t : t + 1])[0],
            out["pareto_k"][t],
            divergence_ratio(out["kl"][t], out["tv"][t], moments.observed),
        )
        for i, (metric, estimate) in enumerate(zip(metrics, estimates, strict=True)):
            ends = analytic_interval(metric, estimate, confidence, len(x))
            numbers = (estimate.value, estimate.error, *ends, *judge(metric, estimate, support))
            for name, number in zip(OF_METRICS, numbers, strict=True):
                out[name][i, t] = number
    out["target"], out["reached"], out["mean"] = targets, np.array(around.reached), np.array(around.mean)
    out["n_missing"] = np.array(np.count_nonzero(np.isnan(x)))
    return out, status, tuple(others[i] for i in moments.tied)


def _solve_along_taus(
    moments: AdjustedMoments, taus: Array, targets: Array
) -> Iterator[tuple[int, Solution, Array, Array]]:
    """Solve at each τ from 0 outwards, from extrapolated multipliers; stop where the targets leave the hull."""
    for side in (np.flatnonzero(taus >= 0), np.flatnonzero(taus < 0)[::-1]):
        steps: list[tuple[float, Array]] = [(0.0, np.zeros(len(moments.selected)))]
        for t in side.tolist():
            tau = float(taus[t])
            if moments.tied and tau != 0:
                return
            phi, target, summary = moments.at_mean(float(targets[t]))
            if (target < summary.low).any() or (target > summary.high).any():
                break
            solution = solve(phi, target, moments.base, summary, _extrapolate(steps, tau), 1e-10, 100)
            yield t, solution, phi, target
            if solution.status in ("outside", "limit"):
                break
            if solution.status == "solved":
                steps.append((tau, solution.multipliers))


def _extrapolate(steps: list[tuple[float, Array]], tau: float) -> Array:
    """Extrapolate multipliers along τ from the last two."""
    latest_tau, latest = steps[-1]
    if len(steps) == 1 or latest_tau == steps[-2][0]:
        return latest
    previous_tau, previous = steps[-2]
    return latest + (latest - previous) * (tau - latest_tau) / (latest_tau - previous_tau)


def _centre_column(column: Array, base: Array | None) -> Array:
    """Deviations from the mean of the rows with a value, 0 for the others."""
    observed = ~np.isnan(column)
    return np.where(observed, column - _mean(column[observed], None if base is None else base[observed]), 0.0)


def _of_centred(values: Array) -> Influence:
    return lambda rows: values[rows]


def _mean(values: Array, weight: Array | None) -> float:
    return float(values[0] + np.average(values - values[0], weights=weight)) if values.size else 0.0
