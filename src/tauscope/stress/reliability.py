"""Which numbers of a stress can be relied on: a property of a metric in a cell, not of the weights alone.

The rule was chosen on 21 populations, 13 of them real, from which samples of 300, 1,000 and 3,000 rows were drawn, the
population's own number being known. What separates intervals that cover from those that do not is how many effective
events a rate rests on, how many rows lie where the target leads, and whether the end of τ is one that other rows would
put elsewhere. Pareto k̂ of the weights does so for means only: of rates the coverage is flat over it. Nor does it for
means where the weights are nearly even, as k̂ is of the tail's shape, however little the tail weighs. Columns whose
tails are too long for a mean shift are told by the KL divergence that a given total variation takes.
`benchmarks/coverage.py` measures on 14 populations what is left of it: by metric, reason and size of the sample.

A word says what a reader may do. Where few rows lie at the target, few degrees of freedom are left, or no row is
misordered, the interval grows as it must: on 10 made populations that no limit was chosen on, samples of 30, 300 and
1,000 rows, it covered .97 to .99 (99,000 intervals with fewer than 10 rows beyond the target or below 3 degrees of
freedom; .966 with a single row beyond), hence "wide". "Unreliable" is left for what the interval does not see: few
large weights of values (.93), heavy tails of spreads (.90), and losses, which rest on errors and a rare class as rates
do.
With fewer than 5 effective errors those of log loss and calibration in the large covered .86 (below 2: .75), with 5 to
20 .94; MAE and bias of rare values .83 and .94.

What it cannot see: a sample that missed the tail looks lighter than its population, such as 300 rows of Student's t
with four degrees of freedom. In cells of a heavy tail that only few samples show as reliable those cover least: of RMSE
with errors of three moments, where 2 to 4 % of samples had a tail index below .4, .35 to .40. Left out set by set, the
rule for rates and means chose the same limits; that for spreads did not, and rests on theory.
"""

# Decided in docs/decisions/0044-a-long-tail-is-told-by-the-divergence-of-its-shift.md.

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import FEWEST
from tauscope.stress.metrics import SummedMetric

Array = NDArray[np.float64]
Level = Literal["reliable", "wide", "unreliable"]

LEVELS: tuple[Level, ...] = ("reliable", "wide", "unreliable")
"""Number and interval can be read; the interval, not the number; neither."""

MIN_BEYOND, MIN_BEYOND_WIDE = 15, 1
"""Rows at or beyond the target: reliable from the first, wide from the second."""
COUNTED_BEYOND = 10
"""Rows at or beyond the target below which a change is not counted when features are ranked; degrees of freedom below
`MIN_DF_WIDE` likewise. Such intervals cover, but a ranking is by numbers."""
MIN_BEYOND_SPREAD = 50
"""The first of them for a variance or RMSE."""
MIN_DF, MIN_DF_WIDE = 10.0, 3.0
"""(Σw²)² / Σw⁴: reliable from the first; below the second an interval is very wide, and a population unreliable."""
MANY_DF = 100.0
"""From so many on no few weights decide, whatever k̂: of a Pareto tail with k > ½ about 1 / (1 - 1/(2k)) are left."""
MIN_EVENTS = 10.0
"""Effective events, and non-events, of a rate or mean probability."""
MIN_ERRORS, MIN_ERRORS_WIDE = 20.0, 5.0
"""Effective errors of a loss, misordered rows of ranks, and rows of the rarer class: reliable from the first, losses
wide from the second. Below it intervals of losses are too short, as they take the errors that a sample lacks for none;
those of ranks, and of fits of a class's rows, cover without a single one."""
MIN_ERRORS_DF = 30.0
"""Degrees of freedom of such a metric to be reliable."""
ROUNDING = 1e-9
"""Share of a limit by which sums, whose order is another in chunks, may fall short of it: ten rows are ten."""
MIN_SPREAD_ROWS = 40.0
"""Effective rows that make up a spread."""
MAX_PARETO_K = 0.7
"""Of the weights, for values: above it the mean itself does not settle, where few degrees of freedom are left."""
MAX_DIVERGENCE_RATIO, MIN_LONG_TAIL_K = 1.4, 0.5
"""KL over that of a normal shift of the same total variation, and Pareto k̂ of the weights: above both, and where few
degrees of freedom are left, the tail moved is too long. Rare levels have a large ratio but weights without a tail."""
MAX_TAIL, MAX_TAIL_WIDE = 0.25, 0.4
"""Pareto k̂ of the squares that a spread is the mean of, unweighted: reliable up to the first, wide up to the second.
Below .5 their variance is finite; a standard error of k̂ is left between. A sample of a heavier tail is at times below
the first as well, and no limit sorts these out."""


class Reason(NamedTuple):
    """What decides over a number, and to which level."""

    name: str
    level: Level


