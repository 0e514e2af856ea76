"""The smallest reweighting towards the margins of another population, and which of them can be reached."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.distances import mean_and_deviation
from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.feasibility import compute_implied_target, select_independent, solve_dependence
from tauscope.stress.joint.influence import count_beyond
from tauscope.stress.joint.solver import SolverStatus, mean_offset, shares, solve
from tauscope.stress.joint.terms import Moments, Term
from tauscope.stress.towards.margins import Margin, Margins, Values, measure_margins
from tauscope.stress.towards.penalised import project_penalised
from tauscope.weights.measures import kullback_leibler_of_shares

Array = NDArray[np.float64]
ApproachStatus = Literal["reached", "limit", "nearest", "unconverged"]

PRICE = 10.0
"""Of a squared standard deviation missed, twice: a margin missed by a tenth of one costs .05 nats."""
NOTABLE, HEAVY = 0.1, 0.05
"""Standard deviations that a margin moves, and share of all weight that the rows where it leads then hold, before it
counts how few they are: shares of rare levels always differ a little, and decide little."""
MET = 1e-6
"""Standard deviations up to which a margin counts as met."""


@dataclass(frozen=True, eq=False)
class Approached:
    """How margins were brought to those of another population, or towards them, wherever the rows are.

    Attributes
    ----------
    present, required, achieved : ndarray of shape (k,)
        Each margin before, as asked at this amount, and under the weights.
    low, high : ndarray of shape (k,)
        Least and greatest value of what each margin is the mean of, among the rows that have one.
    missed : ndarray of shape (k,)
        ``(achieved - required) / sd`` over the rows with a value, standard deviations of the rows before.
    follows : bool ndarray of shape (k,)
        Whether a margin is determined by those before it, or is the same under any weights.
    follow : ndarray of shape (k, n_columns)
        How much the target of each column of Φ follows each margin wanted.
    price : float or None
        Of what is missed; None where nothing had to be.
    kl : float
        Divergence from the rows before, nats.
    iterations : int
        Passes over the rows.
    status : {"reached", "limit", "nearest", "unconverged"}
        "limit": reached, and rows lose all weight, as those of a level that the other population has not. "nearest":
        some are missed, at the price.
    """

    present: Array
    required: Array
    achieved: Array
    low: Array
    high: Array
    missed: Array
    follows: NDArray[np.bool_]
    follow: Array
    price: float | None
    kl: float
    iterations: int
    status: ApproachStatus


@dataclass(frozen=True, eq=False)
class Approach(Approached):
    """Weights that bring margins of the rows to those of another population, or towards them.

    Attributes
    ----------
    weights : ndarray of shape (n_rows,)
        Mean 1, the sample weight included.
    moments : Moments
        What the weights were solved for, from which metrics are estimated.
    """

    weights: Array
    moments: Moments


def approach(
    margins: Margins,
    values: Values,
    n_rows: int,
    *,
    amount: float = 1.0,
    price: float | None = None,
    sample_weight: Array | None = None,
    present: Margins | None = None,
) -> Approach:
    """Find the weights closest to the present ones whose margins are those wanted, or as near as a price makes them.

    Parameters
    ----------
    margins : Margins
        Each has rows with a value here.
    values : callable
        Name of a feature → ndarray of shape (n_rows,), NaN where a row has no value.
    n_rows : int
    amount : float
        In [0, 1]: how much of the way from the present margins to those wanted is asked for.
    price : float, optional
        Positive, nats: the weights minimise KL + (price / 2) Σ missed². None: every margin is met where that is
        possible, and the price is `PRICE` where it is not.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    present : Margins, optional
        Those of these rows with their covariance, where they have been measured already.

    Returns
    -------
    Approach

    Notes
    -----
    Rows without a value count in no mean: they are given the required one, and weights that leave them alone meet
    nothing. At a price, a miss counts as much as there are rows with a value: times their share under the weights, over
    that before. Variances and covariances are about the required means. The targets are (1 - amount) of what these rows
    have and amount of what the other sample has; both are estimated, from samples independent of each other, so their
    covariance is (1 - amount)² and amount² of each.
    """
    draft = _Draft.of(margins, values, n_rows, amount, sample_weight, present)
    counted = slice(None) if sample_weight is None else sample_weight > 0
    phi = draft.phi[counted]
    base = None if sample_weight is None else sample_weight[counted] / sample_weight.sum()
    plain = summarise_moments(phi, base)
    low, high, sd = draft.spread(plain, counted)
    summary = replace(summarise_bulk(phi, draft.required, base, plain), low=low, high=high)
    sd = summary.sd if summary.of_bulk else sd
    before = draft.observed(np.full(n_rows, 1 / n_rows) if draft.base is None else draft.base)
    varies = np.flatnonzero(low < high).tolist()
    basis = select_independent(summary, varies)[0]
    used, found = basis, None
    if price is None and is_consistent(draft.required, summary, basis, varies):
        found = _meet(phi, draft.required, base, summary, basis)
    if found is None or not draft.observed(_spread_out(found[0], counted, n_rows)).all():
        used, price = varies, PRICE if price is None else price
        found = _come_near(phi, draft.required, base, sd * before, varies, price)
    share, status, iterations = found
    every = _spread_out(share, counted, n_rows)
    achieved = draft.average(every)
    observed = draft.observed(every)
    missed = (achieved - draft.required) / np.where(sd > 0, sd, 1.0)
    unmet = np.abs(missed) > MET
    if (status == "reached" and price is not None) or (unmet.any() and status != "unconverged"):
        status = "nearest"
    unstressed = 1 / n_rows if sample_weight is None else sample_weight / sample_weight.sum()
    return Approach(
        weights=every * n_rows,
        present=draft.present.wanted,
        required=draft.required,
        achieved=achieved,
        low=low,
        high=high,
        missed=missed,
        follows=~np.isin(np.arange(len(achieved)), basis),
        moments=draft.moments(
            every, used, achieved, observed, sd, None if price is None else (sd * before) ** 2 / price
        ),
        follow=draft.follow(used, observed),
        price=price,
        kl=kullback_leibler_of_shares(every, np.broadcast_to(unstressed, n_rows)),
        iterations=iterations,
        status=status,
    )


def is_consistent(target: Array, summary: MomentSummary, basis: list[int], varies: list[int]) -> bool:
    """Tell whether each target lies in the range of its column and agrees with those that it follows from."""
    if any(not summary.low[j] <= target[j] <= summary.high[j] for j in varies):
        return False
    for j in varies:
        slopes = None if j in basis else solve_dependence(summary, j, basis)
        if slopes is not None and not compute_implied_target(target, summary, j, basis, slopes)[1]:
            return False
    return True


def _meet(
    phi: Array, target: Array, base: Array | None, summary: MomentSummary, basis: list[int]
) -> tuple[Array, ApproachStatus, int] | None:
    """Solve for the targets themselves; None where no weights meet them, or none could be found."""
    if not basis:
        return _unmoved(phi, base), "reached", 0
    chosen = np.ascontiguousarray(phi[:, basis].T).T
    solution = solve(chosen, target[basis], base, of_columns(summary, basis), np.zeros(len(basis)), 1e-10, 100)
    known: dict[SolverStatus, ApproachStatus] = {"solved": "reached", "limit": "limit"}
    if solution.status not in known:
        return None
    return shares(solution.log_tilt, base), known[solution.status], solution.iterations


def _come_near(
    phi: Array, target: Array, base: Array | None, unit: Array, varies: list[int], price: float
) -> tuple[Array, ApproachStatus, int]:
    """Solve with a price on what is missed."""
    if not varies:
        return _unmoved(phi, base), "reached", 0
    chosen = np.ascontiguousarray(phi[:, varies].T).T
    share, descent = project_penalised(chosen, target[varies], base, unit[varies], price)
    return share, "reached" if descent.outcome == "converged" else "unconverged", descent.iterations


def _spread_out(share: Array, counted: slice | NDArray[np.bool_], n_rows: int) -> Array:
    """Return the shares of all rows, 0 for those that do not count."""
    every = np.zeros(n_rows)
    every[counted] = share
    return every


def _unmoved(phi: Array, base: Array | None) -> Array:
    return np.full(len(phi), 1 / len(phi)) if base is None else base


def of_columns(summary: MomentSummary, columns: list[int]) -> MomentSummary:
    """Return the summary of some columns."""
    return replace(
        summary,
        mean=summary.mean[columns],
        sd=summary.sd[columns],
        low=summary.low[columns],
        high=summary.high[columns],
        covariance=summary.covariance[np.ix_(columns, columns)],
        spread=None if summary.spread is None else summary.spread[columns],
    )


@dataclass(frozen=True, eq=False)
class _Draft:
    """The margins as columns of Φ, gaps filled with what is required."""

    margins: Margins
    present: Margins
    required: Array
    amount: float
    phi: Array
    gaps: dict[int, NDArray[np.bool_]]
    base: Array | None

    @classmethod
    def of(
        cls,
        margins: Margins,
        values: Values,
        n_rows: int,
        amount: float,
        sample_weight: Array | None,
        present: Margins | None,
    ) -> "_Draft":
        """Measure the rows and fill Φ."""
        if present is None:
            present = measure_margins(margins.which, values, n_rows, sample_weight, spread=amount < 1)
        required = present.wanted + amount * (margins.wanted - present.wanted)
        means = {
            margin.features[0]: float(mean)
            for margin, mean in zip(margins.which, required, strict=True)
            if margin.kind in ("mean", "share")
        }
        phi = np.empty((n_rows, len(required)), order="F")
        gaps: dict[int, NDArray[np.bool_]] = {}
        for j, margin in enumerate(margins.which):
            about = margin.about(values, means.__getitem__)
            missing = np.isnan(about)
            if missing.any():
                gaps[j] = missing
                about = np.where(missing, required[j], about)
            phi[:, j] = about
        base = None if sample_weight is None else sample_weight / sample_weight.sum()
        return cls(margins, present, required, amount, phi, gaps, base)

    def spread(self, plain: MomentSummary, counted: slice | NDArray[np.bool_]) -> tuple[Array, Array, Array]:
        """Return least and greatest value and deviation of each column over the rows that have one, each (k,)."""
        low, high, sd = plain.low.copy(), plain.high.copy(), plain.sd.copy()
        for j in self.gaps:
            values = self._with_gaps(j)
            low[j], high[j] = np.nanmin(values[counted]), np.nanmax(values[counted])
            sd[j] = mean_and_deviation(values, self.base)[1]
        return low, high, sd

    def observed(self, share: Array) -> Array:
        """Return the share of the weight of rows that have a value, shape (k,)."""
        out = np.ones(len(self.required))
        for j, missing in self.gaps.items():
            out[j] = float(share[~missing].sum())
        return out

    def average(self, share: Array) -> Array:
        """Return the margins under weights, over the rows with a value; those required where none is left."""
        observed = self.observed(share)
        offset = mean_offset(self.phi, self.required, share)
        return self.required + offset / np.where(observed > 0, observed, 1.0)

    def moments(
        self, share: Array, used: list[int], achieved: Array, observed: Array, sd: Array, penalty: Array | None
    ) -> Moments:
        """Return what metrics under the weights are estimated from."""
        terms = [self._term(self.margins.which[j], j, observed[j]) for j in used]
        sizes = observed[used]
        covariance = (1 - self.amount) ** 2 * self.present.covariance + self.amount**2 * self.margins.covariance
        moved = [
            count_beyond(self._with_gaps(j), self.present.wanted[j], achieved[j], self.base)
            for j in used
            if self._counts(j, achieved[j], NOTABLE * sd[j], share)
        ]
        phi = self.phi[:, used] if used else np.zeros((len(share), 1), order="F")
        return Moments(
            terms=tuple(terms),
            phi=phi,
            target=self.required[used] + mean_offset(phi, self.required[used], share) if used else np.zeros(1),
            notes=(),
            target_covariance=covariance[np.ix_(used, used)] * np.outer(sizes, sizes) if used else np.zeros((1, 1)),
            n_beyond=min(moved, default=float("inf")),
            in_doubt=False,
            penalty=None if penalty is None or not used else penalty[used],
        )

    def follow(self, used: list[int], observed: Array) -> Array:
        """Return how the targets of the columns used follow the margins wanted, shape (k, n_columns)."""
        out = np.zeros((len(observed), max(len(used), 1)))
        out[used, range(len(used))] = self.amount * observed[used]
        return out

    def _counts(self, j: int, achieved: float, notable: float, share: Array) -> bool:
        """Tell whether a margin moved notably, to where the rows hold much of the weight."""
        move = achieved - self.present.wanted[j]
        beyond = self.phi[:, j] >= achieved if move > 0 else self.phi[:, j] <= achieved
        return abs(move) > notable and float(share[beyond].sum()) > HEAVY

    def _term(self, margin: Margin, j: int, observed: float) -> Term:
        known = self.margins.covariance[j, j] == 0 and self.amount == 1
        aim = "kept" if self.amount == 0 else "given" if known else "moved"
        required, present = float(self.required[j]), float(self.present.wanted[j])
        return Term(margin.kind, margin.subject, required, present, float(observed), aim=aim)

    def _with_gaps(self, j: int) -> Array:
        return np.where(self.gaps[j], np.nan, self.phi[:, j]) if j in self.gaps else self.phi[:, j]
