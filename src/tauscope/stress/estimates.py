"""A metric under a stress with its standard error, from sums the sketch already has.

The influence of row i on a metric is λ_i r_i + b ψ_i. Of it r_i = g_i - b (Φ_i - t) is what is left of the metric's own
influence g after its regression on Φ under the weights; b = Cov_λ(g, Φ) / Var_λ(Φ) is how the metric follows the
target; and ψ_i is what the row adds to the target itself where that is estimated from the rows, 0 where it is given in
units. The two parts are summed apart. The product of λr with the row's value has mean 0. That with its place beyond a
quantile, 2 b τ s Σ w r / n over the rows beyond, is left out: of rates that follow the column it is mostly negative,
and at τ = ±½ intervals with it are 4 to 8 % narrower and cover .01 less (.96 for .97 of some populations, .936 for .945
of others); those of means that bend with the column cover .957 for .938; at τ = ±1 all change less. The second moment
of λr needs sums of λ² only, its residuals divided by 1 - h_i with h_i = w_i (1 + (Φ_i - t)² / Var_λ Φ), to first order
a sum of λ³. Without a stress the influence is g_i alone, so that the interval is the same whatever the column.

Rows without a value keep their weight. Under a stress either kind of rows varies around its own mean of g, which 1 - h
counts, and the share of either, estimated by the rows as they are, adds (m_observed - m_missing)² times its variance:
the regression on Φ and on who has a value of `tauscope.stress.joint`. Of weighted rows that share and the target also
vary together a little, which is left out here: ends differ by up to .003 of what `reweight` says.

References
----------
MacKinnon, White, "Some heteroskedasticity-consistent covariance matrix estimators", 1985 (HC3).
"""

# Decided in docs/decisions/0043-the-covariance-of-a-metric-with-the-end-of-tau-is-left-out.md.

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import SummedMetric
from tauscope.stress.score_steps import Ranking, misordered
from tauscope.weights.measures import effective_size_of_sums

Array = NDArray[np.float64]

STEEPEST = 1e150
"""Slopes whose squares leave the range of floats: those of a ratio with next to no weight below its line."""
DEGREES = (3, 3, 5, 1)
"""Powers of (Φ - t) summed with w, w², w³ and w⁴."""
STACKED = ("ratio", "mean_ratio")
"""Forms of which several are one metric with more tops and bottoms."""


class PowerSums(NamedTuple):
    """Σ w^power (Φ - t)^k g of shape (..., n_degrees, Q) for powers 1 to 4, and the missing rows' parts at k = 0.

    Attributes
    ----------
    first, second, third, fourth : ndarray
        With 3, 3, 5 and 1 degrees.
    rest : tuple of ndarray of shape (..., Q)
        What rows without a value add to `first`, `second` and `third` at k = 0.
    before : ndarray of shape (...), or float
        Σ w² of the rows with a value as they are without a stress; read only where some have none.
    """

    first: Array
    second: Array
    third: Array
    fourth: Array
    rest: tuple[Array, Array, Array]
    before: Array | float = 0.0

    def of_power(self, power: int) -> Array:
        """Return the sums of w^power."""
        return (self.first, self.second, self.third, self.fourth)[power - 1]


def effective_size(sums: PowerSums) -> Array:
    """Return Kish's effective sample size (Σw)² / Σw², rows."""
    return sums.first[..., 0, 0] ** 2 / sums.second[..., 0, 0]


def degrees_of_freedom(sums: PowerSums) -> Array:
    """Return (Σw²)² / Σw⁴, at least 1: those of Student's t."""
    return np.maximum(sums.second[..., 0, 0] ** 2 / sums.fourth[..., 0, 0], 1.0)


class Estimate(NamedTuple):
    """A metric with what its interval is made of, each of shape (...).

    Attributes
    ----------
    value : ndarray
        NaN where the metric is not defined (no weight left on its denominator).
    error : ndarray
        Standard error, in the metric's unit.
    df : ndarray
        Degrees of freedom of Student's t, at least 1.
    ess : ndarray
        Effective sample size, rows.
    denominator : ndarray
        Effective sample size of the rows that the metric is about: those below the line of a ratio, of several ratios
        that of fewest, of ranks those of the rarer class, else all.
    events, non_events : ndarray
        Effective number of rows that a rate counts, and of those below the line that it does not; of a loss, of rows
        that make up its errors, and of the rarer of two classes; of ranks, of misordered rows, and of the rarer class
        or of rows in order; `ess` times the mean and the rest of it for a mean probability; for a spread both are the
        effective number of rows that make it up, (Σwv)² / Σw²v² of squares v; ∞ for other metrics.
    determined : ndarray of bool, or bool
        Whether targets given in units leave nothing open, as they do the mean of a linear model.
    of_targets : ndarray, or float
        Share of the squared error that comes from targets estimated from the rows, in [0, 1].
    """

    value: Array
    error: Array
    df: Array
    ess: Array
    denominator: Array
    events: Array
    non_events: Array
    determined: NDArray[np.bool_] | bool = False
    of_targets: Array | float = 0.0


