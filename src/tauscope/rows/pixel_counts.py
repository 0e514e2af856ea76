"""Pixels of images that come in chunks, counted by brightness and class, while the classes are still coming."""

# Chunks of images are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels, validation
from tauscope.data.frames import Table, read_table, read_vector
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.calls import Model
from tauscope.model.output import ModelOutput
from tauscope.model.prediction import OutputSpec
from tauscope.model.progress_bar import progress
from tauscope.model.task import TaskHints, infer_output_spec
from tauscope.rows.partitions import Partitions
from tauscope.rows.reading import Reader, name_chunk_in_errors, read_chunk_predictions
from tauscope.rows.sources import ChunkSource
from tauscope.stress.images import PixelCounts
from tauscope.stress.metrics import Quantities, define_quantities
from tauscope.stress.outcomes import Outcomes

NO_REGRESSION = "Maps are of classes and rates, and this study is of a regression. Use stress_curves."


@dataclass(frozen=True, eq=False)
class LabelledImages:
    """Some images with their labels.

    Attributes
    ----------
    pixels : uint8 ndarray of shape (n_images, n_pixels)
    predicted : ndarray of shape (n_images,)
        One class label each.
    y : ndarray of shape (n_images,) or None
    """

    pixels: NDArray[np.uint8]
    predicted: NDArray[Any]
    y: NDArray[Any] | None


class ImageReader:
    """Reads images and labels, no other column: the bytes as they come, once.

    Parameters
    ----------
    reader : Reader
        Its model is called for labels alone; scores have no place on a map.
    n_pixels : int
        Of each image.

    Attributes
    ----------
    classes : tuple or None
        All classes there can be; None while they are still coming.

    Raises
    ------
    InputError
        For a regression, and for weighted images.
    """

    def __init__(self, reader: Reader, n_pixels: int) -> None:
        self.n_pixels, self.hints = n_pixels, reader.hints
        if self.hints.task == "regression" or self.hints.kind == "regressor":
            raise InputError(NO_REGRESSION)
        if reader.options.sample_weight is not None:
            raise InputError(
                "Images are counted by brightness, each as one; weighted ones need to be in memory. Use "
                "Study.stress_image, or leave sample_weight out."
            )
        model = reader.model
        self._reader = reader
        self._model = None if model is None else Model(model.model, "predict", model.batch_rows, progress=False)
        self._outputs: OutputSpec | None = None

    @property
    def classes(self) -> tuple[Hashable, ...] | None:
        """All classes there can be; None while they are still coming."""
        if self._outputs is None or self._outputs.source == "labels":
            return self.hints.classes
        return self._outputs.classes

    def __call__(self, raw: Any) -> LabelledImages | None:
        """Read one chunk; None where it has no images.

        Raises
        ------
        InputError, InputTypeError
            For images that are not 8-bit or of another size, or labels of another number.
        """
        parts = self._reader.take_apart(raw)
        rows, images = self._images(parts.X)
        if images.dtype != np.uint8:
            raise InputTypeError(f"Images must be 8-bit (uint8); these are {images.dtype}. Convert them first.")
        if images.ndim < 2 or images[:1].size not in (0, self.n_pixels):
            raise InputError(f"Images must have {self.n_pixels:,} pixels each; got an array of shape {images.shape}.")
        n = len(images)
        if n == 0:
            return None
        y = None if parts.y is None else self._labels("y", parts.y, n)
        if parts.y_pred is not None:
            predicted = self._labels("y_pred", parts.y_pred, n)
        elif self._model is None:
            predicted = self._read(read_chunk_predictions(parts, n), y)
        else:
            predicted = self._read(self._model.ask(Table(rows, self._kind(rows), None, n, self.n_pixels)), y)
        return LabelledImages(images.reshape(n, self.n_pixels), predicted, y)

    def _images(self, rows: Any) -> tuple[Any, NDArray[Any]]:
        """Return images as the model gets them, and as an array."""
        if not nw.dependencies.is_into_dataframe(rows):
            images = np.asarray(rows)
            return images, images
        table = self._reader.in_order(read_table(rows))
        self._reader = replace(self._reader, names=table.names)
        return table.native, nw.from_native(table.native, eager_only=True).to_numpy()

    def _read(self, output: ModelOutput, y: NDArray[Any] | None) -> NDArray[Any]:
        """Return the labels that a model's answers, or scores alone, stand for."""
        first = output.first
        if self.hints.kind == "classifier" or (first.ndim == 1 and first.dtype.kind in "bO"):
            return first
        if self._outputs is None:
            self._outputs = infer_output_spec(output, replace(self.hints, y=y))
        if self._outputs.task == "regression":
            raise InputError(NO_REGRESSION)
        if self._outputs.source == "labels":
            return first
        return labels.decode(self._outputs(output).predicted, self._outputs.classes, object)

    @staticmethod
    def _kind(rows: Any) -> Literal["array", "frame"]:
        return "array" if isinstance(rows, np.ndarray) else "frame"

    @staticmethod
    def _labels(what: str, values: Any, n: int) -> NDArray[Any]:
        array = read_vector(values, what)
        if array.shape != (n,):
            raise InputError(f"{what} must have one label per image; got shape {array.shape} for {n}.")
        validation.check_no_missing(what, array, "Drop those images.")
        return array


