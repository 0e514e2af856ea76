"""Curves of any metric that takes weights: one call a τ, and an interval from leaving out a tenth of the rows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from tauscope.prediction.batches import Over
from tauscope.stress.column.solve_mean import solve_mean
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.curves import OF_METRICS, Curves
from tauscope.stress.equal_distance import Shifts
from tauscope.stress.estimates import Estimate
from tauscope.stress.metric_forms import MetricKind
from tauscope.stress.metrics import Metric, SummedMetric
from tauscope.stress.reliability import CODES, LEVEL_OF, LEVELS, Support, judge
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import divergence_ratio, kullback_leibler_of_shares

Array = NDArray[np.float64]

GROUPS = 10
UNBOUNDED = (-np.inf, np.inf)
WORDS = {
    "roc": "ROC", "auc": "AUC", "ovr": "OvR", "ovo": "OvO", "f1": "F1", "fbeta": "F-beta", "r2": "R²", "d2": "D²",
    "ndcg": "NDCG", "neg": "negative", "rmse": "RMSE",
}  # fmt: skip
RATES = ("accuracy", "hamming_loss", "precision", "recall", "top_k_accuracy", "zero_one_loss")
"""How the names begin of those in [0, 1] that are shares of rows, or means of such shares."""
ANY_MEAN = SummedMetric("mean", "mean", "value", "mean", (), (), "plain")
"""What any function of the weights is judged as."""


def metric_curves(
    columns: Iterable[Array],
    curves: Curves,
    metrics: Mapping[str, Callable[[Array], float]],
    *,
    quantile: float | None = None,
    sample_weight: Array | None = None,
    confidence: float = 0.95,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    over: Over = map,
) -> Curves:
    """Add metrics of any kind to curves that are there already, under the same weights.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        The columns that `curves` were computed of, in the same order.
    curves : Curves
    metrics : mapping of str to callable
        Weights of shape (n_rows,), mean 1, to the metric.
    quantile : float or None
        That of the curves along τ, whose targets other rows would put elsewhere; None for targets given in units.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    confidence : float
        Nominal coverage in (0, 1).
    bounds : mapping of str to pair of float, optional
        Least and largest value of a metric; where both are finite its interval is symmetric on their logit scale.
    over : callable
        Applies a function to the columns as `map` does; it can show them, stop, and work on several cores.

    Returns
    -------
    Curves
        With these after the metrics that were there; NaN where a metric is not defined under the weights.

    Notes
    -----
    A metric is any function, so its interval cannot come from sums: it is the delete-a-group jackknife over ten
    groups of rows (assigned by a fixed permutation), each left out in turn and the others reweighted to the target
    that they ask for themselves, to first order, with Student's t of nine degrees of freedom. It costs ten calls more
    per feature and τ, and none of the model.

    References
    ----------
    Kott, "The delete-a-group jackknife", Journal of Official Statistics, 2001.
    """
    along = partial(_curves_of_column, curves.taus, metrics, quantile, sample_weight, confidence, bounds or {})
    tilts = zip(curves.target, curves.multiplier, curves.pareto_k, curves.kl, curves.tv, strict=True)
    by_column = list(over(along, ((column, *tilt) for column, tilt in zip(columns, tilts, strict=True))))
    results = np.stack(by_column, axis=1)
    added = tuple(Metric(name, label_of(name), _kind_of(name, (bounds or {}).get(name, UNBOUNDED))) for name in metrics)
    both = {
        name: np.concatenate([(old := getattr(curves, name)), new.astype(old.dtype)], 1)
        for name, new in zip(OF_METRICS, results, strict=True)
    }
    return replace(curves, metrics=curves.metrics + added, **both)


Judge = Callable[[float, Array, Array, Support], tuple[float, float]]
"""A value, the weights, what each row has beyond the target, and where that lies, to a reason and its amount."""


def metric_shifts(
    columns: Iterable[Array],
    shifts: Shifts,
    metric: Callable[[Array], float],
    *,
    judged: Judge | None = None,
    sample_weight: Array | None = None,
    confidence: float = 0.95,
    over: Over = map,
) -> Shifts:
    """Return what columns moved to one distance change in a metric of any kind.

    The interval is a jackknife of the change: a tenth of the rows is left out with the stress and without, and moved by
    the same distance.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        Those that `shifts` were computed of, in the same order.
    shifts : Shifts
    metric : callable
        Weights of shape (n_rows,), mean 1, to the metric.
    judged : callable, optional
        Of a metric of which more is known than its weights.
    sample_weight, confidence, over
        As in `metric_curves`.
    """
    unit = partial(_shifts_of_column, metric, judged or _judge_any, sample_weight, confidence)
    targets = zip(shifts.target, shifts.multiplier, shifts.mean, shifts.distance, strict=True)
    by_column = list(over(unit, ((column, *at) for column, at in zip(columns, targets, strict=True))))
    names = ("before", "value", "lower", "upper", "reason", "amount")
    found = {name: np.stack(each) for name, each in zip(names, zip(*by_column, strict=True), strict=True)}
    return replace(shifts, **{**found, "before": found["before"][:, 0], "reason": found["reason"].astype(np.int8)})


def _shifts_of_column(
    metric: Callable[[Array], float],
    judged: Judge,
    sample_weight: Array | None,
    confidence: float,
    unit: tuple[Array, Array, Array, float, Array],
) -> Array:
    """Return before, value, ends of the change, reason and amount, shape (6, 2); a unit is of one column."""
    column, targets, multipliers, mean, distances = unit
    v = np.ones(len(column)) if sample_weight is None else sample_weight
    group = np.random.default_rng(0).permutation(len(column)) % GROUPS
    observed = ~np.isnan(column) & (v > 0)
    share = v / v.sum()
    without = [v * (group != g) * (len(v) / np.sum(v * (group != g))) for g in range(GROUPS)]
    before = metric(share * len(v))
    plain = np.array([metric(each) for each in without])
    found = np.full((6, len(targets)), np.nan)
    found[0], found[4:] = before, [[CODES["undefined"]], [0.0]]
    for t, (target, xi, distance) in enumerate(zip(targets, multipliers, distances, strict=True)):
        if np.isnan(target):
            continue
        weights = tilted_weights(column, target, xi, v)
        if weights is None:
            continue
        moved = weights / weights.sum()
        off = np.where(observed, column - target, 0.0)
        sign = np.sign(moved - share)
        rate = 0.5 * float(sign * moved @ off)
        of_distance = 0.5 * np.abs(moved - share) - distance * share - 0.5 * float(sign @ moved) * (moved - share)
        influence = moved * off - (float(moved @ off**2) / rate if rate else 0.0) * of_distance
        lowered = np.bincount(group, influence, GROUPS) / (1 - np.bincount(group, share, GROUPS))
        at_extreme = np.isinf(xi)  # which stays where it is, whatever is left out
        targets_without = target - np.where(at_extreme, 0.0, lowered / float(moved[observed].sum()))
        tilted = [tilted_weights(column, each, xi, w) for each, w in zip(targets_without, without, strict=True)]
        value = metric(weights)
        changes = np.array([np.nan if w is None else metric(w) for w in tilted]) - plain
        error = np.sqrt((GROUPS - 1) / GROUPS * np.sum((changes - changes.mean()) ** 2))
        half = float(stdtrit(GROUPS - 1, 0.5 + confidence / 2)) * float(error)
        ratio = divergence_ratio(kullback_leibler_of_shares(moved, share), distance, share[observed].sum())
        k = pareto_khat(weights, sample_weight)
        support = support_of_tau(column[observed], target, np.sign(target - mean), None, k, ratio)
        change = value - before
        reason, amount = judged(value, weights, off, support)
        if not np.isfinite(half) and LEVEL_OF[int(reason)] < LEVELS.index("unreliable"):
            reason = CODES["few_rows_carry_all"]  # without an interval neither can be read
        found[1:, t] = value, change - half, change + half, reason, amount
    return found


def _judge_any(value: float, weights: Array, off: Array, support: Support) -> tuple[float, float]:
    return _judge(value, weights, support)


def _curves_of_column(
    taus: Array,
    metrics: Mapping[str, Callable[[Array], float]],
    quantile: float | None,
    sample_weight: Array | None,
    confidence: float,
    bounds: Mapping[str, tuple[float, float]],
    unit: tuple[Array, Array, Array, Array, Array, Array],
) -> Array:
    """Return the fields `OF_METRICS` of one column, shape (6, I, T); a unit is its values, targets, ξ, k̂, KL and TV."""
    column, targets, multipliers, pareto_k, kl, tv = unit
    found = np.full((len(OF_METRICS), len(metrics), len(taus)), np.nan)
    v = np.ones(len(column)) if sample_weight is None else sample_weight
    group = np.random.default_rng(0).permutation(len(column)) % GROUPS
    observed = ~np.isnan(column) & (v > 0)
    weight = None if sample_weight is None else v[observed]
    around = None if quantile is None else tau_range(column[observed], quantile, weight)
    ratio = divergence_ratio(kl, tv, v[observed].sum() / v.sum())
    for t, tau in enumerate(taus.tolist()):
        target, multiplier = targets[t], multipliers[t]
        without_groups = np.full(GROUPS, target)
        if around is not None:
            shifts = _shifts(around.influence(column[observed], tau), v[observed], group[observed])
            without_groups = without_groups - shifts
        weights = tilted_weights(column, target, multiplier, v)
        without = [tilted_weights(column, each, multiplier, v * (group != g)) for g, each in enumerate(without_groups)]
        support = support_of_tau(column[observed], target, tau, around, pareto_k[t], ratio[t])
        for i, (name, metric) in enumerate(metrics.items()):
            numbers = _jackknife_interval(metric, weights, without, confidence, bounds.get(name, UNBOUNDED))
            found[:, i, t] = *numbers, *_judge(numbers[0], weights, support)
    return found


def _shifts(influence: Array, v: Array, group: NDArray[np.integer]) -> Array:
    """Return by how much leaving out each group lowers an estimate of a given influence."""
    in_groups = np.bincount(group, v, GROUPS)
    return np.bincount(group, v * influence, GROUPS) / np.maximum(v.sum() - in_groups, 1e-300)


def support_of_tau(
    values: Array, target: float, tau: float, around: TauRange | None, pareto_k: float, ratio: Array
) -> Support:
    """Return where a target leads, from the values of rows that count."""
    up = target >= values.mean() if around is None else tau >= 0
    n_beyond = float(np.count_nonzero(values >= target if up else values <= target))
    if around is None:
        return Support(np.array(n_beyond), np.array(False), np.array(pareto_k), ratio)
    n_beyond = np.inf if tau == 0 else n_beyond
    return Support(np.array(n_beyond), around.in_doubt(np.array(tau)), np.array(pareto_k), ratio)


def _judge(value: float, weights: Array | None, support: Support) -> tuple[float, float]:
    """Judge a number of which nothing is known but its weights."""
    if weights is None:
        return CODES["undefined"], 0.0
    squares = weights**2
    df, ess = squares.sum() ** 2 / np.sum(squares**2), weights.sum() ** 2 / squares.sum()
    everywhere, df, ess = np.array(np.inf), np.array(df), np.array(ess)
    known = Estimate(np.array(value), np.array(np.nan), df, ess, ess, everywhere, everywhere)
    reason, amount = judge(ANY_MEAN, known, support)
    return float(reason), float(amount)


def _jackknife_interval(
    metric: Callable[[Array], float],
    weights: Array | None,
    without: list[Array | None],
    confidence: float,
    bounds: tuple[float, float],
) -> tuple[float, float, float, float]:
    if weights is None:
        return np.nan, np.nan, np.nan, np.nan
    value = metric(weights)
    replicates = np.array([metric(w) for w in without if w is not None])
    replicates = replicates[np.isfinite(replicates)]
    if not np.isfinite(value) or len(replicates) < GROUPS:
        return value, np.nan, np.nan, np.nan
    error = np.sqrt((GROUPS - 1) / GROUPS * np.sum((replicates - replicates.mean()) ** 2))
    half_width = float(stdtrit(GROUPS - 1, 0.5 + confidence / 2)) * error
    return value, float(error), *_ends(value, half_width, bounds)


def _ends(value: float, half_width: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an interval of some half-width, within the bounds."""
    low, high = bounds
    share = (value - low) / (high - low) if np.isfinite(high - low) else 0.0
    if not 0 < share < 1:
        return max(value - half_width, low), min(value + half_width, high)
    half = half_width / (high - low) / (share * (1 - share))
    logit = float(np.log(share / (1 - share)))
    first, second = (float(expit(end)) for end in (logit - half, logit + half))
    return low + (high - low) * first, low + (high - low) * second


