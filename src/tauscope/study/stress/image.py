"""The verb `stress_image`: a study's pixels to the engine, or their counts where these are there already."""

# Chunks of images come from anywhere.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.data import labels
from tauscope.data.sparse import check_dense
from tauscope.errors import InputError, UnknownName
from tauscope.model import progress_bar
from tauscope.results.image_shape import image_shape
from tauscope.results.stress.image import StressImage
from tauscope.results.stress.pixels import compute_pixel_curves
from tauscope.results.stress.taus import tau_grid
from tauscope.stress import curves as by_column
from tauscope.stress.curves import NOTHING, Curves
from tauscope.stress.images import PixelCounts
from tauscope.stress.metric_definitions import definition_of, definitions
from tauscope.stress.metric_forms import PowerDefinition
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.pixels import Pixels

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

ONE_VALUE = "A stress needs pixels that differ; every one has one value in all images. Give other images."


def stress_image(
    self: StudyBase,
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
        (height, width) or (height, width, channels), which the study's columns are in C order.
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
        Exact; pixels of at most 256 values are counted once. Images that come in chunks go to
        `tauscope.ChunkedStudy`.

    Raises
    ------
    InputError
        For a shape that does not account for every column, a regression, columns of levels, or pixels of which
        none differs.
    UnknownName
        For a metric that is not there.

    Examples
    --------
    >>> image = study.stress_image((2, 2), taus=3)
    >>> image.map("error_rate").shape
    (2, 2)
    """
    check_dense(self._columns, "Images take")
    grid = tau_grid(taus)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    sizes = image_shape(shape, len(self._columns))
    if self._task == "regression":
        raise InputError("Maps are of classes and rates, and this study is of a regression. Use stress_curves.")
    levelled = [column.name for column in self._columns if column.numbers is None]
    if levelled:
        raise InputError(f"Pixels are numbers; {levelled[0]!r} has levels. Leave it out of the images.")
    outcomes = Outcomes(self._task, self.predicted, self._true_values, None, labels.names(self.classes))
    collected, chosen = _choose(outcomes, metrics)
    pixels = Pixels(self)
    levels = pixels.levels() if self.sample_weight is None else None
    options = {"quantile": float(quantile), "confidence": float(confidence)}
    if levels is None:
        counts = None
        with progress_bar.bars_shown(progress):
            curves = _column_by_column(self, outcomes, chosen, grid, **options)
    else:
        counts = PixelCounts(len(self._columns), collected.n_cells, levels)
        for rows in pixels.chunks():
            counts.add(pixels.codes(rows, levels), collected.cell[rows])
        curves = compute_pixel_curves(counts, chosen, grid, **options, progress=progress)
    return _image(
        StressImage(
            sizes,
            curves,
            n_rows=self.n_rows,
            model_name=self._model_name,
            task=self._task,
            _counts=counts,
            progress=progress,
            source=self._as_source() if counts is None else None,
            quantile=float(quantile),
            confidence=float(confidence),
        )
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
    """Map what each pixel does, from counts of the images by outcome; `outcomes` has one row for each."""
    collected, chosen = _choose(outcomes, metrics)
    counts = counts.merged(collected.cell, collected.n_cells)
    curves = compute_pixel_curves(
        counts, chosen, tau_grid(taus), quantile=quantile, confidence=confidence, progress=progress
    )
    return _image(
        StressImage(
            sizes,
            curves,
            quantile,
            confidence,
            n_rows=counts.n_rows,
            model_name=model_name,
            task=outcomes.task,
            _counts=counts,
            progress=progress,
        )
    )


def _image(result: StressImage) -> StressImage:
    """Refuse images of which no pixel can be moved."""
    if np.isnan(result._curves.ess).all():
        raise InputError(ONE_VALUE)
    return result


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
    study: StudyBase, outcomes: Outcomes, metrics: Sequence[SummedMetric], taus: Any, quantile: float, confidence: float
) -> Curves:
    """Compute the curves of columns that are not 8-bit, or weighted, from their rows."""
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
        outcomes,
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
