"""The verb `stress_image`: a study's pixels to the engine; and the same from images that come in chunks."""

# Chunks of images come from anywhere.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.names import unknown
from tauscope.results.stress_image import StressImage, image_shape
from tauscope.results.taus import tau_grid
from tauscope.stress import curves as by_column
from tauscope.stress.curves import Curves
from tauscope.stress.images import PixelCounts, image_curves
from tauscope.stress.indices import SummedIndex, choose, quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.study import bars, labels
from tauscope.study.stress import check_fraction

if TYPE_CHECKING:
    from tauscope.study.studied import Studied

MAX_LEVELS = 256
ROWS = 16_384


def stress_image(
    study: Studied,
    shape: tuple[int, ...],
    *,
    taus: int | Sequence[float] = (-1, 0, 1),
    alpha: float = 0.05,
    indices: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> StressImage:
    """Move each pixel's mean and map what the classifier does; see `Study.stress_image`."""
    grid = tau_grid(taus)
    check_fraction("alpha", alpha, 0.5)
    check_fraction("confidence", confidence, 1.0)
    sizes = image_shape(shape, len(study.columns))
    if study.task == "regression":
        raise InputError("Maps are of classes and rates, and this study is of a regression. Use stress_curves.")
    levelled = [column.name for column in study.columns if column.numbers is None]
    if levelled:
        raise InputError(f"Pixels are numbers; {levelled[0]!r} has levels. Leave it out of the images.")
    outcomes = Outcomes(study.task, study.predicted, study.truth, None, labels.names(study.classes))
    wanted, every = quantities(outcomes)
    chosen = _choose(every, indices)
    pixels = _Pixels(study)
    levels = pixels.levels() if study.sample_weight is None else None

    def recompute(at: NDArray[np.float64]) -> Curves:
        with bars.bars_shown(progress):
            if levels is None:
                return _column_by_column(study, outcomes, chosen, at, float(alpha), float(confidence))
            return image_curves(counts, chosen, taus=at, alpha=float(alpha), confidence=float(confidence), each=_bar)

    if levels is not None:
        counts = PixelCounts(len(study.columns), wanted.n_cells, levels)
        for rows in pixels.chunks():
            counts.add(pixels.codes(rows, levels), wanted.cell[rows])
    curves = recompute(grid)
    if np.isnan(curves.ess).all():
        raise InputError("A stress needs pixels that differ; every one has one value in all images. Give other images.")
    return StressImage(
        shape=sizes,
        curves=curves,
        alpha=float(alpha),
        confidence=float(confidence),
        n_rows=study.n_rows,
        model_name=study.model_name,
        task=study.task,
        _recompute=recompute,
    )


def stress_image_chunks(
    chunks: Iterable[Sequence[Any]],
    shape: tuple[int, ...],
    *,
    classes: Sequence[Hashable] | None = None,
    taus: int | Sequence[float] = (-1, 0, 1),
    alpha: float = 0.05,
    indices: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    model_name: str = "predictions",
    progress: bool = True,
) -> StressImage:
    """Map what each pixel does to a classifier, from 8-bit images that need not be in memory together.

    Parameters
    ----------
    chunks : iterable of (images, predicted) or (images, predicted, y)
        images: uint8 array of shape (n_images, …) whose remaining sizes make one image, slices of a memory map for
        instance; predicted and y: one class label per image. Each chunk is read once and forgotten.
    shape : tuple of int
        (height, width) or (height, width, channels).
    classes : sequence of labels, optional
        All that can come, the positive one last of two. By default those that came, sorted.
    taus, alpha, indices, confidence
        As in `Study.stress_image`.
    model_name : str
        What the result calls the model.
    progress : bool
        Whether a bar shows after two seconds.

    Returns
    -------
    StressImage

    Raises
    ------
    InputError
        For images of another shape, lengths that differ, labels that are not among the classes, fewer than two
        classes or no images; the message says which chunk.
    InputTypeError
        For images that are not uint8.
    """
    grid = tau_grid(taus)
    check_fraction("alpha", alpha, 0.5)
    check_fraction("confidence", confidence, 1.0)
    sizes = image_shape(shape)
    tally = _Tally(int(np.prod(sizes)), classes)
    for place, chunk in enumerate(bars.progress(chunks, "Counting pixels", _length(chunks), "chunk", shown=progress)):
        tally.add(chunk, place)
    counts, outcomes = tally.settled()
    chosen = _choose(quantities(outcomes)[1], indices)

    def recompute(at: NDArray[np.float64]) -> Curves:
        with bars.bars_shown(progress):
            return image_curves(counts, chosen, taus=at, alpha=float(alpha), confidence=float(confidence), each=_bar)

    curves = recompute(grid)
    if np.isnan(curves.ess).all():
        raise InputError("A stress needs pixels that differ; every one has one value in all images. Give other images.")
    return StressImage(
        shape=sizes,
        curves=curves,
        alpha=float(alpha),
        confidence=float(confidence),
        n_rows=counts.n_rows,
        model_name=model_name,
        task=outcomes.task,
        _recompute=recompute,
    )


class _Pixels:
    """A study's columns as codes of few levels, in chunks of rows."""

    def __init__(self, study: Studied) -> None:
        native = study.X
        self.n_rows = study.n_rows
        self.whole: NDArray[Any] | None = native if isinstance(native, np.ndarray) and native.ndim == 2 else None
        self.numbers = [column.numbers for column in study.columns]

    def chunks(self) -> list[slice]:
        """Return slices of rows."""
        return [slice(start, min(start + ROWS, self.n_rows)) for start in range(0, self.n_rows, ROWS)]

    def values(self, rows: slice) -> NDArray[Any]:
        """Return some rows, in the type they came in."""
        if self.whole is not None:
            return self.whole[rows]
        return np.stack([numbers[rows] for numbers in self.numbers if numbers is not None], axis=1)

    def levels(self) -> NDArray[np.float64] | None:
        """Return the values that pixels take, 0 … 255 where they are 8-bit; None for more than 256 of them."""
        if all(_whole_bytes(self.values(rows)) for rows in self.chunks()):
            return np.arange(256.0)
        seen = np.unique(self.values(slice(0, 64)))
        for rows in self.chunks():
            if len(seen) > MAX_LEVELS or np.isnan(seen).any():
                return None
            seen = np.union1d(seen, self.values(rows))
        return None if len(seen) > MAX_LEVELS or np.isnan(seen).any() else seen.astype(np.float64)

    def codes(self, rows: slice, levels: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return the place of each value among the levels."""
        values = self.values(rows)
        if values.dtype == np.uint8:
            return values
        if len(levels) == 256 and levels[-1] == 255:
            return values.astype(np.uint8)
        return np.searchsorted(levels, values.astype(np.float64)).astype(np.uint8)


def _whole_bytes(values: NDArray[Any]) -> bool:
    if values.dtype == np.uint8:
        return True
    return bool(np.all((values >= 0) & (values <= 255) & (values == np.floor(values))))


class _Tally:
    """Counts that grow with the classes that come."""

    def __init__(self, n_pixels: int, classes: Sequence[Hashable] | None) -> None:
        self.n_pixels = n_pixels
        self.given = None if classes is None else tuple(labels.plain(label) for label in classes)
        self.known: list[Hashable] = list(self.given or ())
        self.with_truth: bool | None = None
        self.counts: PixelCounts | None = None

    def add(self, chunk: Sequence[Any], place: int) -> None:
        """Check and count one chunk."""
        where = f"chunk {place}"
        parts = list(chunk) if isinstance(chunk, tuple | list) else []
        if len(parts) not in (2, 3):
            raise InputTypeError(f"A chunk is (images, predicted) or (images, predicted, y); {where} is not.")
        images = np.asarray(parts[0])
        if images.dtype != np.uint8:
            raise InputTypeError(f"Images must be 8-bit (uint8); {where} holds {images.dtype}. Convert it first.")
        if images.ndim < 2 or images[:1].size not in (0, self.n_pixels):
            raise InputError(f"Images must have {self.n_pixels:,} pixels each; {where} has shape {images.shape}.")
        truth = parts[2] if len(parts) == 3 else None
        if self.with_truth is not None and self.with_truth != (truth is not None):
            raise InputError(f"Either every chunk has y or none; {where} is not as those before it.")
        self.with_truth = truth is not None
        given = [np.asarray(part) for part in parts[1:]]
        for what, labelled in zip(("predicted", "y"), given, strict=False):
            if labelled.shape != (len(images),):
                raise InputError(f"{what} must have one label per image; {where}: {labelled.shape} for {len(images)}.")
        codes = [self._coded(labelled, where) for labelled in given]
        cell = codes[0] if truth is None else codes[0] * len(self.known) + codes[1]
        if self.counts is None:
            self.counts = PixelCounts(self.n_pixels, self._n_cells(len(self.known)), np.arange(256.0))
        self.counts.add(images.reshape(len(images), self.n_pixels), cell)

    def _n_cells(self, q: int) -> int:
        return q * q if self.with_truth else q

    def _coded(self, labelled: NDArray[Any], where: str) -> NDArray[np.int64]:
        codes, strange = labels.encode(labelled, self.known)
        if not strange:
            return codes
        if self.given is not None:
            raise UnknownName(f"{unknown('class', str(strange[0]), [str(c) for c in self.given])} Seen in {where}.")
        before = len(self.known)
        self.known += labels.distinct(strange)
        if self.counts is not None:
            after, old = len(self.known), np.arange(before)
            cells = (old[:, None] * after + old).ravel() if self.with_truth else old
            self.counts.grow(cells, self._n_cells(after))
        return labels.encode(labelled, self.known)[0]

    def settled(self) -> tuple[PixelCounts, Outcomes]:
        """Return the counts by the cells that indices are made of, and outcomes without rows that name the classes."""
        if self.counts is None or self.counts.n_rows == 0:
            raise InputError("There are no images: give at least one chunk that has some.")
        q, order = len(self.known), self.given or labels.distinct(self.known)
        if q < 2:
            raise InputError(f"Maps need two classes at least; only {self.known!r} came. Give classes=(…).")
        place = np.array([self.known.index(label) for label in order])
        task = "binary" if q == 2 else "multiclass"
        kept = self.counts.counts
        predicted, truth = np.divmod(np.arange(q * q), q) if self.with_truth else (np.arange(q), None)
        source = place[predicted] if truth is None else place[predicted] * q + place[truth]
        outcomes = Outcomes(task, predicted, truth, None, labels.names(order))
        wanted, _ = quantities(outcomes)
        counts = PixelCounts(self.n_pixels, wanted.n_cells, self.counts.levels)
        for cell, origin in zip(wanted.cell.tolist(), source.tolist(), strict=True):
            counts.counts[:, cell] += kept[:, origin]
        counts.n_rows = self.counts.n_rows
        return counts, outcomes


def _choose(every: tuple[SummedIndex, ...], indices: str | Sequence[str] | None) -> tuple[SummedIndex, ...]:
    return choose(every, [indices] if isinstance(indices, str) else indices)


def _length(chunks: Iterable[Any]) -> Any:
    return len(chunks) if hasattr(chunks, "__len__") else None  # pyright: ignore[reportArgumentType]


def _bar(starts: Iterable[int]) -> Iterable[int]:
    return bars.progress(starts, "Solving pixels", len(list(starts)), "block")


def _column_by_column(
    study: Studied, outcomes: Outcomes, indices: Sequence[SummedIndex], taus: Any, alpha: float, confidence: float
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
        raise InputError("A stress needs pixels that differ; every one has one value in all images. Give other images.")
    found = by_column.stress_curves(
        bars.progress((columns[j] for j in moving), "Stressing", len(moving), "pixel"),  # pyright: ignore[reportArgumentType]
        outcomes,
        taus=taus,
        alpha=alpha,
        confidence=confidence,
        indices=[index.name for index in indices],
        sample_weight=weight,
    )
    out: dict[str, Any] = {"taus": found.taus, "indices": found.indices}
    for name, values in vars(found).items():
        if name not in out:
            out[name] = np.full((p, *values.shape[1:]), 0 if name == "n_missing" else np.nan, values.dtype)
            out[name][moving] = values
    for j in set(range(p)) - set(moving):
        x = columns[j]
        out["mean"][j] = np.nan if x is None or np.isnan(x).all() else np.nanmean(x)
    return Curves(**out)
