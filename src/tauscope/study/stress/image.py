"""The verb `stress_image`: pixels, or their counts, to the engine."""

# Chunks of images come from anywhere.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.errors import InputError, UnknownName
from tauscope.model import progress_bar
from tauscope.results.stress.image import StressImage, compute_pixel_curves
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.stress import curves as by_column
from tauscope.stress.curves import NOTHING, Curves
from tauscope.stress.metric_definitions import definition_of, definitions
from tauscope.stress.metric_forms import PowerDefinition
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.pixels import StudyImages

if TYPE_CHECKING:
    from tauscope.study.verbs import Asked

ONE_VALUE = "A stress needs pixels that differ; every one has one value in all images. Give other images."


def stress_image(
    self: Asked,
    shape: tuple[int, ...],
    *,
    taus: int | Sequence[float] = (-1, 0, 1),
    quantile: float = 0.05,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> StressImage:
    """Move the mean of each pixel, one at a time, and map what the classifier does.

    Parameters
    ----------
    shape : tuple of int
        (height, width) or (height, width, channels), which the study's columns are in C order. The inputs of a chunk
        are a uint8 array of shape (n_images, …) whose remaining sizes make one image, slices of a memory map for
        instance, which the model gets as they are; or a frame of that many columns of bytes.
    taus : int or sequence of float, default (-1, 0, 1)
        An odd number of steps from -1 to 1, or values in [-1, 1].
    quantile : float, default 0.05
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a pixel.
        Of two values of which the one led to is rarer, they stand for four times its odds.
    metrics : str or several, optional
        What is counted: the portion of a class, a rate, "balanced_accuracy", "f1", "precision", "specificity" and
        the like, recall or precision of a class. By default all of the task, but the mean score.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    progress : bool, default True
        Whether a bar shows after two seconds.

    Returns
    -------
    StressImage
        Exact; pixels of at most 256 values are counted once. Each chunk is read once and forgotten, an iterator's too,
        and no other pass is made.

    Raises
    ------
    InputError
        For a shape that does not account for every column, a regression, columns of levels, or pixels of which
        none differs. In chunks also for lengths that differ, labels that are not among the classes, fewer than two
        classes, no images, and weighted images; the message says which chunk.
    InputTypeError
        For images in chunks that are not uint8.
    UnknownName
        For a metric, or a class of a chunk, that is not there.

    Examples
    --------
    >>> image = study.stress_image((2, 2), taus=3)
    >>> image.map("error_rate").shape
    (2, 2)
    """
    grid = tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    options: dict[str, Any] = {"quantile": float(quantile), "confidence": float(confidence)}
    with self._bars(progress):
        images = self._images_of(shape)
        collected, chosen = _choose(images.outcomes, metrics)
        counts = images.counts(collected)
        if isinstance(images, StudyImages) and counts is None:
            curves = _column_by_column(images, chosen, grid, **options)
        else:
            assert counts is not None
            curves = compute_pixel_curves(counts, chosen, grid, **options, progress=progress)
    if np.isnan(curves.ess).all():
        raise InputError(ONE_VALUE)
    return StressImage(
        images.sizes,
        curves,
        **options,
        n_rows=images.outcomes.n_rows if counts is None else counts.n_rows,
        model_name=self._model_name,
        task=images.outcomes.task,
        _counts=counts,
        progress=progress and self._shows_progress,
        source=self._as_source() if counts is None else None,
    )


def _choose(outcomes: Outcomes, metrics: str | Sequence[str] | None) -> tuple[Quantities, tuple[SummedMetric, ...]]:
    """Choose among what rows that are only counted tell, and maps of percentage points show: shares of cells."""
    names = [metrics] if isinstance(metrics, str) else None if metrics is None else list(metrics)
    of_cells = [each.name for each in definitions(outcomes, None) if not isinstance(each, PowerDefinition)]
    known = [each for each in names or () if each not in of_cells and definition_of(each) is not None]
    if known:
        raise UnknownName(
            f"Maps are of shares of images that are counted by prediction and truth; {known[0]!r} needs more. "
            f"Choose from {', '.join(of_cells)}, or use stress_curves."
        )
    collected, every = define_quantities(outcomes, names=[each for each in names or () if each in of_cells])
    return collected, choose(tuple(each for each in every if each.of_cells and each.kind != "value"), names)


def _column_by_column(
    images: StudyImages, metrics: Sequence[SummedMetric], taus: Any, quantile: float, confidence: float
) -> Curves:
    """Compute the curves of columns that are not 8-bit, or weighted, from their rows."""
    study = images.study
    weight, p = study.sample_weight, len(study._columns)
    counted = slice(None) if weight is None else weight > 0
    columns = [column.values for column in study._columns]
    moving = [
        j for j, x in enumerate(columns) if x is not None and len(seen := x[counted][~np.isnan(x[counted])]) and
        seen.min() < seen.max()
    ]  # fmt: skip
    if not moving:
        raise InputError(ONE_VALUE)
    curves = by_column.stress_curves(
        progress_bar.progress((columns[j] for j in moving), "Stressing", len(moving), "pixel"),  # pyright: ignore[reportArgumentType]
        images.outcomes,
        taus=taus,
        quantile=quantile,
        confidence=confidence,
        metrics=[metric.name for metric in metrics],
        sample_weight=weight,
    )
    out: dict[str, Any] = {"taus": curves.taus, "metrics": curves.metrics}
    for name, values in vars(curves).items():
        if name not in out:
            out[name] = np.full((p, *values.shape[1:]), NOTHING.get(name, np.nan), values.dtype)
            out[name][moving] = values
    for j in set(range(p)) - set(moving):
        x = columns[j]
        out["mean"][j] = np.nan if x is None or np.isnan(x).all() else np.nanmean(x)
    return Curves(**out)
