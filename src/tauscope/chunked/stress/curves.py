"""The verb `stress_curves` of a sketch: its sums to the engine, the same result back as from rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.sketch_features import SketchedFeature, attach_sums, make_columns
from tauscope.chunked.stress.sketch_sums import SketchSums
from tauscope.errors import InputError, UnknownName
from tauscope.results.stress.curve_numbers import CurvesOptions
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.taus import tau_grid
from tauscope.stress.chunked.binned import BinnedSums
from tauscope.stress.chunked.sub_bins import SubBins
from tauscope.stress.curves import Curves, compute_curves
from tauscope.stress.metrics import choose
from tauscope.study.stress.curves import Features, check_fraction, choose_features, reasons

Array = NDArray[np.float64]

ACCURACY = 1e-9
"""Relative error of the sums up to which a feature's curves are given."""


def sketch_curves(
    sums: SketchSums,
    features: Features | None,
    *,
    taus: int | Sequence[float],
    quantile: float | None,
    metrics: str | Sequence[str] | None,
    confidence: float,
) -> StressCurves:
    """Answer from sums what `tauscope.study.stress.curves.stress_curves` answers from rows; parameters as there."""
    grid = tau_grid(taus)
    check_fraction("confidence", confidence, 1.0)
    if sums.n_rows == 0:
        raise InputError("A sketch needs rows to answer; this one is empty. Give it some with update(X, y).")
    sums.check_classes()
    scaled, units = sums.in_data_units()
    selected, skipped = choose_features(make_columns(scaled), None, features)
    chosen = attach_sums(selected, scaled)
    level = sums.plan.quantile if quantile is None else quantile
    check_fraction("quantile", level, 0.5)
    _check_quantile(level, sums.plan.quantile, chosen)
    collected = scaled.quantities
    names = _names(scaled, metrics)
    every = choose(sums.plan.metrics(units, sums.probable, sums.tails(units)), names)

    columns = {feature.name: feature.engine_column(collected, level) for feature in chosen}

    def recompute(at: Array) -> Curves:
        return compute_curves((columns[feature.name] for feature in chosen), every, at, None, float(confidence))

    curves = recompute(grid)
    inexact = {
        feature.name: (
            f"its sums are good to {worst:.0e} only in these bins; make a sketch of all rows"
            if np.isfinite(worst)
            else "its heaviest rows are not kept for τ this close to ±1; ask for τ farther from there"
        )
        for row, feature in enumerate(chosen)
        if (worst := _error(feature, curves.multiplier[row])) > ACCURACY
    }
    if inexact:
        if features is not None or len(inexact) == len(chosen):
            raise InputError(f"A stress needs exact sums; {reasons(tuple(inexact.items()))}.")
        exact = [row for row, feature in enumerate(chosen) if feature.name not in inexact]
        chosen = tuple(chosen[row] for row in exact)
        skipped = (*skipped, *inexact.items())
        curves = recompute(grid)
    return StressCurves(
        features=chosen,
        curves=curves,
        skipped=skipped,
        n_rows=sums.n_rows,
        model_name=sums.plan.model_name,
        task=sums.plan.outputs.task,
        options=CurvesOptions(float(level), None if metrics is None else tuple(names or ()), float(confidence)),
    )


def _names(sums: SketchSums, metrics: Any) -> list[str] | None:
    """Ask for the names of metrics that sums can answer."""
    if metrics is None:
        return None
    available = [metric.name for metric in sums.plan.metrics(sums.plan.units, True)]
    requested: list[Any] = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    for metric in requested:
        if callable(metric) or (metric not in available and _is_metric(metric)):
            name = getattr(metric, "__name__", metric)
            raise InputError(
                f"A metric of scikit-learn needs the rows, which a sketch does not keep; got {name!r}. "
                f"Ask for {', '.join(available)}, or use Study(model, X, y) on the rows."
            )
        if metric not in available:
            raise UnknownName.among("metric", metric, available)
    return requested


def _is_metric(name: str) -> bool:
    from tauscope.study.stress.sklearn_metrics import metric_names  # loads all of sklearn.metrics

    return name in metric_names()


def _check_quantile(requested: float, sketch_quantile: float, features: Sequence[SketchedFeature]) -> None:
    binned = [feature.name for feature in features if isinstance(feature.sums, BinnedSums)]
    if requested != sketch_quantile and binned:
        raise InputError(
            f"A sketch has the quantiles it was made for, {sketch_quantile:g}; got {requested:g}, of which it has only "
            f"those of columns with few values, not of {binned[0]!r}. Make it with quantile={requested:g}."
        )


def _error(feature: SketchedFeature, multiplier: Array) -> float:
    """Bound the relative error of a feature's sums at the steepest of its tilts."""
    if not isinstance(feature.sums, BinnedSums):
        return 0.0
    unit = feature.sums.layout.scale.unit
    pieces = SubBins(feature.sums)
    finite = multiplier[np.isfinite(multiplier)]
    tilts = feature.sums.layout.tilts
    if tilts and finite.size and (finite.min() * unit < tilts[0] or finite.max() * unit > tilts[-1]):
        return np.inf
    return max((pieces.error(float(xi * unit)) for xi in (finite.min(), finite.max())), default=0.0)
