"""The verb `stress_curves`: columns of rows, wherever they are, to the engine; its arrays back as a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature, check_named, default_features, list_features, select_features
from tauscope.errors import InputError, InputTypeError
from tauscope.model import jobs
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.curve_numbers import CurvesOptions, IntervalMethod
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.rows.rows import FoundCurves
from tauscope.stress.bootstrap import N_REPLICATES, bootstrap_t
from tauscope.stress.curves import Curves
from tauscope.stress.joint.adjusted import Hold
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.row_curves import row_curves
from tauscope.stress.weighted_metrics import GROUPS, metric_curves
from tauscope.study.stress.adjusted import adjusted_curves
from tauscope.study.stress.metrics import MetricLike, MetricSelection, select_metrics, select_own
from tauscope.study.stress.populations import say_bound
from tauscope.weights.checks import TINY
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import AskedForCurves

Features = str | int | Feature | Iterable[str | int | Feature]


def stress_curves(
    self: AskedForCurves,
    features: Features | None = None,
    *,
    taus: int | Sequence[float] = 21,
    quantile: float = 0.05,
    metrics: MetricLike | Sequence[MetricLike] | None = None,
    confidence: float = 0.95,
    interval: IntervalMethod = "analytic",
    random_state: RandomState = None,
    hold: Hold | None = None,
    hold_features: Features | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> StressCurves:
    """Move the mean of one feature at a time, with the weights changed as little as possible, and follow the model.

    Parameters
    ----------
    features : name, position, or several of them, optional
        A column of levels gives the share of each. By default every feature that can be moved; the others are named
        in `skipped`.
    taus : int or sequence of float, default 21
        An odd number of steps from -1 to 1, or values in [-1, 1]; 0, the unstressed population, is always there.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of the feature.
        Of two values of which the one led to is rarer, they stand for four times its odds.
    metrics : str, callable, or several, optional
        Names of the task's own, such as "error_rate" or "portion_1", and any other: a scoring string, a function's
        name in `sklearn.metrics`, a scorer, a function (y_true, y_pred, sample_weight=). Each of these others costs
        eleven calls per feature and τ. By default all metrics of the task. In chunks names of the task's own alone;
        "roc_auc" and "average_precision" are then those of the score in steps, see `ChunkedStudy.sketch`, and a note
        says how far they can be off.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    interval : {"analytic", "bootstrap-t"}, default "analytic"
        How the intervals are made: from influence functions (those of metrics that are not the task's own from a
        jackknife), or by 300 replicates of the rows, which is slower and more accurate for small data and curved
        responses.
    random_state : int, Generator or None
        Draws the replicates.
    hold : {"means", "uncorrelated"}, optional
        What stays while a feature moves: "means" holds the means and shares of all other columns, "uncorrelated"
        also makes their covariances with the feature zero (at τ = 0 too). That takes away what depends on them
        linearly, and no more: it does not tell causes. One projection per feature and τ; NaN, with a note, where
        no weights on these rows do it.
    hold_features : name, position, or several of them, optional
        What is held; by default every other feature but the rarest levels.
    n_jobs : int, optional
        Workers for replicates, for features of which the others are held, and for those of metrics that take all rows
        at once, such as "roc_auc", or are not the task's own. -1 means all cores; None means 1 unless in a
        `joblib.parallel_config` context. The same numbers come of any. All else is summed in one pass over the rows,
        which takes one core.
    progress : bool, default True
        Whether a bar shows after two seconds.

    Returns
    -------
    StressCurves
        Of rows in chunks the same to 1e-9, from the sums of `ChunkedStudy.sketch`.

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names or what is missing for it.
    InputError
        For a feature that no stress can move, asked for by name, or a number out of its range. In chunks also for
        `interval`, `random_state`, `hold` and `hold_features` other than by default, and metrics that are not sums:
        these need the rows, use `ChunkedStudy.sample`.
    InputTypeError
        For arguments of another kind.

    Examples
    --------
    >>> curves = study.stress_curves("mean radius", metrics="error_rate", taus=[-0.5, 0, 0.5])
    >>> curves.frame[["tau", "target", "value"]].round(3)
       tau  target  value
    0 -0.5  11.835  0.067
    1  0.0  14.166  0.077
    2  0.5  17.368  0.054
    """
    grid = tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    if interval not in get_args(IntervalMethod):
        raise InputError(f"interval must be one of {', '.join(get_args(IntervalMethod))}; got {interval!r}.")
    jobs.check_n_jobs(n_jobs)
    of_rows = {"interval": interval, "random_state": random_state, "hold": hold, "hold_features": hold_features}
    self._check_options("stress_curves", **of_rows)
    seed = seed_of(random_state) if interval == "bootstrap-t" else None
    with self._bars(progress):
        rows = self._as_rows(ordered=True)
        selection = _select(self, rows, metrics)
        check_hold(hold, hold_features, interval, bool(selection.weighted))
        columns = rows.moved(float(quantile), selection.summed)
        chosen, skipped = choose_features(columns.columns, columns.weight, features)
        held = None if hold_features is None else select_features(columns.columns, hold_features)
        options = CurvesOptions(
            quantile=float(quantile),
            metrics=selection.requested,
            confidence=float(confidence),
            interval=interval,
            random_state=seed,
            hold=hold,
            hold_features=None if held is None else tuple(feature.name for feature in held),
            progress=progress,
        )
        if hold is not None:
            found = _hold(self, chosen, hold, held, selection, grid, options, n_jobs)
        else:
            found = columns.curves(chosen, grid, options.confidence)
            if found.inexact:
                if features is not None or len(found.inexact) == len(chosen):
                    raise InputError(f"A stress needs exact sums; {reasons([*found.inexact.items()])}.")
                skipped = (*skipped, *found.inexact.items())
                exact = [feature for feature in chosen if feature.name not in found.inexact]
                found = columns.curves(exact, grid, options.confidence)
        curves = found.curves
        if hold is None and rows.resident is not None:
            curves = _complete(self, chosen, curves, selection, options, n_jobs)
    bounds = (say_bound(metric, bound) for metric, bound in found.bounds)
    of_metrics = (metric.note for metric in selection.weighted)
    return StressCurves(
        features=found.features,
        _curves=curves,
        skipped=skipped,
        n_rows=self.n_rows,
        model_name=self._model_name,
        task=self._task,
        _options=options,
        _sample_weight=columns.weight,
        _warned=(*self._notes, *filter(None, (*of_metrics, *bounds))),
        _refinable=not selection.weighted and not selection.by_rows and interval == "analytic" and hold is None,
        source=self._as_source(),
    )


def _select(study: AskedForCurves, rows: Rows, metrics: MetricLike | Sequence[MetricLike] | None) -> MetricSelection:
    """Tell metrics that follow from sums from others, which rows in memory alone can answer."""
    if rows.resident is not None:
        return select_metrics(cast("StudyBase", study), metrics)
    own = select_own(rows.summed, metrics, "A curve of chunks") or None
    return MetricSelection(own, own, own)


def check_fraction(name: str, value: object, below: float) -> None:
    """Ask for a number strictly between 0 and a bound; a percentage is told the fraction it stands for."""
    usual = 0.95 if below == 1 else 0.05
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(f"{name} must be a number between 0 and {below:g}; got {value!r}. Try {usual}.")
    number = float(value)
    if not TINY < number < below * (1 - TINY):
        tried = number / 100 if 1 < number < 100 * below else usual
        low = TINY if 0 < number <= TINY else 0
        raise InputError(f"{name} must lie strictly between {low:g} and {below:g}; got {number:g}. Try {tried:g}.")


def check_hold(hold: object, hold_features: object, interval: str, with_weighted: bool) -> None:
    """Ask for a known way to hold the other features, and for nothing that it cannot be combined with."""
    if hold is None:
        if hold_features is not None:
            raise InputError("hold_features says what to hold; say how as well: hold='means' or 'uncorrelated'.")
        return
    if hold not in get_args(Hold):
        raise InputError(f"hold must be one of {', '.join(get_args(Hold))}, or None; got {hold!r}.")
    if interval != "analytic" or with_weighted:
        raise InputError(
            "With hold, intervals are analytic and metrics those of the task; got "
            f"{'another metric' if with_weighted else f'interval={interval!r}'}. "
            "For other metrics use the weights of study.reweight(…)."
        )


def choose_features(
    columns: Sequence[Column], sample_weight: NDArray[np.float64] | None, features: Features | None
) -> tuple[tuple[Feature, ...], tuple[tuple[str, str], ...]]:
    """Return the features to stress, and those left out with the reason; an error for named ones that cannot be."""
    if features is None:
        check_named(columns, "features")
        chosen, skipped = default_features(columns, sample_weight)
        if not chosen:
            raise InputError(f"No feature can be stressed; {reasons(skipped)}. Give rows that differ.")
        return chosen, skipped
    requested = list_features(features, columns)
    selected = select_features(columns, requested)
    reason_of = {feature.name: feature.constant_reason(sample_weight) for feature in selected}
    chosen = tuple(feature for feature in selected if reason_of[feature.name] is None)
    skipped = tuple((name, reason) for name, reason in reason_of.items() if reason is not None)
    named = {_name(columns, request) for request in requested}
    refused = [(name, reason) for name, reason in skipped if name in named]
    if refused or not chosen:
        raise InputError(
            f"A stress needs a feature with at least two different values; {reasons(refused or skipped)}. "
            "Leave it out, or give rows that differ."
        )
    return chosen, skipped


def _name(columns: Sequence[Column], request: str | int | Feature) -> str:
    """Name of the single feature meant, where it is one; a column of levels has no feature of its own name."""
    if isinstance(request, Feature):
        return request.name
    return request if isinstance(request, str) else columns[request].name


def reasons(skipped: Sequence[tuple[str, str]]) -> str:
    """Say for a few features why no stress can move them."""
    shown = "; ".join(f"{name!r}: {reason}" for name, reason in skipped[:5])
    return shown + (f"; and {len(skipped) - 5} more" if len(skipped) > 5 else "")


def _hold(
    study: AskedForCurves,
    features: Sequence[Feature],
    hold: Hold,
    held: Sequence[Feature] | None,
    selection: MetricSelection,
    taus: NDArray[np.float64],
    options: CurvesOptions,
    n_jobs: int | None,
) -> FoundCurves:
    found = adjusted_curves(
        cast("StudyBase", study),
        features,
        hold,
        held,
        taus=taus,
        quantile=options.quantile,
        confidence=options.confidence,
        metrics=selection.builtin or None,
        over=jobs.mapped(n_jobs, "Holding", len(features), "feature"),
    )
    return FoundCurves(found.curves, tuple(features))


def _complete(
    asked: AskedForCurves,
    features: Sequence[Feature],
    curves: Curves,
    selection: MetricSelection,
    options: CurvesOptions,
    n_jobs: int | None,
) -> Curves:
    """Add what takes rows in memory: intervals of replicates, and metrics that follow from no sums."""
    study = cast("StudyBase", asked)
    weight, outcomes, quantile, confidence = study.sample_weight, study._outcomes, options.quantile, options.confidence
    if options.random_state is not None:
        curves = bootstrap_t(
            [feature.values() for feature in features],
            outcomes,
            curves,
            quantile=quantile,
            sample_weight=weight,
            confidence=confidence,
            random_state=options.random_state,
            over=jobs.mapped(n_jobs, "Drawing rows", N_REPLICATES, "replicate"),
        )
    if selection.names is None:
        return curves
    if selection.by_rows:
        quantities, metrics = define_quantities(outcomes, names=selection.by_rows)
        curves = row_curves(
            (feature.values() for feature in features),
            curves,
            quantities,
            choose(metrics, selection.by_rows),
            quantile=quantile,
            sample_weight=weight,
            confidence=confidence,
            over=jobs.mapped(n_jobs, "Ranking", len(features), "feature"),
        )
    if not selection.weighted:
        return curves.only(selection.names)
    n_calls = (GROUPS + 1) * len(features) * len(curves.taus) * len(selection.weighted)
    measuring = f"Measuring by {n_calls:,} calls of {', '.join(metric.name for metric in selection.weighted)}"
    measured = metric_curves(
        (feature.values() for feature in features),
        curves,
        {metric.name: metric.of_weights for metric in selection.weighted},
        quantile=quantile,
        sample_weight=weight,
        confidence=confidence,
        bounds={metric.name: metric.bounds for metric in selection.weighted},
        over=jobs.mapped(n_jobs, measuring, len(features), "feature"),
    )
    return measured.only(selection.names)
