"""Verbs of stress for chunks: the sums behind curves, curves and maps of pixels, and one reweighting."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.chunked.needs_rows import CURVES_OPTIONS, check_options
from tauscope.chunked.stress.pixel_counts import ImageReader, count_pixels
from tauscope.chunked.stress.requests import check_requests, list_requests
from tauscope.chunked.stress.sketch import StressSketch
from tauscope.chunked.stress.sketch_sums import make_sums
from tauscope.results.image_shape import image_shape
from tauscope.results.stress.image import StressImage
from tauscope.results.stress.taus import tau_grid
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.image import image_from_counts

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.results.stress.curves import StressCurves
    from tauscope.results.stress.equal_distance import Shift
    from tauscope.study.stress.curves import Features


def sketch(
    self: ChunkedBase,
    *,
    quantile: float = 0.05,
    metrics: str | Sequence[str] | None = None,
    progress: bool = True,
) -> StressSketch:
    """Sum up the rows for stress curves: sums to save, to load, to add and to take up more rows.

    Parameters
    ----------
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 will stand for the `quantile` and 1 - `quantile` quantiles.
    metrics : str or sequence of str, optional
        Metrics to sum for besides those that every sketch answers: "log_loss", "brier_score_loss",
        "mean_absolute_error", "bias", "r2", of several classes "balanced_accuracy" and "recall_<class>". "roc_auc" and
        "average_precision" take up to a thousand sums more for each bin of a column, see Notes.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    StressSketch

    Raises
    ------
    InputError, InputTypeError
        For rows that cannot be read, naming the chunk, and for none; see `ChunkedStudy`.

    Notes
    -----
    Rows are read three times: for ranges and levels; for the exact quantiles that τ = ±1 stand for, where the first
    pass left them open; and for the sums, when the model is called. The first two are light.

    ROC AUC and average precision follow from the weight of both classes in up to 256 steps of the score, laid out in
    one more pass that calls the model. They take up to 256 MB for all columns; where that would be more, the steps
    are fewer, but never below 32. Few different scores have a step each, and the numbers are then those of the rows;
    else a note says how far they can be off.
    """
    check_fraction("quantile", quantile, 0.5)
    quantile = float(quantile)
    asked = list_requests(metrics) or []
    made = self._sums.get(quantile)
    if made is not None:
        check_requests(made.plan.no_outcomes, asked)
        asked = [*made.plan.asked, *asked]
    if made is None or not {metric.name for metric in made.plan.metrics(made.plan.units, True)}.issuperset(asked):
        with self._bars(progress):
            passes = self._passes()
            first = self._first_pass(passes, ordered=True)
            start = self._outputs(passes, first)
            self._sums[quantile] = make_sums(passes, first, start, self._reader, quantile, asked)
    return StressSketch(self._sums[quantile], self._reader)


def stress_curves(
    self: ChunkedBase,
    features: Features | None = None,
    *,
    taus: int | Sequence[float] = 21,
    quantile: float = 0.05,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
    **options: Any,
) -> StressCurves:
    """Move the mean of one feature at a time, with the weights changed as little as possible, and follow the model.

    Parameters
    ----------
    features, taus, quantile, confidence
        As in `Study.stress_curves`.
    metrics : str or sequence of str, optional
        Names such as "error_rate", "f1", "log_loss", "r2"; by default the task's own. "roc_auc" and
        "average_precision" are those of the score in steps, see `sketch`; a note says how far they can be off.
    progress : bool, default True
        Whether bars show after two seconds.
    **options
        Others of `Study.stress_curves`, as they are there by default: they need the rows.

    Returns
    -------
    StressCurves
        With its frame, rankings, charts, notes and widget, as from rows in memory; from the sums of `sketch`.

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names.
    InputError
        For a metric of scikit-learn, which needs the rows; a feature that no stress can move; or a number out of
        its range.
    """
    check_options("stress_curves", options, CURVES_OPTIONS)
    sums = sketch(self, quantile=quantile, metrics=metrics, progress=progress)
    curves = sums.stress_curves(features, taus=taus, metrics=metrics, confidence=confidence)
    return replace(curves, _warned=(*self.notes, *curves._warned), source=self._as_source())


def equal_shifts(self: ChunkedBase, curves: StressCurves, metric: str, distance: float) -> list[Shift]:
    """Move every feature by one distance; see `StressCurves.harm`."""
    options = curves._options
    asked = None if options.metrics is None else [str(name) for name in options.metrics]
    sums = sketch(self, quantile=options.quantile, metrics=asked, progress=options.progress)
    return sums._equal_shifts(curves, metric, distance)


def stress_image(
    self: ChunkedBase,
    shape: tuple[int, ...],
    *,
    taus: int | Sequence[float] = (-1, 0, 1),
    quantile: float = 0.05,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> StressImage:
    """Move the mean of each pixel, one at a time, and map what the classifier does, from 8-bit images.

    Parameters
    ----------
    shape : tuple of int
        (height, width) or (height, width, channels). The inputs of a chunk are a uint8 array of shape
        (n_images, …) whose remaining sizes make one image, slices of a memory map for instance, which the model
        gets as they are; or a frame of that many columns of bytes.
    taus, quantile, metrics, confidence
        As in `Study.stress_image`.
    progress : bool, default True
        Whether a bar shows after two seconds.

    Returns
    -------
    StressImage
        Exact. Each chunk is read once and forgotten, an iterator's too, and no other pass is made.

    Raises
    ------
    InputError
        For images of another shape, lengths that differ, labels that are not among the classes, fewer than two
        classes, no images, weighted images or a regression; the message says which chunk.
    InputTypeError
        For images that are not uint8.
    UnknownName
        For a metric or a class that is not there.
    """
    tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    sizes = image_shape(shape)
    n_pixels = int(np.prod(sizes))
    if self._images is None or self._images[0].n_pixels != n_pixels:
        with self._bars(progress):
            self._images = count_pixels(self._source, ImageReader(self._reader, n_pixels)).finish()
    return image_from_counts(
        *self._images,
        sizes,
        taus=taus,
        quantile=float(quantile),
        metrics=metrics,
        confidence=float(confidence),
        progress=self._shows_progress and progress,
        model_name=self._model_name,
    )
