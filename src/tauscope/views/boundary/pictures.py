"""Pictures of a boundary whose features are pixels, as the page reads them: a byte a shade."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.results.boundary.pictures import ImageShape, shade_range
from tauscope.views.wire import Block, Layout, layout_of
from tauscope.weights.arrays import Floats

BUDGET = 2_000_000
"""Bytes of the pictures on the way; a way of more steps is shown at some of them."""
MIDDLE, LONGEST = 128, 127
Shades = NDArray[np.uint8]


class BoundaryPicturesMessage(TypedDict):
    """Where an answer's pictures stand in the buffer.

    `layout` names them, from `first` on: row, point and rival, 0 for none and 1 to 255 from `low` to `high`; the
    direction added up over the channels, 128 for 0; then `n_steps` rows, every
    `stride`-th step of the path.
    """

    first: int
    low: float
    high: float
    n_steps: int
    stride: int
    layout: Layout


def pictures_wire(
    shape: ImageShape, ends: Floats, direction: Floats, walked: Floats, first: int
) -> tuple[BoundaryPicturesMessage, bytes]:
    """Encode the pictures of one answer.

    Parameters
    ----------
    shape : ImageShape
    ends : ndarray of shape (3, p)
        Row, point and rival; NaN where there is none.
    direction : ndarray of shape (p,)
    walked : ndarray of shape (n_steps, p)
        Points of the path; none without one.
    first : int
        Where the buffer stands.
    """
    low, high = shade_range(ends)
    n_pixels = shape.height * shape.width * shape.n_shown
    stride = max(1, int(np.ceil(len(walked) * n_pixels / BUDGET)))
    shown = walked[::stride]
    parts = [_shades(shape, ends, low, high), lean_bytes(shape.leans(direction)), _shades(shape, shown, low, high)]
    size = (shape.height * shape.width, shape.n_shown)
    layout = layout_of(
        [
            Block(("row", "point", "rival"), "field pixel channel", (3, *size)),
            Block(("direction",), "pixel", size[:1]),
            Block(("path",), "step pixel channel", (len(shown), *size)),
        ],
        start=first,
    )
    message: BoundaryPicturesMessage = {
        "first": first,
        "low": low,
        "high": high,
        "n_steps": len(shown),
        "stride": stride,
        "layout": layout,
    }
    return message, b"".join(part.tobytes() for part in parts)


def _shades(shape: ImageShape, points: Floats, low: float, high: float) -> Shades:
    scaled = (shape.shades(points) - low) / (high - low)
    return np.where(np.isnan(scaled), 0, 1 + np.round(254 * np.clip(np.nan_to_num(scaled), 0, 1))).astype(np.uint8)


def lean_bytes(leans: Floats) -> Shades:
    """Write numbers in [−1, 1] as bytes around 128."""
    return (MIDDLE + np.round(LONGEST * leans)).astype(np.uint8)
