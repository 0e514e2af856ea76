"""The verb `stress_curves`: a study's columns and answers to the engine, its arrays back as a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature, check_named, default_features, list_features, select_features
from tauscope.errors import InputError, InputTypeError
from tauscope.model import jobs, progress_bar
from tauscope.results.stress.curve_numbers import CurvesOptions, IntervalMethod
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.taus import tau_grid
from tauscope.stress import curves as engine
from tauscope.stress.bootstrap import N_REPLICATES, bootstrap_t
from tauscope.stress.curves import Curves
from tauscope.stress.joint.adjusted import Hold
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.row_curves import row_curves
from tauscope.stress.weighted_metrics import GROUPS, metric_curves
from tauscope.study.stress.adjusted import adjusted_curves
from tauscope.study.stress.metrics import MetricLike, MetricSelection, select_metrics
from tauscope.weights.checks import TINY
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Features = str | int | Feature | Iterable[str | int | Feature]


def stress_curves(
    self: StudyBase,
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
        eleven calls per feature and τ. By default all metrics of the task.
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

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names or what is missing for it.
    InputError
        For a feature that no stress can move, asked for by name, or a number out of its range.
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
    chosen, skipped = choose_features(self._columns, self.sample_weight, features)
    if interval not in get_args(IntervalMethod):
        raise InputError(f"interval must be one of {', '.join(get_args(IntervalMethod))}; got {interval!r}.")
    selection = select_metrics(self, metrics)
    seed = seed_of(random_state) if interval == "bootstrap-t" else None
    check_hold(hold, hold_features, interval, bool(selection.weighted))
    jobs.check_n_jobs(n_jobs)
    adjusted_for = None if hold_features is None else select_features(self._columns, hold_features)
    options = CurvesOptions(
        quantile=float(quantile),
        metrics=selection.requested,
        confidence=float(confidence),
        interval=interval,
        random_state=seed,
        hold=hold,
        hold_features=None if adjusted_for is None else tuple(feature.name for feature in adjusted_for),
        progress=progress,
    )
    with progress_bar.bars_shown(progress):
        if hold is not None:
            curves = _compute_adjusted(self, chosen, hold, adjusted_for, selection, grid, quantile, confidence, n_jobs)
        else:
            curves = _compute_curves(self, chosen, selection, grid, quantile, confidence, seed, n_jobs)
    return StressCurves(
        features=chosen,
        _curves=curves,
        skipped=skipped,
        n_rows=self.n_rows,
        model_name=self._model_name,
        task=self._task,
        _options=options,
        _sample_weight=self.sample_weight,
        _warned=(*self.notes, *(metric.note for metric in selection.weighted if metric.note)),
        _refinable=not selection.weighted and not selection.by_rows and interval == "analytic" and hold is None,
        source=self._as_source(),
    )


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


def _compute_adjusted(
    study: StudyBase,
    features: Sequence[Feature],
    hold: Hold,
    adjusted_for: Sequence[Feature] | None,
    selection: MetricSelection,
    taus: NDArray[np.float64],
    quantile: float,
    confidence: float,
    n_jobs: int | None,
) -> Curves:
    return adjusted_curves(
        study,
        features,
        hold,
        adjusted_for,
        taus=taus,
        quantile=quantile,
        confidence=confidence,
        metrics=selection.builtin or None,
        over=jobs.mapped(n_jobs, "Holding", len(features), "feature"),
    ).curves


def _compute_curves(
    study: StudyBase,
    features: Sequence[Feature],
    selection: MetricSelection,
    taus: NDArray[np.float64],
    quantile: float,
    confidence: float,
    seed: int | None,
    n_jobs: int | None,
) -> Curves:
    weight = study.sample_weight
    summed = [name for name in selection.builtin or () if name not in selection.by_rows]
    curves = engine.stress_curves(
        progress_bar.progress(_values(features), "Stressing", len(features), "feature"),
        study._outcomes,
        taus=taus,
        quantile=quantile,
        confidence=confidence,
        metrics=summed or None,
        sample_weight=weight,
    )
    if seed is not None:
        curves = bootstrap_t(
            [feature.values() for feature in features],
            study._outcomes,
            curves,
            quantile=quantile,
            confidence=confidence,
            sample_weight=weight,
            random_state=seed,
            over=jobs.mapped(n_jobs, "Drawing rows", N_REPLICATES, "replicate"),
        )
    if selection.names is None:
        return curves
    if selection.by_rows:
        quantities, metrics = define_quantities(study._outcomes, names=selection.by_rows)
        curves = row_curves(
            _values(features),
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
    n_calls = (GROUPS + 1) * len(features) * len(taus) * len(selection.weighted)
    measuring = f"Measuring by {n_calls:,} calls of {', '.join(metric.name for metric in selection.weighted)}"
    measured = metric_curves(
        _values(features),
        curves,
        {metric.name: metric.of_weights for metric in selection.weighted},
        quantile=quantile,
        sample_weight=weight,
        confidence=confidence,
        bounds={metric.name: metric.bounds for metric in selection.weighted},
        over=jobs.mapped(n_jobs, measuring, len(features), "feature"),
    )
    return measured.only(selection.names)


def _values(features: Sequence[Feature]) -> Iterator[NDArray[np.float64]]:
    return (feature.values() for feature in features)
