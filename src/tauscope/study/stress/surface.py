"""The verb `stress_surface`: two of a study's columns to the engine, its arrays back as a result."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as shortened
from typing import TYPE_CHECKING, cast

import numpy as np

from tauscope.data.features import Feature, select_features
from tauscope.errors import DependentConstraints, InputError, InputTypeError
from tauscope.model import jobs, progress_bar
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.results.stress.surface import StressSurface
from tauscope.stress.pair import surface as engine
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import MetricLike, select_metrics

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def stress_surface(
    self: StudyBase,
    feature_a: str | int | Feature,
    feature_b: str | int | Feature,
    *,
    taus: int | Sequence[float] = 21,
    quantile: float = 0.05,
    metrics: MetricLike | Sequence[MetricLike] | None = None,
    confidence: float = 0.95,
    n_jobs: int | None = None,
    progress: bool = True,
) -> StressSurface:
    """Move the means of two features at once, over every pair of τ, and follow every metric.

    Parameters
    ----------
    feature_a, feature_b : name or position
        A column of numbers, or the share of one level ("sex = Female").
    taus : int or sequence of float, default 21
        An odd number of steps from -1 to 1, or values in [-1, 1]; the same for both.
    quantile : float, default 0.05
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a feature.
        Of two values of which the one led to is rarer, they stand for four times its odds.
    metrics : str or several, optional
        Names of the task's metrics, such as "error_rate". By default all of them.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    n_jobs : int, optional
        Workers, processes of their own, for cells that are summed over the rows: those of steep tilts, and all of a
        metric that ranks the rows, such as "roc_auc". -1 means all cores; None means 1 unless in a
        `joblib.parallel_config` context. The same numbers come of any.
    progress : bool, default True
        Whether a bar shows after two seconds.

    Returns
    -------
    StressSurface
        Both means are held at every cell; cells that no weights on these rows can reach say so.

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names.
    InputError
        For a feature that no stress can move, the same one twice, a metric that is not the task's own, or a number
        out of its range.
    InputTypeError
        For anything but one name or position along each side.
    DependentConstraints
        For two features of which one is a linear function of the other.

    Examples
    --------
    >>> surface = study.stress_surface("mean radius", "mean texture", taus=5, metrics="error_rate")
    >>> surface.frame.shape
    (25, 15)
    """
    grid = tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    jobs.check_n_jobs(n_jobs)
    pair = _select_one(self, feature_a), _select_one(self, feature_b)
    if pair[0].name == pair[1].name:
        raise InputError(
            f"A surface needs two different features; got {pair[0].name!r} twice. Use stress_curves for one."
        )
    for feature in pair:
        reason = feature.constant_reason(self.sample_weight)
        if reason is not None:
            raise InputError(
                f"A surface needs two features that can move; {feature.name!r} cannot: {reason}. Choose another."
            )
    selection = select_metrics(self, metrics)
    if selection.weighted:
        raise InputError(
            f"The metrics of a surface are the task's own; got {selection.weighted[0].name!r}, a call of "
            "which is needed for each of hundreds of cells. Use it with stress_curves, or on weights of reweight."
        )
    try:
        with progress_bar.bars_shown(progress):
            surface = engine.stress_surface(
                [feature.values() for feature in pair],
                self._outcomes,
                taus=grid,
                quantile=quantile,
                confidence=confidence,
                metrics=selection.builtin,
                sample_weight=self.sample_weight,
                over=jobs.mapped(n_jobs, "Summing over rows", None, "cell"),
            )
    except DependentConstraints:
        raise DependentConstraints(
            f"A surface needs two features that can move apart; on these rows {pair[0].name!r} is a linear function of "
            f"{pair[1].name!r}. Choose another, or use stress_curves for one of them."
        ) from None
    return StressSurface(
        features=pair,
        _surface=surface,
        quantile=float(quantile),
        confidence=float(confidence),
        n_rows=self.n_rows,
        model_name=self._model_name,
        task=self._task,
        _sample_weight=self.sample_weight,
        source=self._as_source(),
    )


def _select_one(study: StudyBase, request: str | int | Feature) -> Feature:
    """Return the single feature meant; a column of levels must say which."""
    if not isinstance(cast(object, request), str | int | np.integer | Feature):
        raise InputTypeError(
            f"A surface moves one feature along each side; got {shortened(request)}. Give a name or a position: "
            f"{study._columns[0].name!r}."
        )
    selected = select_features(study._columns, request)
    if len(selected) == 1 or selected[0].kind == "numeric":
        return selected[0]
    named = ", ".join(repr(feature.name) for feature in selected[:5])
    raise InputError(f"A surface moves one mean along each side; {request!r} stands for several: {named}. Name one.")
