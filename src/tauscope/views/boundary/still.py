"""The pictures of a boundary for pages that run no script: images in the page itself."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.figures.theme import MAP
from tauscope.results.boundary.pictures import ImageShape, picture_names, shade_range
from tauscope.weights.arrays import Floats
from tauscope.words import escape

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary

WIDTH = 112
Colors = NDArray[np.uint8]


def boundary_pictures(result: Boundary, shape: ImageShape) -> str:
    """Draw the row, its flip, the rival and the direction, those that are there.

    Parameters
    ----------
    result : Boundary
    shape : ImageShape

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    numbers = result._numbers
    ends = np.stack([numbers.start[0], numbers.inspection.point[0], numbers.rival[0]])
    low, high = shade_range(ends)
    drawn = [_shaded(shape, point, low, high) for point in ends]
    drawn.append(_leaning(shape, numbers.inspection.explanation.direction[0]))
    there = [*(not np.isnan(point).all() for point in ends), result.status == "found"]
    figures = [
        _figure(shape, words, colors)
        for words, colors, shown in zip(picture_names(result), drawn, there, strict=True)
        if shown
    ]
    return f'<div style="display:flex;flex-wrap:wrap;gap:14px">{"".join(figures)}</div>'


def _figure(shape: ImageShape, words: str, colors: Colors) -> str:
    source = b64encode(_png(colors.reshape(shape.height, shape.width, 3))).decode("ascii")
    text = escape(words)
    return (
        f'<figure style="margin:0 0 10px;width:{WIDTH}px"><img src="data:image/png;base64,{source}" alt="{text}" '
        f'style="width:100%;image-rendering:pixelated"><figcaption>{text}</figcaption></figure>'
    )


def _shaded(shape: ImageShape, point: Floats, low: float, high: float) -> Colors:
    scaled = np.clip(np.nan_to_num((shape.shades(point) - low) / (high - low)), 0, 1)
    return np.broadcast_to(np.round(255 * scaled), (len(scaled), 3)).astype(np.uint8)


def _leaning(shape: ImageShape, direction: Floats) -> Colors:
    below, middle, above = (np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) for color in MAP)
    leans = shape.leans(direction)[:, None]
    return np.round(middle + np.abs(leans) * (np.where(leans < 0, below, above) - middle)).astype(np.uint8)


def _png(colors: Colors) -> bytes:
    """Encode red, green and blue (height, width, 3), every line unfiltered."""
    height, width = colors.shape[:2]
    lines = np.concatenate([np.zeros((height, 1), np.uint8), colors.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
