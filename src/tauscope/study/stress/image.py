"""The verb `stress_image`: a study's pixels to the engine, or their counts where these are there already."""

# Chunks of images come from anywhere.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.errors import InputError
from tauscope.model import progress_bar
from tauscope.results.stress.image import StressImage, image_shape
from tauscope.results.stress.taus import tau_grid
from tauscope.stress import curves as by_column
from tauscope.stress.curves import Curves
from tauscope.stress.images import PixelCounts, image_curves
from tauscope.stress.metrics import SummedMetric, choose, quantities
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.pixels import Pixels

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

ONE_VALUE = "A stress needs pixels that differ; every one has one value in all images. Give other images."


def stress_image(
    study: StudyBase,
    shape: tuple[int, ...],
    *,
    taus: int | Sequence[float] = (-1, 0, 1),
    quantile: float = 0.05,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> StressImage:
    """Move each pixel's mean and map what the classifier does; see `Study.stress_image`."""
    grid = tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    sizes = image_shape(shape, len(study.columns))
    if study.task == "regression":
        raise InputError("Maps are of classes and rates, and this study is of a regression. Use stress_curves.")
    levelled = [column.name for column in study.columns if column.numbers is None]
    if levelled:
        raise InputError(f"Pixels are numbers; {levelled[0]!r} has levels. Leave it out of the images.")
    outcomes = Outcomes(study.task, study.predicted, study.truth, None, labels.names(study.classes))
    wanted, every = quantities(outcomes)
    chosen = _choose(every, metrics)
    pixels = Pixels(study)
    levels = pixels.levels() if study.sample_weight is None else None

    def recompute(at: NDArray[np.float64]) -> Curves:
        with progress_bar.bars_shown(progress):
            if levels is None:
                return _column_by_column(study, outcomes, chosen, at, float(quantile), float(confidence))
            return image_curves(
                counts, chosen, taus=at, quantile=float(quantile), confidence=float(confidence), each=_bar
            )

    if levels is not None:
        counts = PixelCounts(len(study.columns), wanted.n_cells, levels)
        for rows in pixels.chunks():
            counts.add(pixels.codes(rows, levels), wanted.cell[rows])
    return _image(
        sizes, grid, recompute, float(quantile), float(confidence), study.n_rows, study.model_name, study.task
    )


def image_from_counts(
    counts: PixelCounts,
    outcomes: Outcomes,
    sizes: tuple[int, ...],
    *,
    taus: int | Sequence[float],
    quantile: float,
    metrics: str | Sequence[str] | None,
    confidence: float,
    progress: bool,
    model_name: str,
) -> StressImage:
    """Map what each pixel does, from counts of the images; `outcomes` say what the cells are."""
    chosen = _choose(quantities(outcomes)[1], metrics)

    def recompute(at: NDArray[np.float64]) -> Curves:
        with progress_bar.bars_shown(progress):
            return image_curves(counts, chosen, taus=at, quantile=quantile, confidence=confidence, each=_bar)

    return _image(sizes, tau_grid(taus), recompute, quantile, confidence, counts.n_rows, model_name, outcomes.task)


def _image(
    sizes: tuple[int, ...],
    grid: NDArray[np.float64],
    recompute: Callable[[NDArray[np.float64]], Curves],
    quantile: float,
    confidence: float,
    n_rows: int,
    model_name: str,
    task: Task,
) -> StressImage:
    curves = recompute(grid)
    if np.isnan(curves.ess).all():
        raise InputError(ONE_VALUE)
    return StressImage(sizes, curves, quantile, confidence, n_rows, model_name, task, recompute)


def _choose(every: tuple[SummedMetric, ...], metrics: str | Sequence[str] | None) -> tuple[SummedMetric, ...]:
    return choose(every, [metrics] if isinstance(metrics, str) else metrics)


def _bar(starts: Iterable[int]) -> Iterable[int]:
    return progress_bar.progress(starts, "Solving pixels", len(list(starts)), "block")


def _column_by_column(
    study: StudyBase, outcomes: Outcomes, metrics: Sequence[SummedMetric], taus: Any, quantile: float, confidence: float
) -> Curves:
    """Compute the curves of columns that are not 8-bit, or weighted, from their rows."""
    weight, p = study.sample_weight, len(study.columns)
    counted = slice(None) if weight is None else weight > 0
    columns = [column.values for column in study.columns]
    moving = [
        j for j, x in enumerate(columns) if x is not None and len(seen := x[counted][~np.isnan(x[counted])]) and
        seen.min() < seen.max()
    ]  # fmt: skip
    if not moving:
        raise InputError(ONE_VALUE)
    found = by_column.stress_curves(
        progress_bar.progress((columns[j] for j in moving), "Stressing", len(moving), "pixel"),  # pyright: ignore[reportArgumentType]
        outcomes,
        taus=taus,
        quantile=quantile,
        confidence=confidence,
        metrics=[metric.name for metric in metrics],
        sample_weight=weight,
    )
    out: dict[str, Any] = {"taus": found.taus, "metrics": found.metrics}
    for name, values in vars(found).items():
        if name not in out:
            out[name] = np.full((p, *values.shape[1:]), 0 if name == "n_missing" else np.nan, values.dtype)
            out[name][moving] = values
    for j in set(range(p)) - set(moving):
        x = columns[j]
        out["mean"][j] = np.nan if x is None or np.isnan(x).all() else np.nanmean(x)
    return Curves(**out)