def group_alike(metrics: Sequence[SummedMetric]) -> list[list[int]]:
    """Group the positions of metrics that are functions of the same sums and have intervals on one scale."""
    return _positions((each.columns, each.squares, each.unit, *_judged_by(each)) for each in metrics)


def group_judged_alike(metrics: Sequence[SummedMetric]) -> list[list[int]]:
    """Group the positions of metrics that have intervals on one scale and the same limits, of whatever sums."""
    return _positions(map(_judged_by, metrics))


def _judged_by(metric: SummedMetric) -> tuple[object, ...]:
    return metric.form, metric.kind, metric.scale, metric.tail, metric.counts_errors


def _positions(keys: Iterable[object]) -> list[list[int]]:
    groups: dict[object, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return list(groups.values())


def stack_alike(metrics: Sequence[SummedMetric]) -> list[tuple[list[int], SummedMetric]]:
    """Return shares of the same cells that are alike as one metric, of several values, with their positions.

    Its `top` and `bottom` have one more axis, before that of the cells. Other metrics are returned one by one.
    """
    out: list[tuple[list[int], SummedMetric]] = []
    for positions in group_alike(metrics):
        some = [metrics[i] for i in positions]
        if some[0].form in STACKED:
            top, bottom = (np.stack(each, -2) for each in ([m.top for m in some], [m.bottom for m in some]))
            out.append((positions, replace(some[0], top=top, bottom=bottom)))
        else:
            out += [([i], metric) for i, metric in zip(positions, some, strict=True)]
    return out


def stack_estimates(estimates: Sequence[Estimate]) -> Estimate:
    """Return estimates of one shape along a first axis."""
    return Estimate(*map(np.array, zip(*estimates, strict=True)))


class Linearised(NamedTuple):
    """Metrics that are alike as means of their influence, regressed on Φ, each of shape (n_metrics, ...).

    Attributes
    ----------
    value : ndarray
    gradient : ndarray of shape (n_metrics, ..., len(metric.columns))
        Influence, as a combination of the sums' quantities.
    unbounded : ndarray of bool
        Whose error is infinite.
    slope : ndarray
        Of the regression of the influence on Φ, over all rows with a value.
    shift : ndarray
        Mean of the influence over these rows; 0 where every row has a value.
    rest_shift : ndarray
        The same over the rows without a value.
    stressed : ndarray of bool of shape (...)
        Where there is a regression.
    """

    value: Array
    gradient: Array
    unbounded: NDArray[np.bool_]
    slope: Array
    shift: Array
    rest_shift: Array
    stressed: NDArray[np.bool_]


def regress(
    metrics: Sequence[SummedMetric],
    sums: PowerSums,
    unstressed: NDArray[np.bool_] | bool = False,
    whole: PowerSums | None = None,
) -> Linearised:
    """Linearise metrics that are alike and regress them on Φ; parameters as in `estimate`."""
    whole = sums if whole is None else whole
    columns = list(metrics[0].columns)
    linearisations = [linearise(each, sums.first[..., 0, columns]) for each in metrics]
    value, gradient, unbounded = (np.stack(parts) for parts in zip(*linearisations, strict=True))
    variance = whole.first[..., 2, 0]
    covariance = _dot(gradient, sums.first[..., 1, columns])
    # without variance left (a target at the column's extreme) nothing can be regressed, and nothing needs to be
    stressed = (variance > 0) & ~np.asarray(unstressed)
    slope = np.where(stressed, covariance / np.where(stressed, variance, 1.0), 0.0)
    shift, rest_shift = np.zeros_like(slope), np.zeros_like(slope)
    missing = whole.rest[0][..., 0]
    if np.any(missing > 0):  # rows with a value, and those without, vary around their own mean
        rest = sums.rest[0][..., columns]
        size = whole.first[..., 0, 0] - missing
        apart = ~np.asarray(unstressed) & (missing > 0)
        shift = np.where(apart, _dot(gradient, sums.first[..., 0, columns] - rest) / np.maximum(size, 1e-300), 0.0)
        rest_shift = np.where(apart, _dot(gradient, rest) / np.maximum(missing, 1e-300), 0.0)
    return Linearised(value, gradient, unbounded, slope, shift, rest_shift, stressed)


def share_variance(sums: PowerSums) -> Array:
    """Return the variance of the share of rows that have a value, by the rows as they are, times all weight squared."""
    whole = sums.first[..., 0, 0]
    missing = sums.rest[0][..., 0] / np.where(whole > 0, whole, 1.0)
    return missing**2 * sums.before + (1 - missing) ** 2 * sums.rest[1][..., 0]


def estimate(
    metrics: Sequence[SummedMetric],
    sums: PowerSums,
    target_variance: Array | float = 0.0,
    unstressed: NDArray[np.bool_] | bool = False,
    whole: PowerSums | None = None,
) -> Estimate:
    """Return metrics that are alike with what their intervals are made of, along a first axis.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    sums : PowerSums
        Of shape (..., n_degrees, Q). Of a group of rows, with w as shares of the group's own weight.
    target_variance : ndarray of shape (...), or float
        Squared standard error of the target, in the unit of Φ; 0 for a target given in units.
    unstressed : ndarray of bool of shape (...), or bool
        Where the weights are those of the rows as they are, by what is wanted and not by chance.
    whole : PowerSums or None
        Of a group, the sums over all rows whose mean meets the target, with w as for the group, so that they sum to
        more than 1; the influence of a row outside of the group is what it does to the others' weights.
    """
    metric = metrics[0]
    columns, squares = list(metric.columns), list(metric.squares)
    value, gradient, unbounded, slope, shift, rest_shift, stressed = regress(metrics, sums, unstressed, whole)
    of_all = sums if whole is None else whole
    variance = of_all.first[..., 2, 0]
    size, missing = of_all.first[..., 0, 0], of_all.rest[0][..., 0]
    some_missing = bool(np.any(missing > 0))

    def observed_sums(tilted: Array, rest: Array) -> Array:
        if not some_missing:
            return tilted
        # rows without a value enter at k = 0 alone, not as if they stood at the target
        without = tilted.copy()
        without[..., 0, :] -= rest
        return without

    def observed(power: int, k: int, over: PowerSums) -> Array:
        """Sum w^power (Φ - t)^k r² over the group's rows with a value and those of `over` outside of it."""
        mine, theirs = (observed_sums(each.of_power(power), each.rest[power - 1]) for each in (sums, over))
        if over is sums:
            centred = gradient - shift[..., None] * metric.one
            return (
                _dot(metric.square(centred), mine[..., k, squares])
                - 2 * slope * _dot(centred, mine[..., k + 1, columns])
                + slope**2 * theirs[..., k + 2, 0]
            )
        return (
            _dot(metric.square(gradient), mine[..., k, squares])
            - 2 * shift * _dot(gradient, mine[..., k, columns])
            - 2 * slope * _dot(gradient, mine[..., k + 1, columns])
            + shift**2 * theirs[..., k, 0]
            + 2 * shift * slope * theirs[..., k + 1, 0]
            + slope**2 * theirs[..., k + 2, 0]
        )

    def without_value(power: int, over: PowerSums) -> Array:
        """Sum w^power r² over those without a value."""
        mine, theirs = sums.rest[power - 1], over.rest[power - 1]
        if over is sums:
            return _dot(metric.square(gradient - rest_shift[..., None] * metric.one), mine[..., squares])
        crossed = _dot(gradient, mine[..., columns])
        return _dot(metric.square(gradient), mine[..., squares]) + rest_shift * (
            rest_shift * theirs[..., 0] - 2 * crossed
        )

    second = np.maximum(observed(2, 0, of_all) + without_value(2, of_all), 0.0)
    inflation = observed(3, 0, sums) + without_value(3, sums)
    inflation = inflation + np.where(stressed, observed(3, 2, of_all) / np.where(stressed, variance, 1.0), 0.0)
    if some_missing:  # of the mean of either kind of rows, beside that of all
        odds = (size - missing) / np.where(missing > 0, missing, 1.0)
        apart = (missing > 0) & (odds > 0)
        odds = np.where(apart, odds, 1.0)
        of_means = (observed(3, 0, of_all) / odds + without_value(3, of_all) * odds) / size
        inflation = inflation + np.where(apart, of_means, 0.0)
    # below 1, as where one row holds nearly all weight the residual divided by 1 - h would change its sign
    leverage = np.clip(inflation / np.where(second > 0, second, 1.0), 0.0, 0.9)
    ess = effective_size(sums)
    squared = np.where(unstressed, second * unstressed_inflation(metric.is_rate, ess), second / (1 - leverage) ** 2)
    # rows without a value keep their share and do not follow the target
    of_targets = ((size - missing) * slope) ** 2 * target_variance
    if some_missing:
        of_targets = of_targets + (shift - rest_shift) ** 2 * share_variance(of_all)
    squared = squared + of_targets
    error = np.where(unbounded, np.inf, np.sqrt(squared) * metric.unit)
    support = [
        count_support(each, part, sums.first[..., 0, :], sums.second[..., 0, :], ess)
        for each, part in zip(metrics, value, strict=True)
    ]
    return Estimate(
        value,
        error,
        degrees_of_freedom(sums),
        ess,
        *(np.stack(part) for part in zip(*support, strict=True)),
        of_targets=share_of_targets(of_targets, squared),
    )


def share_of_targets(of_targets: Array, squared: Array) -> Array:
    """Return the share of a squared error that comes from the targets; 0 where there is no error."""
    positive = squared > 0
    return np.where(positive, of_targets / np.where(positive, squared, 1.0), 0.0)


def unstressed_inflation(is_rate: NDArray[np.bool_] | bool, ess: Array) -> Array:
    """Return n / (n - 1) for values; rates have their binomial variance as it is."""
    return np.where(is_rate, 1.0, ess / np.maximum(ess - 1, 1.0))


def count_support(
    metric: SummedMetric, value: Array, first: Array, second: Array, ess: Array
) -> tuple[Array, Array, Array]:
    """Count the effective rows that a metric rests on.

    Parameters
    ----------
    metric : SummedMetric
    value : ndarray of shape (...)
    first, second : ndarray of shape (..., n_sums)
        Σ w g and Σ w² g.
    ess : ndarray of shape (...)

    Returns
    -------
    denominator, events, non_events : ndarray of shape (...)
        As in `Estimate`.
    """
    infinite = np.full(ess.shape, np.inf)
    if metric.counted:
        errors, *classes = (
            effective_size_of_sums(
                _dot(first[..., each.columns], each.per_cell), _dot(second[..., each.squares], each.per_cell)
            )
            for each in metric.counted
        )
        return ess, errors, np.minimum.reduce([infinite, *classes])
    first, second = first[..., metric.columns], second[..., metric.squares]
    if metric.form == "mean_ratio":
        smallest = _smallest_part(metric, first, second)
        return smallest, smallest * value, smallest * (1 - value)

    def effective(coefficients: Array) -> Array:
        return effective_size_of_sums(_dot(first, coefficients), _dot(second, metric.square(coefficients)))

    if metric.ranking is not None:
        rarer = np.minimum(effective(metric.top), effective(metric.bottom - metric.top))
        out_of_order, in_order = _count_by_order(metric.ranking, first, second)
        return rarer, out_of_order, np.minimum(rarer, in_order)
    if metric.form == "ratio":
        denominator = effective(metric.bottom)
        if metric.is_rate:
            return denominator, effective(metric.top), effective(metric.bottom - metric.top)
        return denominator, infinite, infinite
    if metric.is_spread:
        rows = effective(metric.squares_of(first))
        return ess, rows, rows
    if metric.scale == "logit":
        return ess, ess * value, ess * (1 - value)
    return ess, infinite, infinite


def _count_by_order(ranking: Ranking, first: Array, second: Array) -> tuple[Array, Array]:
    """Return the effective numbers of misordered rows and of those in order, each of the class that has fewer."""
    by_class, squares = (each.reshape(*each.shape[:-1], ranking.n_steps, 2, 2).sum(-1) for each in (first, second))
    negative, positive = by_class[..., 0], by_class[..., 1]

    def fewest(of_positive: Array, of_negative: Array) -> Array:
        return np.minimum(
            effective_size_of_sums(np.sum(positive * of_positive, -1), np.sum(squares[..., 1] * of_positive**2, -1)),
            effective_size_of_sums(np.sum(negative * of_negative, -1), np.sum(squares[..., 0] * of_negative**2, -1)),
        )

    return fewest(*misordered(positive, negative)), fewest(*misordered(negative, positive)[::-1])


def _smallest_part(metric: SummedMetric, first: Array, second: Array) -> Array:
    """Return the effective rows below the line of that ratio, among those that are defined, which has fewest."""
    parts = [(_dot(first, bottom), _dot(second, bottom**2)) for bottom in metric.bottom]
    sizes = [np.where(mass > 0, effective_size_of_sums(mass, squares), np.inf) for mass, squares in parts]
    return np.min(np.stack(sizes), axis=0)


def linearise(metric: SummedMetric, sums: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return a metric, its gradient, and where next to no weight is left on a ratio's denominator.

    There its error is infinite, for any share could be it. The gradient is 0 there, its square being no float, and
    where the metric is not defined.
    """
    value, gradient = metric.evaluate(sums)
    unbounded = np.abs(gradient).max(axis=-1) > STEEPEST
    return value, np.where((np.isnan(value) | unbounded)[..., None], 0.0, gradient), unbounded


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("...q,...q->...", a, b)
