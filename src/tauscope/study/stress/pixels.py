"""A study's columns as the pixels of images: codes of few levels, in chunks of rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.sparse import check_dense
from tauscope.errors import InputError
from tauscope.results.image_shape import image_shape
from tauscope.rows.pixel_counts import NO_REGRESSION
from tauscope.stress.images import PixelCounts
from tauscope.stress.metrics import Quantities

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

MAX_LEVELS = 256
ROWS = 16_384
CLOSEST = 1e-5
"""Distance of two levels, relative to the largest, below which the rows are summed instead of counted."""


class StudyImages:
    """Columns of a study as the pixels of images; see `tauscope.study.verbs.Images`."""

    def __init__(self, study: StudyBase, sizes: tuple[int, ...]) -> None:
        self.study, self.sizes = study, sizes
        self.outcomes = replace(study._outcomes, score=None, scores=None)
        """Labels and truth of each image; scores have no place on a map."""

    def counts(self, collected: Quantities) -> PixelCounts | None:
        """See `tauscope.study.verbs.Images`."""
        pixels = Pixels(self.study)
        levels = pixels.levels() if self.study.sample_weight is None else None
        if levels is None:
            return None
        counts = PixelCounts(len(self.study._columns), collected.n_cells, levels)
        for rows in pixels.chunks():
            counts.add(pixels.codes(rows, levels), collected.cell[rows])
        return counts


def images_of(self: StudyBase, shape: object) -> StudyImages:
    """Return the columns as pixels.

    Raises
    ------
    InputError
        For a shape that does not account for every column, a regression, and columns of levels.
    """
    check_dense(self._columns, "Images take")
    sizes = image_shape(shape, len(self._columns))
    if self._task == "regression":
        raise InputError(NO_REGRESSION)
    levelled = [column.name for column in self._columns if column.numbers is None]
    if levelled:
        raise InputError(f"Pixels are numbers; {levelled[0]!r} has levels. Leave it out of the images.")
    return StudyImages(self, sizes)


class Pixels:
    """A study's columns as codes of few levels, in chunks of rows."""

    def __init__(self, study: StudyBase) -> None:
        native: Any = study.X
        self.n_rows = study.n_rows
        plain = isinstance(native, np.ndarray) and native.ndim == 2 and cast("NDArray[Any]", native).dtype.kind in "uif"
        self.whole: NDArray[Any] | None = native if plain else None
        self.numbers = [column.numbers for column in study._columns]

    def chunks(self) -> list[slice]:
        """Return slices of rows."""
        return [slice(start, min(start + ROWS, self.n_rows)) for start in range(0, self.n_rows, ROWS)]

    def values(self, rows: slice) -> NDArray[Any]:
        """Return some rows, in the type they came in."""
        if self.whole is not None:
            return self.whole[rows]
        return np.stack([numbers[rows] for numbers in self.numbers if numbers is not None], axis=1)

    def levels(self) -> NDArray[np.float64] | None:
        """Return the values that pixels take, 0 … 255 where they are 8-bit; None for more than 256 of them.

        None also where they lie so close together, far from 0, that sums of their squares would not tell them apart.
        """
        if all(_whole_bytes(self.values(rows)) for rows in self.chunks()):
            return np.arange(256.0)
        seen = np.unique(self.values(slice(0, 64)))
        for rows in self.chunks():
            if len(seen) > MAX_LEVELS or np.isnan(seen).any():
                return None
            seen = np.union1d(seen, self.values(rows))
        levels = seen.astype(np.float64)
        if len(levels) > MAX_LEVELS or np.isnan(levels).any() or _are_dense(levels):
            return None
        return levels

    def codes(self, rows: slice, levels: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return the place of each value among the levels."""
        values = self.values(rows)
        if values.dtype == np.uint8:
            return values
        if len(levels) == 256 and levels[-1] == 255:
            return values.astype(np.uint8)
        return np.searchsorted(levels, values.astype(np.float64)).astype(np.uint8)


def _are_dense(levels: NDArray[np.float64]) -> bool:
    return len(levels) > 1 and bool(np.diff(levels).min() < CLOSEST * np.abs(levels).max())


def _whole_bytes(values: NDArray[Any]) -> bool:
    if values.dtype == np.uint8:
        return True
    return bool(np.all((values >= 0) & (values <= 255) & (values == np.floor(values))))
