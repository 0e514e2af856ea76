"""Groups of rows under every tilt of one column: their estimates, how these vary together, and the gaps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate, PowerSums, estimate, group_alike, regress, share_variance
from tauscope.stress.intervals import analytic_interval, interval_for_differences
from tauscope.stress.joint.gaps import Gaps, measure_gaps
from tauscope.stress.joint.groups import correlation_of
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.reliability import Support, judge

Array = NDArray[np.float64]


class GroupMetrics(NamedTuple):
    """What is estimated of each group: the metrics, with the tails of its own rows, and its rows of weight above 0."""

    metrics: Sequence[Sequence[SummedMetric]]
    n_rows: Sequence[int]


class Cells(NamedTuple):
    """One group under every tilt of one column, arrays of shape (T,); `whole` has the sums of all rows of the tilt."""

    sums: PowerSums
    whole: PowerSums | None
    support: Support
    target_variance: Array
    target: Array
    share: Array

    def as_shares(self) -> tuple[PowerSums, PowerSums | None]:
        """Return both sums with weights as shares of the group's own; NaN where it has none."""
        if self.whole is None:
            return self.sums, None
        weight = self.sums.first[:, 0, 0]
        return _rescaled(self.sums, weight), _rescaled(self.whole, weight)


class GroupNumbers(NamedTuple):
    """The numbers of one column; fields as in `GroupCurves`, without their first axis."""

    target: Array
    value: Array
    lower: Array
    upper: Array
    reason: NDArray[np.int8]
    amount: Array
    ess: Array
    share: Array
    gaps: Gaps


def _rescaled(sums: PowerSums, weight: Array) -> PowerSums:
    """Return sums of weights that are shares of another weight, of shape (T,); NaN where that is 0."""
    unit = np.where(weight > 0, 1 / np.where(weight > 0, weight, 1.0), np.nan)[:, None]
    powers = [part * unit[..., None] ** p for p, part in enumerate(sums[:4], 1)]
    rest = [part * np.nan_to_num(unit) ** p for p, part in enumerate(sums.rest, 1)]
    before = sums.before * np.nan_to_num(unit[:, 0]) ** 2
    return PowerSums(powers[0], powers[1], powers[2], powers[3], (rest[0], rest[1], rest[2]), before)


def estimate_groups(
    cells: Sequence[Cells], groups: GroupMetrics, unstressed: NDArray[np.bool_], confidence: float
) -> GroupNumbers:
    """Estimate every metric of every group under the tilts of one column, and how far the groups are apart."""
    n_groups, n_metrics, n_taus = len(cells), len(groups.metrics[0]), len(unstressed)
    shape = (n_groups, n_metrics, n_taus)
    numbers = {name: np.full(shape, np.nan) for name in ("value", "lower", "upper", "amount")}
    reason = np.zeros(shape, np.int8)
    estimates: list[list[tuple[list[int], SummedMetric, Estimate]]] = []
    for code, (cell, metrics) in enumerate(zip(cells, groups.metrics, strict=True)):
        sums, whole = cell.as_shares()
        alike = [(positions, [metrics[i] for i in positions]) for positions in group_alike(metrics)]
        made = [
            (positions, some[0], estimate(some, sums, cell.target_variance, unstressed, whole))
            for positions, some in alike
        ]
        estimates.append(made)
        for positions, metric, found in made:
            ends = analytic_interval(metric, found, confidence, groups.n_rows[code])
            judged, amount = judge(metric, found, cell.support)
            reason[code, positions] = judged
            for name, part in zip(numbers, (found.value, *ends, amount), strict=True):
                numbers[name][code, positions] = part

    def ends_at(level: float) -> tuple[Array, Array]:
        lower, upper = np.full(shape, np.nan), np.full(shape, np.nan)
        for code, made in enumerate(estimates):
            for positions, metric, found in made:
                ends = interval_for_differences(metric, found, level, groups.n_rows[code])
                lower[code, positions], upper[code, positions] = ends
        return lower, upper

    correlation = _correlation(cells, groups, unstressed)
    return GroupNumbers(
        target=np.stack([cell.target for cell in cells]),
        reason=reason,
        ess=np.stack([_effective_rows(cell.sums) for cell in cells]),
        share=np.stack([cell.share for cell in cells]),
        gaps=measure_gaps(numbers["value"], ends_at, correlation, confidence),
        **numbers,
    )