class PixelTally:
    """Counts that grow with the classes that come.

    Parameters
    ----------
    reader : ImageReader
    """

    def __init__(self, reader: ImageReader) -> None:
        self.n_pixels, self.hints = reader.n_pixels, reader.hints
        self.class_labels: list[Hashable] = []
        self.closed = False
        self.with_truth: bool | None = None
        self.counts: PixelCounts | None = None

    def add(self, images: LabelledImages, classes: tuple[Hashable, ...] | None) -> None:
        """Count some images; `classes` are all there can be, where that is known."""
        if classes is not None and not self.closed:
            self._add_classes(classes)
            self.closed = True
        with_truth = images.y is not None
        if self.with_truth is not None and self.with_truth != with_truth:
            raise InputError("Every chunk must come with y, or none; this one is not as those before it.")
        self.with_truth = with_truth
        cell = self._encode(images.predicted)
        if images.y is not None:
            truth = self._encode(images.y)
            cell = cell * len(self.class_labels) + truth
        if self.counts is None:
            self.counts = PixelCounts(self.n_pixels, self._n_cells, np.arange(256.0))
        self.counts.add(images.pixels, cell)

    def merge(self, other: PixelTally) -> PixelTally:
        """Add the counts of other images, and return this."""
        if other.counts is None or self.counts is None:
            return other if self.counts is None else self
        if self.with_truth != other.with_truth:
            raise InputError("Every partition must come with y, or none; some have it and some have not.")
        self._add_classes(other.class_labels)
        other._add_classes(self.class_labels)
        self.closed |= other.closed
        place = np.array([self.class_labels.index(label) for label in other.class_labels])
        self.counts.counts += _recode(other.counts, place, len(self.class_labels), with_truth=bool(self.with_truth))
        self.counts.n_rows += other.counts.n_rows
        return self

    @property
    def _n_cells(self) -> int:
        return len(self.class_labels) ** (2 if self.with_truth else 1)

    def _encode(self, array: NDArray[Any]) -> NDArray[np.int64]:
        codes, strangers = labels.encode(array, self.class_labels)
        if not strangers:
            return codes.astype(np.int64)
        if self.closed:
            raise UnknownName.among("class", str(strangers[0]), [str(c) for c in self.class_labels])
        self._add_classes(labels.distinct(strangers))
        return labels.encode(array, self.class_labels)[0].astype(np.int64)

    def _add_classes(self, classes: Any) -> None:
        """Make room for classes that are not there yet."""
        before = len(self.class_labels)
        self.class_labels += [label for label in classes if label not in self.class_labels]
        if self.counts is not None and len(self.class_labels) > before:
            after, old = len(self.class_labels), np.arange(before)
            cells = (old[:, None] * after + old).ravel() if self.with_truth else old
            self.counts.grow(cells, self._n_cells)

    def finish(self) -> tuple[PixelCounts, Outcomes]:
        """Return the counts by predicted and true class, and the outcome that each stands for.

        Raises
        ------
        InputError
            For no images, or a single class.
        """
        if self.counts is None or self.counts.n_rows == 0:
            raise InputError("There are no images: give at least one chunk that has some.")
        if len(self.class_labels) < 2:
            raise InputError(f"Maps need two classes at least; only {self.class_labels!r} came. Give classes=(…).")
        outputs = self._outputs()
        q, order = len(outputs.classes), outputs.classes
        predicted, truth = np.divmod(np.arange(q * q), q) if self.with_truth else (np.arange(q), None)
        outcomes = Outcomes(outputs.task, predicted, truth, None, labels.names(order))
        by_cell = np.argsort(define_quantities(outcomes)[0].cell, kind="stable")
        place = np.array([self.class_labels.index(label) for label in order])
        came = place[predicted] if truth is None else place[predicted] * q + place[truth]
        return self.counts.merged(np.argsort(came[by_cell]), len(came)), outcomes.take(by_cell)

    def _outputs(self) -> OutputSpec:
        """Put the classes in order: as they were given, else sorted; the positive one last of two."""
        order = tuple(self.class_labels) if self.closed else labels.distinct(self.class_labels)
        names = np.empty(len(order), dtype=object)
        names[:] = order
        hints = TaskHints("classifier", order, task=self.hints.task, pos_label=self.hints.pos_label)
        return infer_output_spec(ModelOutput(names), hints)


class CountedImages(NamedTuple):
    """Images that were counted by outcome; see `tauscope.study.verbs.Images`."""

    sizes: tuple[int, ...]
    by_outcome: PixelCounts
    outcomes: Outcomes

    def counts(self, collected: Quantities) -> PixelCounts:
        """Return the counts over cells of outcomes."""
        return self.by_outcome.merged(collected.cell, collected.n_cells)


def count_pixels(source: ChunkSource | Partitions, reader: ImageReader) -> PixelTally:
    """Count the pixels of all images, each read once and forgotten."""
    if isinstance(source, Partitions):
        return source.total(_count_partition, reader, plus=PixelTally.merge) or PixelTally(reader)
    tally = PixelTally(reader)
    for number, raw in enumerate(progress(source, "Counting pixels", source.n_chunks, "chunk"), 1):
        with name_chunk_in_errors(f"chunk {number}"):
            images = reader(raw)
            if images is not None:
                tally.add(images, reader.classes)
    return tally


def _count_partition(raw: Any, where: str, reader: ImageReader) -> PixelTally | None:
    tally = PixelTally(reader)
    with name_chunk_in_errors(where):
        images = reader(raw)
        if images is None:
            return None
        tally.add(images, reader.classes)
    return tally


def _recode(counts: PixelCounts, place: NDArray[np.intp], q: int, *, with_truth: bool) -> NDArray[np.uint32]:
    """Return counts with the classes at other places among q."""
    cells = (place[:, None] * q + place).ravel() if with_truth else place
    moved = np.zeros_like(counts.counts)
    moved[:, cells] = counts.counts
    return moved