def _kind_of(name: str, bounds: tuple[float, float]) -> MetricKind:
    if bounds != (0.0, 1.0):
        return "value"
    return "share" if name.startswith(RATES) else "score"


def label_of(name: str) -> str:
    """Write a function's name in the field's words: "roc_auc_ovr" is "ROC AUC OvR"."""
    return " ".join(WORDS.get(word, word) for word in name.split("_"))


def tilted_weights(column: Array, target: float, multiplier: float, sample_weight: Array) -> Array | None:
    """Return weights of mean 1 that move the column's mean to a target, rows without a value keeping theirs.

    Parameters
    ----------
    column : ndarray of shape (n_rows,)
        NaN marks a row without a value.
    target : float
    multiplier : float
        Where to start; ±inf for a target that is the column's extreme.
    sample_weight : ndarray of shape (n_rows,)
        Non-negative.

    Returns
    -------
    ndarray of shape (n_rows,) or None
        None where the rows with weight cannot reach the target.
    """
    observed = ~np.isnan(column) & (sample_weight > 0)
    x, v = column[observed], sample_weight[observed]
    weights = sample_weight / sample_weight.sum()
    share = weights[observed].sum()
    if np.isinf(multiplier):
        at_extreme = v * (x == target)
        if at_extreme.sum() == 0:
            return None
        weights[observed] = share * at_extreme / at_extreme.sum()
    else:
        if not x.min() < target < x.max():
            return None
        weights[observed] = share * _tilt(x - target, multiplier, v)
    return weights * len(column)


def _tilt(distance: Array, xi: float, v: Array) -> Array:
    """Return weights summing to 1 whose mean distance is 0."""
    unit = float(np.sqrt(np.average(distance**2, weights=v)))
    z = distance / unit

    def tilted(at: float) -> Array:
        logs = at * z
        weight = v * np.exp(logs - logs.max())
        return weight / weight.sum()

    def moments(at: float) -> tuple[float, float]:
        weight = tilted(at)
        mean = float(weight @ z)
        return mean, float(weight @ z**2) - mean**2

    return tilted(solve_mean(moments, 0.0, xi * unit, 1e-12))