def _effective_rows(sums: PowerSums) -> Array:
    """Return a group's effective sample size; 0 where it has no weight."""
    first, second = sums.first[:, 0, 0], sums.second[:, 0, 0]
    return np.where(second == 0, 0.0, first**2 / np.where(second == 0, 1.0, second))


def _correlation(cells: Sequence[Cells], groups: GroupMetrics, unstressed: NDArray[np.bool_]) -> Array:
    """Return how the groups' estimates vary together, of shape (n_groups, n_groups, n_metrics, T).

    With the influence w_i r_i of row i on a group's metric, r_i = g_i - s - b (Φ_i - t) as in `estimate`, g_i = 0
    outside of the group, the covariance of two groups' is Σ w² r r' + b b' Var(t); where some rows have no value,
    either kind varies around its own mean, and their share adds what the two means differ by. Groups that do not share
    a tilt do not vary together.
    """
    n_groups, n_metrics, n_taus = len(cells), len(groups.metrics[0]), len(unstressed)
    whole = cells[0].whole
    if whole is None or n_groups == 1:
        return np.eye(n_groups)[..., None, None] * np.ones((n_metrics, n_taus))
    slope, shift, rest_shift, level, rest_level, steep, own = (
        np.zeros((n_groups, n_metrics, n_taus)) for _ in range(7)
    )
    for code, (cell, metrics) in enumerate(zip(cells, groups.metrics, strict=True)):
        second, (shares, of_all_rows) = _observed_second(cell.sums), cell.as_shares()
        for positions in group_alike(metrics):
            some = [metrics[i] for i in positions]
            columns, squares = list(some[0].columns), list(some[0].squares)
            found = regress(some, shares, unstressed, of_all_rows)
            slope[code, positions], shift[code, positions] = found.slope, found.shift
            rest_shift[code, positions] = found.rest_shift
            level[code, positions] = _dot(found.gradient, second[:, 0, columns])
            rest_level[code, positions] = _dot(found.gradient, cell.sums.rest[1][:, columns])
            steep[code, positions] = _dot(found.gradient, second[:, 1, columns])
            own[code, positions] = _dot(some[0].square(found.gradient), cell.sums.second[:, 0, squares])
    of_all, jump = _observed_second(whole)[..., 0], shift - rest_shift
    seen = whole.first[:, 0, 0] - whole.rest[0][:, 0]
    at_slope = of_all[:, 2] + seen**2 * cells[0].target_variance
    crossed = shift * of_all[:, 0] + 2 * slope * of_all[:, 1] - 2 * level
    covariance = shift[:, None] * crossed[None] + slope[:, None] * (slope * at_slope - 2 * steep)[None]
    covariance += rest_shift[:, None] * (rest_shift * whole.rest[1][:, 0] - 2 * rest_level)[None]
    covariance += jump[:, None] * (jump * share_variance(whole))[None]
    covariance = (covariance + covariance.swapaxes(0, 1)) / 2
    covariance += np.eye(n_groups)[..., None, None] * own[:, None]
    return correlation_of(np.nan_to_num(covariance))


def _dot(coefficients: Array, sums: Array) -> Array:
    return np.einsum("itq,tq->it", coefficients, sums)


def _observed_second(sums: PowerSums) -> Array:
    """Return the sums of squared weights over rows that have a value."""
    second = sums.second.copy()
    second[..., 0, :] -= sums.rest[1]
    return second
