"""The verb `worst_case`: the reweighting within limits that harms a metric most, or the nearest to a value of it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import default_features
from tauscope.errors import InputError
from tauscope.model import progress_bar
from tauscope.results.reliability import degrees_of_freedom
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.numbers.worst_rows import RowSums, estimate_extreme
from tauscope.results.stress.tables.worst_margins import table_of
from tauscope.results.stress.worst_case import Side, WorstCase
from tauscope.results.stress.worst_within import Within
from tauscope.rows.outline import Outline
from tauscope.stress.joint.estimates import weighted_sums
from tauscope.stress.metric_definitions import definitions, row_definitions
from tauscope.stress.metric_forms import RankedDefinition, RowDefinition
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.sums.balance import balance_of
from tauscope.stress.sums.groups import NoTilt
from tauscope.stress.sums.population import measure_population
from tauscope.stress.sums.worst import FactorTilt, parts_of_values, sum_means, sum_values
from tauscope.stress.worst.rows import edge_value, worst_of_parts
from tauscope.study.stress.curves import Features, check_fraction
from tauscope.study.stress.metrics import define_metrics, select_own
from tauscope.study.stress.worst_limits import TRY, read_within
from tauscope.study.stress.worst_means import Question, check_defined, measure_metric, over_means
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size, total_variation
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]
HELD_OUT = 0.5
ONE_METRIC = "A worst case is of one metric of the task, given by its name. Try 'error_rate'."
OF_MEANS = (
    "A worst case of means needs the rows in memory: each of hundreds of stresses tried would take a pass over them. "
    "Search a sample, worst = sample().worst_case(…), and ask for reweight(worst.stress)."
)
SAMPLED = "Name features=[…] of a sample, sample().worst_case(…): of stresses of their means any metric's is found."
MOST_VALUES = 100_000
"""Different values of what a mean is of, that are kept of rows in chunks."""
OF_VALUES = ("ratio", "mean", "root_mean")
NAME_FEATURES = "Name features=[…]: of stresses of their means any metric's worst is found."


def worst_case(
    self: Asked,
    metric: str,
    *,
    within: Mapping[str, Any] | None = None,
    reach: float | None = None,
    features: Features | None = None,
    worse: Side | None = None,
    held_out: float = HELD_OUT,
    confidence: float = 0.95,
    random_state: RandomState = 0,
    progress: bool = True,
) -> WorstCase:
    """Find the reweighting within limits that harms a metric most, and what it leans on.

    Three questions. ``within={"tv": 0.1}`` alone: what if any rows may count more or less, a tenth of the weight
    changing hands? A bound on every shift of that size, attained, and mostly by weight on the errors themselves.
    ``within={"age": (-2, 5), "education-num": 1}``, or a distance with ``features=["age", "education-num"]``: what if
    only means move, as sliders move them? That is a population one can describe. ``reach=0.2``: which is the smallest
    shift of means that brings the metric there?

    Parameters
    ----------
    metric : str
        Name of one of the task's metrics, such as "error_rate".
    within : mapping, optional
        "tv": total variation in (0, 1], the share of the weight that changes hands; or "kl": Kullback-Leibler
        divergence, nats. Any other key is a feature, and its value how far its mean may move, a number for both ways or
        (down, up), in the feature's unit, of a share in [0, 1]; a column of levels stands for each of its shares.
        Moves and a distance may be given together.
    reach : float, optional
        Value of the metric to be reached with the least KL, by moving means; `within` then says how far it may go.
    features : name, position, or several of them, optional
        Whose means may move. By default any row may be reweighted, but for `reach` all features that can be moved,
        levels of fewer than 1 % of the rows left out.
    worse : {"higher", "lower"}, optional
        Which way the metric is worse; has to be said where neither is, as of the share of a class. For `reach` the
        value says it.
    held_out : float, default 0.5
        Share of the rows in [0, 1) that the stress is read on after it was chosen on the others; 0 for none. Where
        means move only; those of levels that one part lacks are left out.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    random_state : int, RandomState, Generator or None, default 0
        Which rows are held out.
    progress : bool, default True
        Whether a bar shows after two seconds, which counts the shifts of means tried.

    Returns
    -------
    WorstCase
        `.value` with its interval, `.frame` and `.leans_on`: the means it moves most, `.stress` for `reweight`,
        `.scenario(name)` for sliders, `.weights`, `.path()`, `.chart()`.

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names.
    InputError, InputTypeError
        For limits that cannot be read, a metric that is not the task's own, one of ranks, a variance or a mean of
        ratios over any rows, a metric without a worse side, or a value to be reached that it has already. Of rows in
        chunks also for moves of means, and a mean of more than 100,000 different values.

    Notes
    -----
    Over rows the worst is exact: of a mean by a sort of its values (total variation) or an exponential tilt of them
    (KL), of a ratio by Dinkelbach's steps between such. Its interval is that of a function of the population, and
    covers as said where the values are bounded by what the rows show, as indicators are; the highest of values without
    bound is not known from rows. Where no row is wrong, or the distance removes all that are right, it holds what the
    distance makes of as many as chance leaves possible.

    Rows in chunks take four passes, and one that reads their columns; `weights` are None then, and what needs one for
    each row says so.

    Over means weights are λ_i ∝ exp⟨ξ, Φ_i⟩, those of `reweight`, and what is maximised is the metric as a function of
    ξ, by sequential quadratic programming from several directions: a local maximum of those tried, the same at each
    call. The interval of `value` is that of this stress, as `reweight` gives it, and does not count that the stress was
    chosen for being the worst of these rows; `held_out` does.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.1.
    Subbaswamy, Adams, Saria, "Evaluating model robustness and stability to dataset shift", AISTATS 2021.

    Examples
    --------
    >>> worst = study.worst_case("error_rate", within={"mean radius": 1, "mean texture": 1})
    >>> worst.value > worst.before
    True
    >>> [name for name, _, _ in worst.moved]
    ['mean radius', 'mean texture']
    """
    check_fraction("confidence", confidence, 1.0)
    check_held_out(held_out)
    if not isinstance(cast(object, metric), str):
        raise InputError(ONE_METRIC)
    with self._bars(progress):
        rows, outline = self._as_rows(), self._as_outline()
        limits, reach = read_limits(outline, within, reach, features)
        over_rows = reach is None and not limits.moves and features is None
        if rows.resident is None and not over_rows:
            raise InputError(OF_MEANS)
        (name,) = select_own(rows.summed, metric, "A worst case")
        options = {
            "features": features,
            "worse": worse,
            "held_out": float(held_out),
            "confidence": float(confidence),
            "random_state": seed_of(random_state),
        }
        if over_rows:
            return _over_rows(self, rows, name, limits, outline, options)
        quantities, definition, before = measure_metric(outline, name)
        side = worse_of(definition, worse, reach, before)
        options["worse"] = None if reach is not None else side
        asked = Question(name, side, limits, reach, features, float(confidence))
        tries = iter(progress_bar.progress(itertools.count(), "Searching shifts of means", None, "shift"))
        return over_means(outline, asked, quantities, definition, before, options, partial(next, tries))


def check_held_out(held_out: float) -> None:
    """Ask for a share of the rows."""
    if not 0 <= held_out < 1:
        raise InputError(f"held_out must be a share of the rows, at least 0 and below 1; got {held_out:g}. Try 0.5.")


def read_limits(
    study: StudyBase, within: Mapping[str, Any] | None, reach: float | None, features: Features | None
) -> tuple[Within, float | None]:
    """Read how far weights or means may move, and the value to be reached.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `worst_case`.
    """
    limits = read_within(study, within)
    reach = None if reach is None else float(reach)
    if limits == Within() and reach is None:
        raise InputError(f"A worst case is one within limits; got none. {TRY} Or give reach=, a value of the metric.")
    if limits.moves and features is not None:
        raise InputError("The features of within are those that move; leave features out, or give a distance alone.")
    return limits, reach


def _no_parts_error(label: str, rows: Rows) -> InputError:
    """Say that no sort finds the worst rows, and what to do instead."""
    return InputError(
        f"The worst rows are found by sorting what each adds, and the {label} is no mean or ratio of such. "
        + (SAMPLED if rows.resident is None else NAME_FEATURES)
    )


def worse_of(metric: SummedMetric, worse: Side | None, reach: float | None, before: float) -> Side:
    """Return which way a metric is worse.

    Raises
    ------
    InputError
        As `worst_case`.
    """
    if reach is not None:
        if worse is not None:
            raise InputError("The value to be reached says which way the metric moves. Leave worse out.")
        if not np.isfinite(reach) or (metric.kind != "value" and not 0 <= reach <= 1):
            raise InputError(
                f"reach must be a value that the {metric.label} can have; got {reach:g}."
                + (f" Try {reach / 100:g}." if metric.kind != "value" and 1 < reach <= 100 else "")
            )
        if reach == before:
            raise InputError(f"The {metric.label} is {before:.6g} already. Choose another value to be reached.")
        return "higher" if reach > before else "lower"
    if worse is not None:
        if worse not in ("higher", "lower"):
            raise InputError(f"worse must be 'higher' or 'lower'; got {worse!r}.")
        return worse
    side = worse_side(metric.name)
    if side == "either":
        raise InputError(f"The {metric.label} is no worse when higher or lower. Say which: worse='higher'.")
    return side


def _over_rows(
    study: Asked, rows: Rows, name: str, limits: Within, outline: StudyBase, options: dict[str, Any]
) -> WorstCase:
    """Reweight any rows within a distance: all that have one value alike, so that the weight of each value tells."""
    outcomes = rows.summed.allowing
    every = [*definitions(outcomes, (name,)), *row_definitions(outcomes, (name,))]
    definition = next(each for each in every if each.name == name)
    if isinstance(definition, RankedDefinition | RowDefinition):
        raise _no_parts_error(definition.label, rows)
    rows = rows.asking([name])
    weight, n_rows = rows.groups(None).weight[0], rows.summed.n_rows
    metric, before, present = _present(rows, name, weight, outline)
    check_defined(metric, before)
    side = worse_of(metric, options["worse"], None, before)
    if metric.form not in OF_VALUES:
        raise _no_parts_error(metric.label, rows)
    found = sum_values(metric, weight, rows.sum, MOST_VALUES if rows.resident is None else None)
    if found.too_many:
        raise InputError(
            f"The worst rows of chunks are found by the weight of each value of what they add; the "
            f"{metric.label} adds more than {MOST_VALUES:,}. Use a sample: sample().worst_case(…)."
        )
    parts, distance, confidence = parts_of_values(metric, found), limits.distance, options["confidence"]
    assert distance is not None
    mass, squares = found.masses.T
    sign = 1.0 if side == "higher" else -1.0
    extreme = worst_of_parts(parts, mass, distance, sign)
    error, edge = float(np.sqrt(squares @ extreme.influence**2)), np.nan
    if metric.is_rate:
        edge = edge_value(parts, mass, distance, sign, extreme, 1 / float(squares.sum()), confidence)
    tilt = FactorTilt(metric, found, extreme.factor, weight)
    described = _describe(rows, tilt, outline)
    of_rows = RowSums(*present, found.fourth, rows.summed.n_counted)
    moved = extreme.factor > 0
    return WorstCase(
        metric=metric.in_words(),
        worse=side,
        over="rows",
        within=limits,
        reach=None,
        n_rows=n_rows,
        stress=None,
        moved=(),
        before=before,
        estimate=estimate_extreme(metric, extreme.value, error, of_rows, described["pareto_k"], confidence, edge),
        held_out=None,
        kl=float(np.sum((mass * extreme.factor)[moved] * np.log(extreme.factor[moved]))),
        status="found",
        _options={**options, "worse": side},
        confidence=confidence,
        model_name=study._model_name,
        source=study._as_source(),
        **described,
    )


def _present(
    rows: Rows, name: str, weight: float, outline: StudyBase
) -> tuple[SummedMetric, float, tuple[Array, Array]]:
    """Return a metric, its value on the rows as they are, and the sums and squared sums that it is made of."""
    if rows.resident is not None:
        quantities, metric, before = measure_metric(outline, name, rows.summed.units)
        share = (np.ones(outline.n_rows) if outline.sample_weight is None else outline.sample_weight) / weight
        return metric, before, (weighted_sums(quantities, share), weighted_sums(quantities, share**2))
    sums = measure_population(NoTilt(weight), rows.summed.n_counted, rows.summed.n_rows, rows.sum)
    (metric,) = define_metrics(rows.summed, [name], sums.scores, sums.rows)
    return metric, sums.rows.values_before([metric])[0], (sums.rows.sums, sums.rows.squared)


def _describe(rows: Rows, tilt: FactorTilt, outline: StudyBase) -> dict[str, Any]:
    """Return what a result says of the worst weights; of rows that are not in memory these are no part of it."""
    features = default_features(outline._columns, outline.sample_weight)[0]
    block = rows.resident
    if block is not None:
        weights, base = tilt.weights(block), np.ones(block.n_rows) if block.weight is None else block.weight
        weights.flags.writeable = False
        return {
            "weights": weights,
            "_sample_weight": block.weight,
            "features": features,
            "ess": effective_size(weights),
            "degrees_of_freedom": degrees_of_freedom(weights),
            "tv": total_variation(weights, base),
            "pareto_k": pareto_khat(weights, block.weight),
            "carriers": few_carriers(weights, block.weight),
        }
    names = tuple(feature.name for feature in features)
    centres = cast(Outline, outline).means(names)
    balance = balance_of(rows.sum(sum_means, tilt, names, centres, plus=np.add), centres)
    shifts = [
        (mean, now, (now - mean) / deviation if deviation > 0 else float("nan"))
        for mean, deviation, now, _ in balance.tolist()
    ]
    sums = measure_population(tilt, rows.summed.n_counted, rows.summed.n_rows, rows.sum)
    return {
        "weights": None,
        "_sample_weight": None,
        "features": (),
        "ess": sums.rows.ess,
        "degrees_of_freedom": sums.degrees_of_freedom,
        "tv": sums.tv,
        "pareto_k": sums.rows.pareto_k,
        "carriers": sums.carriers,
        "means": table_of(features, shifts),
    }