REASONS = (
    Reason("none", "reliable"),
    Reason("undefined", "unreliable"),
    Reason("few_rows_beyond", "unreliable"),
    Reason("few_rows_carry_all", "unreliable"),
    Reason("end_in_doubt", "unreliable"),
    Reason("heavy_weights", "unreliable"),
    Reason("heavy_tail", "unreliable"),
    Reason("some_rows_beyond", "wide"),
    Reason("some_rows_carry_all", "wide"),
    Reason("few_events", "wide"),
    Reason("few_non_events", "wide"),
    Reason("few_spread_rows", "wide"),
    Reason("determined", "reliable"),
    Reason("few_carriers", "unreliable"),
    Reason("some_carriers", "wide"),
    Reason("too_few_errors", "unreliable"),
    Reason("too_few_of_class", "unreliable"),
    Reason("few_errors", "wide"),
    Reason("few_of_class", "wide"),
    Reason("some_tail", "wide"),
    Reason("long_tail", "unreliable"),
)
"""By code, in the order in which they came to be, as kept results have the codes. Carriers are of a population alone,
whatever is computed on it."""
CODES = {reason.name: code for code, reason in enumerate(REASONS)}
LEVEL_OF = np.array([LEVELS.index(reason.level) for reason in REASONS], np.int8)
"""Place among `LEVELS`, by code of the reason."""


class Support(NamedTuple):
    """Where a stress leads, each of shape (...).

    Attributes
    ----------
    n_beyond : ndarray
        Rows at or beyond the target in the direction of the move, the fewest of several targets; ∞ without a move.
    in_doubt : ndarray of bool
        Whether other rows might put the end of τ on that side elsewhere.
    pareto_k : ndarray
        Of the weights.
    divergence_ratio : ndarray
        As `tauscope.weights.measures.divergence_ratio`, of all rows; 1 without a move.
    """

    n_beyond: Array
    in_doubt: NDArray[np.bool_]
    pareto_k: Array
    divergence_ratio: Array


def judge(metric: SummedMetric, estimate: Estimate, support: Support) -> tuple[NDArray[np.int8], Array]:
    """Say what decides over a metric's reliability.

    Parameters
    ----------
    metric : SummedMetric
    estimate : Estimate
        Of shape (...).
    support : Support
        Of the same shape, or one that broadcasts to it.

    Returns
    -------
    reason : ndarray of int8, of shape (...)
        Code among `REASONS`.
    amount : ndarray of shape (...)
        The number that its sentence quotes: rows, effective events or k̂; 0 where there is none.
    """
    value, df, fewest = estimate.value, estimate.df, np.minimum(estimate.events, estimate.non_events)
    of_errors = metric.counts_errors
    tests: list[tuple[str, NDArray[np.bool_], Array | float]] = [
        ("undefined", np.isnan(value), 0.0),
        ("determined", np.broadcast_to(estimate.determined, value.shape), 0.0),
        ("few_rows_beyond", _below(support.n_beyond, MIN_BEYOND_WIDE), support.n_beyond),
        ("few_rows_carry_all", estimate.ess < FEWEST, df),  # no value, and no change of any metric, has an interval
        ("end_in_doubt", support.in_doubt, 0.0),
    ]
    if metric.counted:
        tests += _few(estimate, MIN_ERRORS_WIDE, "too_few_errors", "too_few_of_class")
    # before what is heavy: Student's t covers it there
    tests.append(("some_rows_carry_all", _below(df, MIN_DF_WIDE), df))
    few = ~(df >= MANY_DF)
    if metric.is_mean:
        tests.append(("heavy_weights", few & ~(support.pareto_k <= MAX_PARETO_K), support.pareto_k))
    if metric.is_spread:
        tests.append(("heavy_tail", np.full(value.shape, metric.tail > MAX_TAIL_WIDE), metric.tail))
    least = MIN_BEYOND_SPREAD if metric.is_spread else MIN_BEYOND
    tests.append(("some_rows_beyond", _below(support.n_beyond, least), support.n_beyond))
    tests.append(("some_rows_carry_all", _below(df, MIN_ERRORS_DF if of_errors else MIN_DF), df))
    if metric.is_spread:
        tests.append(("few_spread_rows", _below(fewest, MIN_SPREAD_ROWS), fewest))
        tests.append(("some_tail", np.full(value.shape, metric.tail > MAX_TAIL), metric.tail))
    elif of_errors:
        tests += _few(estimate, MIN_ERRORS, "few_errors", "few_of_class")
    elif metric.is_rate or metric.scale == "logit":
        tests += _few(estimate, MIN_EVENTS, "few_events", "few_non_events")
    # last, as intervals that are wide for another reason cover here too
    long_tail = (support.divergence_ratio > MAX_DIVERGENCE_RATIO) & (support.pareto_k > MIN_LONG_TAIL_K)
    tests.append(("long_tail", few & long_tail, 0.0))
    return _first(tests, value.shape)


def _few(
    estimate: Estimate, least: float, of_events: str, of_others: str
) -> list[tuple[str, NDArray[np.bool_], Array | float]]:
    """Say which are too few, events or the others: those of which there are fewest."""
    events, others = estimate.events, estimate.non_events
    fewest = np.minimum(events, others)
    return [
        (of_events, _below(events, least) & (events <= fewest * (1 + ROUNDING)), fewest),
        (of_others, _below(others, least), fewest),
    ]


def _below(amount: Array, least: float) -> NDArray[np.bool_]:
    """Say what falls short of a limit by more than rounding, which depends on the order of adding up."""
    return amount < least * (1 - ROUNDING)


def _first(
    tests: list[tuple[str, NDArray[np.bool_], Array | float]], shape: tuple[int, ...]
) -> tuple[NDArray[np.int8], Array]:
    reason, amount = np.zeros(shape, np.int8), np.zeros(shape)
    for name, holds, number in reversed(tests):
        if np.any(holds):
            np.copyto(reason, CODES[name], where=holds)
            np.copyto(amount, number, where=holds)
    return reason, amount
