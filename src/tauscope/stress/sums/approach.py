"""The way to another population for rows that come in chunks: `tauscope.stress.towards.approach` from passes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.joint.dual import Descent, DualPoint, MomentSummary, descend
from tauscope.stress.joint.faces import direction_at_bound, span_of_face
from tauscope.stress.joint.feasibility import select_independent
from tauscope.stress.joint.influence import NO_MOVE
from tauscope.stress.joint.solver import MORE, THIN, smallest_eigenvalue_ratio
from tauscope.stress.joint.terms import Term
from tauscope.stress.sums.balance import balance_of, sum_balance
from tauscope.stress.sums.bulk_totals import Near, summarise_chunked_bulk
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.margins import RowTotals
from tauscope.stress.sums.moment_columns import MomentColumn, MomentTotals, phi_of, total_moments
from tauscope.stress.sums.projection import ChunkedDual
from tauscope.stress.sums.tilt import Coordinates, FaceTilt, Plane, beyond_sums, sum_coordinates, sum_dual
from tauscope.stress.towards.approach import (
    HEAVY,
    MET,
    NOTABLE,
    PRICE,
    Approached,
    ApproachStatus,
    is_consistent,
    of_columns,
)
from tauscope.stress.towards.margins import Margins
from tauscope.stress.towards.penalised import penalise

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ChunkedApproach(Approached):
    """Weights that bring margins to those of another population, or towards them, without the rows.

    Attributes
    ----------
    tilt : FaceTilt
        The weights.
    target_covariance : ndarray of shape (n_columns, n_columns)
    n_beyond, moved_share : float
    unstressed : bool
    penalty : ndarray of shape (n_columns,) or None
        As in `tauscope.stress.joint.terms.Moments`.
    balance : ndarray of shape (p, 4)
        Of each feature named, mean and standard deviation before, mean under the weights, and weight before of the
        rows with a value.
    """

    tilt: FaceTilt
    target_covariance: Array
    n_beyond: float
    moved_share: float
    unstressed: bool
    penalty: Array | None
    balance: Array


def approach_chunked(
    margins: Margins,
    present: Margins,
    total: MapReduce,
    rows: RowTotals,
    *,
    amount: float,
    price: float | None,
    features: Sequence[str],
    centres: Array,
) -> ChunkedApproach:
    """Find the weights closest to the present ones whose margins are those wanted, or as near as a price makes them.

    Parameters
    ----------
    margins, present : Margins
        Those wanted, and those of these rows, with their covariance where the amount is below 1.
    total : MapReduce
        Passes over the chunks: one for each of Newton's steps, three more, and two for each face.
    rows : RowTotals
        Of all rows.
    amount, price
        As in `tauscope.stress.towards.approach.approach`.
    features : sequence of str
        Whose means are compared before and after.
    centres : ndarray of shape (p,)
        Their present means.

    Raises
    ------
    InputError
        For margins at the edge of what the rows allow, other than at the bounds of one, which needs the rows.
    """
    required = present.wanted + amount * (margins.wanted - present.wanted)
    columns = _columns(margins, present, required, amount)
    totals = total(total_moments, columns, plus=MomentTotals.__add__)
    low, high = totals.observed_range.T
    summary = replace(summarise_chunked_bulk(columns, totals, required, total), low=low, high=high)
    sd = summary.sd if summary.of_bulk else totals.deviations()
    unit = sd * totals.observed[:, 0] / totals.total
    varies = np.flatnonzero(low < high).tolist()
    basis = select_independent(summary, varies)[0]
    used, found = basis, None
    if price is None and is_consistent(required, summary, basis, varies):
        # a level that the other sample lacks may be one that follows: a bound all the same
        at_bound = direction_at_bound(required[varies], of_columns(summary, varies)) is not None
        found = _meet(columns, varies if at_bound else basis, required, summary, total, rows.total)
    reached = None if found is None else _reach(found, required, features, centres, total)
    if found is None or reached is None or not reached.observed.all():
        used, price = varies, PRICE if price is None else price
        found = _come_near(columns, varies, required, unit, price, total, rows.total)
        reached = _reach(found, required, features, centres, total)
    tilt, status, iterations = found
    offset = reached.offset / np.where(reached.observed > 0, reached.observed, 1.0)
    achieved, missed = required + offset, offset / np.where(sd > 0, sd, 1.0)
    unmet = np.abs(missed) > MET
    if (status == "reached" and price is not None) or (unmet.any() and status != "unconverged"):
        status = "nearest"
    k = max(len(used), 1)
    covariance, follow = np.zeros((k, k)), np.zeros((len(required), k))
    if used:
        both = (1 - amount) ** 2 * present.covariance + amount**2 * margins.covariance
        covariance = both[np.ix_(used, used)] * np.outer(reached.observed[used], reached.observed[used])
        follow[used, range(len(used))] = amount * reached.observed[used]
    return ChunkedApproach(
        present=present.wanted,
        required=required,
        achieved=achieved,
        low=low,
        high=high,
        missed=missed,
        follows=~np.isin(np.arange(len(required)), basis),
        follow=follow,
        price=price,
        kl=max(reached.kl, 0.0),
        iterations=iterations,
        status=status,
        tilt=replace(tilt, of=tuple(used), means=tuple((required + reached.offset)[used].tolist())),
        target_covariance=covariance,
        n_beyond=_count_beyond(tilt, used, present.wanted, achieved, sd, total),
        moved_share=float(reached.observed[used].max(initial=0.0)) or 1.0,
        unstressed=all(columns[j].term.aim == "kept" for j in used),
        penalty=None if price is None or not used else unit[used] ** 2 / price,
        balance=reached.means(centres),
    )


def _columns(margins: Margins, present: Margins, required: Array, amount: float) -> tuple[MomentColumn, ...]:
    means = {
        margin.features[0]: float(mean)
        for margin, mean in zip(margins.which, required, strict=True)
        if margin.kind in ("mean", "share")
    }
    out: list[MomentColumn] = []
    for j, margin in enumerate(margins.which):
        known = margins.covariance[j, j] == 0 and amount == 1
        aim = "kept" if amount == 0 else "given" if known else "moved"
        term = Term(margin.kind, margin.subject, float(required[j]), float(present.wanted[j]), aim=aim)
        second = margin.kind in ("variance", "covariance")
        out.append(
            MomentColumn(term, margin.features, tuple(means[name] for name in margin.features) if second else ())
        )
    return tuple(out)


_Found = tuple[FaceTilt, ApproachStatus, int]


def _meet(
    columns: tuple[MomentColumn, ...],
    chosen: list[int],
    required: Array,
    summary: MomentSummary,
    total: MapReduce,
    weight: float,
) -> _Found | None:
    """Solve for the targets themselves; None where no weights meet them, or none could be found."""
    coordinates = Coordinates(columns, tuple(chosen), (), required[chosen])
    if not chosen:
        return FaceTilt(coordinates, np.zeros(0), 0.0, weight), "reached", 0
    inner, on_face = of_columns(summary, chosen), weight
    while (direction := direction_at_bound(coordinates.target, inner)) is not None:
        cut = _cut(coordinates, direction, inner, total)
        if cut is None:
            return None
        coordinates, on_face, of_face = cut
        if of_face is None:
            return FaceTilt(coordinates, np.zeros(0), float(np.log(on_face / weight)), weight), "limit", 0
        inner = of_face

    def dual(multipliers: Array) -> DualPoint:
        return total(sum_dual, coordinates, multipliers, plus=ChunkedDual.__add__).point

    most = 100 * (MORE if inner.of_bulk else 1)
    descent = descend(dual, np.zeros(len(coordinates.target)), inner.sd, tol=1e-10, max_iterations=most)
    if descent.outcome != "converged":
        return None
    if smallest_eigenvalue_ratio(descent.point.hessian, inner) <= THIN:
        raise InputError(
            "The margins lie at the edge of what these rows allow, where only some of them keep weight; finding which "
            "needs the rows in memory. Name a price, which comes near: price=10; or use sample().towards(…)."
        )
    tilt = _tilt(coordinates, descent, descent.point.value, on_face, weight)
    return tilt, "limit" if coordinates.planes else "reached", descent.iterations


def _cut(
    coordinates: Coordinates, direction: Array, summary: MomentSummary, total: MapReduce
) -> tuple[Coordinates, float, MomentSummary | None] | None:
    """Cut the rows down to those farthest along a direction; None where the target does not lie among them.

    Returns
    -------
    coordinates : Coordinates
    weight : float
        Of the rows that are left.
    summary : MomentSummary or None
        Of their coordinates; None where there is none.
    """
    k = len(coordinates.target)
    plane = Plane(coordinates.target, direction, summary.sd, np.eye(k))
    whole = replace(coordinates, planes=(*coordinates.planes, plane), target=np.zeros(k))
    on_face = total(sum_coordinates, whole, plus=Near.__add__)
    if on_face.summary is None:
        return None
    free, within, consistent = span_of_face(on_face.summary)
    if not consistent:
        return None
    plane = replace(plane, to_inner=np.eye(k)[:, free] @ within)
    inner = replace(whole, planes=(*coordinates.planes, plane), target=np.zeros(within.shape[1]))
    if not within.shape[1]:
        return inner, on_face.total, None
    return inner, on_face.total, total(sum_coordinates, inner, plus=Near.__add__).summary


def _come_near(
    columns: tuple[MomentColumn, ...],
    varies: list[int],
    required: Array,
    unit: Array,
    price: float,
    total: MapReduce,
    weight: float,
) -> _Found:
    """Solve with a price on what is missed."""
    coordinates = Coordinates(columns, tuple(varies), (), required[varies])
    if not varies:
        return FaceTilt(coordinates, np.zeros(0), 0.0, weight), "reached", 0
    curvature = unit[varies] ** 2 / price

    def dual(multipliers: Array) -> DualPoint:
        return penalise(
            total(sum_dual, coordinates, multipliers, plus=ChunkedDual.__add__).point, multipliers, curvature
        )

    descent = descend(dual, np.zeros(len(varies)), unit[varies], tol=1e-10, max_iterations=200)
    value = descent.point.value - float(curvature @ descent.multipliers**2) / 2
    status = "reached" if descent.outcome == "converged" else "unconverged"
    return _tilt(coordinates, descent, value, weight, weight), status, descent.iterations


def _tilt(coordinates: Coordinates, descent: Descent, value: float, on_face: float, weight: float) -> FaceTilt:
    return FaceTilt(coordinates, descent.multipliers, value + float(np.log(on_face / weight)), weight)


def _reach(found: _Found, required: Array, features: Sequence[str], centres: Array, total: MapReduce) -> "_Reached":
    return total(_sum_reached, found[0], required, tuple(features), centres, plus=_Reached.__add__)


@dataclass(frozen=True)
class _Reached:
    """Where the weights lead, summed over some rows.

    Attributes
    ----------
    offset, observed : ndarray of shape (k,)
        Σ share (Φ - required), gaps filled with what is required, and Σ share over the rows with a value.
    kl : float
    sums : ndarray of shape (p, 5)
        Of each feature Σ b, Σ b (x - c), Σ b (x - c)², Σ share and Σ share (x - c), b being the shares before.
    """

    offset: Array
    observed: Array
    kl: float
    sums: Array

    def __add__(self, other: "_Reached") -> "_Reached":
        return _Reached(
            self.offset + other.offset,
            self.observed + other.observed,
            self.kl + other.kl,
            self.sums + other.sums,
        )

    def means(self, centres: Array) -> Array:
        """Return the rows of `ChunkedApproach.balance`."""
        return balance_of(self.sums, centres)


def _sum_reached(chunk: RowChunk, tilt: FaceTilt, required: Array, features: Sequence[str], centres: Array) -> _Reached:
    phi = phi_of(chunk, tilt.coordinates.columns)
    before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / tilt.total
    logs = tilt.logs(phi, before)
    share = before * np.exp(logs)
    held = share > 0
    observed = [float(share[~np.isnan(column.raw(chunk))].sum()) for column in tilt.coordinates.columns]
    sums = sum_balance(chunk, features, centres, before, share)
    return _Reached(share @ (phi - required), np.array(observed), float(share[held] @ logs[held]), sums)


def _count_beyond(
    tilt: FaceTilt, used: Sequence[int], present: Array, achieved: Array, sd: Array, total: MapReduce
) -> float:
    """Count the rows where the margins lead that move notably, the fewest of several; ∞ without one."""
    slack = NO_MOVE * np.maximum(1.0, np.abs(achieved))
    moved = np.abs(achieved - present)
    chosen = [j for j in used if moved[j] > NOTABLE * sd[j] and moved[j] > slack[j]]
    if not chosen:
        return float("inf")
    sums = total(beyond_sums, tilt, tuple(chosen), present, achieved, slack, plus=np.add)
    counts = [first**2 / second if second else 0.0 for share, first, second in sums.tolist() if share > HEAVY]
    return min(counts, default=float("inf"))
