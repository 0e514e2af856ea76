"""The verb `stress_curves` of a sketch: its sums to the engine, the same result back as from rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.requests import check_summed, list_requests
from tauscope.chunked.stress.sketch_features import SketchedFeature, attach_sums, make_columns
from tauscope.chunked.stress.sketch_sums import SketchSums
from tauscope.errors import InputError
from tauscope.results.stress.curve_numbers import CurvesOptions
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.equal_distance import Shift, list_shifts
from tauscope.results.stress.taus import tau_grid
from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.sub_bins import SubBins
from tauscope.stress.column.column import SketchedColumn
from tauscope.stress.curves import Curves, compute_curves
from tauscope.stress.equal_distance import equal_shifts
from tauscope.stress.metrics import SummedMetric, bound_of, choose
from tauscope.study.stress.bounds import say_bound
from tauscope.study.stress.curves import Features, check_fraction, choose_features, reasons

Array = NDArray[np.float64]

ACCURACY = 1e-9
"""Relative error of the sums up to which a feature's curves are given."""
FAR_OFF = 1.0
"""That of sums that do not meet their target."""


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
    chosen, skipped, columns, every, names = _read(sums, features, quantile, metrics)
    level = sums.plan.quantile if quantile is None else quantile
    bounds = tuple(bound for metric in every if (bound := bound_of(metric)) is not None)

    def recompute(at: Array) -> Curves:
        asked = (*every, *bounds)
        return compute_curves((columns[feature.name] for feature in chosen), asked, at, None, float(confidence))

    curves = recompute(grid)
    inexact = {
        feature.name: (
            f"its sums are good to {worst:.0e} only in these bins; make a sketch of all rows"
            if np.isfinite(worst)
            else "its heaviest rows are not kept for τ this close to ±1; ask for τ farther from there"
        )
        for row, feature in enumerate(chosen)
        if (worst := _error(feature, curves.multiplier[row], curves.target[row])) > ACCURACY
    }
    if inexact:
        if features is not None or len(inexact) == len(chosen):
            raise InputError(f"A stress needs exact sums; {reasons(tuple(inexact.items()))}.")
        exact = [row for row, feature in enumerate(chosen) if feature.name not in inexact]
        chosen = tuple(chosen[row] for row in exact)
        skipped = (*skipped, *inexact.items())
        curves = recompute(grid)
    n = len(every)
    return StressCurves(
        features=chosen,
        _curves=curves.at(range(n)),
        skipped=skipped,
        n_rows=sums.n_rows,
        model_name=sums.plan.model_name,
        task=sums.plan.outputs.task,
        _options=CurvesOptions(float(level), None if metrics is None else tuple(names or ()), float(confidence)),
        _warned=_say_bounds(bounds, curves.value[:, n:]),
    )


def sketch_shifts(sums: SketchSums, curves: StressCurves, metric: str, distance: float) -> list[Shift]:
    """Return what `tauscope.study.stress.harm.equal_shifts` does, from sums; parameters as there."""
    _, _, columns, every, _ = _read(sums, curves.feature_names, curves.quantile, metric)
    found = equal_shifts((columns[name] for name in curves.feature_names), every[0], distance, curves.confidence)
    return list_shifts(curves.features, found, every[0])


def _read(
    sums: SketchSums, features: Features | None, quantile: float | None, metrics: str | Sequence[str] | None
) -> tuple[
    tuple[SketchedFeature, ...],
    tuple[tuple[str, str], ...],
    dict[str, SketchedColumn],
    tuple[SummedMetric, ...],
    list[str] | None,
]:
    """Return the features, those left out, columns by feature, metrics, and the names of those requested."""
    if sums.n_rows == 0:
        raise InputError("A sketch needs rows to answer; this one is empty. Give it some with update(X, y).")
    sums.check_classes()
    scaled, units = sums.in_data_units()
    selected, skipped = choose_features(make_columns(scaled), None, features)
    chosen = attach_sums(selected, scaled)
    level = sums.plan.quantile if quantile is None else quantile
    check_fraction("quantile", level, 0.5)
    _check_quantile(level, sums.plan.quantile, chosen)
    names = _names(scaled, metrics)
    every = choose(sums.plan.metrics(units, sums.probable, sums.tails(units)), names)
    columns = {feature.name: feature.engine_column(scaled.quantities, level) for feature in chosen}
    return chosen, skipped, columns, every, names


def _say_bounds(bounds: Sequence[SummedMetric], value: Array) -> tuple[str, ...]:
    """Say how far metrics in steps of the score can be off, at the worst feature and τ; `value` (p, n_bounds, T)."""
    worst = np.max(np.nan_to_num(value), axis=(0, 2), initial=0.0).tolist()
    words = (say_bound(metric, bound) for metric, bound in zip(bounds, worst, strict=True))
    return tuple(word for word in words if word)


def _names(sums: SketchSums, metrics: Any) -> list[str] | None:
    """Ask for the names of metrics that the sums answer."""
    requested = list_requests(metrics)
    if requested is not None:
        summed = [metric.name for metric in sums.plan.metrics(sums.plan.units, True)]
        check_summed(sums.plan.no_outcomes, requested, summed)
    return requested


def _check_quantile(requested: float, sketch_quantile: float, features: Sequence[SketchedFeature]) -> None:
    binned = [feature.name for feature in features if isinstance(feature.sums, BinnedSums)]
    if requested != sketch_quantile and binned:
        raise InputError(
            f"A sketch has the quantiles it was made for, {sketch_quantile:g}; got {requested:g}, of which it has only "
            f"those of columns with few values, not of {binned[0]!r}. Make it with quantile={requested:g}."
        )


def _error(feature: SketchedFeature, multiplier: Array, target: Array) -> float:
    """Bound the relative error of a feature's sums at the steepest of its tilts."""
    if not isinstance(feature.sums, BinnedSums):
        return 0.0
    unit = feature.sums.layout.scale.unit
    pieces = SubBins(feature.sums)
    finite = multiplier[np.isfinite(multiplier)]
    tilts = feature.sums.layout.tilts
    if tilts and finite.size and (finite.min() * unit < tilts[0] or finite.max() * unit > tilts[-1]):
        return np.inf
    worst = max((pieces.error(float(xi * unit)) for xi in (finite.min(), finite.max())), default=0.0)
    if pieces.scale.near == 1:
        return worst
    tilts_met = zip(multiplier.tolist(), pieces.scale(target).tolist(), strict=True)
    missed = any(np.isfinite(xi) and not pieces.meets(xi * unit, mean) for xi, mean in tilts_met)
    return max(worst, FAR_OFF) if missed else worst
