"""A boundary whose features are pixels, as pictures: the row, its point, the rival and the direction in one shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tauscope.errors import InputError
from tauscope.results.image_shape import image_shape
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.numbers import BoundaryNumbers


@dataclass(frozen=True)
class ImageShape:
    """How the columns of a boundary are laid out as an image.

    Attributes
    ----------
    height, width : int
    n_channels : int
        In the columns.
    """

    height: int
    width: int
    n_channels: int

    @property
    def n_shown(self) -> int:
        """Channels of a picture: three are red, green and blue; of another number the mean is shown as grey."""
        return 3 if self.n_channels == 3 else 1

    def shades(self, points: Floats) -> Floats:
        """Lay out points (..., p) as pixels to be shown, shape (..., height × width, n_shown)."""
        pixels = points.reshape(*points.shape[:-1], self.height * self.width, self.n_channels)
        return pixels if self.n_shown == self.n_channels else pixels.mean(axis=-1, keepdims=True)

    def leans(self, direction: Floats) -> Floats:
        """Lay out a direction (p,) as one number a pixel, added up over its channels, over the largest: in [−1, 1]."""
        added = np.nan_to_num(direction).reshape(-1, self.n_channels).sum(axis=1)
        return added / (np.abs(added).max() or 1.0)


def read_shape(shape: object, numbers: BoundaryNumbers) -> ImageShape:
    """Read the shape of an image whose pixels are the columns.

    Raises
    ------
    InputError
        For a shape that does not account for every column, columns of levels, or rows of a sparse matrix.
    """
    if numbers.own_units:
        raise InputError(
            "Pictures take rows in a frame or a dense array, a column a pixel; these rows are sparse, and a boundary "
            "lists few of their columns. Leave shape out, or give the study X.toarray()."
        )
    sizes = image_shape(shape, len(numbers.columns))
    levelled = [column.name for column in numbers.columns if column.kind == "levels"]
    if levelled:
        raise InputError(
            f"Pixels are numbers; {levelled[0]!r} has levels. Leave shape out, or levels out of the study."
        )
    height, width, n_channels = (*sizes, 1)[:3]
    return ImageShape(height, width, n_channels)


def shade_range(points: Floats) -> tuple[float, float]:
    """Return the values that are drawn black and white: the least and the greatest of some points."""
    seen = points[np.isfinite(points)]
    low, high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
    return low, high if high > low else low + 1.0


def picture_names(result: Boundary) -> tuple[str, str, str, str]:
    """Name the pictures of a boundary, with what each is decided as."""
    rival, label = result.rival_row, rival_label(result)
    row = "the row given" if result.row is None else f"row {result.row:,}"
    return (
        f"{row}: {result.predicted}",
        f"nearest flip: {result.reached or 'none'}",
        "rival" if rival is None else f"rival, row {rival:,}{f': {label}' if label else ''}",
        "direction across: blue darker, orange brighter",
    )


def rival_label(result: Boundary) -> str:
    """Name what the rival row is decided as; "" where it is not known."""
    if result.rival_row is None or result.source is None:
        return ""
    outcomes = result.source._outcomes
    if outcomes.task == "regression":
        return result.reached or ""
    return result._numbers.classes[int(outcomes.predicted[result.rival_row])]
