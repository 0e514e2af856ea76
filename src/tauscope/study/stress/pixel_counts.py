"""Pixels of images that come in chunks, counted by brightness and class, while the classes are still coming."""

# Chunks of images come from anywhere.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.images import PixelCounts
from tauscope.stress.metrics import quantities
from tauscope.stress.outcomes import Outcomes


class PixelTally:
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
            raise UnknownName(
                f"{UnknownName.among('class', str(strange[0]), [str(c) for c in self.given])} Seen in {where}."
            )
        before = len(self.known)
        self.known += labels.distinct(strange)
        if self.counts is not None:
            after, old = len(self.known), np.arange(before)
            cells = (old[:, None] * after + old).ravel() if self.with_truth else old
            self.counts.grow(cells, self._n_cells(after))
        return labels.encode(labelled, self.known)[0]

    def settled(self) -> tuple[PixelCounts, Outcomes]:
        """Return the counts by the cells that metrics are made of, and outcomes without rows that name the classes."""
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
